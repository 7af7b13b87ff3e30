"""Controls of a page among its text: permalink signs, copy buttons, line numbers and edit links go; text stays."""

import pytest

import dehusk

CODE = "<pre>import tea\ntea.steep()</pre>"
LITTER = {
    "Sphinx": ('<h2>Steeping<a class="headerlink" href="#steeping" title="Permalink">¶</a></h2>', "Steeping"),
    "a sign before the heading": ('<h2><a href="#steep">#</a> Steeping</h2>', "Steeping"),
    "a definition": ('<dl><dt>steep()<a class="headerlink" href="#steep">¶</a></dt></dl>', "- steep()"),
    "a sign in words": ('<h2>Steeping <a href="#s">Permalink to this heading</a></h2>', "Steeping"),
    "a class": ('<p>Rule <a class="anchor-link" href="/tea/rules#r1">§</a></p>', "Rule"),
    "the whole address": ('<h2>Tea <a href="http://example.org/tea#t">🔗</a></h2>', "Tea"),
    "beside its heading": ('<div><h2 id="t">Tea</h2><a href="#t">∞</a></div>', "Tea"),
    "a button in a heading": ('<h2>Tea <button class="copy-link">🔗</button></h2>', "Tea"),
    "the start of a title, spoken": ('<h2><span class="sr-only">Details about</span> Tea</h2>', "Tea"),
    "the start of a title, of eBay": ('<h2><span class="g-hdn">Details about</span> Tea</h2>', "Tea"),
    "the start of a caption, spoken": (
        '<figure><img src=a.jpg><figcaption><span class="off-screen">Media caption</span>Tea</figcaption></figure>',
        "Tea",
    ),
    "a colon, spoken": ('<h2>Tea<span class="sr-only"> : </span>Cups</h2>', "Tea : Cups"),
    "a title, spoken as a whole": ('<h2><span class="sr-only">Tea</span></h2>', "Tea"),
    "what a click on a quotation shows": (
        '<blockquote><p>Tea</p><div class="bbCodeBlock-expandLink"><a>Click to expand...</a></div></blockquote>',
        "Tea",
    ),
    "buttons beside a heading": ("<h3>Leaves<div><button>1x</button> <button>2x</button></div></h3>", "Leaves"),
    "buttons that scale a recipe": (
        "<div>Leaves <button>.5x</button><button>1x</button><b><button>2×</button></b></div>",
        "Leaves",
    ),
    "minutes, spoken": (
        '<p>5<span class="sr-only"> minutes</span> <span aria-hidden="true">min</span> to steep</p>',
        "5 min to steep",
    ),
    "minutes, spoken inside": (
        '<p><b>5<i class="my-screen-reader-text"> minutes</i></b> <span aria-hidden="true">min</span></p>',
        "5 min",
    ),
    "a number, spoken after": (
        '<p>Teas <span aria-hidden="true">(30)</span><span class="visually-hidden">30 reviews</span></p>',
        "Teas (30)",
    ),
    "a number, spoken in a sentence": (
        '<p>Teas <b>(30)</b><span class="rating__caption-sr_15-1-0">30 reviews of customers</span></p>',
        "Teas (30)",
    ),
    "a number, spoken with another one": (
        '<p>Teas <b>(30)</b><span class="rating__caption-sr_15-1-0">30 reviews with 4.2 out of 5 stars</span></p>',
        "Teas 30 reviews with 4.2 out of 5 stars",
    ),
    "a number, spoken after another one": (
        '<p>Teas <b>(30)</b><span class="sr-only">4.2 stars by 30 customers</span></p>',
        "Teas 4.2 stars by 30 customers",
    ),
    "a price, spoken after": (
        '<p><b><i>$</i>79.<i>99</i></b><b class="price__sr-text"> Price $ 79.99</b></p>',
        "$79.99",
    ),
    "a price in parts, spoken before": (
        '<p><b class="a-offscreen">EUR 1,034.42</b><b aria-hidden=true><i>EUR</i><i>1,034</i><i>42</i></b></p>',
        "EUR 1,034.42",
    ),
    "a word, spoken again": ('<p><a class="u-hiddenVisually">Height</a> <b>Height</b></p>', "Height"),
    "a letter": (
        '<p><a href="mailto:a@b.c">Write to us<b class="element-invisible"> (link sends email)</b></a></p>',
        "Write to us",
    ),
    "a new window": (
        '<p>See <a href="/y">the kettle <span class="visually-hidden">(opens  in a new window)</span></a></p>',
        "See the kettle",
    ),
    "a new window or tab": (
        '<p>See <a href="/y">the kettle<span class="clipped">opens in a new window or tab</span></a></p>',
        "See the kettle",
    ),
    "a new window, in German": (
        '<p><a href="/y">Die Kanne<span class="sr-only"> (öffnet in neuem Fenster)</span></a></p>',
        "Die Kanne",
    ),
    "a link over its text": ('<h2><a href="/y" aria-hidden="true"><b>Our teas</b></a>Our teas</h2>', "Our teas"),
    "a caption twice": (
        "<figure><img src=/p.jpg><figcaption>A pot</figcaption></figure><div><figcaption>A pot</figcaption></div>",
        "A pot",
    ),
    "a copy button": (f"<div><button>Copy</button>{CODE}</div>", "import tea\ntea.steep()"),
    "a copy button below": (f'<div>{CODE}<a role="button">Copy to clipboard</a></div>', "import tea\ntea.steep()"),
    "a German one": (f'<div>{CODE}<div class="copy-btn">Code kopieren</div></div>', "import tea\ntea.steep()"),
    "a Chinese one": (f"<div><button><span>复制代码</span></button>{CODE}</div>", "import tea\ntea.steep()"),
    "numbers in a cell": (
        f"<table><tr><td><pre>1\n2\n3</pre></td><td>{CODE}</td></tr></table>",
        "import tea\ntea.steep()",
    ),
    "numbers in the lines": (
        "<pre><span>7</span> tea = 1\n<span>8</span> cup = 2\n<span>9</span> pot = 3</pre>",
        " tea = 1\n cup = 2\n pot = 3",
    ),
    "numbers in the lines of numbers": (
        "<pre><code><i><b> 9</b><b>tea = <u>10</u>\n</b></i><i><b>10</b><b>cup = <u>12</u>\n</b></i></code></pre>",
        "tea = 10\ncup = 12",
    ),
    "numbers in rows": (
        "<pre><div><span>1</span><div>tea</div></div><div><span>2</span><div>cup</div></div></pre>",
        "tea\ncup",
    ),
    "the number of one line": ('<pre><div><div class="ln">1</div><div>tea = 1</div></div></pre>', "tea = 1"),
    "numbers of a highlighter": (
        '<table class="highlight"><tr><td class="gutter"><p>1</p><p>2</p><p>3</p></td><td>tea</td></tr></table>',
        "tea",
    ),
    "a wiki": ('<h2>Tea<i><b>[</b><a href="/w?title=Tea&amp;action=edit">edit</a><b>]</b></i></h2>', "Tea"),
    "a sign at the end of a byline": ("<p>By <a href=/a>Ann</a> <i>·</i></p>", "By Ann"),
    "a sign before comments that are gone": ("<p>By <a href=/a>Ann</a> | <b>May 3</b> |</p>", "By Ann | May 3"),
    "a wiki with two editors": (
        '<h2>Tea <span>[<a href="/w?veaction=edit">edit</a> | <a href="/w?action=edit">edit source</a>]</span></h2>',
        "Tea",
    ),
}
"""What it is -> (the element, its text)."""


