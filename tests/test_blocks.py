"""Blocks: a table of small pages in both segmentations, and properties of random pages."""

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.tags import TAG_NUMBER, is_block_level
from dehusk.blocks import segment
from dehusk.blocks.labels import Labels
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.read.xpath import xpaths
from strategies import htmls

TABLE = [  # html, blocks by block-level tags, blocks by every tag with alternative texts
    ("Hello <i>world</i>!", ["Hello world!"], ["Hello", "world", "!"]),  # the thesis, section 3.2
    ("x<div>y</div>z", ["x", "y", "z"], ["x", "y", "z"]),
    ("<span>a</span><div><span>b</span></div>", ["a", "b"], ["a", "b"]),
    ("a<br>b<br><br>c", ["a", "b", "c"], ["a", "b", "c"]),
    ("a<hr>b", ["a", "b"], ["a", "b"]),
    ("<p>a <b>b <i>c</i></b> d</p>e", ["a b c d", "e"], ["a", "b", "c", "d", "e"]),
    ("<b>a</b><b>b</b><x-y>c</x-y>", ["abc"], ["a", "b", "c"]),
    ("a<wbr>b", ["ab"], ["a", "b"]),
    ("<a href=u>l <b>m</b></a> n", ["l m n"], ["l", "m", "n"]),
    ("<table><tr><td>a<td>b <i>c</i></table>", ["a", "b c"], ["a", "b", "c"]),
    ("<ul><li>a<ul><li>b</ul>c</ul>", ["a", "b", "c"], ["a", "b", "c"]),
    ("<dl><dt>a<dd>b</dl>", ["a", "b"], ["a", "b"]),
    ("<select><option>a<option>b</select>c", ["a", "b", "c"], ["a", "b", "c"]),
    ("a<script>s</script>b<!-- c -->c", ["abc"], ["abc"]),
    ("a<noscript>b</noscript>c", ["a", "b", "c"], ["a", "b", "c"]),
    ("<pre>\n  a\n\n    b\tc\n</pre>d", ["  a", "    b\tc", "d"], ["  a", "    b\tc", "d"]),
    ("<pre>a<b>b\n c</b></pre>", ["ab", " c"], ["a", "b", " c"]),
    ("<textarea>a\r\n  b</textarea>", ["a", "  b"], ["a", "  b"]),
    ("<pre>  \n \n</pre>", [], []),
    ("<img alt='x  y'>a<p><img alt=b>", ["a"], ["x y", "a", "b"]),
    ("<p> a \n\n b </p>  <p>  </p>", ["a b"], ["a b"]),
    ("a&nbsp;&nbsp;b&nbsp;<p>&nbsp;", ["a b"], ["a b"]),
    ("<p>\u200b</p><p>a \u200b b</p>\ufeff<p>&shy;", ["a b"], ["a b"]),
    ("a&#12;b&#1;c", ["a b c"], ["a b c"]),
    ("漢字。\u3000漢字\n漢字", ["漢字。 漢字 漢字"], ["漢字。 漢字 漢字"]),
    ("Donau&shy;dampf \ufefffährt", ["Donaudampf fährt"], ["Donaudampf fährt"]),
    ("<pre>a  \n\tb \t\n</pre>", ["a", "\tb"], ["a", "\tb"]),
    ("😀 e\u0301<br>ß", ["😀 e\u0301", "ß"], ["😀 e\u0301", "ß"]),
    ("&lt;b&gt; &amp;", ["<b> &"], ["<b> &"]),
    ("", [], []),
]  # fmt: skip


@pytest.mark.parametrize(("html", "common", "every"), TABLE)
def test_texts_of_blocks(html, common, every):
    page = parse(html)
    assert segment(page).texts == common
    assert segment(page, every_tag=True, alt=True).texts == every


def test_an_image_with_an_alternative_text_does_not_split_a_paragraph():
    assert segment(parse("<p>a <img alt=x> b</p>")).texts == segment(parse("<p>a <img> b</p>")).texts == ["a b"]


@pytest.mark.parametrize("html", ["a\tb", "<p>a\t b</p>"])
def test_a_tab_folds_to_a_space(html):
    assert segment(parse(html)).texts == ["a b"]


@pytest.mark.parametrize("invisible", ["\u00ad", "\u2060", "\ufeff"])
def test_invisible_characters_do_not_split_a_word(invisible):
    assert segment(parse(f"<p>Donau{invisible}dampf fährt")).words.tolist() == [2]


