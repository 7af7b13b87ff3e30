"""Measure how many comments and reviews are found of those that pages declare in JSON-LD and show.

A comment counts as found by its first words in a row: in the text of a tool, and of `Document.comments` and `posts` in the text
of one post, whose author is that of the declaration or not. Pages often declare a few of their comments, so nothing is said of
what is found besides.
"""

import datetime as dt
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np

from dehusk import Document, clean
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set
from sets import data_argument, set_path, write_results

SETS = ("recipes-a", "wcxb-dev", "product-a", "fundus-a", "magic-article-a")
WORDS = 10
"""First words of a comment that a text must have; shorter comments are left out."""
_DECLARED = re.compile(rb"<script[^>]*application/ld\+json[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_WORD = re.compile(r"\w+")
_NAMED = re.compile(r"comment|review", re.IGNORECASE)
TOOLS = ("dehusk, Document.comments and posts", "dehusk, comments=keep", "dehusk, auto", "dehusk, style comments")


def words(text: str) -> str:
    plain = unescape(re.sub("<[^>]+>", " ", text)).lower()
    return f" {' '.join(_WORD.findall(plain))} "


def declared(data: bytes) -> dict[str, str]:
    """Return the first words of each comment and review that a page declares -> its author."""
    found: dict[str, str] = {}
    for script in _DECLARED.findall(data):
        try:
            things = json.loads(script.decode("utf-8", "replace"), strict=False)
        except ValueError:
            continue
        for thing in nested(things):
            text = thing.get("reviewBody") or (thing.get("text") if "Comment" in str(thing.get("@type")) else None)
            author = thing.get("author")
            name = author.get("name") if isinstance(author, dict) else author
            first = words(text).split()[:WORDS] if isinstance(text, str) else []
            if len(first) == WORDS:
                found.setdefault(f" {' '.join(first)} ", words(name) if isinstance(name, str) else "")
    return found


def nested(thing: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a declaration."""
    if isinstance(thing, dict):
        yield thing
    for part in thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else ():
        yield from nested(part)


def by_one_rule(document: Document) -> str:
    """Return the text of all elements that a class names as comments or reviews."""
    page, blocks = document.labels.blocks.page, document.labels.blocks
    names = [code for code, name in enumerate(page.class_names) if _NAMED.search(name)]
    inside = page.within(np.isin(page.class_code, names).nonzero()[0])[blocks.first] > 0
    return "\n".join(blocks.texts[block] for block in inside.nonzero()[0].tolist())


def others(sample: Sample) -> dict[str, str]:
    """Return the text of the other tools, with comments."""
    from resiliparse.extract.html2text import extract_plain_text
    from trafilatura import extract

    from dehusk.read import decode

    html = decode(sample.data).text
    return {
        "trafilatura, include_comments": extract(html, include_comments=True) or "",
        "resiliparse, comments": extract_plain_text(html, main_content=True, comments=True),
    }


def count_page(sample: Sample, counts: dict[str, int]) -> bool:
    """Count the comments of a page that each tool has; return whether it declares any that it shows."""
    comments = declared(sample.data)
    everything = clean(sample.data, method="keep-all")
    shown = {first: author for first, author in comments.items() if first in words(everything.text)}
    if not shown:
        return False
    document = clean(sample.data)
    posts = [(words(post.text), words(post.author or "")) for post in [*document.comments, *document.posts]]
    texts = {
        TOOLS[1]: clean(sample.data, comments="keep").text,
        TOOLS[2]: document.text,
        TOOLS[3]: clean(sample.data, style="comments").text,
        "everything": everything.text,
        "rule of one line": by_one_rule(document),
        **others(sample),
    }
    folded = {tool: words(text) for tool, text in texts.items()}
    for first, author in shown.items():
        counts["declared"] += 1
        authors = [name for text, name in posts if first in text]
        counts[TOOLS[0]] = counts.get(TOOLS[0], 0) + bool(authors)
        counts["named"] += bool(authors and author.strip())
        counts["right"] += author in authors and bool(author.strip())
        counts["nameless"] += bool(authors and author.strip()) and not any(map(str.strip, authors))
        for tool, text in folded.items():
            counts[tool] = counts.get(tool, 0) + (first in text)
    return True


def main() -> None:
    data = data_argument(__doc__ or "")
    counts = {"declared": 0, "named": 0, "right": 0, "nameless": 0}
    pages = sum(count_page(sample, counts) for name in SETS for sample in read_set(Path(set_path(data, name))))
    rows = [["tool", "comments found", "share"]]
    names = [name for name in counts if name not in ("declared", "named", "right", "nameless")]
    rows += [[name, str(counts[name]), f"{counts[name] / counts['declared']:.3f}"] for name in names]
    text = (
        f"# Comments and reviews\n\n`python bench/comments.py DATA`, {dt.date.today()}. {counts['declared']} comments and reviews "
        f"that {pages} pages of {', '.join(SETS)} declare and show, most of them below recipes. The rule of one line keeps "
        f'all that is in an element whose class has "comment" or "review"; everything is the ceiling. How much each '
        f"tool keeps besides is in other reports.\n\n{markdown_table(rows)}\n"
        f"Of {counts['named']} that dehusk finds and whose author is declared, {counts['right']} have this author, "
        f"{counts['nameless']} none.\n"
    )
    write_results("comments", text, {"pages": pages, **counts}, judges="shipped")


if __name__ == "__main__":
    main()
