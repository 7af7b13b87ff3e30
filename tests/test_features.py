"""The features of the thesis's chapter 4, each computed by hand on small pages."""

import re

import numpy as np
import pytest

from dehusk.blocks import Blocks, segment
from dehusk.label.features import Expressions, FeatureSettings, compute
from dehusk.read import parse

SETTINGS = FeatureSettings(
    containers={"p": ("p",), "a": ("a",), "bold": ("b", "strong"), "inline": ("b", "i"), "list": ("ul", "li")},
    splits={"p": ("p",), "br": ("br",), "inline": ("a", "b", "i", "img"), "block": ("p", "div", "li", "ul", "td")},
    regexp={
        "url": Expressions((re.compile(r"^https?://\S+$"), re.compile(r"www\."), re.compile(r"\w@\w"))),
        "needy": Expressions((re.compile("."),), needs="@:"),
        "short": Expressions((re.compile("."),), most=3),
    },
    bullet=(re.compile(r"\(?\d+[.)]"), re.compile(r"\(?[a-z]\)"), re.compile("[-*]"), re.compile(r"[ivx]+\)")),
)


def blocks_of(html: str, *, every_tag: bool = False) -> Blocks:
    return segment(parse(html), every_tag=every_tag)


def feature(name: str, html: str, *, every_tag: bool = False) -> list:
    return compute(blocks_of(html, every_tag=every_tag), SETTINGS, [name])[name].tolist()


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


# section 4.1: markup


def test_containers_are_all_elements_around_a_block():
    html = "<p>see <a>the <b>best</b></a></p><ul><li><strong>x</strong></ul>y"
    assert blocks_of(html, every_tag=True).texts == ["see", "the", "best", "x", "y"]
    assert feature("container.p", html, every_tag=True) == [1, 1, 1, 0, 0]
    assert feature("container.a", html, every_tag=True) == [0, 1, 1, 0, 0]
    assert feature("container.bold", html, every_tag=True) == [0, 0, 1, 1, 0]
    assert feature("container.inline", html, every_tag=True) == [0, 0, 1, 0, 0]
    assert feature("container.list", html, every_tag=True) == [0, 0, 0, 1, 0]


def test_a_container_must_contain_the_whole_block():
    assert feature("container.bold", "<p>a <b>b</b></p><b>c</b>") == [0, 1]


def test_splits_count_opening_and_closing_tags_since_the_previous_block():
    html = "a<br><br>b<p>c</p><div><p>d<i>e</i>f<hr>g</div>"
    assert blocks_of(html, every_tag=True).texts == list("abcdefg")
    assert feature("split.br", html, every_tag=True) == [0, 2, 0, 0, 0, 0, 0]
    assert feature("split.p", html, every_tag=True) == [0, 0, 1, 2, 0, 0, 1]  # /p p; hr closes the paragraph
    assert feature("split.inline", html, every_tag=True) == [0, 0, 0, 0, 1, 1, 0]
    assert feature("split.block", html, every_tag=True) == [0, 0, 1, 3, 0, 0, 1]


def test_splits_ignore_tags_within_a_block_and_empty_elements_count_twice():
    html = "<p>a <b>b</b></p><p></p><ul><li>c<img><li>d</ul>"
    assert blocks_of(html).texts == ["a b", "c", "d"]
    assert feature("split.p", html) == [1, 3, 0]  # p · /p p /p
    assert feature("split.inline", html) == [0, 1, 1]  # · /b · img
    assert feature("split.block", html) == [1, 5, 2]


@pytest.mark.parametrize(("every_tag", "counts"), [(True, [0, 0, 1, 0, 1, 2, 3, 0]), (False, [0, 0, 1, 1, 2, 3, 0])])
def test_a_split_can_count_the_ends_of_lines_of_preformatted_text(every_tag: bool, counts: list[int]):
    blocks = blocks_of("<p>a\nb</p><pre>\nc\nd <b>e\nf</b><br>\ng\n\n\nh\n</pre><p>i</p>", every_tag=every_tag)
    assert blocks.texts[-3:] == ["g", "h", "i"]
    settings = FeatureSettings(splits={"both": ("br", "#line"), "br": ("br",), "p": ("p",)})
    columns = compute(blocks, settings, ["split.both", "split.br", "split.p"])
    assert columns["split.both"].tolist() == counts
    assert columns["split.br"].tolist() == [int(text == "g") for text in blocks.texts]
    assert columns["split.p"].tolist() == [1, 1, *[0] * (len(blocks) - 3), 1]


