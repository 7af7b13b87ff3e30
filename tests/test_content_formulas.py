"""Formulas of pages as TeX: once each, as the author wrote them where the page has that, safe in Markdown."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpu_time import assert_quick
from dehusk import parse
from dehusk.write.content.formulas import MAX_NODES, Formula, Formulas, find_formulas, mathml_to_tex
from dehusk.write.content.tex import MAX_TEX, clean_tex, is_delimited

MATHML = {
    "<mi>x</mi><mo>+</mo><mn>1.5</mn>": "x+1.5",
    "<mfrac><mi>α</mi><mrow><mn>2</mn><mi>β</mi></mrow></mfrac>": r"\frac{\alpha}{2\beta}",
    "<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>": r"\sqrt{x}\sqrt[3]{y}",
    "<msub><mi>x</mi><mn>1</mn></msub><msup><mi>y</mi><mn>10</mn></msup>": "x_1y^{10}",
    "<msubsup><mi>x</mi><mi>i</mi><mo>′</mo></msubsup>": "x'_i",
    "<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>": "{a+b}^2",
    "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>": r"\sum_{i=1}^n",
    "<munder><mi>lim</mi><mrow><mi>n</mi><mo>→</mo><mi>∞</mi></mrow></munder>": r"\lim_{n\rightarrow\infty}",
    "<mover><mi>v</mi><mo>→</mo></mover><mover><mi>x</mi><mo>ˆ</mo></mover>": r"\vec{v}\hat{x}",
    "<munder><mi>x</mi><mo>*</mo></munder>": r"\underset{*}{x}",
    "<mover><mo>=</mo><mtext>def</mtext></mover>": r"\overset{\text{def}}{=}",
    "<mfenced open='[' close='|'><mi>a</mi><mi>b</mi></mfenced>": r"\left[a,b\right|",
    "<mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo>": r"\left(\frac{a}{b}\right)",
    "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>": (
        r"\begin{matrix}1 & 2 \\ 3\end{matrix}"
    ),
    "<mmultiscripts><mi>X</mi><mi>c</mi><none/><mprescripts/><mi>a</mi><mi>b</mi></mmultiscripts>": "{}_a^bX_c",
    "<menclose notation='box'><mi>x</mi></menclose><mphantom><mi>y</mi></mphantom>": r"\boxed{x}\phantom{y}",
    "<mi>sin</mi><mo>\u2061</mo><mi>θ</mi><mi mathvariant=bold>v</mi>": r"\sin\theta\mathbf{v}",
    "<mi>α</mi><mi>x</mi><mi>ℝ</mi><mi>𝔸</mi><mi>𝑥</mi>": r"\alpha x\mathbb{R}\mathbb{A}x",
    "<mtext>if 50% of $x</mtext><mspace width=1em /><mo>{</mo>": r"\text{if 50\% of \$x}\quad \{",
    "<mstyle><mpadded><mi>x</mi></mpadded></mstyle><ms>s</ms>": r"x\text{s}",
    "<semantics><mi>x</mi><annotation encoding='MathType'>junk</annotation></semantics>": "x",
    "<mfrac><mi>a</mi></mfrac><msup></msup><mo>": r"\frac{a}{}{}",
    "<mi>日</mi><mystery>y</mystery>": "日y",
    "": "",
}


@pytest.mark.parametrize("source", MATHML)
def test_mathml_becomes_tex(source):
    assert mathml_to_tex(parse(f"<math>{source}</math>"), 1) == MATHML[source]


def test_mathml_with_a_prefix():
    page = parse("<mml:math display=block><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup></mml:math>")
    assert find_formulas(page).roots == {1: Formula("x^2", display=True)}


@pytest.mark.parametrize(
    "source",
    [
        "<msup>" * 600 + "<mi>x",
        "<mrow>" * 400 + "<mi>x</mi>" * 5000,
        "<mfrac><mi>x</mi>" * 300,
        "<mi>" + "x" * 10**6,
        "<mi>x</mi>" * (MAX_NODES + 1),
        "<mtext>" + "{" * 10_000,
        "<mover accent='" + "a" * 10**6 + "'><mi>x</mi>",
        "<mfenced separators='" + "," * 10**6 + "'><mi>x</mi><mi>y</mi></mfenced>",
        "<math>" * 400 + "<mi>x</mi>" * 1000,
        "<annotation encoding='application/x-tex'>" + "\\" * 10**6,
    ],
    ids=range(10),
)
def test_hostile_mathml_takes_little_time(source):
    page = parse(f"<p>a<math>{source}</math>")
    lengths = assert_quick(lambda: [len(formula.tex) for formula in find_formulas(page).roots.values()], 5)
    assert all(0 < length <= MAX_TEX for length in lengths)


CLEAN = {
    r"{\displaystyle x^{2}}": "x^{2}",
    r"{\displaystyle {a}}{b}": r"{\displaystyle {a}}{b}",
    "$$ a\n\n b $$": "a b",
    r"\(x\)": "x",
    r"\[x\]": "x",
    "$x$": "x",
    "a % comment\nb": "a b",
    r"50\% of $5": r"50\% of \$5",
    r"a\\$b": r"a\\\$b",
    "a<b": "a< b",
    "a<1": "a<1",
    "a\\": "a",
    "a\\\\": "a\\\\",
    "a\x00\u2028b": "a b",
    "\ud800": "\ufffd",
    "  ": "",
    "$$$$": "",
    "x" * (MAX_TEX + 1): "",
}


@pytest.mark.parametrize("source", CLEAN)
def test_tex_is_cleaned(source):
    assert clean_tex(source) == CLEAN[source]


@given(st.text(max_size=60) | st.text(alphabet="\\$%{}<a \n()[]", max_size=60))
def test_no_tex_ends_its_dollar_signs(source):
    tex = clean_tex(source)
    assert "\n" not in tex
    assert tex == tex.strip()
    assert not re.search(r"(?<!\\)(?:\\\\)*\$", tex)
    assert not re.search(r"(?<!\\)(?:\\\\)*\\$", tex), "the closing dollar sign would be escaped"


@pytest.mark.parametrize(
    "source", ["\\" * 10**5, "%" * 10**5, "$" * 10**5, "{" * 10**5, "\\%\n" * 3000, "\\\\" * 9000 + "%"]
)
def test_hostile_tex_takes_little_time(source):
    assert_quick(lambda: (clean_tex(source), is_delimited(source)), 2)


MATH = "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>TEX</annotation></semantics></math>"
PAGES = {
    "katex": (
        (
            f"<span class=katex-display><span class=katex><span class=katex-mathml>{MATH}</span>"
            "<span class=katex-html aria-hidden=true>x</span></span></span>"
        ),
        [("span", "TEX", True)],
    ),
    "mathjax 3": (
        (
            f"<mjx-container class=MathJax display=true><mjx-math>x</mjx-math>"
            f"<mjx-assistive-mml>{MATH}</mjx-assistive-mml>"
            "</mjx-container>"
        ),
        [("mjx-container", "TEX", True)],
    ),
    "wikipedia": (
        (
            f"<span class=mwe-math-element><span class=mwe-math-mathml-inline>{MATH}</span>"
            r"<img class=mwe-math-fallback-image-inline alt='{\displaystyle x}'></span>"
        ),
        [("span", "TEX", False)],
    ),
    "wikipedia, the image only": (
        r"<img class=mwe-math-fallback-image-display alt='{\displaystyle x}'>",
        [("img", "x", True)],
    ),
    "an image of wordpress": (r"<img class=latex alt='\frac{1}{2}' src=x>", [("img", r"\frac{1}{2}", False)]),
    "an image with words": ("<img class=math alt='A teacher of mathematics' src=x>", []),
    "alttext": (r"<math alttext='\alpha_1' display=block><mi>a</mi></math>", [("math", r"\alpha_1", True)]),
    "alttext in words": ("<math alttext='the number alpha'><mi>α</mi></math>", [("math", r"\alpha", False)]),
    "pandoc": (
        r"<span class='math inline'>\(x\)</span><span class='math display'>\[y\]</span>",
        [
            ("span", "x", False),
            ("span", "y", True),
        ],
    ),
    "pandoc without delimiters": ("<span class='math display'>y^2</span>", [("span", "y^2", True)]),
    "github": ("<math-renderer class=js-inline-math>$x$</math-renderer>", [("math-renderer", "x", False)]),
    "gitlab": ("<code class='code js-render-math' data-math-style=display>x</code>", [("code", "x", True)]),
    "mathjax 2, rendered": (
        (
            "<span class=MathJax_Preview>x</span>"
            "<div class=MathJax_Display><span class=MathJax id=MathJax-Element-1-Frame>"
            f"x{MATH}</span></div><script type='math/tex; mode=display' id=MathJax-Element-1>\\beta</script>"
        ),
        [("div", r"\beta", True)],
    ),
    "two formulas in one renderer": (
        f"<span class=katex>{MATH}{MATH}</span>",
        [("math", "TEX", False), ("math", "TEX", False)],
    ),
    "an article in an element named as a renderer": (
        f"<div class=MathJax>{MATH}{'word ' * 100}</div>",
        [("math", "TEX", False)],
    ),
    "classes that only sound like it": ("<p class='math-hero text-tex'>$5 and $6</p><p class=texture>$x$</p>", []),
    "prices": ("<p class=math>$5 and cheaper than $6 or $7</p>", []),
    "no math": ("<p>x</p>", []),
}


@pytest.mark.parametrize("name", PAGES)
def test_each_formula_once_at_its_outermost_element(name):
    source, expected = PAGES[name]
    page = parse(f"<p>a {source} b</p>")
    found = find_formulas(page)
    assert [(page.tag_name(node), each.tex, each.display) for node, each in found.roots.items()] == expected
    assert not found.after
    assert bool(found) == bool(expected)


SCRIPT = "<script type='math/tex'>T</script>"


@pytest.mark.parametrize(
    ("source", "place", "follows"),
    [
        (f"<p>one {SCRIPT} two</p>", "after", "one "),
        (f"<p>one <b>B</b>{SCRIPT} two</p>", "after", "B"),
        (f"<p>one <b>B</b> mid {SCRIPT} two</p>", "after", " mid "),
        (f"<p>one <style>x</style> mid <!-- c --> next {SCRIPT}</p>", "after", " next "),
        (f"<p>{SCRIPT} two</p>", "first", " two"),
        (f"<p>x</p>{SCRIPT}", "after", "x"),
        (f"<p>x <span class=MathJax_Preview>y</span>{SCRIPT} two</p>", "after", "y"),
    ],
)
def test_a_script_stands_after_the_node_before_it(source, place, follows):
    page = parse(source)
    found = find_formulas(page)
    ((node, formulas),) = getattr(found, place).items()
    assert formulas == (Formula("T", display=False),)
    assert page.text[page.text_start[node] : page.text_end[node]] == follows
    assert not found.roots
    assert [page.text[page.text_start[each] : page.text_end[each]] for each in found.previews] in ([], ["y"])


def test_scripts_at_one_place_keep_their_order():
    found = find_formulas(parse("<p>one<script type=math/tex>A</script><script type=math/tex>B</script>"))
    assert [[each.tex for each in formulas] for formulas in found.after.values()] == [["A", "B"]]


@pytest.mark.parametrize(
    "source",
    [
        "<head><script type=math/tex>A</script></head><body>x",
        "<template><script type=math/tex>A</script></template>x",
        "<script type=math/tex> </script>x",
        "<script type=math/mml><math></math></script>x",
    ],
)
def test_other_scripts_are_no_formulas(source):
    assert find_formulas(parse(source)) == Formulas()


def test_10_000_scripts_and_rendered_formulas_take_little_time():
    scripts = "".join(f"t<script type=math/tex id=a{i}>x_{i}</script>" for i in range(10_000))
    rendered = "".join(f"<span class=MathJax id=a{i}-Frame>x</span>" for i in range(0, 10_000, 2))
    page = parse(f"<p>{rendered}{scripts}")
    found = assert_quick(lambda: find_formulas(page), 5)
    assert (len(found.roots), len(found.after)) == (5000, 5000)
