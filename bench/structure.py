"""Compare the structure that tools write with gold by a language model: headings, list items, table cells, code, links, images.

Every tool gets the same page: the kernel of a page and nothing else (`kernel_pages.py`). What it writes is read as a reader
of it does: Markdown by a CommonMark parser with GitHub's tables, resiliparse's minimal HTML as HTML. An element is right if
its text is equal up to white space, and its place: the level of a heading, depth and kind of a list item, row and column
of a cell, indentation of a line of code, address of a link or image.
"""

import argparse
import datetime as dt
import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from urllib.parse import urljoin

from dehusk import clean, parse
from dehusk.base.tags import numbers
from dehusk.blocks.layout import is_holder
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from dehusk.write.content.images import find_images
from elements import ELEMENT_KINDS, Element, ElementCounts, compare_elements, ink, unmatched
from kept_elements import kept_elements
from kernel_pages import kernel_page, same_address
from markdown_elements import read_markdown
from sets import set_path, write_results
from structure_labels import PlacedElement, StructureLabels, read_structure_labels

LABELS = Path(__file__).parents[1] / "labels" / "structure.jsonl"
SRCSET = ("srcset", "data-srcset", "data-lazy-srcset")
LAZY = ("data-src", "data-lazy-src", "data-original")
PLURALS = {
    "heading": "headings",
    "item": "list items",
    "cell": "table cells",
    "code": "code lines",
    "link": "links",
    "image": "images",
}

Tool = Callable[[str, str | None], list[Element]]
"""Takes a page and its address; returns the elements of what it writes."""


def dehusk_all(html: str, url: str | None) -> list[Element]:
    return read_markdown(clean(html, url=url, method="keep-all").markdown).elements


def dehusk_default(html: str, url: str | None) -> list[Element]:
    return read_markdown(clean(html, url=url).markdown).elements


def by_trafilatura(html: str, url: str | None) -> list[Element]:
    from trafilatura import extract

    options = {"include_links": True, "include_images": True, "include_tables": True, "include_formatting": True}
    return read_markdown(extract(html, url=url, output_format="markdown", favor_recall=True, **options) or "").elements


def by_resiliparse(html: str, url: str | None) -> list[Element]:
    from resiliparse.extract.html2text import extract_plain_text

    return html_elements(extract_plain_text(html, preserve_formatting="minimal_html", links=True), url)


def by_markitdown(html: str, url: str | None) -> list[Element]:
    from markitdown import MarkItDown, StreamInfo

    info = StreamInfo(mimetype="text/html", extension=".html", charset="utf-8", url=url)
    return read_markdown(MarkItDown().convert_stream(io.BytesIO(html.encode()), stream_info=info).markdown).elements


def by_html2text(html: str, url: str | None) -> list[Element]:
    from html2text import HTML2Text

    writer = HTML2Text(baseurl=url or "", bodywidth=0)
    return read_markdown(writer.handle(html)).elements


def html_elements(html: str, url: str | None) -> list[Element]:
    return [kept.element for kept in kept_elements(clean(html, url=url, method="keep-all").labels)]


def tools() -> dict[str, Tool]:
    return {
        "dehusk, everything kept": dehusk_all,
        "dehusk, as by default": dehusk_default,
        f"trafilatura {version('trafilatura')}": by_trafilatura,
        f"resiliparse {version('resiliparse')}": by_resiliparse,
        f"markitdown {version('markitdown')}": by_markitdown,
        f"html2text {version('html2text')}": by_html2text,
    }