def test_splits_before_the_first_block_count_from_the_start_of_the_body():
    assert feature("split.block", "<div><div><p>a</p></div></div>b") == [3, 3]


# section 4.2: characters, tokens, sentences


def test_shares_of_characters():
    html = paragraphs("ab 1, $", "12")  # 7 characters: a b white 1 punct white other
    shares = {"alpha": 2 / 7, "num": 1 / 7, "punct": 1 / 7, "white": 2 / 7, "other": 1 / 7}
    for name, share in shares.items():
        assert feature(f"char.{name}-rel", html) == [pytest.approx(share), float(name == "num")]
    assert feature("char.count", html) == [7, 2]


def test_letters_of_every_script_are_letters():
    html = paragraphs("žluť", "漢字", "e\u0301", "\u0967\u0968", "½", "😀", "—。»")
    assert feature("char.alpha-rel", html) == [1, 1, 1, 0, 0, 0, 0]
    assert feature("char.num-rel", html) == [0, 0, 0, 1, 1, 0, 0]
    assert feature("char.other-rel", html) == [0, 0, 0, 0, 0, 1, 0]
    assert feature("char.punct-rel", html) == [0, 0, 0, 0, 0, 0, 1]


def test_counts_and_shares_of_tokens():
    html = paragraphs("well, 2nd try: 3,5 -- 70% don't", "--")
    counts = {"alpha": [3, 0], "num": [2, 0], "mix": [1, 0], "other": [1, 1]}  # well, try: don't · 3,5 70% · 2nd · --
    for name, (first, second) in counts.items():
        assert feature(f"token.{name}-abs", html) == [first, second]
        assert feature(f"token.{name}-rel", html) == [pytest.approx(first / 7), second]


def test_word_ratio_is_the_share_of_the_pages_words():
    assert feature("word-ratio", paragraphs("a b 1 2", "c", "1 2 3")) == [2 / 3, 1 / 3, 0]
    assert feature("word-ratio", paragraphs("1", "2 3")) == [0, 0]


SENTENCES = [  # text, sentences, starts a sentence, ends a sentence
    ("One. Two two! Three?", 3, True, True),
    ("no end", 0, False, False),
    ("Pi is 3.14 or so.", 1, True, True),
    ("What?! Really...", 2, True, True),
    ("“Stop.” he said", 1, True, False),
    ('She said "go."', 1, True, True),
    ("(see below.)", 1, False, True),
    ("[he left.”)]", 1, False, True),
    ("wait…", 1, False, True),
    ("你好。再见！是吗？", 3, True, True),
    ("हाँ। नहीं।", 2, True, True),
    ("1. item", 1, False, False),
    ("... dots", 1, False, False),
    ("a.b.c", 0, False, False),
    ("'Twas", 0, True, False),
    ("12 - 30", 0, False, False),
    (".", 1, False, True),
    ("Ávila", 0, True, False),
    ("élan", 0, False, False),
]


@pytest.mark.parametrize(("text", "count", "begin", "end"), SENTENCES)
def test_sentences(text, count, begin, end):
    assert feature("sentence.count", paragraphs(text)) == [count]
    assert feature("sentence-begin", paragraphs(text)) == [begin]
    assert feature("sentence-end", paragraphs(text)) == [end]


@pytest.mark.parametrize(("text", "count"), [("„Ahoj.“", 1), ("„Nein!“ Er ging.", 2)])
def test_sentences_in_low_high_quotes(text, count):
    assert feature("sentence.count", paragraphs(text)) == [count]
    assert feature("sentence-end", paragraphs(text)) == [True]


@pytest.mark.parametrize(
    ("language", "text", "counted", "known"),
    [
        ("en", "Mr. Smith met Dr. Jones, e.g. at 8 p.m. in the garden. They left. (At nine.)", 7, 3),
        ("cs", "Dr. Novák přijel v 8 hod. ráno. Měl např. čaj. A co dál?", 6, 3),
        ("de", "Das ist z. B. Tee. Er kostet ca. drei Euro. Gut!", 6, 3),
        ("zh", "今天天气很好。我们去公园吧！", 2, 2),
        ("en", "No end here", 0, 0),
    ],
)
def test_abbreviations_of_a_language_end_no_sentence(language, text, counted, known):
    blocks = blocks_of(paragraphs(text, "Second. Third."))
    names = ["sentence.count", "document.sentence-count"]
    columns = compute(blocks, FeatureSettings(language=language), names)
    assert columns["sentence.count"].tolist() == [known, 2]
    assert columns["document.sentence-count"].tolist() == [known + 2] * 2
    assert feature("sentence.count", paragraphs(text)) == [counted]


