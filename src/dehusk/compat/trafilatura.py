"""The functions of trafilatura 2, done by dehusk.

    from dehusk.compat.trafilatura import extract

    extract(downloaded, output_format="markdown", include_links=True, with_metadata=True)

As there, a page without text gives None. docs/compat.md says what each argument becomes, and where results differ.
"""

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from html import escape
from typing import Any
from xml.etree import ElementTree as ET

from dehusk.base.errors import ConfigError, DehuskError, unknown
from dehusk.base.lazy import pattern
from dehusk.cleaning import CleanOptions
from dehusk.cleaning import clean as clean_page
from dehusk.compat.inputs import refuse, source_of
from dehusk.counts.grouping import site_name
from dehusk.document import Document as CleanedDocument
from dehusk.label.rules import Rules
from dehusk.read import Limits
from dehusk.write.options import LinksChoice

__all__ = [
    "Document",
    "bare_extraction",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_url",
    "html2txt",
]

FORMATS = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")
_PRECISION, _RECALL = 0.2, 0.8  # by hand: as far from the middle on both sides, and not the narrowest or widest
_TEI = "{http://www.tei-c.org/ns/1.0}"
_LINK = pattern(r"</?ref\b[^<>]*>")
_HTML_LINK, _HTML_IMAGE = pattern(r"</?a\b[^<>]*>"), pattern(r"<img\b[^<>]*>")
_JSON_NAMES = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}
"""Field -> its name in trafilatura's JSON."""
_HEAD = ("title", "author", "url", "hostname", "description", "sitename", "date", "categories", "tags", "fingerprint")
_COLUMNS = ("url", "id", "fingerprint", "hostname", "title", "image", "date", "text", "comments", "license", "pagetype")
_UNSUPPORTED: Mapping[str, tuple[object, str]] = {
    "tei_validation": (False, "the TEI of dehusk is valid for any page"),
    "date_extraction_params": (None, "see Document.metadata of dehusk.clean"),
    "settingsfile": (None, "give limits to dehusk.clean"),
    "prune_xpath": (None, "rules drop elements by CSS selector: dehusk.clean(…, rules=…)"),
    "config": (None, "give limits to dehusk.clean"),
    "options": (None, "give the arguments themselves"),
}
"""Argument -> its default, and what to do instead."""


@dataclass
class ExtractedDocument:
    """What is extracted of a page, with the fields of trafilatura's document."""

    title: str | None = None
    author: str | None = None
    """Names, joined by "; "."""
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    """Empty: dehusk has only tags."""
    tags: list[str] | None = None
    fingerprint: str | None = None
    """Hash of the text: equal for equal texts only."""
    id: str | None = None
    license: str | None = None
    comments: str = ""
    """Empty: the comments are in the text, if they are kept at all."""
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return asdict(self)


Document = ExtractedDocument
"""Its name in trafilatura."""


def extract(  # noqa: PLR0913 (the arguments of another library)
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    *,
    output_format: str = "txt",
    with_metadata: bool = False,
    include_formatting: bool | None = None,
    include_images: bool = False,
    include_links: bool = False,
    **options: Any,
) -> str | None:
    """Return the text of a page in a format; None if it has none, or not what the arguments ask for.

    Args:
        filecontent: the page: bytes, str, an element of lxml, or a response.
        url: its address.
        record_id: an identifier, for metadata.
        output_format: one of `FORMATS` but "python".
        with_metadata: whether the metadata come too.
        include_formatting: whether plain text has the marks of Markdown.
        include_images: whether images are written; plain text is Markdown then.
        include_links: whether links keep their addresses; plain text is Markdown then.
        **options: fast, no_fallback, favor_precision, favor_recall, include_comments, include_tables, target_language,
            deduplicate, only_with_metadata, max_tree_size, url_blacklist, author_blacklist.

    A page that is None, as `fetch_url` returns it for an address that cannot be had, gives None.

    Raises:
        UnsupportedError: an argument that dehusk has no counterpart for.
        ConfigError, TypeError: an unknown format or argument, or a page of another type.
    """
    if output_format not in FORMATS or output_format == "python":
        raise ConfigError(unknown("output_format", output_format, [name for name in FORMATS if name != "python"]))
    if filecontent is None:
        return None
    found = _extracted(filecontent, url, record_id, **options)
    if found is None:
        return None
    cleaned, document = found
    links: LinksChoice = "keep" if include_links else "drop"
    form = "markdown" if output_format == "txt" and include_formatting else output_format
    document.text = _text(cleaned, form, links=links, images=include_images)
    return _written(cleaned, document, form, with_metadata=with_metadata, links=links, images=include_images)