class GoldPage:
    """The gold of one page, and what elements found by a tool are in its terms."""

    def __init__(self, labels: StructureLabels, sample: Sample) -> None:
        page = parse(sample.bare, url=sample.url)
        labels.check(sample.data, page)
        self.html = kernel_page(page, labels)
        self.base = Addresses.of(page).base
        self._images: dict[str, str] = {}
        self.elements = [self._element(page, each) for each in labels.elements]
        self._around_blocks = [
            self._element(page, each) for each in labels.elements if self._is_around_blocks(page, each)
        ]
        self._optional = [self._element(page, each) for each in labels.optional]
        within = f"{same_address(self.base.partition('#')[0]).removesuffix('#')}#"
        links = (each for each in self.elements if each.kind == "link" and str(each.place[0]).startswith(within))
        self._references = {each.text: each.place for each in links}
        self._repeats = list(self._spread(labels, page))

    def seen(self, found: list[Element]) -> list[Element]:
        """Return the elements found, with comparable addresses, without those that are as right as not."""
        comparable = self._joined([self._comparable(each) for each in found])
        added = Counter(comparable) - Counter(self.elements)
        spare = Counter(each for each in self._repeats if each in added)
        for element in self._optional:
            same = (each for each in added if (each.kind, each.text) == (element.kind, element.text))
            if element.kind == "image":
                spare.update({each: added[each] for each in same if each.place == element.place})
            else:
                spare.update(list(same)[:1])
        return list((Counter(comparable) - (spare & added)).elements())

    def _joined(self, found: list[Element]) -> list[Element]:
        """Join links to one address that follow each other, where the gold has them as one, around several blocks.

        Markdown cannot say such a link: it is also right around the first of the blocks only.
        """
        out = [each for each in found if each.kind != "link"]
        for place, group in groupby((each for each in found if each.kind == "link"), key=lambda link: link.place):
            same = list(group)
            text = "".join(link.text for link in same)
            whole = next(
                (gold for gold in self._around_blocks if gold.place == place and gold.text.startswith(text)), None
            )
            out += [whole] if whole else same
        return out

    def _element(self, page: Page, each: PlacedElement) -> Element:
        text = "".join(page.text[start:end] for start, end in each.spans)
        if each.kind == "code":
            return Element("code", text.rstrip())
        if each.kind == "image":
            return Element("image", "", (self._image(page, int(each.place[0])),))
        if each.kind == "link":
            return Element("link", ink(text), (same_address(self._target(page, each)),))
        return Element(each.kind, ink(text), each.place[:2])

    def _target(self, page: Page, each: PlacedElement) -> str:
        return urljoin(self.base, page.attribute(link_of(page, each), "href") or "")

    def _is_around_blocks(self, page: Page, each: PlacedElement) -> bool:
        link = link_of(page, each) if each.kind == "link" else 0
        return bool(link) and bool(is_holder(page)[link : int(page.end[link])].any())

    def _image(self, page: Page, number: int) -> str:
        """Return the address of an image; all addresses that show it are known as this one."""
        node = int(page.nodes_of(numbers("img"))[number])
        address = same_address(find_images(page, Addresses.of(page)).sources[node])
        for shown in shown_addresses(dict(page.attributes.get(node, ()))):
            self._images.setdefault(same_address(urljoin(self.base, shown)), address)
        return address

    def _spread(self, labels: StructureLabels, page: Page) -> Iterator[Element]:
        """Yield the cells that a tool may repeat, because a cell spans rows or columns."""
        for each in labels.elements:
            if each.kind == "cell":
                row, column, rows, columns = map(int, each.place)
                places = ((row + i, column + j) for i in range(rows) for j in range(columns) if i or j)
                yield from (replace(self._element(page, each), place=place) for place in places)

    def _comparable(self, element: Element) -> Element:
        if element.kind not in ("link", "image"):
            return element
        if str(element.place[0]).startswith(("#^", "#%5E")):
            return replace(element, place=self._references.get(element.text, element.place))
        try:
            address = same_address(urljoin(self.base, str(element.place[0])))
        except ValueError:
            address = str(element.place[0])
        return replace(element, place=(self._images.get(address, address) if element.kind == "image" else address,))


def link_of(page: Page, each: PlacedElement) -> int:
    """Return the node of the link around the start of an element's text."""
    covers = (page.text_start <= each.spans[0][0]) & (page.text_end > each.spans[0][0]) & page.is_text
    return int(page.nearest(page.is_one_of(numbers("a")))[covers][0])


