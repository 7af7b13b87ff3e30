"""The floor and the rival that stand in each report of quality: what a figure is worth shows only beside them.

A new bench is named in one of these tables; the tests look for both names among the cells of its report.
"""

BESIDE = {
    "unseen": ("everything", "rule of one line"),
    "papers": ("everything grey", "rule of one line"),
    "quality": ("all text", "trafilatura"),
    "tools": ("all-text", "trafilatura"),
    "facts": ("all-text", "trafilatura"),
    "structure": ("everything kept", "trafilatura"),
    "defuddle_structure": ("everything kept", "trafilatura"),
    "facts_and_relations": ("everything", "trafilatura"),
    "records": ("a column per place", "a column per label"),
    "posts": ("the page as one post", "siblings alike"),
    "comments": ("everything", "rule of one line"),
    "sites": ("keep-all", "trafilatura"),
    "papers_as_evidence": ("none, no site", "a moved cut only"),
    "shops": ("tf", "tf × idf of the site"),
    "shops_starts": ("tf", "tf × idf of the site"),
    "universities": ("tf", "tf × idf of the site"),
    "downstream": ("all text", "trafilatura"),
    "wisdom": ("all text", "M1"),
    "prompt": ("everything, as text", "rule of one line"),
    "site_evidence": ("everything", "texts of half of the pages at most"),
    "wisdom_domains": ("everything", "rule of one line"),
    "toc_partial": ("everything", "the place with the longest link texts"),
}
"""Report of quality -> the floor and the rival of a line that stand in it."""
WITHOUT = {
    "alternation": "everything is the floor; the rival of one line is in papers.md",
    "structure_tree": "all text is the floor; other methods are in sites.md",
    "gold_words": "the entropy of the bare word is the rival; the floor of an AUC is .5",
    "crawl_order": "breadth first is the rival",
    "united": "its nets are judged beside floors and rivals in unseen.md",
    "rubric_followed": "cells of other reports",
    "independent": "another count of two tools",
    "completeness": "other tools stand beside; everything keeps all of each unit",
    "wholeness": "other tools stand beside; everything loses nothing",
    "markdown_back": "errors, of which none is the aim",
    "metadata": "trafilatura stands beside; the floor is to say nothing",
    "owners": "errors, of which none is the aim",
    "quotes": "errors, of which none is the aim",
    "empty_pages": "pages named to be read",
    "page_warnings": "pages named to be read",
    "reasons": "errors, of which none is the aim",
    "tei_valid": "errors, of which none is the aim",
    "annotators": "agreement",
    "victor": "the thesis's experiment has them in papers.md",
    "victor_ideas": "differences to the configuration web",
    "ablations": "differences to all features",
    "webmainbench": "no report, because its pages are not in our data; everything, nothing and the longest block are in its tables",
}
"""Report of quality without them -> why."""
COSTS = frozenset(
    [
        "corpus",
        "spark",
        "scale",
        "crawl",
        "robustness",
        "speed",
        "threads",
        "growth",
        "isolation",
        "service",
        "parsers",
        "memory",
        "studio",
        "studio-page",
        "labelling",
        "memory-at-limit",
        "wisdom_cost",
    ]
)
"""Reports of time, memory and robustness."""
