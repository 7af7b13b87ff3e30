"""Quotations of a page are found, whatever became of their spaces, marks and case; what is nowhere has no place."""

import json
import re
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from command_line import EXAMPLE
from dehusk.write.quotes import QuotePlace, find_quote

TEA = dehusk.clean(EXAMPLE.read_bytes(), url="https://tea.example/green")
MENU = "<nav><a href=/>Home</a> <a href=/teas>All teas of the shop</a></nav>"
TEXT = "Good leaves give three cups of tea, and the third of them is the mildest one."
PAGE = dehusk.clean(f"{MENU}<main><h1>Tea</h1><p>{TEXT}</p><p>Drink it cold.</p><img src=a alt='A pot'></main>")


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).lower()


def only(places: list[QuotePlace]) -> QuotePlace:
    (place,) = places
    return place


@pytest.mark.parametrize(
    "quote",
    [
        "neither asks for more than a kettle and a watch",
        "NEITHER ASKS FOR MORE\nthan a   kettle and a watch",
        "“neither asks for more than a kettle, and a watch”",
        "neither **asks** for [more](https://x.example/more_(or_less)) than a kettle and a `watch`",
        "<p>neither asks for <em class='x'>more</em> than a kettle and a watch</p>",
    ],
)
def test_a_quotation_is_found_whatever_became_of_its_marks(quote: str) -> None:
    place = only(TEA.locate(quote))
    assert (place.text, place.match, place.kept) == ("neither asks for more than a kettle and a watch", 1.0, True)
    assert TEA.page.text[slice(*place.span)] == place.text
    assert place.blocks[1] - place.blocks[0] == 1
    assert place.text in TEA.blocks[place.blocks[0]].text
    assert place.xpath == TEA.blocks[place.blocks[0]].xpath


def test_a_quotation_of_several_blocks() -> None:
    place = only(TEA.locate("1. Sencha: 70 °C for one minute\n2. Gyokuro: 55 °C"))
    assert place.text == "Sencha: 70 °C for one minute Gyokuro: 55 °C"
    assert place.blocks[1] - place.blocks[0] == 2
    assert place.xpath.endswith("/ul[1]")


def test_words_may_be_missing_or_different() -> None:
    place = only(TEA.locate("Pour away all of the water after the first cup, so that the leaves do not go on brewing"))
    assert 0.7 < place.match < 1
    assert place.text.startswith("Pour")
    assert place.text.endswith("so that the leaves do not go on brewing")
    assert TEA.locate("Pour away all of the water after the first cup", least=1) == []


@pytest.mark.parametrize("quote", ["", " ", "…", "no word of this quotation stands on the page anywhere", "![](a.png)"])
def test_what_is_nowhere_has_no_place(quote: str) -> None:
    assert TEA.locate(quote) == []


def test_dropped_text_is_found_after_kept_text() -> None:
    assert only(PAGE.locate("All teas of the shop")).kept is False
    assert only(PAGE.locate("three cups of tea")).kept is True
    assert [place.kept for place in PAGE.locate("tea")] == [True, True]  # the heading, and the text


def test_whole_words_come_before_parts_of_words() -> None:
    document = dehusk.clean("<p>Steam rises. Tea is steamed. A therapist drinks it.</p>")
    assert [place.text for place in document.locate("tea")] == ["Tea"]
    assert [place.text for place in document.locate("team")] == ["team", "team"]
    assert only(document.locate("the rapist")).text == "therapist"
    assert [place.text for place in dehusk.clean(f"<p>{'steam ' * 50}tea</p>").locate("tea")] == ["tea"]


def test_every_place_of_a_text_is_found() -> None:
    document = dehusk.clean("<p>One cup.</p><p>Two cups.</p><p>One cup.</p>")
    places = document.locate("one cup")
    assert [place.blocks for place in places] == [(0, 1), (2, 3)]
    assert len(dehusk.clean("<p>cup</p>" * 50).locate("cup")) == 20


def test_the_text_of_an_image_is_found() -> None:
    place = only(PAGE.locate("![A pot](https://x.example/a)"))
    assert (place.text, place.match) == ("A pot", 1.0)
    assert only(PAGE.locate("Drink it cold.\n\n![A pot](a)")).match == 1


