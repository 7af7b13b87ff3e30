"""Metadata: titles without the site's name, bylines, dates in text, languages, licences, and pages made to hurt."""

import json
from types import SimpleNamespace

import pytest

import dehusk
from cpu_time import assert_quick
from dehusk.about.metadata import DetectedLanguage, Metadata, detect_language, read_metadata
from dehusk.read import Limits, parse

LEAVES = "<title>Leaves</title><meta property=og:title content=Leaves><h1>Green tea</h1>"
TEXT = "The kettle is on, and the leaves wait in the pot until the water has cooled down a little."


def metadata_of(html: str, url: str | None = None) -> Metadata:
    return read_metadata(parse(html, url))


def ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    ("html", "url", "title", "site_name"),
    [
        ("<title>Green tea | Leaves</title><meta property=og:site_name content=Leaves>", None, "Green tea", "Leaves"),
        ("<title>Green tea - The Leaves</title>", "https://www.leaves.co.uk/x", "Green tea", "The Leaves"),
        ("<title>Green tea – Brewing – Leaves</title><h2>Green tea</h2>", None, "Green tea", "Leaves"),
        ("<title>Leaves: Green tea</title><h1>Leaves</h1><h3>Green tea</h3>", None, "Green tea", "Leaves"),
        ("<title>Green tea: a story</title><h1>Green tea: a story</h1>", None, "Green tea: a story", None),
        ("<title>Green tea - a story</title><h1>Green tea - a story</h1>", None, "Green tea - a story", None),
        (LEAVES, "https://leaves.org/", "Green tea", "Leaves"),
        ("<title>Green tea, brewed</title><h1>Our shop</h1>", None, "Green tea, brewed", None),
        ("<title>Untitled Document</title><h1>Green tea</h1>", None, "Green tea", None),
        ("<p class=entry-title>Green tea</p><p>text", None, "Green tea", None),
        ("<title>绿茶-茶叶网</title><h1>绿茶</h1>", None, "绿茶", "茶叶网"),
        (ld({"@type": "Article", "headline": "R&uuml;ckbau &#8217;gut&#8217;"}), None, "Rückbau ’gut’", None),
        ("<p>text", "https://news.leaves.co.uk/x", None, "leaves.co.uk"),
        ("<meta name=application-name content='© 2012 Leaves. All rights reserved'>", None, None, "Leaves"),
    ],
)  # fmt: skip
def test_titles_and_names_of_sites(html, url, title, site_name):
    metadata = metadata_of(html, url)
    assert (metadata.title, metadata.site_name) == (title, site_name)


def test_guesses_are_named():
    page = "<p class=entry-title>Green tea</p><p>By Ann Leaf</p><p>Posted on 3 May 2026</p>"
    metadata = metadata_of(page, "https://leaves.org/")
    assert metadata.authors == ("Ann Leaf",)
    assert metadata.guessed == ("title", "authors", "date", "site_name")
    assert metadata_of("<title>Green tea</title><time>3 May 2026</time><a rel=author>Ann Leaf</a>").guessed == ()


