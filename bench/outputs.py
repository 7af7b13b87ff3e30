"""Compare the outputs of all methods and writers between two versions of dehusk, on 300 pages of the open sets.

    python bench/outputs.py save DATA before        with one version of dehusk installed
    python bench/outputs.py save DATA after         with the other
    python bench/outputs.py compare before after    writes bench/results/outputs.md

A difference is counted by format, and in JSON by key. Labels and probabilities are compared to the last bit.
"""

import argparse
import json
import random
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dehusk
from dehusk.methods.alternation import Alternation
from sets import write_results

SITES = ("site-asp-forums", "site-android-questions", "site-christianbook", "site-zhihu-a")
PER_SET, FROM_WCXB, PER_SITE, LABELLED = 12, 60, 48, 13
PAGE_VARIANTS: dict[str, dict[str, Any]] = {
    "united": {},
    "united-body": {"style": "body", "favour": 0.7},
    "united-comments": {"style": "comments"},
    "victor-web": {"method": "victor"},
    "victor-cleaneval": {"model": "cleaneval"},
    "keep-all": {"method": "keep-all"},
}
SITE_METHODS = ("united", "site", "cst", "wisdom")
FORMATS = ("text", "markdown", "html", "cleaneval", "json")

Page = tuple[str, str | None, bytes]
"""Name, address and bytes."""


def sample(archive: Path, count: int) -> list[Page]:
    """Return some pages of a set, the same ones on every call."""
    with tarfile.open(archive) as files:
        members = {member.name: member for member in files.getmembers()}
        rows = [json.loads(line) for line in files.extractfile(members["pages.jsonl"])]
        rows = random.Random(7).sample(rows, min(count, len(rows)))
        return [
            (row["id"], row.get("url"), files.extractfile(members[f"html/{row['id']}.html"]).read()) for row in rows
        ]


def variants(data: Path) -> Iterator[tuple[str, Page, dict[str, Any]]]:
    """Yield each output to make: its name, the page, the options of `clean`."""
    for archive in sorted(data.glob("*.tar.xz")):
        name = archive.name.removesuffix(".tar.xz")
        if name in SITES:
            pages = sample(archive, PER_SITE)
            parsed = [dehusk.parse(html, url) for _, url, html in pages]
            site, alternation = dehusk.Site().fit(parsed), Alternation().fit(parsed[:16])
            for page in pages[:LABELLED]:
                for method in SITE_METHODS:
                    yield f"{name}/{page[0]}/{method}", page, {"method": method, "site": site}
                yield f"{name}/{page[0]}/alternation", page, {"method": alternation}
            continue
        for page in sample(archive, FROM_WCXB if name == "wcxb-dev" else PER_SET):
            for variant, options in PAGE_VARIANTS.items():
                yield f"{name}/{page[0]}/{variant}", page, options


def outputs(page: Page, options: dict[str, Any]) -> dict[str, Any]:
    """Return every output of a page, ready for JSON."""
    document = dehusk.clean(page[2], url=page[1], explain=True, **options)
    labels = document.labels
    columns = zip(labels.label.tolist(), labels.probability.tolist(), labels.kept.tolist(), strict=True)
    return {
        **{form: document.render(form) for form in FORMATS if form != "json"},
        "json": document.record(evidence=True),
        "overlay": document.overlay,
        "labels": [f"{label} {probability!r} {kept}" for label, probability, kept in columns],
    }


def save(data: Path, folder: Path) -> None:
    """Write the outputs of the installed version, one file per page and variant."""
    count = 0
    for name, page, options in variants(data):
        path = folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(outputs(page, options), ensure_ascii=False), "utf-8")
        count += 1
    print(f"{count} outputs of {dehusk.__file__} in {folder}")


def differences(before: Any, after: Any, key: str) -> Iterator[str]:
    """Yield the path of each value that differs, without indices."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in before.keys() | after.keys():
            yield from differences(before.get(name), after.get(name), f"{key}.{name}" if key else name)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for old, new in zip(before, after, strict=True):
            yield from differences(old, new, key)
    elif before != after:
        yield key


def compare(before: Path, after: Path) -> None:
    """Write which formats and keys differ, in how many outputs."""
    names = sorted(path.relative_to(before) for path in before.rglob("*.json"))
    differing: Counter[str] = Counter()
    for name in names:
        old, new = (json.loads((folder / name).read_text("utf-8")) for folder in (before, after))
        differing.update(set(differences(old, new, "")))
    pages = len({name.parent for name in names})
    checked = [*FORMATS[:-1], "labels"]
    lines = [
        "# Outputs of two versions",
        "",
        f"`python bench/outputs.py compare before after`: {len(names)} outputs of {pages} pages of the open sets.",
        "",
        "| output | outputs that differ |",
        "| --- | --- |",
        *(f"| {name} | {differing[name]} |" for name in checked),
        *(f"| {name} | {count} |" for name, count in sorted(differing.items()) if name not in checked),
    ]
    counts = {name: differing[name] for name in sorted({*checked, *differing})}
    values = {"outputs": len(names), "pages": pages, "differing": counts}
    write_results("outputs", "\n".join(lines) + "\n", values)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["save", "compare"])
    parser.add_argument("first", type=Path, help="save: the folder of sets; compare: outputs of one version")
    parser.add_argument("second", type=Path, help="save: folder for the outputs; compare: outputs of the other version")
    arguments = parser.parse_args()
    (save if arguments.action == "save" else compare)(arguments.first, arguments.second)
