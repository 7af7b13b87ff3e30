"""Count the pages of all open sets that say that there is nothing, by kind, and list them to be read; and the shelf.

    python bench/empty_pages.py DATA [--every N]

A page of these sets with such a status is right or a false alarm; the report names each, so that a reader can tell.
"""

import argparse
import datetime as dt
import json
from collections import Counter, defaultdict
from pathlib import Path

from dehusk import clean
from dehusk.lab.evaluate.text_tables import markdown_table
from sets import write_results

SHELF = Path(__file__).parents[1] / "tests" / "empty_pages"
SHOWN = 12  # pages of a set and kind that are named


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, help="Only every such page of each set.")
    options = parser.parse_args()
    rows, named, total = [["set", "pages", "without a kernel"]], defaultdict(list), 0
    for folder in sorted(path for path in options.data.iterdir() if (path / "html").is_dir()):
        pages, kinds = sorted((folder / "html").iterdir())[:: options.every], Counter[str]()
        for page in pages:
            document = clean(page.read_bytes())
            if document.kind:
                kinds[document.kind] += 1
                named[document.kind].append(
                    f"| {folder.name} | {page.stem[:40]} | {document.title[:50]} | {opening(document.text)} |"
                )
        total += len(pages)
        rows.append([folder.name, str(len(pages)), ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())])
    lists = "\n".join(listed(kind, pages) for kind, pages in sorted(named.items()))
    counts = {kind: len(pages) for kind, pages in sorted(named.items())}
    text = (
        f"# Pages without a kernel\n\n`python bench/empty_pages.py DATA --every {options.every}`, {dt.date.today()}. {total} pages, "
        f"{sum(counts.values())} of them of a kind of `Document.kind`.\n\n{markdown_table(rows)}\n## The shelf\n\n"
        f"Mock-ups, and short pages that seem to be empty; found: said to be without a kernel. The phrases were written "
        f'with the half "seen" before the writer.\n\n{markdown_table(shelf())}\n{lists}'
    )
    write_results("empty_pages", text, {"pages": total, "kinds": counts}, judges="shipped")


def shelf() -> list[list[str]]:
    """Return a table of how many pages of the shelf are told, by kind and half."""
    pages, found = Counter[tuple[str, bool]](), Counter[tuple[str, bool]]()
    for path in (SHELF / "empty.jsonl", SHELF / "ordinary.jsonl"):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            page = json.loads(line)
            pages[page["kind"], number % 2 == 0] += 1
            found[page["kind"], number % 2 == 0] += bool(clean(page["html"]).kind)
    rows = [["kind", "not seen", "found", "seen", "found"]]
    rows += [
        [kind, *(str(counter[kind, seen]) for seen in (False, True) for counter in (pages, found))]
        for kind in dict.fromkeys(kind for kind, _ in pages)
    ]
    return rows


def opening(text: str) -> str:
    return " ".join(text.split())[:70].replace("|", "\\|")


def listed(kind: str, pages: list[str]) -> str:
    """Return the pages of a kind as a table."""
    more = f"\nand {len(pages) - SHOWN} more\n" if len(pages) > SHOWN else ""
    return "\n".join(
        [f"## {kind}\n\n| set | page | title | kept text |\n| --- | --- | --- | --- |", *pages[:SHOWN], more]
    )


if __name__ == "__main__":
    main()
