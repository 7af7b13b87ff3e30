"""What pages mark in ways of their own comes out as Markdown has it: footnotes, listings, formulas, headings."""

import pytest

import dehusk
from cpu_time import assert_linear

SENCHA = "<p>Sencha<sup>1</sup> is steamed, gyokuro<sup>2</sup> is shaded.</p>"
NOTED = "Sencha[^1] is steamed, gyokuro[^2] is shaded."
NOTES = "[^1]: Since 1738.\n\n[^2]: For three weeks."
MARKED = "<p>Sencha <a href=#n1>[1]</a> is steamed, gyokuro <a href=#n2>[2]</a> is shaded.</p>"
SPACED = "Sencha [^1] is steamed, gyokuro [^2] is shaded."

FOOTNOTES = {
    "raised numbers": (
        f"{SENCHA}<p><sup>1</sup> Since 1738.</p><p><sup>2</sup> For three weeks.</p>",
        f"{NOTED}\n\n{NOTES}",
    ),
    "strong numbers below a rule": (
        f"{SENCHA}<hr><p><strong>1</strong> Since 1738.</p><p><strong>2</strong> For three weeks.</p>",
        f"{NOTED}\n\n---\n\n{NOTES}",
    ),
    "a list in an aside": (
        f"{SENCHA}<aside><ol><li>Since 1738.<li>For three weeks.</ol></aside>",
        f"{NOTED}\n\n{NOTES}",
    ),
    "a list below a heading": (
        f"{SENCHA}<h2>Notes</h2><ol><li>Since 1738.<li>For three weeks.</ol>",
        f"{NOTED}\n\n## Notes\n\n{NOTES}",
    ),
    "a link that only a script follows": (
        (
            '<p>Sencha<sup><a href="javascript:;">1</a></sup> is steamed.</p>'
            '<div class=footnotes><div class=footnote-footer><a href="javascript:;">1</a>. Since 1738.</div></div>'
        ),
        "Sencha[^1] is steamed.\n\n[^1]: Since 1738.",
    ),
    "places at the start of items": (
        f"{MARKED}<ol><li><a id=n1></a>Since 1738.<li><a id=n2></a>For three weeks.</ol>",
        f"{SPACED}\n\n{NOTES}",
    ),
    "numbers in brackets": (
        f"{MARKED}<ul><li id=n1>[1] Since 1738.<li id=n2>[2] For three weeks.</ul>",
        f"{SPACED}\n\n{NOTES}",
    ),
    "a class of notes": (
        "<p>Sencha<span class=fn><a href=#n1>1</a></span> is steamed.</p><p id=n1>1. Since 1738.</p>",
        "Sencha[^1] is steamed.\n\n[^1]: Since 1738.",
    ),
    "a number beside its note": (
        "<p>Sencha<sup><a href=#n1>1</a></sup> is steamed.</p><div><a id=n1>1.</a><div>Since 1738.</div></div>",
        "Sencha[^1] is steamed.\n\n[^1]: Since 1738.",
    ),
    "a heading of a number": (
        "<p>Sencha<sup><a href=#n1>1</a></sup> is steamed.</p><h5><a id=n1>(1)</a></h5><p>Since 1738.</p>",
        "Sencha[^1] is steamed.\n\n[^1]: Since 1738.",
    ),
    "a note in the line": (
        (
            "<p>Sencha<label for=s>1</label><input type=checkbox><span class=sidenote>Since 1738.</span> is old.</p>"
            "<p>It is green.</p>"
        ),
        "Sencha[^1] is old.\n\nIt is green.\n\n[^1]: Since 1738.",
    ),
    "a note in the line without a number": (
        "<p>Sencha<label for=s></label><span class=sidenote>Since 1738.</span> is steamed.</p>",
        "Sencha[^1] is steamed.\n\n[^1]: Since 1738.",
    ),
    "a copy of a note in the line": (
        (
            "<p>Sencha<sup><a href=#n>1</a></sup><span class=sidenote>1. Since 1738.</span> is steamed.</p>"
            "<ol><li id=n>Since 1738.</ol>"
        ),
        "Sencha[^1] is steamed.\n\n[^1]: Since 1738.",
    ),
}
NO_FOOTNOTES = {
    "exponents": "<p>10<sup>1</sup> and 10<sup>2</sup></p><p>A hectare has 10<sup>4</sup> m<sup>2</sup>.</p>",
    "verses": "<p><sup>1</sup>Old pond <sup>2</sup>a frog</p><p><sup>3</sup>water <sup>4</sup>sound</p>",
    "numbers with a gap": "<p>Tea<sup>1</sup> pot<sup>3</sup></p><p><sup>1</sup> Green.</p><p><sup>3</sup> Iron.</p>",
    "steps": "<p>Tea<sup>1</sup></p><p><strong>1</strong> Boil.</p><p><strong>2</strong> Steep.</p>",
    "a list of other things": "<p>Tea<sup>1</sup></p><h2>Steps</h2><ol><li>Boil.<li>Steep.</ol>",
}


