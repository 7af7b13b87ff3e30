"""Labels as files: for each page its bytes, an annotation beside them, and a CLEANEVAL text once it is complete.

`dehusk train` and `dehusk eval` take the folder of an annotator. Bytes that were decoded by what their HTTP headers
said are stored as UTF-8, because the files have no headers.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from dehusk.base.atomic import remove, replacing, write_text
from dehusk.base.errors import InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import SUFFIX, UNLABELLED, Annotation, text_digest
from dehusk.lab.gold.cleaneval import codes_to_cleaneval
from dehusk.read import parse
from dehusk.read.decoding import decode
from dehusk.read.page import Page
from dehusk.studio.bodies import PageBody, read_body
from dehusk.studio.labelling import labels_of, sources_of
from dehusk.studio.project import Project

_UNSAFE = re.compile(r"[^\w.-]+")
_MOST_NAME = 120  # bytes of a title or a name in the name of a file


class LabelFiles(NamedTuple):
    """The files of a page's labels."""

    page: Path
    annotation: Path
    text: Path
    """A CLEANEVAL text."""


def label_files(project: Project, page: int, annotator: str) -> LabelFiles:
    """Return where the labels of a page are stored.

    Raises:
        KeyError: there is no such page.
    """
    row = project.page_row(page, "SELECT name, title FROM page WHERE id = ?")
    stem = f"{page:06d}-{safe_name(Path(row['name']).stem or row['title'])}".rstrip("-.")
    folder = annotator_folder(project, annotator)
    return LabelFiles(folder / f"{stem}.html", folder / f"{stem}.html{SUFFIX}", folder / f"{stem}.txt")


def annotator_folder(project: Project, annotator: str) -> Path:
    """Return the folder of an annotator's labels; different names have different folders."""
    safe = safe_name(annotator).strip(".")
    if safe != annotator or _has_taken(project, annotator):
        safe = f"{safe}-{hashlib.sha256(annotator.encode()).hexdigest()[:6]}"
    return project.annotations / safe


def _has_taken(project: Project, annotator: str) -> bool:
    """Return whether an earlier annotator's name differs only in case: many file systems take both for one."""
    rows = project.reading.execute("SELECT annotator FROM labelling GROUP BY annotator ORDER BY min(rowid)")
    alike = [name for (name,) in rows if name.casefold() == annotator.casefold()]
    return bool(alike) and alike[0] != annotator


def annotation_of(project: Project, page: int, annotator: str) -> tuple[bytes, Annotation]:
    """Return a page's labels as an annotation, and the bytes that it belongs to.

    Raises:
        KeyError: there is no such page.
        InputError: its file cannot be read, or has changed; or its text depends on HTTP headers in a way that no file
            can express.
    """
    body = read_body(project, page)
    blocks = body.blocks()
    data = _without_headers(body, blocks.page)
    codes = labels_of(project, page, annotator, len(blocks))
    sources = sources_of(project, page, annotator, len(blocks))
    return data, Annotation.from_labels(data, blocks, codes, url=body.url or None, annotator=annotator, sources=sources)


def cleaneval_of(project: Project, page: int, annotator: str) -> str:
    """Return what an annotator labelled as content, as a CLEANEVAL text.

    Raises:
        KeyError: there is no such page.
        InputError: its file cannot be read, or has changed.
    """
    blocks = read_body(project, page).blocks()
    return codes_to_cleaneval(blocks, labels_of(project, page, annotator, len(blocks)))


def save_labels(project: Project, page: int, annotator: str) -> LabelFiles:
    """Write the files of a page's labels; remove them if it has none.

    Raises:
        KeyError: there is no such page.
        InputError: as `annotation_of`; or the folder is a link out of the project.
        OSError: a file cannot be written.
    """
    files = label_files(project, page, annotator)
    project.inside(files.page.parent)
    data, annotation = annotation_of(project, page, annotator)
    if not annotation.spans:
        for path in files:
            remove(path)
        return files
    if not files.page.is_file() or files.page.read_bytes() != data:
        with replacing(files.page) as temporary:
            temporary.write_bytes(data)
    annotation.save(files.annotation)
    blocks = segment(parse(data, annotation.url))
    codes = annotation.labels_for(blocks)
    if (codes != UNLABELLED).all():
        write_text(files.text, codes_to_cleaneval(blocks, codes))
    else:  # a text cannot say what is still unknown
        remove(files.text)
    return files


def _without_headers(body: PageBody, page: Page) -> bytes:
    """Return bytes that are read as the same text without the headers that came with the page."""
    if not body.headers or _reads_as(body.data, body.url, page):
        return body.data
    data = codecs.BOM_UTF8 + decode(body.data, body.headers).text.encode("utf-8", "replace")
    if not _reads_as(data, body.url, page):
        raise InputError("the text of this page depends on its HTTP headers: its labels are in the project only")
    return data


def _reads_as(data: bytes, url: str, page: Page) -> bool:
    return text_digest(parse(data, url or None)) == text_digest(page)


def safe_name(name: str, *, end: int = 0) -> str:
    """Return a name as a name of a file that no system takes for another folder; "page" if nothing of it is left.

    Args:
        name: any text.
        end: bytes that a long name keeps of its end, for the suffixes of a file.
    """
    short = _UNSAFE.sub("-", name).encode("utf-8", "replace")
    if len(short) > _MOST_NAME:
        short = short[: _MOST_NAME - end] + short[len(short) - end :]
    return short.decode("utf-8", "ignore").strip("-") or "page"
