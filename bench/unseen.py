"""Judge what dehusk writes of sites that its net never saw, beside floors, a rule of one line, and other tools.

The nets are those of bench/united.py: three, each trained as the shipped one is, on the pages of two thirds of the sites.
Each page is cleaned by the net that saw no page of its site, with `dehusk.clean`, as users clean it, and every tool gets
all pages of a set that have a gold text or facts: also those whose gold text is not wholly on the page, and those that are
labelled by the rubric. Keeping nothing scores 0.
"""

import argparse
import datetime as dt
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import dehusk
from dehusk.lab.evaluate.rivals import RIVALS, RULE, kept_text
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold import splits
from dehusk.lab.gold.datasets import Sample, sample_site, set_fingerprint
from dehusk.label.united import United
from dehusk.measures.facts import facts_kept
from dehusk.measures.intervals import bootstrap_interval
from dehusk.measures.metrics import word_bag
from dehusk.read import decode
from facts import read_samples
from sets import set_path, sets_found, spaced, write_results
from shipped import recipe
from tools import TOOLS, run
from training_sets import FACTS, STYLES, hand_labels, hand_pages
from united import FOLDS, SEED

RUBRIC = "by the rubric"
BY_TYPE = ("wcxb-dev", "daniel-a", RUBRIC)
OWN = "own style"
BAD = 0.75
"""Word F1 below which a text is of little use."""
OTHERS = {name: tool for name, tool in TOOLS.items() if name != "all text"}
RIVAL = next(iter(OTHERS))
"""The tool to which the difference is shown."""


@dataclass(frozen=True)
class Scores:
    """What each tool reaches on one page."""

    set: str
    id: str
    type: str
    site: str
    f1: dict[str, float]
    """Tool -> word-bag F1; empty for a page of which only facts are known."""
    facts: dict[str, tuple[float, int]]
    """Tool -> (share of the facts that are kept, words kept); empty for a page with a gold text."""
    fold: int
    confidence: float
    """What dehusk says of its text in style auto."""


def texts_of(sample: Sample, fold: int) -> tuple[dict[str, str], float]:
    """Return the text that each tool keeps of a page, and dehusk's confidence in style auto."""
    blocks = dehusk.segment(dehusk.parse(sample.bare, url=sample.url))
    html = decode(sample.bare).text
    texts = {name: kept_text(blocks, keep(blocks)) for name, keep in RIVALS.items()}
    texts |= {name: run(tool, html)[0] for name, tool in OTHERS.items()}
    cleaned = dehusk.clean(sample.bare, url=sample.url, method=_nets[fold, "auto"])
    own = _nets[fold, STYLES.get(sample.set, "auto")]
    texts |= {"dehusk": cleaned.text, OWN: dehusk.clean(sample.bare, url=sample.url, method=own).text}
    return texts, cleaned.confidence


def judged(task: tuple[Sample, str]) -> Scores:
    """Judge all tools on one page."""
    sample, site = task
    fold = splits.fold_of_site(site, FOLDS, seed=SEED)
    texts, confidence = texts_of(sample, fold)
    f1, facts = {}, {}
    if sample.gold is None:
        counts = {name: facts_kept(text, sample.facts) for name, text in texts.items()}
        facts = {name: (count.recall, count.words) for name, count in counts.items() if count.pages}
    else:
        f1 = {name: word_bag(spaced(text), spaced(sample.gold_text)).f1 for name, text in texts.items()}
    return Scores(sample.set, sample.id, sample.type or "", site, f1, facts, fold, confidence)


_nets: dict[tuple[int, str], United] = {}
"""(fold, style) -> the net that saw no page of the fold; inherited by the child processes."""


def load_nets(folder: Path) -> None:
    """Load the nets of the folds, in all styles.

    Raises:
        SystemExit: a net is missing, or was not trained as the shipped one.
    """
    for fold in range(FOLDS):
        path = folder / f"fold-{fold}"
        if not path.is_dir():
            raise SystemExit(f"{path} is missing: python bench/united.py DATA --models {folder} trains it")
        if recipe(path) != recipe():
            raise SystemExit(
                f"{path} was trained otherwise than the shipped net: remove it and run bench/united.py again"
            )
        net = United.load(path)
        _nets.update(((fold, style), net.using(style=style)) for style in {"auto", *STYLES.values()})


def tasks(data: Path) -> Iterator[tuple[Sample, str]]:
    """Yield all pages to judge with their sites; a page that a set lists twice once."""
    for name in sets_found(data, (*STYLES, *FACTS)):
        samples = {sample.id: sample for sample in read_samples(data, name)}
        yield from ((sample, sample_site(sample)) for sample in samples.values() if sample.has_gold)
    for split in ("train", "test"):
        for page in hand_pages(data, split):
            yield Sample(**{**vars(page.sample), "set": RUBRIC}), page.site


def groups(scores: Iterable[Scores]) -> dict[str, list[Scores]]:
    """Return the pages by set, and by type where a set has several."""
    found: dict[str, list[Scores]] = defaultdict(list)
    for page in scores:
        found[page.set].append(page)
        if page.set in BY_TYPE and page.type:
            found[f"{page.set}: {page.type}"].append(page)
    return dict(sorted(found.items()))