@pytest.mark.parametrize(
    ("byline", "authors"),
    [
        ("<p>By Ann Leaf and Bo Cup, staff writers</p>", ("Ann Leaf", "Bo Cup")),
        ("<p>by <a>Ann Leaf</a> on August 10, 2010</p>", ("Ann Leaf",)),
        ("<p>Published: Aug 21, 2023 by Ann Leaf · Updated</p>", ("Ann Leaf",)),
        ("<p>Von Ann Leaf | 3. Mai 2026</p>", ("Ann Leaf",)),
        ("<div class=byline><a>Ann Leaf</a> on 8 May 2012, 10:08 AM</div>", ("Ann Leaf",)),
        ("<div class=author-name>About Ann Leaf</div>", ("Ann Leaf",)),
        ("<p>By NEWS INC STAFF</p>", ("NEWS INC STAFF",)),
        ("<p>by sayan</p>", ("sayan",)),
        ("<p>By RobMan, July 25, 2007</p>", ("RobMan",)),
        ("<p>By December</p>", ()),
        ("<div><p>By <em>Ann</em> and <b>Bob</b></p><p>3 May 2026</p></div>", ("Ann", "Bob")),
        ("<p>作者：</p><p class=author>王小明</p>", ("王小明",)),
        ("<div class=comment><p class=author>Troll Dweller</p></div>", ()),
        ("<p>Brewed by the pot. By May, tea is cheap.</p>", ()),
        ("<div class=author>Follow us on Twitter</div>", ()),
        ("<p>by admin</p>", ()),
        ("<p>by No Author</p>", ()),
        ("<h3>Textbook</h3><p><i>Problems of tea</i> by Ann Leaf</p>", ()),
        ("<p>Cups are passed by <em>value</em></p>", ()),
        ("<p>Posted <b>by Ann Leaf</b></p>", ("Ann Leaf",)),
        ("<p>Place of tea<br>by Ann Leaf</p>", ("Ann Leaf",)),
        ("<div><p>By Ann Leaf</p><br><p>Tea editor, Leaf website</p></div>", ("Ann Leaf",)),
        (f"<div class=byline>By{300 * ' '}Ann Leaf{300 * ' '}/ LEAF DAILY NEWS</div>", ("Ann Leaf",)),
        ("<span class=post-author>Posted by Samuel at 9:00 AM</span>", ("Samuel",)),
        ("<ul><li>By Industry</li><li>By Solution</li></ul><p>By Ann Leaf</p>", ("Ann Leaf",)),
        ("<p>2026年5月3日 来源：茶叶网 作者：王明 责任编辑：李华</p>", ("王明",)),
        (f"<p>{1_100 * '茶'}</p><h3>好书</h3><p class=author>作者：王明</p>", ()),
        ("<footer class=byline>Ann Leaf</footer>", ("Ann Leaf",)),
        ("<aside class=post-meta><a rel=author>Ann Leaf</a></aside>", ("Ann Leaf",)),
        ("<p class=byline>Posted by Ann Leaf, Product Manager, Tea Maps</p>", ("Ann Leaf",)),
        ("<p>By OUR SPECIAL CORRESPONDENT</p>", ()),
        ("<table><tr><th class=reporter>Reporter of Decisions</table>", ()),
    ],
)
def test_bylines(byline, authors):
    assert metadata_of(f"<h1>Green tea</h1>{byline}<p>{TEXT}</p>").authors == authors


@pytest.mark.parametrize(
    ("author", "authors"),
    [
        ("Ann Leaf, CPP, PSP", ("Ann Leaf",)),
        ("Dr. Ann Leaf, PhD, RD and Bo Cup RN BSN", ("Dr. Ann Leaf", "Bo Cup")),
        ("Ann Leaf, CEPF®; Bo Cup, Sr. Director of Tea", ("Ann Leaf", "Bo Cup")),
        ("Jean DUPONT", ("Jean DUPONT",)),
        ("Ann Leaf ⋅ Founder", ("Ann Leaf",)),
        ("Ann Leaf, from The Tea Garden", ("Ann Leaf",)),
        ("The Team", ()),
        ("MALCOLM RITTER AP Science Writer", ("MALCOLM RITTER",)),
        ("NBC News' Ann Leaf", ("Ann Leaf",)),
        ("Ann Leaf Associate News Editor", ("Ann Leaf",)),
        ("Reporter Ann Leaf", ("Ann Leaf",)),
        ("Ann Leaf for TNN", ("Ann Leaf",)),
        ("Center for Tea", ("Center for Tea",)),
        ("Ann (The Tea Garden)", ("Ann",)),
        ("Ann Leaf (ann@leaf.example)", ("Ann Leaf",)),
        ("Leaf Press; 1 Tea Street; Tel: 0123 456", ("Leaf Press",)),
        ("Page published at 2012-01-12 by system 4.0", ()),
        ("View all posts by Ann Leaf →", ("Ann Leaf",)),
        ("Leaf, Ann", ("Leaf, Ann",)),
        ("Ann Leaf; Bo Cup; ann leaf", ("Ann Leaf", "Bo Cup")),
        ("ann@example.org", ()),
        ("No Author", ()),
        ("N/A", ()),
        ("匿名用户", ()),
        ("集艺术瑰宝，架艺术桥梁——茶叶网", ()),
    ],
)
def test_declared_authors(author, authors):
    assert metadata_of(f'<meta name="author" content="{author}">').authors == authors


