"""Count what of the structure of Defuddle's test pages tools write exactly: code, languages, formulas, footnotes, headings.

The pages and the Markdown expected of them are from Defuddle's repository (`defuddle` among the sets). What it expects is
that converter's own output: a floor where it is right, and taste elsewhere. Markdown is read by a CommonMark parser with
footnotes and formulas. An element is right if it is exact: the lines of a listing, its language, the TeX of a formula up to
white space, the text and level of a heading, and the text of a footnote whose first mark follows the same characters.
"""

import argparse
import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from dehusk import clean
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from elements import ink
from sets import write_results

KINDS = ("listings", "languages", "formulas", "formulas as set", "footnotes", "headings", "headings, any level")
START = 20
"""Characters from the start of a listing that say which one a language is of."""
BEFORE = 8
"""Characters before the first mark of a footnote that must be the same."""
_ADDRESS = re.compile(rb'\s*<!--\s*(\{"url".*?\})\s*-->')
_FENCE = re.compile(r"```json\n.*?\n```\n", re.DOTALL)
_STYLE = re.compile(r"^\\displaystyle(?![a-zA-Z])")
_NAMES = {"js": "javascript", "ts": "typescript", "py": "python", "sh": "bash"}
_WORD = re.compile(r"\w+")
_SPELLINGS = [
    (re.compile(expression), spelling)
    for expression, spelling in (
        (r"\\(?:left|right)\.|\\(?:left|right)(?![a-z])|\\[,;: ]|\\quad|\\text\{\}", ""),
        (r"\\overset\{\\cdot\}", r"\\dot"),
        (r"\\overset\{\\rightarrow\}", r"\\vec"),
        (r"\{(\w|\\[a-zA-Z]+)\}", r"\1"),
    )
]

Tool = Callable[[str, str | None], str]
"""Takes a page and its address; returns Markdown."""


@dataclass
class Written:
    """The structure of a piece of Markdown."""

    listings: list[tuple[str, str]] = field(default_factory=list)
    """(code, language)"""
    formulas: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    """(level, text)"""
    notes: dict[int, str] = field(default_factory=dict)
    """Footnote -> its text."""
    marks: dict[int, str] = field(default_factory=dict)
    """Footnote -> the characters before its first mark."""
    text: list[str] = field(default_factory=list)

    def counts(self, kind: str) -> Counter[Any]:
        """Return the elements of a kind."""
        if kind == "listings":
            return Counter(code for code, _ in self.listings)
        if kind == "languages":
            named = ((code, _NAMES.get(language, language)) for code, language in self.listings if language)
            return Counter((ink(code)[:START], language) for code, language in named)
        if kind.startswith("formulas"):
            return Counter(self.formulas if kind == "formulas" else map(as_set, self.formulas))
        if kind == "footnotes":
            return Counter((text, self.marks.get(note)) for note, text in self.notes.items())
        return Counter([(max(level, 2), text) if kind == "headings" else text for level, text in self.headings])

    @property
    def words(self) -> Counter[str]:
        """The words of the visible text."""
        return Counter(_WORD.findall(" ".join(self.text).lower()))


@cache
def parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin, inline=False)
    return markdown.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)


def read(source: str) -> Written:
    """Read Markdown."""
    out, note, level, line = Written(), -1, 0, ""
    for token in parser().parse(source):
        if token.type in ("fence", "code_block"):
            code = "\n".join(each.rstrip() for each in token.content.splitlines()).strip("\n")
            out.listings.append((code, token.info.strip().lower()))
        elif token.type in ("math_block", "math_block_label"):
            out.formulas.append(tex(token.content))
        elif token.type == "footnote_open":
            note, line = token.meta["id"], ""
            out.notes[note] = ""
        elif token.type == "footnote_close":
            note = -1
        elif token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "inline":
            line = inline(token.children or [], out, line if note < 0 else "")
            if level:
                out.headings.append((level, ink(line)))
            if note >= 0:
                out.notes[note] += ink(line)
            level = 0
            out.text.append(line)
    return out


def inline(tokens: list[Any], out: Written, before: str) -> str:
    """Return the visible text of a line, and note the formulas and marks in it; `before` is the line before it."""
    text = ""
    for token in tokens:
        if token.type in ("math_inline", "math_inline_double"):
            out.formulas.append(tex(token.content))
        elif token.type == "footnote_ref":
            out.marks.setdefault(token.meta["id"], ink(before + text)[-BEFORE:])
        elif token.type in ("softbreak", "hardbreak"):
            text += "\n"
        elif token.type in ("text", "code_inline", "text_special"):
            text += token.content
    return text


def tex(source: str) -> str:
    return _STYLE.sub("", "".join(source.split()))


def as_set(formula: str) -> str:
    """Return TeX without what does not show: braces around one sign, growing of fences, small spaces; accents by one name."""
    for expression, spelling in _SPELLINGS:
        formula = expression.sub(spelling, formula)
    return formula


