"""What there is to learn from: pages with annotations, or with gold text, or whole sets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.errors import GoldError, InputError
from dehusk.gold.align import Agreement, label_blocks
from dehusk.gold.annotation import SUFFIX, Annotation
from dehusk.gold.datasets import Sample, read_set, site_of
from dehusk.labels import OTHER, by_markup
from dehusk.methods.base import PageMethod
from dehusk.read import parse
from dehusk.read.files import find

Codes = npt.NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Labelled:
    """One page to learn from or to be judged on."""

    name: str
    site: str
    blocks: Blocks
    codes: Codes
    """(b,) code of `LABELS` for each block, -1 where nobody said."""
    sample: Sample
    agreement: Agreement | None
    """How well a gold text could be laid over the blocks; None for annotated pages."""


def gather(arguments: Sequence[str], method: PageMethod, *, gold: str | None = None) -> list[Labelled]:
    """Collect labelled pages.

    Args:
        arguments: sets (folders with `pages.jsonl` or their archives), pages, folders and globs of pages. A page
            takes part by its annotation (`<page>.anno.json`) or its gold text (`<page without suffix>.txt`).
        method: cuts pages into blocks.
        gold: a folder of annotations and gold texts; by default they are looked for beside the page.

    Raises:
        InputError: nothing to read, or a page that is named itself has neither; in folders and globs such pages
            are passed over.
        GoldError: an annotation or gold text that does not belong to its page.
    """
    found: list[Labelled] = []
    for argument in arguments:
        path = Path(argument)
        if path.name.endswith(".tar.xz") or (path / "pages.jsonl").is_file():
            found += label_samples(read_set(path), method)
        else:
            listed = find([argument])
            pages = [_page(Path(source.name), method, gold) for source in listed.sources]
            if not listed.many and pages == [None]:
                folder = gold or path.parent
                raise InputError(f"{path} has neither {path.name}{SUFFIX} nor {path.stem}.txt in {folder}")
            found += [page for page in pages if page is not None]
    if not found:
        raise InputError("no labelled pages found: they need <page>.anno.json or <page without suffix>.txt")
    return found


def label_samples(samples: Iterable[Sample], method: PageMethod) -> list[Labelled]:
    """Label the pages of a set by their gold texts; pages without gold are left out."""
    return [label_sample(sample, method) for sample in samples if sample.gold is not None]


def label_sample(sample: Sample, method: PageMethod) -> Labelled:
    """Label one page by its gold text; where that has no structure, headings and list items are told by markup."""
    page = parse(sample.bare, url=sample.url)
    blocks = method.segment(page)
    codes, agreement = label_blocks(blocks, sample.segments)
    if not sample.structured:
        codes = by_markup(blocks, codes != OTHER)
    name, site = f"{sample.set}/{sample.id}", site_of(sample, page)
    page.release()
    return Labelled(name, site, blocks, codes.astype(np.int8), sample, agreement)


def _page(path: Path, method: PageMethod, gold: str | None) -> Labelled | None:
    """Label a page by its annotation or gold text; None where it has neither."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    folder = Path(gold) if gold else path.parent
    annotation, text = folder / (path.name + SUFFIX), folder / f"{path.stem}.txt"
    if annotation.is_file():
        return _annotated(path, data, Annotation.load(annotation), method)
    if not text.is_file():
        return None
    try:
        content = text.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise GoldError(f"gold text {text} cannot be read: {error}") from error
    return label_sample(Sample(path.parent.name, path.stem, data, None, None, None, content), method)


def _annotated(path: Path, data: bytes, annotation: Annotation, method: PageMethod) -> Labelled:
    page = parse(data, url=annotation.url)
    annotation.check(data, page)
    blocks = method.segment(page)
    codes = annotation.labels_for(blocks)
    kept = " ".join(text for text, code in zip(blocks.texts, codes.tolist(), strict=True) if 0 <= code < OTHER)
    sample = Sample(path.parent.name, path.stem, data, annotation.url, None, None, kept)
    site = site_of(sample, page)
    page.release()
    return Labelled(str(path), site, blocks, codes, sample, None)
