"""Count the warnings of the pages of all open sets, and list them to be read.

    python bench/page_warnings.py DATA [--every N]

A warning is right or a false alarm; the report names each page, so that a reader can tell.
"""

import argparse
import datetime as dt
from collections import Counter, defaultdict
from pathlib import Path

from dehusk import Status, clean
from dehusk.about.verdict import WARNINGS
from dehusk.lab.evaluate.text_tables import markdown_table
from sets import write_results

WHOLE = (Status.OK, Status.PARTIAL)
SHOWN = 60  # pages that are named for each warning


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, help="Only every such page of each set.")
    options = parser.parse_args()
    rows, named, total = [["set", "pages that are ok", *WARNINGS]], defaultdict(list), Counter[str]()
    for folder in sorted(path for path in options.data.iterdir() if (path / "html").is_dir()):
        found = Counter[str]()
        for page in sorted((folder / "html").iterdir())[:: options.every]:
            document = clean(page.read_bytes())
            found["ok"] += document.status in WHOLE
            for warning in document.warnings if document.status in WHOLE else ():
                found[warning.name] += 1
                message = warning.message.replace("|", "\\|")
                named[warning.name].append(f"| {folder.name} | {page.stem[:40]} | {message} |")
        rows.append([folder.name, *(str(found[name]) for name in ("ok", *WARNINGS))])
        total += found
    rows.append(["all", *(str(total[name]) for name in ("ok", *WARNINGS))])
    lists = "\n".join(listed(name, named[name]) for name in WARNINGS if named[name])
    every = f" --every {options.every}" if options.every > 1 else ""
    text = (
        f"# Warnings\n\n`python bench/page_warnings.py DATA{every}`, {dt.date.today()}: pages with each "
        f"warning.\n\n{markdown_table(rows)}\n{lists}"
    )
    write_results("page_warnings", text, dict(total), judges="shipped")


def listed(name: str, pages: list[str]) -> str:
    more = f"\nand {len(pages) - SHOWN} more\n" if len(pages) > SHOWN else ""
    return f"## {name}\n\n| set | page | what it says |\n| --- | --- | --- |\n" + "\n".join(pages[:SHOWN]) + "\n" + more


if __name__ == "__main__":
    main()
