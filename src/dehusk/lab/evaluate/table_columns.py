"""The columns of tables: heading, format and explanation of each figure."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from dehusk.lab.evaluate.fact_scores import FactRow
from dehusk.lab.evaluate.scores import FigureRow

Row = TypeVar("Row", FigureRow, FactRow)


class Column(NamedTuple, Generic[Row]):
    """One figure of a row."""

    head: str
    cell: Callable[[Row], str]
    """Formats the figure."""
    about: str
    """What it means."""


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _megabytes(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def _interval(row: FigureRow | FactRow) -> str:
    return "-" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}"


_MB = "peak memory of the tool's process, including everything it loads"

QUALITY: tuple[Column[FigureRow], ...] = (
    Column("pages", lambda row: str(row.pages), "number of pages scored"),
    Column(
        "failures",
        lambda row: str(row.failures),
        "pages on which the tool raised an error, timed out or crashed; every figure counts them as empty texts",
    ),
    Column(
        "lost",
        lambda row: str(row.lost),
        "pages with main text of which the tool kept no word, without an error",
    ),
    Column("P", lambda row: _share(row.precision), "precision: share of the kept words that belong to the main text"),
    Column("R", lambda row: _share(row.recall), "recall: share of the main text's words that were kept"),
    Column(
        "F1",
        lambda row: _share(row.f1),
        "harmonic mean of a page's P and R, regardless of word order; 1 is perfect. F1, P and R are means over pages",
    ),
    Column(
        "95 %",
        _interval,
        "confidence interval of F1 (bootstrap over sites); differences within it are not significant",
    ),
    Column("ms per page", lambda row: _number(row.ms), "CPU time per page in milliseconds"),
    Column("MB", lambda row: _megabytes(row.mb), _MB),
)
"""Amount of text kept, and cost."""

FACTS: tuple[Column[FactRow], ...] = (
    Column("pages", lambda row: str(row.pages), "number of pages with facts"),
    Column(
        "failures",
        lambda row: str(row.failures),
        "pages on which the tool raised an error, timed out or crashed",
    ),
    Column(
        "facts kept",
        lambda row: _share(row.kept),
        "share of a page's facts, such as the steps of a recipe, that are in the kept text; mean over pages",
    ),
    Column("95 %", _interval, "confidence interval of the facts kept (bootstrap over sites)"),
    Column("pages whole", lambda row: _share(row.whole), "share of the pages with all facts"),
    Column(
        "words kept",
        lambda row: f"{row.words:,.0f}",
        "mean number of words in the kept text; whoever keeps everything keeps all facts",
    ),
    Column("ms per page", lambda row: _number(row.ms), "CPU time per page in milliseconds"),
    Column("MB", lambda row: _megabytes(row.mb), _MB),
)
"""Facts kept and cost, for pages with facts."""

ORDER: tuple[Column[FigureRow], ...] = (
    Column(
        "4-gram F1",
        lambda row: _share(row.shingle_f1),
        "F1 of runs of four words; lower if sentences are broken or mixed up",
    ),
    Column(
        "ROUGE-L", lambda row: _share(row.rouge_l), "F1 of the longest common sequence of words; lower if text is moved"
    ),
    Column("order", lambda row: _share(row.order), "share of the common words that are in the same order"),
    Column("repeated", lambda row: _share(row.duplicated), "share of the text that is a repetition; 0 is best"),
    Column("first", lambda row: _share(row.first), "share of pages whose first block of main text was kept"),
    Column("last", lambda row: _share(row.last), "share of pages whose last block of main text was kept"),
    Column(
        "text-only",
        lambda row: _number(row.text_only),
        "CLEANEVAL's score of the text: edit distance in words, 0 to 100",
    ),
    Column(
        "markup",
        lambda row: _number(row.markup_only),
        "CLEANEVAL's score of the boundaries of paragraphs, headings and list items; "
        "only if both the gold text and the tool mark them",
    ),
    Column("total", lambda row: _number(row.total), "mean of text-only and markup over the same pages"),
    Column(
        "SNC",
        lambda row: _share(row.snc),
        "significant node coverage: F of the elements below kept elements against those below gold elements; like the "
        "next three figures, only for tools that report their blocks",
    ),
    Column("IC", lambda row: _share(row.ic), "information coverage: the same in characters"),
    Column("Brier", lambda row: _share(row.brier), "mean squared error of the blocks' probabilities; 0 is best"),
    Column(
        "ECE",
        lambda row: _share(row.ece),
        "expected calibration error: distance of the probabilities from the frequencies (ten bins); 0 is best. "
        "The site methods give shares and weights, not probabilities",
    ),
)
"""Order, repetition, ends, structure and blocks; "-" if the predictions lack what a figure needs."""
