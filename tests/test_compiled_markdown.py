"""What CommonMark reads back from random lines of signs, styles and links; and pages with all that Markdown has."""

from random import Random

import pytest
from markdown_it import MarkdownIt

import dehusk
from dehusk.base.tags import numbers
from dehusk.compiled.write import part_writer
from dehusk.write.options import LinksChoice, WriteOptions
from dehusk.write.tokens import Run, RunKind, Token, TokenKind

PARSER = MarkdownIt("commonmark").enable("strikethrough")
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
SIGNS = [*"#>-+*=_|:[]()\\ x1.)a`<&!~^/;$\u0663\u00e9\u3000\U0001f600", "12345678", "**", "]: ", "](", "~~"]
KINDS = (TokenKind.PARAGRAPH, TokenKind.HEADING, TokenKind.TERM, TokenKind.CAPTION)


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


def shown(runs: list[Run]) -> str:
    """Return the ink of the texts of a line."""
    return "".join("".join(run.text.split()) for run in runs if run.kind is RunKind.TEXT)


def read_back(markdown: str) -> str:
    """Return the ink of the texts that CommonMark reads."""
    found: list[str] = []
    for block in PARSER.parse(markdown):
        found += [each.content for each in block.children or () if each.type in ("text", "code_inline")]
    return "".join("".join(found).split())


def test_a_line_of_signs_is_read_back_as_it_was() -> None:
    labels, random = dehusk.clean(PAGE, method="keep-all").labels, Random(3)  # noqa: S311 (nothing secret)
    page = labels.blocks.page
    images = page.nodes_of(numbers("img")).tolist()
    for _ in range(3000):
        runs = [run for run in line(random, [], images) if run.kind in (RunKind.TEXT, RunKind.BREAK)]
        for run in (*runs[:1], *runs[-1:]):  # the reader of tokens trims leaves
            run.kind, run.text = RunKind.TEXT, run.text.strip() or "x"
        token = Token(TokenKind.PARAGRAPH, 0, runs=runs)
        assert read_back(part_writer(labels, [token])([token])) == shown(runs), runs


@pytest.mark.parametrize("links", ["keep", "footnotes", "drop"])
def test_parts_of_a_page_are_its_lines(links: LinksChoice) -> None:
    labels, random = dehusk.clean(PAGE, method="keep-all").labels, Random(5)  # noqa: S311 (nothing secret)
    page, options = labels.blocks.page, WriteOptions(links=links)
    nodes = [page.nodes_of(numbers(tag)).tolist() for tag in ("a", "img")]
    for _ in range(300):
        tokens = [Token(random.choice(KINDS), 0, runs=line(random, *nodes), level=2) for _ in range(3)]
        whole = part_writer(labels, tokens, options)(tokens).partition("\n\n[^link-")[0]
        write = part_writer(labels, tokens, options)
        parts = [write([token]).partition("\n\n[^link-")[0].strip("\n") for token in tokens]
        assert "\n\n".join(filter(None, parts)) == whole.strip("\n")


def test_links_become_text_once_their_addresses_are_longer_than_the_page() -> None:
    html = f"<p><a href='/{'x' * 9000}'>a</a>"
    labels = dehusk.clean(html, method="keep-all").labels
    (link,) = labels.blocks.page.nodes_of(numbers("a")).tolist()
    tokens = [Token(TokenKind.PARAGRAPH, 0, runs=[Run(RunKind.TEXT, "a", link=link)])] * 9
    lines = part_writer(labels, tokens)(tokens).split("\n\n")
    assert lines[0] == f"[a](/{'x' * 9000})"
    assert [each.strip() for each in lines[3:]] == ["a"] * 6
    assert "None" not in "".join(lines)


def test_a_page_with_all_that_markdown_writes() -> None:
    """Also with parts of it cut out."""
    random = Random(4)  # noqa: S311 (nothing secret)
    for turn in range(200):
        whole = FOOTNOTES if turn % 4 == 0 else EVERYTHING
        start = random.randrange(len(whole))
        document = dehusk.clean(whole[:start] + whole[start + random.randrange(60) :], method="keep-all")
        assert document.markdown
        assert document.render("tei")
