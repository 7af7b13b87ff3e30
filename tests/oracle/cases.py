"""The pages on which the oracles and the compiled functions are compared."""

from collections.abc import Iterator
from functools import cache
from random import Random

from core_pages import LONG, pages
from dehusk.blocks import Blocks, segment
from dehusk.read import parse


def words(n: int) -> str:
    """Return a text of n words."""
    return "word " * n


GUIDE = "Teas of the world, a guide"
SPACELESS = "<p>".join(letter * n for letter in "กฮ\u0e4d\u0e4e\u0e4f\u0e50" for n in (5, 6, 7, 11))
HARD = [
    (
        f"<title>{GUIDE}</title><h1>Teas</h1><h1><div><h2>a</h2><p>b</div>c</h1><p>d<p>teas OF the world<p>Now: {GUIDE}"
        f" to them<p>İstanbul, teas of<h2>Green</h2><p>{GUIDE * 2}<p>{GUIDE * 2}!<p>the worl<p>the wor"
    ),
    (
        "<title>The İzmir ΣΟΦΟΣ guide</title><p>the i̇zmir σοφος<p>İZMIR ΣΟΦΟΣ<p>σοφοσ guide"
        "<p>Mr. “Who?!” left…”)» no.)\"'<p>No.»»»»<p>.<p>»<p>。ok. <p>3.5!a<p>I"
    ),
    "<title>It is tea</title><p>It is tea, or is it?<p>It is te<p>is tea",
    "<title>Is a tea</title><p>Is a tea",
    f"<title>{'x ' * 249}abcd</title><p>x x x abc<p>x x x ab",
    "<div>one",
    "<table><td><a href=x>one</a></table>",
    (
        "<pre>a\t b  \n\n  c\r\n d</pre>e<br>f<br><br>g<hr>h<span> i</span>\u00ad\u200bj<b>k</b><x-y> l</x-y>"
        "<textarea> m\n n</textarea><div> </div><img alt='A  tea'>o<a href=x>p q<p>r s</a>t\tu<svg>v</svg>"
    ),
    f"<p>ภาษาไทยไม่มีช่องว่างaภาษาไทย<p>ພາສາລາວ<p>မြန်မာဘာသာစကား<p>ភាសាខ្មែរ<p>漢字かな、カタカナ。ꀀꀁ<p>{SPACELESS}",
    "<p>1.5 2nd ½ x² 😀!<p>A1b2 -- 12<p>Ⅳ <p>$",
    (
        "<body class=menu id=Nav><div class='topNav HTMLBody navBar-2 ad address' id=adTop><p class=menu>x<i><b>y"
        "<p id=menue>z</div><nav class='é-menü NAV'><a href=/>Home</a></nav><div hidden><p>w</div>"
        "<div class=menu><i><i><i>three<i>four</i></i></i></i></div><p class=navigate>five<noscript><td>v</noscript>"
    ),
    (
        f"<meta property=OG:Type content=' Article '><body><main><article><p>{words(12)}</article><article><li>"
        f"other <a href=x>{words(9)}</a></main><button>Go</button><table><td><table><td>in<p class=x>{words(10)}"
        f"<a href=x>{words(10)}</a><p>{words(9)}<p class=x>{words(7)}<a href=x>{words(8)}</a><p>{words(15)}"
    ),
    (
        f"<div class=a><p>{words(15)}</div><div class=a><p>short<p><a href=x>{words(15)}</a></div><div class=a>"
        f"<section><p class=b>{words(11)}</section>{'<p class=b>menu' * 4}</div>{'<p>end' * 9}"
    ),
    f"<p>{words(13)}<p><a href=x>{words(15)}</a><p>{words(14)}",
    f"<section>{f'<p>{words(15)}' * 2}</section><div>{f'<p>{words(16)}<a href=x>{words(14)}</a>' * 3}</div>",
    (
        "<title>The great ΣΟΦΟΣ of İzmir, 2nd edition</title><meta property=OG:Type content=' Article '>"
        "<body class=menu><div class='topNav HTMLBody xmenu-2'><p>The great σοφος of i̇zmir<p>the great ΣΟΦΟΣ of İzmir"
        "<p>izmir</div><nav id=Menu><a href=/>Home</a></nav><div hidden><h2>The great</h2><p>Menu</div><noscript>x1"
    ),
    "<article><h3>One 2b</h3><p>It's late. “Go!” 中文。かな ไทยภาษา</p></article>" * 5 + "<td>a<td>b 1 c2",
    "".join(f"<li class='c{n % 7} é{n}'>{'word ' * (n % 30)}<a>l</a>" for n in range(70)) + "😀𝔸bc",
    "<div>" * 300 + "deep" + "<p>" + "a" * 700 + "<p>" + "aa " * 400 + "b.»)",
    "<title>" + "a" * 400 + "b</title>" + "".join(f"<p>{'a' * n}" for n in range(200, 700, 9)),
    f"<div><p>{words(10)}</div><div class=x><p>{words(10)}</div><ul><li>a<li>b<li>c</ul>",
]
"""Pages with what the others do not have."""


