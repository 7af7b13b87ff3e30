"""Pages in nine languages, made of texts in golden/languages: an article, and a thread or a recipe.

A file names the language, its direction and an encoding from before UTF-8. Its sections hold a text a line. In the
bodies, the first word of a line says what the text is: h1, h2, p, li, q, step, by (author and date), tr (a row of
cells) or post (name, date and text).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).parent / "golden" / "languages"
NAMES = sorted(file.stem for file in FOLDER.glob("*.txt"))
CODECS = {"windows-874": "cp874"}


@dataclass(frozen=True)
class Unit:
    """A line of a body: what it is, and its parts."""

    kind: str
    parts: tuple[str, ...]

    @property
    def kept(self) -> tuple[str, ...]:
        """The texts that a clean page must contain whole; the names and dates of posts and authors may go."""
        return () if self.kind == "by" else self.parts[2 * (self.kind == "post") :]


@dataclass(frozen=True)
class Texts:
    """The texts of one language."""

    language: str
    direction: str
    encoding: str
    chrome: dict[str, list[str]]
    """The texts that a clean page must not contain: of nav, consent, related, footer and tools, the links of a post."""
    article: list[Unit]
    records: list[Unit]
    """A thread or a recipe."""

    def body(self, kind: str) -> list[Unit]:
        """Return the body of a kind of page: article or records."""
        return self.article if kind == "article" else self.records

    def page(self, kind: str) -> str:
        """Return the HTML of a kind of page."""
        return _article_page(self) if kind == "article" else _records_page(self)


@cache
def texts(name: str) -> Texts:
    """Return the texts of a language by its English name."""
    sections: dict[str, list[str]] = {}
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            sections[line[3:]] = []
        else:
            sections[next(reversed(sections))].append(line)
    language, direction, encoding = sections.pop("page")[0].split()
    bodies = [[_unit(line) for line in sections.pop(key)] for key in ("article", "thread", "recipe") if key in sections]
    return Texts(language, direction, encoding, sections, *bodies)


def _unit(line: str) -> Unit:
    kind, text = line.split(" ", 1)
    return Unit(kind, tuple(text.split(" | ")) if kind in ("tr", "post") else (text,))


def _article_page(of: Texts) -> str:
    """A page of today: elements named after their role, a dialog for consent, cards of related articles."""
    related = "".join(f'<li><a href="/r{n}"><h3>{t}</h3></a></li>' for n, t in enumerate(of.chrome["related"]))
    notice, *buttons = of.chrome["consent"]
    dialog = f"<p>{notice}</p>" + "".join(f'<button type="button">{text}</button>' for text in buttons)
    return _document(
        of,
        of.article,
        f'<header class="site-header"><a class="logo" href="/"><img src="/logo.svg" alt=""></a>'
        f'<nav class="main-nav"><ul>{_links(of.chrome["nav"])}</ul></nav></header>'
        f'<main><article class="article">{_html(of.article)}</article>'
        f'<aside class="related"><ul>{related}</ul></aside></main>'
        f'<footer class="site-footer"><ul>{_links(of.chrome["footer"][:-1])}</ul>'
        f"<p>{of.chrome['footer'][-1]}</p></footer>"
        f'<div class="cookie-consent" role="dialog">{dialog}</div>',
    )


def _records_page(of: Texts) -> str:
    """A page of some years ago, made of div elements: a thread or a recipe, with related pages in the sidebar."""
    related = "".join(
        f'<div class="side-item"><a href="/r{n}">{t}</a></div>' for n, t in enumerate(of.chrome["related"])
    )
    return _document(
        of,
        of.records,
        f'<div id="cookie-bar"><span>{of.chrome["consent"][0]}</span> <a href="#">{of.chrome["consent"][1]}</a> '
        f'<a href="#">{of.chrome["consent"][2]}</a></div>'
        f'<div id="top"><ul class="menu">{_links(of.chrome["nav"])}</ul></div>'
        f'<div id="sidebar">{related}</div><div id="content">{_with_tools(of)}</div>'
        f'<div id="footer">{" | ".join(_links(of.chrome["footer"][:-1], "span").split(chr(10)))}'
        f'<div class="copyright">{of.chrome["footer"][-1]}</div></div>',
    )


def _document(of: Texts, body: list[Unit], html: str) -> str:
    title = f"{body[0].parts[0]} – {of.chrome['nav'][1]}"
    return (
        f'<!DOCTYPE html>\n<html lang="{of.language}" dir="{of.direction}">\n<head>\n<title>{title}</title>\n'
        f'<link rel="stylesheet" href="/style.css">\n</head>\n<body>\n{html}\n</body>\n</html>\n'
    )


def _with_tools(of: Texts) -> str:
    """Return the records: each post with its links below, or a recipe with its links between title and text."""
    tools = f'<div class="tools">{_links(of.chrome["tools"], "span")}</div>'
    title, *posts = _html(of.records).split('<div class="post"')
    if posts:
        return '<div class="post"'.join(
            [title, *(post.rstrip()[: -len("</div>")] + tools + "</div>\n" for post in posts)]
        )
    return title.replace("</h1>", "</h1>" + tools, 1)


def _links(entries: list[str], tag: str = "li") -> str:
    return "\n".join(f'<{tag}><a href="/{n}">{escape(text)}</a></{tag}>' for n, text in enumerate(entries))


def _html(units: list[Unit]) -> str:
    return "\n".join(_run(kind, list(run)) for kind, run in groupby(units, lambda unit: unit.kind))


def _run(kind: str, run: list[Unit]) -> str:
    """Return the HTML of successive units of one kind."""
    inner = {"li": "li", "step": "li", "q": "p", "by": 'div class="byline"'}.get(kind, kind)
    if kind == "tr":
        rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in unit.parts)}</tr>" for unit in run)
        return f"<table>{rows}</table>"
    if kind == "post":
        return "\n".join(_posts(run))
    html = "\n".join(f"<{inner}>{escape(unit.parts[0])}</{inner.split()[0]}>" for unit in run)
    outer = {"li": "ul", "step": "ol", "q": "blockquote"}.get(kind)
    return f"<{outer}>{html}</{outer}>" if outer else html


def _posts(run: list[Unit]) -> Iterator[str]:
    for number, unit in enumerate(run):
        name, date, text = map(escape, unit.parts)
        yield (
            f'<div class="post" id="p{number}"><div class="post-head"><a href="/u/{number}">{name}</a> '
            f'<span class="date">{date}</span></div><div class="post-body">{text}</div></div>'
        )
