"""Lists that an author typed, line by line, are lists in Markdown; other lines that start as items have a backslash."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import dehusk
from cpu_time import assert_quick
from oracle.typed_lists import items_among, mark_of


def markdown(body: str) -> str:
    return dehusk.clean(body, method="keep-all").render("markdown", title="never")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>1. Rinse<p>2. Steep", "1. Rinse\n\n2. Steep\n"),
        ("<p>Steps:<br>1) Rinse<br>2) Steep", "Steps:  \n1) Rinse  \n2) Steep\n"),
        ("<p>1. Rinse<br>the pot<br>2. Steep", "1. Rinse  \nthe pot  \n2. Steep\n"),
        ("<p>- tea<br>- water", "- tea  \n- water\n"),
        ("<blockquote><p>* tea<p>* water</blockquote>", "> * tea\n>\n> * water\n"),
        ("<p>1. Rinse<p>2. Steep<ol><li>Pour<li>Drink</ol>", "1. Rinse\n\n2. Steep\n\n1) Pour\n2) Drink\n"),
        ("<p>1) Rinse<p>2) Steep<ol><li>Pour<li>Drink</ol>", "1) Rinse\n\n2) Steep\n\n1. Pour\n2. Drink\n"),
        ("<p>- tea<p>- water<ul><li>pot<li>cup</ul>", "- tea\n\n- water\n\n* pot\n* cup\n"),
    ],
    ids=[
        "paragraphs",
        "lines",
        "a line between",
        "signs",
        "in a quotation",
        "before a list",
        "brackets",
        "before signs",
    ],
)
def test_typed_lists_are_lists(html: str, expected: str) -> None:
    assert markdown(html) == expected
    assert "<li>" in MarkdownIt().render(expected)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>1986. It rained<p>1987. It did not", "1986\\. It rained\n\n1987\\. It did not\n"),
        ("<p>1. Rinse<p>the pot<p>2. Steep", "1\\. Rinse\n\nthe pot\n\n2\\. Steep\n"),
        ("<p>- tea<p>and<p>- water", "\\- tea\n\nand\n\n\\- water\n"),
        ("<p>1. Rinse<p>3. Pour", "1\\. Rinse\n\n3\\. Pour\n"),
        ("<p>1. Rinse<p>2. Steep<p>5. Pour<p>6. Drink", "1. Rinse\n\n2. Steep\n\n5\\. Pour\n\n6\\. Drink\n"),
        ("<p>1. Rinse<p>2) Steep", "1\\. Rinse\n\n2\\) Steep\n"),
        ("<ul><li>tea</ul><p>- cup<p>- pot", "- tea\n\n\\- cup\n\n\\- pot\n"),
        ("<p>1. Rinse<p><a href=/2>2. Steep</a>", "1\\. Rinse\n\n[2. Steep](/2)\n"),
    ],
    ids=[
        "years",
        "not side by side",
        "signs apart",
        "a gap",
        "another number",
        "other signs",
        "right after a list",
        "a link",
    ],
)
def test_other_lines_are_none(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_dashes_of_speech_start_no_list() -> None:
    alone = "<p>- It is warm.<p>Ann says so.<p>- Is it?<p>Bo asks her."
    both = "<p>- It is warm.<p>- Is it?<p>Bo asks her.<p>- tea<br>- water"
    assert markdown(alone + alone + both).count("\\- ") == 6
    assert markdown(alone + alone + both).endswith("\n\n- tea  \n- water\n"), "lines of one paragraph are a list"
    assert "\\" not in markdown(both.replace("<p>- tea", "<p>Tea:<br>- tea"))


LINES = st.sampled_from(["tea", "1. a", "2. b", "3. c", "1) a", "2) b", "- d", "* e", "+ f", "12. g", "1986. h", "7 i"])


@given(st.lists(st.lists(LINES, min_size=1, max_size=5), min_size=1, max_size=5))
def test_marks_are_plain_where_the_oracle_has_items(paragraphs: list[list[str]]) -> None:
    html = "".join(f"<p>{'<br>'.join(lines)}</p>" for lines in paragraphs)
    shown = [line.strip() for line in markdown(html).split("\n") if line.strip()]
    lines, items = [*chain(*paragraphs)], [*chain(*items_among(paragraphs))]
    assert [line.replace("\\", "") for line in shown] == lines
    begins = [number == 0 for one in paragraphs for number in range(len(one))]
    opened = False
    for line, written, is_item, is_first in zip(lines, shown, items, begins, strict=True):
        opened = is_item or (opened and not is_first)
        mark = mark_of(line)
        may_start = is_first or opened or (mark and (mark[0] in "-+*" or mark[1] == 1))  # no other ends a paragraph
        assert ("\\" in written) == bool((mark or line.startswith("1986")) and may_start and not is_item)


@given(st.lists(st.lists(LINES, min_size=1, max_size=5), min_size=1, max_size=5))
def test_markdown_counts_as_the_author_did(paragraphs: list[list[str]]) -> None:
    html = "".join(f"<p>{'<br>'.join(lines)}</p>" for lines in paragraphs)
    numbers: list[int] = []
    for token in MarkdownIt().parse(markdown(html)):
        if token.type == "ordered_list_open":
            numbers.append(int(token.attrs.get("start", 1)))
        elif token.type == "ordered_list_close":
            numbers.pop()
        elif token.type == "list_item_open" and token.info:
            assert int(token.info) == numbers[-1]
            numbers[-1] += 1


def test_long_lists_take_linear_time() -> None:
    assert_quick(lambda: markdown("<p>" + "<br>".join(f"{number % 900}. step" for number in range(20_000))), 5)
