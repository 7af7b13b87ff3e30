"""Compare the metadata of dehusk and trafilatura: title, authors, date and site name.

Gold: `meta` in the pages.jsonl of fundus-a, written by one parser per publisher, and `labels/metadata.jsonl`, written by
hand from the text that a reader sees. A value counts as given if a tool returns one, and as right if it has the letters
and digits of a gold value. Authors count one by one. Where no gold value is known, nothing counts.
"""

import argparse
import datetime as dt
import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import trafilatura

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.read.page import digest
from sets import set_path, write_results

LABELS = Path(__file__).parent.parent / "labels" / "metadata.jsonl"
PUBLISHERS = "fundus-a"
FIELDS = ("title", "authors", "date", "site_name")
Values = Mapping[str, list[str]]
"""Field -> values; of a gold title or site name, the forms that are right."""


@dataclass
class Score:
    """What a tool did on the pages of a set, for one field."""

    given: int = 0
    right: int = 0
    gold: int = 0
    pages: int = 0
    pages_right: int = 0
    """Pages with the right value, or all right authors and no others, or no value where there is none."""

    def row(self) -> list[str]:
        """Return precision, recall, F1 and pages right, for a table."""
        precision, recall = self.right / max(1, self.given), self.right / max(1, self.gold)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        return [*(f"{x:.3f}" for x in (precision, recall, f1)), f"{self.pages_right} of {self.pages}"]


@dataclass(frozen=True)
class GoldPage:
    """A page, its gold values by field (fields that are not decided are missing), and authors that may be given."""

    sample: Sample
    values: Values
    also: tuple[str, ...] = ()


def by_dehusk(sample: Sample) -> Values:
    metadata = dehusk.clean(sample.bare, url=sample.url).metadata
    named = {"title": metadata.title, "date": metadata.date, "site_name": metadata.site_name}
    return {"authors": list(metadata.authors), **{name: [value] if value else [] for name, value in named.items()}}


def by_trafilatura(sample: Sample) -> Values:
    found = trafilatura.extract_metadata(sample.bare, default_url=sample.url)
    if found is None:
        return {name: [] for name in FIELDS}
    named = {"title": found.title, "date": found.date, "site_name": found.sitename}
    authors = [name for name in (found.author or "").split("; ") if name]
    return {"authors": authors, **{name: [value] if value else [] for name, value in named.items()}}


TOOLS: dict[str, Callable[[Sample], Values]] = {
    "dehusk": by_dehusk,
    f"trafilatura {version('trafilatura')}": by_trafilatura,
}


def publishers(data: Path) -> Iterator[GoldPage]:
    """Yield the pages of fundus-a; a site's name is that of its parser, such as "uk.TheGuardian"."""
    path = set_path(data, PUBLISHERS)
    lines = (path / "pages.jsonl").read_text("utf-8").splitlines()
    meta = {row["id"]: row["meta"] for row in map(json.loads, lines)}
    for sample in read_set(path):
        row = meta[sample.id]
        site = (sample.site or "").rpartition(".")[2]
        values = {"title": [row["title"]], "authors": row.get("authors", []), "site_name": [site]}
        yield GoldPage(sample, {**values, "date": [row["publishing_date"][:10]]})


def by_hand(data: Path) -> Iterator[GoldPage]:
    """Yield the pages of labels/metadata.jsonl."""
    rows = {row["page"]: row for row in map(json.loads, LABELS.read_text("utf-8").splitlines())}
    for name in sorted({row["set"] for row in rows.values()}):
        for sample in read_set(set_path(data, name)):
            row = rows.get(digest(sample.data))
            if row and row["id"] == sample.id:
                yield GoldPage(
                    sample, {key: listed(row[key]) for key in FIELDS if key in row}, tuple(row.get("also", ()))
                )


def listed(value: list[str] | str | None) -> list[str]:
    return [value] if isinstance(value, str) else value or []


def letters(text: str) -> str:
    """Return letters and digits without case and accents."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", text).casefold()).removeprefix("the")


def same(field: str, value: str, gold: str, *, loose: bool) -> bool:
    """Return whether a value is that of the gold; names of parsers are only part of the site's name, or contain it."""
    if field == "date":
        return value == gold
    value, gold = letters(value), letters(gold)
    return value == gold or (loose and min(len(value), len(gold)) > 2 and (value in gold or gold in value))


def add(score: Score, field: str, page: GoldPage, found: list[str]) -> bool:
    """Count one field of one page; return whether it is right."""
    gold, loose = page.values[field], field == "site_name" and page.sample.set == PUBLISHERS
    optional = page.also if field == "authors" else ()
    found = [value for value in found if not any(same(field, value, other, loose=False) for other in optional)]
    right = [value for value in found if any(same(field, value, other, loose=loose) for other in gold)]
    wanted = len(gold) if field == "authors" else min(1, len(gold))
    done = len(right) == len(found) and len(right) == wanted
    score.given, score.right, score.gold = score.given + len(found), score.right + len(right), score.gold + wanted
    score.pages, score.pages_right = score.pages + 1, score.pages_right + done
    return done


def measure(pages: list[GoldPage], *, show: bool = False) -> dict[str, dict[str, Score]]:
    """Return tool -> field -> score."""
    scores = {tool: {field: Score() for field in FIELDS} for tool in TOOLS}
    for page in pages:
        for tool, read in TOOLS.items():
            found = read(page.sample)
            for field in page.values:
                if not add(scores[tool][field], field, page, found[field]) and show:
                    print(
                        f"{page.sample.set}/{page.sample.id} {field}: {tool} {found[field]}, gold {page.values[field]}"
                    )
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder")
    parser.add_argument("--show", action="store_true", help="print every value that is not right")
    arguments = parser.parse_args()
    sets = {"fundus-a": list(publishers(arguments.data)), "others": list(by_hand(arguments.data))}
    results = {name: measure(pages, show=arguments.show) for name, pages in sets.items()}
    table = [["pages", "value", "tool", "precision", "recall", "F1", "pages right"]]
    for name, scores in results.items():
        table += [[name, field, tool, *scores[tool][field].row()] for field in FIELDS for tool in TOOLS]
    text = (
        f"# Metadata\n\n`python bench/metadata.py DATA`, {dt.date.today()}. {len(sets['fundus-a'])} pages of fundus-a "
        f"(gold: one parser per publisher), {len(sets['others'])} pages of other sets (gold: labels/metadata.jsonl, by a "
        f"language model). Titles and names are compared by their letters and digits; site names of fundus-a are right if they "
        f"contain the name of the parser, or are contained in it.\n\n{markdown_table(table)}"
    )
    values = {n: {t: {f: asdict(s) for f, s in by.items()} for t, by in r.items()} for n, r in results.items()}
    write_results("metadata", text, values, judges="none")


if __name__ == "__main__":
    main()
