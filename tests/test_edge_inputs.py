"""Inputs of all kinds that went wrong once: what readers of the code found by running it."""

import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import dehusk
from cpu_time import assert_linear, assert_quick
from dehusk.about.dates.attributes import read_attribute
from dehusk.base.errors import ConfigError, FetchError, InputError, ModelError
from dehusk.blocks import segment
from dehusk.cli import command
from dehusk.cli.output import OutputFolder
from dehusk.counts.model import SiteModel
from dehusk.lab.evaluate.predictions import parse_predictions
from dehusk.many.crawl.plan import CrawlPlan
from dehusk.many.crawl.start_urls import complete_url
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.parquet import read_parquet
from dehusk.read.page_urls import PageUrls
from dehusk.sites.records.amounts import price_in
from dehusk.sites.wisdom.presets import Settings
from dehusk.visible.concealment import concealment_of

LONG = "This is a long paragraph of an article with many words, so that it counts as content of the page. "
TEXT = f"<p>{LONG * 4}"


def markdown(html: str) -> str:
    return dehusk.clean(html, method="keep-all").markdown


# ---------------------------------------------------------------- reading


def test_text_is_utf_8_whatever_says_utf_16() -> None:
    data = f"<title>Té</title><p>{'Café crème à la carte. ' * 20}".encode()
    document = dehusk.clean(data, headers={"Content-Type": "text/html; charset=utf-16"})
    assert document.text.startswith("Café crème")
    assert dehusk.clean(data.decode().encode("utf-16-le"), headers={"Content-Type": "text/html; charset=utf-16le"}).text


@pytest.mark.parametrize("word", ["ID3", "RIFF", "OggS", "BZh", "GIF8"])
def test_a_text_that_starts_with_the_letters_of_a_file_is_text(word: str) -> None:
    assert dehusk.clean(f"{word} tags are metadata of music files. ".encode() * 20).status != "not-html"
    assert dehusk.clean(f"{word}\x03\0\0\0{'a' * 99}".encode()).status == "not-html"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_plain_text_with_any_line_ends(end: str) -> None:
    document = dehusk.clean(f"First paragraph, with words.{end}{end}Second paragraph, with words.{end}")
    assert (document.page.form, document.text.count("\n\n")) == ("text", 1)
    note = "---\ntitle: My Note\nauthor: Ann Smith\n---\n# Head\n\nWords of the text.\n".replace("\n", end)
    assert dehusk.clean(note).metadata.authors == ("Ann Smith",)


def test_an_unclosed_script_is_closed_where_its_own_markup_starts() -> None:
    row = '<div class="item"><p>One and two and three and four and five and six and seven</p></div>\n'
    script = f"<script>\nvar a = 1;\n{row}<p>{'Behind it. ' * 30}"
    page = f"<html><head><title>T</title></head><body>\n{row}{TEXT}\n{script}</body>"
    assert "Behind it." in dehusk.clean(page).page.text


def test_dollars_in_indented_code_of_markdown_are_no_formula() -> None:
    found = dehusk.clean(
        '# Head\n\nUse this line:\n\n    print $foo.$bar . "x";\n\nAnd that is all there is.\n'
    ).markdown
    assert '```\nprint $foo.$bar . "x";\n```' in found


def test_a_sentence_that_ends_with_the_name_of_a_file_is_no_path() -> None:
    assert "path" not in dehusk.clean("The rules for robots are in /robots.txt").message
    assert "path" in dehusk.clean("/a/robots.txt").message