def test_sentences_do_not_span_blocks():
    html = paragraphs("The end", "is. near", "Now.")
    assert feature("sentence.count", html) == [0, 1, 1]
    assert feature("sentence-begin", html) == [True, False, True]
    assert feature("sentence-end", html) == [False, False, True]
    assert feature("sentence-begin", paragraphs("1 - 2", "Abc")) == [False, True]


def test_average_length_of_sentences():
    assert feature("sentence.avg-length", paragraphs("a b c. d e!", "f g", "h.")) == [2.5, 2, 1]


# section 4.2: duplicates, expressions, bullets, groups


def test_duplicates_have_the_same_letters():
    html = paragraphs("Read more...", "x", "READ  MORE!", "read more (2)", "12", "34", "12", "eart more")
    assert feature("duplicate-count", html) == [3, 1, 3, 3, 1, 1, 1, 1]
    assert feature("first-duplicate", html) == [1, 0, 0, 0, 0, 0, 0, 0]


def test_each_group_of_duplicates_has_a_first():
    assert feature("first-duplicate", paragraphs("a", "b", "c", "b", "A", "b")) == [1, 1, 0, 0, 0, 0]


def test_case_is_ignored_next_to_a_turkish_letter():
    assert feature("duplicate-count", paragraphs("Devam", "DEVAM", "İzmir")) == [2, 2, 1]


def test_an_expression_gives_the_number_of_the_first_match():
    html = paragraphs("http://a.b/c", "at www.a.b or me@a.b", "me@a.b", "none")
    assert feature("regexp.url", html) == [1, 2, 3, 0]


def test_expressions_search_only_blocks_that_can_match():
    html = paragraphs("a@b", "abc", "abcd", "dé:")
    assert feature("regexp.needy", html) == [1, 0, 0, 1]
    assert feature("regexp.short", html) == [1, 1, 0, 1]


def test_each_combination_of_bullets_has_a_distinct_value():
    html = paragraphs("1. a", "(2) b", "(b) c", "- d", "iv) x", "i) y", "word", "see 1. a")
    assert feature("bullet", html) == [1, 1, 2, 4, 8, 2 + 8, 0, 0]


def test_div_groups_of_the_thesis():
    html = "<div> a <div> b <i>c</i> </div> d <div> <i>e</i> f </div> g </div>"
    assert blocks_of(html, every_tag=True).texts == list("abcdefg")
    expected = [3 / 7, 2 / 7, 2 / 7, 3 / 7, 2 / 7, 2 / 7, 3 / 7]  # (a, d, g), (b, c), (e, f)
    assert feature("div-group.word-ratio", html, every_tag=True) == pytest.approx(expected)
    assert feature("document.max-div-group", html, every_tag=True) == pytest.approx([3 / 7] * 7)


def test_groups_count_only_unlinked_words_and_blocks_outside_all_groups_have_0():
    html = "<div>a b <a>c d e</a></div><div>f g</div>h h h h<div><a>i</a></div>"
    assert feature("div-group.word-ratio", html) == [2 / 8, 2 / 8, 0, 0]
    assert feature("document.max-div-group", html) == [2 / 8] * 4
    assert feature("td-group.word-ratio", html) == [0] * 4


def test_td_groups_end_at_the_cells_of_an_inner_table():
    html = "<table><tr><td>a b<td>c<p>d</p><table><tr><td>e f g</table></table>"
    assert blocks_of(html).texts == ["a b", "c", "d", "e f g"]
    assert feature("td-group.word-ratio", html) == pytest.approx([2 / 7, 2 / 7, 2 / 7, 3 / 7])
    assert feature("document.max-td-group", html) == pytest.approx([3 / 7] * 4)


# section 4.3: the document


def test_position_is_between_0_and_1():
    assert feature("position", paragraphs("a")) == [0]
    assert feature("position", paragraphs(*"abcde")) == [0, 0.25, 0.5, 0.75, 1]


def test_the_document_features_are_equal_for_all_blocks():
    html = paragraphs("One two. Three!", "4 5", "Six")
    assert feature("document.word-count", html) == [6] * 3
    assert feature("document.sentence-count", html) == [2] * 3
    assert feature("document.block-count", html) == [3] * 3


def test_columns_are_in_the_requested_order():
    columns = compute(blocks_of("a"), SETTINGS, ["position", "bullet", "char.count"])
    assert list(columns) == ["position", "bullet", "char.count"]
    assert all(np.shape(column) == (1,) for column in columns.values())
