"""Pages that are no HTML but Markdown or plain text: what they are, and the HTML that stands for them.

Servers send Markdown to programs that ask for it, and folders hold notes and READMEs. A parser of HTML would make one
line of them. Markdown is rendered by markdown-it (CommonMark, with tables), with its front matter as metadata and its
formulas untouched; of plain text, blank lines part paragraphs, and indented ones are preformatted. Feeds are read by
`feeds`.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from dehusk.base.lazy import pattern
from dehusk.read.page import Form

NOTES: Mapping[Form, str] = {
    "markdown": "the page is Markdown, not HTML: all of it is kept",
    "text": "the page is plain text, not HTML: all of it is kept",
    "feed": "the page is a feed, not HTML: all of its entries are kept",
}
"""What is noted of a page that is no HTML."""

_LOOK = 4_096  # characters in which an HTML page has one of its tags
_READ = 200_000  # characters that tell whether a text is Markdown
_LONGEST = 500_000
"""Characters of Markdown, at most: rendering takes up to 20 µs for each. What is longer is read as plain text."""
_FEED = pattern(
    r"\ufeff?\s*(?:<(?:\?[^>]{0,500}\?|!--(?:(?!-->).){0,5000}--)>\s*){0,9}<(?:rss|feed|rdf:RDF)[\s>]", re.DOTALL
)
_OF_PAGES = pattern(r"<(?:!doctype|html|head|body|title|meta|script|link|frameset|text\s|\?xml)\b", re.IGNORECASE)
_IS_PAGE = pattern(r"\s*<(?:!doctype|html|head|\?xml)\b", re.IGNORECASE)
_TAG = pattern(r"</?[a-z][a-z0-9]{0,20}(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_SIGNS = pattern(  # each is bounded, so that any text takes time in proportion to its size
    r"^ {0,3}(?P<heading>\#{1,6}[ ]{1,4}\S)|^ {0,3}(?P<fence>```|~~~)"
    r"|^ {0,3}(?P<table>\|?[ ]{0,9}:?-{3,200}:?[ ]{0,9}\|)|^ {0,8}(?P<item>(?:[-*+]|\d{1,3}[.)])[ ]{1,4}\S)"
    r"|(?P<link>\[[^\[\]\n]{1,200}\]\([^()\s]{1,500}\))",
    re.MULTILINE,
)
_ENOUGH = {"heading": 1, "fence": 2, "table": 1, "item": 3, "link": 2}
"""How many signs make a text Markdown; by hand: two lines that begin with a dash, or one link, stand in any letter."""
_PARAGRAPHS = pattern(r"\n[ \t]*\n")
_FRONT_MATTER = pattern(r"\A---[ \t]*\n(.{1,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_METAS = {
    "author": "author",
    "authors": "author",
    "description": "description",
    "summary": "description",
    "date": "article:published_time",
    "published": "article:published_time",
    "site_name": "og:site_name",
    "tags": "article:tag",
    "keywords": "article:tag",
    "url": "og:url",
    "canonical": "og:url",
}
"""Key of front matter -> meta element."""
_MOST_VALUES, _MOST_CHARS, _LARGE = 50, 500, 10**9  # of a key, characters of a value, and no year or number is as large
_CODE_OR_FORMULA = pattern(
    r"(?P<code>(?:(?<=\n\n)|\A)(?:(?: {4}|\t)[^\n]*\n?)+"
    r"|^ {0,3}(?P<fenced>`{3,9}|~{3,9})(?:(?!^ {0,3}(?P=fenced))[^\n]*\n?)*"
    r"|(?<!`)(?P<ticks>`{1,9})(?!`)[^`]{1,1000}(?P=ticks)(?!`))"
    r"|\$\$(?P<shown>[^$]{1,2000})\$\$|\\\[(?P<block>[^\]]{1,2000})\\\]|\\\((?P<line>[^\n)]{1,500}(?:\)[^\n)]{1,500}){0,9}?)\\\)"
    r"|(?<![\\$\w])\$(?P<tex>[^\s$](?:[^$\n]{0,500}[^\s$\\])?)\$(?![\d$])",
    re.MULTILINE,
)
_HELD = "\ue00f{}\ue00f"  # stands for a formula while Markdown is rendered
_HELD_NUMBER = pattern("\ue00f(\\d{1,9})\ue00f")


def is_feed(text: str) -> bool:
    """Return whether a text starts as a feed does."""
    return _FEED.match(text) is not None


def form_of(text: str, headers: Mapping[str, str] | None = None) -> Form:
    """Return what a page is: HTML unless a header says Markdown, or it has the signs of Markdown or of plain text.

    Args:
        text: the page.
        headers: of its response; only `Content-Type` counts.
    """
    kind = next((value for name, value in (headers or {}).items() if name.lower() == "content-type"), "")
    if kind.partition(";")[0].strip().lower() in ("text/markdown", "text/x-markdown") and not _IS_PAGE.match(text):
        return _markdown(text)
    if _OF_PAGES.search(text, 0, _LOOK):
        return "html"
    start = text[:_READ]
    signs = dict.fromkeys(_ENOUGH, 0)
    for sign in _SIGNS.finditer(start):
        signs[str(sign.lastgroup)] += 1
    tags = sum(1 for _ in _TAG.finditer(start))
    if tags > sum(signs.values()) // 2:
        return "html"
    if _FRONT_MATTER.match(start) or any(signs[name] >= enough for name, enough in _ENOUGH.items()):
        return _markdown(text)
    return "text" if not tags and _PARAGRAPHS.search(start.strip()) else "html"


def with_line_feeds(text: str) -> str:
    """Return a text that is not marked as a page of HTML with line feeds for all line ends."""
    if _OF_PAGES.search(text, 0, _LOOK) or "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _markdown(text: str) -> Form:
    return "markdown" if len(text) <= _LONGEST else "text"


def as_html(text: str, form: Form) -> str:
    """Return the HTML that stands for a page of Markdown or plain text."""
    head, body = [*_head(text)], _FRONT_MATTER.sub("", text, count=1)
    rendered = _rendered(body) if form == "markdown" else "".join(_paragraphs(body))
    return f"<!doctype html><html><head>{''.join(head)}</head><body>{rendered}</body></html>"


def _head(text: str) -> Iterator[str]:
    """Yield the elements of a head that say what front matter does."""
    import yaml  # noqa: PLC0415 (few pages are Markdown)

    match = _FRONT_MATTER.match(text)
    try:
        matter = yaml.safe_load(match[1]) if match else None
    except Exception:  # a value with a tag that does not fit it raises whatever it likes
        return
    for key, value in matter.items() if isinstance(matter, dict) else ():
        values = (value if isinstance(value, list) else [value])[:_MOST_VALUES]
        for each in values:
            if isinstance(each, str | date) or (isinstance(each, int) and abs(each) < _LARGE):
                content = _escaped(str(each)[:_MOST_CHARS])
                if key == "title":
                    yield f'<title>{content}</title><meta property="og:title" content="{content}">'
                elif name := _METAS.get(key):
                    yield f'<meta name="{name}" content="{content}">'


def _rendered(text: str) -> str:
    from markdown_it import MarkdownIt  # noqa: PLC0415 (few pages are Markdown)

    formulas = list[str]()

    def hold(match: re.Match[str]) -> str:
        if match["code"]:
            return match[0]
        shown, line = match["shown"] or match["block"], match["line"] or match["tex"]
        tex = _escaped(shown or line)
        display = rf'<span class="math display">\[{tex}\]</span>'
        formulas.append(display if shown else rf'<span class="math inline">\({tex}\)</span>')
        return _HELD.format(len(formulas) - 1)

    held = _CODE_OR_FORMULA.sub(hold, text.replace("\ue00f", ""))
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(held)
    return _HELD_NUMBER.sub(lambda match: formulas[int(match[1])], html)


def _paragraphs(text: str) -> Iterator[str]:
    for part in _PARAGRAPHS.split(text):
        if part.strip():
            lines = part.strip("\n").split("\n")
            is_laid_out = all(line.startswith(("    ", "\t")) or not line.strip() for line in lines)
            yield f"<pre>{_escaped(part)}</pre>" if is_laid_out else f"<p>{_escaped(part)}</p>"


def _escaped(text: str) -> str:
    from html import escape  # noqa: PLC0415 (few pages are no HTML)

    return escape(text)
