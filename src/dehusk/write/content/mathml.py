r"""MathML as TeX, over the columns of a page: one pass from the last node to the first, so nothing recurses.

    >>> from dehusk import parse
    >>> page = parse("<math><mfrac><mi>α</mi><mn>2</mn></mfrac><mo>≤</mo><msup><mi>x</mi><mn>10</mn></msup></math>")
    >>> mathml_to_tex(page, 1)
    '\\frac{\\alpha}{2}\\leq x^{10}'

The two converters on PyPI were tried. `mathml-to-latex` 1.0, its only release, reads valid XML only, recurses, and
writes prescripts as text; `mathml2latex` 0.2 needs Beautiful Soup, and loses bold letters, binomials and prescripts.

Broken markup gives what can be read of it; elements that are not MathML count as groups.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from dehusk.base.lazy import pattern
from dehusk.read.page import Page
from dehusk.write.content.tex import MAX_TEX, join, symbols, word

MAX_NODES = 20_000
"""Nodes of the largest formula that is converted."""

_OPENING = {"(": "(", "[": "[", "{": r"\{", "|": "|", "‖": r"\Vert", "⟨": r"\langle", "⌊": r"\lfloor", "⌈": r"\lceil"}
_CLOSING = {")": ")", "]": "]", "}": r"\}", "|": "|", "‖": r"\Vert", "⟩": r"\rangle", "⌋": r"\rfloor", "⌉": r"\rceil"}
_FENCES = (frozenset(_OPENING.values()), frozenset(_CLOSING.values()))
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
_TOKENS = frozenset({"mi", "mo", "mn", "mtext", "ms"})
_TEXTS = _TOKENS | {"#text"}
_FIRST = frozenset({"semantics", "maction"})
_SKIPPED = frozenset({"annotation", "annotation-xml", "maligngroup", "malignmark"})
_TEXT_SPECIAL = pattern(r"[#$%&_{}]")

Parts = list[str]
Inside = list[tuple[str, str, str]]
"""(name, text, TeX) of the children of an element."""
Given = dict[str, str]


def mathml_to_tex(page: Page, root: int) -> str:
    """Return the formula in a `math` element as TeX, not cleaned; "" if it is empty or larger than the limits."""
    end = int(page.end[root])
    if end - root > MAX_NODES or page.text_end[root] - page.text_start[root] > MAX_TEX:
        return ""
    children: dict[int, Inside] = defaultdict(list)
    for node in range(end - 1, root - 1, -1):
        name = page.tag_name(node).rpartition(":")[2]
        raw = page.text[page.text_start[node] : page.text_end[node]].strip() if name in _TEXTS else ""
        if page.is_text[node]:
            result = symbols(raw)
        else:
            result = _element(name, raw, children.pop(node, [])[::-1], dict(page.attributes_of(node)))
        if len(result) > 2 * MAX_TEX or node == root:
            return result if len(result) <= 2 * MAX_TEX else ""
        if raw or name != "#text":
            children[int(page.parent[node])].append((name, raw, result))
    return ""


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
    if name in _TOKENS and all(child == "#text" for child, _, _ in inside):
        return _token(name, raw, given)
    if name in _STRUCTURED:
        return _STRUCTURED[name](inside, given)
    if name in _BUILDERS:
        return _BUILDERS[name]([tex for _, _, tex in inside], given)
    return _row(inside[:1] if name in _FIRST else inside)


def _token(name: str, raw: str, given: Given) -> str:
    text = " ".join(raw.split())
    if name in ("mtext", "ms"):
        escaped = _TEXT_SPECIAL.sub(r"\\\g<0>", text.replace("\\", ""))
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


def _limits(name: str, inside: Inside, given: Given) -> str:  # noqa: ARG001 (one signature for all elements)
    texts, parts = [raw for _, raw, _ in inside], [tex for _, _, tex in inside]
    base, *others = (*parts, "", "", "")[: 2 + (name == "munderover")]
    if _LARGE.fullmatch(base) or base.startswith((r"\underbrace", r"\overbrace")):
        below, above = others if name == "munderover" else (others[0], "") if name == "munder" else ("", others[0])
        return base + (f"_{_script(below)}" if below else "") + (f"^{_script(above)}" if above else "")
    if name == "munderover":
        return rf"\overset{_group(others[1])}{{\underset{_group(others[0])}{_group(base)}}}"
    accent = (_OVER if name == "mover" else _UNDER).get(texts[1] if len(texts) > 1 else "")
    if accent:
        long = {"hat": "widehat", "tilde": "widetilde", "vec": "overrightarrow"}
        return rf"\{long.get(accent, accent) if len(texts[0]) > 1 else accent}{_group(base)}"
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


def _table(rows: Parts) -> str:
    body = r" \\ ".join(rows)
    return rf"\begin{{matrix}}{body}\end{{matrix}}"


def _fenced(parts: Parts, given: Given) -> str:
    separators = given.get("separators", ",").split() or [""]
    separators = list("".join(separators)) or [""]
    out = []
    for index, part in enumerate(parts):
        out += [symbols(separators[min(index, len(separators)) - 1])] if index else []
        out.append(part)
    opening, closing = given.get("open", "("), given.get("close", ")")
    left, right = _OPENING.get(opening.strip(), "."), _CLOSING.get(closing.strip(), ".")
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
    "mtable": lambda parts, _: _table(parts),
    "mspace": lambda _, given: r"\quad " if given.get("width", "").strip().startswith(("1", "2")) else r"\,",
}
_STRUCTURED: dict[str, Callable[[Inside, Given], str]] = {
    "mmultiscripts": lambda inside, _: _multiscripts(inside),
    **{name: partial(_limits, name) for name in ("munder", "mover", "munderover")},
}
