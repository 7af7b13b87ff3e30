"""The gold of a page: labels from the project, an annotation beside the page, or a gold text beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dehusk.base.errors import GoldError
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import SUFFIX, UNLABELLED, Annotation, Codes
from dehusk.blocks.labels import OTHER
from dehusk.document import Document
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.cleaneval import Segment, from_cleaneval
from dehusk.studio.labelling import joint_labels
from dehusk.studio.outcome import block_outcome
from dehusk.studio.page_files import PageFile, page_file, siblings
from dehusk.studio.places import Place, in_code_units, outcome_text
from dehusk.studio.project import Project

GOLD_FOLDER = "gold"
GOLD_TEXTS = (".txt", ".cleaned.txt", "-cleaned.txt")
"""What follows the stem of a page in the name of its gold text."""
_TAGGED = re.compile(r"^\s*<[hpl]>", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class PageGold:
    """What people say should be kept of a page."""

    source: str
    """Where it is from, in words."""
    codes: Codes
    """(b,) for each common block an index into `LABELS`, `UNLABELLED` for none."""
    is_labels: bool
    """Whether people labelled blocks, rather than wrote a text that blocks were aligned to."""
    text: str
    """The text to keep; of labels, the texts of the labelled blocks."""

    @property
    def is_partial(self) -> bool:
        """Whether some blocks have neither a label nor a gold text: nobody says whether they are right to be kept."""
        return self.is_labels and bool((self.codes == UNLABELLED).any())


class JudgedTexts(NamedTuple):
    """What of a page can be compared."""

    kept: str
    """The outcome; if only some blocks have labels, that of these blocks."""
    gold: str
    places: list[Place]
    """Where the common blocks are in `kept`."""


def find_gold(project: Project, page: int, document: Document, *, file_only: bool = False) -> PageGold | None:
    """Return the gold of a page: the project's latest labels, else an annotation, else a gold text; None for none.

    Args:
        project: the project.
        page: number of the page.
        document: the page, cleaned in any way.
        file_only: whether to ignore the project's own labels.

    Raises:
        GoldError: an annotation beside the page is damaged, or is of another page.
        KeyError: there is no such page.
    """
    blocks = segment(document.page)
    found = None if file_only else _own_labels(project, page, blocks)
    file = page_file(project, page)
    if found is None and file is not None:
        found = _annotation(file, blocks) or _text(file, blocks)
    return found


def _own_labels(project: Project, page: int, blocks: Blocks) -> PageGold | None:
    found = joint_labels(project, page)
    if found is None or len(found[1]) != len(blocks):
        return None
    names, codes = found
    return PageGold(f"labels of {' and '.join(names)}", codes, True, _text_of(blocks, codes))


def _annotation(file: PageFile, blocks: Blocks) -> PageGold | None:
    for path in siblings(file, (SUFFIX,), GOLD_FOLDER):
        if file.read(path) is None:
            continue
        annotation = Annotation.load(path)
        try:
            codes = annotation.labels_for(blocks)
        except GoldError as error:
            raise GoldError(f"{path.name}: {error}") from error
        return PageGold(f"annotation {path.name}", codes, True, _text_of(blocks, codes))
    return None


def _text(file: PageFile, blocks: Blocks) -> PageGold | None:
    for path in siblings(file, GOLD_TEXTS, GOLD_FOLDER):
        data = file.read(path)
        if data is None:
            continue
        raw = data.decode("utf-8-sig", "replace")
        segments = from_cleaneval(raw) if _TAGGED.search(raw) else [Segment("paragraph", raw)]
        codes, _ = label_blocks(blocks, segments)
        text = "\n".join(segment.text for segment in segments)
        return PageGold(f"gold text {path.name}", codes.astype(np.int8), False, text)
    return None


def _text_of(blocks: Blocks, codes: Codes) -> str:
    kept = np.flatnonzero((codes != UNLABELLED) & (codes != OTHER)).tolist()
    return "".join(f"{blocks.texts[block]}\n" for block in kept)


def judged_texts(document: Document, gold: PageGold) -> JudgedTexts:
    """Return an outcome and the gold as far as they can be compared: blocks without a label do not count."""
    if not gold.is_partial:
        text, places = outcome_text(document, "text")
        return JudgedTexts(text, gold.text, places)
    texts, position, places = segment(document.page).texts, 0, list[Place]()
    for block in np.flatnonzero(block_outcome(document).kept & (gold.codes != UNLABELLED)).tolist():
        places.append((position, position + len(texts[block]), block))
        position += len(texts[block]) + 1
    text = "".join(f"{texts[block]}\n" for _, _, block in places)
    return JudgedTexts(text, gold.text, in_code_units(text, places))
