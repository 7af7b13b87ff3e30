"""Collect labelled pages from annotations, gold texts and whole sets."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import GoldError, InputError, explaining
from dehusk.base.version import __version__
from dehusk.blocks import Blocks
from dehusk.blocks.labels import LABELS, OTHER, by_markup
from dehusk.lab.gold import SUFFIX, Annotation, Codes
from dehusk.lab.gold.alignment import Agreement, label_blocks
from dehusk.lab.gold.datasets import Sample, is_set, read_set, sample_site
from dehusk.lab.gold.hand_labels import HandLabels, join_hand_labels
from dehusk.label.base import PageMethod
from dehusk.read import parse
from dehusk.read.files import PageLocations, find_pages
from dehusk.read.folder_links import FolderLinks

MIN_COVERAGE = 0.8
"""Minimum share of the gold text that must be on a page to train on it; otherwise its labels would be noise."""


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """One page to train on or to evaluate on."""

    name: str
    site: str
    blocks: Blocks
    codes: Codes
    """(b,) index into `LABELS` for each block, -1 if it is unlabelled."""
    sample: Sample
    agreement: Agreement | None
    """How well the gold text aligns with the blocks; None for annotated pages."""


def gather_pages(
    arguments: Sequence[str],
    method: PageMethod,
    *,
    gold: str | None = None,
    required: bool = True,
    links: FolderLinks | None = None,
) -> list[LabelledPage]:
    """Collect labelled pages.

    Args:
        arguments: sets (folders with `pages.jsonl`, or their archives), pages, folders of pages and globs. A page is
            labelled by its annotation (`<page>.anno.json`) or its gold text (`<page without suffix>.txt`).
        method: splits pages into blocks.
        gold: the folder of annotations and gold texts; by default they are beside the page.
        required: whether it is an error if no page is labelled.
        links: whether links out of folders are followed, and a place for those that are not; by default none is.

    Raises:
        InputError: no labelled page was found, or a page that was named explicitly has neither annotation nor gold
            text; in folders and globs, unlabelled pages are skipped.
        GoldError: an annotation or gold text does not belong to its page.
    """
    pages: list[LabelledPage] = []
    for argument in arguments:
        path = Path(argument)
        if is_set(path):
            pages += label_samples(read_set(path), method)
        else:
            pages += _label_files(find_pages([argument], links=links), Path(argument), method, gold)
    if required and not pages:
        raise InputError("no labelled pages: a page needs <page>.anno.json or <page without suffix>.txt")
    return pages


def gather_fact_pages(arguments: Sequence[str], method: PageMethod) -> list[LabelledPage]:
    """Collect the pages of sets that have facts but no gold text; arguments that are not sets are skipped."""
    sets = [Path(argument) for argument in arguments if is_set(Path(argument))]
    samples = (sample for path in sets for sample in read_set(path))
    return without_labels((sample for sample in samples if sample.gold is None and sample.facts), method)


def gather_unlabelled(
    arguments: Sequence[str], method: PageMethod, *, gold: str | None = None, links: FolderLinks | None = None
) -> list[LabelledPage]:
    """Collect the pages that `gather_pages` and `gather_fact_pages` skip; the arguments are theirs."""
    samples: list[Sample] = []
    for argument in arguments:
        path = Path(argument)
        if is_set(path):
            samples += (sample for sample in read_set(path) if not sample.has_gold)
        else:
            sources = find_pages([argument], links=links).sources
            samples += (_file_sample(Path(at.name), at.url) for at in sources if not has_labels(Path(at.name), gold))
    return without_labels(samples, method)


def label_samples(samples: Iterable[Sample], method: PageMethod) -> list[LabelledPage]:
    """Label the pages of a set by their gold texts; pages without one are skipped."""
    return [label_sample(sample, method) for sample in samples if sample.gold is not None]


def label_sample(sample: Sample, method: PageMethod) -> LabelledPage:
    """Label one page by its gold text; if that has no structure, markup identifies headings and list items."""
    page = parse(sample.bare, url=sample.url)
    blocks = method.segment(page)
    codes, agreement = label_blocks(blocks, sample.segments)
    if not sample.structured:
        codes = by_markup(blocks, codes != OTHER)
    name, site = f"{sample.set}/{sample.id}", sample_site(sample, page)
    page.release()
    return LabelledPage(name, site, blocks, codes.astype(np.int8), sample, agreement)


def without_labels(samples: Iterable[Sample], method: PageMethod) -> list[LabelledPage]:
    """Return pages of which no block is labelled; their facts can be trained on."""
    pages = []
    for sample in samples:
        page = parse(sample.bare, url=sample.url)
        blocks = method.segment(page)
        codes = np.full(len(blocks), -1, dtype=np.int8)
        pages.append(LabelledPage(f"{sample.set}/{sample.id}", sample_site(sample, page), blocks, codes, sample, None))
        page.release()
    return pages


def label_by_hand(labels: Iterable[HandLabels], samples: Iterable[Sample], method: PageMethod) -> list[LabelledPage]:
    """Label the pages of sets by the labels of a file; pages without labels, and labels of other sets, are skipped.

    The samples get the kept text as their gold text, and the kind and the language that the labels state.

    Raises:
        GoldError: a page or its text has changed since it was labelled, a labelled page is missing from its set, or two
            annotators labelled it.
    """
    return [_label_hand(of_page, sample, method) for of_page, sample in join_hand_labels(labels, samples)]


def _label_hand(labels: HandLabels, sample: Sample, method: PageMethod) -> LabelledPage:
    sample = replace(sample, type=labels.kind, language=labels.language or sample.language)
    return _label_annotated(labels.name, sample, labels.annotation, method)


def is_labelled(page: LabelledPage) -> bool:
    """Return whether a page has a gold text, or an annotation that labels any of its blocks."""
    return page.agreement is not None or bool((page.codes >= 0).any())


def is_usable(page: LabelledPage) -> bool:
    """Return whether a page can be trained on: it has labels on blocks, and its gold text is on the page."""
    is_there = page.agreement is None or page.agreement.coverage >= MIN_COVERAGE
    return len(page.blocks) > 0 and is_labelled(page) and is_there


def label_counts(pages: Iterable[LabelledPage]) -> npt.NDArray[np.int64]:
    """Return how many blocks have each label, shape (5,); unlabelled blocks are not counted."""
    counts = np.zeros(len(LABELS), dtype=np.int64)
    for page in pages:
        counts += np.bincount(page.codes[page.codes >= 0], minlength=len(LABELS))
    return counts


def check_trainable(pages: int, *, content: int, noise: int) -> None:
    """Check that training pages contain both content and noise.

    Args:
        pages: number of usable pages.
        content: number of their content blocks.
        noise: number of their blocks labelled other.

    Raises:
        GoldError: they do not.
    """
    if not pages:
        raise GoldError("training needs content and noise: no page is usable")
    if not content or not noise:
        only = "content" if content else "noise" if noise else "unlabelled blocks"
        raise GoldError(f"training needs content and noise: the usable pages ({pages}) contain only {only}")


def _label_files(listed: PageLocations, path: Path, method: PageMethod, gold: str | None) -> list[LabelledPage]:
    """Label a page, the pages of a folder, or those that match a glob."""
    pages = [label_file(Path(source.name), method, gold, source.url) for source in listed.sources]
    if not listed.many and pages == [None]:
        folder = gold or path.parent
        raise InputError(f"{path} has no labels: neither {path.name}{SUFFIX} nor {path.stem}.txt is in {folder}")
    return [page for page in pages if page is not None]


def has_labels(path: Path, gold: str | None) -> bool:
    """Return whether a page has an annotation or a gold text, in a folder or else beside it."""
    return any(file.is_file() for file in _label_paths(path, gold))


def _label_paths(path: Path, gold: str | None) -> tuple[Path, Path]:
    folder = Path(gold) if gold else path.parent
    return folder / (path.name + SUFFIX), folder / f"{path.stem}.txt"


def label_file(path: Path, method: PageMethod, gold: str | None, url: str | None = None) -> LabelledPage | None:
    """Label a page by its annotation or its gold text; return None if it has neither.

    Args:
        path: the page.
        method: splits it into blocks.
        gold: folder of annotations and gold texts; None if they are beside the page.
        url: its address, if it is known.
    """
    annotation, text = _label_paths(path, gold)
    if path.exists() and not annotation.is_file() and not text.is_file():
        return None
    sample = _file_sample(path, url)
    if annotation.is_file():
        labels = Annotation.load(annotation)
        return _label_annotated(str(path), replace(sample, url=labels.url or url), labels, method)
    try:
        content = text.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GoldError(f"{text}: gold text cannot be read: {error}") from error
    return label_sample(replace(sample, gold=content), method)


def _file_sample(path: Path, url: str | None) -> Sample:
    with explaining(f"{path}: cannot be read"):
        data = path.read_bytes()
    return Sample(path.parent.resolve().name, path.stem, data, url, None, None, None)


def _label_annotated(name: str, sample: Sample, annotation: Annotation, method: PageMethod) -> LabelledPage:
    """Label a page by its annotation; the kept text becomes the gold text of its sample."""
    page = parse(sample.data, url=sample.url)
    try:
        annotation.check(sample.data, page)
    except GoldError as error:
        raise GoldError(f"{name}: {error}") from None
    blocks = method.segment(page)
    codes = annotation.labels_for(blocks)
    kept = " ".join(text for text, code in zip(blocks.texts, codes.tolist(), strict=True) if 0 <= code < OTHER)
    site = sample_site(sample, page)
    page.release()
    return LabelledPage(name, site, blocks, codes, replace(sample, gold=kept), None)


def model_card(pages: Sequence[LabelledPage]) -> dict[str, Any]:
    """Return the card's facts about the training pages; a single hash identifies all pages, without naming any."""
    digest = hashlib.sha256()
    for page in sorted(pages, key=lambda page: page.name):
        digest.update(hashlib.sha256(page.sample.data).digest())
    return {
        "version": __version__,
        "pages": dict(sorted(Counter(page.sample.set for page in pages).items())),
        "sites": len({page.site for page in pages}),
        "pages-hash": digest.hexdigest()[:16],
        "blocks": dict(zip(LABELS, label_counts(pages).tolist(), strict=True)),
    }
