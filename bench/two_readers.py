"""Prepare pages that two people label by the rubric, and turn their labels into files to compare.

    python bench/two_readers.py prepare DATA FOLDER
    python bench/two_readers.py collect FOLDER Ann Bo

`prepare` writes the first `PAGES` pages that two sessions of the language model have labelled, so that the agreement of
people can stand beside that of the model with itself, and FOLDER/README.md with the commands. `collect` writes what each
annotator labelled in `dehusk studio` as FOLDER/<name>.jsonl, for bench/annotators.py.
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dehusk.blocks.annotation import SUFFIX, Annotation
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.lab.gold.hand_labels import HandLabels, join_hand_labels, read_hand_labels, write_hand_labels
from sets import set_path

LABELS = Path(__file__).parents[1] / "labels"
PAGES = 60
STEPS = """# {pages} pages for two people

Read docs/rubric.md first. Label each page alone, without suggestions of a model and without talking about it:

    dehusk studio {folder}/pages --project {folder}/project --annotator Ann
    dehusk studio {folder}/pages --project {folder}/project --annotator Bo

Then compare the two, and each with the language model:

    python bench/two_readers.py collect {folder} Ann Bo
    python bench/annotators.py DATA {folder}/Ann.jsonl {folder}/Bo.jsonl --print
    python bench/annotators.py DATA {folder}/Ann.jsonl labels/pages.jsonl --print
"""


def chosen(most: int = PAGES) -> list[HandLabels]:
    """Return the labels of the first pages that were read twice, by name."""
    twice = {of_page.name for of_page in read_hand_labels(LABELS / "second-readings.jsonl")}
    both = [of_page for of_page in read_hand_labels(LABELS / "pages.jsonl") if of_page.name in twice]
    return sorted(both, key=lambda of_page: of_page.name)[:most]


def prepare(data: Path, folder: Path, labels: list[HandLabels]) -> int:
    """Write the pages and what to do with them; return their number.

    Raises:
        GoldError: a page is missing from its set, or has changed since it was labelled.
        InputError: a set cannot be read.
    """
    samples = _samples(data, labels)
    found = [(of_page, sample.data) for of_page, sample in join_hand_labels(labels, samples)]
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    for of_page, page in found:
        (folder / "pages" / f"{of_page.set}-{of_page.id}.html").write_bytes(page)
    (folder / "README.md").write_text(STEPS.format(pages=len(found), folder=folder), "utf-8")
    return len(found)


def _samples(data: Path, labels: list[HandLabels]) -> Iterator[Sample]:
    for name in sorted({of_page.set for of_page in labels}):
        yield from read_set(set_path(data, name))


def collect(folder: Path, annotator: str, labels: list[HandLabels]) -> int:
    """Write the labels of an annotator in the format of labels/pages.jsonl; return the number of pages.

    Raises:
        GoldError: an annotation is malformed.
    """
    of_bytes = {of_page.annotation.page: of_page for of_page in labels}
    files = sorted((folder / "project" / "annotations" / annotator).rglob(f"*{SUFFIX}"))
    read = [replace(annotation, annotator=annotator) for annotation in map(Annotation.load, files)]
    found = [replace(of_bytes[each.page], annotation=each, flags=()) for each in read if each.page in of_bytes]
    write_hand_labels(folder / f"{annotator}.jsonl", found)
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("prepare")
    first.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    first.add_argument("folder", type=Path)
    then = commands.add_parser("collect")
    then.add_argument("folder", type=Path)
    then.add_argument("annotators", nargs="+")
    arguments = parser.parse_args()
    if arguments.command == "prepare":
        print(f"{prepare(arguments.data, arguments.folder, chosen())} pages; see {arguments.folder}/README.md")
        return
    for annotator in arguments.annotators:
        print(f"{annotator}: {collect(arguments.folder, annotator, chosen())} pages labelled")


if __name__ == "__main__":
    main()
