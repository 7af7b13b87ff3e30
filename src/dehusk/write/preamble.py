"""YAML front matter: what is known about a page, for a text file that starts with it."""

from functools import cache
from typing import TYPE_CHECKING

from dehusk.base.lazy import pattern
from dehusk.base.version import __version__
from dehusk.write.interface import CleanedPage

if TYPE_CHECKING:
    import yaml

_UNPRINTABLE = pattern("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML does not allow or does not keep, and lone surrogates."""
_MARKUP = pattern(r"<|\](?=\()")
"""What would be a tag or a link for readers of Markdown that do not know front matter."""


def front_matter(cleaned: CleanedPage) -> str:
    """Return what is known about a page as a block of YAML between lines of three hyphens.

    Returns:
        The keys, in this order: title, authors, date, modified, site_name, description, language (that of the kept
        text, else as declared), language_probability (if the language was detected), license, tags, image, url (given,
        else declared by the page), status, message, confidence, guessed (names of the keys whose values the page
        does not declare), dehusk (version), model (name and hash). Values that are not known are left out.
    """
    import yaml  # noqa: PLC0415 (only front matter needs it)

    metadata = cleaned.metadata
    detected = metadata.text_language
    record: dict[str, object] = {
        "title": metadata.title,
        "authors": list(metadata.authors),
        "date": metadata.date,
        "modified": metadata.modified,
        "site_name": metadata.site_name,
        "description": metadata.description,
        "language": detected.code if detected else metadata.language,
        "language_probability": detected and detected.probability,
        "license": metadata.license,
        "tags": list(metadata.tags),
        "image": metadata.image,
        "url": metadata.url,
        "status": str(cleaned.status),
        "message": cleaned.message,
        "confidence": round(cleaned.confidence, 4),
        "guessed": list(metadata.guessed),
        "dehusk": __version__,
        "model": cleaned.model,
    }
    known = {key: _printable(value) for key, value in record.items() if value not in (None, "", [])}
    dumped = yaml.dump(known, Dumper=_dumper(), allow_unicode=True, sort_keys=False, width=10_000)
    # it is only in double quotes, where it can be written as its number
    dumped = _MARKUP.sub(lambda match: f"\\x{ord(match[0]):02X}", dumped)
    return f"---\n{dumped}---\n"


@cache
def _dumper() -> "type[yaml.SafeDumper]":
    """Return a class that dumps YAML, with texts that contain markup in double quotes."""
    import yaml  # noqa: PLC0415 (only front matter needs it)

    class _QuotingDumper(yaml.SafeDumper):  # type: ignore[misc] # PyYAML has no types
        pass

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        style = '"' if _MARKUP.search(value) else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    _QuotingDumper.add_representer(str, text)
    return _QuotingDumper


def _printable(value: object) -> object:
    """Return a value with U+FFFD for each character that YAML does not allow."""
    if isinstance(value, list):
        return [_printable(item) for item in value]
    return _UNPRINTABLE.sub("\ufffd", value) if isinstance(value, str) else value


def with_front_matter(cleaned: CleanedPage, text: str) -> str:
    """Return a text after the front matter of its page."""
    return "\n".join(filter(None, (front_matter(cleaned), text)))
