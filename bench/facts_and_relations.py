"""Count the facts that dehusk and other tools keep, of pages that declare or mark them: bylines, prices, and others.

Facts are read with lxml, by rules other than dehusk's. A byline or a date is declared (JSON-LD, meta elements), and the
visible text within `NEAR` short lines of the first h1 shows it: the name, or the day and the year. A caption is the text of
a `figcaption` between two paragraphs of `LONG` words or more that the page's gold text has. A price is declared for the
product, and a short line shows it. So are a product's availability, brand and article number, but for a brand that is
the name of the site: its logo shows that. The product's pairs are the rows of two cells and the terms with one definition,
three or more together, of a page that declares a product, without scripts and styles. What only screen readers say is no
part of a line, nor is a number of comments behind a date; a rating by customers is no pair: the rubric has both out. A
fact is kept if its line is in the text of a tool. Everything is the ceiling, nothing the floor. And headings of Markdown
with nothing below: the next line of text is a heading of its level or a higher one, or there is none. The shipped model saw these
pages; what fills the slots was not fitted to them, but written with some at hand.
"""

import copy
import datetime as dt
import itertools
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import html as lxml_html

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import word_bag
from dehusk.read import decode
from sets import data_argument, set_path, write_results

SETS = ("wcxb-dev", "fundus-a", "product-a")
COUNTED = re.compile(r"\W*\d+ comments?$", re.IGNORECASE)
RATED = re.compile(r"\d[\d.,]* (?:customer )?(?:ratings?|reviews?|voti|sternebewertungen|votes?)\b", re.IGNORECASE)
GOLD_SETS = ("wcxb-dev", "fundus-a", "scrapinghub-a", "chaos-a", "daniel-a", "l3s-gn1-a", "dragnet-a", "readability-a")
HEADING_SETS = ("wcxb-dev", "recipes-a")
KINDS = ("byline", "date", "caption", "price", "availability", "brand", "number", "pair")
NEAR, SHORT, LONG, PAGES = 12, 14, 20, 300
Lines = list[str]
Facts = list[tuple[str, str]]


def folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _unspaced(text: str) -> str:
    """Return the letters and digits of a text: whether words that touch are written apart does not count here."""
    return folded(text).replace(" ", "")


def lines_of(tree: lxml_html.HtmlElement) -> tuple[Lines, int]:
    """Return the lines of a page's body, and the number of the first h1's."""
    lines, heading = [""], 0
    for event, element in _walk(tree):
        is_block = isinstance(element.tag, str) and element.tag not in INLINE
        if is_block and lines[-1].strip():
            lines.append("")
        if event == "start" and element.tag == "h1" and not heading:
            heading = len(lines) - 1
        lines[-1] += (element.text if event == "start" else element.tail) or ""
    return [" ".join(line.split()) for line in lines], heading


INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "cite",
        "code",
        "em",
        "font",
        "i",
        "img",
        "mark",
        "q",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
        "svg",
        "path",
    ]
)
_SKIPPED = frozenset(["script", "style", "noscript", "template", "head", "iframe", "select"])
_FOR_READERS = re.compile(r"sr-only|sr-text|screen-?reader|visually-?hidden", re.IGNORECASE)
"""Classes of texts that only screen readers say; most say again what is shown beside them."""

_UNSHOWN = re.compile(r"display\s*:\s*none", re.IGNORECASE)


def _walk(element: lxml_html.HtmlElement) -> Iterator[tuple[str, lxml_html.HtmlElement]]:
    """Yield the start and the end of each element with text that can be seen; of style sheets, only its own style."""
    steps = [("start", element)]
    while steps:
        event, at = steps.pop()
        if event == "end":
            yield "end", at
            continue
        steps.append(("end", at))
        is_element = isinstance(at.tag, str) and at.tag not in _SKIPPED
        if is_element and not _FOR_READERS.search(at.get("class", "")) and not _UNSHOWN.search(at.get("style", "")):
            yield "start", at
            steps += [("start", child) for child in reversed(at)]


def declared(tree: lxml_html.HtmlElement) -> dict[str, list[str]]:
    """Return the authors, dates and prices that a page declares."""
    found: dict[str, list[str]] = defaultdict(list)
    for script in tree.xpath("//script[@type='application/ld+json']"):
        for name, value in _pairs(script.text_content()):
            found[name].append(value)
    for name, places in METAS.items():
        found[name] += [value for place in places for value in tree.xpath(place)]
    return found