@cache
def sources(step: int = 1) -> list[bytes]:
    """Return every `step`th page of the pages on which the core is tried, and all of those made for the oracles."""
    return [*(text.encode() for text in [*LONG, *HARD]), *pages()[::step]]


@cache
def segmented(step: int = 1) -> list[Blocks]:
    """Return the blocks of the pages that have some."""
    blocks = (segment(parse(source)) for source in sources(step))
    return [each for each in blocks if len(each)]


def two_blocks(chars: int) -> str:
    """Return the content of a cell: two blocks with so many characters."""
    return f"a<p>{'b' * (chars - 1)}"


CELLS = [two_blocks(200), two_blocks(201), two_blocks(600), two_blocks(601), "a" * 1500, "a" * 1501]
CELLS += ["<p>a" * 5, "<p>a" * 6, "<p>a" * 7]
TABLES = [f"<table><tr><{tag}>{cell}<td>b<tr><td>c<td>d</table>" for cell in CELLS for tag in ("td", "th")]
"""Tables on both sides of the bounds of tables of data."""

ALIKE = [
    tuple(f"<div class={name}>{outer.format(inner)}</div>" for name, inner in zip("rs", inners, strict=True))
    for outer, inners in (
        (
            "<div><section><div>{}</div></section></div>",
            ("<p>a<h4>b</h4><h5>c</h5>", "<blockquote>a</blockquote><h6>b</h6>"),
        ),
        ("<div><section>{}</section></div>", ("<p>a<h4>b</h4><h5>c</h5>", "<ul><li>a</ul><aside>b</aside><h6>c</h6>")),
        ("<p>a<h4>b</h4><h5>c</h5>{}", ("<h6>d</h6><ul>e</ul>", "<ol>d</ol><aside>e</aside>")),
        ("<p>a<h4>b</h4>{}", ("<h6>d</h6><ul>e</ul>", "<ol>d</ol><aside>e</aside>")),
        ("<p>a{}", ("<b>b</b>", "<p>c</p>")),
    )
]
"""Pairs of siblings of different classes, which are more or less alike."""
CARD = "<div class=a><p>y<p>z</div>"
ROWS = [
    "<h2>S</h2><h3>T</h3><p>x</p>" * 3 + "<h3>T</h3><p>x</p>" * 2,
    "<h2>S</h2><h3>T</h3><p>x</p>" * 3 + "<h3>T</h3><p>x</p>" * 3,
    "<h2>S</h2><p>x</p><h2>S</h2><div>w</div><p>x</p><h2>S</h2><p>x</p><h2>S</h2>",
    f"{CARD}<h2>x</h2>{CARD}<h3>y</h3><h4>z</h4>{CARD}",
    f"{CARD}<h2>x</h2><h5>w</h5>{CARD}<h3>y</h3><h4>z</h4>{CARD}",
    "<div class=q><p>a</p><h4>b</h4></div><div class=q><p>a</p><h5>b</h5></div><div class=q><p>a</p><ul>b</ul></div>",
    f"<div><p>{words(39)}<p>x</div>" * 2,
    f"<div><p>{words(38)}<p>x</div>" * 2,
    f"<div><p>{words(30)}<a href=x>{words(20)}</a><p>x</div>" * 2,
    f"<div><p>{'x' * 239}<p>y</div>" * 2,
    f"<div><p>{'x' * 233}<p>y</div>" * 2,
    f"<div><p>{'x' * 200}<a href=x>{'y' * 100}</a><p>z</div>" * 2,
]
ROWS += [f"<div class=post><p>{words(9)}<p><a href=x>{words(n)}</a></div>" * 3 for n in (8, 9)]
"""Rows of siblings on both sides of the bounds of records, and of links that only act."""
FIXED = [
    *ROWS,
    *TABLES,
    *(part for a, b in ALIKE for part in ((a + b) * 3, a * 3 + b * 2, a + b + a, f"{a}<hr>text{b}" * 2)),
]

