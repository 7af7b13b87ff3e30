"""Compare the labels that two annotators gave the same pages: Cohen's kappa and F1, by word and by block.

    python bench/annotators.py DATA FIRST SECOND

FIRST and SECOND are files of labels (docs/data.md); only pages in both count.
"""

import argparse
import datetime as dt
from collections import defaultdict
from pathlib import Path

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from dehusk.lab.gold.hand_labels import HandLabels, read_hand_labels
from dehusk.lab.train.labelled_pages import LabelledPage, label_by_hand
from dehusk.label.baseline import KeepAll
from dehusk.measures.agreement import ContentAgreement, content_agreement
from sets import set_path, write_results


def labelled(data: Path, labels: list[HandLabels]) -> list[LabelledPage]:
    """Return the labelled pages, by name."""
    sets = sorted({of_page.set for of_page in labels})
    pages = label_by_hand(labels, (sample for name in sets for sample in read_set(set_path(data, name))), KeepAll())
    return sorted(pages, key=lambda page: page.name)


def compare(data: Path, first: Path, second: Path) -> dict[str, tuple[int, ContentAgreement, ContentAgreement]]:
    """Return kind of page -> number of pages, agreement by word, agreement by block."""
    files = [read_hand_labels(path) for path in (first, second)]
    both = set.intersection(*({of_page.name for of_page in labels} for labels in files))
    pages = [labelled(data, [of_page for of_page in labels if of_page.name in both]) for labels in files]
    counts = defaultdict(lambda: (0, ContentAgreement(), ContentAgreement()))
    for one, other in zip(*pages, strict=True):
        by_block = content_agreement(one.codes, other.codes)
        by_word = content_agreement(one.codes, other.codes, one.blocks.words)
        for kind in ("all", str(one.sample.type)):
            number, words, blocks = counts[kind]
            counts[kind] = number + 1, words + by_word, blocks + by_block
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("first", type=Path)
    parser.add_argument("second", type=Path)
    parser.add_argument("--print", action="store_true", help="print the report; write no results")
    arguments = parser.parse_args()
    counts = compare(arguments.data, arguments.first, arguments.second)
    rows = [["kind", "pages", "kappa by word", "F1 by word", "kappa by block", "F1 by block"]]
    for kind, (pages, words, blocks) in sorted(counts.items()):
        figures = (words.kappa, words.f1, blocks.kappa, blocks.f1)
        rows.append([kind, str(pages), *(f"{figure:.3f}" for figure in figures)])
    text = (
        f"# Agreement of annotators\n\n`python bench/annotators.py DATA {arguments.first.name} {arguments.second.name}`, "
        f"{dt.date.today()}: content against noise, pooled over pages.\n\n{markdown_table(rows)}"
    )
    if arguments.print:
        print(text)
    else:
        write_results("annotators", text, rows, judges="none")


if __name__ == "__main__":
    main()
