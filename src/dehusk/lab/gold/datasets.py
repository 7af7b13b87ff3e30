"""Sets of pages with gold texts, and the site of each page.

A set is a folder, or its .tar.xz archive, with `pages.jsonl` (one object per page: `id`, and optionally `url`, `site`,
`type`, `language`, `facts`, `attributes`), `html/<id>.html` (bytes as published) and `gold/<id>.txt`. Gold texts with
CLEANEVAL's tags are recognised.
"""

import hashlib
import json
import lzma
import re
import tarfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base.errors import InputError, unknown
from dehusk.counts.grouping import site_name, site_of
from dehusk.lab.gold.cleaneval import Segment, from_cleaneval
from dehusk.read.page import Page
from dehusk.read.parsing import parse, unwrap

_TAGGED = re.compile(r"^\s*<[hpl]>", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Sample:
    """One page of a set."""

    set: str
    id: str
    data: bytes
    url: str | None
    site: str | None
    """The site, if the set names it; `sample_site` returns a site for every page."""
    type: str | None
    gold: str | None
    """The gold text as published; None if the set has none."""
    facts: tuple[str, ...] = ()
    """Texts that belong to the content, such as the ingredients of a recipe; the rest of the page may belong to it too.

    The set's `facts`, then the distinct values of its `attributes`, except the page's URL. A page without a gold text
    may have facts.
    """
    language: str | None = None
    """The language, if the set names it, such as "en-US"."""

    @property
    def bare(self) -> bytes:
        """The bytes without CLEANEVAL's wrapper, as every tool gets them."""
        return unwrap(self.data.decode("latin-1"))[0].encode("latin-1")  # as bytes: the encoding is not known yet

    @property
    def has_gold(self) -> bool:
        """Whether tools can be judged on the page: it has a gold text or facts."""
        return self.gold is not None or bool(self.facts)

    @property
    def segments(self) -> list[Segment]:
        """The gold text as (label, text); a single paragraph if it has no tags."""
        text = self.gold or ""
        if _TAGGED.search(text):
            return from_cleaneval(text)
        return [Segment("paragraph", text)] if text.strip() else []

    @property
    def structured(self) -> bool:
        """Whether the gold text marks headers, list items and paragraphs."""
        return _TAGGED.search(self.gold or "") is not None

    @property
    def gold_text(self) -> str:
        """The gold text without tags, entities decoded."""
        return "\n".join(segment.text for segment in self.segments)


def is_set(path: Path) -> bool:
    """Return whether a path is a set: a .tar.xz archive, or a folder with `pages.jsonl` and `html`.

    A `pages.jsonl` beside its pages only gives their addresses.
    """
    return path.name.endswith(".tar.xz") or ((path / "pages.jsonl").is_file() and (path / "html").is_dir())


def read_set(path: Path) -> Iterator[Sample]:
    """Read a set, in the order of its `pages.jsonl`.

    Raises:
        InputError: the set, or a file that its `pages.jsonl` names, is missing or damaged.
    """
    files = set_files(path)
    name = path.resolve().name.removesuffix(".tar.xz")
    try:
        lines = enumerate(files["pages.jsonl"].decode("utf-8").split("\n"), start=1)
        rows = [_row(line, number) for number, line in lines if line.strip()]
        for row in rows:
            gold = files.get(f"gold/{row['id']}.txt")
            yield Sample(
                set=name,
                id=str(row["id"]),
                data=files[f"html/{row['id']}.html"],
                url=row.get("url"),
                site=row.get("site"),
                type=row.get("type"),
                gold=None if gold is None else gold.decode("utf-8", "replace"),
                facts=_facts(row, path),
                language=row.get("language"),
            )
    except (KeyError, ValueError, TypeError) as error:
        problem = f"it has no {error.args[0]}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"set {path} is malformed: {problem}") from error


def _row(line: str, number: int) -> dict[str, Any]:
    """Return what a line of `pages.jsonl` says of a page.

    Raises:
        ValueError: it is no object, or what should be a text is none.
        KeyError: it has no id.
    """
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError(f"line {number} of pages.jsonl is not a JSON object")
    if not isinstance(row["id"], str | int):
        raise ValueError(f"line {number} of pages.jsonl: id must be a text, not {row['id']!r}")
    for key in ("url", "site", "type", "language"):
        if not isinstance(row.get(key), str | None):
            raise ValueError(f"page {row['id']}: {key} must be a text, not {row[key]!r}")
    return row


def _facts(row: dict[str, Any], path: Path) -> tuple[str, ...]:
    facts, attributes = row.get("facts") or [], row.get("attributes") or {}
    where = f"set {path} is malformed: page {row['id']}"
    if not _is_texts(facts):
        raise InputError(f"{where}: facts must be a list of texts")
    if not isinstance(attributes, dict):
        raise InputError(f"{where}: attributes must be an object of names and values")
    values = [[value] if isinstance(value, str) else value for value in attributes.values()]
    for name, of_name in zip(attributes, values, strict=True):
        if not _is_texts(of_name):
            raise InputError(f"{where}: attribute {name!r} must be a text or a list of texts")
    distinct = dict.fromkeys(value for of_name in values for value in of_name if value != row.get("url"))
    return (*facts, *distinct)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def set_files(path: Path) -> dict[str, bytes]:
    """Return the files of a set: `pages.jsonl`, `html/<id>.html`, `gold/<id>.txt`.

    Raises:
        InputError: the set is missing or damaged.
    """
    return _archive_files(path) if path.is_file() else _folder_files(path)


def _archive_files(path: Path) -> dict[str, bytes]:
    try:
        with tarfile.open(path) as archive:
            members = {m.name.removeprefix("./"): archive.extractfile(m) for m in archive.getmembers() if m.isfile()}
            return {name: stream.read() for name, stream in members.items() if stream is not None}
    except (OSError, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError) as error:
        raise InputError(f"set {path} cannot be read: {error}") from error


def _folder_files(path: Path) -> dict[str, bytes]:
    if not path.exists():
        siblings = [*path.parent.glob("*/pages.jsonl"), *path.parent.glob("*.tar.xz")]
        names = sorted(file.parent.name if file.name == "pages.jsonl" else file.name for file in siblings)
        raise InputError(f"{path}: {unknown('set', path.name, names) if names else 'no such set'}")
    if not (path / "pages.jsonl").is_file():
        raise InputError(f"set {path} has no pages.jsonl")
    files = [path / "pages.jsonl", *sorted(path.glob("html/*.html")), *sorted(path.glob("gold/*.txt"))]
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in files}


