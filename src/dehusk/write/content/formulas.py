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
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import unquote

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import KNOWN, TEXT, is_block_level, numbers
from dehusk.blocks.layout import Nodes, counts_before
from dehusk.read.page import Page
from dehusk.read.signs import class_signs, source_signs
from dehusk.write.content.raw_tex import has_raw_tex, raw_texts
from dehusk.write.content.tex import MAX_TEX, clean_tex, is_balanced, is_delimited, is_display, join, symbols, word

# ---------------------------------------------------------------- mathml
# MathML as TeX, over the columns of a page: one pass from the last node to the first, so nothing recurses.
#
# The two converters on PyPI were tried. `mathml-to-latex` 1.0, its only release, reads valid XML only, recurses, and
# writes prescripts as text; `mathml2latex` 0.2 needs Beautiful Soup, and loses bold letters, binomials and prescripts.
#
# Broken markup gives what can be read of it; elements that are not MathML count as groups.

MAX_NODES = 20_000
"""Nodes of the largest formula that is converted."""

_OPENING = {"(": "(", "[": "[", "{": r"\{", "|": "|", "‖": r"\Vert", "⟨": r"\langle", "⌊": r"\lfloor", "⌈": r"\lceil"}
_CLOSING = {")": ")", "]": "]", "}": r"\}", "|": "|", "‖": r"\Vert", "⟩": r"\rangle", "⌋": r"\rfloor", "⌉": r"\rceil"}
_FENCE = {**_CLOSING, **_OPENING, "<": r"\langle", ">": r"\rangle", "〈": r"\langle", "〉": r"\rangle", "||": r"\Vert"}
_FENCES = (frozenset(_OPENING.values()), frozenset(_CLOSING.values()))
_MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", (r"\{", r"\}"): "Bmatrix", ("|", "|"): "vmatrix"}
_MATRIX = pattern(r"\\begin\{matrix\}(?:(?!\\(?:begin|end)).)*\\end\{matrix\}", re.DOTALL)
_TALL = pattern(r"\\(?:frac|genfrac|sum|prod|int|sqrt|begin|overset|underset)(?![a-zA-Z])")
_LARGE = pattern(r"\\(?:sum|prod|coprod|i*int|oint|big[a-z]+|lim(?:inf|sup)?|max|min|sup|inf|gcd|det|Pr)")
_OVER = {
    **dict.fromkeys("^ˆ̂", "hat"),
    **dict.fromkeys("~˜̃∼", "tilde"),
    **dict.fromkeys("¯ˉ‾̅_", "overline"),
    **dict.fromkeys("→⃗⇀", "vec"),
    **dict.fromkeys("˙̇.", "dot"),
    **dict.fromkeys("¨̈", "ddot"),
    "ˇ": "check",
    "˘": "breve",
    "⏞": "overbrace",
    "︷": "overbrace",
}
_UNDER = {**dict.fromkeys("_¯‾̲", "underline"), "⏟": "underbrace", "︸": "underbrace"}
_ENCLOSED = {
    "radical": r"\sqrt{%s}",
    "box": r"\boxed{%s}",
    "roundedbox": r"\boxed{%s}",
    "top": r"\overline{%s}",
    "actuarial": r"\overline{%s}",
    "bottom": r"\underline{%s}",
    "updiagonalstrike": r"\cancel{%s}",
    "downdiagonalstrike": r"\bcancel{%s}",
    "horizontalstrike": r"\overline{%s}",
}
_RENDERED = "mjx-"
_PLACING = frozenset(
    {"frac", "dbox", "dtable", "row", "box", "base", "over", "under", "script", "num", "den", "sqrt", "stretchy-v"}
)
"""Elements by which MathJax places the children of MathML's; `_SKIPPED` has those that only take space."""
_TOKENS = frozenset({"mi", "mo", "mn", "mtext", "ms"})
_TEXTS = _TOKENS | {"#text"}
_FIRST = frozenset({"semantics", "maction"})
_SKIPPED = frozenset(
    {"annotation", "annotation-xml", "maligngroup", "malignmark", "surd", "line", "nstrut", "dstrut", "spacer"}
)
_COMMAND = pattern(r"\\[a-zA-Z]+")
_TEXT_SPECIAL = pattern(r"[#$%&_{}^~]")

