"""Posts of small pages: who wrote what, when and where, found by structure and by what the page says."""

from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pytest

import dehusk
from cpu_time import assert_linear
from dehusk.about.posts import find_posts
from dehusk.about.posts.authors import clean_name, is_name
from dehusk.about.posts.depths import MAX_DEPTH
from dehusk.blocks import segment
from dehusk.read import parse

SENTENCES = (
    "The kettle should boil for a minute before the water meets the leaves.",
    "I would rather wait for two minutes, because the water is too hot at first.",
    "Green tea turns bitter that way, at least with the water that we have here.",
    "Has anybody tried this with the filter that comes with the larger pot?",
)
WRITERS = ("Ada", "Brook", "Ada", "Chen")


class KeepAll:
    """A method that keeps every block."""

    def segment(self, page: dehusk.Page) -> dehusk.Blocks:
        return segment(page)

    def label(self, blocks: dehusk.Blocks, *, explain: bool = False) -> dehusk.Labels:  # noqa: ARG002
        size = len(blocks)
        return dehusk.Labels(blocks, np.full(size, 2, np.uint8), np.ones(size), np.ones(size, np.bool_))


def page(*posts: str) -> str:
    return f"<html><title>Tea</title><body><nav><a href=/>Home</a></nav><main><h1>Tea</h1>{''.join(posts)}</main>"


def forum_post(number: int) -> str:
    return (
        f'<div class="post" id="p{number}"><div class="head"><a class="username" href="/user/{WRITERS[number]}">'
        f'{WRITERS[number]}</a> <a href="#p{number}">{number + 3} March 2012, 10:0{number}</a></div>'
        f'<p>{SENTENCES[number]}</p><a href="/reply?to={number}">Reply</a></div>'
    )


def posts_of(html: str, url: str | None = None) -> list[dehusk.Post]:
    return dehusk.clean(html, url=url, method=KeepAll()).posts


def test_posts_of_a_forum() -> None:
    posts = posts_of(page(*map(forum_post, range(4))), url="https://tea.example/t/1")
    assert [post.author for post in posts] == list(WRITERS)
    assert [post.author_url for post in posts][:2] == ["https://tea.example/user/Ada", "https://tea.example/user/Brook"]
    assert [post.date for post in posts] == [f"2012-03-0{number + 3}T10:0{number}" for number in range(4)]
    assert posts[0].date_text == "3 March 2012, 10:00"
    assert [post.permalink for post in posts] == [f"https://tea.example/t/1#p{number}" for number in range(4)]
    assert [post.text for post in posts] == list(SENTENCES)
    assert {post.kind for post in posts} == {"post"}
    assert {post.depth for post in posts} == {0}


def test_blocks_of_posts_do_not_overlap_and_contain_their_text() -> None:
    document = dehusk.clean(page(*map(forum_post, range(4))), method=KeepAll())
    ends = [0, *(post.blocks[1] for post in document.posts)]
    for post, before in zip(document.posts, ends, strict=False):
        first, end = post.blocks
        assert before <= first < end
        assert all(first <= block < end for block in post.body)
        assert [document.blocks[block].text for block in post.body] == [post.text]
        assert document.page.text[slice(*post.span)].strip().endswith("Reply")
        assert post.kept == post.probability == 1


def reply(number: int, inner: str = "") -> str:
    return (
        f'<li class="comment"><div class="body"><cite class="fn">{WRITERS[number]}</cite> '
        f'<time datetime="2012-03-0{number + 1}T10:00:00+01:00">{number + 2} days ago</time>'
        f"<p>{SENTENCES[number]}</p></div>{inner and f'<ul>{inner}</ul>'}</li>"
    )


def test_replies_have_the_depth_of_their_nesting_and_the_date_of_the_attribute() -> None:
    posts = posts_of(page("<ol>", reply(0, reply(1, reply(2))), reply(3), "</ol>"))
    assert [post.depth for post in posts] == [0, 1, 2, 0]
    assert [post.text for post in posts] == list(SENTENCES)
    assert posts[1].date == "2012-03-02T10:00:00+01:00"
    assert posts[1].date_text == "3 days ago"
    assert {post.kind for post in posts} == {"comment"}


def test_the_text_of_a_date_is_that_of_the_attribute_that_was_read() -> None:
    date = "<time datetime=soon title='{0} May 2021'></time>"
    post = f"<div class=comment><b class=author>Ann {{0}}</b>{date}<p>Tea {{0}} is warm.</div>"
    posts = find_posts(segment(parse("".join(post.format(number) for number in range(1, 6))))).posts
    assert {(found.date_text, found.date) for found in posts} == {
        (f"{day} May 2021", f"2021-05-0{day}") for day in range(1, 6)
    }


