"""Declared metadata: from each source, and from damaged sources."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.about.metadata import Metadata, page_title, read_metadata
from dehusk.about.metadata.sources import Sources
from dehusk.cli import command
from dehusk.read import parse


def metadata_of(html: str, url: str | None = None) -> Metadata:
    return read_metadata(parse(html, url))


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def meta(**entries: str) -> str:
    return "".join(f'<meta name="{name.replace("_", ":")}" content="{value}">' for name, value in entries.items())


ARTICLE = {
    "@type": "NewsArticle",
    "headline": "Tea",
    "author": [{"@type": "Person", "name": "Ann Leaf"}, {"name": "Bo Cup"}],
    "datePublished": "2026-05-03T10:00:00Z",
}


def test_all_metadata_of_an_article():
    page = (
        '<html lang="en-GB"><head><title>Tea | Site</title><link rel=canonical href="/tea">'
        f"{ld(ARTICLE)}</head><body><p>text</body>"
    )
    metadata = metadata_of(page, "https://example.org/x")
    assert metadata == Metadata(
        title="Tea",
        authors=("Ann Leaf", "Bo Cup"),
        date="2026-05-03",
        language="en-GB",
        site_name="Site",
        canonical="https://example.org/tea",
        url="https://example.org/x",
        guessed=("site_name",),
    )
    record = metadata.record()
    assert list(record)[:6] == ["title", "author", "date", "language", "canonical", "authors"]
    assert (record["author"], record["authors"]) == ("Ann Leaf; Bo Cup", ["Ann Leaf", "Bo Cup"])


def test_a_page_without_metadata():
    assert metadata_of("<p>text") == Metadata()


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (f"<title>A</title>{meta(og_title='B')}", "B"),
        ("<title>A</title>" + ld({"@type": "Article", "headline": " C \n D "}), "C D"),
        (f"<title>The Leaf | Tea time</title>{meta(twitter_title='Tea time')}<h1>Tea time</h1>", "Tea time"),
        ("<title> A \n b </title>", "A b"),
        ("<title> | The Leaf</title><h1>Tea time</h1>", "Tea time"),
        (f"<title>A</title>{meta(og_title='B' * 301)}", "A"),
    ],
)
def test_titles(html, title):
    assert metadata_of(html).title == title


@pytest.mark.parametrize(
    ("html", "author"),
    [
        (ld({"@type": "BlogPosting", "author": "By Ann Leaf"}), "Ann Leaf"),
        (ld({"@type": "BlogPosting", "author": "Edited by Ann Leaf"}), "Ann Leaf"),
        (ld({"@type": ["Thing", "Recipe"], "creator": {"name": ["Ann"]}}), "Ann"),
        (ld({"@graph": [{"@type": "Article", "author": {"@id": "#a"}}, {"@id": "#a", "name": "Ann"}]}), "Ann"),
        (ld({"@type": "QAPage", "mainEntity": {"@type": "Question", "author": {"name": "Ann"}}}), "Ann"),
        (ld({"@type": "Article", "comment": [{"@type": "BlogPosting", "author": "Troll"}]}), None),
        (ld({"@type": "Person", "author": "Somebody"}), None),
        (ld([{"@type": "Article"}, {"@type": "Article", "author": [3, {"name": {}}, "Ann", "ANN"]}]), "Ann"),
        (ld({"@type": "Article", "author": "https://example.org/ann"}) + meta(author="Bo"), "Bo"),
        (meta(author="Ann") + ld(ARTICLE), "Ann Leaf; Bo Cup"),
        (meta(article_author="https://facebook.com/ann", author="by: Ann"), "Ann"),
        (meta(author="12"), None),
        (meta(author="Byron"), "Byron"),
        (meta(author="x" * 301), None),
        ('<p><span itemprop="author"><b itemprop="name">Ann</b>, writer</span>', "Ann"),
        ('<p><meta itemprop="author" content="Ann"><a rel="author">Bo</a>', "Ann"),
        ('<p><a rel="nofollow author">Ann\nLeaf</a>', "Ann Leaf"),
        ('<script type="application/LD+JSON">{"@type": "Article", "author": "Ann\nLeaf"}</script>', "Ann Leaf"),
        (ld(ARTICLE).replace("}]", "},]"), "Ann Leaf; Bo Cup"),
        (ld(ARTICLE).replace('"Tea"', "Tea") + ld({"@type": "Article", "author": "Ann"}), "Ann Leaf"),
    ],
)  # fmt: skip
def test_authors(html, author):
    assert metadata_of(html).author == author


@pytest.mark.parametrize(
    ("html", "date"),
    [
        (ld(ARTICLE), "2026-05-03"),
        (meta(article_published__time="2026-05-03").replace("::", "_"), "2026-05-03"),
        ('<time datetime="2026-05-03T23:59:00+02:00">then</time>', "2026-05-03"),
        ('<link rel=canonical href="https://example.org/2016/05/03/tea">', "2016-05-03"),
        ("<p>Written in May 2026</p>", None),
        (ld({"@type": "Article", "datePublished": "soon"}), None),
        (ld({"@type": "Article", "datePublished": "2026-13-45"}), None),
        (ld({"@type": "Article", "datePublished": "2098-01-02"}), "2098-01-02"),
    ],
)
def test_dates_come_from_declared_metadata(html, date):
    assert metadata_of(html + "<p>text").date == date


@pytest.mark.parametrize("text", ["Arrived from Hamburg 13 June 1940.", "SIAM Journal, vol. 4, November, 1994."])
def test_a_date_in_running_text_that_is_not_that_of_a_page_is_not_guessed(text: str) -> None:
    page = f"<h1>Norwegian ships in Sweden</h1><p>{text}<p>{'Some words on ships. ' * 20}"
    assert dehusk.clean(page).metadata.date is None
    assert dehusk.clean(page.replace(text, "Last changed 18 January 1995.")).metadata.date == "1995-01-18"


def test_a_date_does_not_depend_on_today():
    """Two-digit years would: 31/12/40 is in the past one day."""
    values = ["3.5.2026", "2098-01-02", "3.5.26", "31/12/40", "3 May 26"]
    found = [metadata_of(f"<time datetime='{value}'>x</time><p>text").date for value in values]
    assert found == ["2026-05-03", "2098-01-02", None, None, None]


@pytest.mark.parametrize("value", ["2024-13-45", "2023-02-29", "0001-01-01", "9999-12-31", "0000-00-00", "12024-01-01"])
def test_dates_that_cannot_be_are_not_dates(value):
    assert metadata_of(ld({"@type": "Article", "datePublished": value}) + f"<time>{value}</time>").date is None


@pytest.mark.parametrize(
    ("html", "url", "canonical"),
    [
        ("<link rel=canonical href='//b.org/x'>", "https://a.org/", "https://b.org/x"),
        ("<base href='/in/'><link rel=canonical href='x'>", "https://a.org/", "https://a.org/in/x"),
        ("<link rel=canonical href='/x'>", None, "/x"),
        ("<link rel=canonical href='/x'>" + meta(og_url="https://a.org/x"), None, "https://a.org/x"),
        ("<link rel=canonical href='//a.org/x'>", None, "https://a.org/x"),
        (meta(og_url="https://a.org/y"), None, "https://a.org/y"),
        ("<link rel=canonical href='javascript:alert(1)'>" + meta(og_url="https://a.org/y"), None, "https://a.org/y"),
        ("<link rel=canonical href='http://[broken'>" + meta(og_url=" "), "https://a.org/", None),
        ("<link rel=canonical href=''>", "https://a.org/", None),
    ],
)
def test_canonical_addresses(html, url, canonical):
    assert metadata_of(html, url).canonical == canonical


@pytest.mark.parametrize(("html", "language"), [("<html lang=de>", "de"), (meta(og_locale="en_US"), "en_US")])
def test_languages(html, language):
    assert metadata_of(html).language == language


HOSTILE = [
    '<script type="application/ld+json">' + "[" * 200_000 + "</script>",
    ld([{"@type": "Article", "author": {"name": [[]]}, "@id": {}}] * 20_000),
    '<script type="application/ld+json">{"@type": "Article", "author": "\\ud800"}</script>',
    '<script type="application/ld+json">' + "1" * 10_000 + "</script>",
    '<script type="application/ld+json">{"a": NaN}</script>' * 200,
    "<p itemprop=author>" * 2_000,
    "<meta name=date content='99999999999'>" * 1000,
    ld({"@type": [None, 3, "Article"], "author": {"@id": ["x"]}, "headline": {"@value": "x"}}),
]


@pytest.mark.parametrize("page", HOSTILE)
def test_hostile_pages_are_read_in_bounded_time(page):
    metadata = metadata_of(page + "<p>text")
    json.dumps(metadata.record(), ensure_ascii=False).encode("utf-8")
    assert metadata.date is None


def test_json_beyond_the_limit_is_not_read():
    many = ld({"@type": "Thing"}) * 50
    assert metadata_of(ld({"@type": "Article", "author": "Ann"}) + many).author == "Ann"
    assert metadata_of(many + ld({"@type": "Article", "author": "Ann"})).author is None
    assert metadata_of(ld({"@type": "Article", "author": "Ann", "articleBody": "x" * 500_001})).author is None


KEYS = ["@type", "@id", "@graph", "author", "name", "headline", "datePublished"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just("2026-05-03"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=12,
)


@given(VALUES)
def test_any_json_is_read_without_an_error(value):
    metadata = metadata_of(ld(value).replace("</", "<\\/", json.dumps(value).count("</")) + "<p>text")
    record = metadata.record()
    texts = [*record.pop("authors"), *record.pop("tags"), *record.pop("guessed")]
    assert all(isinstance(text, str) and text for text in texts)
    assert all(fact is None or isinstance(fact, str) for fact in record.values())


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", "\ud800", b"<meta name=author"])
def test_data_that_is_not_a_page_has_no_metadata(data):
    assert dehusk.clean(data, method="keep-all").metadata == Metadata()


def test_a_document_reads_its_metadata_on_first_access(monkeypatch):
    def refuse(_):
        raise AssertionError("nobody asked")

    with monkeypatch.context() as patched:
        patched.setattr(sys.modules["dehusk.about.metadata"], "read_metadata", refuse)
        document = dehusk.clean(ld(ARTICLE) + "<p>text", method="keep-all")
        assert document.text == "text\n"
    assert document.metadata.author == "Ann Leaf; Bo Cup"
    document.page.release()
    assert read_metadata(document.page) == document.metadata


def test_records_contain_the_metadata(tmp_path: Path):
    (tmp_path / "a.html").write_text(ld(ARTICLE) + "<title>T</title><p>text")
    (tmp_path / "b.html").write_text("<p>text")
    for arguments in (["-f", "json"], []):
        done = CliRunner().invoke(command, ["clean", "--method", "keep-all", *arguments, str(tmp_path)])
        first, second = map(json.loads, done.stdout.splitlines())
        assert {"title", "author", "date", "language", "canonical"} < first.keys()
        assert (first["title"], first["title_element"]) == ("Tea", "T")
        assert (first["author"], first["date"]) == ("Ann Leaf; Bo Cup", "2026-05-03")
        assert (second["author"], second["date"], second["canonical"]) == (None, None, None)
    done = CliRunner().invoke(
        command, ["clean", "--method", "keep-all", "--output-dir", str(tmp_path / "out"), str(tmp_path)]
    )
    assert done.exit_code == 0


OTHER_PARTS = """
    <body class="nav"><footer><h1>Contact</h1></footer><div class="entry-title">Green tea</div>
    <div id="comments"><p>First<b itemprop="headline">No</b></div><div class="x\nmenu"><i>Home</i></div>
    <aside><span>More</span></aside><p hidden>Hidden <b>text</b></p><p class="combat">Text of the page.</p>
