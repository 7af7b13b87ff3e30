"""Write the pages of the generated shops to a folder, as FOLDER/shop/category/1.html and so on.

python bench/shop_folder.py FOLDER --most 12
dehusk cluster FOLDER --by folder --labels folder -o clusters
"""

import argparse
from collections import Counter
from pathlib import Path

from dehusk.lab.papers.shops.pages import generate


def write(folder: Path, *, most: int | None, seed: int = 0) -> int:
    """Write the pages, and return their number."""
    written: Counter[Path] = Counter()
    for page in generate(seed, most=most):
        target = folder / page.site / page.category
        target.mkdir(parents=True, exist_ok=True)
        written[target] += 1
        (target / f"{written[target]}.html").write_text(page.html, "utf-8", newline="\n")
    return written.total()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, help="maximum number of pages per category and shop")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(f"{options.folder}: {write(options.folder, most=options.most, seed=options.seed)} pages")


if __name__ == "__main__":
    main()
