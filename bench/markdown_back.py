"""Measure whether Markdown, read back with a CommonMark parser, says what the text and the kept nodes say.

A page is right if its Markdown, rendered, has the words of its text in their order, and the headings, list items, links,
lines of code and table cells of the kept nodes, counted from the page and not by the writer. White space and the marks of lists
do not count as text. What of headings in items of lists Markdown writes as headings, and whether such an item has a mark, is a
rule of docs/markdown.md that is not judged here: both are right. How many headings in items there are is counted. So are the
items that pairs of a label and its value become, and their colon.
"""

import argparse
import datetime as dt
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from dehusk import Document, clean
from dehusk.base.tags import numbers
from dehusk.blocks.units.marks import footnotes_of
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, is_set, read_set
from elements import Element, ink
from kept_elements import KeptElement, kept_elements
from markdown_elements import MarkdownText, read_markdown
from sets import write_results

PAGES = 1000
KINDS = ("heading", "item", "link", "code", "cell")
MARK = re.compile(r"[ \t]*(?:-|\d{1,9}\.)[ \t]+")
REFERENCE = re.compile(r"\[([\w-]{1,20})\]")
CONTEXT = 60


@dataclass(frozen=True)
class Checked:
    """What reading one page's Markdown back shows."""

    name: str
    text_fault: str
    """Where the rendered text differs from the text; "" if nowhere."""
    missed: dict[str, list[Element]]
    """Kind -> the kept elements that the Markdown lacks."""
    added: dict[str, list[Element]]
    """Kind -> the elements that only the Markdown has."""
    counts: dict[str, tuple[int, int]]
    """Kind -> how many elements are kept, and are in the Markdown; headings by level."""
    read: MarkdownText
    text_seconds: float
    markdown_seconds: float

    @property
    def wrong_counts(self) -> dict[str, tuple[int, int]]:
        """The counts that differ."""
        return {kind: pair for kind, pair in self.counts.items() if pair[0] != pair[1]}

    @property
    def is_right(self) -> bool:
        """Whether the text and all counts are equal."""
        return not self.text_fault and not self.wrong_counts


def sampled(data: Path, pages: int) -> Iterator[Sample]:
    """Yield pages of all sets: as many of each, evenly spaced; of sets with fewer pages, all."""
    sets = sorted(path for path in data.iterdir() if is_set(path))
    samples = {path.name: [sample for sample in read_set(path) if sample.data.strip()] for path in sets}
    share = dict.fromkeys(samples, 0)
    for _ in range(min(pages, sum(map(len, samples.values())))):
        share[min((name for name in samples if share[name] < len(samples[name])), key=lambda name: share[name])] += 1
    for name, number in share.items():
        of_set = samples[name]
        yield from (of_set[int(index * len(of_set) / number)] for index in range(number))


def check(sample: Sample, method: str | None) -> Checked:
    document = clean(sample.bare, url=sample.url, method=method)
    start = time.process_time()
    text = document.text
    middle = time.process_time()
    markdown = document.render("markdown", posts="plain")
    end = time.process_time()
    read = without_added_title(read_markdown(markdown), document)
    kept = page_elements(document, notes=bool(read.notes))
    if read.notes:
        kept, read = without_references(kept, read, document)
        text = REFERENCE.sub(r"\1", text)
    kept, found = without_cards(kept, joined(read.elements), document)
    missed, added = difference(kept, found), difference(found, kept)
    return Checked(
        name=f"{sample.set}/{sample.id}",
        text_fault=text_fault(text, read.text),
        missed=missed,
        added=added,
        counts=counts(kept, found),
        read=read,
        text_seconds=middle - start,
        markdown_seconds=end - middle,
    )


def without_added_title(read: MarkdownText, document: Document) -> MarkdownText:
    """Return what Markdown says, without a heading of the page's title that the kept text does not begin with."""
    title = Element("heading", ink(document.metadata.title or ""), (1,))
    starts = [ink(written).startswith(title.text) for written in (read.text, document.text)]
    if read.elements[:1] != [title] or starts != [True, False]:
        return read
    return replace(read, elements=read.elements[1:], text=read.text.partition("\n")[2])


