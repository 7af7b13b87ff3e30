"""Group the pages of a set by site, for tools that learn from a site's pages and for intervals by site."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from dehusk.base.errors import counted
from dehusk.lab.evaluate.predictions import page_hash
from dehusk.lab.gold.datasets import Sample, sample_site


@lru_cache(maxsize=1 << 14)
def site_of_sample(sample: Sample) -> str:
    """Return the site that a page is from; a page whose site is unknown is a site by itself."""
    return sample_site(sample)


def group_by_site(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Return the pages of each set and site, in the order of their first pages."""
    groups: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        groups.setdefault((sample.set, site_of_sample(sample)), []).append(sample)
    return list(groups.values())


def hash_group(group: Sequence[Sample]) -> str:
    """Return a hash of the pages that a tool gets together, in their order: 16 hexadecimal digits."""
    return hashlib.sha256("\n".join(map(page_hash, group)).encode()).hexdigest()[:16]


def lone_page_notes(samples: Sequence[Sample]) -> list[str]:
    """Return one line for each set in which some pages are the only ones of their site."""
    pages: Counter[str] = Counter()
    lone: Counter[str] = Counter()
    for group in group_by_site(samples):
        pages[group[0].set] += len(group)
        lone[group[0].set] += len(group) == 1
    return [
        f"{name}: {count} of {counted(pages[name], 'page')} without another page of the same site; tools that learn "
        "from a site get such pages individually"
        for name, count in lone.items()
        if count
    ]
