"""Say how often style `auto` follows the rules of docs/rubric.md, as the other benches have measured it.

    python bench/rubric_followed.py

A share of "dehusk by folds", or of unseen.md, is of models that were trained on no page of the same site. The other shares are of the shipped
model, which has seen pages of most open sets, and of slots whose rules were written with such pages at hand.
"""

import datetime as dt
from dataclasses import dataclass

from dehusk.lab.evaluate.text_tables import markdown_table
from result_tables import RESULTS, read_table
from sets import write_results

FOLDS, UNSEEN = "dehusk by folds", "unseen"
RIVAL = "trafilatura 2.3.1"
RIVALS = {FOLDS: RIVAL, "dehusk, auto": RIVAL, "dehusk": RIVAL}
"""dehusk, and the rival beside it, in the cells of a row and in the headings."""


@dataclass(frozen=True)
class Measure:
    """A cell of a report that measures a rule.

    Attributes:
        rule: the rule, and its number in docs/rubric.md if it has one.
        counted: what is counted, of what.
        report: the report without its suffix.
        row: cells of the row, each in any column.
        column: heading of the column.
        heading: the heading above the table; by default the first table of the report.
    """

    rule: str
    counted: str
    report: str
    row: tuple[str, ...]
    column: str
    heading: str | None = None

    @property
    def by_folds(self) -> bool:
        """Whether the model was trained on no page of the same site."""
        return self.report == UNSEEN or FOLDS in (*self.row, self.column)

    def value(self) -> str:
        """Return the share.

        Raises:
            ValueError: the report does not have exactly one such row, or no such column.
        """
        return self._cell(self.row, self.column)

    def of_rival(self) -> str:
        """Return the share of the rival; "-" if it was not measured."""
        row = tuple(RIVALS.get(cell, cell) for cell in self.row)
        column = "trafilatura, Markdown" if self.report == "wholeness" else RIVALS.get(self.column, self.column)
        return self._cell(row, column) if (row, column) != (self.row, self.column) else "-"

    def _cell(self, row: tuple[str, ...], column: str) -> str:
        heading, *rows = read_table(RESULTS / f"{self.report}.md", self.heading)
        (found,) = [each for each in rows if set(row) <= set(each)]
        return found[heading.index(column)].partition(" (")[0]


def of_slots(rule: str, counted: str, fact: str, sets: str) -> list[Measure]:
    """Return the measures of a slot, one for each set."""
    return [
        Measure(rule, f"{counted}, {name}", "facts_and_relations", (name, fact), "dehusk, auto")
        for name in sets.split()
    ]


def of_facts(rule: str, counted: str, name: str, column: str) -> Measure:
    """Return a measure of the facts of a set."""
    return Measure(rule, f"{counted}, {name}", UNSEEN, (name, "dehusk"), column, "Facts")


MEASURES = (
    Measure(
        "1 units are whole", "tables of which something is kept, all sets", "completeness", ("all", FOLDS), "tables"
    ),
    Measure("1 units are whole", "rows of tables", "completeness", ("all", FOLDS), "rows"),
    Measure("1 units are whole", "lists", "completeness", ("all", FOLDS), "lists"),
    Measure("1 units are whole", "lists of records", "completeness", ("all", FOLDS), "records"),
    Measure("2 the title", "h1 of the gold text kept, wcxb-dev", "wholeness", ("h1 in gold: kept",), FOLDS),
    Measure(
        "2 headings over kept text",
        "headings of the gold text kept, wcxb-dev",
        "wholeness",
        ("headings in gold above kept text: kept",),
        FOLDS,
    ),
    *of_slots("3 bylines", "declared and visible ones kept", "byline", "wcxb-dev fundus-a"),
    *of_slots("3 dates", "declared and visible ones kept", "date", "wcxb-dev fundus-a"),
    *of_slots("3 captions", "kept", "caption", "wcxb-dev fundus-a"),
    *of_slots("product: price", "declared and visible ones kept", "price", "product-a"),
    *of_slots("product: availability", "declared and visible ones kept", "availability", "product-a"),
    *of_slots("product: brand", "declared and visible ones kept", "brand", "product-a"),
    *of_slots("product: number", "declared and visible ones kept", "number", "product-a"),
    *of_slots("product: the whole specification", "pairs kept", "pair", "product-a"),
    of_facts("recipe: ingredients and steps", "facts kept", "recipes-a", "facts kept"),
    of_facts("recipe: all of them", "pages with all facts", "recipes-a", "pages whole"),
    of_facts("register: every row", "facts kept", "courts-a", "facts kept"),
    of_facts("product: every attribute", "facts kept", "product-a", "facts kept"),
    Measure("thread: the text of every post", "posts with their text, harvest-a", "posts", ("all",), "text"),
)


def main() -> None:
    rows = [["rule", "counted", "followed", "on pages not trained on", RIVAL, "report"]]
    for each in MEASURES:
        trained = "yes" if each.by_folds else "no"
        link = f"[{each.report}]({each.report}.md)"
        rows.append([each.rule, each.counted, each.value(), trained, each.of_rival(), link])
    text = (
        f"# The rubric, as style `auto` follows it\n\n`python bench/rubric_followed.py`, {dt.date.today()}: from the "
    )
    text += f"reports of other benches.\n\n{markdown_table(rows)}"
    write_results("rubric_followed", text, {f"{row[0]}: {row[1]}": row[2] for row in rows[1:]}, judges="shipped")


if __name__ == "__main__":
    main()