def f1_row(name: str, pages: Sequence[Scores]) -> list[str]:
    """Return the mean word F1 of each tool on a group of pages, and how far dehusk is ahead of `RIVAL`."""
    sites = [page.site for page in pages]
    of = {tool: [page.f1[tool] for page in pages] for tool in pages[0].f1}
    ahead = [ours - theirs for ours, theirs in zip(of["dehusk"], of[RIVAL], strict=True)]
    interval = bootstrap_interval(ahead, sites, seed=SEED)
    own = f"{np.mean(of.pop(OWN)):.3f}"
    cells = [f"{np.mean(f1):.3f}" for f1 in of.values()]
    return [name, str(len(pages)), *cells, own, f"{np.mean(ahead):+.3f} ({interval.low:+.3f} to {interval.high:+.3f})"]


def fact_row(name: str, tool: str, pages: Sequence[Scores]) -> list[str]:
    """Return what a tool keeps of the facts of a set."""
    of_tool = [page.facts[tool] for page in pages if page.facts]
    kept = [share for share, _ in of_tool]
    interval = bootstrap_interval(kept, [page.site for page in pages if page.facts], seed=SEED)
    whole, words = np.mean([share == 1 for share in kept]), np.mean([words for _, words in of_tool])
    return [name, tool, str(len(kept)), f"{np.mean(kept):.3f}", str(interval), f"{whole:.3f}", f"{words:,.0f}"]


def tables(scores: Sequence[Scores]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the tables of word F1 and of facts."""
    with_gold, with_facts = ([page for page in scores if bool(page.f1) == is_f1] for is_f1 in (True, False))
    names = [name for name in with_gold[0].f1 if name != OWN]
    f1 = [["set", "pages", *names, f"dehusk, {OWN}", f"ahead of {RIVAL.split()[0]}, 95 %"]]
    f1 += [f1_row(name, pages) for name, pages in groups(with_gold).items()]
    facts = [["set", "tool", "pages", "facts kept", "95 %", "pages whole", "words"]]
    for name, pages in groups(with_facts).items():
        facts += [fact_row(name, tool, pages) for tool in names]
    return f1, facts


def confidence_table(scores: Iterable[Scores]) -> list[list[str]]:
    """Return how often dehusk is right about its text: by intervals of confidence, of all pages and of the last fold.

    `dehusk.write.interface.JOINT_ERRORS` was fitted on the other folds.
    """
    pages = [page for page in scores if page.f1 and page.set != RUBRIC]
    rows = [["confidence", "pages", "mean", "mean F1", "F1 < .75", "pages of fold 2", "mean", "mean F1", "F1 < .75"]]
    for low, high in pairwise((0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.01)):
        here = [page for page in pages if low <= page.confidence < high]
        last = [page for page in here if page.fold == FOLDS - 1]
        rows.append([f"from {low:g}", *_confidence_cells(here), *_confidence_cells(last)])
    return rows


def _confidence_cells(pages: Sequence[Scores]) -> list[str]:
    """Return number, mean confidence, mean F1 and the share of bad texts of pages."""
    if not pages:
        return ["0", "", "", ""]
    f1 = np.array([page.f1["dehusk"] for page in pages])
    said = np.mean([page.confidence for page in pages])
    return [str(len(pages)), f"{said:.3f}", f"{f1.mean():.3f}", f"{(f1 < BAD).mean():.3f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--models", type=Path, required=True, help="folder of the models of bench/united.py")
    parser.add_argument("--pages", type=Path, metavar="FILE", help="write the scores of each page, as JSON Lines")
    arguments = parser.parse_args()
    load_nets(arguments.models)
    with get_context("fork").Pool(2) as pool:
        scores = list(pool.imap(judged, tasks(arguments.data), chunksize=20))
    if arguments.pages:
        arguments.pages.write_text("".join(f"{json.dumps(asdict(page))}\n" for page in scores), "utf-8")
    f1, facts = tables(scores)
    confidence = confidence_table(scores)
    sure = np.mean(
        [page.f1["dehusk"] < BAD and page.confidence > 0.9 for page in scores if page.f1 and page.set != RUBRIC]
    )
    text = (
        f"# Pages of sites not seen\n\n`python bench/unseen.py DATA --models FOLDS`, {dt.date.today()}. All tools on the same "
        f"{len(scores)} pages. dehusk's nets saw no page of a page's site; they are trained as the shipped one.\n\n"
        f"## Word F1\n\nWord-bag F1, mean over pages; each Han, kana or Thai character is a word. The {RULE} keeps blocks of "
        f"ten words or more, less than a third of them in links. dehusk is in style auto, then in the style of the set's gold "
        f"texts. Interval of the difference by site. {RUBRIC.capitalize()}: {len(hand_labels())} pages that a language model "
        f"labelled by docs/rubric.md.\n\n{markdown_table(f1)}\n## Facts\n\nPages of which facts are known, but no gold text; of product-a, the attribute values that are on the page.\n\n"
        f"{markdown_table(facts)}\n## Confidence\n\nWhat dehusk says of its text in style auto, and its word F1, on the pages "
        f"with a gold text. It was fitted on folds 0 and 1. Of all pages, {sure:.1%} have an F1 below {BAD} at a confidence "
        f"above .9.\n\n{markdown_table(confidence)}"
    )
    sets = {
        name: set_fingerprint(set_path(arguments.data, name)) for name in sets_found(arguments.data, (*STYLES, *FACTS))
    }
    write_results("unseen", text, {"sets": sets, "f1": f1, "facts": facts, "confidence": confidence}, judges="folds")


if __name__ == "__main__":
    main()