def test_depth_by_class_and_by_indentation() -> None:
    depths = (0, 1, 2, 1)
    by_class = [forum_post(n).replace('"post"', f'"post depth-{depths[n] + 1}"') for n in range(4)]
    by_style = [forum_post(n).replace("<div", f'<div style="margin-left:{25 * depths[n]}px"', 1) for n in range(4)]
    assert [post.depth for post in posts_of(page(*by_class))] == list(depths)
    assert [post.depth for post in posts_of(page(*by_style))] == list(depths)


def test_indentations_in_several_units_are_compared_as_lengths() -> None:
    widths, depths = ("0", "16px", "2em", "24pt"), [0, 1, 2, 2]
    styled = [forum_post(n).replace("<div", f'<div style="margin-left:{widths[n]}"', 1) for n in range(4)]
    assert [post.depth for post in posts_of(page(*styled))] == depths


def test_posts_in_rows_reach_to_the_next_one() -> None:
    rows = [
        f"<tr><td><b>{WRITERS[n]}</b>, 0{n + 1}.02.2010 12:30</td></tr>"
        f"<tr><td>{SENTENCES[n]}<br>{SENTENCES[n]}</td></tr>"
        for n in range(4)
    ]
    posts = posts_of(page("<table>", *rows, "</table>"))
    assert [post.author for post in posts] == list(WRITERS)
    assert [post.date for post in posts] == [f"2010-02-0{n + 1}T12:30" for n in range(4)]
    assert [post.text for post in posts] == [f"{SENTENCES[n]}\n{SENTENCES[n]}" for n in range(4)]


def test_the_date_of_a_post_is_not_the_one_on_which_its_author_joined() -> None:
    joined = {"Ada": "1 May 2005", "Brook": "7 July 2001", "Chen": "2 June 2011"}
    html = [forum_post(n).replace("</a> <a", f"</a> <i>Joined: {joined[WRITERS[n]]}</i> <a") for n in range(4)]
    assert [post.date for post in posts_of(page(*html))] == [f"2012-03-0{n + 3}T10:0{n}" for n in range(4)]


def test_teasers_products_and_articles_are_no_posts() -> None:
    teasers = [
        f'<article><h2><a href="/news/{n}">The news about tea {n}</a></h2><span class="author">{WRITERS[n]}</span> '
        f"<time>{n + 1} May 2012</time><p>{SENTENCES[n]}</p></article>"
        for n in range(4)
    ]
    products = [
        f"<div class=card><a href=/p/{n}>Pot {n}</a><b>{n + 4}.99</b><p>{SENTENCES[n]}</p></div>" for n in range(4)
    ]
    article = f"<h2>Tea</h2><p>By Ada, 3 May 2012</p>{''.join(f'<p>{text}</p>' for text in SENTENCES)}"
    for html in (*("".join(part) for part in (teasers, products)), article, "", "<p>"):
        assert posts_of(page(html)) == []


def test_references_with_names_and_dates_are_no_posts() -> None:
    note = (
        "<li id=cite_note-{0}><a href=#cite_ref-{0}>^</a> <a href=/u/{0}>Ann Leaf{0}</a> <time>{0} May 2026</time>"
        "<p>On the tea of Japan and all of that, well said."
    )
    marks = "".join(f"<sup id=cite_ref-{n}><a href=#cite_note-{n}>[{n}]</a></sup> Tea." for n in range(1, 9))
    notes = "".join(note.format(n) for n in range(1, 9))
    page = f"<h1>Tea</h1><p>All of tea.{marks}<ol class=references>{notes}</ol>"
    assert not find_posts(dehusk.segment(dehusk.parse(page)))
    unmarked = page.replace("#cite_note", "/cite").replace("#cite_ref", "/u")
    assert len(find_posts(dehusk.segment(dehusk.parse(unmarked)))) == 8


def test_posts_of_which_nothing_is_kept_are_left_out_unless_most_are_kept() -> None:
    html = page(*map(forum_post, range(4)))
    shown = {}
    for dropped in (1, 3):
        document = dehusk.clean(html, method=KeepAll())
        kept = document.labels.kept.copy()
        for post in document.posts[:dropped]:
            kept[slice(*post.blocks)] = False
        labels = dehusk.Labels(document.labels.blocks, document.labels.label, document.labels.probability, kept)
        shown[dropped] = dehusk.Document(document.status, "", labels).posts
    assert [post.text for post in shown[1]] == ["", *SENTENCES[1:]]
    assert [post.text for post in shown[3]] == [SENTENCES[3]]