def markdown(html):
    return dehusk.clean(f"<html><body>{html}", method="keep-all").markdown.rstrip("\n")


@pytest.mark.parametrize("case", FOOTNOTES)
def test_footnotes_of_all_kinds(case):
    html, expected = FOOTNOTES[case]
    assert markdown(html) == expected


@pytest.mark.parametrize("case", NO_FOOTNOTES)
def test_what_looks_like_footnotes(case):
    assert "[^" not in markdown(NO_FOOTNOTES[case])


CODE = "tea = 1\ncup = 2"
LISTINGS = {
    "a header with buttons": (
        f"<pre><div><span>Python</span><button>Run</button></div><code>{CODE}</code></pre>",
        f"```python\n{CODE}\n```",
    ),
    "a code element as a block": (f"<div><code class='hl lean block'>{CODE}</code></div>", f"```lean\n{CODE}\n```"),
    "a code element by its style": (f"<div><code style='white-space:pre'>\n{CODE}\n</code></div>", f"```\n{CODE}\n```"),
    "a div with a language": (f"<div class=code-block data-lang=http>{CODE}</div>", f"```http\n{CODE}\n```"),
    "a code element around": (
        f"<code class=wrap><pre><code class=language-rust>{CODE}</code></pre></code>",
        f"```rust\n{CODE}\n```",
    ),
    "an attribute": (f"<pre language=tsx><code>{CODE}</code></pre>", f"```tsx\n{CODE}\n```"),
    "a code element in a sentence": ("<p>Set <code style='white-space:pre'>tea</code> here.</p>", "Set `tea` here."),
}


@pytest.mark.parametrize("case", LISTINGS)
def test_listings(case):
    html, expected = LISTINGS[case]
    assert markdown(f"<p>Tea:</p>{html}<p>Drink.</p>") == f"Tea:\n\n{expected}\n\nDrink."