def shown_addresses(image: dict[str, str]) -> Iterator[str]:
    """Yield the addresses among an image's attributes that show the image; `src` does not if it waits for another."""
    for candidates in (image.get(name) or "" for name in SRCSET):
        yield from (candidate.strip().split(" ")[0] for candidate in candidates.split(", "))
    lazy = [value for value in (image.get(name) for name in LAZY) if value]
    yield from lazy or [image.get("src") or ""]


def gold_pages(data: Path, show: str | None) -> Iterator[tuple[str, Sample, GoldPage]]:
    labels = [each for each in read_structure_labels(LABELS) if (show or "") in each.name]
    for name in dict.fromkeys(each.set for each in labels):
        samples = {sample.id: sample for sample in read_set(set_path(data, name))}
        for each in (each for each in labels if each.set == name):
            yield each.name, samples[each.id], GoldPage(each, samples[each.id])


def count(data: Path, show: str | None) -> dict[str, dict[str, dict[str, ElementCounts]]]:
    """Return tool -> page -> kind -> counts; with `show`, print what is wrong."""
    counts: dict[str, dict[str, dict[str, ElementCounts]]] = defaultdict(dict)
    for name, sample, gold in gold_pages(data, show):
        for tool, run in tools().items():
            found = gold.seen(run(gold.html, sample.url))
            counts[tool][name] = compare_elements(gold.elements, found)
            if show:
                print_faults(f"{name}, {tool}", gold.elements, found)
    return counts


def print_faults(title: str, gold: list[Element], found: list[Element]) -> None:
    print(f"== {title}")
    for sign, elements in zip("-+", unmatched(gold, found), strict=True):
        for element in elements:
            print(f"  {sign} {element.kind} {element.place or ''} {element.text[:90]!r}")


def totals(counts: dict[str, dict[str, ElementCounts]]) -> dict[str, ElementCounts]:
    return {kind: sum((page[kind] for page in counts.values()), ElementCounts()) for kind in ELEMENT_KINDS}


def report(counts: dict[str, dict[str, dict[str, ElementCounts]]]) -> str:
    sums = {tool: totals(pages) for tool, pages in counts.items()}
    gold = {kind: next(iter(sums.values()))[kind].gold for kind in ELEMENT_KINDS}
    heads = [f"{PLURALS[kind]} ({gold[kind]})" for kind in ELEMENT_KINDS]
    scores = [["tool", *heads], *([tool, *(f"{s[kind].f1:.3f}" for kind in ELEMENT_KINDS)] for tool, s in sums.items())]
    details = [["tool", "kind", "right", "found", "precision", "recall", "F1", "text only: recall"]]
    for tool, of_tool in sums.items():
        for kind, c in of_tool.items():
            texts = f"{c.by_text / c.gold:.3f}"
            figures = (str(c.right), str(c.found), f"{c.precision:.3f}", f"{c.recall:.3f}", f"{c.f1:.3f}", texts)
            details.append([tool, PLURALS[kind], *figures])
    pages = len(next(iter(counts.values())))
    return (
        f"# Structure\n\n`python bench/structure.py DATA`, {dt.date.today()}: F1 of the elements that are right in text and "
        f"place, over {pages} pages with gold by a language model (number of gold elements in brackets). Every tool got the kernel only.\n\n"
        f"{markdown_table(scores)}\n## In detail\n\n{markdown_table(details)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--show", metavar="PAGE", help="print what is wrong on the pages named so; write no results")
    arguments = parser.parse_args()
    counts = count(arguments.data, arguments.show)
    if arguments.show:
        print(report(counts))
        return
    values = {
        tool: {kind: vars(total) for kind, total in totals(pages).items()}
        | {
            "pages": {
                name: {kind: [c.gold, c.found, c.right] for kind, c in page.items()} for name, page in pages.items()
            }
        }
        for tool, pages in counts.items()
    }
    write_results("structure", report(counts), values, judges="shipped")


if __name__ == "__main__":
    main()
