"""The public sets of the benches, built from what their makers publish: `dehusk sets`.

The pages of a set belong to their publishers and are not part of dehusk. `catalogue.toml` says where each set is
published, under which licence, who made its gold texts and what is known of their faults; a manifest holds the hashes
of the pages that our figures are of. `building` reads a published archive (`archives`, `layouts`), picks these pages,
and counts a set as built only if every page, gold text and fact is the one that was measured.
"""