Parts = list[str]
Inside = list[tuple[str, str, str]]
"""(name, text, TeX) of the children of an element."""
Given = dict[str, str]


def mathml_to_tex(page: Page, root: int) -> str:
    r"""Return the formula in a `math` element as TeX, not cleaned; "" if it is empty or larger than the limits.

    >>> from dehusk import parse
    >>> page = parse("<math><mfrac><mi>α</mi><mn>2</mn></mfrac><mo>≤</mo><msup><mi>x</mi><mn>10</mn></msup></math>")
    >>> mathml_to_tex(page, 1)
    '\\frac{\\alpha}{2}\\leq x^{10}'
    """
    end = int(page.end[root])
    if end - root > MAX_NODES or page.text_end[root] - page.text_start[root] > MAX_TEX:
        return ""
    children: dict[int, Inside] = defaultdict(list)
    for node in range(end - 1, root - 1, -1):
        tag = page.tag_name(node)
        name = tag.removeprefix(_RENDERED).rpartition(":")[2]
        if tag.startswith(_RENDERED) and (name in _PLACING or name in _SKIPPED):
            spliced = children.pop(node, [])
            children[int(page.parent[node])] += spliced if name in _PLACING else []
            continue
        raw = page.text_of(node).strip() if name in _TEXTS else ""
        if page.is_text[node]:
            result = symbols(raw)
        else:
            inside = children.pop(node, [])[::-1]
            inside = _in_order(name, inside) if tag.startswith(_RENDERED) else inside
            result = _element(name, raw, inside, dict(page.attributes_of(node)))
        if len(result) > 2 * MAX_TEX or node == root:
            return result if len(result) <= 2 * MAX_TEX else ""
        if raw or name != "#text":
            children[int(page.parent[node])].append((name, raw, result))
    return ""


def _in_order(name: str, inside: Inside) -> Inside:
    """Return the children of an element that MathJax has rendered in MathML's order: it has what is above first."""
    if name == "msubsup" and len(inside) == 3:
        return [inside[0], inside[2], inside[1]]
    if name == "munderover" and len(inside) == 2:  # with a munder as its base
        above, (_, raw, base) = inside
        return [("mrow", raw, f"{base}^{_script(above[2])}")]
    return inside[::-1] if name == "mover" else inside


def _element(name: str, raw: str, inside: Inside, given: Given) -> str:
    """Return an element as TeX.

    Args:
        name: of the element.
        raw: its text.
        inside: its children.
        given: its attributes.
    """
    if name in _SKIPPED:
        return ""
    if name in _TOKENS and all(child in ("#text", "c") for child, _, _ in inside):
        return _token(name, raw, given)
    if name in _STRUCTURED:
        return _STRUCTURED[name](inside, given)
    if name in _BUILDERS:
        return _BUILDERS[name]([tex for _, _, tex in inside], given)
    return _row(inside[:1] if name in _FIRST else inside)


def _token(name: str, raw: str, given: Given) -> str:
    text = " ".join(raw.split())
    if name in ("mtext", "ms"):
        escaped = _TEXT_SPECIAL.sub(_escaped, text.replace("\\", ""))
        return rf"\text{{{escaped}}}" if any(map(str.isalpha, escaped)) else symbols(text) or r"\ "
    if name == "mn":
        return symbols(text)
    if name == "mo" and len(text) == 1:
        return symbols(text)
    return word(text, given.get("mathvariant", ""))


def _row(inside: Inside) -> str:
    """Return several elements in a row; fences grow with what is between them."""
    texs = [tex for _, _, tex in inside]
    inner = join(texs[1:-1])
    if len(texs) == 3 and (texs[0], texs[2]) in _MATRICES and _MATRIX.fullmatch(inner):
        return inner.replace("{matrix}", f"{{{_MATRICES[texs[0], texs[2]]}}}")
    if len(texs) > 2 and texs[0] in _FENCES[0] and texs[-1] in _FENCES[1] and _TALL.search(inner):
        return join([rf"\left{texs[0]}", inner, rf"\right{texs[-1]}"])
    if len(texs) == 2 and texs[0] == r"\{" and texs[1].startswith(r"\begin{matrix}"):
        return join([r"\left\{", texs[1], r"\right."])
    return join(texs)


