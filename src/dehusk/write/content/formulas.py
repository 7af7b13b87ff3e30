r"""Formulas of a page as TeX: from annotations, MathML, scripts of MathJax, images and delimited text.

    >>> from dehusk import parse
    >>> page = parse(r'<p>For <span class="math inline">\(x^2\)</span> and <math><msqrt><mn>2</mn></msqrt></math>')
    >>> find_formulas(page).roots
    {3: Formula(tex='x^2', display=False), 6: Formula(tex='\\sqrt{2}', display=False)}

Pages often contain a formula several times: rendered, as MathML for screen readers, as TeX for scripts, as an image.
The outermost element that a renderer puts around all of them is the formula's root; its TeX is the author's, if the
page has it (an annotation, a script, the alternative text of an image), otherwise converted from MathML.

Scripts are no nodes of a page. The place of one is found from its siblings: it stands after the last node before it
below the same parent, or at the start of the parent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import KNOWN, TEXT, numbers
from dehusk.blocks.layout import Nodes, counts_before
from dehusk.read.page import Page
from dehusk.read.signs import class_signs, source_signs
from dehusk.write.content.mathml import mathml_to_tex
from dehusk.write.content.tex import MAX_TEX, clean_tex, is_delimited, is_display

_SCRIPT = 'script[type^="math/tex" i]'
_IMAGE = numbers("img")
_LEVELS = 8
"""How many elements around MathML or a rendered formula may belong to its renderer."""
_RENDERER = pattern(
    r"(?:^|\s)(?:katex(?:-display|-mathml|--?inline)?|mwe-math-[\w-]+|MathJax\w*|MJX\w*|mjx-[\w-]+|math-container|ltx_Math)"
    r"(?=\s|$)"
)
_DISPLAY = pattern(r"(?:^|[\s_-])(?:display|block)|_Display(?:\s|$)", re.IGNORECASE)
_SOURCE = pattern(
    r"(?:^|\s)(?:math(?:-container|jax)?|arithmatex|tex|latex|katex-src|js-(?:inline|display|render)-math)(?:\s|$)",
    re.IGNORECASE,
)
_PREVIEW = pattern(r"(?:^|\s)MathJax_Preview(?:\s|$)")
_TEX_IMAGE = pattern(
    r"(?:^|\s)(?:tex|latex|math|mathtex\S*|mwe-math-fallback-image-\w+|texhtml|ltx_graphics_math|wp-katex-eq)(?:\s|$)",
    re.IGNORECASE,
)
_MARKS = (_SOURCE, _PREVIEW, _TEX_IMAGE)
_MATH_SIGN = pattern(r"[\\^_{}=<>+]")


@dataclass(frozen=True)
class Formula:
    """A formula."""

    tex: str
    """One line of TeX without delimiters, safe between dollar signs; not empty."""
    display: bool
    """Whether the formula stands on its own line."""


@dataclass(frozen=True)
class Formulas:
    """The formulas of a page."""

    roots: dict[int, Formula] = field(default_factory=dict)
    """Node -> the formula to write instead of the node and all that is in it; no root is in another."""
    after: dict[int, tuple[Formula, ...]] = field(default_factory=dict)
    """Node -> formulas to write right after it and all that is in it: those that only a script holds."""
    first: dict[int, tuple[Formula, ...]] = field(default_factory=dict)
    """Element -> formulas to write before the first node in it."""
    previews: frozenset[int] = frozenset()
    """Elements that repeat the formula next to them: to be left out."""

    def __bool__(self) -> bool:
        return bool(self.roots or self.after or self.first)


_Found = tuple[dict[int, Formula], dict[int, tuple[Formula, ...]], dict[int, tuple[Formula, ...]]]
"""`Formulas.roots` with roots in others, `after` and `first`."""


def find_formulas(page: Page) -> Formulas:
    """Return the formulas of a page."""
    maths, marked = _math_elements(page), _marked_classes(page)
    has_scripts = source_signs(page).formulas
    scripts = page.elements.select(_SCRIPT) if has_scripts else []
    if not len(maths) and not marked and not scripts:
        return Formulas()
    candidates: dict[int, Formula] = {}
    for root, formula in _from_mathml(page, maths):
        candidates.setdefault(root, formula)
    for root, formula in _from_classes(page, marked):
        candidates.setdefault(root, formula)
    after: dict[int, tuple[Formula, ...]] = {}
    first: dict[int, tuple[Formula, ...]] = {}
    if scripts:
        _add_scripts(page, scripts, (candidates, after, first))
    previews = _with_class(page, marked, _PREVIEW) if has_scripts else []
    roots = _outermost(page, candidates)
    return Formulas(roots, after, first, frozenset(previews))


def may_have_formulas(page: Page) -> bool:
    """Return whether a page has marks of formulas; without them, `find_formulas` finds nothing."""
    return bool(len(_math_elements(page)) or _marked_classes(page) or source_signs(page).formulas)


def _marked_classes(page: Page) -> list[int]:
    """Return the numbers of the classes that mark TeX."""
    if not class_signs(page).formulas:
        return []
    codes = [code for code, name in enumerate(map(str.lower, page.class_names)) if "tex" in name or "math" in name]
    likely = [(code, page.class_names[code][:1000]) for code in codes]
    return [code for code, name in likely if any(pattern.search(name) for pattern in _MARKS)]


def _math_elements(page: Page) -> Nodes:
    """Return the outermost `math` elements, also those with a prefix."""
    tags = [KNOWN + index for index, name in enumerate(page.extra_tags) if name.rpartition(":")[2] == "math"]
    if not tags:
        return np.zeros(0, dtype=np.intp)
    maths = np.isin(page.tag, tags).nonzero()[0]
    outer: Nodes = maths[page.within(maths)[maths] == 1]
    return outer


def _from_mathml(page: Page, maths: Nodes) -> Iterator[tuple[int, Formula]]:
    """Yield (root, formula) for each `math` element."""
    before = counts_before(page, maths)
    annotations = _annotations(page)
    for math in maths.tolist():
        given = dict(page.attributes_of(math))
        source = annotations.get(math) or _alternative(given.get("alttext", "")) or mathml_to_tex(page, math)
        tex = clean_tex(source)
        if not tex:
            continue
        root, is_block = math, given.get("display") == "block" or given.get("mode") == "display"
        for node in _around(page, math):
            if before[page.end[node]] - before[node] > 1 or not _is_tight(page, node, math):
                break
            if _is_renderer(page, node):
                root, is_block = node, is_block or _shows_block(page, node)
        yield root, Formula(tex, is_block)


def _annotations(page: Page) -> dict[int, str]:
    """Return math element -> the TeX in its annotation."""
    names = [KNOWN + index for index, name in enumerate(page.extra_tags) if name.rpartition(":")[2] == "annotation"]
    found: dict[int, str] = {}
    for node in np.isin(page.tag, names).nonzero()[0].tolist() if names else ():
        encoding = dict(page.attributes_of(node)).get("encoding", "")[:100].lower()
        if "tex" not in encoding:
            continue
        for around in _around(page, node):
            if page.tag_name(around).rpartition(":")[2] == "math":
                found.setdefault(around, page.text[page.text_start[node] : page.text_end[node]])
                break
    return found


def _alternative(text: str) -> str:
    """Return the alternative text of a formula if it looks like TeX rather than words, otherwise ""."""
    text = text.strip()
    return text if _MATH_SIGN.search(text) or (text and len(text.split()) < 3) else ""


def _from_classes(page: Page, marked: list[int]) -> Iterator[tuple[int, Formula]]:
    """Yield (root, formula) for images with TeX as alternative text, and for elements with TeX as text."""
    images = page.is_one_of(_IMAGE)
    for node in np.isin(page.class_code, marked).nonzero()[0].tolist() if marked else ():
        classes = page.class_names[page.class_code[node]][:1000]
        if page.text_end[node] - page.text_start[node] > 2 * MAX_TEX:
            continue
        text = page.text[page.text_start[node] : page.text_end[node]]
        if images[node]:
            if not _TEX_IMAGE.search(classes):
                continue
            text = _alternative(dict(page.attributes_of(node)).get("alt", ""))
        elif not _SOURCE.search(classes) or not (is_delimited(text) or _is_pandoc(page, node, classes)):
            continue
        if tex := clean_tex(text):
            yield node, Formula(tex, is_display(text) or _shows_block(page, node))


def _is_pandoc(page: Page, node: int, classes: str) -> bool:
    """Return whether the text of an element is TeX without delimiters, as Pandoc and GitLab write it for KaTeX."""
    tokens = set(classes.split())
    is_source = ("math" in tokens and bool(tokens & {"inline", "display"})) or "js-render-math" in tokens
    return is_source and page.end[node] == node + 2


def _add_scripts(page: Page, scripts: list[Any], found: _Found) -> None:
    """Add the formulas in scripts: to the rendered formula with the script's id, or to its place in the text."""
    candidates, after, first = found
    frames = {name: node for node, name in _ids(page)}
    for script, place in zip(scripts, page.elements.siblings_before(scripts), strict=True):
        tex = clean_tex(script.text)
        if not tex:
            continue
        formula = Formula(tex, "display" in (script.attr("type") or "").lower())
        frame = frames.get(f"{script.attr('id') or ''}-Frame")
        if frame is not None:
            candidates[_rendered(page, frame)] = formula
        elif (position := _place(page, *place)) is not None:
            node, is_first = position
            target = first if is_first else after
            target[node] = (*target.get(node, ()), formula)


