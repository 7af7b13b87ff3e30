"""Compare the outputs of two versions of dehusk: of all methods and writers, on all pages of the open sets or any folder.

    python bench/outputs.py freeze PAGES before.jsonl [--every 10]    with one version of dehusk installed
    python bench/outputs.py freeze PAGES after.jsonl [--every 10]     with the other
    python bench/outputs.py compare before.jsonl after.jsonl          writes bench/results/outputs.md

PAGES is searched for `*.html`. What is frozen are digests: of each format, of each key of the records, of labels and
probabilities to the last bit, and of what the page and its blocks are made of.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import dehusk
from dehusk.sites.alternation import Alternation
from dehusk.write import format_names
from sets import write_results

PER_SITE, LABELLED = 48, 13
VARIANTS: dict[str, dict[str, Any]] = {
    "body": {"style": "body", "favour": 0.7, "hidden": "keep"},
    "comments": {"style": "comments"},
    "core": {"style": "core"},
    "victor": {"method": "victor"},
    "cleaneval": {"model": "cleaneval"},
    "keep-all": {"method": "keep-all"},
}
"""Each page is cleaned by default, and by one of these in turn."""
SITE_METHODS = ("united", "site", "cst", "wisdom")
MARKDOWN: dict[str, Any] = {"title": "always", "links": "footnotes", "posts": "quotes", "front_matter": "yaml"}
_MODEL = re.compile(r"\b[0-9a-f]{16}\b")
"""What TEI and JSON say of the model's hash, which changes with its card."""


def digest(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()[:12]


def columns_of(document: dehusk.Document) -> Iterator[tuple[str, object]]:
    """Yield what the page, its blocks and its labels are made of, to the last bit."""
    page, blocks, labels = document.page, document.labels.blocks, document.labels
    for name in (
        "tag",
        "parent",
        "end",
        "text_start",
        "text_end",
        "class_code",
        "id_code",
        "hidden_nodes",
        "line_nodes",
    ):
        yield f"page.{name}", getattr(page, name).tobytes()
    yield "page.text", page.text
    yield "page.meta", page.meta
    for name in ("start", "end", "code_points", "char_class", "words"):
        yield f"blocks.{name}", getattr(blocks, name).tobytes()
    for name in ("label", "probability", "kept", "omitted"):
        yield f"labels.{name}", getattr(labels, name).tobytes()


def outputs(data: bytes, url: str, options: dict[str, Any]) -> dict[str, str]:
    """Return the digest of every output of a page."""
    document = dehusk.clean(data, url=url, explain=True, **options)
    found = {f"as {name}": digest(_MODEL.sub("", document.render(name))) for name in format_names()}
    found["as markdown with options"] = digest(_MODEL.sub("", document.render("markdown", **MARKDOWN)))
    found |= {name: digest(value) for name, value in columns_of(document)}
    for name, value in document.record(evidence=True).items():
        found[f"record.{name}"] = digest(_MODEL.sub("", json.dumps(value)))
    for name in ("overlay", "posts", "metadata", "units", "notes", "status", "confidence"):
        found[name] = digest(getattr(document, name))
    found["chunks"] = digest(document.chunks(max_words=80))
    return found


def of_pages(paths: list[Path]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the outputs of single pages, by default and by the variants in turn."""
    names = list(VARIANTS)
    for path in paths:
        data, url = path.read_bytes(), f"https://{path.parent.parent.name}.example/a/{path.stem}.html"
        yield f"{path}: default", outputs(data, url, {})
        variant = names[len(data) % len(names)]
        yield f"{path}: {variant}", outputs(data, url, VARIANTS[variant])


def of_sites(paths: list[Path]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the outputs of pages of the sets that hold one site each, with what its pages share."""
    folders = sorted({path.parent for path in paths if path.parent.parent.name.startswith("site-")})
    for folder in folders:
        pages = sorted(folder.glob("*.html"))[:PER_SITE]
        parsed = [dehusk.parse(path.read_bytes(), f"https://site.example/{path.stem}") for path in pages]
        site, alternation = dehusk.Site().fit(parsed), Alternation().fit(parsed[:16])
        for path in pages[:LABELLED]:
            data, url = path.read_bytes(), f"https://site.example/{path.stem}"
            for method in SITE_METHODS:
                yield f"{path}: {method} with site", outputs(data, url, {"method": method, "site": site})
            yield f"{path}: alternation", outputs(data, url, {"method": alternation})


def freeze(pages: Path, file: Path, every: int) -> None:
    """Write the digests of the installed version, one line for each page and variant."""
    paths = sorted(pages.rglob("*.html"))[::every]
    with file.open("w", encoding="utf-8") as lines:
        for rows in (of_pages(paths), of_sites(paths)):
            for name, digests in rows:
                lines.write(json.dumps({"name": name.removeprefix(f"{pages}/"), "digests": digests}) + "\n")
    print(f"{len(paths)} pages, by {dehusk.__file__}")


def read(file: Path) -> dict[str, dict[str, str]]:
    """Return the digests of a file by page and variant."""
    rows: Iterable[dict[str, Any]] = map(json.loads, file.read_text("utf-8").splitlines())
    return {row["name"]: row["digests"] for row in rows}


def compare(before: Path, after: Path) -> bool:
    """Write which outputs differ, and on how many pages; return whether any does."""
    old, new = read(before), read(after)
    differing: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for name in old.keys() & new.keys():
        for key in sorted(old[name].keys() | new[name].keys()):
            if old[name].get(key) != new[name].get(key):
                differing[key] += 1
                examples.setdefault(key, name)
    only = len(old.keys() ^ new.keys())
    text = f"# Outputs of two versions\n\n`python bench/outputs.py compare`: {len(old)} outputs"
    text += f", {only} of them by one version only.\n\n| output | differs on | for example |\n| --- | --- | --- |\n"
    text += "".join(f"| {key} | {count} | {examples[key]} |\n" for key, count in sorted(differing.items()))
    write_results("outputs", text, {"outputs": len(old), "differing": dict(sorted(differing.items()))}, judges="none")
    return bool(differing or only)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["freeze", "compare"])
    parser.add_argument("first", type=Path, help="freeze: a folder of pages; compare: what one version froze")
    parser.add_argument("second", type=Path, help="freeze: the file to write; compare: what the other version froze")
    parser.add_argument("--every", type=int, default=1, help="freeze each so manyth page only (1)")
    arguments = parser.parse_args()
    if arguments.action == "freeze":
        freeze(arguments.first, arguments.second, arguments.every)
    else:
        sys.exit(compare(arguments.first, arguments.second))


if __name__ == "__main__":
    main()
