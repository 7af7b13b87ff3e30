"""The pages of `examples/tea_sites.py`, labelled as their owner wants them."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))

from tea_sites import ARTICLES, FIRST, NOTICE_HOST, TEMPLATES, SitePage, site_pages, write_sites

from dehusk.blocks import segment
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.read import parse

__all__ = ["ARTICLES", "FIRST", "NOTICE_HOST", "TEMPLATES", "SitePage", "labelled", "site_pages", "write_sites"]

SITES = {template.host: tuple(site_pages(template)) for template in TEMPLATES}


def labelled(page: SitePage) -> LabelledPage:
    """Label a page: what its owner wants is content."""
    data = page.html.encode()
    blocks, wanted = segment(parse(data, page.url)), set(page.wanted)
    codes = np.array([PARAGRAPH if text in wanted else OTHER for text in blocks.texts], dtype=np.int8)
    sample = Sample("tea", page.name, data, page.url, None, None, " ".join(page.wanted))
    return LabelledPage(page.name, page.host, blocks, codes, sample, None)