def without_references(
    kept: list[KeptElement], read: MarkdownText, document: Document
) -> tuple[list[KeptElement], MarkdownText]:
    """Return the elements of the page and what Markdown says, without links that are references to footnotes.

    The marks of many are no links on the page, or have brackets, which Markdown does not write; that each note has its
    mark is tested with the writers.
    """
    nodes = np.array(sorted(footnotes_of(document.page).references), dtype=np.intp)
    is_mark = document.page.within(nodes) > 0
    rest = [each for each in kept if each.element.kind != "link" or not (is_mark[each.node] or is_mark[each.node + 1])]
    found = [each for each in read.elements if each.kind != "link" or not unquote(str(each.place[0])).startswith("#^")]
    return rest, replace(read, elements=found, text=REFERENCE.sub(r"\1", read.text))


def page_elements(document: Document, *, notes: bool) -> list[KeptElement]:
    return sorted(kept_elements(document.labels, notes=notes), key=lambda kept: kept.node)


def without_cards(
    kept: list[KeptElement], found: list[Element], document: Document
) -> tuple[list[Element], list[Element]]:
    """Return the elements of the page and of its Markdown without headings in items, items of lists with such, and pairs."""
    page = document.page
    item, above = page.nearest(page.is_one_of(numbers("li"))), page.parent
    headed = {int(item[each.node]) for each in kept if each.element.kind == "heading"} - {-1}
    lists = {int(above[node]) for node in headed}
    rest, may = list[Element](), Counter[Element]()
    for each in kept:
        is_heading = each.element.kind == "heading" and item[each.node] >= 0
        if is_heading or (each.element.kind == "item" and int(above[each.node]) in lists):
            may[comparable(each.element)] += 1
        else:
            rest.append(each.element)
    sure, left = Counter(map(comparable, rest)), list[Element]()
    labels = tuple(ink(page.text[page.text_start[dt] : page.text_end[dt]]) for dt in page.nodes_of(numbers("dt")))
    for element in found:
        key = comparable(element)
        if sure[key] <= 0 and may[key] > 0:
            may[key] -= 1
        elif sure[key] > 0 or element.kind != "item" or not element.text.startswith(labels):
            sure[key] -= 1
            left.append(element)
    return joined(rest), left


def joined(elements: list[Element]) -> list[Element]:
    """Join links to the same address that follow each other: a link around several blocks is written around each."""
    out = [element for element in elements if element.kind in KINDS and element.kind != "link"]
    links = (element for element in elements if element.kind == "link")
    for _, group in groupby(links, key=lambda link: re.sub(r"\W", "", unquote(str(link.place[0])))):
        same = list(group)
        out.append(Element("link", "".join(link.text for link in same), same[0].place))
    return out


def comparable(element: Element) -> Element:
    """Return an element without what Markdown says in another way: the address of a link, the row of a cell."""
    return Element(element.kind, element.text, element.place if element.kind == "heading" else ())


def difference(elements: list[Element], others: list[Element]) -> dict[str, list[Element]]:
    rest = Counter(map(comparable, elements)) - Counter(map(comparable, others))
    by_kind: dict[str, list[Element]] = defaultdict(list)
    for element in rest.elements():
        by_kind[element.kind].append(element)
    return by_kind


def counts(kept: list[Element], found: list[Element]) -> dict[str, tuple[int, int]]:
    """Return how many elements of each kind there are on both sides; headings of each level."""

    def kinds(elements: list[Element]) -> Counter[str]:
        return Counter(f"h{e.place[0]}" if e.kind == "heading" else e.kind for e in elements)

    of_kept, of_found = kinds(kept), kinds(found)
    return {kind: (of_kept[kind], of_found[kind]) for kind in sorted(of_kept | of_found)}


def text_fault(text: str, rendered: str) -> str:
    """Return where the rendered Markdown leaves the text; a line may lack the mark of a list; "" if it does not."""
    stream, position = ink(rendered), 0
    for line in text.split("\n"):
        if (
            line.strip()
            and stream.startswith(":", position)
            and not any(each.startswith(":") for each in candidates(line))
        ):
            position += 1  # between a label and its value
        for candidate in candidates(line):
            if stream.startswith(candidate, position):
                position += len(candidate)
                break
        else:
            written = stream[max(0, position - 20) : position + CONTEXT]
            return f"text {line.strip()[:CONTEXT]!r}, Markdown {written!r} (from 20 characters before)"
    rest = stream[position : position + CONTEXT]
    return f"Markdown goes on: {rest!r}" if rest else ""


