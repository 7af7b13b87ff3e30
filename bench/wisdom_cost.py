"""WISDOM: CPU time per page, growth with the pages of a site, long lists. Run it on an otherwise idle machine."""

import datetime as dt
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from clock import ROUNDS, cpu, fresh
from dehusk.blocks import Blocks, segment
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.read import parse
from dehusk.sites.wisdom import RECOMMENDED, Settings, Wisdom
from sets import data_argument, set_path, write_results

LARGE = "site-asp-forums"
SIZES = (50, 170, 680, 1360)


def growth(data: Path) -> tuple[str, dict]:
    """Return CPU time per page for increasing numbers of pages of one site, in one random order."""
    samples = list(read_set(set_path(data, LARGE)))
    order = np.random.default_rng(0).permutation(len(samples))[: max(SIZES)]
    reading = cpu(lambda: [segment(parse(samples[i].bare, url=samples[i].url)) for i in order[:200]], 2) / 200 * 1000
    pages = [segment(parse(samples[i].bare, url=samples[i].url)) for i in order]
    for blocks in pages:
        blocks.page.attributes  # noqa: B018 (read now, so that the times below do not include reading them)
    table, values = [["preset", "step", *(f"{n} pages" for n in SIZES), "growth"]], {"parse and segment": reading}
    for preset in ("recommended", "paper"):
        steps = defaultdict(list)
        for n in SIZES:
            method = Wisdom(preset=preset)
            groups = [
                pages[start : start + n] for start in range(0, len(pages) - n + 1, n)
            ]  # the same pages for every n
            work = partial(lambda method, groups: [method.fit(fresh(group)) for group in groups], method, groups)
            steps["fit"].append(cpu(work) / sum(map(len, groups)) * 1000)
            for step in ("label", "blocks"):
                work = partial(
                    lambda method, step: [getattr(method, step)(page) for page in fresh(pages[:50])], method, step
                )
                steps[step].append(cpu(work) / 50 * 1000)
            steps["parse, segment, fit and label"].append(reading + steps["fit"][-1] + steps["label"][-1])
        for step, cells in steps.items():
            table.append([preset, step, *(f"{cell:.2f} ms" for cell in cells), f"{cells[-1] / cells[0] - 1:+.0%}"])
        values[preset] = dict(steps)
    return f"Parsing and segmenting a page takes {reading:.2f} ms.\n\n{markdown_table(table)}", values


def equal_items() -> tuple[str, dict]:
    """Return CPU seconds for a page that is one list, and for a page twice as long."""
    shapes = {"equal items": lambda _: "the same item", "items of many lengths": lambda i: f"item {'x' * (i % 97)}"}
    table, values = [["shape", "search", "50,000", "100,000", "ratio"]], {}
    for shape, item in shapes.items():
        pages = [
            segment(parse("<ul>" + "".join(f"<li><b>{item(i)}</b></li>" for i in range(n)) + "</ul>"))
            for n in (50_000, 100_000)
        ]
        for search in ("mib", "m1"):
            chosen = replace(RECOMMENDED, search=search, k=float("inf"), st=1.0, st_article=None, cstm=1)
            small, large = (cpu(partial(fit_and_label, chosen, page), 2) for page in pages)
            table.append([shape, search, f"{small:.2f} s", f"{large:.2f} s", f"{large / small:.2f}"])
            values[f"{shape}, {search}"] = [small, large]
    return markdown_table(table), values


def fit_and_label(settings: Settings, page: Blocks) -> None:
    Wisdom(preset=settings).fit(fresh([page])).label(page)


def main() -> None:
    data = data_argument(__doc__ or "")
    cost, seconds = growth(data)
    lists, worst = equal_items()
    text = (
        f"# Cost of WISDOM\n\n`python bench/wisdom_cost.py DATA`, {dt.date.today()}; {LARGE} is identified by the hash in "
        f"wisdom_cost.json.\n\n"
        f"## Growth\n\n{LARGE}; CPU time per page, minimum of {ROUNDS} rounds. For each n, WISDOM is fitted to groups of n pages; 50 pages are labelled by the model of the last group.\n\n{cost}\n"
        f"## Long lists\n\nCPU time to fit and label one page that is one list, if every item is examined (ST = 1, k = ∞).\n\n"
        f"{lists}"
    )
    fingerprints = {LARGE: set_fingerprint(set_path(data, LARGE))}
    write_results("wisdom_cost", text, {"sets": fingerprints, "ms": seconds, "lists": worst}, judges="none")


if __name__ == "__main__":
    main()
