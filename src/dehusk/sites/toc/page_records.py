"""A page's article and TOC blocks, skeleton and reduced tree as plain values, ready for JSON.

They are found now, or were before: rows of `dehusk corpus --find wisdom` and `dehusk crawl --clean`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base.errors import InputError
from dehusk.many.files.record import Loss
from dehusk.many.files.tables import parse_object, read_lines
from dehusk.read.page import Page
from dehusk.sites.outline import outline_entries
from dehusk.sites.toc.formats import record_text
from dehusk.sites.wisdom import InformativeBlocks, InformativeStructure, Wisdom
from dehusk.sites.wisdom.block_records import BLOCK_TYPES, TYPE_NAMES, page_blocks

FEW_KNOWN = 0.2
"""If the site knows a smaller share of a page's words, the page is taken for one of another site or language."""
_ENOUGH_WORDS = 20


@dataclass(frozen=True)
class RecordChoice:
    """What the record of a page contains."""

    types: tuple[str, ...] = BLOCK_TYPES
    """Types of blocks: "toc", "article"."""
    tree: bool = False
    """Whether it contains the reduced tree."""


def unread_record(name: str, page: Page | None, problem: str, *, note: str = "") -> dict[str, Any]:
    """Return what is known of a page before its blocks are looked for.

    Args:
        name: path or address of the page.
        page: the page; None if it could not be read.
        problem: why the page, or part of it, cannot be used, as "status: message"; "" if there is no problem.
        note: what a reader needs to know.
    """
    status, _, message = problem.partition(": ")
    return {
        "page": name,
        "url": page.url if page is not None else None,
        "title": page.meta.title if page is not None else "",
        "status": status or "ok",
        "message": message,
        "learned": None,
        "notes": [note] if note else [],
    }


def page_record(page: Page, wisdom: Wisdom, choice: RecordChoice) -> dict[str, Any]:
    """Return what WISDOM finds on a page.

    Returns:
        The values of `page_blocks`; `tree`, if chosen (`dehusk.sites.outline.outline_entries`); and `notes`, what a
        reader needs to know about the result, one line each.
    """
    informative = wisdom.blocks(page)
    record = page_blocks(informative, choice.types)
    if choice.tree:
        sets = [getattr(informative, name) for name in choice.types]
        record["tree"] = outline_entries(InformativeStructure.of(*sets))
    return record | {"notes": _notes(page, wisdom, informative, choice.types, record)}


def _notes(
    page: Page, wisdom: Wisdom, informative: InformativeBlocks, types: Sequence[str], record: dict[str, Any]
) -> list[str]:
    """Return what explains the result of a page; every note is the same line on all pages."""
    links = [link for block in record.get("toc", ()) for link in block["links"]]
    k = wisdom.settings.k
    few = [name for name in types if 1 < k < math.inf and len(getattr(informative, name).skeleton) < k]
    notes = {
        "without an address of the page, links stay relative and have no API": "toc" in types
        and not (page.url or page.meta.canonical),
        "the site knows few of its words: another site or another language?": _known(informative, wisdom) < FEW_KNOWN,
        "no links": "toc" in types and not len(informative.features.anchors.node),
        "all links of the TOC blocks lead to the page itself": bool(links) and all(link["own"] for link in links),
        f"fewer than k = {k:g} {' and '.join(TYPE_NAMES[name] for name in few)} blocks": bool(few),
        f"no {' and no '.join(TYPE_NAMES[name] for name in types)} blocks": not any(record[name] for name in types),
    }
    return [note for note, applies in notes.items() if applies]


def _known(informative: InformativeBlocks, wisdom: Wisdom) -> float:
    """Return the share of a page's words that the site knows; 1 if the page has few words."""
    words = informative.features.terms.key
    if len(words) < _ENOUGH_WORDS:
        return 1.0
    return float(wisdom.entropy_.knows(words).mean())


# ---------------------------------------------------------------- stored records

_SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
_LONGEST = 1 << 28  # bytes of a row
_FACTS = {"page": "", "url": None, "title": "", "status": "ok", "message": "", "learned": None, "notes": ()}


def row_files(argument: str) -> list[Path]:
    """Return the files of rows that an argument names; none if it names pages.

    A file of rows is JSON Lines whose first line has blocks: in the `findings` of rows of a corpus, or by themselves in
    the `wisdom.jsonl` of a crawl and in the output of `dehusk toc`. The output folder of a corpus has them in `pages`.

    Raises:
        InputError: it is the output folder of a corpus without blocks.
    """
    path = Path(argument)
    if path.is_dir() and (path / "summary.json").is_file() and (path / "pages").is_dir():
        files = [file for file in sorted((path / "pages").rglob("*")) if file.name.endswith(_SUFFIXES)]
        if not files or not all(map(_has_blocks, files)):
            raise InputError(f"{path} has rows without blocks: run `dehusk corpus` with -f jsonl --find wisdom")
        return files
    return [path] if path.is_file() and path.name.endswith(_SUFFIXES) and _has_blocks(path) else []


def stored_records(file: Path, types: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of rows.

    Args:
        file: one of `row_files`.
        types: types of blocks to keep.

    Raises:
        InputError: a line is not such a row.
    """
    for number, row in enumerate(_rows(file), 1):
        try:
            wisdom = _blocks_of(row)
            facts = {name: row.get(name, default) for name, default in _FACTS.items()}
            facts["page"] = row.get("page") or row.get("url") or row["id"]
            facts["message"] = row.get("message") or ""
            facts["learned"] = row.get("learned", row.get("site_pages"))
            record = facts | {name: wisdom[name] for name in (*BLOCK_TYPES, "zero_api", "loaded") if name in wisdom}
            record = {name: value for name, value in record.items() if name in types or name not in BLOCK_TYPES}
            record_text(record)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{file}, line {number}: not a row with blocks: {error!r}") from error
        yield record


def _has_blocks(file: Path) -> bool:
    try:
        first: Mapping[str, Any] = next(_rows(file), {})
    except (OSError, InputError):
        return False
    found = _blocks_of(first)
    return isinstance(found, dict) and "zero_api" in found


def _blocks_of(row: Mapping[str, Any]) -> Any:
    """Return what a row says about blocks: a row of a corpus among the findings of methods, another one by itself."""
    return row["findings"].get("wisdom", {}) if isinstance(row.get("findings"), dict) else row


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(read_lines(file, _LONGEST)):
        row = line if isinstance(line, Loss) else parse_object(line, number) if line.strip() else None
        if isinstance(row, Loss):
            raise InputError(f"{file}: {row.message}")
        if row is not None:
            yield row