def text_of(body):
    page = f"<p>Before.</p>{body}<p>After.</p>"
    return dehusk.clean(page, url="http://example.org/tea", method="keep-all").text


@pytest.mark.parametrize("case", LITTER)
def test_controls_of_the_page_go(case):
    body, expected = LITTER[case]
    assert [part.strip("\t\n") for part in text_of(body).split("\n\n")] == ["Before.", expected, "After."]


TEXT = {
    "a paragraph's sign": "<h2>§ 5 Water</h2>",
    "a linked paragraph's sign": '<p>See <a href="#p5">§ 5</a>.</p>',
    "a language": "<h2>C#</h2>",
    "a button that is a heading": "<h3><button>How long does tea keep?</button></h3>",
    "a word for screen readers alone": '<p><span class="sr-only">Price:</span> <b>5 euros</b></p>',
    "the name of an icon": '<p><i aria-hidden="true">cup</i><span class="sr-only">Teas</span></p>',
    "a word that is spoken twice": '<p><i class="sr-only">Tea</i><i class="sr-only">Tea</i></p>',
    "another number for screen readers": '<p><b>(30)</b><i class="sr-only">300 reviews</i></p>',
    "a text beside its start": f"<p><b class=offscreen>{'Leaf, pot, ' * 9}</b><i aria-hidden=true>Leaf…</i></p>",
    "a link that says where it opens": '<p><a href="/y"><span class="sr-only">Opens in a new window</span></a></p>',
    "a text for screen readers of its own words": '<p><a href="/y">Read<span class="sr-only"> about tea</span></a></p>',
    "a word twice": '<p><a href="/y">tea</a> tea</p>',
    "a title below its picture's link": '<div><a href="/y" aria-hidden="true">Tea</a></div><h3>Tea</h3>',
    "a caption in a caption": "<figcaption><figcaption>A pot</figcaption></figcaption>",
    "captions of two pictures": "<figure><img src=/a.jpg><figcaption>A pot</figcaption></figure>"
    "<figure><img src=/b.jpg><figcaption>A pot</figcaption></figure>",
    "a size": "<p><button>2 cups</button> 2x as much</p>",
    "a number": '<p><a href="#3">#3</a> The third</p>',
    "a footnote": '<p>Tea<sup><a href="#fn1">1</a></sup></p>',
    "a footnote's sign": '<p>Tea<a href="#fn">*</a></p>',
    "a divider": "<p>§</p>",
    "a sign alone": "<p>|</p>",
    "a pipe of a shell": "<pre><b>ls</b> <i>|</i></pre>",
    "a sign of a long line": f"<p>{'tea ' * 40}<i>|</i></p>",
    "a sign that leads elsewhere": '<h2>Tea <a href="/other">#</a></h2>',
    "a tag": '<p><a href="/tag/tea">#tea</a></p>',
    "a word": "<p>Copy</p>",
    "a word beside a listing": f"<p>Copy</p>{CODE}",
    "a command": "<pre>copy a b</pre>",
    "a button far from any listing": "<p><button>Copy</button></p>",
    "numbers as data": "<pre>1\n2\n3</pre>",
    "a table of contents": '<pre><a href="#1">1</a>. Tea\n<a href="#2">2</a>. Cups\n<a href="#3">3</a>. Pots</pre>',
    "numbers in code": "<pre>a = <b>1</b>\nb = <b>2</b>\nc = <b>3</b></pre>",
    "numbers that start lines of code": "<pre><b class=mi>1</b> + tea\n<b class=mi>2</b> + cup</pre>",
    "a number in one line": "<pre><b>1</b> + tea</pre>",
    "a table of numbers": "<table><tr><td>1</td><td>2</td></tr><tr><td>2</td><td>4</td></tr></table>",
    "a page to be written": '<p>On <a href="/w?title=Oolong&amp;action=edit&amp;redlink=1">oolong</a> tea.</p>',
    "an edit in brackets": '<p>He said [<a href="/grammar">edit</a>] so.</p>',
}
"""What it is -> an element that stays whole."""


