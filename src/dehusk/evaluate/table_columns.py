"""The columns of tables: what each figure is called, how it is written, and what it means to somebody new to it."""

from collections.abc import Callable
from typing import NamedTuple

from dehusk.evaluate.scores import Row


class Column(NamedTuple):
    """One figure of a row."""

    head: str
    cell: Callable[[Row], str]
    about: str


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


QUALITY = (
    Column("pages", lambda row: str(row.pages), "pages judged"),
    Column(
        "failures",
        lambda row: str(row.failures),
        "pages on which the tool raised an error, took too long or died; they count as empty texts in every figure",
    ),
    Column(
        "lost",
        lambda row: str(row.lost),
        "pages with main text from which the tool kept not one word, without an error",
    ),
    Column(
        "P", lambda row: _share(row.precision), "precision: the share of the words kept that belong to the main text"
    ),
    Column("R", lambda row: _share(row.recall), "recall: the share of the main text's words that were kept"),
    Column(
        "F1",
        lambda row: _share(row.f1),
        "harmonic mean of P and R of a page; words are counted whatever their order; 1 is "
        "perfect. The mean over pages, as P and R are",
    ),
    Column(
        "95 %",
        lambda row: "-" if row.low is None or row.high is None else f"{row.low:.3f}–{row.high:.3f}",
        "interval of F1 when the sites are drawn anew (bootstrap): differences within it mean nothing",
    ),
    Column("ms a page", lambda row: _number(row.ms), "processor time of one thread a page, in milliseconds"),
    Column(
        "MB",
        lambda row: "-" if row.mb is None else f"{row.mb:.0f}",
        "highest memory of the tool's process, all it has loaded included",
    ),
)
"""How much text was found, and at what cost."""

ORDER = (
    Column(
        "4-gram F1", lambda row: _share(row.shingle_f1), "F1 of runs of four words: sees broken and mixed-up sentences"
    ),
    Column(
        "ROUGE-L", lambda row: _share(row.rouge_l), "F1 of the longest sequence of words in common: sees moved text"
    ),
    Column("order", lambda row: _share(row.order), "of the words in common, the share in the same order"),
    Column("repeated", lambda row: _share(row.duplicated), "share of the text that was written again; 0 is best"),
    Column("first", lambda row: _share(row.first), "share of pages whose first block of main text was found"),
    Column("last", lambda row: _share(row.last), "the same of the last block"),
    Column(
        "text-only",
        lambda row: _number(row.text_only),
        "CLEANEVAL's score of the text by edit distance in words, 0 to 100",
    ),
    Column(
        "markup",
        lambda row: _number(row.markup_only),
        "CLEANEVAL's score of where paragraphs, headings and list items "
        "begin and end; only where gold and tool have them",
    ),
    Column("total", lambda row: _number(row.total), "mean of the two, over the same pages"),
    Column(
        "SNC",
        lambda row: _share(row.snc),
        "F of the page's elements: those below marked elements, found and wanted; only "
        "of tools that tell their blocks, as the next three",
    ),
    Column("IC", lambda row: _share(row.ic), "the same in characters"),
    Column("Brier", lambda row: _share(row.brier), "mean square error of the probabilities of blocks; 0 is best"),
    Column(
        "ECE",
        lambda row: _share(row.ece),
        "how far the probabilities are from the frequencies (ten bins); 0 is best; "
        "site methods give shares and weights, not probabilities",
    ),
)
"""What words in a bag do not show; - where a prediction does not tell enough."""
