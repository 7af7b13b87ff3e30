"""Threads of engines that markup names: posts of which nothing was kept come in where posts are what is kept."""

import numpy as np

from dehusk import parse, segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label.united.rubric import with_slots

LONG = "My old kettle has no thermometer, and the leaves turn bitter. Which kettle do you use for green tea?"
DROPPED = "Mi"


def page_of(*replies: str, article: str = "") -> str:
    """Return a page of Lemmy with a post and replies to it."""
    head = '<article id="c{}" class="comment-node"><a class="person-listing">Bo</a>'
    reply = f'<li class="comment">{head}<div class="comment-content"><p>{{}}</p></div></article></li>'
    listed = "".join(reply.format(n, text) for n, text in enumerate(replies))
    post = f'<a class="person-listing">Ann</a><h1>Tea</h1><div id="postContent"><p>{LONG}</p></div>'
    return f'<main>{article}<article class="post-container">{post}</article><ul>{listed}</ul></main>'


def kept_of(page: str) -> set[str]:
    """Return what is kept of a page of which all but the texts with `DROPPED` is kept before."""
    blocks = segment(parse(page))
    kept = np.array([DROPPED not in text for text in blocks.texts])
    labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.05), kept)
    return set(np.array(blocks.texts, dtype=object)[with_slots(labels).kept])


def test_a_thread_is_whole() -> None:
    assert {"Mind the water.", "Mine is cold."} < kept_of(page_of("Mind the water.", "Boil it twice.", "Mine is cold."))


def test_what_is_left_out_of_a_kept_post_stays_out() -> None:
    assert "Mine is cold." not in kept_of(page_of("Boil it twice.</p><p>Mine is cold."))


def test_a_piece_of_another_page_stays_out() -> None:
    kept = kept_of(page_of("[...] Mine is as the writer says [...]", "Mine is cold."))
    assert "Mine is cold." in kept
    assert not any("writer" in text for text in kept)


def test_comments_on_something_else_stay_out() -> None:
    """Of what is kept, less than half is text of posts."""
    assert "Mine is cold." not in kept_of(
        page_of("Mine is cold.", article=f"<article>{f'<p>{LONG}</p>' * 3}</article>")
    )


QUOTED = "<blockquote><p>Ann said:</p><p>Miss no cup of tea that is green.</p><p>More</p></blockquote>"


def test_quotations_in_kept_posts_are_kept_and_their_buttons_are_not() -> None:
    blocks = segment(parse(page_of(f"{QUOTED}</p><p>Boil it twice.", "Mine is cold.")))
    kept = np.array([text in (LONG, "Tea", "Boil it twice.") for text in blocks.texts])
    labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.2), kept)
    found = set(np.array(blocks.texts, dtype=object)[with_slots(labels).kept])
    assert {"Ann said:", "Miss no cup of tea that is green."} < found
    assert "More" not in found


def test_what_stands_in_all_quotations_and_links_are_no_quotation() -> None:
    link = "<a href=/x>Miss no cup of tea that is green.</a>"
    for quoted in (QUOTED.replace("Miss no cup of tea that is green.", link), QUOTED + QUOTED):
        blocks = segment(parse(page_of(f"{quoted}</p><p>Boil it twice.")))
        kept = np.array([text in (LONG, "Tea", "Boil it twice.") for text in blocks.texts])
        labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.2), kept)
        assert np.array_equal(with_slots(labels).kept, kept)