def set_fingerprint(path: Path) -> str:
    """Return a hash of a set's contents, the same for a folder and its archive."""
    files = set_files(path)
    digest = hashlib.sha256()
    for name in sorted(files):
        if name == "pages.jsonl" or name.startswith(("html/", "gold/")):
            digest.update(f"{name} {hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def sample_site(sample: Sample, page: Page | None = None) -> str:
    """Return the registered domain that a page is from, or "<set>/<id>" if it is unknown.

    The first of these sources that names a domain decides: the sample's URL, the site that its set names, the URL that
    the page itself declares (see `dehusk.counts.grouping.site_of`), the target of most of its links.

    Args:
        sample: the page and the facts that its set gives about it.
        page: the parsed page; if not given, the sample is parsed if neither its URL nor its set names a domain.
    """
    if domain := _domain(sample.url or "") or _domain(sample.site or ""):
        return domain
    page = parse(sample.bare) if page is None else page
    if domain := site_of(page, "domain"):
        return domain
    targets = (page.attribute(node, "href") or "" for node in page.attributes)
    domains = Counter(filter(None, (_domain(target) for target in targets if "//" in target or "@" in target)))
    return domains.most_common(1)[0][0] if domains else f"{sample.set}/{sample.id}"


def _domain(url: str) -> str:
    """Return the registered domain of a URL; "" if it has none, for example "page.html" or "localhost"."""
    name = site_name(url, "domain")
    return name if "." in name else ""