FORMULAS = {
    "raw inline": (r"Heat is \(q_1 = c^2\), for $5.", r"Heat is $q_1 = c^2$, for \$5."),
    "raw, single letters": (r"Let $x$ be $x^2 + \alpha$.", r"Let $x$ be $x^2 + \alpha$."),
    "raw, alone": (r"$$a_1 b_2$$", "$$a_1 b_2$$"),
    "prices": ("It costs $5 or $6 today.", "It costs $5 or $6 today."),
    "a regular expression": (r"Write \(tea pot\) here.", r"Write \\(tea pot\\) here."),
    "in code": (r"<code>$$a_1$$</code> is code.", "`$$a_1$$` is code."),
    "an attribute": ('Let <span class="math-inline" data-math="x_1">x1</span> be.', "Let $x_1$ be."),
    "the alternative text of an image": (r'Let <img src=a.svg alt="\frac{a}{b}"> be.', r"Let $\frac{a}{b}$ be."),
    "the address of an image": (
        "Let <img src='https://t.example/svg?%5Cfrac%7Ba%7D%7Bb%7D'> be.",
        r"Let $\frac{a}{b}$ be.",
    ),
    "a path of Windows": (r'See <img src=a.png alt="C:\tea\pot"> here.', r"See ![C:\tea\pot](a.png) here."),
    "scripts": ('Let <script type="math/tex">x_1</script> be.', "Let $x_1$ be."),
    "a script between blocks": (
        'First.</p>\n<script type="math/tex; mode=display">x_1</script>\n<p>Second.',
        "First.\n\n$$x_1$$\n\nSecond.",
    ),
    "rendered by MathJax": (
        (
            "Let <mjx-container><mjx-math><mjx-mfrac><mjx-frac><mjx-num>"
            "<mjx-nstrut></mjx-nstrut><mjx-mi><mjx-c>𝑎</mjx-c>"
            "</mjx-mi></mjx-num><mjx-dbox><mjx-den><mjx-mi><mjx-c>𝑏</mjx-c></mjx-mi></mjx-den></mjx-dbox></mjx-frac>"
            "</mjx-mfrac><mjx-msubsup><mjx-mi><mjx-c>𝑐</mjx-c></mjx-mi><mjx-script><mjx-mn><mjx-c>2</mjx-c></mjx-mn>"
            "<mjx-spacer></mjx-spacer><mjx-mi><mjx-c>𝑖</mjx-c></mjx-mi></mjx-script></mjx-msubsup></mjx-math></mjx-container>"
            " be."
        ),
        r"Let $\frac{a}{b}c_i^2$ be.",
    ),
}


@pytest.mark.parametrize("case", FORMULAS)
def test_formulas(case):
    html, expected = FORMULAS[case]
    assert markdown(f"<p>{html}</p>") == expected


def test_the_sign_of_a_permalink_in_a_widget_goes():
    heading = '<h2>Tea <span class="permalink-widget"><a href="find/?name=tea">🔗</a></span></h2><p>Green.</p>'
    assert markdown(heading) == "## Tea\n\nGreen."


@pytest.mark.parametrize(
    "part",
    [
        "Tea<sup>1</sup> ",
        "<p><sup>1</sup> Note.</p>",
        "<p>Tea<span class=sidenote>It is green.</span></p>",
        r"\( $$ \[ ",
        "$x ",
        "<code class=block>a</code>",
        "<pre><button>Copy</button>a</pre>",
    ],
)
def test_many_take_linear_time(part):
    def prepare(size):
        return lambda: markdown(f"<p>Tea<sup>1</sup></p>{part * size}")

    assert_linear(prepare, 1500)


@pytest.mark.parametrize("name", ["tt", "code", "kbd", "samp"])
def test_code_in_a_line_stays_in_its_line(name: str) -> None:
    """Sphinx wrote `tt` with a `span` of the class `pre`; every one became a listing of its own."""
    code = f'<{name} class="docutils literal"><span class="pre">evolve</span></{name}>'
    page = f"<p>History is shared: {code} sends it to others.</p>"
    assert dehusk.clean(page).markdown == "History is shared: `evolve` sends it to others.\n"


def test_the_header_of_a_listing_is_in_no_format() -> None:
    listing = "<pre><div><span>bash</span><button>Copy</button></div><code>read name\necho $name</code></pre>"
    page = (
        f"<p>Here is a script that asks for a name and greets it:</p>{listing}<p>It waits for the answer, and ends.</p>"
    )
    document = dehusk.clean(page)
    assert "bash" not in document.text
    assert "```bash\nread name\necho $name\n```" in document.markdown


def test_plain_text_has_the_formulas_of_images() -> None:
    image = '<img src="https://latex.example/svg.latex?%5Cfrac%7Ba%7D%7Bb%7D" alt="\\frac{a}{b}" class="latex">'
    document = dehusk.clean(f"<p>The share of the leaves is {image} of the weight of the cup and its water.</p>")
    assert "$\\frac{a}{b}$" in document.text
    assert "$\\frac{a}{b}$" in document.markdown
