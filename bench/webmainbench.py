"""WebMainBench's measures of the Markdown of dehusk and of other tools, beside floors and the longest block.

`python bench/webmainbench.py DATA` judges the sets that `dehusk sets get DATA webmainbench webmainbench-545` builds. ROUGE-N
compares with the Markdown that html2text makes of the marked elements, on all pages; edit similarities and TEDS with the
Markdown that people corrected, on the pages that have it (`dehusk.measures.main_markdown` says where they come from). All
Markdown is without addresses of links and without images, as the gold is. The paper's own way is HTML that html2text
converts; what writes Markdown itself has another row.
"""

import datetime as dt
import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from dehusk import clean, parse, segment
from dehusk.lab.evaluate.rivals import RIVALS, RULE, kept_text
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import set_fingerprint
from dehusk.measures.main_markdown import PARTS, part_edits, rouge_n, table_trees
from sets import data_argument, write_results

SETS = ("webmainbench", "webmainbench-545")
LEVELS = ("simple", "mid", "hard")
TEDS = "TEDS"
MEASURES = (*PARTS, TEDS)
TREES = "table trees"

Tool = Callable[[str, str | None], str]
"""Takes a page and its address; returns Markdown."""


@dataclass(frozen=True)
class MainPage:
    """A page of WebMainBench."""

    html: str
    url: str | None
    level: str
    converted: str | None
    """What html2text makes of the marked elements."""
    corrected: str | None


@dataclass(frozen=True)
class PageFigures:
    """What one tool reaches on a page."""

    level: str
    failed: bool
    rouge: float | None
    edits: dict[str, float]
    """Measure -> similarity; without those that the page does not have."""


def converted(html: str, url: str | None) -> str:
    """Convert HTML as the set's converter does."""
    from html2text import HTML2Text

    writer = HTML2Text(baseurl=url or "", bodywidth=0)
    writer.ignore_links = writer.ignore_images = True
    return writer.handle(html)


def dehusk_markdown(html: str, url: str | None) -> str:
    return clean(html, url=url).render("markdown", links="drop", images=False)


def dehusk_html(html: str, url: str | None) -> str:
    return converted(clean(html, url=url).html, url)


def trafilatura_markdown(html: str, url: str | None) -> str:
    from trafilatura import extract

    return extract(html, url=url, output_format="markdown", include_formatting=True) or ""


def trafilatura_html(html: str, url: str | None) -> str:
    from trafilatura import extract

    return converted(extract(html, url=url, output_format="html", include_formatting=True) or "", url)


def resiliparse_text(html: str, _: str | None) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(html, main_content=True))


def readability_html(html: str, url: str | None) -> str:
    from readability import Document

    return converted(Document(html).summary(html_partial=True), url)


def rule_text(name: str) -> Tool:
    """Return the texts of the blocks that a rule keeps, each a paragraph."""

    def keep(html: str, url: str | None) -> str:
        blocks = segment(parse(html, url=url))
        return kept_text(blocks, RIVALS[name](blocks)).replace("\n", "\n\n")

    return keep


def of_others() -> Iterator[tuple[str, Tool]]:
    """Yield the other tools that are installed."""
    writers = (
        ("trafilatura", "Markdown", trafilatura_markdown),
        ("trafilatura", "HTML by html2text", trafilatura_html),
        ("resiliparse", "text", resiliparse_text),
        ("readability-lxml", "HTML by html2text", readability_html),
    )
    for package, form, write in writers:
        with suppress(PackageNotFoundError):
            yield f"{package} {version(package)}, {form}", write


TOOLS: dict[str, Tool] = {
    "everything": converted,
    "nothing": lambda _html, _url: "",
    "longest block": rule_text("longest block"),
    RULE: rule_text(RULE),
    **dict(of_others()),
    "dehusk, Markdown": dehusk_markdown,
    "dehusk, HTML by html2text": dehusk_html,
}