def _ids(page: Page) -> Iterator[tuple[int, str]]:
    for node in page.id_code.nonzero()[0][::-1].tolist():
        name = page.id_names[page.id_code[node]]
        if name.endswith("-Frame"):
            yield node, name


def _rendered(page: Page, frame: int) -> int:
    """Return the outermost element of the renderer around a rendered formula."""
    root = frame
    for node in _around(page, frame):
        if not _is_renderer(page, node) or not _is_tight(page, node, frame):
            break
        root = node
    return root


def _is_tight(page: Page, node: int, formula: int) -> bool:
    """Return whether an element contains little more text than copies of a formula."""
    length = int(page.text_end[formula] - page.text_start[formula])
    return int(page.text_end[node] - page.text_start[node]) <= 10 * length + 200


def _place(page: Page, parent: int, before: int, texts: int) -> tuple[int, bool] | None:
    """Return the node that a script follows, and whether it is the parent, whose first child the script would be."""
    if parent < 0:
        return None
    start = int(page.end[before]) if before >= 0 else parent + 1
    last = start + texts - 1
    if not texts:
        return (before, False) if before >= 0 else (parent, True)
    is_text = last < page.end[parent] and page.tag[last] == TEXT and page.parent[last] == parent
    if is_text:
        return last, False
    return (before, False) if before >= 0 else (parent, True)