def _group(tex: str) -> str:
    return f"{{{tex}}}"


def _script(tex: str) -> str:
    """Return TeX as an argument of `_` or `^`."""
    return tex if len(tex) == 1 and tex.isalnum() else _group(tex)


def _base(tex: str) -> str:
    """Return TeX that scripts can follow."""
    is_atom = re.fullmatch(r".?|\\[a-zA-Z]+|\\math[a-z]+\{[^{}\\]*\}", tex, re.DOTALL)
    return (tex or "{}") if is_atom else _group(tex)


def _with_scripts(base: str, below: str = "", above: str = "") -> str:
    primes = above if re.fullmatch(r"(?:\\prime)+", above) else ""
    sub = f"_{_script(below)}" if below else ""
    if primes:
        return _base(base) + "'" * primes.count("\\") + sub
    return _base(base) + sub + (f"^{_script(above)}" if above else "")


def _escaped(sign: re.Match[str]) -> str:
    """Return a sign of TeX as a text has it."""
    return f"\\{sign[0]}{'{}' if sign[0] in '^~' else ''}"


def _is_long(base: str) -> bool:
    """Return whether what is below an accent is more than a character or a command."""
    return len(base) > 1 and _COMMAND.fullmatch(base) is None


def _limits(name: str, inside: Inside, given: Given) -> str:  # noqa: ARG001 (one signature for all elements)
    texts, parts = [raw for _, raw, _ in inside], [tex for _, _, tex in inside]
    base, *others = (*parts, "", "", "")[: 2 + (name == "munderover")]
    if _LARGE.fullmatch(base) or base.startswith((r"\underbrace", r"\overbrace")):
        below, above = others if name == "munderover" else (others[0], "") if name == "munder" else ("", others[0])
        return base + (f"_{_script(below)}" if below else "") + (f"^{_script(above)}" if above else "")
    if name == "munderover" and len(inside) == 1:
        return base
    if name == "munderover":
        return rf"\overset{_group(others[1])}{{\underset{_group(others[0])}{_group(base)}}}"
    accent = (_OVER if name == "mover" else _UNDER).get(texts[1] if len(texts) > 1 else "")
    if accent:
        long = {"hat": "widehat", "tilde": "widetilde", "vec": "overrightarrow"}
        return rf"\{long.get(accent, accent) if len(texts[0]) > 1 or _is_long(base) else accent}{_group(base)}"
    return rf"\{'overset' if name == 'mover' else 'underset'}{_group(others[0])}{_group(base)}"


def _multiscripts(inside: Inside) -> str:
    names = [name for name, _, _ in inside]
    parts = [tex for _, _, tex in inside]
    split = names.index("mprescripts") if "mprescripts" in names else len(parts)
    before, after = parts[split + 1 :], parts[1:split]
    base = _base(parts[0]) if parts else "{}"
    leading = "".join(_with_scripts("", *before[at : at + 2]) for at in range(0, len(before), 2))
    trailing = "{}".join(_with_scripts("", *after[at : at + 2])[2:] for at in range(0, len(after), 2))
    return leading + base + trailing


def _table(rows: Parts, given: Given) -> str:
    body = r" \\ ".join(rows)
    if len(rows) == 1 and "&" not in body and given.get("displaystyle") == "true":
        return body  # an equation with a label
    kind = "aligned" if given.get("columnalign", "").startswith("right ") else "matrix"
    return rf"\begin{{{kind}}}{body}\end{{{kind}}}"


def _fenced(parts: Parts, given: Given) -> str:
    separators = given.get("separators", ",").split() or [""]
    separators = list("".join(separators)) or [""]
    out = []
    for index, part in enumerate(parts):
        out += [symbols(separators[min(index, len(separators)) - 1])] if index else []
        out.append(part)
    opening, closing = given.get("open", "("), given.get("close", ")")
    left, right = (_FENCE.get(sign.strip(), ".") for sign in (opening, closing))
    return join([rf"\left{left}", *out, rf"\right{right}"])