@pytest.mark.parametrize(
    "page",
    [
        "<div itemprop=review itemscope><meta itemprop=author content='Bo Cup'>Good leaves</div>",
        "<div itemprop=comment itemscope><b itemprop=author>Bo Cup</b> Good leaves</div>",
        "<div class=sidebar><a rel=author href=/bo>Bo Cup</a></div>",
        "<aside><a rel=author href=/bo>Bo Cup</a></aside>",
        "<p class=author>This article was written by</p>",
    ],
)
def test_who_speaks_beside_the_page_is_not_its_author(page):
    assert metadata_of(f"<h1>Green tea</h1><p>{TEXT}</p>{page}").authors == ()


def test_the_first_author_link_of_the_page_itself_counts():
    beside = "<aside><a rel=author href=/bo>Bo Cup</a></aside>"
    assert metadata_of(f"{beside}<h1>Green tea</h1><a rel=author>Ann Leaf</a><p>{TEXT}").authors == ("Ann Leaf",)


def test_a_declared_name_that_says_nothing_is_not_the_sites():
    page = "<title>Green tea | Leaves</title><meta property=og:site_name content=Homepage>"
    assert metadata_of(page, "https://leaves.org/x").site_name == "Leaves"


def test_a_site_is_the_author_only_if_no_person_is():
    page = "<meta name=author content=Leaves><meta property=og:site_name content=Leaves><h1>Green tea</h1>"
    assert metadata_of(page + f"<p>{TEXT}</p>").authors == ("Leaves",)
    assert metadata_of(page + f"<p>By Ann Leaf</p><p>{TEXT}</p>").authors == ("Ann Leaf",)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("3 May 2026", "2026-05-03"),
        ("May 3rd, 2026", "2026-05-03"),
        ("3. März 2026", "2026-03-03"),
        ("3 maja 2026", "2026-05-03"),
        ("3 мая 2026 г.", "2026-05-03"),
        ("3 Μαΐου 2026", "2026-05-03"),
        ("3 de mayo de 2026", "2026-05-03"),
        ("2026年5月3日", "2026-05-03"),
        ("2026년 5월 3일", "2026-05-03"),
        ("Fri Apr 28 19:20:36 CEST 2023", "2023-04-28"),
        ("Fri, 28 Apr 2023 10:00:00 GMT", "2023-04-28"),
        ("20230428", "2023-04-28"),
        ("2023-04-28T23:59:59-11:00", "2023-04-28"),
        ("13/04/2026", "2026-04-13"),
        ("04/13/2026", "2026-04-13"),
        ("3.4.2026", "2026-04-03"),
        ("31 February 2026", None),
        ("3 Tea 2026", None),
        ("call 555-2026", None),
    ],
)
def test_dates_in_many_languages(text, date):
    assert metadata_of(f'<meta name="date" content="{text}">').date == date


@pytest.mark.parametrize(("language", "date"), [("en-US", "2026-03-04"), ("en-GB", "2026-04-03"), ("fr", "2026-04-03")])
def test_the_month_is_first_in_american_english(language, date):
    assert metadata_of(f"<html lang={language}><meta name=date content=3/4/2026>").date == date


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("hr", "11. listopada 2021.", "2021-10-11"),
        ("pl", "11 listopada 2021", "2021-11-11"),
        ("en", "11 listopada 2021", None),
        ("cs", "3. června 2020", "2020-06-03"),
        ("hu", "2023. május 5.", "2023-05-05"),
        ("fa", "۵ مه ۲۰۲۱", "2021-05-05"),
    ],
)
def test_months_are_named_in_the_language_of_the_page(language, text, date):
    assert metadata_of(f"<html lang={language}><h1>Tea</h1><p class=date>{text}</p><p>{TEXT}").date == date


def test_months_of_a_page_that_declares_no_language_are_named_in_the_one_it_is_written_in():
    text = "Zielona herbata gorzknieje z dwóch powodów: woda była zbyt gorąca albo liście parzyły się zbyt długo. "
    assert metadata_of(f"<h1>Herbata</h1><p class=date>11 listopada 2021</p><p>{3 * text}").date == "2021-11-11"
    assert metadata_of(f"<meta name=date content=3/4/2026><p>{3 * text}").date == "2026-04-03"
    assert metadata_of("<meta name=date content=3/4/2026><p>" + TEXT).date is None


