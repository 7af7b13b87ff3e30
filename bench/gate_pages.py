"""Write the pages of the quality gate as a set: `python bench/gate_pages.py FOLDER`.

They were all written for dehusk: pages of engines, threads of engines and `examples/gold-pages`. Gold of the first two is
the text of the Markdown beside each, which somebody accepted by reading it with the page.
"""

import argparse
import json
import shutil
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
GOLD_PAGES, GOLDEN = ROOT / "examples" / "gold-pages", ("page_engines", "engines")
_READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def write_gate_pages(folder: Path) -> int:
    """Write the set, and return how many pages it has."""
    for name in ("html", "gold"):
        shutil.copytree(GOLD_PAGES / name, folder / name)
    rows = (GOLD_PAGES / "pages.jsonl").read_text("utf-8").splitlines()
    for kind in GOLDEN:
        for page in sorted((ROOT / "tests" / kind).glob("*.html")):
            key = f"{kind}-{page.stem}"
            shutil.copy(page, folder / "html" / f"{key}.html")
            (folder / "gold" / f"{key}.txt").write_text(text_of(page.with_suffix(".md").read_text("utf-8")), "utf-8")
            rows.append(json.dumps({"id": key}))
    (folder / "pages.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    return len(rows)


def text_of(markdown: str) -> str:
    """Return the texts of Markdown, one line for each of its blocks."""
    lines = list[str]()
    for token in _READER.parse(markdown):
        if token.type == "inline":
            parts = (part for part in token.children or () if part.type != "image")
            lines.append("".join(" " if part.type in ("softbreak", "hardbreak") else part.content for part in parts))
        elif token.type in ("fence", "code_block"):
            lines.append(token.content)
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder that does not exist yet")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True)
    print(f"{write_gate_pages(folder)} pages")


if __name__ == "__main__":
    main()