def test_images_that_are_not_written_part_no_words() -> None:
    page = dehusk.clean(
        "<article><h1>Tea</h1><p>Good leaves give three cups of tea.</p><img src=pot.jpg alt='A pot of clay'>"
        "<p>The third of them is the mildest one of all.</p></article><aside><a href=/x><img src=b.jpg alt='An offer'>"
        "More offers</a></aside>"
    )
    place = only(page.locate("three cups of tea.\n\n![A pot of clay](pot.jpg)\n\nThe third of them"))
    assert (place.text, place.match) == ("three cups of tea. A pot of clay The third of them", 1)


def test_tags_in_code_are_words() -> None:
    page = dehusk.clean(
        "<article><p>A box has this markup, as the example shows:</p><pre><code>&lt;div class='box'&gt;Tea&lt;/div&gt;"
        "</code></pre><p>Each of its parts is drawn in a row of its own.</p></article>"
    )
    quote = page.markdown[page.markdown.index("example") :]
    assert only(page.locate(quote)).match == 1


POSTS = {
    "Ann": "My kettle of iron is heavy, and the water in it stays hot for an hour.",
    "Bo": "Mine is made of steel, it is light and boils a litre in four minutes.",
    "Cy": "I boil my water in a pot, which needs no more than five minutes for it.",
}


def thread(date: str) -> dehusk.Document:
    posts = (
        f"<div class='comment' id='c{day}'><span class='comment-author'>{name}</span>"
        f"<time class='comment-date' datetime='2021-03-0{day}T10:00'>{day}{date}</time>"
        f"<div class='comment-text'><h4>About kettle {name}</h4><p>{text}</p></div></div>"
        for day, (name, text) in enumerate(POSTS.items(), 1)
    )
    return dehusk.clean("<title>Kettles</title><h1>Kettles</h1>" + "".join(posts))


THREAD = thread(" March 2021, 10:00")


@pytest.mark.parametrize("form", ["markdown", "tei", "html", "text"])
def test_quotations_across_posts(form: str) -> None:
    output = THREAD.render(form)
    quote = output[output.index("the water in it") : output.index("boils a litre")]
    assert form == "text" or "Bo" in quote
    place = only(THREAD.locate(quote))
    assert place.match == 1
    assert place.text.startswith("the water in it stays hot for an hour.")
    assert place.text.endswith("it is light and")


@pytest.mark.parametrize(
    ("date", "place_of"),
    [(" March 2021, 10:00", "Bo2 March 2021, 10:00"), (" years ago", "About kettle Bo")],
    ids=["as it is", "as the markup has it"],
)
def test_who_wrote_a_post_and_when_is_at_the_post(date: str, place_of: str) -> None:
    page = thread(date)
    line = next(line for line in page.markdown.split("\n") if "Bo" in line and "2021" in line)
    place = only(page.locate(line))
    assert (place.match, place.text) == (1, place_of)


def test_formulas_are_found_as_they_are_written() -> None:
    page = dehusk.clean(
        "<article><p>The heat that the water takes is "
        "<span class='katex'><span class='katex-mathml'><math><semantics><mrow><mi>Q</mi><mo>=</mo><mi>m</mi><mi>c</mi>"
        "</mrow><annotation encoding='application/x-tex'>Q = m \\cdot c</annotation></semantics></math></span>"
        "<span class='katex-html' aria-hidden='true'>Q=m⋅c</span></span>, as all of the physicists among us know.</p>"
        "</article>"
    )
    for output in (page.text, page.markdown):
        assert "cdot" in output
        place = only(page.locate(output[output.index("that the water") : output.index("as all")]))
        assert place.match == 1


@pytest.mark.parametrize(
    "quote",
    ["55 °C for two minutes\n3.", "[\\[Sencha\\](all of it)](/x) 70 °C", "Sencha[^1]: 70 °C for one minute"],
)
def test_marks_that_are_cut_or_escaped(quote: str) -> None:
    page = dehusk.clean(
        "<article><h1>Tea</h1><p>Two teas of Japan, and how long each of them takes in the pot:</p><ol>"
        "<li>Sencha: 70 °C for one minute</li><li>Gyokuro: 55 °C for two minutes</li></ol>"
        "<p>[Sencha](all of it) 70 °C is the shortest way to say it.</p></article>"
    )
    assert page.locate(quote)[0].match == 1


