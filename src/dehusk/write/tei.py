"""TEI P5, the XML of the Text Encoding Initiative, written from tokens; docs/tei.md has the table of elements.

The document is valid TEI for any page. Headings outside of other elements open nested divisions; `div` may not stand in
lists, quotes and figures, so headings there are `ab`. Lines end between elements only, never inside a line of text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit

from dehusk.base.lazy import pattern
from dehusk.base.version import __version__
from dehusk.write.attribution import Attribution, attribute, shows_posts
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.options import DEFAULTS, IN_LINES, WriteOptions
from dehusk.write.references import References
from dehusk.write.safety import MAX_SPAN
from dehusk.write.tei_text import LineWriter, NoteLinks, target_attribute, xml_attribute, xml_text
from dehusk.write.token_reader import read_tokens
from dehusk.write.tokens import Edge, Run, RunKind, TableCell, TableRow, Token, TokenKind

# ---------------------------------------------------------------- tei header
# The TEI header of a page: what it is, where it is from, and how its text was taken from it.
#
# What the page does not declare but dehusk found in its address or text (`Metadata.guessed`) has `cert="medium"`.

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


# ---------------------------------------------------------------- tei

_ROLE = ' role="label"'
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NOTE_TAG, _NOTE_ID = pattern("<(?:note|ref) [^>]*>"), pattern(' (?:xml:id="|target="#)(?:note|ref)-')
_NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
_ELEMENTS = {
    TokenKind.QUOTE: "quote",
    TokenKind.ITEM: "item",
    TokenKind.FIGURE: "figure",
    TokenKind.NOTE: "note",
}
_STARTS_INSIDE = frozenset((TokenKind.ITEM, TokenKind.DESCRIPTION, TokenKind.HEADING))
"""Posts that start with one of these say in it, or below it, who wrote them."""


def to_tei(cleaned: CleanedPage, options: WriteOptions = DEFAULTS) -> str:
    """Return the page as a TEI document: a header, and the kept blocks as its text."""
    labels, tokens, style = cleaned.labels, read_tokens(cleaned.labels), options.posts or "auto"
    posts = attribute(labels, tokens, style) if shows_posts(labels, style) else Attribution()
    body = _BodyWriter(References(cleaned.page, options), tokens, posts).write()
    language = xml_attribute("xml:lang", language_of(cleaned))
    return (
        f"{_DECLARATION}<TEI{_NAMESPACE}>\n"
        f"{header(cleaned)}\n<text{language}>\n<body>\n{body}</body>\n</text>\n</TEI>\n"
    )


# ---------------------------------------------------------------- corpus


def corpus_start(title: str) -> str:
    """Return what a `teiCorpus` starts with: its header, of which the title says what the pages are from."""
    about = _element("p", [f"Web pages, cleaned by dehusk {xml_text(__version__)}."])
    head = _element("teiHeader", [_described(xml_text(title), about)])
    return f"{_DECLARATION}<teiCorpus{_NAMESPACE}>\n{head}\n"


def corpus_member(document: str | None, *, number: int, title: str, said: str) -> str:
    """Return a page as a part of a `teiCorpus`, whose ids must differ.

    Args:
        document: the page as `to_tei` writes it; None if there is none.
        number: of the page in the corpus; its ids get it.
        title: what a page without a document is called.
        said: why there is none.
    """
    if document is not None:
        renumbered = _NOTE_TAG.sub(lambda tag: _NOTE_ID.sub(rf"\g<0>{number}-", tag[0]), document)
        return renumbered.removeprefix(_DECLARATION)
    reason = _element("p", [xml_text(said)])
    head = _element("teiHeader", [_described(xml_text(title), reason)])
    return f"<TEI{_NAMESPACE}>\n{head}\n<text>\n<body>\n<p/>\n</body>\n</text>\n</TEI>\n"


CORPUS_END = "</teiCorpus>\n"


def _described(title: str, source: str) -> str:
    """Return the description of a file that is published nowhere."""
    titles = _element("titleStmt", [_element("title", [title])])
    return _element("fileDesc", [titles, _element("publicationStmt", ["<p/>"]), _element("sourceDesc", [source])])


@dataclass
class _OpenElement:
    """A container whose end is still to be written."""

    kind: TokenKind
    start: str = ""
    """The start tag of a list, until its first item is written."""
    end: str = ""
    """Its end tags; those of the open definition in a list of definitions."""
    is_line: bool = False
    """Whether its first paragraph is written without `p`."""


class _BodyWriter:
    """Writes tokens one after the other."""

    def __init__(self, references: References, tokens: list[Token], posts: Attribution) -> None:
        self.tokens, self.posts, self.out = tokens, posts, [""]
        references.look_up({run.link for run in _runs(tokens) if run.link >= 0})
        self.lines = LineWriter(references, _note_links(tokens))
        self.frames: list[_OpenElement] = []
        self.levels: list[int] = []
        self.is_empty = True
        self.captions: list[str] = []

    def write(self) -> str:
        """Return the content of the body."""
        for index, token in enumerate(self.tokens):
            if self.captions and token.kind is not TokenKind.TABLE and token.kind is not TokenKind.CAPTION:
                self._write_captions()
            starts_inside = token.kind in _STARTS_INSIDE and not (token.kind is TokenKind.HEADING and self.frames)
            if not starts_inside:
                self._signature(index)
            if token.edge is Edge.OPEN:
                self._open(index, token)
            elif token.edge is Edge.CLOSE:
                self._close()
            elif index not in self.posts.lines:
                self._leaf(token)
            if starts_inside:
                self._signature(index)
        self._write_captions()
        self.out.append("</div>\n" * len(self.levels))
        return "".join(self.out) + ("<p/>\n" if self.is_empty else "")

    def _signature(self, index: int) -> None:
        """Write who wrote the post that starts here, and when."""
        if index in self.posts.openings:
            author, date = map(xml_text, self.posts.openings[index])
            level = self.posts.levels[index]
            depth = f' subtype="reply-{level}"' if level else ""
            said = filter(None, (author and f"<name>{author}</name>", date and f"<date>{date}</date>"))
            self._put(f'<ab type="post"{depth}>{", ".join(said)}</ab>')

    def _put(self, element: str, *, is_global: bool = False) -> None:
        """Write an element; a body needs one that is not global, as figures and notes are."""
        self._enter_definition()
        self._end_line()
        self.out.append(f"{element}\n")
        self._fill(is_global=is_global)

    def _fill(self, *, is_global: bool) -> None:
        """Note that an element stands in the body, unless it is in another one."""
        if not self.frames and not is_global:
            self.is_empty = False

    def _end_line(self) -> None:
        if self.out[-1] and not self.out[-1].endswith("\n"):
            self.out.append("\n")

    def _enter_definition(self, *, is_line: bool = False) -> None:
        """Start the item that what is in a list of definitions must be in; `is_line` if it is one line of text."""
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.kind is TokenKind.DEFINITIONS:
            self._start_list(frame)
            start = {"</label>": "</label>\n<item>", "</item>": "", "": "<label/>\n<item>"}[frame.end]
            if start:
                self.out.append(start if is_line else f"{start}\n")
            frame.end = "</item>"

    def _start_list(self, frame: _OpenElement) -> None:
        if frame.start:
            self.out.append(f"{frame.start}\n")
            frame.start = ""
            self.is_empty &= len(self.frames) > 1

    def _open(self, index: int, token: Token) -> None:
        if token.kind is TokenKind.DESCRIPTION and self._in(TokenKind.DEFINITIONS):
            is_line = self.frames[-1].end != "</item>" and self._is_definition_line(index)
            self._enter_definition(is_line=is_line)
            self.frames.append(_OpenElement(token.kind, is_line=is_line))
            return
        parent = self.frames[-1] if self.frames else None
        if token.kind is TokenKind.ITEM and parent is not None:
            self._start_list(parent)
        else:
            self._enter_definition()
        self._end_line()
        frame = _OpenElement(token.kind)
        if token.kind in (TokenKind.LIST, TokenKind.DEFINITIONS):
            frame.start = _list_tag(token)
        elif token.kind in _ELEMENTS:
            self._open_element(index, token, frame)
        self.frames.append(frame)

    def _open_element(self, index: int, token: Token, frame: _OpenElement) -> None:
        name = _ELEMENTS[token.kind]
        frame.end = f"</{name}>"
        frame.is_line = self._is_line(index)
        attributes = self.lines.notes.note(token.text) if token.kind is TokenKind.NOTE else ""
        self.out.append(f"<{name}{attributes}>" + ("" if frame.is_line else "\n"))
        self._fill(is_global=token.kind in (TokenKind.FIGURE, TokenKind.NOTE))

    def _is_line(self, index: int) -> bool:
        """Return whether an item or note is one paragraph, or one and a list."""
        if self.tokens[index].kind not in (TokenKind.ITEM, TokenKind.NOTE):
            return False
        if not self.posts.openings.keys().isdisjoint((index, index + 1)):
            return False
        first, second = self.tokens[index + 1 : index + 2], self.tokens[index + 2 : index + 3]
        if not first or first[0].kind is not TokenKind.PARAGRAPH or not second:
            return False
        return second[0].edge is Edge.CLOSE or (second[0].edge is Edge.OPEN and second[0].kind is TokenKind.LIST)

    def _is_definition_line(self, index: int) -> bool:
        """Return whether a description is one paragraph, and the only one of its term."""
        following = self.tokens[index + 1 : index + 4]
        if len(following) < 3 or following[0].kind is not TokenKind.PARAGRAPH or following[1].edge is not Edge.CLOSE:
            return False
        return following[2].kind is TokenKind.TERM or following[2].edge is Edge.CLOSE

    def _close(self) -> None:
        frame = self.frames.pop()
        if frame.kind is TokenKind.DEFINITIONS:
            end = {"</label>": "</label>\n<item/>\n", "</item>": "</item>\n", "": ""}[frame.end]
            self.out.append(end if frame.start else f"{end}</list>\n")
        elif frame.kind is TokenKind.LIST:
            self.out.append("" if frame.start else "</list>\n")
        elif frame.end:
            self.out.append(f"{frame.end}\n")

    def _leaf(self, token: Token) -> None:
        match token.kind:
            case TokenKind.HEADING:
                self._heading(token)
            case TokenKind.TERM:
                self._term(token)
            case TokenKind.CAPTION:
                self._caption(token)
            case TokenKind.TABLE:
                self._table(token)
            case TokenKind.CODE:
                language = xml_attribute("lang", "-".join(token.language.split()))
                code = f'<code{language} xml:space="preserve">{xml_text(token.text)}</code>'
                self._put(f'<ab type="code">{code}</ab>')
            case TokenKind.RULE:
                self._put('<milestone unit="section" rend="rule"/>', is_global=True)
            case _:
                self._paragraph(token)

    def _paragraph(self, token: Token) -> None:
        pictures = self.lines.pictures(token.runs)
        if pictures is not None:
            if pictures and self._in(TokenKind.FIGURE):
                self._put(pictures)
            elif pictures:
                self._put(f"<figure>{pictures}</figure>", is_global=True)
            return
        text = self.lines.write(token.runs)
        frame = self.frames[-1] if self.frames else None
        if text and frame is not None and frame.is_line:
            self.out.append(text)
            frame.is_line = False
        elif text:
            self._put(f"<p>{text}</p>")

    def _heading(self, token: Token) -> None:
        text = self.lines.write(token.runs)
        if not text:
            return
        if self.frames:
            self._put(f'<ab type="head" rend="h{token.level}">{text}</ab>')
            return
        while self.levels and self.levels[-1] >= token.level:
            self.levels.pop()
            self.out.append("</div>\n")
        self.levels.append(token.level)
        self.out.append(f"<div>\n<head>{text}</head>\n")
        self.is_empty = False

    def _term(self, token: Token) -> None:
        """A term, in the label of the next definition; terms of one definition are lines of one label."""
        text = self.lines.write(token.runs)
        frame = self.frames[-1] if self.frames else None
        if frame is None or frame.kind is not TokenKind.DEFINITIONS:
            self._put(f"<p><term>{text}</term></p>")
            return
        self._start_list(frame)
        before = {"</label>": "<lb/>", "</item>": "</item>\n<label>", "": "<label>"}[frame.end]
        self.out.append(before + text)
        frame.end = "</label>"

    def _caption(self, token: Token) -> None:
        self.captions.append(self.lines.write(token.runs))

    def _write_captions(self) -> None:
        """Write captions that no table follows: as heads of a figure, else as paragraphs."""
        for text in filter(None, self.captions):
            in_figure = self._in(TokenKind.FIGURE)
            self._put(f"<head>{text}</head>" if in_figure else f'<p rend="caption">{text}</p>')
        self.captions = []

    def _table(self, token: Token) -> None:
        rows = [row for row in token.rows if row.cells]
        lines = [f"<head>{text}</head>\n" for text in filter(None, self.captions)]
        most = max((len(row.cells) for row in rows), default=0)
        lines += [self._row(row, most, len(rows) - index) for index, row in enumerate(rows)]
        if not rows:
            self._write_captions()
            return
        self.captions = []
        self._put(f"<table>\n{''.join(lines)}</table>")

    def _row(self, row: TableRow, most: int, rows_left: int) -> str:
        is_label = row.in_head or all(cell.is_header for cell in row.cells)
        cells = [self._cell(cell, most, rows_left, in_label=is_label) for cell in row.cells]
        return f"<row{_ROLE if is_label else ''}>{''.join(cells)}</row>\n"

    def _cell(self, cell: TableCell, most: int, rows_left: int, *, in_label: bool) -> str:
        columns, rows = min(cell.columns, most, MAX_SPAN), min(cell.rows or rows_left, rows_left)
        spans = f' cols="{columns}"' if columns > 1 else ""
        spans += f' rows="{rows}"' if rows > 1 else ""
        role = _ROLE if cell.is_header and not in_label else ""
        text = self.lines.write(cell.runs)
        return f"<cell{role}{spans}>{text}</cell>" if text else f"<cell{role}{spans}/>"

    def _in(self, kind: TokenKind) -> bool:
        return bool(self.frames) and self.frames[-1].kind is kind


def _list_tag(token: Token) -> str:
    if token.kind is TokenKind.DEFINITIONS:
        return '<list type="gloss">'
    if token.start is None:
        return '<list rend="bulleted">'
    return '<list rend="numbered"' + (f' n="{token.start}">' if token.start != 1 else ">")


def _note_links(tokens: list[Token]) -> NoteLinks:
    notes = [token.text for token in tokens if token.kind is TokenKind.NOTE and token.edge is Edge.OPEN]
    if not notes:
        return NoteLinks((), ())
    return NoteLinks(notes, (run.text for run in _runs(tokens) if run.kind is RunKind.REFERENCE))


def _runs(tokens: list[Token]) -> Iterator[Run]:
    """Yield the runs of all lines and cells."""
    for token in tokens:
        yield from token.runs
        for row in token.rows:
            for cell in row.cells:
                yield from cell.runs


WRITER = Writer(
    name="tei",
    extension=".tei.xml",
    media_type="application/tei+xml",
    write=to_tei,
    aliases=("xml", "xml-tei", "tei-xml", "xmltei"),
    options=frozenset({"images", "tracking", "posts"}),
    posts=IN_LINES,
)