"""


def test_a_single_node_is_elsewhere_as_in_the_mask_of_all_nodes():
    sources = Sources(parse(OTHER_PARTS))
    single = [sources.lies_elsewhere(node) for node in range(len(sources.page))]
    assert single == sources.is_elsewhere.tolist()
    assert 0 < sum(single) < len(single) - 2


def test_the_title_alone_needs_no_other_metadata(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dehusk.about.metadata.reading.read_authors", None)
    monkeypatch.setattr("dehusk.about.metadata.reading.detect_language", None)
    page = parse(f"{ld(ARTICLE)}<title>Tea | The Post</title><h1>Tea</h1>")
    assert page_title(page) == "Tea"


def test_a_script_with_a_headline_is_not_linked_data():
    assert page_title(parse('<script itemprop="headline">{"headline": "No"}</script><title>Tea</title>')) == "Tea"


LOGO = '<h1><a href="/">Leaf Weekly</a></h1>'


@pytest.mark.parametrize(
    ("html", "title", "site"),
    [
        (
            f"<title>The last cup? - 1/21/2008 - Leaf Weekly</title>{LOGO}<h2>The last cup?</h2>",
            "The last cup?",
            "Leaf Weekly",
        ),
        (
            f"<title>Leaf Weekly: How tea is picked</title>{LOGO}<h3>How tea is picked</h3>",
            "How tea is picked",
            "Leaf Weekly",
        ),
        (LOGO, "Leaf Weekly", None),
        ("<title>&lt;table&gt;: The Table element</title>", "<table>: The Table element", None),
        ("<title>&raquo; Less tea :weekly</title><h1><a href='/'>weekly</a></h1>", "Less tea", "weekly"),
        ("<title>The Leaf blend ¶</title><h1>The Leaf blend<a href='#b'>¶</a></h1>", "The Leaf blend", None),
        (
            f"<title>Red pot | Free delivery</title>{meta(og_title='Online shop Leaf.example')}<h1>Red pot</h1>",
            "Red pot",
            None,
        ),
        (f"<title>Red pot - LEEDS, Jan. 11, 2012 /Leafwire/ --</title>{meta(og_title='Red pot')}", "Red pot", None),
        ("<title>善用茶　迎新-茶新聞</title><h1>善用茶　迎新</h1><p>茶新聞", "善用茶 迎新", "茶新聞"),
    ],
)
def test_a_title_is_not_that_of_the_site(html: str, title: str, site: str | None) -> None:
    metadata = metadata_of(html)
    assert metadata.title == title
    assert site is None or metadata.site_name == site
    assert metadata.site_name != title


def test_a_heading_with_a_link_to_another_site_is_no_logo() -> None:
    metadata = metadata_of(
        "<title>We pick leaves with Leaf | News</title><h1>We pick leaves with <a href=https://leaf.example/>Leaf</a></h1>"
    )
    assert metadata.title == "We pick leaves with Leaf"
    start = "<title>Leafs</title><h1><a href=/>Leafs</a></h1><h1>We pick</h1>"
    assert metadata_of(start).title == "Leafs"
    assert metadata_of("<title>Less tea - Leafs</title><h1><a href=//leaf.example>Leafs</a></h1>").title == "Less tea"


def test_initials_of_a_host_leave_small_words_out() -> None:
    page = "<title>Electric kettles | Office of Safety and Tea</title><p>Office of Safety and Tea"
    metadata = metadata_of(page, "https://www.ost.example/kettles")
    assert (metadata.title, metadata.site_name) == ("Electric kettles", "Office of Safety and Tea")


@pytest.mark.parametrize(
    "byline",
    [
        "<span class=author>Contributing Writer</span>",
        "<span class=author>View Profile</span>",
        "<a rel=author href=/a>Full Bio</a>",
        "<th class=author>Author Discussion",
        "<li>By making maps, self-empty<b> </b>kettles boil better",
        "<li>Filled with cups by pouring sausage, garlic, and pecans",
        "<div class=author>Ann Leaf Ann Leaf Picker</div>",
        "<div class=author-registered>Joined: <span>Apr 2002</span></div>",
        "<div class=author>Jeff Foust Monday</div>",
        "<p class=author>Modérateur » Lun</p>",
    ],
)
def test_words_beside_names_are_no_authors(byline: str) -> None:
    assert metadata_of(f"<title>Tea time</title><h1>Tea time</h1>{byline}<p>text").authors == ()


def test_what_stands_after_an_author_is_not_the_name() -> None:
    assert metadata_of("<h1>Tea</h1><div class=author>Ann Leaf Anmeldungsdatum: 2009</div>").authors == ("Ann Leaf",)
    assert metadata_of("<h1>Tea</h1><div class=author>Author Trish Leaf</div>").authors == ("Trish Leaf",)


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Ann Leaf</p><p>Co-founder and Chief Brewer</p>",
        "<div>By</div><div>Ann Leaf</div>",
        "<img src=a.jpg alt='A headshot of Ann Leaf'><p>Ann Leaf</p><p>Head of Tea</p>",
        "<p><b>Ann Leaf</b> <span>Founder</span></p>",
        "<p><b>Ann</b> <b>Leaf</b></p><ul><li>Tea Reporter</li></ul>",
    ],
)
def test_the_lines_after_a_name_are_not_of_it(byline: str) -> None:
    page = f"<h1>Brewing notes</h1><div class=author-box>{byline}</div>{20 * '<p>Heat the water first.</p>'}"
    assert metadata_of(page).authors == ("Ann Leaf",)


def test_an_address_is_an_author_only_if_nobody_else_is() -> None:
    both = ld({"@type": "Article", "author": ["leafshop.com", "Ann Leaf"]})
    assert metadata_of(both).authors == ("Ann Leaf",)
    assert metadata_of(ld({"@type": "Article", "author": "leafshop.com"})).authors == ("leafshop.com",)