def test_packed_pages_have_their_address(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text('{"id": "a", "url": "https://tea.example/a"}\n')
    for name in ("a.html", "a.html.gz"):
        assert PageUrls().of(str(tmp_path / name)) == "https://tea.example/a"


# ---------------------------------------------------------------- what is kept, and written


@pytest.mark.parametrize(
    ("style", "hides"),
    [
        ("font-size:0;font:16px Arial", False),
        ("font:0/0 a", True),
        ("font:12px a;font-size:0", True),
        ("font:0 a", True),
    ],
)
def test_the_size_that_a_font_sets(style: str, hides: bool) -> None:
    assert (concealment_of(style) is not None) == hides


@pytest.mark.parametrize(
    ("note", "written"),
    [
        ('1.5 million people were counted. <a href="#r1">↩</a>', "[^1]: 1.5 million people were counted."),
        ('1,000 people were counted. <a href="#r1">↩</a>', "[^1]: 1,000 people were counted."),
        ('1. People were counted. <a href="#r1">↩</a>', "[^1]: People were counted."),
        ('<a href="#r1">↑</a> ...as he said.', "[^1]: ...as he said."),
    ],
)
def test_the_start_of_a_footnote_is_whole(note: str, written: str) -> None:
    mark = f'<p>The article has a note<sup><a href="#n1" id="r1">1</a></sup> and goes on for some time.</p>{TEXT}'
    page = f'<title>T</title><article><h1>T</h1>{TEXT}{mark}<ol><li id="n1">{note}</li></ol></article>'
    assert dehusk.clean(page).markdown.endswith(f"{written}\n")


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ('<mfenced open="]" close="["><mi>a</mi><mi>b</mi></mfenced>', r"\left]a,b\right["),
        ('<mfenced open="&lt;" close="&gt;"><mi>a</mi></mfenced>', r"\left\langle a\right\rangle"),
        ("<mtext>a^b ~c</mtext>", r"\text{a\^{}b \~{}c}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>→</mo></mover>", r"\overrightarrow{AB}"),
        ("<mover><mi>α</mi><mo>→</mo></mover>", r"\vec{\alpha}"),
        (
            "<semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding=text/plain>two</annotation></semantics>",
            "x^2",
        ),
    ],
)
def test_formulas_of_mathml(mathml: str, tex: str) -> None:
    assert f"${tex}$" in markdown(f"<p>a <math>{mathml}</math> b")


def test_formulas_beside_each_other_and_with_rows() -> None:
    assert "For $a$ $b$ it" in markdown("<p>For <math><mi>a</mi></math><math><mi>b</mi></math> it holds.")
    rows = r"\begin{aligned} a &amp;= b \\[2pt] c &amp;= d \end{aligned}"
    assert r"b \\[2pt] c &= d \end{aligned}$ holds" in markdown(rf"<p>Then \[{rows}\] holds, and \(x^2\).")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (r'<p><img alt="\alpha=1" src=a.png> is the parameter.', r"$\alpha=1$ is the parameter."),
        (r'<p>The parameter <img alt="\beta=2" src=a.png> is one.', r"The parameter $\beta=2$ is one."),
        (r'<p>See (<img class=tex alt="\beta" src=a.png>) here.', r"See ($\beta$) here."),
    ],
)
def test_images_of_formulas_in_plain_text(html: str, text: str) -> None:
    assert text in dehusk.clean(f"{html}{TEXT}", method="keep-all").text


def test_a_post_keeps_the_number_that_it_starts_with() -> None:
    post = (
        '<li class="comment" id="c{0}"><div class="author"><a href="/u/{0}">User{0} Name</a></div>'
        '<time datetime="2021-05-0{0}">May {0}, 2021</time>'
        '<div class="body"><p>198{0}. That was a year, says user {0}.</div></li>'
    )
    page = f'<ul class="comments">{"".join(post.format(number) for number in range(1, 6))}</ul>'
    posts = dehusk.clean(page, method="keep-all").posts
    assert [found.text[:5] for found in posts] == [f"198{number}." for number in range(1, 6)]


def test_an_image_as_wide_as_no_screen_moves_no_post() -> None:
    image = '<img src="s.gif" width="{}" height="1">'
    post = f'<div class="comment">{image}<a class="author" href="/u/{{}}">User{{}}</a><p>{{}}</div>'
    widths = [10, 20, "9" * 400, 20, 10]
    posts = [post.format(width, index, index, f"This is comment {index}. {LONG}") for index, width in enumerate(widths)]
    page = f'<h1>Thread</h1><div class="comments">{"".join(posts)}</div>'
    assert dehusk.clean(page, method="keep-all").record()["status"] == "ok"


# ---------------------------------------------------------------- metadata


