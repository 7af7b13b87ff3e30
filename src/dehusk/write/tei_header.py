"""The TEI header of a page: what it is, where it is from, and how its text was taken from it.

What the page does not declare but dehusk found in its address or text (`Metadata.guessed`) has `cert="medium"`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from urllib.parse import urlsplit

from dehusk.base.lazy import pattern
from dehusk.base.version import __version__
from dehusk.write.interface import CleanedPage
from dehusk.write.tei_text import target_attribute, xml_attribute, xml_text

_LANGUAGE = pattern(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,9}")
_VERSION = pattern(r"\d+[a-z]*\d*(?:\.\d+[a-z]*\d*){0,3}")
_SAMPLING = "The main content of the page, without navigation, advertisements and the like."


def header(cleaned: CleanedPage) -> str:
    """Return the `teiHeader` of a page."""
    return _element("teiHeader", [_file(cleaned), _encoding(cleaned), _profile(cleaned)])


def language_of(cleaned: CleanedPage) -> str:
    """Return the language of the text, else the one that the page declares, as BCP 47; "" if neither is known."""
    detected, declared = cleaned.metadata.text_language, cleaned.metadata.language
    code = detected.code if detected else (declared or "").strip().replace("_", "-")
    return code if _LANGUAGE.fullmatch(code) else ""


def _file(cleaned: CleanedPage) -> str:
    metadata = cleaned.metadata
    title = _element("title", [xml_text(metadata.title or cleaned.title)], _certainty(cleaned, "title"))
    authors = [_element("author", [xml_text(name)], _certainty(cleaned, "authors")) for name in metadata.authors]
    titles = _element("titleStmt", [title, *authors])
    publisher = _publisher(cleaned)
    licence = _licence(metadata.license)
    rights = [_element("availability", [licence])] if licence else []
    # a publication without publisher is described in prose
    published = [publisher, *rights] if publisher else [_element("p", [xml_text(metadata.license or "")])]
    source = _element("bibl", [title, *authors, publisher, *_dates(cleaned), *_addresses(cleaned)])
    parts = [titles, _element("publicationStmt", published), _element("sourceDesc", [source])]
    return _element("fileDesc", parts)


def _publisher(cleaned: CleanedPage) -> str:
    """Return the name of the site, else the host."""
    name, certainty = cleaned.metadata.site_name, _certainty(cleaned, "site_name")
    if not name:
        try:
            name, certainty = urlsplit(cleaned.page.url or "").hostname, ' cert="medium"'
        except ValueError:
            return ""
    return _element("publisher", [xml_text(name)], certainty) if name else ""


def _licence(license_: str | None) -> str:
    if not license_:
        return ""
    target = target_attribute("target", license_) if license_.startswith(("http://", "https://")) else ""
    return _element("licence", [xml_text(license_)], target)


def _dates(cleaned: CleanedPage) -> list[str]:
    metadata, found = cleaned.metadata, []
    for kind, name, value in (("published", "date", metadata.date), ("modified", "modified", metadata.modified)):
        if value and _is_date(value):
            attributes = f' type="{kind}" when="{value}"{_certainty(cleaned, name)}'
            found.append(_element("date", [value], attributes))
    return found


def _is_date(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _addresses(cleaned: CleanedPage) -> list[str]:
    url, canonical = cleaned.page.url, cleaned.metadata.canonical
    own = [_element("idno", [xml_text(url)], ' type="URI"')] if url else []
    if canonical and canonical != url:
        own.append(_element("idno", [xml_text(canonical)], ' type="URI" subtype="canonical"'))
    return own


def _encoding(cleaned: CleanedPage) -> str:
    version = _VERSION.match(__version__)
    label = _element("label", [f"dehusk {xml_text(__version__)}"])
    model = f"model {cleaned.model}, " if cleaned.model else ""
    described = _element("desc", [xml_text(f"{model}confidence {cleaned.confidence:.4f}")])
    attributes = f' ident="dehusk" version="{version[0] if version else 0}"'
    application = _element("application", [label, described], attributes)
    status = f"{cleaned.status}: {cleaned.message}" if cleaned.message else str(cleaned.status)
    lines = [_SAMPLING, f"Status: {status}", *cleaned.notes]
    sampling = _element("samplingDecl", [_element("p", [xml_text(line)]) for line in lines])
    return _element("encodingDesc", [sampling, _element("appInfo", [application])])


def _profile(cleaned: CleanedPage) -> str:
    metadata, language, parts = cleaned.metadata, language_of(cleaned), []
    if metadata.description:
        parts.append(_element("abstract", [_element("p", [xml_text(metadata.description)])]))
    if language:
        parts.append(_element("langUsage", [_element("language", [], xml_attribute("ident", language))]))
    if metadata.tags:
        terms = [_element("term", [xml_text(tag)]) for tag in metadata.tags]
        parts.append(_element("textClass", [_element("keywords", terms)]))
    return _element("profileDesc", parts) if parts else ""


def _certainty(cleaned: CleanedPage, name: str) -> str:
    return ' cert="medium"' if name in cleaned.metadata.guessed else ""


def _element(name: str, parts: Iterable[str], attributes: str = "") -> str:
    """Return an element of parts that are XML; elements in it stand on lines of their own."""
    inside = [part for part in parts if part]
    if any(part.startswith("<") for part in inside):
        return f"<{name}{attributes}>\n" + "\n".join(inside) + f"\n</{name}>"
    return f"<{name}{attributes}>{''.join(inside)}</{name}>" if inside else f"<{name}{attributes}/>"