def test_the_record_of_a_page_lists_its_posts_with_its_units() -> None:
    document = dehusk.clean(page(*map(forum_post, range(4))), method=KeepAll())
    record = document.record(evidence=True)
    listed = [
        {**asdict(post), **{name: list(getattr(post, name)) for name in ("blocks", "body", "span")}}
        for post in document.posts
    ]
    assert record["posts"] == listed
    assert "posts" not in document.record()


def test_lines_of_posts() -> None:
    blocks = segment(parse(page(*map(forum_post, range(4)))))
    found = find_posts(blocks)
    assert len(found) == 4
    assert [blocks.texts[block] for block in found.is_line.nonzero()[0]][:2] == ["Ada 3 March 2012, 10:00", "Reply"]
    assert [blocks.texts[block] for block in (found.post_of < 0).nonzero()[0]] == ["Home", "Tea"]


def test_replies_nested_too_deep_are_posts() -> None:
    nested = "".join(reply(number % 4).removesuffix("</li>") + "<ul>" for number in range(120))
    posts = posts_of(page("<ul>", nested))
    assert len(posts) == 120
    assert max(post.depth for post in posts) == MAX_DEPTH


def test_time_grows_linearly() -> None:
    def prepare(number: int) -> Callable[[], object]:
        html = page(*(forum_post(index % 4).replace("p0", f"p{index}") for index in range(number)))
        blocks = segment(parse(html))
        return lambda: numbers.append(len(find_posts(blocks)))

    numbers: list[int] = []
    assert_linear(prepare, 800)
    assert set(numbers) == {800, 6_400}


def test_a_letter_for_a_missing_picture_and_a_switch_name_nobody() -> None:
    html = "".join(
        f"<div class=post data-author={is_author}><a class=user-avatar href=/u/{name}>{name[0]}</a>"
        f"<b class=user><a href=/u/{name}>{name}</a></b> <time datetime=2026-05-03T{hour}:00>a while ago</time>"
        f"<p>A kettle with a thermometer costs more than one without, and lasts as long. {name} says so.</p></div>"
        for name, hour, is_author in (("Ann", "10", "true"), ("Bo", "11", "false"), ("Cleo", "12", "false"))
    )
    assert [post.author for post in dehusk.clean(html, method=KeepAll()).posts] == ["Ann", "Bo", "Cleo"]
    assert is_name("王")
    assert not is_name("M")


def markdown_of(html: str) -> str:
    return dehusk.clean(html, method=KeepAll()).markdown


def test_markdown_names_the_writers_that_markup_is_sure_of() -> None:
    forum = page(*map(forum_post, range(4)))
    assert "**Brook**, 4 March 2012, 10:01\n\nI would rather wait" in markdown_of(forum)
    assert "Reply" not in markdown_of(forum)


def test_markdown_leaves_posts_alone_of_which_markup_says_little() -> None:
    forum = page(*map(forum_post, range(4)))
    unnamed = forum.replace('class="post" id="p', 'class="row" id="r')
    for html in (unnamed, forum.replace(' class="username" href="/user/', ' href="/page/')):
        assert posts_of(html)[1].author == "Brook"
        assert "**Brook**" not in markdown_of(html)


def test_markdown_names_writers_whose_links_say_so_whatever_their_dates() -> None:
    assert "**Brook**" in markdown_of(page(*map(forum_post, range(4))).replace(", 10:0", " or so, "))


@pytest.mark.parametrize("name", ["shareddit", "kool maudit", "TheFireSays", "Ann"])
def test_a_name_that_ends_as_a_verb_is_whole(name: str) -> None:
    assert clean_name(name) == clean_name(f"{name} says:") == clean_name(f"{name} a écrit :") == name


def test_the_short_date_for_narrow_screens_is_none() -> None:
    both = '<span class="ipsTime__long">3 March 2012</span><span class="ipsTime__short">14 yr</span>'
    head = f'<time datetime="2012-03-03T10:00:00Z">{both}</time>'
    pages = [forum_post(number).replace(f"{number + 3} March 2012, 10:0{number}", head) for number in range(4)]
    assert [post.date_text for post in posts_of(page(*pages))] == ["3 March 2012"] * 4
