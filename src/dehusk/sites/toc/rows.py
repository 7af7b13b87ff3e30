"""Records of pages whose blocks were found before: rows of `dehusk corpus --find wisdom` and `dehusk crawl --clean`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dehusk.base.errors import InputError
from dehusk.many.files.record import Loss
from dehusk.many.files.tables import parse_object, read_lines
from dehusk.sites.toc.formats import record_text
from dehusk.sites.wisdom.block_records import BLOCK_TYPES

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
