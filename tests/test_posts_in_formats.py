"""Who wrote the posts of a thread: in text, HTML and TEI as in Markdown."""

import pytest
from lxml import etree

import dehusk
from cpu_time import assert_quick
from dehusk.base.errors import ConfigError
from dehusk.write import WRITERS
from dehusk.write.options import WriteOptions
from tei_schema import valid

BODY = "<div class=body><p>The pot of clay number {0} keeps tea warm for an hour, if the lid is on it.{1}</div>"
WHO = "<b class=author>Ann {0}</b><time datetime=2026-05-03>3 May 2026</time>"
SIGNATURES = {
    "text": "Ann 1, 3 May 2026\n\nThe pot of clay number 1",
    "markdown": "**Ann 1**, 3 May 2026\n\nThe pot of clay number 1",
    "html": "<p><strong>Ann 1</strong>, 3 May 2026</p>",
    "tei": '<ab type="post"><name>Ann 1</name>, <date>3 May 2026</date></ab>',
}
SHAPES = {
    "list": ("<ol>", "<li class=post id=p{0}>", "</li>", "</ol>"),
    "articles": ("<div>", "<article class=post id=p{0}>", "</article>", "</div>"),
    "table": ("<table>", "<tr class=post id=p{0}><td>", "</td></tr>", "</table>"),
    "definitions": ("<dl>", "<dd class=post id=p{0}>", "</dd>", "</dl>"),
}


def thread(shape: str = "articles", count: int = 3, more: str = "") -> str:
    start, opening, closing, end = SHAPES[shape]
    posts = [
        opening.format(each) + WHO.format(each) + BODY.format(each, more.format(each)) + closing
        for each in range(count)
    ]
    return f"<title>Pots of clay</title><h1>Pots of clay</h1>{start}{''.join(posts)}{end}"


def rendered(html: str, name: str, posts: str | None = "lines") -> str:
    return dehusk.clean(html, method="keep-all").render(name, posts=posts)


def body(html: str) -> str:
    return html.partition("<body>")[2]


@pytest.mark.parametrize("name", SIGNATURES)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_post_starts_with_its_author_and_date_once(shape: str, name: str) -> None:
    written = rendered(thread(shape), name)
    assert SIGNATURES[name] in written
    assert written.count("Ann 1") == written.count("3 May 2026") / 3 == 1


@pytest.mark.parametrize("name", SIGNATURES)
def test_plain_writes_what_the_blocks_say(name: str) -> None:
    plain = rendered(thread(), name, "plain")
    assert "Ann 1" in plain
    assert SIGNATURES[name] not in plain


def test_the_usual_choice_of_text_is_plain_and_that_of_others_auto() -> None:
    for name in SIGNATURES:
        usual = "plain" if name == "text" else "auto"
        assert rendered(thread(), name, None) == rendered(thread(), name, usual)


@pytest.mark.parametrize("writer", [writer for writer in WRITERS if "posts" in writer.options], ids=lambda w: w.name)
@pytest.mark.parametrize("style", ["headings", "quotes"])
def test_a_style_that_a_format_does_not_have_is_refused(writer, style: str) -> None:
    if style in writer.posts:
        writer.render(dehusk.clean(thread()), WriteOptions(posts=style))
        return
    with pytest.raises(ConfigError, match=f"format {writer.name} shows posts as auto, plain, lines, not {style}"):
        rendered(thread(), writer.name, style)


def test_posts_that_are_items_are_no_list_in_text() -> None:
    more = "<ul><li>Lid {0} is of iron.<li>Pot {0} is of clay.</ul><p>Pot {0} came from Kyoto by ship last year.</p>"
    written = rendered(thread("list", more=more), "text")
    assert "\n\nThe pot of clay number 2 keeps" in written
    assert "\n- Lid 2 is of iron.\n- Pot 2 is of clay.\n\nPot 2 came from Kyoto" in written


@pytest.mark.parametrize("shape", SHAPES)
def test_html_has_the_line_in_the_post_where_a_paragraph_may_stand(shape: str) -> None:
    tree = etree.HTML(rendered(thread(shape), "html"))
    lines = tree.xpath("//p[strong]")
    assert [line.xpath("string()") for line in lines] == [f"Ann {each}, 3 May 2026" for each in range(3)]
    texts = [line.xpath("string(following::p[1])").split(" keeps")[0] for line in lines]
    assert texts == [f"The pot of clay number {each}" for each in range(3)]
    assert not tree.xpath("//p//p | //ol/p | //ul/p | //tr/p | //dl/p")