def _fraction(parts: Parts, given: Given) -> str:
    above, below = (*parts, "", "")[:2]
    if re.match(r"0(?:\.0*)?(?:[a-z%]|$)", given.get("linethickness", "").strip()):
        return rf"\genfrac{{}}{{}}{{0pt}}{{}}{_group(above)}{_group(below)}"
    return (
        f"{_base(above)}/{_base(below)}" if given.get("bevelled") == "true" else rf"\frac{_group(above)}{_group(below)}"
    )


def _enclosed(parts: Parts, given: Given) -> str:
    tex = join(parts)
    for notation in given.get("notation", "")[:200].split():
        if notation in _ENCLOSED:
            tex = _ENCLOSED[notation].replace("%s", tex)
    return tex


def _root(parts: Parts, given: Given) -> str:  # noqa: ARG001 (one signature for all elements)
    base, index = (*parts, "", "")[:2]
    return rf"\sqrt[{index}]{_group(base)}" if index else rf"\sqrt{_group(base)}"


_BUILDERS: dict[str, Callable[[Parts, Given], str]] = {
    "mfrac": _fraction,
    "msqrt": lambda parts, _: rf"\sqrt{_group(join(parts))}",
    "mroot": _root,
    "msub": lambda parts, _: _with_scripts(*(*parts, "", "")[:2]),
    "msup": lambda parts, _: _with_scripts((*parts, "")[0], "", (*parts, "", "")[1]),
    "msubsup": lambda parts, _: _with_scripts(*(*parts, "", "", "")[:3]),
    "mfenced": _fenced,
    "menclose": _enclosed,
    "mphantom": lambda parts, _: rf"\phantom{_group(join(parts))}",
    "mtr": lambda parts, _: " & ".join(parts),
    "mlabeledtr": lambda parts, _: " & ".join(parts[1:]),
    "mprescripts": lambda _, __: "",
    "none": lambda _, __: "",
    "mtable": _table,
    "mspace": lambda _, given: r"\quad " if given.get("width", "").strip().startswith(("1", "2")) else r"\,",
}
_STRUCTURED: dict[str, Callable[[Inside, Given], str]] = {
    "mmultiscripts": lambda inside, _: _multiscripts(inside),
    **{name: partial(_limits, name) for name in ("munder", "mover", "munderover")},
}


# ---------------------------------------------------------------- formulas

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
    r"(?:^|\s)(?:math(?:-?(?:inline|block|display)|-container|jax)?|arithmatex|tex|latex|katex-src|js-(?:inline|display|render)-math)(?:\s|$)",
    re.IGNORECASE,
)
_PREVIEW = pattern(r"(?:^|\s)MathJax_Preview(?:\s|$)")
_TEX_IMAGE = pattern(
    r"(?:^|\s)(?:tex|latex|math|mathtex\S*|mwe-math-fallback-image-\w+|texhtml|ltx_graphics_math|wp-katex-eq)(?:\s|$)",
    re.IGNORECASE,
)
_DATA = ("data-math", "data-latex", "data-tex", "data-formula", "data-expr")
"""Attributes with the TeX of an element with a class of formulas."""
_COMMAND = pattern(r"\\(?:begin|operatorname|frac|sum|int|sqrt|[a-zA-Z]+(?=[{_^]))|^\\[a-zA-Z]{2,20}")
"""What tells TeX from other text with a backslash."""
_SERVED = pattern(
    r"[?&](?:chl|tex|latex|formula|eq|math)=([^&#]+)|\?([^&#=]*%5C[^&#]*)|/([^/?#]*%5C[^/?#]*)$", re.IGNORECASE
)
"""The TeX in the address of an image that a service makes of it."""
_MAX_ADDRESS = 4000
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
    inside: dict[int, tuple[str | Formula, ...]] = field(default_factory=dict)
    """Text node -> the formulas in it, and the texts between them."""
    previews: frozenset[int] = frozenset()
    """Elements that repeat the formula next to them: to be left out."""

    def __bool__(self) -> bool:
        return bool(self.roots or self.after or self.first or self.inside)


_Found = tuple[dict[int, Formula], dict[int, tuple[Formula, ...]], dict[int, tuple[Formula, ...]]]
"""`Formulas.roots` with roots in others, `after` and `first`."""