def test_a_name_that_begins_like_a_month_is_a_name():
    assert metadata_of(f"<h1>Tea</h1><p class=byline>By Junipersage on 2020.03.12</p><p>{TEXT}").authors == (
        "Junipersage",
    )


def test_modified_tags_licence_image_and_description():
    page = (
        ld({"@type": "Article", "dateModified": "2026-05-04", "keywords": ["Tea", "tea"], "license": {"@id": "/cc"}})
        + "<meta name=keywords content='cups, Pots'><meta name=description content='On  tea.'>"
        "<meta property=og:image content='i.png'>"
    )
    metadata = metadata_of(page, "https://example.org/a/b")
    assert (metadata.modified, metadata.tags) == ("2026-05-04", ("Tea", "cups", "Pots"))
    assert (metadata.license, metadata.image) == ("https://example.org/cc", "https://example.org/a/i.png")
    assert metadata.description == "On tea."


def test_languages_are_detected_and_not_mixed_with_declared_ones():
    german = "Der Kessel steht auf dem Herd, und die Blätter warten, bis das Wasser ein wenig abgekühlt ist."
    labels = dehusk.clean(f"<html lang=fr><p>{german}</p>", method="keep-all").labels
    metadata = read_metadata(labels.blocks.page, labels)
    assert (metadata.language, metadata.page_language.code, metadata.text_language.code) == ("fr", "de", "de")
    assert 0.5 <= metadata.page_language.probability <= 1
    assert read_metadata(labels.blocks.page).text_language is None


@pytest.mark.parametrize("text", ["", "Tee", "hello", "123 456 789 " * 20, "今日は", "\ud800" * 100])
def test_short_texts_and_texts_without_words_have_no_language(text):
    assert detect_language(text) is None


def test_lists_in_english_are_not_nigerian_pidgin():
    assert detect_language("Dec Nov Oct Sep Aug Jul Jun May Apr Mar Feb Jan Status Meeting Agenda Hearing Room") is None
    pidgin = detect_language("W dey come una no sabi wetin dey happen for Lagos today")
    assert pidgin is not None
    assert pidgin.code == "pcm"


def test_written_chinese_is_not_cantonese() -> None:
    written = "警方今日暫控一名三十八歲男子一項謀殺罪，案件明日在法院提堂，並要求市民提供資料。"
    spoken = "佢哋話今日唔使返工，喺屋企飲咗好多茶，啲茶都幾好飲嘅，聽日再嚟過。"
    found = [detect_language(written), detect_language(spoken)]
    assert [each and each.code for each in found] == ["zh", "yue"]
    assert found[0]
    assert found[0].probability > 0.8


def test_lists_of_numbers_have_no_language(monkeypatch: pytest.MonkeyPatch) -> None:
    sure = SimpleNamespace(classify=lambda _: ("zxx", 1.0))
    monkeypatch.setattr("dehusk.about.metadata.languages._identifier", lambda: sure)
    assert detect_language("three pack ladies tops and a red dress of cotton and silk") is None


def test_the_language_of_a_long_text_costs_no_more_than_that_of_a_page():
    assert isinstance(detect_language(TEXT), DetectedLanguage)  # loads the model
    text = f"{TEXT} " * 20_000
    assert isinstance(assert_quick(lambda: detect_language(text), 0.1), DetectedLanguage)


def test_damaged_json_is_read_where_it_can_be():
    broken = (
        '{"@type": "NewsArticle", "headline": "Tea", "datePublished": "2026-05-03", "author": {"name": "Ann Leaf"} oops'
    )
    metadata = metadata_of(f'<script type="application/ld+json">{broken}</script>')
    assert (metadata.title, metadata.date, metadata.authors) == ("Tea", "2026-05-03", ("Ann Leaf",))
    fenced = f"// <![CDATA[\n{json.dumps({'@type': 'Article', 'headline': 'Tea'})}\n// ]]>"
    assert metadata_of(f'<script type="application/ld+json">{fenced}</script>').title == "Tea"


