r"""TeX as pages contain it, made safe to write between dollar signs; and TeX for characters and words of formulas.

>>> clean_tex(r"{\displaystyle a<b}% a comment")
'a< b'
>>> symbols("αβ≤2")
'\\alpha\\beta\\leq 2'
"""

import re
import unicodedata
from collections.abc import Iterable

from dehusk.base.lazy import pattern

MAX_TEX = 20_000
"""Characters of the longest formula; longer ones stay as the page shows them."""

_DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_STYLE = pattern(r"\{\s*\\(?:display|text)style(?![a-zA-Z])\s*(.*)\}", re.DOTALL)
_COMMENT = pattern(r"(?<!\\)((?:\\\\){0,99})%[^\n]*(?:\n|$)")
_DOLLAR = pattern(r"(?<!\\)((?:\\\\){0,99})\$")
_LESS = pattern(r"<(?=[a-zA-Z/!?])")
_CONTROL = pattern("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\ufeff]")
_SURROGATE = pattern("[\ud800-\udfff]")
_COMMAND_AT_END = pattern(r"\\[a-zA-Z]+$")

_COMMANDS = """
α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda
μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∆ Delta µ mu ∂ partial ∇ nabla
∞ infty ∅ emptyset ℏ hbar ℓ ell ℘ wp ℜ Re ℑ Im ℵ aleph ∀ forall ∃ exists ∄ nexists ¬ neg ∈ in ∉ notin ∋ ni
⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ⊄ not\\subset ∪ cup ∩ cap ∖ setminus ∧ wedge ∨ vee ⊕ oplus ⊗ otimes
⊖ ominus ⊙ odot ⊥ perp ∥ parallel ∠ angle ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∗ ast ⋆ star ∘ circ • bullet
≤ leq ≥ geq ≠ neq ≡ equiv ≈ approx ≅ cong ∼ sim ≃ simeq ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ⪯ preceq ⪰ succeq
⊢ vdash ⊣ dashv ⊨ models ≜ triangleq ≔ coloneqq ← leftarrow → rightarrow ↔ leftrightarrow ⇐ Leftarrow
⇒ Rightarrow ⇔ Leftrightarrow ⟵ longleftarrow ⟶ longrightarrow ⟹ Longrightarrow ⟸ Longleftarrow ⟺ iff ↦ mapsto
⟼ longmapsto ↑ uparrow ↓ downarrow ↪ hookrightarrow ⇀ rightharpoonup ⇌ rightleftharpoons ∑ sum ∏ prod ∐ coprod
∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⋁ bigvee ⋀ bigwedge √ surd … ldots ⋯ cdots
⋮ vdots ⋱ ddots ′ prime ″ prime\\prime ‴ prime\\prime\\prime † dagger ‡ ddagger ⟨ langle ⟩ rangle 〈 langle
〉 rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert ∣ mid ∤ nmid △ triangle □ square ∎ blacksquare ◊ lozenge
∴ therefore ∵ because ⊤ top ℝ mathbb{R} ℂ mathbb{C} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℙ mathbb{P} ℍ mathbb{H}
ℒ mathcal{L} ℋ mathcal{H} ℱ mathcal{F} ℰ mathcal{E} ℳ mathcal{M} ℛ mathcal{R} ℬ mathcal{B} \\ backslash
"""
_PLAIN = {
    "−": "-",
    "–": "-",
    "‐": "-",
    "∶": ":",
    "∕": "/",
    "⁄": "/",
    "’": "'",
    "\u2061": "",
    "\u2062": "",
    "\u2063": "",
}
_ESCAPED = {character: f"\\{character}" for character in "#$%&_{}"}
_WORDS = _COMMANDS.split()
_SYMBOLS = {
    **dict(zip(_WORDS[::2], (f"\\{word}" for word in _WORDS[1::2]), strict=True)),
    **_PLAIN,
    **_ESCAPED,
    "\u2064": "",
    "\u200b": "",
    "\u00a0": "\\ ",
    "\u2009": "\\,",
    "\u2003": "\\quad",
    "~": "\\sim",
    "^": "\\hat{}",
}
_FUNCTIONS = frozenset(
    (
        *("arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "coth", "csc", "deg", "det", "dim", "exp", "gcd"),
        *("hom", "inf", "ker", "lg", "lim", "liminf", "limsup", "ln", "log", "max", "min", "sec", "sin", "sinh", "sup"),
        *("tan", "tanh", "Pr"),
    )
)


def clean_tex(source: str) -> str:
    r"""Return TeX as one line that is safe between dollar signs in Markdown; "" for none, or one that is too long.

    Delimiters (`$`, `$$`, `\(`, `\[`), the outer `\displaystyle` of Wikipedia and comments go. Dollar signs inside are
    escaped, and a space goes between characters that Markdown would read as a tag or as the address of a link.
    """
    tex = source.strip() if len(source) <= 2 * MAX_TEX else ""
    for opening, closing in _DELIMITERS:
        if len(tex) >= len(opening + closing) and tex.startswith(opening) and tex.endswith(closing):
            tex = tex[len(opening) : len(tex) - len(closing)]
            break
    tex = _SURROGATE.sub("\ufffd", _COMMENT.sub(r"\1 ", tex.replace("\r", "\n")))
    tex = " ".join(_CONTROL.sub(" ", tex).split())
    style = _STYLE.fullmatch(tex)
    if style and is_balanced(style[1]):
        tex = style[1].strip()
    tex = _LESS.sub("< ", _DOLLAR.sub(r"\1\\$", tex)).replace("](", "] (")
    if (len(tex) - len(tex.rstrip("\\"))) % 2:
        tex = tex[:-1].rstrip()  # a backslash that would escape the closing dollar sign
    return tex if len(tex) <= MAX_TEX else ""


def is_display(source: str) -> bool:
    r"""Return whether the delimiters of TeX set a formula on its own line: `$$` or `\[`."""
    return source.strip().startswith(("$$", "\\[", "\\begin{"))


def is_delimited(source: str) -> bool:
    r"""Return whether a text is one formula in the delimiters `\(`, `\[`, `$` or `$$`."""
    text = source.strip()
    for opening, closing in _DELIMITERS:
        if len(text) > len(opening + closing) and text.startswith(opening) and text.endswith(closing):
            inside = text[len(opening) : len(text) - len(closing)]
            return opening not in inside and closing not in inside
    return False


def symbols(text: str) -> str:
    """Return characters of a formula in TeX; characters without a command stay."""
    return join(_SYMBOLS.get(character) or _styled(character) for character in text)


def word(text: str, variant: str = "") -> str:
    """Return an identifier in TeX: a function, a letter, or an upright word; `variant` is MathML's `mathvariant`."""
    if text in _FUNCTIONS:
        return f"\\{text}"
    is_upright = variant == "normal" and len(text) == 1 and not text.isascii()  # TeX sets these upright
    command = "" if is_upright else _VARIANTS.get(variant, "mathrm" if len(text) > 1 and text.isalnum() else "")
    return f"\\{command}{{{symbols(text)}}}" if command else symbols(text)


def join(parts: Iterable[str]) -> str:
    """Return pieces of TeX as one, with a space where a letter would continue a command."""
    out: list[str] = []
    for part in filter(None, parts):
        if out and part[0].isascii() and part[0].isalnum() and _COMMAND_AT_END.search(out[-1][-40:]):
            out.append(" ")
        out.append(part)
    return "".join(out)


_VARIANTS = {
    "normal": "mathrm",
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "double-struck": "mathbb",
    "script": "mathcal",
    "bold-script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}


def _styled(character: str) -> str:
    """Return a character without entry in the table; letters of the mathematical alphabets as plain letters."""
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    if not "\U0001d400" <= character <= "\U0001d7ff":
        return character
    name, plain = unicodedata.name(character, ""), unicodedata.normalize("NFKC", character)
    plain = _SYMBOLS.get(plain, plain)
    for part, command in (
        ("DOUBLE-STRUCK", "mathbb"),
        ("FRAKTUR", "mathfrak"),
        ("SCRIPT", "mathcal"),
        ("BOLD", "mathbf"),
    ):
        if part in name:
            return f"\\{command}{{{plain}}}"
    return plain


def is_balanced(tex: str) -> bool:
    """Return whether no closing brace precedes its opening brace, and all are closed."""
    depth = 0
    for brace in re.findall(r"\\.|[{}]", tex, re.DOTALL):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0