METAS = {
    "author": ("//meta[@name='author']/@content", "//meta[@property='article:author']/@content"),
    "datePublished": ("//meta[@property='article:published_time']/@content",),
    "price": ("//meta[contains(@property, 'price:amount')]/@content", "//*[@itemprop='price']/@content"),
    "availability": ("//meta[contains(@property, 'availability')]/@content", "//*[@itemprop='availability']/@href"),
    "brand": ("//meta[@property='product:brand']/@content", "//meta[@itemprop='brand']/@content"),
    "sku": ("//*[@itemprop='sku']/@content", "//*[@itemprop='mpn']/@content"),
    "mpn": (),
    "gtin13": (),
}
MONEY = re.compile(r"[$€£¥₹₽₩₺₴]|\b(?:[A-Z]{3}|kr|zł|Kč|руб)\b|[円元원]|\d[.,]\d\d(?!\d)")
STOCK = re.compile(
    r"(?:availability\W+)?(?:in stock|low in stock|out of stock|sold out|only \d+ left|pre-?order|available to order|not available"
    r"|no longer available|auf lager|lieferbar|ausverkauft|en stock|épuisé|agotado|esgotado|esaurito|op voorraad|uitverkocht"
    r"|dostępny|w magazynie|skladem|i lager|på lager|stokta|в наличии|нет в наличии|在庫|有货|缺货)",
    re.IGNORECASE,
)


