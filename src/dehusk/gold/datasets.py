"""Sets of pages with gold text, and which site each page is of.

A set is a folder, or a .tar.xz of one, with `pages.jsonl` (one object a page: `id`, and where known `url`, `site`,
`type`), `html/<id>.html` (bytes as published) and `gold/<id>.txt`. Gold texts with CLEANEVAL's tags are recognised.
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
from urllib.parse import urlsplit

from dehusk.errors import InputError
from dehusk.gold.cleaneval import Segment, from_cleaneval
from dehusk.page import Page

_TAGGED = re.compile(r"^\s*<[hpl]>", re.IGNORECASE | re.MULTILINE)
_WRAPPER = re.compile(rb"\A\s*<text\s[^>]{0,8192}?\bid\s*=[^>]{0,8192}>", re.IGNORECASE)
_WRAPPER_END = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_SECOND_LEVEL = frozenset({"co", "com", "org", "net", "ac", "gov", "edu", "or", "ne", "go"})


@dataclass(frozen=True)
class Sample:
    """One page of a set."""

    set: str
    id: str
    data: bytes
    url: str | None
    site: str | None
    """The site as the set gives it; `sample_site` finds one for every page."""
    type: str | None
    gold: str | None
    """The gold text as published; None where the set has none."""

    @property
    def bare(self) -> bytes:
        """The bytes without CLEANEVAL's wrapper, as every tool is to see them."""
        match = _WRAPPER.match(self.data)
        return _WRAPPER_END.sub(b"", self.data[match.end() :]) if match else self.data

    @property
    def segments(self) -> list[Segment]:
        """The gold text as (label, text); one paragraph where it has no tags."""
        text = self.gold or ""
        if _TAGGED.search(text):
            return from_cleaneval(text)
        return [Segment("paragraph", text)] if text.strip() else []

    @property
    def structured(self) -> bool:
        """Whether the gold text says what is a header, list item or paragraph."""
        return _TAGGED.search(self.gold or "") is not None

    @property
    def gold_text(self) -> str:
        """The gold text without tags, entities resolved."""
        return "\n".join(segment.text for segment in self.segments)


def read_set(path: Path) -> Iterator[Sample]:
    """Read a set, in the order of its `pages.jsonl`.

    Raises:
        InputError: the set is missing, or a file that it names is.
    """
    files = _archive_files(path) if path.is_file() else _folder_files(path)
    name = path.resolve().name.removesuffix(".tar.xz")
    try:
        rows = [json.loads(line) for line in files["pages.jsonl"].decode("utf-8").splitlines() if line.strip()]
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
            )
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"set {path} is not one of pages with gold: {error!r}") from error


def _archive_files(path: Path) -> dict[str, bytes]:
    try:
        with tarfile.open(path) as archive:
            found = {m.name.removeprefix("./"): archive.extractfile(m) for m in archive.getmembers() if m.isfile()}
            return {name: stream.read() for name, stream in found.items() if stream is not None}
    except (OSError, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError) as error:
        raise InputError(f"set {path} cannot be read: {error}") from error


def _folder_files(path: Path) -> dict[str, bytes]:
    if not (path / "pages.jsonl").is_file():
        raise InputError(f"set {path} has no pages.jsonl")
    listed = [path / "pages.jsonl", *sorted(path.glob("html/*.html")), *sorted(path.glob("gold/*.txt"))]
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in listed}


def set_fingerprint(path: Path) -> str:
    """Return a hash of a set's contents, the same for a folder and its archive."""
    files = _archive_files(path) if path.is_file() else _folder_files(path)
    made = hashlib.sha256()
    for name in sorted(files):
        if name == "pages.jsonl" or name.startswith(("html/", "gold/")):
            made.update(f"{name} {hashlib.sha256(files[name]).hexdigest()}\n".encode())
    return made.hexdigest()[:16]


def sample_site(sample: Sample, page: Page) -> str:
    """Return the site a page is of: its domain by URL, set, canonical link or most of its links, else its own id."""
    entries = dict(reversed(page.meta.entries))
    own = (sample.url, sample.site, page.meta.canonical, entries.get("og:url"), page.meta.base)
    for candidate in own:
        domain = _domain(candidate or "")
        if domain:
            return domain
    links = Counter(filter(None, (_domain(page.attribute(node, "href") or "") for node in page.attributes)))
    return links.most_common(1)[0][0] if links else f"{sample.set}/{sample.id}"


def _domain(url: str) -> str:
    """Return the registered domain, by the usual second levels, of a URL or a bare host; "" where there is none."""
    try:
        host = urlsplit(url if "//" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""
    labels = host.lower().strip(".").split(".")
    if labels[-1].isdigit() or ":" in host:
        return host  # an address of the internet protocol is no domain
    if len(labels) < 2 or not re.fullmatch(r"[\w-]+", labels[-1]):
        return ""
    keep = 3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else 2
    return ".".join(labels[-keep:])
