"""Headings that head nothing, as another heading that is not below them follows at once.

- Right above a heading of a higher level they become lines: pages write so what stands above a title (the section, the
  date, the subject), and texts that are to look large. Below the title of a page, h1 is often used for parts of a
  section: what stands above it is the name of this section.
- Amounts of money right below another heading become lines.
- Three or more of one kind in a row, as the titles of cards, become lines, but in lists; so does the last of cards that
  have their titles below their pictures.
- One whose own text is not kept becomes a line, as does one between two numbered ones; of two of one level so does
  the one that is a sentence.
- Of these, only the first kind holds for those that a table of contents has: a link elsewhere on the page has their id.
- Others head the parts that follow, which get a lower level with all that is below them: those in elements beside the
  heading, or the first one and what is written like it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.characters import CURRENCY_SIGNS
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page

_HEADINGS, _CONTENT = numbers(HEADINGS), numbers("audio embed iframe img object svg video")
_ITEM = numbers("li")
_RUN, _LOWEST = 3, 6
"""Headings of one kind in a row that are a list, at least; the lowest level."""
_SENTENCE, _LONG_SENTENCE = 9, 20
"""Words of a heading that is a sentence, at least, also where others look like it. These and the next number were set
by hand on the bare headings of WCXB's pages."""
_LABEL = 5
"""Words that are not a text, at most, such as "Advertisement"."""
_TO_ID = pattern(r"\shref\s{0,3}=\s{0,3}[\"']?[^\"'#<>\s]{0,500}#([^\"'<>\s]{1,300})")
"""A link to a place of a page, which is mostly the page itself."""
_PRICE, _AMOUNT = 3, pattern(rf"[{CURRENCY_SIGNS}]\d[\d.,]*|\d[\d.,]*[{CURRENCY_SIGNS}]")
"""Words of a price, at most, and what one is."""
_STOPS, _QUESTION_MARKS = (".", "!", "。", "！"), ("?", "？", "؟")

Names = npt.NDArray[np.object_]
_Trait = str | tuple[int, ...]


@dataclass(eq=False)
class _Heading:
    """A heading in the output."""

    places: list[int]
    """Its index in the nodes of the output, and those of the headings in it."""
    node: int
    level: int
    is_bare: bool
    """Whether the next heading follows at once."""
    in_item: bool
    is_first: bool
    """Whether it is the first heading of level 1."""
    words: list[str]
    kind: tuple[int, ...]
    """What headings have in common that look alike: classes, their own and those around them."""

    @property
    def is_question(self) -> bool:
        return bool(self.words) and self.words[-1].endswith(_QUESTION_MARKS)

    @property
    def is_numbered(self) -> bool:
        return bool(self.words) and self.words[0][:1].isdigit()

    @property
    def is_sentence(self) -> bool:
        return len(self.words) >= _SENTENCE and not self.is_question

    @property
    def traits(self) -> set[_Trait]:
        """What headings of a kind share: classes, question marks, numbers, the first word ("Step 1", "Step 2")."""
        start = "1." if self.is_numbered else self.words[0] if self.words else ""
        return {self.kind, "?" if self.is_question else "", start} - {""}

    def looks_like(self, other: "_Heading") -> bool:
        """Return whether two headings have one level and the same classes."""
        return self.level == other.level and self.kind == other.kind

    def heads_nothing_above(self, other: "_Heading | None") -> bool:
        """Return whether the next heading, if any, follows at once and is not below this one."""
        return self.is_bare and (other is None or other.level <= self.level)


def without_bare_headings(page: Page, nodes: Nodes, names: Names) -> Names:
    """Return the names of elements in the output, (m,), with headings that head nothing changed.

    Args:
        page: the page.
        nodes: (m,) its nodes that are kept, in document order, with all elements above them.
        names: (m,) the name of each element in the output, "" for text nodes.
    """
    groups = _outermost(page, nodes, names)
    if len(groups) < 2:
        return names
    levels = [int(names[group[-1]][1]) for group in groups]
    bare = _bare(page, nodes, [group[0] for group in groups])
    if not any(first and after <= level for first, (level, after) in zip(bare, pairwise(levels), strict=False)):
        return names
    headings = _described(page, nodes, groups, levels, bare)
    names = names.copy()
    for lines_among in (
        _amounts,
        _above_higher,
        _in_runs,
        _below_pictures,
        _sentences,
        _over_dropped,
        _within_numbered,
    ):
        lines = set(lines_among(page, headings))
        names[[place for heading in lines for place in heading.places]] = "div"
        for heading, after in pairwise(headings):
            heading.is_bare &= after not in lines
        headings = [heading for heading in headings if heading not in lines]
    for heading in _lower_parts(page, headings):
        names[heading.places] = f"h{heading.level}"
    return names