def _pairs(source: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of linked data that are about an article or a product."""
    try:
        waiting = [(json.loads(source), "")]
    except (ValueError, RecursionError):
        return
    while waiting:
        thing, name = waiting.pop()
        if isinstance(thing, list):
            waiting += [(part, name) for part in thing[:50]]
        elif isinstance(thing, dict):
            if name in ("author", "brand"):
                waiting.append((thing.get("name"), name))
            waiting += [(value, key) for key, value in thing.items() if name not in ("author", "brand")]
        elif name in METAS and isinstance(thing, str | int | float):
            yield name, str(thing)


def facts_of(sample: Sample) -> Facts:
    """Return the facts of a page: kind, and the line that shows it."""
    tree = lxml_html.document_fromstring(
        decode(sample.bare).text.encode(), parser=lxml_html.HTMLParser(encoding="utf-8")
    )
    lines, heading = lines_of(tree)
    known = declared(tree)
    near = [line for line in lines[max(heading - NEAR, 0) : heading + NEAR] if 0 < len(line.split()) <= SHORT]
    found: Facts = []
    names = [name for name in map(folded, known["author"]) if 2 <= len(name.split()) <= 5]
    found += _first("byline", near, lambda line: any(name in folded(line) for name in names))
    days = [match.groups() for value in known["datePublished"] if (match := re.match(r"(\d{4})-(\d\d)-(\d\d)", value))]
    dated = [COUNTED.sub("", line).strip() for line in near]
    found += _first("date", dated, lambda line: any(_shows_day(line, *day) for day in days))
    found += [("caption", caption) for caption in _captions(tree, lines, folded(sample.gold_text or ""))]
    prices = known["price"] + (
        [fact for fact in sample.facts if re.fullmatch(r"\d+([.,]\d+)?", fact)] if sample.set == "product-a" else []
    )
    short = [line for line in lines if 0 < len(line.split()) <= SHORT]
    found += _first("price", short, lambda line: any(_shows_price(line, price) for price in prices))
    of_product = _of_product(tree, known, short, sample.site or sample.url or "") if prices else ()
    return [*found, *(fact for fact in of_product if not (fact[0] == "pair" and RATED.search(fact[1])))]


def _of_product(
    tree: lxml_html.HtmlElement, known: dict[str, list[str]], short: Lines, site: str
) -> Iterator[tuple[str, str]]:
    """Yield what a page that declares the price of a product shows of it."""
    if known["availability"]:
        saying = [line for line in short if len(line.split()) <= 8 and STOCK.match(line)]
        yield from _first("availability", saying, lambda line: saying.count(line) < 4)  # others are of variants
    brands = [brand for brand in map(folded, known["brand"][:1]) if brand and not _names(site, brand)]
    if brands and any(f" {brands[0]} " in f" {folded(line)} " for line in short):
        yield "brand", brands[0]
    numbers = {folded(number) for name in ("sku", "mpn", "gtin13") for number in known[name]}
    numbers = {number for number in numbers if len(number) > 3}
    yield from _first("number", short, lambda line: any(f" {number} " in f" {folded(line)} " for number in numbers))
    for pairs in (*map(_rows, tree.iter("table")), *map(_terms, tree.iter("dl"))):
        if len(pairs) >= 3:
            yield from (("pair", f"{label} {value}") for label, value in pairs)


def _names(site: str, brand: str) -> bool:
    """Return whether the host or the address of a site has a brand as its name, also without its accents."""
    plain = unicodedata.normalize("NFKD", brand).encode("ascii", "ignore").decode().replace(" ", "")
    return bool(plain) and plain in re.split(r"[^a-z0-9]+", site.lower())


def _shown(element: lxml_html.HtmlElement) -> str:
    """Return the text of an element, without scripts and styles."""
    texts = ((at.text if event == "start" else at.tail if at is not element else "") for event, at in _walk(element))
    return " ".join("".join(text or "" for text in texts).split())


def _rows(table: lxml_html.HtmlElement) -> list[tuple[str, str]]:
    """Return the label and the value of each row of a table of two columns."""
    rows = [[_shown(cell) for cell in row.xpath("./td|./th")] for row in table.iter("tr")]
    filled = [row for row in rows if any(row)]
    is_pairs = not table.xpath(".//table") and all(len(row) == 2 for row in filled)
    return [(row[0], row[1]) for row in filled if all(row)] if is_pairs else []


def _terms(definitions: lxml_html.HtmlElement) -> list[tuple[str, str]]:
    """Return the terms with one definition."""
    parts = list(definitions.iter("dt", "dd"))
    texts = [_shown(part) for part in parts]
    tags = [part.tag for part in parts]
    return [
        (texts[at], texts[at + 1])
        for at in range(len(parts) - 1)
        if tags[at : at + 3] in (["dt", "dd", "dt"], ["dt", "dd"]) and all(texts[at : at + 2])
    ]


def _first(kind: str, lines: Lines, shows: Callable[[str], bool]) -> Facts:
    return [(kind, line) for line in lines if shows(line)][:1]


def _shows_day(line: str, year: str, _month: str, day: str) -> bool:
    numbers = re.findall(r"\d+", line)
    return year in numbers and (day in numbers or day.lstrip("0") in numbers)


def _shows_price(line: str, price: str) -> bool:
    whole, _, part = price.replace(",", ".").partition(".")
    forms = {f"{whole}{part:0<2}"} | ({whole} if not part.strip("0") else set())
    is_money = MONEY.search(line) is not None
    return is_money and any(re.sub(r"\D", "", amount) in forms for amount in re.findall(r"\d[\d.,' \u00a0]*", line))


def _captions(tree: lxml_html.HtmlElement, lines: Lines, gold: str) -> Iterator[str]:
    """Yield the captions between the first and the last paragraph that the gold text has."""
    kept = [number for number, line in enumerate(lines) if len(line.split()) >= LONG and folded(line) in gold]
    for element in tree.iter("figcaption"):
        caption = " ".join(element.text_content().split())
        if kept and 3 <= len(caption.split()) <= 100 and caption in lines[kept[0] : kept[-1]]:
            yield caption


def outputs(sample: Sample) -> dict[str, str]:
    """Return the text of each tool."""
    from tools import TOOLS, run  # what counts the facts works without them

    html = decode(sample.bare).text
    texts = {"everything": "\n".join(dehusk.segment(dehusk.parse(sample.bare)).texts)}
    texts |= {name: run(tool, html)[0] for name, tool in TOOLS.items() if name != "all text"}
    texts |= {f"dehusk, {style}": dehusk.clean(sample.bare, style=style).text for style in ("body", "core", "auto")}
    return texts


def some(data: Path, name: str) -> list[Sample]:
    """Return at most `PAGES` pages of a set, evenly spaced."""
    samples = list(read_set(set_path(data, name)))
    return samples[:: -(-len(samples) // PAGES)]


def kept_rows(data: Path) -> list[list[str]]:
    """Return a row for each set and kind: how many facts, and which share each tool keeps."""
    rows: list[list[str]] = []
    for name in SETS:
        counts: dict[str, list[int]] = {}
        tools: list[str] = []
        for sample in some(data, name):
            if not (facts := facts_of(sample)):
                continue
            texts = {tool: _unspaced(text) for tool, text in outputs(sample).items()}
            tools = list(texts)
            for kind, line in facts:
                row = counts.setdefault(kind, [0] * (len(texts) + 1))
                row[0] += 1
                for at, text in enumerate(texts.values(), 1):
                    row[at] += _unspaced(line) in text
        rows = rows or [["set", "fact", "facts", *tools]]
        rows += [
            [name, kind, str(counts[kind][0]), *(f"{kept / counts[kind][0]:.2f}" for kept in counts[kind][1:])]
            for kind in KINDS
            if kind in counts
        ]
    return rows


def cost_rows(data: Path) -> list[list[str]]:
    """Return word F1 against gold texts that leave these facts out or not, with the slots and without."""
    rows = [["set", "pages", "F1 without slots", "with slots", "difference, 95 %"]]
    method = dehusk.load_method()
    bare = copy.copy(method)  # the model is shared
    bare.filled = lambda labels: labels  # type: ignore[attr-defined, method-assign]
    for name in GOLD_SETS:
        pairs, sites = [], []
        for sample in some(data, name):
            blocks = method.segment(dehusk.parse(sample.bare))
            if not len(blocks) or not sample.gold_text:
                continue
            sites.append(sample.site or sample.id)
            without, filled = bare.label(blocks), method.label(blocks)
            texts = ("\n".join(one.blocks.texts[block] for block in one.kept.nonzero()[0]) for one in (without, filled))
            pairs.append([word_bag(text, sample.gold_text).f1 for text in texts])
        before, after = (sum(pair[at] for pair in pairs) / len(pairs) for at in (0, 1))
        interval = bootstrap_interval([pair[1] - pair[0] for pair in pairs], sites)
        rows.append(
            [
                name,
                str(len(pairs)),
                f"{before:.3f}",
                f"{after:.3f}",
                f"{after - before:+.3f} ({interval.low:+.3f} to {interval.high:+.3f})",
            ]
        )
    return rows


def heading_rows(data: Path) -> list[list[str]]:
    """Return how many headings of each tool's Markdown have nothing below, on how many pages."""
    from trafilatura import extract  # what counts the facts works without it

    method = dehusk.load_method()
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for name in HEADING_SETS:
        for sample in some(data, name):
            html = decode(sample.bare).text
            texts = {
                "trafilatura": extract(html, output_format="markdown") or "",
                "dehusk, body": dehusk.clean(sample.bare, style="body").markdown,
                "dehusk, auto": dehusk.clean(sample.bare, method=method).markdown,
            }
            for tool, text in texts.items():
                levels = [len(match[1]) if (match := re.match("(#+) ", line)) else 0 for line in _lines(text)]
                bare = sum(0 < after <= at for at, after in itertools.pairwise([*levels, 1]) if at)
                counts[tool] = [a + b for a, b in zip(counts[tool], (1, bare > 0, bare), strict=True)]
    return [
        ["tool", "pages", "with such headings", "headings"],
        *([tool, *map(str, row)] for tool, row in counts.items()),
    ]


def _lines(markdown: str) -> Iterator[str]:
    """Yield the lines with text outside of code."""
    is_code = False
    for line in markdown.splitlines():
        is_code ^= line.lstrip().startswith(("```", "~~~"))
        if line.strip():
            yield "code" if is_code else line


def main() -> None:
    data = data_argument(__doc__)
    kept, cost, bare = kept_rows(data), cost_rows(data), heading_rows(data)
    text = (
        f"# Facts at the headline, captions, prices\n\n`python bench/facts_and_relations.py DATA`, {dt.date.today()}, "
        f"{PAGES} pages of a set at most. Share of the facts that are kept.\n\n{markdown_table(kept)}\n## What they cost"
        f"\n\nWord F1 of style `auto` against the gold texts.\n\n{markdown_table(cost)}\n## Headings with nothing below\n\n"
        f"In Markdown, of {' and '.join(HEADING_SETS)}.\n\n{markdown_table(bare)}"
    )
    write_results("facts_and_relations", text, {"kept": kept, "cost": cost, "headings": bare}, judges="shipped")


if __name__ == "__main__":
    main()