def pages_of(folder: Path) -> Iterator[MainPage]:
    """Read a set page by page: the larger one does not fit into the memory of a small machine."""
    with (folder / "pages.jsonl").open(encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            gold = folder / "gold" / f"{row['id']}.txt"
            yield MainPage(
                (folder / "html" / f"{row['id']}.html").read_text("utf-8-sig"),
                row.get("url"),
                row.get("level", ""),
                gold.read_text("utf-8") if gold.exists() else None,
                row.get("calibrated"),
            )


def judged(page: MainPage) -> dict[str, PageFigures]:
    """Judge all tools on one page."""
    found = {}
    for name, tool in TOOLS.items():
        try:
            text, failed = tool(page.html, page.url), False
        except Exception:  # (any exception counts as a failure of the tool)
            text, failed = "", True
        rouge = None if page.converted is None else rouge_n(text, page.converted).f1
        edits = {} if page.corrected is None else similarities(text, page.corrected)
        found[name] = PageFigures(page.level, failed, rouge, edits)
    return found


def similarities(text: str, gold: str) -> dict[str, float]:
    """Return the similarity of each part that one of the sides has."""
    found = {part: edits.similarity for part, edits in part_edits(text, gold).items() if edits.length}
    trees = table_trees(text, gold)
    return found if trees is None else {**found, TEDS: trees.similarity}


def rouge_table(figures: Mapping[str, list[PageFigures]]) -> list[list[str]]:
    """Return mean ROUGE-N F1 of each tool, by the level of the page."""
    table = [["tool", "pages", "failed", "all", *LEVELS]]
    for name, of_tool in figures.items():
        scored = [(page.level, page.rouge) for page in of_tool if page.rouge is not None]
        by_level = [[rouge for at, rouge in scored if level in ("", at)] for level in ("", *LEVELS)]
        failed = sum(page.failed for page in of_tool)
        table.append([name, str(len(scored)), str(failed), *map(mean, by_level)])
    return table


def edit_table(figures: Mapping[str, list[PageFigures]]) -> list[list[str]]:
    """Return the mean similarities of each tool with their numbers of pages, and the mean of these means."""
    table = [["tool", "overall", *(TREES if name == TEDS else name for name in MEASURES)]]
    for name, of_tool in figures.items():
        values = [[page.edits[measure] for page in of_tool if measure in page.edits] for measure in MEASURES]
        means = [np.mean(of_measure) for of_measure in values if of_measure]
        cells = [f"{mean(of_measure)} ({len(of_measure)})" if of_measure else "" for of_measure in values]
        table.append([name, mean(means), *cells])
    return table


def mean(values: list[float]) -> str:
    return f"{np.mean(values):.4f}" if values else ""


def main() -> None:
    data = data_argument(__doc__ or "")
    found = [name for name in SETS if (data / name / "pages.jsonl").is_file()]
    if not found:
        print(f"{data} holds no {' or '.join(SETS)}: dehusk sets get {data} {' '.join(SETS)}", file=sys.stderr)
        return
    parts, tables = [], {}
    for name in found:
        figures: dict[str, list[PageFigures]] = defaultdict(list)
        with get_context("fork").Pool(2) as pool:
            for of_page in pool.imap(judged, pages_of(data / name), chunksize=4):
                for tool, of_tool in of_page.items():
                    figures[tool].append(of_tool)
        tables[name] = {"ROUGE-5 F1": rouge_table(figures)}
        if any(page.edits for page in figures["everything"]):
            tables[name]["Edit similarity"] = edit_table(figures)
        parts += [f"## {title} on {name}\n\n{markdown_table(table)}" for title, table in tables[name].items()]
    text = (
        f"# WebMainBench\n\n`python bench/webmainbench.py DATA`, {dt.date.today()}. ROUGE-5 F1 with the converted Markdown, mean "
        f"over pages, by level; similarities with the corrected Markdown, each the mean over the pages (in brackets) of which "
        f"one side has that part, and overall the mean of these. Published figures of table trees, and overall, are not "
        f"comparable. The {RULE} keeps blocks of ten words or more, less than a third of them in links.\n\n"
        + "\n".join(parts)
    )
    sets = {name: set_fingerprint(data / name) for name in found}
    write_results("webmainbench", text, {"sets": sets, "tables": tables}, judges="shipped")


if __name__ == "__main__":
    main()
