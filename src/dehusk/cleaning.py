"""The whole chain: bytes to page, page to blocks, blocks to labels, labels to a document."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from dehusk.blocks import segment
from dehusk.document import Document
from dehusk.errors import Status
from dehusk.labels import CONTINUATION, OTHER, Labels, by_markup
from dehusk.methods import WISHES, PageMethod, load_method
from dehusk.page import Bools, Page
from dehusk.read import Limits, parse
from dehusk.read.limits import Deadline
from dehusk.rules import Rule, RuleMatches, Rules

T = TypeVar("T")


def clean(
    data: bytes | str,
    *,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    method: str | PageMethod | None = None,
    limits: Limits | None = None,
    explain: bool = False,
    **options: Any,
) -> Document:
    """Clean one page.

    Args:
        data: the page's bytes as they came (best: the encoding is found), or its text.
        url: where the page is from; resolves its links, never fetched.
        headers: the transport's headers; `Content-Type` helps to decode.
        method: a method's name, or a method that is ready to label; by default "united", the labeller of page and site.
        limits: bounds on what the page may cost.
        explain: give a reason for each block.
        **options: `style`, `favour`, `site`, `model` and `config` as `dehusk.methods.load_method` takes them; for a
            method given by name. `rules`: what must be kept or dropped whatever the method says, `Rules` or the path of
            their file.

    Returns:
        The document. Whatever the bytes hold, its `status` says what became of them; nothing is raised for them.

    Raises:
        TypeError: `data` is neither bytes nor str, or an unknown option.
        ConfigError: no such method, or a wrong configuration.
        ModelError: the model is missing or does not fit.
        NotFittedError: the site has no pages.
    """
    rules = _ready(options.pop("rules", None))
    unknown = options.keys() - {"model", "config", "site", *WISHES}
    if unknown:
        raise TypeError(f"clean() got an unexpected keyword argument {min(unknown)!r}")
    if options and not isinstance(method, str | None):
        raise TypeError(f"{', '.join(options)}: for a method given by its name")
    ready = load_method(method, **options) if isinstance(method, str | None) else method
    limits = limits or Limits()
    if not isinstance(data, str | bytes | bytearray | memoryview):
        raise TypeError(f"a page is bytes or str, not {type(data).__name__}")
    deadline = Deadline(limits.seconds)
    try:
        return _clean(parse(data, url, headers, limits=limits), ready, rules, deadline=deadline, explain=explain)
    except Exception as error:  # (one page's fault must not end a run over millions)
        return failed(f"{type(error).__name__}: {error}", url=url)


def _ready(rules: Rules | str | Path | None) -> Rules | None:
    if rules is None or isinstance(rules, Rules):
        return rules
    if isinstance(rules, str | Path):
        return Rules.load(rules)
    raise TypeError(f"rules are Rules or the path of their file, not {type(rules).__name__}")


def _clean(page: Page, method: PageMethod, rules: Rules | None, *, deadline: Deadline, explain: bool) -> Document:
    blocks = method.segment(page)
    if deadline.passed():
        return Document(Status.LIMIT, deadline.message, nothing(page))
    labels = method.label(blocks, explain=explain)
    if rules is not None:
        labels = apply(labels, rules)
    status, message = page.status, page.message
    if deadline.passed():
        status, message = Status.LIMIT, deadline.message
    if status is Status.OK and not labels.kept.any():
        status = Status.NO_CONTENT
        message = "nothing on the page is content" if len(blocks) else "the page holds no text"
    return Document(status, message, labels)


def apply(labels: Labels, rules: Rules) -> Labels:
    """Return labels in which what rules say has its way.

    Kept and dropped blocks get the probability 1 or 0, those that the method had not kept a label by their markup, and
    where there are reasons, the rule is the reason. The notes of the rules come last.
    """
    forced = rules.of(labels.blocks)
    kept = (labels.kept | forced.keep) & ~forced.drop
    return replace(
        labels,
        kept=kept,
        label=_relabelled(labels, kept),
        probability=np.where(forced.keep, 1.0, np.where(forced.drop, 0.0, labels.probability)),
        reasons=[f"rule: {rule}" if rule else reason for rule, reason in _with_rules(forced, labels.reasons)],
        evidence=[{"rule": str(rule)} if rule else said for rule, said in _with_rules(forced, labels.evidence)],
        notes=labels.notes + forced.notes,
    )


def _with_rules(forced: RuleMatches, said: Sequence[T]) -> Iterator[tuple[Rule | None, T]]:
    return zip(forced.rule if len(said) else (), said, strict=True)


def _relabelled(labels: Labels, kept: Bools) -> npt.NDArray[np.uint8]:
    """Return the labels, shape (b,), of what is kept now; what continued a block that is gone begins anew."""
    other_before = _kept_before(labels.kept) != _kept_before(kept)
    anew = kept & (~labels.kept | ((labels.label == CONTINUATION) & other_before))
    label = np.where(anew, by_markup(labels.blocks, anew), labels.label)
    return np.where(labels.kept & ~kept, OTHER, label).astype(np.uint8)


def _kept_before(kept: Bools) -> npt.NDArray[np.intp]:
    """Return the kept block before each, shape (b,), -1 before the first."""
    last = np.maximum.accumulate(np.where(kept, np.arange(len(kept)), -1))
    return np.append(-1, last)[: len(kept)]


def nothing(page: Page) -> Labels:
    """Return the labels of a page of which nothing is kept and nothing was labelled."""
    blocks = segment(page)
    b = len(blocks)
    return Labels(blocks, np.full(b, OTHER, dtype=np.uint8), np.zeros(b), np.zeros(b, dtype=np.bool_))


def failed(message: str, *, url: str | None = None) -> Document:
    """Return the document of a page that could not be read or processed."""
    page = parse("", url)
    return Document(Status.ERROR, message, nothing(page))
