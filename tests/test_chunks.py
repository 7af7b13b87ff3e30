"""`Document.chunks`: pieces of the kept text along headings and blocks."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_linear
from dehusk.base.errors import ConfigError
from dehusk.cli import command
from dehusk.write import to_markdown
from dehusk.write.chunks.splitting import sentence_starts
from dehusk.write.content.boxes import texts_apart
from strategies import htmls

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "ate", "its", "fish", "in", "peace"]


def page(*parts):
    return dehusk.clean("<title>T</title><body>" + "".join(parts), method="keep-all", url="https://example.org/p")


def words(number, start=0):
    return " ".join(WORDS[(start + index) % len(WORDS)] for index in range(number))


def paragraph(number):
    return f"<p>{words(number)}.</p>"


def texts(document, **options):
    return [chunk.text for chunk in document.chunks(**options)]


def letters(text):
    """A tokenizer for which every letter is a token."""
    return len(text)


SIZES = st.one_of(
    st.fixed_dictionaries({"max_words": st.integers(1, 12)}),
    st.fixed_dictionaries({"max_tokens": st.integers(1, 30)}),
    st.fixed_dictionaries({"max_tokens": st.integers(1, 40), "tokenizer": st.just(letters)}),
)


@settings(max_examples=75, deadline=None)
@given(html=htmls, size=SIZES)
def test_without_overlap_the_chunks_are_the_text_once(html, size):
    document = dehusk.clean(html, method="keep-all")
    at = 0
    for chunk in document.chunks(**size):
        start, end = chunk.span_text
        assert not document.text[at:start].strip()
        assert chunk.text == document.text[start:end]
        assert chunk.text.strip()
        assert chunk.overlap == 0
        at = end
    assert not document.text[at:].strip()


@settings(max_examples=75, deadline=None)
@given(html=htmls, size=SIZES, share=st.integers(2, 6))
def test_with_overlap_every_part_is_new_once(html, size, share):
    document = dehusk.clean(html, method="keep-all")
    limit = size.get("max_words") or size["max_tokens"]
    chunks = document.chunks(**size, overlap=limit // share)
    at = 0
    for index, chunk in enumerate(chunks):
        start, end = chunk.span_text
        assert chunk.index == index
        assert not document.text[at : start + chunk.overlap].strip()
        assert chunk.text == document.text[start:end]
        assert chunk.overlap == 0 or chunks[index - 1].span_text[0] <= start < chunks[index - 1].span_text[1]
        at = end
    assert not document.text[at:].strip()


@settings(max_examples=75, deadline=None)
@given(html=htmls, limit=st.integers(1, 12), overlap=st.integers(0, 6))
def test_only_rows_and_lines_of_listings_exceed_the_limit(html, limit, overlap):
    document = dehusk.clean(html, method="keep-all")
    for chunk in document.chunks(max_words=limit, overlap=min(overlap, limit // 2)):
        if chunk.words > limit:
            assert "\n" not in chunk.text.strip()
            assert "pre" in chunk.xpath or "td" in chunk.xpath


@settings(max_examples=60, deadline=None)
@given(html=htmls, size=SIZES)
def test_chunks_are_the_same_each_time_and_their_ids_unique(html, size):
    first, second = (dehusk.clean(html, method="keep-all").chunks(**size) for _ in range(2))
    assert first == second
    assert len({chunk.id for chunk in first}) == len(first)
    for chunk in first:
        assert json.loads(json.dumps(chunk.record())) == chunk.record()


@settings(max_examples=60, deadline=None)
@given(html=htmls, limit=st.integers(1, 12))
def test_words_of_all_chunks_are_those_of_the_kept_blocks(html, limit):
    document = dehusk.clean(html, method="keep-all")
    is_parted = len(texts_apart(document.labels.blocks.page)) > 0  # a sentence from the next, in another element
    if not len(document.labels.omitted) and not is_parted:
        total = document.labels.blocks.words[document.labels.written].sum()
        assert sum(chunk.words for chunk in document.chunks(max_words=limit)) == total


@settings(max_examples=60, deadline=None)
@given(html=htmls, limit=st.integers(8, 40))
def test_a_tokenizer_is_obeyed_like_any_other_measure(html, limit):
    document = dehusk.clean(html, method="keep-all")
    for chunk in document.chunks(max_tokens=limit, overlap=limit // 3, tokenizer=letters):
        if len(chunk.text) > limit:
            assert "\n" not in chunk.text.strip("\n")
            assert "pre" in chunk.xpath or "td" in chunk.xpath


class TestHeadings:
    def test_a_page_that_fits_is_one_chunk(self):
        document = page("<h1>Fish</h1>", paragraph(20), "<h2>Bones</h2>", paragraph(20))
        [chunk] = document.chunks()
        assert chunk.text == document.text.strip()
        assert chunk.markdown == to_markdown(document.labels)
        assert chunk.headings == ("Fish",)

    def test_long_sections_are_chunks_of_their_own_with_the_headings_above(self):
        sections = [f"<h2>Part {number}</h2>{paragraph(80)}" for number in range(3)]
        chunks = page("<h1>Fish</h1>", paragraph(80), *sections).chunks(max_words=100)
        assert [chunk.headings for chunk in chunks] == [("Fish",), *(("Fish", f"Part {n}") for n in range(3))]
        assert [chunk.text.split("\n")[0] for chunk in chunks] == ["Fish", "Part 0", "Part 1", "Part 2"]

    def test_small_neighbours_below_the_same_heading_share_a_chunk(self):
        sections = [f"<h2>Part {number}</h2>{paragraph(20)}" for number in range(6)]
        chunks = page("<h1>Fish</h1>", paragraph(90), *sections).chunks(max_words=100)
        assert [chunk.headings for chunk in chunks] == [("Fish",)] * 3
        assert [chunk.text.count("Part") for chunk in chunks] == [0, 4, 2]

    def test_sections_below_different_headings_are_not_mixed(self):
        html = [f"<h2>{name}</h2>{paragraph(90)}<h3>{name} bones</h3>{paragraph(10)}" for name in ("Cod", "Eel")]
        chunks = page(*html).chunks(max_words=100)
        assert [chunk.headings for chunk in chunks] == [
            ("Cod",),
            ("Cod", "Cod bones"),
            ("Eel",),
            ("Eel", "Eel bones"),
        ]

    def test_a_heading_stays_with_what_follows_it(self):
        html = [f"<h2>Part</h2><h3>Of it</h3>{paragraph(60)}{paragraph(60)}" for _ in range(2)]
        for chunk in page(paragraph(95), *html).chunks(max_words=100):
            assert not chunk.text.endswith("Of it")

    def test_headings_are_cut(self):
        chunks = page(f"<h1>{words(2000)}</h1>", *[paragraph(60)] * 4).chunks(max_words=100)
        assert max(len(heading) for chunk in chunks for heading in chunk.headings) == 200


class TestParagraphs:
    def test_blocks_stay_whole_if_they_fit(self):
        html = [f"<p>{number} {words(39)}.</p>" for number in range(5)]
        assert [text.split("\n\n")[0][:1] for text in texts(page(*html), max_words=100)] == ["0", "2", "4"]

    def test_long_paragraphs_end_with_sentences(self):
        sentences = [f"{words(n % 9 + 3).capitalize()}." for n in range(40)]
        parts = texts(page(f"<p>{' '.join(sentences)}</p>"), max_words=30)
        assert len(parts) > 5
        assert all(part.endswith(".") for part in parts)
        assert " ".join(parts) == " ".join(sentences)

    def test_long_sentences_are_divided_between_words(self):
        assert texts(page("<p>a bb ccc dddd eeeee</p>"), max_words=2) == ["a bb", "ccc dddd", "eeeee"]

    def test_only_a_word_longer_than_the_limit_is_divided(self):
        parts = texts(page("<p>a incomprehensible b</p>"), max_tokens=10, tokenizer=letters)
        assert parts == ["a", "incomprehe", "nsible b"]

    def test_chinese_and_thai(self):
        assert texts(page("<p>猫坐在垫子上。它吃了鱼！好吃吗？好吃。</p>"), max_words=10) == [
            "猫坐在垫子上。它吃了鱼！",
            "好吃吗？好吃。",
        ]
        thai = "แมวนั่งบนเสื่อ" * 20
        parts = texts(page(f"<p>{thai}</p>"), max_words=10)
        assert "".join(parts) == thai
        assert len(parts) > 4

    def test_markdown_keeps_the_marks_on_both_sides_of_a_cut(self):
        document = page("<p>One <b>two three four</b> five <a href='/u'>six seven</a> eight.</p>")
        assert [chunk.markdown for chunk in document.chunks(max_words=3)] == [
            "One **two three**\n",
            "**four** five [six](https://example.org/u)\n",
            "[seven](https://example.org/u) eight.\n",
        ]

    @pytest.mark.parametrize(
        ("text", "sentences"),
        [
            ("It is so. Is it? Yes! “No.” Well…", ["It is so. ", "Is it? ", "Yes! ", "“No.” ", "Well…"]),
            ("J. Doe met A. B. Roe.", ["J. Doe met A. B. Roe."]),
            ("Version 1.5 is out. e.g. this one.", ["Version 1.5 is out. e.g. this one."]),
            ("それは猫です。「そうか。」はい。", ["それは猫です。", "「そうか。」", "はい。"]),
            ("यह बिल्ली है। वह सोती है।", ["यह बिल्ली है। ", "वह सोती है।"]),
            ("هل هذا قط؟ نعم.", ["هل هذا قط؟ ", "نعم."]),
            ("", [""]),
        ],
    )
    def test_sentences(self, text, sentences):
        starts = [0, *sentence_starts(text, 0, len(text)), len(text)]
        assert [text[a:b] for a, b in pairwise(starts)] == sentences


class TestTablesAndListings:
    def test_tables_are_divided_between_rows_and_repeat_their_header_in_markdown(self):
        rows = "".join(f"<tr><td>{number}</td><td>{words(9)}</td></tr>" for number in range(6))
        document = page(f"<table><tr><th>No</th><th>Text</th></tr>{rows}</table>")
        chunks = document.chunks(max_words=30)
        assert [chunk.text.count("\n") + 1 for chunk in chunks] == [3, 3, 1]
        assert [chunk.markdown.split("\n")[0] for chunk in chunks] == ["| No | Text |"] * 3
        assert "\n".join(chunk.text for chunk in chunks) == document.text.strip()
        assert chunks[1].markdown.split("\n")[2] == f"| 2 | {words(9)} |"

    def test_a_row_stays_whole_however_long(self):
        document = page(
            f"<table><tr><td>{words(50)}</td><td>{words(50)}</td></tr><tr><td>a</td><td>b</td></tr></table>"
        )
        assert [chunk.words for chunk in document.chunks(max_words=10)] == [100, 2]

    def test_cells_that_span_rows_stay_in_their_column(self):
        rows = "<tr><td rowspan=3>fish</td><td>a b c</td></tr><tr><td>d e f</td></tr><tr><td>g h i</td></tr>"
        last = page(f"<table><tr><th>x</th><th>y</th></tr>{rows}</table>").chunks(max_words=4)[-1]
        assert last.markdown.splitlines()[-1] == "|  | g h i |"

    def test_tables_and_listings_that_fit_are_not_divided(self):
        table = "<table>" + f"<tr><td>a</td><td>{words(9)}</td></tr>" * 5 + "</table>"
        listing = "<pre>" + "x = 1\n" * 15 + "</pre>"
        chunks = page(paragraph(30), table, paragraph(30), listing).chunks(max_words=60)
        assert [chunk.words for chunk in chunks] == [30, 50, 30, 45]

    def test_listings_are_divided_between_lines(self):
        lines = [f"    line {number} # {words(5)}" for number in range(12)]
        document = page("<pre>for x in y:\n" + "\n".join(lines) + "</pre>")
        chunks = document.chunks(max_words=20)
        assert "\n".join(chunk.text for chunk in chunks) == document.text.strip()
        for chunk in chunks:
            assert chunk.markdown == f"```\n{chunk.text}\n```\n"

    def test_items_keep_their_numbers(self):
        items = "".join(f"<li>{words(10)}</li>" for _ in range(4))
        chunks = page(f"<ol start=5>{items}</ol>").chunks(max_words=20)
        assert [chunk.markdown.split(" ")[0] for chunk in chunks] == ["5.", "7."]
        assert [chunk.text.split(" ")[0] for chunk in chunks] == ["5.", "7."]


class TestOverlap:
    def test_whole_blocks_are_repeated_if_they_fit(self):
        html = [f"<p>{number} {words(9)}.</p>" for number in range(6)]
        chunks = page(*html).chunks(max_words=40, overlap=10)
        assert [chunk.text[0] for chunk in chunks] == ["0", "3"]
        assert chunks[1].text.startswith(chunks[0].text.split("\n\n")[-1])
        assert chunks[1].overlap == len(chunks[0].text.split("\n\n")[-1])

    def test_else_the_last_sentence_or_the_last_words(self):
        html = f"<p>{words(20).capitalize()}. He slept.</p>", paragraph(30)
        assert page(*html).chunks(max_words=40, overlap=5)[1].text.startswith("He slept.\n\n")
        assert page(paragraph(30), paragraph(30)).chunks(max_words=40, overlap=2)[1].text.split("\n")[0] == " ".join(
            f"{words(30)}.".split()[-2:]
        )

    def test_what_is_above_a_heading_is_not_repeated(self):
        html = [f"<h2>Part</h2>{paragraph(60)}" for _ in range(3)]
        assert [chunk.overlap for chunk in page(*html).chunks(max_words=70, overlap=30)] == [0, 0, 0]


class TestFacts:
    def test_where_a_chunk_comes_from(self):
        document = page("<p>Drop&shy;ped</p>", f"<div id=x>{paragraph(30)}<ul><li>One <b>two</b></ul></div>")
        first, second = document.chunks(max_words=31)
        assert (first.url, second.index) == ("https://example.org/p", 1)
        assert second.blocks == (2, 3)
        assert second.xpath == "/html/body/div[1]/ul[1]/li[1]"
        assert document.page.text[slice(*second.span_page)] == "One two"
        assert document.text[slice(*second.span_text)] == second.text == "- One two"
        assert second.labels == tuple(dict.fromkeys(block.label for block in document.blocks[2:]))

    def test_parts_of_a_block_have_their_own_place_on_the_page(self):
        document = page("<p>  Eat   fish. \n Sleep  well. </p>")
        spans = [document.page.text[slice(*chunk.span_page)] for chunk in document.chunks(max_words=2)]
        assert spans == ["Eat   fish.", "Sleep  well."]

    def test_probabilities_are_weighted_by_words(self):
        labels = page("<p>one</p>", "<p>one two three</p>").labels
        scored = replace(labels, probability=np.array([0.2, 0.6]))
        [chunk] = dehusk.Document(dehusk.Status.OK, "", scored).chunks()
        assert (chunk.probability, chunk.min_probability) == (0.5, 0.2)
        [chunk] = dehusk.Document(dehusk.Status.OK, "", replace(labels, probability=np.array([np.nan, 1]))).chunks()
        assert (chunk.probability, chunk.min_probability) == (None, None)

    def test_a_chunk_keeps_its_id_when_other_parts_of_the_page_change(self):
        html = [f"<h2>{name}</h2>{paragraph(60)}" for name in ("Cod", "Eel")]
        before = page(*html).chunks(max_words=70)
        after = page("<script>1</script><h2>New</h2>", paragraph(65), *html).chunks(max_words=70)
        assert [chunk.id for chunk in after[1:]] == [chunk.id for chunk in before]

    def test_equal_texts_and_other_pages_have_other_ids(self):
        html = f"<h2>Cod</h2>{paragraph(60)}" * 2
        ids = [chunk.id for chunk in page(html).chunks(max_words=70)]
        others = [chunk.id for chunk in dehusk.clean(html, method="keep-all").chunks(max_words=70)]
        assert len({*ids, *others}) == 4

    def test_nothing_kept_is_no_chunk(self):
        for data in ("", b"%PDF-1.4", "<p></p>", "<img src=x alt=y>"):
            assert dehusk.clean(data).chunks() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_words": 5, "max_tokens": 5}, "max_words and max_tokens cannot be used together"),
        ({"max_words": 0}, "max_words must be an integer, at least 1, not 0"),
        ({"max_words": True}, "max_words must be an integer, at least 1, not True"),
        ({"max_tokens": "9"}, "max_tokens must be an integer, at least 1, not '9'"),
        ({"max_words": 10, "overlap": -1}, "overlap must be an integer, at least 0, not -1"),
        ({"max_words": 10, "overlap": 6}, "overlap must be at most half of the limit of 10, not 6"),
        ({"tokenizer": len}, "tokenizer counts tokens: it needs max_tokens"),
        ({"max_tokens": 9, "tokenizer": "gpt"}, "tokenizer must be a function from a text to its number of tokens"),
        ({"max_tokens": 9, "tokenizer": str.split}, "tokenizer must return the number of tokens, not list"),
    ],
)
def test_wrong_arguments_are_errors(options, message):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
        page("<p>fish</p>").chunks(**options)


@pytest.mark.parametrize(
    "unit",
    [
        "<p>one two three</p>",
        "<h2>Fish</h2><p>one two three</p>",
        "<li>fish",
        "Fish one two three. ",
        "fish ",
        "fish<br>",
    ],
)
@pytest.mark.parametrize("options", [{"max_words": 50, "overlap": 20}, {"max_tokens": 100, "tokenizer": letters}])
def test_time_is_linear(unit, options):
    def prepare(number):
        document = page("<div>", unit * number, "</div>")
        return lambda: document.chunks(**options)

    assert_linear(prepare, 2_500)


class TestCommandLine:
    def run(self, *arguments):
        return CliRunner().invoke(command, ["clean", *map(str, arguments)])

    def test_each_chunk_is_a_line_whatever_the_number_of_workers(self, tmp_path):
        (tmp_path / "a.html").write_text(f"<title>A</title><h1>A</h1>{paragraph(50)}<h2>B</h2>{paragraph(50)}", "utf-8")
        (tmp_path / "b.html").write_bytes(b"%PDF-1.4")
        arguments = (tmp_path, "--chunks", 60, "--overlap", 5, "--method", "keep-all", "-q")
        one, two = self.run(*arguments), self.run(*arguments, "--workers", 2)
        lines = [json.loads(line) for line in one.stdout.splitlines()]
        assert one.stdout == two.stdout
        document = dehusk.clean((tmp_path / "a.html").read_bytes(), method="keep-all")
        assert [line["text"] for line in lines[:-1]] == texts(document, max_words=60, overlap=5)
        assert lines[0]["page"] == str(tmp_path / "a.html")
        assert (lines[0]["title"], lines[0]["status"]) == ("A", "ok")
        assert (lines[-1]["text"], lines[-1]["status"]) == ("", "not-html")

    def test_one_page_gives_lines_too(self, tmp_path):
        (tmp_path / "a.html").write_text(paragraph(50), "utf-8")
        done = self.run(tmp_path / "a.html", "--chunks", 20, "--method", "keep-all")
        assert [json.loads(line)["words"] for line in done.stdout.splitlines()] == [20, 20, 10]
        self.run(tmp_path / "a.html", "--chunks", 20, "--output-dir", tmp_path / "out")
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.jsonl"]

    @pytest.mark.parametrize(
        "options",
        [
            ["--overlap", 5],
            ["--chunks", 9, "-f", "markdown"],
            ["--chunks", 9, "--explain"],
            ["--chunks", 0],
        ],
    )
    def test_options_that_do_not_fit_are_errors(self, tmp_path, options):
        (tmp_path / "a.html").write_text(paragraph(5), "utf-8")
        done = self.run(tmp_path / "a.html", *options)
        assert done.exit_code == 2
        assert done.stdout == ""


def test_a_part_that_starts_where_the_last_block_ends_is_part_of_it():
    page = b"<math >rg/a'<details >n" + b"\xaa" * 40  # found by fuzz/
    chunks = dehusk.clean(page, method="keep-all").chunks(max_words=20)
    assert all(first < end <= len(dehusk.clean(page).blocks) for first, end in (chunk.blocks for chunk in chunks))