def _outermost(page: Page, nodes: Nodes, names: Names) -> list[list[int]]:
    """Return the places of headings, each with those of the headings in it."""
    found, end = list[list[int]](), 0
    headings = page.nodes_of(_HEADINGS)
    for node, place in zip(headings.tolist(), nodes.searchsorted(headings).tolist(), strict=True):
        if place == len(nodes) or nodes[place] != node or names[place] not in HEADINGS:
            continue
        if node < end:
            found[-1].append(place)
        else:
            found.append([place])
            end = int(page.end[node])
    return found


def _bare(page: Page, nodes: Nodes, places: list[int]) -> list[bool]:
    """Return for each heading whether neither text nor pictures stand between it and the next one."""
    content, ends = frozenset(page.nodes_of(_CONTENT).tolist()), nodes.searchsorted(page.end[nodes[places]]).tolist()

    def is_empty(start: int, end: int) -> bool:
        for node in nodes[start:end].tolist():
            if node in content or (page.is_text[node] and page.text_of(node).strip()):
                return False
        return True

    return [is_empty(start, end) for start, end in zip(ends, [*places[1:], len(nodes)], strict=True)]


def _described(
    page: Page, nodes: Nodes, groups: list[list[int]], levels: list[int], bare: list[bool]
) -> list[_Heading]:
    own = nodes[[group[0] for group in groups]]
    in_item = (page.within_at(page.nodes_of(_ITEM), own) > 0).tolist()
    words = [page.text_of(node).split() for node in own.tolist()]
    kinds = zip(page.class_code[own].tolist(), page.class_code[page.parent[own]].tolist(), strict=True)
    first = levels.index(1) if 1 in levels else -1
    is_first = [index == first for index in range(len(levels))]
    return [*map(_Heading, groups, own.tolist(), levels, bare, in_item, is_first, words, kinds)]


