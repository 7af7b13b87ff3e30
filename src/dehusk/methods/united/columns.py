"""The columns that the trees ask."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features import DOC, FeatureSettings, compute
from dehusk.methods.victor.config import load_config

GROUPS = {
    "candidate": "where it stands to the main text",
    "main": "where it stands to the main text",
    "position": "where it stands on the page",
    "holder": "what the elements around it hold",
    "path": "blocks of the same path",
    "div-group": "what its div holds",
    "section": "its section",
    "near": "its neighbours",
    "link": "its links",
    "block": "its words",
    "sentence-end": "its words",
    "title": "the page's title",
    "container": "tags above it",
    "lexicon": "names of classes",
    "nearby": "names of classes",
    "document": "the kind of page",
    "page": "the kind of page",
}
"""First part of a column's name -> what it is evidence of, for a reader."""

_CHOSEN = """
    candidate.half.levels candidate.half.place candidate.half.words candidate.most.levels candidate.most.place
    candidate.most.words candidate.nearly-all.place candidate.group candidate.group.place candidate.group.size
    candidate.group.words candidate.heading candidate.title main.levels main.local main.inner main.half
    main.share main.place main.run main.run-distance holder.tag holder.depth holder.0.link-density
    holder.0.running holder.0.siblings holder.0.sibling-running holder.0.sibling-words holder.1.link-density
    holder.1.words holder.1.running holder.1.blocks holder.1.siblings holder.1.sibling-running
    holder.2.link-density holder.2.words holder.2.running holder.2.siblings holder.2.sibling-running
    holder.3.link-density holder.3.words holder.3.running path.words path.blocks path.long path.link-density
    path.parent-words path.parent-link-density path.parent-long section.level section.link-density section.words
    section.number section.running near.-1.words near.-1.link-density near.+1.words near.+1.link-density
    near.2.words near.2.running near.2.link-density near.5.words near.5.running near.5.link-density block.words
    block.hidden block.since-heading block.noscript link.density link.page-density position div-group.word-ratio
    document.max-div-group block.copies sentence-end title.match document.word-count
    document.block-count page.running page.running-blocks page.running-words page.classes page.elements
    page.cells page.items page.inner page.headings page.forms page.articles page.article-type page.noscript
    container.p container.a container.class-header container.class-list container.class-table
    container.class-form container.class-quote container.class-code container.nav container.header
    container.footer container.aside container.article container.main container.figure lexicon.content
    lexicon.comment lexicon.navigation lexicon.frame lexicon.related lexicon.meta lexicon.social lexicon.advert
    lexicon.product lexicon.archive nearby.content nearby.comment nearby.navigation nearby.frame nearby.related
    nearby.meta nearby.social nearby.product
"""
NAMES = tuple(_CHOSEN.split())
"""Rows of the table in their order, chosen out of 198 features; the others gained nothing on sites never seen."""

TAKES_NO_PART = "object embed applet select option textarea frame audio video canvas"
"""Elements whose text is never content: what stands there is for programs or for forms."""


def table(blocks: Blocks) -> npt.NDArray[np.float32]:
    """Return the columns of a page's blocks, shape (len(NAMES), b)."""
    rows = np.empty((len(NAMES), len(blocks)), dtype=np.float32)
    for row, column in zip(rows, compute(blocks, settings(), NAMES).values(), strict=True):
        row[:] = column
    return rows


def meaning(name: str) -> str:
    """Return what a column says, in a sentence."""
    return DOC.get(name) or DOC[f"{name.partition('.')[0]}.*"]


@lru_cache(maxsize=1)
def settings() -> FeatureSettings:
    """Return the words and tags that features look for: those of the preset web."""
    return load_config("web").settings
