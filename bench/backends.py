"""Compare the two backends on all pages of the sets and on damaged copies of them.

Each kernel runs beside the function that it twins, on every call (`DEHUSK_BACKEND=check`), and the outputs of whole
pages are compared: text, Markdown, kept blocks, labels, notes and status must be equal, probabilities within 1e-6.
"""

import argparse
import datetime as dt
import os
import random
import tarfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np

import dehusk
from dehusk.backends import Disagreement, using
from dehusk.evaluate.text_tables import markdown_table
from sets import write_results

DAMAGED, LARGEST = 20_000, 400_000
PROBABILITY = 1e-6
"""How far probabilities may be from each other."""
TAGS = (
    "div",
    "p",
    "table",
    "td",
    "li",
    "pre",
    "b",
    "a",
    "span",
    "select",
    "template",
    "svg",
    "noscript",
    "h2",
    "dl",
    "form",
)


def pages(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each page of a set."""
    with tarfile.open(archive) as files:
        for member in files:
            if member.isfile() and member.name.startswith("html/"):
                yield f"{archive.name.partition('.')[0]}/{Path(member.name).stem}", files.extractfile(member).read()


def damaged(page: bytes, other: bytes, chance: random.Random) -> bytes:
    """Return a copy of a page that is damaged in one to three ways."""
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(page) + 1)
        end = start + chance.choice((1, 10, 100, 1000, 10_000))
        way = chance.randrange(5)
        if way == 0:
            page = page[:start] + page[end:]
        elif way == 1:
            page = page[:end] + page[start:end] * chance.choice((1, 3, 20)) + page[end:]
        elif way == 2:
            page = page[:start] + other[chance.randrange(len(other) + 1) :]
        elif way == 3:
            page = page[:start] + bytes(chance.randrange(256) for _ in range(chance.choice((1, 30)))) + page[start:]
        else:
            opened = "".join(
                f"<{chance.choice(TAGS)} class=x{chance.randrange(9)}>t " for _ in range(chance.choice((3, 700)))
            )
            page = page[:start] + opened.encode() + page[start:]
    return page[:LARGEST]


def outcome(data: bytes) -> dict[str, Any]:
    document = dehusk.clean(data)
    labels = document.labels
    return {
        "status": (document.status, document.message, document.notes),
        "kept": labels.kept.tobytes(),
        "label": labels.label.tobytes(),
        "text": document.text,
        "Markdown": document.markdown,
        "probability": labels.probability,
    }


def differing(data: bytes) -> list[str]:
    """Return what differs between the backends: names of kernels, and parts of the outcome."""
    found = []
    try:
        with using("check"):
            outcome(data)
    except Disagreement as why:
        found.append(str(why)[:200])
    with using("numpy"):
        expected = outcome(data)
    with using("compiled"):
        compiled = outcome(data)
    ours, theirs = compiled.pop("probability"), expected.pop("probability")
    near = ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=0, atol=PROBABILITY)
    return found + [name for name in expected if compiled[name] != expected[name]] + ([] if near else ["probability"])


def compare(archive: str, share: float) -> tuple[str, Counter[str], dict[str, list[str]]]:
    """Return the name of a set, counts of pages, and what differs on which page."""
    chance, counts, wrong = random.Random(archive), Counter(), {}
    other = b""
    for name, data in pages(Path(archive)):
        variants = [("pages", data)] + [
            ("damaged", damaged(data, other or data, chance)) for _ in range(_times(share, chance))
        ]
        for number, (kind, variant) in enumerate(variants):
            counts[kind] += 1
            if differences := differing(variant):
                wrong[f"{name}, {kind} {number}"] = differences
        other = data
    return Path(archive).name.partition(".")[0], counts, wrong


def _times(share: float, chance: random.Random) -> int:
    return int(share) + (chance.random() < share % 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets as .tar.xz")
    parser.add_argument("--damaged", type=int, default=DAMAGED, help=f"about how many damaged pages ({DAMAGED:,})")
    parser.add_argument("--only", default="", help="sets, separated by commas")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    chosen = parser.parse_args()
    archives = [path for path in sorted(chosen.data.glob("*.tar.xz")) if not chosen.only or path.name.partition(".")[0] in chosen.only.split(",")]  # fmt: skip
    total = sum(sum(1 for _ in pages(path)) for path in archives)
    rows, wrong = [["set", "pages", "damaged", "differing"]], {}
    with ProcessPoolExecutor(chosen.workers) as pool:
        for name, counts, different in pool.map(compare, map(str, archives), [chosen.damaged / total] * len(archives)):
            rows.append([name, str(counts["pages"]), str(counts["damaged"]), str(len(different))])
            wrong |= different
            print(*rows[-1], flush=True)
    sums = [sum(int(row[column]) for row in rows[1:]) for column in (1, 2, 3)]
    rows.append(["all", *map(str, sums)])
    listed = "".join(f"- {page}: {'; '.join(why)}\n" for page, why in sorted(wrong.items()))
    report = (
        f"# Backends\n\n`python bench/backends.py DATA`, {dt.date.today()}: numpy and compiled modules on all pages of the "
        f"open sets and on damaged copies; each kernel is compared with its function on every call, and "
        f"text, Markdown, labels, notes and status of whole pages; probabilities within {PROBABILITY}.\n\n"
        f"{markdown_table(rows)}" + (f"\n{listed}" if listed else "")
    )
    write_results("backends", report, {"pages": sums[0], "damaged": sums[1], "differing": sums[2], "why": wrong})


if __name__ == "__main__":
    main()