@pytest.mark.parametrize(
    ("given", "authors"),
    [
        ("Robert E Lee", ("Robert E Lee",)), ("Samuel I Newhouse", ("Samuel I Newhouse",)),
        ("Ann Leaf e Bo Cup", ("Ann Leaf", "Bo Cup")), ("Ann Leaf AND Bo Cup", ("Ann Leaf", "Bo Cup")),
    ],
)  # fmt: skip
def test_initials_are_no_conjunctions(given: str, authors: tuple[str, ...]) -> None:
    page = f'<title>T</title><meta name=author content="{given}"><article><h1>T</h1>{TEXT}'
    assert dehusk.clean(page).metadata.authors == authors


@pytest.mark.parametrize(
    ("title", "own"),
    [
        ("Using snake_case names", "Using snake_case names"),
        ("Cats win_ The Site", "Cats win"),
        ("Cats win_The Site", "Cats win"),
    ],
)
def test_an_underscore_in_a_word_parts_no_title(title: str, own: str) -> None:
    page = f"<title>{title}</title><h1>{own}</h1>{TEXT}"
    assert dehusk.clean(page, url="https://thesite.example/x").metadata.title == own


def test_tags_are_in_the_order_of_their_first_mention() -> None:
    page = f'<title>T</title><meta name=keywords content="a1, b2, a1, c3">{TEXT}'
    assert dehusk.clean(page).metadata.tags == ("a1", "b2", "c3")


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("2021-05-01T99:99", "2021-05-01"), ("2021-05-01T10:61:75Z", "2021-05-01"),
        ("2021-05-01T10:00+0200", "2021-05-01T10:00+02:00"), ("2021-05-01T10:00:00Z", "2021-05-01T10:00:00+00:00"),
    ],
)  # fmt: skip
def test_times_that_no_clock_shows(given: str, value: str) -> None:
    assert read_attribute(given) == value


# ---------------------------------------------------------------- time


def test_many_pages_of_one_name_take_linear_time(tmp_path: Path) -> None:
    def name_all(size: int) -> list[str]:
        folder = OutputFolder(tmp_path, ".txt", [])
        return [folder._name("index.html") for _ in range(size)]

    assert name_all(3) == ["index.txt", "index-2.txt", "index-3.txt"]
    assert_linear(lambda size: partial(name_all, size), 2_000)


def test_a_row_of_dots_takes_little_time() -> None:
    page = f"<p>{'This is a long paragraph of text. ' * 100}{'.' * 20_000}"
    assert assert_quick(lambda: dehusk.clean(page, method="keep-all").chunks(max_words=300), 3)


def test_many_lists_below_one_heading_take_linear_time() -> None:
    items = "<ol><li>Some words in an item that is quite long as they go</ol>"

    def prepare(size: int) -> "partial[str]":
        document = dehusk.clean(f"<p>word<sup>1</sup></p><h2>T</h2>{items * size}", method="keep-all")
        return partial(document.render, "markdown")

    assert_linear(prepare, 4_000)


# ---------------------------------------------------------------- files, settings, commands


def test_a_damaged_file_of_parquet_is_a_loss(tmp_path: Path) -> None:
    footer = b"\x18" + b"\xff" * 8 + b"\x7f"
    (tmp_path / "bad.parquet").write_bytes(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    assert len(list(read_parquet(tmp_path / "bad.parquet", ReadOptions(limit=10**6)))) == 1


def test_an_address_that_fails_breaks_no_pool_of_processes() -> None:
    assert pickle.loads(pickle.dumps(FetchError("no", reason="dns"))).reason == "dns"  # noqa: S301 (our own)
    with ProcessPoolExecutor(1) as pool, pytest.raises(InputError):
        pool.submit(dehusk.clean_url, "ftp://127.0.0.1/").result()


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("https://t", "https://t/"), ("https://h?x=1", "https://h/?x=1"), ("http", "https://http/"),
        ("https://exa\tmple.org", "https://example.org/"), ("tea.example/a?b", "https://tea.example/a?b"),
    ],
)  # fmt: skip
def test_addresses_are_completed(typed: str, url: str) -> None:
    assert complete_url(typed) == url