def candidates(line: str) -> Iterator[str]:
    """Yield the ink of a line, then without its first mark, and so on."""
    yield ink(line)
    while mark := MARK.match(line):
        line = line[mark.end() :]
        yield ink(line)


def show(page: Checked) -> None:
    print(f"{page.name}: {page.wrong_counts or 'counts are equal'} (kept, in Markdown)")
    if page.text_fault:
        print(f"  {page.text_fault}")
    for sign, elements in (("-", page.missed), ("+", page.added)):
        for kind, of_kind in elements.items():
            for element in of_kind[:4]:
                print(f"  {sign} {kind} {element.place or ''} {element.text[:80]!r}")
            if len(of_kind) > 4:
                print(f"  {sign} {kind}: {len(of_kind) - 4} more")
    if page.read.raw_tags:
        print(f"  raw tags: {dict(Counter(page.read.raw_tags))}")


def report(pages: list[Checked], method: str) -> tuple[str, dict[str, object]]:
    n = len(pages)
    values: dict[str, object] = {
        "pages": n,
        "right": sum(page.is_right for page in pages),
        "text equal": sum(not page.text_fault for page in pages),
        **{f"{kind} counted equal": sum(right(page, kind) for page in pages) for kind in KINDS},
        **{
            f"{kind} texts equal": sum(not page.missed.get(kind) and not page.added.get(kind) for page in pages)
            for kind in KINDS
        },
        "headings in items": sum(page.read.headings_in_items for page in pages),
        "pages with raw HTML": sum(bool(page.read.raw_tags) for page in pages),
        "raw tags": sum(len(page.read.raw_tags) for page in pages),
        "pages with tables in raw HTML": sum("table" in page.read.raw_tags for page in pages),
        "pages with numeric entities": sum(bool(page.read.entities) for page in pages),
        "pages with empty links or images": sum(bool(page.read.empty) for page in pages),
    }
    seconds = np.array([(page.text_seconds, page.markdown_seconds) for page in pages]).sum(axis=0)
    times = {"ms text": 1000 * seconds[0] / n, "ms markdown": 1000 * seconds[1] / n, "ratio": seconds[1] / seconds[0]}
    rows = [["measure", "pages", "share"]]
    rows += [[name, str(value), f"{value / n:.3f}"] for name, value in values.items() if isinstance(value, int)]
    time_line = f"CPU per page: text {times['ms text']:.2f} ms, Markdown {times['ms markdown']:.2f} ms, ratio {times['ratio']:.2f}."
    return f"## {method}\n\n{markdown_table(rows)}\n{time_line}\n", values | times


def right(page: Checked, kind: str) -> bool:
    return not any(name == kind or (kind == "heading" and name[0] == "h") for name in page.wrong_counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES, help="number of pages")
    parser.add_argument(
        "--show", nargs="?", const="", metavar="PAGE", help="list the wrong pages, or those named so; write no results"
    )
    parser.add_argument(
        "--method", action="append", metavar="NAME", help="only this method; by default the default one and keep-all"
    )
    arguments = parser.parse_args()
    samples = list(sampled(arguments.data, arguments.pages))
    if arguments.show:
        samples = [sample for sample in samples if arguments.show in f"{sample.set}/{sample.id}"]
    parts, values = [], {}
    for method in arguments.method or ["united", "keep-all"]:
        pages = [check(sample, method) for sample in samples]
        if arguments.show is not None:
            for page in pages:
                if arguments.show or not page.is_right:
                    show(page)
        part, values[method] = report(pages, method)
        parts.append(part)
    text = (
        f"# Markdown read back\n\n`python bench/markdown_back.py DATA`, {dt.date.today()}: {len(samples)} pages of all open sets. Right: the "
        "rendered text equals the text up to white space and marks of lists, and headings (by level), list items, links, lines of "
        "code and table cells are as many as in the kept nodes. Texts equal: each element has its counterpart with the same text.\n\n"
        + "\n".join(parts)
    )
    if arguments.show is None and arguments.pages == PAGES and not arguments.method:
        write_results("markdown_back", text, values, judges="shipped")
    else:
        print(text)


if __name__ == "__main__":
    main()
