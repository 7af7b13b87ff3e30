"""Posts of a thread that are kept with the others, and the signatures below them."""

import numpy as np
import pytest

from dehusk import parse, segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label.united.rubric import with_slots

POST = "<div class={name}><div class=message-body>{text}</div>{more}</div>"
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


def thread(*posts: str, unlikely: str = "", probability: float = 0.2, dropped: str = "never") -> tuple[Labels, Labels]:
    """Return the labels of a thread before and after, which keep all lines of five words but those with a word."""
    blocks = segment(parse(f"<title>What tea do you drink</title><h1>What tea do you drink</h1>{''.join(posts)}"))
    long = blocks.words >= 5
    kept = long & np.array([dropped not in text and not (unlikely and unlikely in text) for text in blocks.texts])
    likely = np.where(kept, 0.95, probability)
    before = Labels(blocks, by_markup(blocks, kept), likely, kept, reasons=[""] * len(blocks))
    after = with_slots(before)
    after.validate()
    return before, after


def changed(before: Labels, after: Labels) -> tuple[list[str], list[str]]:
    """Return the texts that came in and those that went out."""
    texts = before.blocks.texts
    rows = ((after.kept & ~before.kept).nonzero()[0], (before.kept & ~after.kept).nonzero()[0])
    added, gone = ([texts[block] for block in found.tolist()] for found in rows)
    return added, gone


def posts(last: str, more: str = "", name: str = "post") -> list[str]:
    texts = [f"{one} thinks that green tea needs cooler water than black tea." for one in NAMES]
    return [POST.format(name=name, text=text, more=more) for text in (*texts, last)]


LAST = "Gus, who is lost, steeps it for three minutes in a pot."


def test_the_text_of_a_post_is_kept_where_most_posts_are() -> None:
    assert changed(*thread(*posts(LAST), dropped="lost")) == ([LAST], [])
    assert changed(*thread(*posts(LAST)[3:], dropped="lost")) == ([], [])  # too few to tell


@pytest.mark.parametrize(
    ("last", "probability"),
    [
        (LAST, 0.1),
        (f"{LAST} <input name=reply>", 0.2),
        (f"<a href=/x>{LAST}</a>", 0.2),
        (f"[…] {LAST} […]", 0.2),
        ("Gus is lost.", 0.2),
    ],
    ids=["unlikely", "a form", "links", "a blog that links here", "a few words"],
)
def test_other_parts_among_posts_stay_out(last: str, probability: float) -> None:
    assert changed(*thread(*posts(last), dropped="lost", probability=probability)) == ([], [])


def test_a_post_that_is_shown_twice_is_not_kept_twice() -> None:
    before, after = thread(*posts(LAST), *posts(LAST)[-1:])
    kept = before.kept.copy()
    kept[-1] = False
    again = Labels(before.blocks, before.label, before.probability.clip(max=0.5), kept, reasons=before.reasons)
    assert changed(again, with_slots(again)) == ([], [])
    assert after.kept.sum() == before.kept.sum()


@pytest.mark.parametrize(
    "name", ["signature", "post-signature d-none", "signaturecontainer", "Signature UserSignature"]
)
def test_signatures_below_posts_are_dropped(name: str) -> None:
    lines = "<p>Tea is always an answer to me</p><p>And the other line of my signature, SW-2043-6854"
    gone = changed(*thread(*posts(LAST, f"<blockquote class='{name}'>{lines}</blockquote>")))[1]
    assert gone == ["Tea is always an answer to me", "And the other line of my signature, SW-2043-6854"] * 7


@pytest.mark.parametrize(
    ("name", "line", "around"),
    [
        ("sig sig-object", "a function that makes tea of leaves", "post"),
        ("signature", "Posted on 5 March 2024 by Ann Lee", "post"),
        ("signature", "The minister and the farmers signed it today", "treaty"),
    ],
    ids=["a function of Python", "a byline", "no post"],
)
def test_what_is_no_signature_of_a_poster_stays(name: str, line: str, around: str) -> None:
    text = "<p>Green tea needs cooler water than black tea does.</p>"
    assert changed(*thread(f"<div class={around}>{text}<div class='{name}'>{line}</div></div>")) == ([], [])


def test_code_in_a_kept_post_is_kept() -> None:
    code = "<div class=codebox><p>Copy</p><pre><code>steep --minutes 3 --water 70 never</code></pre></div>"
    before, after = thread(*posts("The answer is to use this command.", code))
    added, gone = changed(before, after)
    assert added == ["steep --minutes 3 --water 70 never"] * 7
    assert gone == []
    before, after = thread(*posts("The answer is to use this command.", code, name="box"))
    assert changed(before, after) == ([], [])
