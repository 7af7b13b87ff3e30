"""Tokens of pages as language models read them, by tool and format, and what each kept fact costs.

Tokens are those of o200k_base, whose vocabulary the package bpe-openai contains. The facts are those of recipes, lists of
courts and products (bench/facts.py). The shipped net may have been trained on these pages: how many facts it keeps of pages it
never saw is in bench/unseen.py; this bench is about what they cost.
"""

import datetime as dt
import sys
import warnings
from collections.abc import Callable
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import dehusk
from dehusk.lab.evaluate.rivals import RULE, everything, kept_text, long_unlinked
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, set_fingerprint
from dehusk.measures.facts import facts_kept
from facts import read_samples
from sets import data_argument, set_path, write_results

SETS = ("recipes-a", "courts-a", "product-a")
BUDGET, PIECE = 1000, 50_000
QUERIES = {
    "recipes-a": "ingredients, steps and times",
    "courts-a": "case number and parties",
    "product-a": "price, brand and name",
}


class Cost(NamedTuple):
    """What a page costs."""

    tokens: int
    facts: int
    kept: int


def _html(sample: Sample) -> str:
    """Return a page decoded, so that no tool fails by an encoding."""
    return sample.bare.decode(dehusk.parse(sample.bare).encoding.name, "replace")


def _html2text(sample: Sample) -> str:
    import html2text

    return html2text.html2text(_html(sample))


def _markitdown(sample: Sample) -> str:
    from io import BytesIO

    from markitdown import MarkItDown, StreamInfo

    stream = BytesIO(_html(sample).encode("utf-8", "replace"))
    return MarkItDown().convert_stream(stream, stream_info=StreamInfo(extension=".html", charset="utf-8")).text_content


def _trafilatura(sample: Sample) -> str:
    import trafilatura

    return trafilatura.extract(_html(sample), url=sample.url, output_format="markdown", with_metadata=True) or ""


def _resiliparse(sample: Sample) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(_html(sample), main_content=True)


def _blocks(sample: Sample, keep: Callable) -> str:
    blocks = dehusk.segment(dehusk.parse(sample.bare, url=sample.url))
    return kept_text(blocks, keep(blocks))


def _within(sample: Sample) -> str:
    document = dehusk.clean(sample.bare, url=sample.url)
    return document.within(max_tokens=BUDGET, query=QUERIES[sample.set]).markdown


def _format(sample: Sample, form: str) -> str:
    return dehusk.clean(sample.bare, url=sample.url).render(form)


WAYS: dict[str, Callable[[Sample], str]] = {
    "the page's HTML": _html,
    "everything, as text": lambda sample: _blocks(sample, everything),
    RULE: lambda sample: _blocks(sample, long_unlinked),
    "html2text": _html2text,
    "markitdown": _markitdown,
    "trafilatura, Markdown with metadata": _trafilatura,
    "resiliparse, text": _resiliparse,
    "dehusk, markdown": lambda sample: _format(sample, "markdown"),
    "dehusk, text": lambda sample: _format(sample, "text"),
    "dehusk, prompt": lambda sample: _format(sample, "prompt"),
    f"dehusk, the {BUDGET:,} tokens for a query": _within,
}


@cache
def _encoding():
    import bpe_openai

    return bpe_openai.get_encoding("o200k_base")


def count_tokens(text: str) -> int:
    """Count in pieces: the encoder takes no text of any length."""
    return sum(len(_encoding().encode(text[start : start + PIECE])) for start in range(0, len(text), PIECE))


def costs(sample: Sample) -> dict[str, Cost]:
    """Return what each way of writing a page costs."""
    warnings.simplefilter("ignore")
    found = {}
    for name, write in WAYS.items():
        try:
            text = write(sample)
        except Exception as error:
            print(f"{name}: {sample.id}: {error!r}"[:200], file=sys.stderr)
            text = ""
        kept = facts_kept(text, sample.facts)
        found[name] = Cost(count_tokens(text), kept.facts, kept.kept)
    return found


def rows_of(name: str, pages: list[dict[str, Cost]]) -> tuple[list[list[str]], dict]:
    """Return the rows of a set, and their figures."""
    rows, figures = [], {}
    for way in WAYS:
        tokens, facts, kept = (sum(page[way][k] for page in pages) for k in range(3))
        values = figures[way] = [tokens / len(pages), kept / facts, tokens / max(kept, 1)]
        rows.append([name, str(len(pages)), way, f"{values[0]:,.0f}", f"{values[1]:.3f}", f"{values[2]:,.0f}"])
    return rows, figures


def main() -> None:
    data: Path = data_argument(__doc__ or "")
    table, figures = [["set", "pages", "as", "tokens a page", "facts kept", "tokens a kept fact"]], {}
    with get_context("spawn").Pool(2, maxtasksperchild=50) as pool:
        for name in SETS:
            samples = [sample for sample in read_samples(data, name) if sample.facts]
            rows, figures[name] = rows_of(name, list(pool.imap(costs, samples)))
            table += rows
    text = f"# What a fact costs in tokens\n\n`python bench/prompt.py DATA`, {dt.date.today()}: {__doc__}\n{markdown_table(table)}"
    sets = {name: set_fingerprint(set_path(data, name)) for name in SETS}
    write_results("prompt", text, {"sets": sets, "figures": figures}, judges="shipped")


if __name__ == "__main__":
    main()
