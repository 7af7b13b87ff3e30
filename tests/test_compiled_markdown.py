"""The compiled writer of Markdown gives what the Python one gives, on random lines of signs, styles and links."""

from random import Random

import pytest

import dehusk
from dehusk.backends import KERNELS, using
from dehusk.tags import numbers
from dehusk.write.markdown import written
from dehusk.write.options import WriteOptions
from dehusk.write.tokens import Edge, Run, RunKind, TableCell, TableRow, Token, TokenKind

PAGE = (
    "<p>Text with <a href='/a b?x=1&amp;amp;y'>one</a>, <a href='c(d)'>two</a> and <a href='javascript:x'>three</a> "
    "links, <img src='e.png' alt='x'> and <img src='data:,' alt='y'> images."
)
EVERYTHING = (
    "<h2><b>Tea</b> of <i>the</i> hills #</h2><p><b>Note:</b>it <i>is <b>not</b></i> <s>*so*</s> "
    "<a href='/a b?c=1&amp;d'>a [link]<br>of <b>two</b> lines</a>(1)<p>1. snake_case 2 * 3 &amp;amp; `x` &lt;b> "
    "[x]: y<br>[ ] task<br>- item<br>a~b~<del>c</del>~ <code>a`</code><tt>b</tt><p><a href='x.html'>"
    "<img src='x.jpg' alt='A ] picture'> and text</a><img src='y.jpg' alt=''> more<ol start=7><li>One<ul><li>Two<p>"
    "Three</ul><li><p>Four<blockquote><pre>a\n\nb</pre></blockquote></ol><ul><li>Five</ul><table><caption>Prices"
    "</caption><tr><th>Tea<th colspan=2>a|b<tr><td rowspan=2>Assam<td>1<td>2<tr><td>3<td>4</table><figure>"
    "<img src='z.jpg' alt='Hills'><figcaption>The hills, in <em>June</em></figcaption></figure><hr><li>Alone"
)
FOOTNOTES = (
    "<p>Tea<sup><a href='#n1' id='r1'>1</a></sup> and <b>milk<sup><a href='#n2' id='r2'>2</a></sup></b>, as said."
    "<table><tr><td>a<sup><a href='#n3' id='r3'>3</a></sup><td>b<tr><td>c<td>d</table><h2>Notes</h2><ol>"
    "<li id='n1'>See: the first, p. 3 <a href='#r1'>\u21a9</a><li id='n2'><p>doi:10.1/2 is it.<p>And more."
    "<a href='#r2'>back</a><ul><li>x<li>y</ul><li id='n3'><pre>a\nb</pre>z <a href='#r3'>\u21a9</a></ol><p>The end."
)
SIGNS = [*"#>-+*=_|:[]()\\ x1.)a`<&!~^/;$\u0663\u00e9\u3000\U0001f600", "12345678", "amp;", "**", "]: ", "](", "~~"]
KINDS = (TokenKind.PARAGRAPH, TokenKind.HEADING, TokenKind.TERM, TokenKind.CAPTION)
OPTIONS = (WriteOptions(), WriteOptions(links="drop"), WriteOptions(images=False))


def line(random: Random, links: list[int], images: list[int]) -> list[Run]:
    """Return random runs."""
    runs = []
    for _ in range(random.choice((1, 1, 2, 3, 5))):
        kind = random.choice((RunKind.TEXT,) * 8 + (RunKind.BREAK, RunKind.IMAGE, RunKind.REFERENCE))
        text = "".join(random.choices(SIGNS, k=random.randrange(1, 7)))
        link = random.choice([-1, -1, *links])
        if kind is RunKind.BREAK:
            runs.append(Run(kind, "\n"))
        elif kind is RunKind.IMAGE:
            runs.append(Run(kind, text, random.randrange(8), link, random.choice(images)))
        elif kind is RunKind.REFERENCE:
            runs.append(Run(kind, "1", random.randrange(8)))
        else:
            runs.append(Run(kind, text, random.choice((0, 0, *range(1, 10))), link))
    return runs


@pytest.mark.parametrize("options", OPTIONS, ids=["usual", "no links", "no images"])
def test_lines_of_signs(options: WriteOptions) -> None:
    page, random = dehusk.parse(PAGE), Random(3)  # noqa: S311 (nothing secret)
    labels = dehusk.clean(PAGE, method="keep-all").labels
    links, images = (page.nodes_of(numbers(tag)).tolist() for tag in ("a", "img"))
    pair, shown = KERNELS["markdown.written"], 0
    for _ in range(1500):
        tokens = [Token(random.choice(KINDS), 0, runs=line(random, links, images), level=2)]
        cells = [TableCell(0, line(random, links, images), is_header=True) for _ in range(2)]
        tokens.append(Token(TokenKind.TABLE, 0, rows=[TableRow(0, cells, in_head=True)]))
        tokens.append(Token(TokenKind.NOTE, 0, Edge.OPEN, text="1"))
        tokens.append(random.choice((tokens[0], Token(TokenKind.CODE, 0, text="a\n\n```b", language="c"))))
        tokens += [tokens[0], Token(TokenKind.NOTE, 0, Edge.CLOSE)]
        expected = pair.reference(labels, tokens, options)
        assert pair.compiled(labels, tokens, options) == expected
        assert written(labels, tokens, options) == expected
        shown += "](" in str(expected)
    assert shown > 300


def test_a_page_with_all_that_markdown_writes() -> None:
    """Also with parts of it cut out; `Disagreement` is raised if any kernel differs from its function."""
    random = Random(4)  # noqa: S311 (nothing secret)
    with using("check"):
        for turn in range(200):
            whole = FOOTNOTES if turn % 4 == 0 else EVERYTHING
            start = random.randrange(len(whole))
            page = whole[:start] + whole[start + random.randrange(60) :]
            document = dehusk.clean(page, method="keep-all")
            assert document.markdown
            assert document.render("tei")