@pytest.mark.parametrize("case", TEXT)
def test_text_that_looks_like_a_control_stays(case):
    document = dehusk.clean(TEXT[case], url="http://example.org/tea", method="keep-all")
    assert not len(document.labels.omitted)
    assert document.labels.kept.all()


def test_a_control_of_its_own_is_dropped_with_a_reason():
    document = dehusk.clean(f"<p>Steep it:</p><button>Copy</button>{CODE}", method="keep-all", explain=True)
    assert [(block.text, block.kept, block.reason) for block in document.blocks][1] == ("Copy", False, "copy button")
    assert document.notes == ()


@pytest.mark.parametrize(
    "body",
    [
        '<h2>x<a href="#a">#</a></h2>' * 10_000,
        "<pre>" + "<i>1</i> x\n" * 20_000 + "</pre>",
        "<h2>" + "<span>" * 400 + '<a href="?action=edit">edit</a>' * 1000,
        "<pre>x</pre><button>Copy</button>" * 10_000,
        "<h2>x" + "<button>y</button>" * 20_000,
        '<b class=sr-only>x</b><u aria-hidden="true">y</u>' * 10_000
        + "<div>" * 400
        + "<b class=sr-only>x</b> " * 10_000,
    ],
)
def test_hostile_pages_are_cleaned(body):
    assert dehusk.clean(body, method="keep-all").status == "ok"