SCRIPT = '<script type="application/ld+json">{}</script>'
HUGE = {
    "arrays 10,000 deep": SCRIPT.format("[" * 10_000 + "]" * 10_000),
    "objects 10,000 deep": SCRIPT.format('{"a":' * 10_000 + "1" + "}" * 10_000),
    "JSON of 20 MB": SCRIPT.format('{"@type":"Article","author":"Ann","text":"' + "x" * 20_000_000 + '"}'),
    "unclosed JSON": SCRIPT.format('"author" : [ { ' * 30_000),
    "many works without authors": ld([{"@type": "Article", "author": [{"@id": f"#{k}"}] * 9} for k in range(2_000)]),
    "a title of 1 MB": "<title>" + "x " * 500_000 + "</title><h1>" + "y " * 500_000 + "</h1>",
    "a title of many parts": "<title>" + " | ".join(["abcdef"] * 30) + "</title>" + "<p>abcdef</p>" * 20_000,
    "nested microdata": "<div itemprop='author headline keywords'>x" * 5_000 + "y" * 1_000_000,
    "many bylines": "<h1>t</h1>" + "<p>By</p>" * 20_000,
    "many classes": "".join(f"<p class='author-{k} date-{k}'>{k} May</p>" for k in range(20_000)),
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_sources_cost_little(name):
    page = parse(HUGE[name] + f"<p>{TEXT}</p>", limits=Limits(seconds=60))
    metadata = assert_quick(lambda: read_metadata(page), 5)
    assert len(json.dumps(metadata.record())) < 10_000
    assert (metadata.authors, metadata.date) == ((), None)


def rows(count: int, date: str) -> str:
    """Return a list of teasers with dates."""
    return "".join(
        f"<li><a href=/{n}>Leaves of garden {n}</a> <span>{date.format(n)}</span>" for n in range(1, count + 1)
    )


def test_no_date_is_guessed_from_the_rows_of_a_list() -> None:
    heading = "<title>All teas of the year</title><h1>All teas of the year</h1>"
    dates = ("<time>2026-05-0{}</time>", "May {}, 2026")
    for date in dates:
        assert dates_of(f"{heading}<ul>{rows(6, date)}</ul>") is None
    assert dates_of(f"{heading}<ul>{rows(6, dates[1])}</ul><p>Written on June 3, 2026") == "2026-06-03"
    assert dates_of(f"{heading}<ul>{rows(2, dates[0])}</ul>") == "2026-05-01"
    posts = "".join(f"<li><b>Ann{n}</b> May {n}, 2026 <p>I like it." for n in range(1, 7))
    assert dates_of(f"{heading}<ul>{posts}</ul>") == "2026-05-01"


def dates_of(html: str) -> str | None:
    return read_metadata(parse(html)).date


def test_names_of_many_roles_and_lists_of_many_rows_take_no_time() -> None:
    author = f'<meta name=author content="{"redakteurin" * 25}x">'
    several = "".join(f"<li class=c{n}>May {n % 28 + 1}, 2026" for n in range(20_000))
    page = parse(f"{author}<h1>All teas</h1><ul>{several}</ul>")
    assert_quick(lambda: read_metadata(page), 1)


def test_authors_of_the_rows_of_a_list_are_not_that_of_the_page() -> None:
    text = "<p>Heat the water first, and then wait for five minutes.</p>"
    rows = [
        f"<div><h3>Paper {n}</h3><p class=authors>{name} Leaf</p>{text}</div>"
        for n, name in enumerate(("Ann", "Bo", "Cy"))
    ]
    assert metadata_of(f"<h1>New papers</h1>{''.join(rows)}").authors == ()
    own = rows[0].replace(text, 20 * text) + "<h2>More</h2>" + "".join(rows[1:]) + rows[1].replace("Bo", "Di")
    assert metadata_of(f"<h1>Paper 0</h1>{own}").authors == ("Ann Leaf",)


def test_authors_of_a_catalogue_have_their_given_names_first() -> None:
    assert metadata_of('<meta name="citation_author" content="Leaf, Ann D.">').authors == ("Ann D. Leaf",)
