"""Decode a page's bytes, in the order of the WHATWG encoding standard, and record the evidence.

The order is: byte order mark, HTTP header, the page's meta element, a detector. Two departures from the standard,
because a page's label is wrong more often than its bytes are misleading:

- Bytes that are valid UTF-8 with multi-byte characters are UTF-8, whatever another label says. Damaged UTF-8 counts as
  long as valid sequences prevail.
- If the label leaves undecodable bytes and the detector's encoding leaves far fewer, the detector wins.

A page in which all characters beyond ASCII are the bytes of UTF-8, such as "Ã©", was encoded twice, and is decoded
twice, with a note. Browsers show such pages as they are.

UTF-16 without a byte order mark is recognised by its zero bytes, ISO-2022-JP without a label by its escape sequences.
A page whose only bytes beyond ASCII would be signs in windows-1252 is windows-1252: the detector takes a few © and £
for letters of other languages. Decoders and detector are turbohtml's.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import turbohtml

from dehusk.base.errors import require_type
from dehusk.base.lazy import pattern
from dehusk.compiled.text import decoded_again as _decoded_again
from dehusk.compiled.text import strict_utf8 as _strict_utf8
from dehusk.read.page import Encoding

BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))
_CHARSET = pattern(r"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_META = pattern(rb"<meta[^>]{0,512}?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_WRAPPER = pattern(rb"\A\s*<text\s[^>]{0,4096}?\bencoding\s*+=\s*+\"([\w.:-]+)\"", re.IGNORECASE)
_XML = pattern(rb"\A\s*<\?xml[^>]{0,512}?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_COMMENT = pattern(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_ISO_2022_JP = pattern(rb"\x1b\$[@B][!-~]")
_MAY_BE_LETTERS = pattern(rb"[a-zA-Z][\xa1-\xff]|[\x81\x83\x8a\x8c-\x90\x9a\x9c-\x9f\xc0-\xff]")
"""Bytes that are letters of a script, or part of one; all others are signs in windows-1252, such as £, © and »."""
_MULTI_BYTE = frozenset({"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr"})
_MIN_VALID = 4  # multi-byte characters; fewer can be valid UTF-8 by chance in another multi-byte encoding
_PRESCAN = 4096
_DETECTOR_BYTES = 200_000
_SIGNATURES = (
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


_CONTROL, _START = re.compile(b"[\0-\x08]"), 64
"""What is among the first bytes of these, and not in a text that starts with the letters of a signature."""


@dataclass(frozen=True)
class Decoded:
    """The text of a page and its encoding."""

    text: str
    encoding: Encoding
    foreign: str = ""
    """What the bytes are instead of a page, such as "a PNG image"; empty for a page."""
    note: str = ""
    """What was changed, if anything was."""


def decode(data: bytes, headers: Mapping[str, str] | None = None) -> Decoded:
    """Decode a page's bytes.

    Args:
        data: the bytes as received.
        headers: the HTTP headers; only `Content-Type` is used; case does not matter.

    Returns:
        The text, with its line ends and without a byte order mark, and its encoding. If the bytes are not a page, the
        text is empty and `foreign` says what they are.

    Raises:
        TypeError: `data` is not bytes.
    """
    require_type(data, bytes, "decode() takes bytes")
    foreign = _foreign(data, headers)
    if foreign:
        return Decoded("", Encoding("", "default"), foreign)
    for mark, name in BOMS:
        if data.startswith(mark):
            return _read(data[len(mark) :], name, "bom")
    label, evidence = _declared(data, headers)
    if label.startswith("utf-16"):
        if b"\0" in data:
            return _read(data, label, evidence)
        label, evidence = "", ""  # markup in UTF-16 has zero bytes
    wide = _zero_pattern(data)
    if wide:
        return _read(data, wide, "detector")
    if b"\0" in data and data.count(b"\0") > len(data) // 50:
        return Decoded("", Encoding("", "default"), "binary data")
    return _by_label(data, label, evidence)


def _by_label(data: bytes, label: str, evidence: str) -> Decoded:
    utf8 = _plausible_utf8(data)
    if label and label != "utf-8":
        if (
            utf8 is not None
            and not data.isascii()
            and (label not in _MULTI_BYTE or _count_multi_byte(utf8[0]) >= _MIN_VALID)
        ):
            return _utf8(*utf8, "utf-8")
        decoded = _read(data, label, evidence)
        return _better(data, decoded) if decoded.encoding.errors else decoded
    if not label and b"\x1b" in data and _ISO_2022_JP.search(data) and data.isascii():
        return _read(data, "iso-2022-jp", "detector")
    if utf8 is not None:
        return _utf8(*utf8, evidence or ("default" if data.isascii() else "utf-8"))
    return _better(data, _read(data, "utf-8", evidence)) if label else _detected(data)


def _plausible_utf8(data: bytes) -> tuple[str, int] | None:
    """Return text and number of errors if the bytes are UTF-8 or damaged UTF-8, else None.

    Text in another encoding hardly ever contains valid multi-byte sequences of UTF-8.
    """
    if (valid := _strict_utf8(data)) is not None:
        return valid
    text = data.decode("utf-8", "replace")
    errors = text.count("\ufffd")
    return (text, errors) if _count_multi_byte(text) > 2 * errors else None


def _count_multi_byte(text: str) -> int:
    """Return the number of correctly decoded characters that take more than one byte in UTF-8."""
    return len(text) - len(text.encode("ascii", "ignore")) - text.count("\ufffd")


def _utf8(text: str, errors: int, evidence: str) -> Decoded:
    """Return text that is UTF-8, decoded again if all of it is UTF-8 that was taken for latin-1 and encoded again."""
    again = _decoded_again(text)
    note = "" if again is None else "decoded twice: it is UTF-8 that was encoded as UTF-8 once more"
    return Decoded(text if again is None else again, Encoding("utf-8", evidence, errors), note=note)


def _better(data: bytes, decoded: Decoded) -> Decoded:
    """Return the text in the detected encoding if it has less than half as many errors, else `decoded`.

    A few errors are a sign of a damaged page, not of a wrong label, so they are accepted.
    """
    if decoded.encoding.errors <= 2 + len(decoded.text) // 2000:
        return decoded
    detected = _detected(data)
    return detected if detected.encoding.errors * 2 < decoded.encoding.errors else decoded


def _detected(data: bytes) -> Decoded:
    body = _META.sub(b"", data[:_DETECTOR_BYTES])
    if not _MAY_BE_LETTERS.search(body):
        return _read(data, "windows-1252", "detector")
    from turbohtml.detect import Detection, detect  # noqa: PLC0415 (most pages declare their encoding)

    name = detect(body, Detection(excluded=frozenset({"utf-8"}))).encoding or "windows-1252"
    return _read(data, name.lower(), "detector")


def _declared(data: bytes, headers: Mapping[str, str] | None) -> tuple[str, str]:
    """Return the first declared encoding that is known, and where it is declared; ("", "") if there is none."""
    labels: list[tuple[str, str]] = []
    content_type = _content_type(headers)
    if content_type and (match := _CHARSET.search(content_type)):
        labels.append((match.group(1), "header"))
    labels.extend(_declared_in(data[:_PRESCAN]))
    for label, evidence in labels:
        name = _encoding_name(label.lower())
        if evidence != "header":  # per the standard: if the meta element is readable as ASCII, the page is not UTF-16
            name = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}.get(name, name)
        if name:
            return name, evidence
    return "", ""


def _declared_in(head: bytes) -> Iterator[tuple[str, str]]:
    """Yield the labels that the start of a page declares, and where; no pattern runs that cannot match."""
    start = head.lstrip()[:5].lower()
    if start == b"<text" and (match := _WRAPPER.match(head)):
        yield match.group(1).decode("ascii", "replace"), "wrapper"
    if start == b"<?xml" and (match := _XML.match(head)):
        yield match.group(1).decode("ascii", "replace"), "meta"
    markup = _COMMENT.sub(b"", head) if b"<!--" in head else head
    if b"charset" in markup.lower() and (match := _META.search(markup)):
        yield match.group(1).decode("ascii", "replace"), "meta"


@lru_cache(maxsize=256)
def _encoding_name(label: str) -> str:
    """Return the WHATWG name of the encoding for a label, "" if the label is unknown or cannot be decoded."""
    try:
        name = (turbohtml.parse(b"", encoding=label).encoding or "").lower()
    except (LookupError, ValueError):
        return ""
    return "" if name == "replacement" else name


def _read(data: bytes, label: str, evidence: str) -> Decoded:
    import turbohtml.detect  # noqa: PLC0415, F401 (it registers the codecs; most pages are plain UTF-8)

    text = data.decode(f"whatwg-{label}").removeprefix("\ufeff")
    return Decoded(text, Encoding(label, evidence, text.count("\ufffd")))


def _zero_pattern(data: bytes) -> str:
    """Return "utf-16le" or "utf-16be" if nearly every second byte at the start of the data is zero, else ""."""
    head = data[: 2048 - len(data) % 2]
    half = len(head) // 2
    if half < 8 or b"\0" not in head:
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
    """Return what the bytes are according to their signature or media type, "" for a page."""
    for signature, description in () if data[:1] == b"<" else _SIGNATURES:
        if data.startswith(signature) and (not signature.isalnum() or _CONTROL.search(data[:_START])):
            return description
    if not headers:
        return ""
    media_type = _content_type(headers).split(";")[0].strip().lower()
    is_media = media_type.startswith(("image/", "audio/", "video/", "font/"))
    if is_media or media_type in ("application/pdf", "application/json"):
        return f"declared as {media_type}"
    return ""
