"""Labels with their values in elements side by side, as definition lists: `<div><b>Weight</b><span>5 kg</span></div>`.

A pair is an element with nothing but two short texts in elements of their own. Pairs right after each other, alike in
their elements and classes, are a list: two or more if the labels end with colons or the classes say what they are, and
three or more whatever they are named. Labels differ from each other, are no links, and do not start with a number. Two
or more that all do are amounts with what they count, `<p>300K+</p><p>moves</p>`: each is a line, "300K+ moves". So is
one pair alone whose label ends with a colon or is that of a byline: "Last updated: May 3".
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import COLONS
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.bylines import BEFORE_BY, BY
from dehusk.blocks.layout import Nodes, has_ink
from dehusk.read.page import Bools, Page

_SIDES = numbers("b div dfn em i label p span strong")
_ITEM = numbers("li")[0]
_LINK, _SIMPLE = numbers("a"), numbers("a abbr b bdi data dfn div em i label p s small span strong sub sup time u wbr")
_MARKS = frozenset(("b", "dfn", "em", "i", "strong"))
_LABEL, _VALUE = 40, 80  # characters of a label and of a value, with white space; set by hand, as the next two
_SAID, _ALIKE = 2, 3  # pairs of a list whose markup says what they are, and of another one
_NAMED = pattern(r"(?i:label|value)|(?:^|[\s_-])(?i:attr|field|key|name|prop|spec|term|val)(?:s?$|s?[\s_-]|[A-Z])")
_AMOUNT = pattern(r"[^\w\s]{0,2}\s?[\d½⅓⅔¼¾⅛][^\n]{0,13}")
"""A number and a few characters: "300K+", "$1.2 bn", "2 cups"."""
_NUMBER = pattern(r"\W*[\d½⅓⅔¼¾⅛]")
_MEASURED, _SHARE = pattern(r"\d ?[^\W\d_]{0,4}\Z"), pattern(r"\d{1,3} ?%")
"""The end of a label that has its value in itself, "Sodium 869 mg", and what share of the daily need that is."""
_BY = pattern(rf"(?:(?:{BEFORE_BY}|updated) )?(?:on|{BY})", re.IGNORECASE)


class _Pairs(NamedTuple):
    """The places of p possible pairs among the m nodes, in document order."""

    holders: Nodes
    """(p,) the elements around labels and values."""
    labels: Nodes
    values: Nodes


def with_pairs(
    page: Page, nodes: Nodes, names: npt.NDArray[np.object_]
) -> tuple[npt.NDArray[np.object_], dict[int, str]]:
    """Return the names of elements in the output, with each pair of a list as a definition list, or as a line.

    Args:
        page: a page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.

    Returns:
        The names, (m,); and element -> the space before it, for what amounts count.
    """
    pairs, seams = _small(page, nodes, _with_two(page, nodes, names)), dict[int, str]()
    if not len(pairs.holders):
        return names, seams
    names = names.copy()
    for run in _runs(page, nodes, pairs):
        is_alone = len(run.holders) < _SAID
        if not is_alone and _is_list(page, nodes, run):
            own = ("dl", "dt", "dd")
            if (page.tag[page.parent[nodes[run.holders]]] == _ITEM).all():  # the items of a list are its pairs
                own = ("p", "strong", "span")
                seams |= dict.fromkeys(nodes[run.values].tolist(), " ")
        elif _begins_line(page, nodes, run) if is_alone else _are_amounts(page, nodes, run):
            own = ("p", "span", "span")
            seams |= dict.fromkeys(nodes[run.values].tolist(), " ")
        else:
            continue
        for places, name in zip(run, own, strict=True):
            names[places] = [one if is_alone and one in _MARKS else name for one in names[places]]
    return names, seams


def _with_two(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> _Pairs:
    """Return the blocks of two elements, which may be pairs."""
    is_kept, size = np.zeros(len(page), dtype=np.bool_), page.text_end - page.text_start
    is_kept[nodes] = True
    counts = np.bincount(page.parent[nodes[~page.is_text[nodes]]], minlength=len(page))
    sides = page.nodes_of(_SIDES)
    parents = page.parent[sides]
    may_be = (counts[parents] == 2) & (parents > 0) & is_kept[sides] & (size[sides] <= _VALUE)
    sides, parents = sides[may_be], parents[may_be]
    by_parent = parents.argsort(kind="stable")
    sides, parents = sides[by_parent], parents[by_parent]
    good = (parents[1:] == parents[:-1]) & (size[sides[:-1]] <= _LABEL)
    holders, labels, values = (nodes.searchsorted(each[good]) for each in (parents[1:], sides[:-1], sides[1:]))
    is_block = names[holders] == "div"
    return _Pairs(holders[is_block], labels[is_block], values[is_block])


def _small(page: Page, nodes: Nodes, pairs: _Pairs) -> _Pairs:
    """Return those of two texts in simple elements, the first of which is no link."""
    if not len(pairs.holders):
        return pairs
    is_text = page.is_text[nodes]
    bounds = [(places, nodes.searchsorted(page.end[nodes[places]])) for places in pairs]

    def counts(counted: Bools, *parts: tuple[Nodes, Nodes]) -> list[npt.NDArray[np.intp]]:
        """Return how many of the counted nodes are in elements that start and end at some places."""
        sums = np.append(0, counted.cumsum(dtype=np.intp))
        return [sums[ends] - sums[starts] for starts, ends in parts]

    in_holder, of_label, of_value = counts(has_ink(page)[nodes], *bounds)
    good = (of_label > 0) & (of_value > 0) & (of_label + of_value == in_holder)
    good &= counts(~(is_text | page.is_one_of(_SIMPLE)[nodes]), bounds[0])[0] == 0
    good &= counts(page.is_one_of(_LINK)[nodes], bounds[1])[0] == 0
    return _Pairs(*(places[good] for places in pairs))


def _runs(page: Page, nodes: Nodes, pairs: _Pairs) -> Iterator[_Pairs]:
    """Yield the pairs that are alike and have no text between them."""
    if not len(pairs.holders):
        return
    parts = nodes[np.stack(pairs)]
    tags, classes = page.tag[parts], page.class_code[parts[1:]]
    is_other = (tags[:, 1:] != tags[:, :-1]).any(0)
    named = ((classes[:, 1:] != classes[:, :-1]).any(0) & ~is_other).nonzero()[0]
    is_other[[place for place in named.tolist() if not _are_alike(page, parts[:, place : place + 2])]] = True
    between = zip(page.text_end[parts[0, :-1]].tolist(), page.text_start[parts[0, 1:]].tolist(), strict=True)
    is_apart = [start < end or page.text[end:start].strip() != "" for end, start in between]
    breaks = (is_other | np.array(is_apart, dtype=np.bool_)).nonzero()[0] + 1
    yield from (_Pairs(*run) for run in zip(*(np.split(places, breaks) for places in pairs), strict=True))


def _are_alike(page: Page, parts: Nodes) -> bool:
    """Return whether two pairs side by side, (3, 2), are written alike: their parts share classes, if not all.

    Of the rows of a table, one may be bold, and every second one grey.
    """
    first, second = parts[0].tolist()
    if page.parent[first] != page.parent[second] or page.class_code[first] != page.class_code[second]:
        return False
    words = [[set(page.class_names[code].split()) for code in page.class_code[part].tolist()] for part in parts[1:]]
    return all(one == other or not one.isdisjoint(other) for one, other in words)


def _is_list(page: Page, nodes: Nodes, run: _Pairs) -> bool:
    """Return whether pairs that are alike are labels with their values."""
    label, value = int(nodes[run.labels[0]]), int(nodes[run.values[0]])
    names = (page.class_names[page.class_code[node]] for node in (label, value))
    texts = _texts(page, nodes[run.labels])
    if len(set(texts)) < len(texts) or any(_NUMBER.match(text) or not any(map(str.isalpha, text)) for text in texts):
        return False
    if all(map(_MEASURED.search, texts)) and all(map(_SHARE.fullmatch, _texts(page, nodes[run.values]))):
        return False
    is_said = all(text.endswith(COLONS) for text in texts) or any(map(_NAMED.search, names))
    return is_said or len(texts) >= _ALIKE


def _are_amounts(page: Page, nodes: Nodes, run: _Pairs) -> bool:
    """Return whether pairs that are alike are amounts, with what each counts after it."""
    amounts, counted = (_texts(page, nodes[places]) for places in (run.labels, run.values))
    return all(map(_AMOUNT.fullmatch, amounts)) and all(text[:1].isalpha() for text in counted)


def _begins_line(page: Page, nodes: Nodes, run: _Pairs) -> bool:
    """Return whether a label that stands alone is said to be one of the value: "Last updated:", "By"."""
    label = _texts(page, nodes[run.labels])[0]
    return label.endswith(COLONS) or _BY.fullmatch(label) is not None


def _texts(page: Page, nodes: Nodes) -> list[str]:
    return [page.text_of(node).strip() for node in nodes.tolist()]