def _written(
    cleaned: CleanedDocument,
    document: ExtractedDocument,
    form: str,
    *,
    with_metadata: bool,
    links: LinksChoice,
    images: bool,
) -> str:
    """Return what `extract` does in a format."""
    if form in ("txt", "markdown"):
        return f"{_header(document) if with_metadata else ''}{document.text}"
    if form == "json":
        return json.dumps(_json_fields(document, with_metadata=with_metadata), ensure_ascii=False)
    if form == "csv":
        return _row(document)
    if form == "html":
        return _html(cleaned.html, document if with_metadata else ExtractedDocument(), links=links, images=images)
    tei = cleaned.render("tei", images=images)
    if form == "xmltei":
        head, start, text = tei.partition("<text")
        return tei if links == "keep" else f"{head}{start}{_LINK.sub('', text)}"
    return _xml(tei, document if with_metadata else ExtractedDocument(), links=links)


def _json_fields(document: ExtractedDocument, *, with_metadata: bool) -> dict[str, Any]:
    if not with_metadata:
        return {"text": document.text, "comments": document.comments}
    fields = document.as_dict()
    lists = {name: ";".join(fields[name] or ()) for name in ("categories", "tags")}
    return {_JSON_NAMES.get(name, name): value for name, value in (fields | lists).items()}


def _html(page: str, document: ExtractedDocument, *, links: LinksChoice, images: bool) -> str:
    """Return cleaned HTML with the metadata in its head, and without links and images if they are not wanted."""
    if links == "drop":
        page = _HTML_LINK.sub("", page)
    if not images:
        page = _HTML_IMAGE.sub("", page)
    known = {name: value for name in _HEAD if (value := getattr(document, name))}
    texts = {name: ";".join(value) if isinstance(value, list) else value for name, value in known.items()}
    metas = "".join(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in texts.items())
    return page.replace("<title>", f"{metas}<title>", 1)


def bare_extraction(
    filecontent: Any, url: str | None = None, *, as_dict: bool = False, output_format: str = "python", **options: Any
) -> ExtractedDocument | dict[str, Any] | None:
    """Return a page's text and metadata as fields; arguments as in `extract`."""
    form = {"txt": "txt", "python": "txt", "markdown": "markdown"}.get(output_format)
    if form is None:
        raise ConfigError(unknown("output_format", output_format, ["python", "txt", "markdown"]))
    if filecontent is None:
        return None
    shown = {name: options.pop(name, False) for name in ("include_links", "include_images", "include_formatting")}
    options.pop("with_metadata", None)  # they are always there
    found = _extracted(filecontent, url, None, **options)
    if found is None:
        return None
    cleaned, document = found
    form = "markdown" if shown["include_formatting"] else form
    links: LinksChoice = "keep" if shown["include_links"] else "drop"
    document.text = _text(cleaned, form, links=links, images=shown["include_images"])
    return document.as_dict() if as_dict else document


def extract_with_metadata(filecontent: Any, url: str | None = None, **options: Any) -> ExtractedDocument | None:
    """Return a page's metadata, and its text with them; arguments as in `extract`, the format included."""
    text = extract(filecontent, url, **{**options, "with_metadata": True})
    names = ("output_format", "include_links", "include_images", "include_formatting", "record_id", "with_metadata")
    document = bare_extraction(filecontent, url, **{k: v for k, v in options.items() if k not in names})
    if text is None or not isinstance(document, ExtractedDocument):
        return None
    document.text, document.id = text, options.get("record_id")
    return document


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: Any = None,
    extensive: bool = True,  # noqa: ARG001 (as there; dehusk always looks everywhere)
    author_blacklist: set[str] | None = None,
) -> ExtractedDocument:
    """Return the metadata of a page."""
    refuse({"date_config": (date_config, None, _UNSUPPORTED["date_extraction_params"][1])})
    return _metadata(clean_page(source_of(filecontent), url=default_url), author_blacklist)


def html2txt(content: Any, clean: bool = True) -> str:  # noqa: ARG001 (scripts and styles are never text)
    """Return all text of a page."""
    return _text(clean_page(source_of(content), method="keep-all"), "txt", links="drop", images=False)


def fetch_url(url: str, **refused: Any) -> str | None:
    """Return the source of a page by its address, fetched by the rules of `dehusk crawl`; None if it cannot be had."""
    refuse({name: (value, None, "see CrawlPlan") for name, value in refused.items()})
    from dehusk.many.crawl import fetch  # noqa: PLC0415 (few programs fetch anything)
    from dehusk.read import decode  # noqa: PLC0415

    try:
        page = fetch(url)
    except DehuskError:
        return None
    return decode(page.data, page.headers).text