@pytest.mark.parametrize(
    "line",
    [
        '{"page":"a.html","format":"text","status":"ok"}', '{"page":"a.html","format":"text","text":null}',
        "[" * 100_000, f'{{"id":"a","text":"x","ms":{"9" * 400}}}', '{"id":"a","text":"x","ms":NaN}',
        '{"page":"a","format":"text","status":[1]}',
    ],
    ids=["no text", "null", "deep", "huge", "nan", "a list"],
)  # fmt: skip
def test_predictions_that_are_none(line: str) -> None:
    with pytest.raises(InputError, match="line 1"):
        list(parse_predictions(line, "x.jsonl", "x"))


@pytest.mark.parametrize(
    "text",
    [
        '[regexp]\nx = ["a{99999999999}"]', f'[crf]\nfeatures = ["position"]\nc1 = {"9" * 400}',
        '[crf]\nfeatures = ["position"]\n[crf.feature-rows]\n"document.word-count" = [0]',
        '[crf]\nfeatures = ["position"]\n[crf.feature-rows]\n"position" = []',
    ],
    ids=["a huge repetition", "a huge number", "rows of another feature", "no rows"],
)  # fmt: skip
def test_configurations_that_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(ConfigError, match="configuration c: "):
        dehusk.load_config(tmp_path / "c.toml")


def test_names_too_long_for_a_file_name_no_model() -> None:
    with pytest.raises(ModelError):
        dehusk.Site.load("a" * 300)
    with pytest.raises(ModelError):
        dehusk.clean("<p>tea", model="a" * 300)
    with pytest.raises(ConfigError):
        dehusk.load_config("a" * 300)


@pytest.mark.parametrize("options", [{"stop_words": 5}, {"stop_words": [1, 2]}, {"dstm": "no"}])
def test_settings_of_wisdom_of_another_type(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        Settings(**options).check()  # type: ignore[arg-type]


def test_labels_that_are_no_numbers_of_labels() -> None:
    pages = [f"<title>T</title><p>The same line<p>Text {number}" for number in range(3)]
    site, blocks = dehusk.Site().fit(pages), segment(dehusk.parse(pages[0]))
    for labels in ([float("nan")] * len(blocks), ["text"] * len(blocks)):
        with pytest.raises(ValueError, match="labels must be"):
            site.teach(pages[0], labels)  # type: ignore[arg-type]


def test_a_site_keeps_the_counts_that_methods_declare_or_refuses_to_merge(tmp_path: Path) -> None:
    pages = [f"<title>T</title><p>The same line<p>Text {number}" for number in range(3)]
    dehusk.Site().fit(pages).save(tmp_path / "site", complete=True)
    known = SiteModel.load(tmp_path / "site")
    if any(name.startswith("own_") for name in known.arrays()):
        with pytest.raises(InputError, match="counts that a method declares"):
            known.merge(SiteModel.load(tmp_path / "site"))


def test_a_price_of_more_digits_than_money_has() -> None:
    assert price_in(f"${'9' * 25}") is None
    assert price_in("$9.99") is not None


def test_settings_of_a_crawl_are_all_there() -> None:
    record = json.loads(json.dumps(CrawlPlan().record()))
    assert CrawlPlan.from_record(record) == CrawlPlan()
    for changed in ({}, {"hosts": []}, record | {"other": 1}):
        with pytest.raises(TypeError):
            CrawlPlan.from_record(changed)


@pytest.mark.parametrize(("words", "shown"), [(["color"], "colour"), (["sets", "list"], "sets list")])
def test_help_knows_spellings_and_commands_of_commands(words: list[str], shown: str) -> None:
    assert f"{shown} " in CliRunner().invoke(command, ["help", *words]).output.splitlines()[0] + " "


def test_rows_without_values_have_no_length() -> None:
    from dehusk.sites.mining.unit_vectors import SparseRows, unit_rows

    rows = unit_rows(SparseRows(np.array([0.0, 3.0]), np.array([0, 0]), np.array([0, 1, 2]), (2, 1)))
    assert rows.data.tolist() == [1.0]