SIBLINGS = [
    "<div class=q><i>x</i><p>y</div>",
    "<div class=q><b>x</b><h4>y</h4><i>z</i><code>w</code></div>",
    "<div class=q><ul><li>a<li>b</ul><blockquote>q</blockquote></div>",
    "<div class=q>text</div>",
    "<div class=r><div><i><b><u>a</u></b></i><p>b</div></div>",
    "<div class=s><div><i><b><s>a</s></b></i><p>b</div></div>",
    "<div class=r><div><i><u><b>a</b></u></i><p>b</div></div>",
    "<dl><div class=a><p>x<p>y</div><dt>q</dt><div class=a><p>x<p>y</div><dt>q</dt><div class=a><p>x<p>y</div></dl>",
    "<h3>T</h3>",
    "<h3>T</h3><p>x",
    "<h2 class=h>S</h2>",
    "<p class=x>x",
    "<p class=y>x</p>",
    "<p>plain</p>",
    "<hr>",
    "<div class=a><b>x</b><p>y</div>",
    "<div class=a><p>y<p>z</div>",
    "<div class=b><i>x</i><p>y</div>",
    "<div>text</div>",
    "<div class=c1><i>x</i><p>y</div>",
    "<div class=c2><i>x</i><p>y</div>",
    "<div class='d e'><i>x</i><p><i>y</i></div>",
    "<div class=post><p>z</div>",
    "<div class=post><p>z<div class=post>w</div></div>",
    "<div id=msg-3>z<p>w</div>",
    "<div class='user-comment'><h4>Ann</h4><p>z<p><a href=x>Reply</a></div>",
    "<article><p>u</article>",
    "<br>line<br>",
    f"<div><p>{words(45)}</div>",
    f"<section>{words(45)}</section>",
    "<dl><dt>a<dt>b<dd>c<dd>d<dt>e</dl>",
    "<dl><dd>x</dl>",
    "<dl><dt>a<dd>b<p>c</dl>",
    "<ul><li>a<li>b</ul>",
    "<ul><li>a<p>b<li><a href=x>c</a><p>d</ul>",
    "<ul><p>x<ul><li>i</ul></ul>",
    "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
    "<table><tr><th>a<th>b<tr><td>c<td>d</table>",
    "<table><tr><td>a</table>",
    "<table><caption><h3>c</h3></caption><tr><td>a<td>b</table>",
    "<table><tr><td><h3>a</h3><td>b<tr><td>c<td>d</table>",
    f"<table><tr><td>a<td>b<p>{words(50)}<tr><td>c<td>d</table>",
    "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>",
    "<pre>a\nb</pre>",
    "<div><code>a<p>b</code></div>",
    "<code>c</code>",
    "<p>a<br>b<br><br>c</p>",
    "<a href=x>Reply</a><p>",
    "<figure><img><figcaption>f</figcaption></figure>",
    "<noscript><pre>n</pre></noscript>",
    "<h1>Title</h1>",
    "<span>s</span>",
    "<div class=reply>x<br>y</div>",
    "<select><option>1<option>2</select>",
    "<blockquote>q</blockquote>",
    "<p><kbd>k</kbd></p>",
]
"""What may stand beside each other in a random row."""


@cache
def rows(number: int) -> list[Blocks]:
    """Return the blocks of random pages with siblings that repeat, some in one another."""
    random, pages_made = Random(5), list[str]()  # noqa: S311 (nothing secret)
    for size in range(number):
        start = random.randrange(len(SIBLINGS))
        choice = SIBLINGS[start : start + 5] if size % 2 else SIBLINGS
        row = "".join(random.choices(choice, k=random.randrange(1, 4))) * random.randrange(1, 5)
        row += "".join(random.choices(choice, k=random.randrange(5)))
        if size % 4 == 0:
            row += f"<div class=inner>{random.choice(pages_made or [row])}</div>" * random.randrange(1, 4)
        pages_made.append(row + "".join(random.choices(SIBLINGS[:16], k=size % 5)) * (size % 3))
    blocks = (segment(parse(page)) for page in (*FIXED, *pages_made) if len(page) < 4000)
    return [each for each in blocks if len(each)]


def blocks_of(html: str) -> Iterator[Blocks]:
    """Yield the blocks of a random page, if it has some."""
    blocks = segment(parse(html))
    if len(blocks):
        yield blocks
