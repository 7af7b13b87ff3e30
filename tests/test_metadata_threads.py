"""The author and the day of a thread are those of its first post; pages with posts below their own text are none."""

import dehusk
from dehusk import Metadata

WRITERS = ["leaf77", "Bo Cup", "potter", "leaf77"]
SENTENCES = [
    "My kettle takes ten minutes for a litre of water, which of them is faster and lasts for some years?",
    "Ours has been in use for five years now and boils a litre of water in less than three minutes.",
    "Look for one with a flat plate, as the old spirals collect lime and need more and more time.",
    "Thank you both, the one with the flat plate it is, and the old one goes to the potting shed.",
]
TEXT = "<p>The kettle is on, and the leaves wait in the pot until the water has cooled down a little bit more.</p>"


def post(number: int, kind: str = "post", heading: str = "") -> str:
    return (
        f'<div class="{kind}" id="p{number}">{heading}<div class="head"><a class="username" href="/u/{number}">'
        f"{WRITERS[number]}</a> <a href=#p{number}>{number + 3} March 2012, 10:0{number}</a></div>"
        f"<p>{SENTENCES[number]}</p><p>{SENTENCES[number]}</p></div>"
    )


def read(*parts: str) -> Metadata:
    page = f"<title>Which kettle? | Tea</title><main><h1>Which kettle?</h1>{''.join(parts)}</main>"
    return dehusk.clean(page, method="keep-all").metadata


def test_the_first_post_tells_author_and_day() -> None:
    metadata = read(*map(post, range(4)))
    assert (metadata.authors, metadata.date) == (("leaf77",), "2012-03-03")
    assert {"authors", "date"} <= set(metadata.guessed)


def test_a_declared_author_comes_before_that_of_the_first_post() -> None:
    assert read("<meta name=author content='Ann Leaf'>", *map(post, range(4))).authors == ("Ann Leaf",)


def test_posts_below_a_text_are_not_the_page_s() -> None:
    metadata = read(20 * TEXT, *map(post, range(4)))
    assert metadata.authors == ()


def test_comments_open_a_thread_only_if_the_first_repeats_the_title() -> None:
    comments = [post(number, "comment") for number in range(1, 4)]
    assert read(post(0, "comment"), *comments).authors == ()
    assert read(post(0, "comment", "<h3>Which kettle?</h3>"), *comments).authors == ("leaf77",)


def test_reviews_and_answers_are_not_by_the_author_of_the_page() -> None:
    for kind in ("review", "answer"):
        assert read(*(post(number, kind) for number in range(4))).authors == ()