def find_formulas(page: Page) -> Formulas:
    """Return the formulas of a page."""
    maths, marked = _math_elements(page), _marked_classes(page)
    has_scripts = source_signs(page).formulas
    scripts = page.elements.select(_SCRIPT) if has_scripts else []
    candidates: dict[int, Formula] = {}
    maths = np.union1d(maths, _rendered_maths(page, maths))
    for root, formula in _from_mathml(page, maths):
        candidates.setdefault(root, formula)
    for root, formula in _from_classes(page, marked):
        candidates.setdefault(root, formula)
    for root, formula in _from_images(page):
        candidates.setdefault(root, formula)
    after: dict[int, tuple[Formula, ...]] = {}
    first: dict[int, tuple[Formula, ...]] = {}
    if scripts:
        _add_scripts(page, scripts, (candidates, after, first))
    previews = _with_class(page, marked, _PREVIEW) if has_scripts else []
    roots = _outermost(page, candidates)
    return Formulas(roots, after, first, _inside(page), frozenset(previews))


def _inside(page: Page) -> dict[int, tuple[str | Formula, ...]]:
    """Return the texts with raw TeX in pieces; single dollar signs count if a command or another delimiter is there."""
    found = {}
    is_sure = False
    for node, pieces in raw_texts(page):
        is_alone = all(sign or not text.strip() for text, sign in pieces)
        found[node] = tuple(
            Formula(tex, is_alone and sign in ("$$", "\\[")) if sign and (tex := clean_tex(text)) else text
            for text, sign in pieces
        )
        is_sure |= any(sign not in ("", "$") or (sign and "\\" in text) for text, sign in pieces)
    return found if is_sure else {}


def may_have_formulas(page: Page) -> bool:
    """Return whether a page has marks of formulas; without them, `find_formulas` finds nothing."""
    signs = source_signs(page).formulas or has_raw_tex(page.text) or "mjx-math" in page.extra_tags
    return bool(signs or len(_math_elements(page)) or _marked_classes(page))


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


def _rendered_maths(page: Page, maths: Nodes) -> Nodes:
    """Return the formulas that MathJax has rendered as elements with text, without MathML beside them."""
    if "mjx-math" not in page.extra_tags:
        return maths[:0]
    nodes = (page.tag == KNOWN + page.extra_tags.index("mjx-math")).nonzero()[0]
    before = counts_before(page, maths)
    frames = page.parent[nodes]
    is_only = (page.text_end[nodes] > page.text_start[nodes]) & (before[page.end[frames]] == before[frames])
    only: Nodes = nodes[is_only]
    return only


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
        root, is_block = math, given.get("display") in ("block", "true") or given.get("mode") == "display"
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
        if "tex" not in encoding.replace("text", ""):
            continue
        for around in _around(page, node):
            if page.tag_name(around).rpartition(":")[2] == "math":
                found.setdefault(around, page.text_of(node))
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
        text = page.text_of(node)
        given = dict(page.attributes_of(node))
        source = next((given[name] for name in _DATA if given.get(name)), "")
        if source and not images[node]:
            text = source
        elif images[node]:
            if not _TEX_IMAGE.search(classes):
                continue
            text = _alternative(given.get("alt", ""))
        elif not _SOURCE.search(classes) or not (is_delimited(text) or _is_pandoc(page, node, classes)):
            continue
        if tex := clean_tex(text):
            yield node, Formula(tex, is_display(text) or _shows_block(page, node))


def _from_images(page: Page) -> Iterator[tuple[int, Formula]]:
    """Yield (image, formula) for images with TeX as alternative text, or in the address of a service."""
    images = page.nodes_of(_IMAGE)
    for node, alt, source in zip(images.tolist(), *page.elements.columns(images, ("alt", "src")), strict=True):
        text = alt if alt and "\\" in alt else _served(source or "")
        if text and _COMMAND.search(text) and (tex := clean_tex(text)) and is_balanced(tex):
            yield node, Formula(tex, is_display(text))


def _served(source: str) -> str:
    """Return the TeX in the address of an image, "" if it has none."""
    found = _SERVED.search(source) if len(source) < _MAX_ADDRESS and "%5" in source else None
    return unquote(found[found.lastindex or 0], errors="replace") if found else ""


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
    is_space = is_text and not page.text_of(last).strip()
    if is_text and not (is_space and before >= 0 and is_block_level()[min(int(page.tag[before]), KNOWN - 1)]):
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
