"""Marks that can be no emphasis where they stand, and numbers that can be no item, have no backslash; others do."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from test_markdown_cards import markdown

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from elements import ink
from markdown_elements import read_markdown


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>From $33 a month*", "From $33 a month*\n"),
        ("<p>*Prices are without tax.", "*Prices are without tax.\n"),
        ("<p>See <a href=/n>*</a> below", "See [*](/n) below\n"),
        ("<p>The _id of a page", "The _id of a page\n"),
        ("<p>a* and b_", "a* and b_\n"),
        ("<p>one*<br>two", "one*  \ntwo\n"),
        ("<p>* one", "\\* one\n"),
        ("<p>*", "\\*\n"),
        ("<p>one*<p>two*", "one*\n\ntwo*\n"),
        ("<p>one* two*", "one* two*\n"),
        ("<p>one*<br>two*", "one*  \ntwo*\n"),
        ("<p>Grades: *five; *six; *seven", "Grades: *five; *six; *seven\n"),
        ("<p>starts *at once* and", "starts \\*at once\\* and\n"),
        ("<p>2*3*4", "2\\*3\\*4\n"),
        ("<p>one** two", "one\\*\\* two\n"),
        ("<p>one *** two ___ three__four", "one *** two ___ three__four\n"),
        ("<p>**one** and __two__", "\\*\\*one\\*\\* and \\_\\_two\\_\\_\n"),
        ("<p>one<br>***<br>___", "one  \n\\***  \n\\___\n"),
        (
            "<p>1. one<br>2. two<br>1) three<br>10. four<br>01. five",
            "1. one  \n2. two  \n1\\) three  \n10\\. four  \n01\\. five\n",
        ),
        ("<p>٣. one", "٣. one\n"),
        ("<div>1.</div><div><p>Rinse the pot.</div>", "1\\. Rinse the pot.\n"),
        ("<div>12)</div><p>Rinse it.<p>Dry it.", "12\\) Rinse it.\n\nDry it.\n"),
        ("<div>1.</div><ul><li>pot</ul>", "1\\.\n\n- pot\n"),
        ("<div>1.</div><h2>Pot</h2>", "1\\.\n\n## Pot\n"),
        ("<div>1</div><p>Rinse it.<p>2.", "1\n\nRinse it.\n\n2\\.\n"),
        ("<p>*a <a href=/x>b*</a>", "\\*a [b\\*](/x)\n"),
        ("<p>one* <b>two</b>", "one\\* **two**\n"),
        ("<p>one* <img src=/a.png alt=b*>", "one\\* ![b\\*](/a.png)\n"),
        ("<ul><li>* one<li>two", "- \\* one\n- two\n"),
        ("<h2>Prices*</h2><p>Text", "## Prices*\n\nText\n"),
        ("<table><tr><th>a*<th>b*<tr><td>c_<td>d", "| a* | b* |\n| --- | --- |\n| c_ | d |\n"),
    ],
)
def test_marks_that_stand_alone(html: str, expected: str) -> None:
    assert markdown(html) == expected


@given(
    st.lists(
        st.sampled_from(["*", "_", "a", " ", ".", "<b>b</b>", "<br>", "<a href=/x>c</a>", "~", "é", "2. ", "1) "]),
        max_size=9,
    )
)
def test_any_marks_are_read_as_they_are(parts: list[str]) -> None:
    html = "<p>x</p><p>" + "".join(parts)
    document = dehusk.clean(html, method="keep-all")
    assert ink(read_markdown(document.render("markdown", title="never")).text) == ink(document.text)
