"""Threads whose posts are the items of a list: posts in Markdown, not a list of them.

Replies in lists in lists stay there: `test_post_profiles.test_nested_lists_show_the_depth_of_replies`.
"""

import pytest

import dehusk
from cpu_time import assert_quick

POST = (
    "<li class=post id=p{0}><b class=author>Ann {0}</b><time datetime=2026-05-03>3 May 2026</time>"
    "<div class=body><p>The pot of clay number {0} keeps tea warm for an hour, if the lid is on it.{1}</div></li>"
)


def thread(*posts: str, tag: str = "ol") -> str:
    return f"<{tag} class=posts>{''.join(posts)}</{tag}>"


def post(number: int, more: str = "") -> str:
    return POST.format(number, more)


def markdown(html: str, posts: str = "lines") -> str:
    document = dehusk.clean(f"<h1>Pots of clay</h1>{html}", method="keep-all")
    return document.render("markdown", posts=posts)


@pytest.mark.parametrize("tag", ["ol", "ul"])
def test_posts_in_a_list_are_posts_alone(tag: str) -> None:
    written = markdown(thread(*(post(number) for number in range(3)), tag=tag))
    assert "\n\n**Ann 1**, 3 May 2026\n\nThe pot of clay number 1 keeps" in written
    assert not [line for line in written.splitlines() if line.startswith((" ", "1.", "-"))]


def test_a_picture_at_the_start_of_a_post_is_below_its_author() -> None:
    posts = [post(number).replace("<p>", "<p><img src=pot.jpg alt=Pot></p><p>") for number in range(3)]
    written = markdown(thread(*posts))
    assert written.count("**, 3 May 2026\n\n![Pot](pot.jpg)\n\nThe pot of clay") == 3


def test_lists_in_posts_stay() -> None:
    items = "<ul><li>The lid of the pot {0} is of iron.<li>The pot {0} is heavier than it looks.</ul>"
    written = markdown(thread(*(post(number, items.format(number)) for number in range(3))))
    assert "\n\n- The lid of the pot 2 is of iron.\n- The pot 2 is heavier than it looks.\n" in written


def test_a_list_with_a_post_for_a_few_of_its_items_stays() -> None:
    others = [f"<li><p>The rule number {number} of this forum is to be kind.</li>" for number in range(9)]
    assert "\n9. The rule number 8" in markdown(thread(*others, post(1), post(2)))


def test_without_their_posts_pages_have_the_list() -> None:
    assert "\n2. **Ann 1**" in markdown(thread(*(post(number) for number in range(3))), "plain")


@pytest.mark.parametrize(("title", "stays"), [("Ann0 on pots", True), ("Ann0thing of note", False)])
def test_the_title_of_the_page_stays_though_it_is_a_name(title: str, stays: bool) -> None:
    posts = thread(*(post(number).replace("b class", "h4 class").replace("Ann ", "Ann") for number in range(3)))
    document = dehusk.clean(f"<title>{title}</title>{posts.replace('</b>', '</h4>')}", method="keep-all")
    assert ("#### Ann0" in document.render("markdown", posts="lines")) == stays


def test_long_threads_take_little_time() -> None:
    document = dehusk.clean(thread(*(post(number) for number in range(3_000))), method="keep-all")
    assert_quick(lambda: document.render("markdown", posts="lines"), 30)


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("<p>By <a href=/u/0>Ann 0</a>, 3 May 2026 in <a href=/f>Pots and cups</a></p>", False),
        ("<ul><li>Thread starter <a href=/u/0>Ann 0</a><li>Start date <a href=/t>3 May 2026</a></ul>", False),
        ("<p>Ann 0 has written a book about pots of clay</p>", True),
        ("<p>By Bo Leaf, 3 May 2026, for the readers of this forum</p>", True),
        ("<p><a href=/f>Pots and cups</a></p>", True),
    ],
)
def test_a_line_that_only_says_who_began_the_thread_is_not_said_twice(line: str, stays: bool) -> None:
    written = markdown(line + thread(*(post(number) for number in range(3))))
    between = written.split("**Ann 0**, 3 May 2026")[0].removeprefix("# Pots of clay").strip()
    assert bool(between) == stays