def test_posts_that_are_paragraphs_have_the_line_within_them_in_html() -> None:
    posts = "".join(
        f"<p class=comment id=c{each}><b class=author>Ann {each}</b> <time datetime=2026-05-03>3 May 2026</time><br>"
        f"The pot of clay number {each} keeps tea warm for an hour, if the lid is on it.</p>"
        for each in range(3)
    )
    written = body(rendered(f"<title>Pots</title><h1>Pots</h1>{posts}", "html"))
    assert "<p><p>" not in written.replace("\n", "")
    assert written.count("Ann 1") == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_tei_with_posts_is_valid(shape: str) -> None:
    heading = "<h3>On the lid of pot {0}</h3><blockquote>Pot {0} leaks.</blockquote><p>So it does, pot {0}.</p>"
    valid(rendered(thread(shape, more=heading), "tei"))


def test_replies_are_marked_in_all_formats() -> None:
    html = thread(count=4)
    for number in range(4):
        html = html.replace(f"class=post id=p{number}", f'class="post depth-{number % 2}" id=p{number}')
    assert "\u21b3 Ann 3, 3 May 2026" in rendered(html, "text")
    assert "<p>\u21b3 <strong>Ann 3</strong>" in rendered(html, "html")
    assert '<ab type="post" subtype="reply-1"><name>Ann 3</name>' in rendered(html, "tei")


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_heading_of_a_post_that_says_more_than_the_thread_stays(name: str) -> None:
    html = thread(count=5).replace("<b class=author>", "<h3>Re: Pots of clay</h3><b class=author>")
    html = html.replace(
        "<h3>Re: Pots of clay</h3><b class=author>Ann 1", "<h3>The lid of iron</h3><b class=author>Ann 1"
    )
    written = body(rendered(html, name)) if name == "html" else rendered(html, name)
    assert "The lid of iron" in written
    assert "Re: Pots of clay" not in written


@pytest.mark.parametrize("name", SIGNATURES)
def test_what_is_kept_of_a_post_without_text_stays(name: str) -> None:
    html = thread(count=4).replace(BODY.format(2, ""), "<div class=body><img src=smile.gif></div>")
    assert "Ann 2" in rendered(html, name)


def test_lines_of_an_item_with_a_heading_are_no_items() -> None:
    html = "<ol><li><h2>Pots of clay</h2><div>The first pot is warm.<br>The second is not.</div></ol>"
    assert rendered(html, "text", None) == "Pots of clay\n\nThe first pot is warm.\nThe second is not.\n"


@pytest.mark.parametrize("name", SIGNATURES)
def test_long_threads_take_little_time(name: str) -> None:
    document = dehusk.clean(thread("list", 3_000), method="keep-all")
    assert_quick(lambda: document.render(name, posts="lines"), 6)


def test_the_line_of_a_post_that_starts_with_a_quote_is_above_it() -> None:
    quote = "<blockquote><h4>Ann 0</h4><p>Which pot keeps it warm for {} hours?</p></blockquote>"
    html = thread(count=5)
    for number in range(1, 5):
        start = f"<p>The pot of clay number {number}"
        html = html.replace(start, quote.format(number) + start)
    written = rendered(html, "markdown")
    assert "\n\n**Ann 3**, 3 May 2026\n\n> #### Ann 0\n>\n> Which pot" in written


def test_markup_in_other_languages_names_posts() -> None:
    posts = "".join(
        f"<article class='antwort' itemscope itemtype=http://schema.org/Answer><span itemprop=author>Ann {each}</span>"
        f"<p itemprop=text>Die Kanne Nummer {each} hält den Tee eine Stunde lang warm, wenn der Deckel darauf ist.</p>"
        f"<time itemprop=dateCreated datetime=2026-05-03T10:0{each}>03.05.26 10:0{each}</time></article>"
        for each in range(4)
    )
    assert "**Ann 2**, 2026-05-03 10:02\n\nDie Kanne Nummer 2" in dehusk.clean(f"<h1>Kannen</h1>{posts}").markdown
