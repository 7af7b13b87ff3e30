"""Tell running text from the other strings of data: addresses, names, code, styles, translations, consent texts."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dehusk.base.lazy import pattern

_HEAD = 1200  # characters by which a string is judged
_MIN_CHARS = 80
_MIN_WORDS = 12
_MIN_SPACELESS = 30
_TAGS = "p|br|div|h[1-6]|ul|ol|li|dl|dt|dd|table|tr|td|blockquote|article|section|figure|pre|a|b|i|em|strong|span|img"
_MARKUP = pattern(rf"<(?:{_TAGS})(?=[\s/>])[^<>]*>", re.IGNORECASE)
_ESCAPED_MARKUP = pattern(rf"&(?:amp;)*lt;/?(?:{_TAGS})(?=[\s/&>])", re.IGNORECASE)
_TAG = pattern(
    r"<(?:!--.*?(?:-->|\Z)|(script|style|svg)\b.*?(?:</\1\s*>|\Z)|/?[a-zA-Z][^<>]*>)", re.DOTALL | re.IGNORECASE
)
_SENTENCE = pattern(r"[^\W\d_][.!?…](?:[\"'”’»)\]]*)(?:\s|\Z)|[。！？।؟]")
_SPACELESS = pattern(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_NO_INK = bytes(sign for sign in range(128) if not chr(sign).isalpha())
_WIDE_INK = pattern(r"[^\W\d_\x00-\x7f]")
_CODE = pattern(r"[{}\\|]|=>|;\s*\S+\s*[:=]|\bfunction\b|\breturn\b|!important|\b0x[0-9a-f]")
_PLACEHOLDER = pattern(r"\{\{|\$\{|\{\w*\}|%[sd@]\b|%\(\w+\)|<%|\{%|\bv-(?:if|for|bind)=|\bng-\w+=")
_CONSENT = pattern(
    r"cookies?\b|consent|privacy|datenschutz|einwillig|confidentialit|privacidad|GDPR|tracking|personali[sz]|"
    r"third[- ]part|legitimate interest|opt[- ]out|javascript",
    re.IGNORECASE,
)
# A text without these has no match of the expressions; they are found in a fraction of the time.
_SIGNS_OF_PLACEHOLDERS = ("{", "%", "=")
_SIGNS_OF_CODE = ("{", "}", "\\", "|", "=>", ";", "function", "return", "!important", "0x")
_CONSENT_WORDS = (
    "cookie consent privacy datenschutz einwillig confidentialit privacidad gdpr tracking personali third legitimate "
    "opt javascript"
)
_SIGNS_OF_CONSENT = _CONSENT_WORDS.split()
_FOLDED = ("\u0130", "\u0131", "\u017f", "\u212a")  # letters that match i, s and k if case is ignored
_PER_CONSENT_WORD = 200  # characters of text for each word that a consent text would use


def has_markup(text: str) -> bool:
    """Return whether a string is HTML."""
    return "<" in text and _MARKUP.search(text) is not None


def unescape(text: str) -> str:
    """Return `html.unescape(text)`; the table of entities is read when there is one."""
    if "&" not in text:
        return text
    import html  # noqa: PLC0415 (as said)

    return html.unescape(text)


def unescaped(text: str) -> str:
    """Return a string whose HTML was escaped, even twice, as HTML; others as they are."""
    for _ in range(3 if "&" in text else 0):
        if not _ESCAPED_MARKUP.search(text[:_HEAD]) or has_markup(text[:_HEAD]):
            return text
        text = unescape(text)
    return text


def bare(markup: str) -> str:
    """Return the text of markup, roughly; good enough to judge and compare it."""
    return " ".join(unescape(_TAG.sub(" ", markup)).split()) if "<" in markup else markup


def may_be_prose(text: str) -> bool:
    """Return whether a string is long enough for running text; a cheap necessary condition, also of markup."""
    return len(text) >= _MIN_CHARS or (len(text) >= _MIN_SPACELESS and not text.isascii())


def may_become_prose(text: str) -> bool:
    """Return whether a string may be running text once it is unescaped; that makes no string longer."""
    size = len(text)
    return size >= _MIN_CHARS or (size >= _MIN_SPACELESS and ("&" in text or not text.isascii()))


def may_hold_prose(texts: Iterable[str], least: float) -> bool:
    """Return whether strings hold a number of characters in those that `may_be_prose`."""
    chars = 0
    for text in texts:
        size = len(text)
        if size >= _MIN_CHARS or (size >= _MIN_SPACELESS and not text.isascii()):
            chars += size
            if chars >= least:
                return True
    return chars >= least


def is_prose(text: str) -> bool:
    """Return whether a string without markup is running text that a reader is meant to see."""
    if not may_be_prose(text):
        return False
    head = text[:_HEAD]
    if (
        len(head) - len(head.encode("ascii", "ignore")) < _MIN_SPACELESS
        or len(_SPACELESS.findall(head)) < _MIN_SPACELESS
    ):
        words = head.split()
        if len(text) < _MIN_CHARS or len(words) < _MIN_WORDS or len(head) > 13 * len(words):
            return False
        if not _SENTENCE.search(head):
            return False
    ink = _count_letters(head) + head.count(" ")
    return ink > 0.75 * len(head) and not is_code(head) and not is_consent(head)


def _count_letters(text: str) -> int:
    plain = len(text.encode("ascii", "ignore").translate(None, _NO_INK))
    return plain if text.isascii() else plain + len(_WIDE_INK.findall(text))


def _has_any(text: str, signs: Iterable[str]) -> bool:
    return any(map(text.__contains__, signs))


def is_code(head: str) -> bool:
    """Return whether a string is code, a style sheet, or a message with places to fill."""
    if _has_any(head, _SIGNS_OF_PLACEHOLDERS) and _PLACEHOLDER.search(head) is not None:
        return True
    return _has_any(head, _SIGNS_OF_CODE) and len(_CODE.findall(head)) > 1 + len(head) // 300


def is_consent(head: str) -> bool:
    """Return whether a string asks for consent to cookies, or for JavaScript."""
    if not _has_any(head.lower(), _SIGNS_OF_CONSENT) and not _has_any(head, _FOLDED):
        return False
    found = _CONSENT.findall(head)
    return len(found) > 1 + len(head) // _PER_CONSENT_WORD or (bool(found) and len(head) < _PER_CONSENT_WORD)


def is_phrase(text: str) -> bool:
    """Return whether a short string may stand among running text, as a heading or a short paragraph does."""
    head = text[:_HEAD]
    return _count_letters(head) > len(head) // 2 and "://" not in text and not is_code(text) and not is_consent(text)