def test_flags_of_blocks():
    blocks = segment(parse("a<pre>b\n<i>c</i></pre><noscript>d<img alt=e></noscript>"), every_tag=True, alt=True)
    assert blocks.texts == list("abcde")
    assert blocks.in_pre.tolist() == [False, True, True, False, False]
    assert blocks.is_alt.tolist() == [False, False, False, False, True]
    assert [blocks.page.tag_name(node) for node in blocks.node] == ["body", "pre", "i", "noscript", "img"]


def test_the_element_of_a_block_may_be_many_levels_above_its_texts():
    blocks = segment(parse("<div><p><b><i><u>a</u></i></b> b <span><u>c</u></span></p><p><b>d</b></p></div>"))
    paths = xpaths(blocks.page, blocks.node)
    assert [(text, paths[node]) for text, node in zip(blocks.texts, blocks.node.tolist(), strict=True)] == [
        ("a b c", "/html/body/div[1]/p[1]"),
        ("d", "/html/body/div[1]/p[2]/b[1]"),
    ]


def test_columns_of_two_blocks():
    blocks = segment(parse("<p>one  two <a>li nk</a>s</p>3"))
    assert blocks.text == "one two li nks3"
    assert (blocks.start.tolist(), blocks.end.tolist()) == ([0, 14], [14, 15])
    assert (blocks.chars.tolist(), blocks.words.tolist()) == ([14, 1], [4, 1])
    assert (blocks.link_chars.tolist(), blocks.link_words.tolist()) == ([5, 0], [2, 0])
    assert blocks.block_of.tolist() == [0] * 14 + [1]
    assert [blocks.span(b) for b in (0, 1)] == [(0, 15), (15, 16)]
    assert "".join(map(chr, blocks.code_points)) == blocks.text
    assert blocks.sums(blocks.code_points == ord("n")).tolist() == [2, 0]


# properties

INVISIBLE = "\u00ad\u2060\ufeff"
both = pytest.mark.parametrize("options", [{}, {"every_tag": True}, {"every_tag": True, "alt": True}, {"alt": True}])


def is_white(character: str) -> bool:
    return character == "\u200b" or unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cc")


def ink(text: str) -> str:
    return "".join(character for character in text if character not in INVISIBLE and not is_white(character))


def folded(text: str) -> str:
    return " ".join("".join(" " if is_white(c) else c for c in text if c not in INVISIBLE).split())


def without_alt(html: str) -> str:
    return re.sub("(?i)alt=", "title=", html)


def above(page: Page, node: int) -> list[int]:
    return [node, *above(page, int(page.parent[node]))] if node >= 0 else []


def runs(page: Page, every_tag: bool) -> list[str]:
    """A literal walk: collect text until a splitting tag opens or closes, or a line of preformatted text ends."""
    splits = [
        not page.is_text[i] and (every_tag or (page.tag[i] < len(is_block_level()) and is_block_level()[page.tag[i]]))
        for i in range(len(page))
    ]
    closing = [[i for i in range(len(page)) if splits[i] and page.end[i] == node] for node in range(len(page))]
    texts = [""]
    for node in range(len(page)):
        if splits[node] or closing[node] or node in page.line_nodes:
            texts.append("")
        if page.is_text[node]:
            texts[-1] += page.text[page.text_start[node] : page.text_end[node]]
    return [run for run in texts if ink(run)]


@pytest.mark.parametrize("every_tag", [False, True])
@given(html=htmls.map(without_alt))
def test_blocks_are_the_runs_of_a_literal_walk(every_tag, html):
    page = parse(html)
    blocks = segment(page, every_tag=every_tag)
    expected = runs(page, every_tag)
    assert [folded(text) for text in blocks.texts] == [folded(run) for run in expected]
    for text, run, pre in zip(blocks.texts, expected, blocks.in_pre.tolist(), strict=True):
        if pre:
            line = "".join(c if c == "\t" or not is_white(c) else " " for c in run.strip("\r\n") if c not in INVISIBLE)
            assert text == line.rstrip()
        else:
            assert text == folded(run)


@both
@given(html=htmls)
def test_no_text_is_lost_duplicated_or_moved(options, html):
    page = parse(html)
    alts = set(page.alt_nodes.tolist()) if not options.get("alt") else set()
    nodes = [i for i in np.flatnonzero(page.is_text).tolist() if i not in alts]
    seen = "".join(page.text[page.text_start[i] : page.text_end[i]] for i in nodes)
    blocks = segment(page, **options)
    assert ink("".join(blocks.texts)) == ink(seen)
    assert blocks.text == "".join(blocks.texts)
    assert all(ink(text) for text in blocks.texts)
    for text, pre in zip(blocks.texts, blocks.in_pre.tolist(), strict=True):
        assert pre or (text == text.strip() and "  " not in text)
        assert text == text.rstrip()
        assert not set(text) & set("\n\r\f" + INVISIBLE)