def _around(page: Page, node: int) -> Iterator[int]:
    """Yield the elements around a node, the innermost first, as far as a renderer nests them."""
    for _ in range(_LEVELS):
        node = int(page.parent[node])
        if node <= 0:
            return
        yield node


def _is_renderer(page: Page, node: int) -> bool:
    if page.tag_name(node).startswith("mjx-"):
        return True
    return _RENDERER.search(page.class_names[page.class_code[node]][:1000]) is not None


def _shows_block(page: Page, node: int) -> bool:
    """Return whether an element of a renderer sets its formula on its own line."""
    given = dict(page.attributes_of(node))
    if given.get("display") in ("true", "block") or given.get("data-math-style") == "display":
        return True
    return _DISPLAY.search(page.class_names[page.class_code[node]][:1000]) is not None


def _with_class(page: Page, marked: list[int], pattern: re.Pattern[str]) -> list[int]:
    codes = [code for code in marked if pattern.search(page.class_names[code][:1000])]
    nodes: list[int] = np.isin(page.class_code, codes).nonzero()[0].tolist() if codes else []
    return nodes


def _outermost(page: Page, candidates: dict[int, Formula]) -> dict[int, Formula]:
    """Return the formulas in document order without those inside others."""
    roots, end = {}, 0
    for node in sorted(candidates):
        if node >= end:
            roots[node], end = candidates[node], int(page.end[node])
    return roots