def _amounts(_: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield amounts of money right below a heading, such as the name of a product."""
    for heading, after in pairwise(headings):
        is_short = heading.is_bare and len(after.words) <= _PRICE
        if is_short and _AMOUNT.fullmatch("".join(after.words)):
            yield after


def _above_higher(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield bare headings above one of a higher level, which is not a part of the page below its title."""
    title = next((index for index, heading in enumerate(headings) if heading.level == 1), len(headings))
    following, goes = 0, False
    for index in reversed(range(len(headings) - 1)):
        heading, after = headings[index : index + 2]
        following = following if goes and after.level == heading.level else after.level
        is_misused = following == 1 and index > title
        goes = heading.is_bare and following < heading.level and not is_misused and not _is_of_title(page, heading)
        if goes or (
            heading.heads_nothing_above(after) and _is_of_title(page, after) and not _is_of_title(page, heading)
        ):
            yield heading


def _in_runs(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield the bare headings of runs of one kind and level."""
    runs, is_bare = list[list[_Heading]](), False
    for heading in headings:
        if is_bare and runs[-1][-1].looks_like(heading):
            runs[-1].append(heading)
        else:
            runs.append([heading])
        is_bare = heading.is_bare
    firsts: list[_Heading | None] = [run[0] for run in runs[1:]]
    for run, after in zip(runs, [*firsts, None], strict=True):
        bare = run if run[-1].heads_nothing_above(after) else run[:-1]
        yield from (each for each in bare if len(run) >= _RUN and not _stays(page, each))


def _below_pictures(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield the last of several cards, which have their titles below their pictures."""
    for before, heading, after in zip(headings, headings[1:], headings[2:], strict=False):
        is_card = not before.is_bare and before.looks_like(heading) and not _between(page, before, heading)
        if is_card and heading.heads_nothing_above(after) and not _stays(page, heading):
            yield heading


def _sentences(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield what is a sentence of two headings of one level, of which the first is bare."""
    kinds = Counter((heading.level, heading.kind) for heading in headings if not heading.is_bare)
    for heading, after in pairwise(headings):
        if heading.heads_nothing_above(after) and not heading.in_item:
            for one in (heading, after):
                is_odd = kinds[one.level, one.kind] < _RUN or len(one.words) >= _LONG_SENTENCE
                if one.is_sentence and (is_odd or one.words[-1].endswith(_STOPS)) and not _stays(page, one):
                    yield one
                    break


def _over_dropped(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield bare headings above one of their level whose own text is not kept."""
    for heading, after in pairwise(headings):
        is_bare = heading.heads_nothing_above(after) and not _stays(page, heading)
        if is_bare and len(_between(page, heading, after)) > _LABEL:
            yield heading


def _within_numbered(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Yield bare headings between two numbered ones, of which they head neither."""
    numbered = [False] * (_LOWEST + 1)
    for heading, after in pairwise(headings):
        numbered[heading.level :] = [numbered[heading.level] or heading.is_numbered] + [False] * (
            _LOWEST - heading.level
        )
        is_within = after.is_numbered and not heading.is_numbered and numbered[after.level]
        if is_within and heading.heads_nothing_above(after) and not _stays(page, heading):
            yield heading


def _lower_parts(page: Page, headings: list[_Heading]) -> Iterator[_Heading]:
    """Lower the headings that bare ones head, and yield them."""
    for index, (heading, after, later) in enumerate(zip(headings, headings[1:], [*headings[2:], None], strict=False)):
        if heading.level < _LOWEST and heading.heads_nothing_above(after) and not after.heads_nothing_above(later):
            if heading.in_item or _is_of_title(page, after) or _are_linked(page, heading, after):
                continue
            following = (headings[place] for place in range(index + 1, len(headings)))
            around = int(page.parent[heading.node])
            is_beside = after.node < page.end[around] and page.parent[after.node] != around
            parts = _beside(page, around, following) if is_beside else _like(heading, after, following)
            shift = heading.level + 1 - min(part.level for part in parts)
            for part in parts:
                part.level = min(part.level + shift, _LOWEST)
            yield from parts


def _are_linked(page: Page, heading: _Heading, after: _Heading) -> bool:
    """Return whether a table of contents has two headings of one level."""
    return heading.level == after.level and all(_is_linked(page, each) for each in (heading, after))


def _beside(page: Page, around: int, following: Iterable[_Heading]) -> list[_Heading]:
    """Return the headings in elements after a heading, up to the next one that stands where it stands."""
    end = page.end[around]
    return [*takewhile(lambda part: part.node < end and page.parent[part.node] != around, following)]


def _like(heading: _Heading, first: _Heading, following: Iterable[_Heading]) -> list[_Heading]:
    """Return the first heading after a bare one, those that share with it what the bare one lacks, and all below."""
    traits, level = first.traits - heading.traits, first.level

    def belongs(part: _Heading) -> bool:
        return part.level > level or part is first or (part.level == level and not traits.isdisjoint(part.traits))

    return [*takewhile(belongs, following)]


def _between(page: Page, heading: _Heading, after: _Heading) -> list[str]:
    """Return the first words between two headings, also of dropped text: `_LABEL` and the rest, at most."""
    return page.text[page.text_end[heading.node] : page.text_start[after.node]].split(maxsplit=_LABEL)


def _stays(page: Page, heading: _Heading) -> bool:
    """Return whether a heading stays one: the title of the page, in a table of contents, or in a list.

    Of cards in lists, writers decide.
    """
    return heading.in_item or heading.is_first or _is_of_title(page, heading) or _is_linked(page, heading)


@cached_per_object
def _linked_ids(page: Page) -> Counter[str]:
    """Return how often a link of the page leads to each id."""
    return Counter(_TO_ID.findall(page.elements.text))


def _is_linked(page: Page, heading: _Heading) -> bool:
    """Return whether a link that is not in a heading leads to it, or to an element in it."""
    inside = np.arange(heading.node, page.end[heading.node])
    elements = inside[~page.is_text[inside]]
    ids, links = page.elements.columns(elements, ("id", "href"))
    own = Counter(href.rpartition("#")[2] for href in links if href and "#" in href)
    return any(_linked_ids(page)[name] > own[name] for name in ids if name)


def _is_of_title(page: Page, heading: _Heading) -> bool:
    """Return whether the title element has a heading of several words."""
    return len(heading.words) > 2 and " ".join(heading.words).casefold() in page.meta.title.casefold()