@both
@given(html=htmls)
def test_each_character_comes_from_one_offset_in_the_page(options, html):
    page = parse(html)
    blocks = segment(page, **options)
    assert (np.diff(blocks.source) > 0).all()
    node_at = {
        offset: i for i in np.flatnonzero(page.is_text) for offset in range(page.text_start[i], page.text_end[i])
    }
    for character, offset, linked in zip(blocks.text, blocks.source.tolist(), blocks.linked.tolist(), strict=True):
        assert character == page.text[offset] or (character == " " and is_white(page.text[offset]))
        assert linked == any(page.tag[node] == TAG_NUMBER["a"] for node in above(page, int(node_at[offset])))


def word_starts(text: str) -> list[int]:
    """The offsets of tokens, and of all Han and kana characters."""
    starts = [m.start() for m in re.finditer(r"\S+", text)]
    return sorted({*starts, *(offset for offset, c in enumerate(text) if "\u3040" <= c < "\ua000" and c.isalpha())})


def test_chinese_has_words():
    assert segment(parse("<p>绿茶变苦有两个原因: tea 水太热。")).words.tolist() == [13]


@both
@given(html=htmls)
def test_counts_equal_those_of_strings(options, html):
    blocks = segment(parse(html), **options)
    assert blocks.chars.tolist() == [len(text) for text in blocks.texts]
    assert blocks.words.tolist() == [len(word_starts(text)) for text in blocks.texts]
    linked = [
        "".join("x" if mark else "." for mark in blocks.linked[a:b])
        for a, b in zip(blocks.start, blocks.end, strict=True)
    ]
    assert blocks.link_chars.tolist() == [marks.count("x") for marks in linked]
    starts = [word_starts(text) for text in blocks.texts]
    expected = [sum(marks[offset] == "x" for offset in offsets) for marks, offsets in zip(linked, starts, strict=True)]
    assert blocks.link_words.tolist() == expected


@both
@given(html=htmls)
def test_the_node_of_a_block_is_the_innermost_element_around_it(options, html):
    page = parse(html)
    blocks = segment(page, **options)
    for first, last, node in zip(blocks.first.tolist(), blocks.last.tolist(), blocks.node.tolist(), strict=True):
        holders = [i for i in range(len(page)) if not page.is_text[i] and i < first and last < page.end[i]]
        assert node == holders[-1]


@pytest.mark.parametrize("every_tag", [False, True])
@given(html=htmls.map(without_alt))
def test_the_span_of_a_block_reproduces_its_text(every_tag, html):
    page = parse(html)
    blocks = segment(page, every_tag=every_tag)
    for block, text in enumerate(blocks.texts):
        start, end = blocks.span(block)
        assert folded(page.text[start:end]) == folded(text)


@given(htmls, st.integers(0, 100))
def test_sums_add_up_over_blocks(html, seed):
    blocks = segment(parse(html))
    values = np.random.default_rng(seed).integers(0, 5, len(blocks.text))
    expected = [int(values[a:b].sum()) for a, b in zip(blocks.start, blocks.end, strict=True)]
    assert blocks.sums(values).tolist() == expected


def test_the_repr_of_blocks_and_labels_is_one_line():
    page = parse("<p>one two<p>three", url="https://example.org/")
    blocks = segment(page)
    kept = np.array([True, False])
    assert repr(blocks) == "<Blocks ok, 'https://example.org/', 2 blocks, 3 words>"
    assert repr(Labels(blocks, kept, kept, kept)) == "<Labels ok, 'https://example.org/', 1 of 2 blocks kept>"
    assert repr(segment(parse(""))) == "<Blocks ok, 0 blocks, 0 words>"


@pytest.mark.parametrize("page", ["<p>text", b"<p>text", None, 3])
def test_only_a_page_can_be_segmented(page):
    with pytest.raises(TypeError, match=rf"^segment\(\) takes a Page, .* not {type(page).__name__}$"):
        segment(page)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ชาเขียวมีรสขม", 3),
        ("ชาเขียว มีรสขม", 4),
        ("“ชาเขียวมีรสขม”", 3),
        ("iPhone ของฉัน", 3),
        ("ຊາຂຽວມີລົດຂົມ", 3),
        ("တရုတ်နိုင်ငံ", 3),
        ("ភាសាខ្មែរ", 2),
        ("ქართული ენა", 2),
    ],
)
def test_each_five_letters_of_a_script_without_spaces_count_as_a_word(text, words):
    assert segment(parse(f"<p>{text}<p>{text}")).words.tolist() == [words, words]
