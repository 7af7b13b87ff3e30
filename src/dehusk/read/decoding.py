"""Bytes to text, in the order of the WHATWG encoding standard, with the evidence kept.

Order: byte order mark, the transport's header, the page's own meta, a detector. Two departures, both because pages
lie about themselves more often than their bytes do: bytes that are valid UTF-8 with multi-byte characters are UTF-8
whatever another label says (damaged UTF-8 counts while valid sequences prevail), and a label that leaves undecodable
bytes gives way to the detector where that leaves fewer. UTF-16 without a mark is recognised by its zero bytes.
Decoders and detector are turbohtml's.
"""

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import turbohtml
from turbohtml.detect import Detection, detect

from dehusk.page import Encoding

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_META = re.compile(rb"<meta[^>]{0,512}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_WRAPPER = re.compile(rb"\A\s*<text\s[^>]{0,4096}?\bencoding\s*=\s*\"([\w.:-]+)\"", re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml[^>]{0,512}?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_MULTI_BYTE = frozenset({"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"})
_LEAST_VALID = 4  # multi-byte characters: fewer may be valid UTF-8 by chance in another multi-byte encoding
_PRESCAN = 4096
_DETECTOR_BYTES = 200_000
_MAGIC = (
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"GIF8", "a GIF image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"\x1f\x8b", "gzip data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ", "xz data"),
    (b"\x7fELF", "a program"),
    (b"OggS", "an Ogg file"),
    (b"RIFF", "a RIFF file"),
    (b"ID3", "an MP3 file"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)


@dataclass(frozen=True)
class Decoded:
    """Text of a page and how it was found."""

    text: str
    encoding: Encoding
    foreign: str = ""
    """What the bytes are instead of a page ("a PNG image"); empty for a page."""


def decode(data: bytes, headers: Mapping[str, str] | None = None) -> Decoded:
    """Turn a page's bytes into text.

    Args:
        data: the bytes as they came.
        headers: the transport's headers; of them `Content-Type` is read, in any case.

    Returns:
        The text (line ends as they are, no byte order mark) with its encoding; `foreign` says what the bytes are
        where they are no page, and the text is then empty.
    """
    foreign = _foreign(data, headers)
    if foreign:
        return Decoded("", Encoding("", "default"), foreign)
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    label, evidence = _declared(data, headers)
    if label.startswith("utf-16"):
        return _read(data, label, evidence)
    wide = _zero_pattern(data)
    if wide:
        return _read(data, wide, "detector")
    if b"\0" in data and data.count(b"\0") > len(data) // 50:
        return Decoded("", Encoding("", "default"), "binary data")
    return _by_label(data, label, evidence)


def _by_label(data: bytes, label: str, evidence: str) -> Decoded:
    utf8 = _plausible_utf8(data)
    if label and label != "utf-8":
        if utf8 is not None and not data.isascii() and (label not in _MULTI_BYTE or _valid(utf8[0]) >= _LEAST_VALID):
            return _utf8(*utf8, "utf-8")
        found = _read(data, label, evidence)
        return _better(data, found) if found.encoding.errors else found
    if utf8 is not None:
        return _utf8(*utf8, evidence or ("default" if data.isascii() else "utf-8"))
    return _better(data, _read(data, "utf-8", evidence)) if label else _detected(data)


def _plausible_utf8(data: bytes) -> tuple[str, int] | None:
    """Return text and errors where the bytes are UTF-8, or damaged UTF-8: others hardly ever form its sequences."""
    try:
        return data.decode("utf-8"), data.count(b"\xef\xbf\xbd")  # bytes are searched faster than wide text
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
    errors = text.count("\ufffd")
    return (text, errors) if _valid(text) > 2 * errors else None


def _valid(text: str) -> int:
    """Return how many characters of a text that was read as UTF-8 took more than one byte."""
    return len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")


def _utf8(text: str, errors: int, evidence: str) -> Decoded:
    return Decoded(text, Encoding("utf-8", evidence, errors))


def _better(data: bytes, found: Decoded) -> Decoded:
    """Return the detector's reading where it leaves less than half of the undecodable characters, else `found`.

    A label with a few bad bytes is a damaged page, not a wrong label: one cut character does not ask the detector.
    """
    if found.encoding.errors <= 2 + len(found.text) // 2000:
        return found
    other = _detected(data)
    return other if other.encoding.errors * 2 < found.encoding.errors else found


def _detected(data: bytes) -> Decoded:
    body = _META.sub(b"", data[:_DETECTOR_BYTES])
    name = detect(body, Detection(excluded=frozenset({"utf-8"}))).encoding or "windows-1252"
    return _read(data, name.lower(), "detector")


def _declared(data: bytes, headers: Mapping[str, str] | None) -> tuple[str, str]:
    """Return the first label that names a known encoding and where it stood; ("", "") where there is none."""
    found: list[tuple[str, str]] = []
    content_type = _content_type(headers)
    if match := _CHARSET.search(content_type):
        found.append((match.group(1), "header"))
    head = data[:_PRESCAN]
    declared = (_WRAPPER.match(head), _XML.match(head), _META.search(_COMMENT.sub(b"", head)))
    for inside, evidence in zip(declared, ("wrapper", "meta", "meta"), strict=True):
        if inside:
            found.append((inside.group(1).decode("ascii", "replace"), evidence))
    for label, evidence in found:
        name = _name(label.lower())
        if evidence != "header":  # the standard: a meta that reads as ASCII is not in UTF-16
            name = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(name, name)
        if name:
            return name, evidence
    return "", ""


@lru_cache(maxsize=256)
def _name(label: str) -> str:
    """Return the name of the encoding that a label stands for, "" where it stands for none that can be read."""
    try:
        name = (turbohtml.parse(b"", encoding=label).encoding or "").lower()
    except (LookupError, ValueError):
        return ""
    return "" if name == "replacement" else name


def _read(data: bytes, label: str, evidence: str) -> Decoded:
    text = data.decode(f"whatwg-{label}").removeprefix("\ufeff")
    return Decoded(text, Encoding(label, evidence, text.count("\ufffd")))


def _zero_pattern(data: bytes) -> str:
    """Return "utf-16le" or "utf-16be" where nearly every second byte of the beginning is zero, else ""."""
    head = data[: 2048 - len(data) % 2]
    half = len(head) // 2
    if half < 8:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > 0.7 * half and even < 0.1 * half:
        return "utf-16le"
    return "utf-16be" if even > 0.7 * half and odd < 0.1 * half else ""


def _content_type(headers: Mapping[str, str] | None) -> str:
    for name, value in (headers or {}).items():
        if name.lower() == "content-type":
            return value
    return ""


def _foreign(data: bytes, headers: Mapping[str, str] | None) -> str:
    for magic, what in _MAGIC:
        if data.startswith(magic):
            return what
    kind = _content_type(headers).split(";")[0].strip().lower()
    if kind.startswith(("image/", "audio/", "video/", "font/")) or kind in ("application/pdf", "application/json"):
        return f"declared as {kind}"
    return ""