def _extracted(  # noqa: PLR0913 (the arguments of another library)
    filecontent: Any,
    url: str | None,
    record_id: str | None,
    *,
    fast: bool = False,  # noqa: ARG001 (there is one way, which is fast)
    no_fallback: bool = False,  # noqa: ARG001
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    include_tables: bool = True,
    target_language: str | None = None,
    deduplicate: Any = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    **others: Any,
) -> tuple[CleanedDocument, ExtractedDocument] | None:
    """Return a cleaned page and its metadata; None if it has no text, or not what is asked for."""
    if wrong := others.keys() - _UNSUPPORTED.keys():
        raise TypeError(f"extract() has no argument {min(wrong)}")
    refuse({name: (value, *_UNSUPPORTED[name]) for name, value in others.items()})
    if not isinstance(deduplicate, bool):
        refuse({"deduplicate": (deduplicate, False, "copies on a page are always dropped")})
    chosen: CleanOptions = (
        {"url": url, "style": "auto", "comments": "keep"} if include_comments else {"url": url, "style": "article"}
    )
    if favor_precision or favor_recall:
        chosen["favour"] = _PRECISION if favor_precision else _RECALL
    if not include_tables:
        chosen["rules"] = Rules.parse('["*"]\ndrop = ["table"]')
    if max_tree_size is not None:
        chosen["limits"] = Limits(nodes=max_tree_size)
    cleaned = clean_page(source_of(filecontent), **chosen)
    if not cleaned.text.strip():
        return None
    document = _metadata(cleaned, author_blacklist)
    document.id = record_id
    lacks = only_with_metadata and not (document.title and document.date and document.url)
    if lacks or (url_blacklist and document.url in url_blacklist):
        return None
    if target_language and document.language and document.language != target_language:
        return None
    return cleaned, document


def _metadata(cleaned: CleanedDocument, author_blacklist: set[str] | None = None) -> ExtractedDocument:
    known, text = cleaned.metadata, cleaned.text.strip()
    unwanted = {name.lower() for name in author_blacklist or ()}
    authors = [name for name in known.authors if name.lower() not in unwanted]
    language = known.text_language.code if known.text_language else (known.language or "").partition("-")[0] or None
    return ExtractedDocument(
        title=known.title,
        author="; ".join(authors) or None,
        url=known.url,
        hostname=site_name(known.url, "domain") or None if known.url else None,
        description=known.description,
        sitename=known.site_name,
        date=known.date,
        categories=[],
        tags=list(known.tags),
        fingerprint=hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] if text else None,
        license=known.license,
        raw_text=text or None,
        language=language,
        image=known.image,
        pagetype=None,
    )


def _text(cleaned: CleanedDocument, form: str, *, links: LinksChoice, images: bool) -> str:
    if form != "markdown" and not (form == "txt" and (links == "keep" or images)):
        return cleaned.text.strip()
    return cleaned.render("markdown", title="never", links=links, images=images).strip()


def _header(document: ExtractedDocument) -> str:
    """Return the metadata as front matter, with the keys that trafilatura writes."""
    import yaml  # noqa: PLC0415 (few calls want metadata)

    known = {name: value for name in _HEAD if (value := getattr(document, name))}
    dumped = yaml.safe_dump(known, default_flow_style=False, allow_unicode=True, sort_keys=False, width=10_000)
    return f"---\n{dumped}---\n"


def _row(document: ExtractedDocument) -> str:
    """Return the document as a line of values between tabs."""
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_MINIMAL).writerow(
        [getattr(document, name) or "null" for name in _COLUMNS]
    )
    return stream.getvalue()


def _xml(tei: str, document: ExtractedDocument, *, links: LinksChoice) -> str:
    """Return the body of a TEI document as `main` in `doc`, whose attributes are the metadata."""
    body = ET.fromstring(tei if links == "keep" else _LINK.sub("", tei)).find(f".//{_TEI}body")  # noqa: S314 (dehusk wrote it)
    fields = document.as_dict()
    texts = {name: "; ".join(fields[name]) if isinstance(fields[name], list) else fields[name] for name in _HEAD}
    root = ET.Element("doc", {name: text for name, text in texts.items() if text})
    main = ET.SubElement(root, "main")
    for child in body if body is not None else ():
        main.extend(_flat(child, 1))
    for element in root.iter():
        element.tag = element.tag.removeprefix(_TEI)
    main.text = main.tail = root.text = "\n"
    for child in main:
        child.tail = "\n"  # between what stands alone, where white space is no text
    return ET.tostring(root, encoding="unicode")


def _flat(element: ET.Element, level: int) -> Iterator[ET.Element]:
    """Yield what is in divisions, which trafilatura's XML does not have; headings say their level."""
    if element.tag == f"{_TEI}head":
        element.set("rend", f"h{min(level, 6)}")
    if element.tag != f"{_TEI}div":
        yield element
        return
    for child in element:
        yield from _flat(child, level + (child.tag == f"{_TEI}div"))
