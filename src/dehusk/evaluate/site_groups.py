"""Which pages of a set are of one site: for tools that learn from a site's pages, and for intervals by site."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

from dehusk.evaluate.predictions import key
from dehusk.gold.datasets import Sample
from dehusk.read import parse
from dehusk.site.grouping import site_name, site_of


@lru_cache(maxsize=1 << 14)
def site(sample: Sample) -> str:
    """Return the site a page is of: the domain of its address, or what its set says, or what the page itself says.

    A page that nobody knows the site of is a site of its own, named after itself.
    """
    given = site_name(sample.url or "", "domain") or (sample.site or "")
    return given or site_of(parse(sample.bare), "domain") or f"{sample.set}/{sample.id}"


def groups(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Return the pages of each set and site, in the order of their first pages."""
    found: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        found.setdefault((sample.set, site(sample)), []).append(sample)
    return list(found.values())


def peers(group: Sequence[Sample]) -> str:
    """Return a hash of the pages that are seen together, in their order."""
    return hashlib.sha256("\n".join(map(key, group)).encode()).hexdigest()[:16]


def alone(samples: Sequence[Sample]) -> list[str]:
    """Return one line for each set in which pages have no other page of their site."""
    pages: dict[str, int] = {}
    single: dict[str, int] = {}
    for group in groups(samples):
        name = group[0].set
        pages[name] = pages.get(name, 0) + len(group)
        single[name] = single.get(name, 0) + (len(group) == 1)
    return [
        f"{name}: {count} of {pages[name]} pages have no other page of their site here; tools that learn from a site "
        "see them alone"
        for name, count in single.items()
        if count
    ]
