"""README and docs/: their blocks of code, and a folder with the files that they name."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import warcs

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)? *(?P<fence>`{3,})(?P<language>\w+)\n(?P<code>.*?)^ *(?P=fence)$",
    re.DOTALL | re.MULTILINE,
)
"""A block of code; a comment before it says why it is not run."""
COPIES_OF_TEA = ("page.html", "more.html", "new.html", "new-page.html")
COPIES_OF_ROOM = ("crawl", "new", "new-pages", "news", "saved", "saved/example.org", "saved/shop.example")


def blocks(page: Path, *languages: str) -> Iterator[tuple[str, str | None]]:
    """Yield the blocks of a page in some languages, each with the reason why it is not run."""
    for block in BLOCK.finditer(page.read_text("utf-8")):
        if block["language"] in languages:
            yield block["code"], block["reason"]


def make_files(folder: Path, page: Path) -> None:
    """Make the files that a page names."""
    shutil.copytree(EXAMPLES, folder / "examples")
    (folder / "bench").symlink_to(ROOT / "bench")
    for name in COPIES_OF_TEA:
        shutil.copy(EXAMPLES / "tea.html", folder / name)
    for name in COPIES_OF_ROOM:
        shutil.copytree(EXAMPLES / "tea-room", folder / name, dirs_exist_ok=True)
    shutil.copy(EXAMPLES / "tea.html", folder / "new-pages" / "page.html")
    shutil.copy(EXAMPLES / "rules.toml", folder / "rules.toml")
    _make_labelled(folder)
    _make_archives(folder)
    if page.name == "structure-tree.md":  # docs/mining.md makes its shops itself
        shutil.copytree(EXAMPLES / "tea-magazine", folder / "shops")
    if page.name == "wisdom.md":  # tables of contents
        shutil.copytree(EXAMPLES / "tea-magazine", folder / "saved/example.org", dirs_exist_ok=True)
        shutil.copy(EXAMPLES / "tea-magazine" / "index.html", folder / "new-page.html")


def _make_labelled(folder: Path) -> None:
    for name in ("pages", "other-pages"):
        (folder / name).mkdir()
        for path in sorted((EXAMPLES / "gold-pages" / "html").iterdir()):
            shutil.copy(path, folder / name)
            shutil.copy(EXAMPLES / "gold-pages" / "gold" / f"{path.stem}.txt", folder / name)
    (folder / "corrected").mkdir()
    (folder / "corrected" / "black-tea.txt").write_text("How to brew black tea\n\nBlack tea wants water", "utf-8")


def _make_archives(folder: Path) -> None:
    pages = sorted((EXAMPLES / "tea-magazine").glob("*.html"))
    records = [
        warcs.record(number, warcs.answer(path.read_bytes()), url=f"https://magazine.example/{path.name}")
        for number, path in enumerate(pages)
    ]
    for name in ("job/pages-00000.warc.gz", "crawl.warc.gz"):
        warcs.write(folder / name, records)