def test_text_fragments() -> None:
    assert only(TEA.locate("asks for more")).fragment == "#:~:text=asks%20for%20more"
    assert only(TEA.locate("asks for more")).url == "https://tea.example/green#:~:text=asks%20for%20more"
    long = only(TEA.locate("Let boiling water stand for five minutes before you pour it, so that it cools"))
    assert long.fragment == "#:~:text=Let%20boiling%20water%20stand,so%20that%20it%20cools"
    hyphen = only(dehusk.clean("<p>a well-known, old tea</p>").locate("well-known, old"))
    assert (hyphen.fragment, hyphen.url) == ("#:~:text=well%2Dknown%2C%20old", None)
    assert unquote(hyphen.fragment) == "#:~:text=well-known, old"


def test_languages_without_spaces() -> None:
    document = dehusk.clean(
        "<p>お湯を沸かしてから五分待ちます。</p><p>茶葉を入れて二分待つと、とても美味しいお茶になります。</p>"
    )
    assert only(document.locate("五分待ちます")).text == "五分待ちます"
    assert 0.7 < only(document.locate("茶葉を入れて三分待つと、美味しいお茶になります")).match < 1


def test_raised_numbers_of_plain_text() -> None:
    document = dehusk.clean("<p>Tea is old.<sup>1</sup> Water is older.</p>")
    assert document.text == "Tea is old.¹ Water is older.\n"
    assert only(document.locate("Tea is old.¹ Water")).match == 1


def test_text_with_smilies_is_where_it_was() -> None:
    smilies = "".join(f'<img src="a.gif" class="smilie" alt="{name}">' for name in (":eek:", ":giggle:"))
    document = dehusk.clean(f"<main><h1>Cables</h1><p>{TEXT} And some cables {smilies}</p><p>{TEXT}</p></main>")
    assert ":eek: :giggle:" in document.text
    place = only(document.locate("And some cables :eek: :giggle:"))
    assert place.text == "And some cables"
    (last,) = document.locate("cables :eek: :giggle: Good leaves give")
    assert last.text.startswith("cables Good leaves")


def test_a_place_is_plain_values() -> None:
    record = only(TEA.locate("asks for more")).record()
    assert json.loads(json.dumps(record)) == record
    assert list(record) == ["text", "match", "kept", "span", "blocks", "xpath", "fragment", "url", "source"]


def test_long_quotations_are_compared_at_their_ends() -> None:
    words = [f"w{number * 7919 % 10_007}" for number in range(3_000)]
    document = dehusk.clean("<p>" + "</p><p>".join(" ".join(words[at : at + 50]) for at in range(0, 3_000, 50)))
    changed = words[500:2_500]
    changed[100] = changed[1_900] = "else"
    place = only(document.locate(" ".join(changed)))
    assert place.match > 0.9
    assert place.text.split() == words[500:2_500]


def test_floods_take_time_in_proportion() -> None:
    document = dehusk.clean("<p>" + "tea " * 20_000)
    for quote in (
        "[" * 100_000,
        "](" * 50_000,
        "<a " * 30_000,
        "`" * 100_000,
        "tea x " * 20_000,
        '="' * 50_000,
        "![" * 50_000,
    ):
        assert len(document.locate(quote)) <= 20


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 200), st.sampled_from(["text", "markdown"]))
def test_each_piece_of_an_output_is_found(start: int, size: int, form: str) -> None:
    output = re.sub(r"\]\([^)]*\)", "", TEA.render(form))
    start %= len(output)
    quote = output[start : start + size]
    places = TEA.locate(quote)
    if letters(quote):
        assert places
        assert letters(quote) in (letters(places[0].text), letters(f"python{places[0].text}")) or places[0].match < 1
    else:
        assert places == []


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_any_quotation_has_places_or_none(quote: str) -> None:
    for place in find_quote(TEA.labels, quote):
        assert 0 <= place.span[0] < place.span[1] <= len(TEA.page.text)
        assert 0 <= place.blocks[0] < place.blocks[1] <= len(TEA.labels)