def dehusk_all(html: str, url: str | None) -> str:
    return clean(html, url=url, method="keep-all").markdown


def dehusk_default(html: str, url: str | None) -> str:
    return clean(html, url=url).markdown


def by_trafilatura(html: str, url: str | None) -> str:
    from trafilatura import extract

    options = {"include_links": True, "include_tables": True, "include_formatting": True}
    return extract(html, url=url, output_format="markdown", **options) or ""


def by_markitdown(html: str, url: str | None) -> str:
    import io

    from markitdown import MarkItDown, StreamInfo

    info = StreamInfo(mimetype="text/html", extension=".html", charset="utf-8", url=url)
    return MarkItDown().convert_stream(io.BytesIO(html.encode()), stream_info=info).markdown


def tools() -> dict[str, Tool]:
    return {
        "dehusk, everything kept": dehusk_all,
        "dehusk, as by default": dehusk_default,
        f"trafilatura {version('trafilatura')}": by_trafilatura,
        f"markitdown {version('markitdown')}": by_markitdown,
    }


@dataclass(frozen=True)
class TestPage:
    """A page with the Markdown expected of it."""

    name: str
    html: str
    url: str | None
    expected: Written


def read_pages(data: Path, name: str) -> list[TestPage]:
    """Return the pages whose names have a part."""
    pages, folder = [], data / "defuddle"
    for sample in read_set(folder):
        if name not in sample.id:
            continue
        address = _ADDRESS.match(sample.data)
        url = json.loads(address[1])["url"] if address else None
        gold = _FENCE.sub("", (folder / "gold" / f"{sample.id}.md").read_text("utf-8"), count=1)
        pages.append(TestPage(sample.id, sample.data.decode("utf-8", "replace"), url, read(gold)))
    return pages


def word_f1(gold: Counter[str], found: Counter[str]) -> float:
    """Return the F1 of the words of two texts; 1 if both are empty."""
    return 2 * (gold & found).total() / (gold.total() + found.total()) if gold or found else 1.0


def judge(pages: list[TestPage], run: Tool, *, show: bool) -> dict[str, Any]:
    """Return kind -> [right, found] of a tool, its F1 of words, and what it misses on each page."""
    sums, f1, missed = {kind: [0, 0] for kind in KINDS}, 0.0, {}
    for page in pages:
        found = read(run(page.html, page.url))
        f1 += word_f1(page.expected.words, found.words) / len(pages)
        for kind in KINDS:
            gold, have = page.expected.counts(kind), found.counts(kind)
            sums[kind][0] += (gold & have).total()
            sums[kind][1] += have.total()
            if lost := (gold - have).total():
                missed.setdefault(page.name, {})[kind] = lost
            if show:
                print_faults(f"{page.name}, {kind}", gold - have, have - gold)
    return {**sums, "word F1": round(f1, 4), "missed": missed}


def print_faults(title: str, lost: Counter[Any], added: Counter[Any]) -> None:
    for sign, elements in (("-", lost), ("+", added)):
        for element in elements.elements() if lost else ():
            print(f"{title}: {sign} {element!r:.300}")


def report(pages: list[TestPage], results: dict[str, dict[str, Any]]) -> str:
    gold = {kind: sum(page.expected.counts(kind).total() for page in pages) for kind in KINDS}
    rows = [["tool", *(f"{kind} ({gold[kind]})" for kind in KINDS), "word F1"]]
    found = [["tool", *KINDS]]
    for tool, result in results.items():
        rows.append([tool, *(str(result[kind][0]) for kind in KINDS), f"{result['word F1']:.3f}"])
        found.append([tool, *(str(result[kind][1]) for kind in KINDS)])
    return (
        f"# Structure of Defuddle's test pages\n\n`python bench/defuddle_structure.py DATA`, {dt.date.today()}: how many of the "
        f"elements in the Markdown that Defuddle's repository expects of {len(pages)} pages are written exactly (how many there "
        "are in brackets). The expectation is that converter's output, so this says nothing about Defuddle itself.\n\n"
        f"{markdown_table(rows)}\n## Found\n\nHow many elements each tool writes, right or not.\n\n{markdown_table(found)}"
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("data", type=Path, help="folder with the folder of the set, defuddle")
    arguments.add_argument("--show", metavar="PAGE", help="print what dehusk gets wrong on the pages named so")
    given = arguments.parse_args()
    pages = read_pages(given.data, given.show or "")
    if given.show is not None:
        for tool, run in list(tools().items())[:2]:
            print(f"== {tool}")
            judge(pages, run, show=True)
        return
    results = {tool: judge(pages, run, show=False) for tool, run in tools().items()}
    write_results("defuddle_structure", report(pages, results), results, judges="shipped")


if __name__ == "__main__":
    main()
