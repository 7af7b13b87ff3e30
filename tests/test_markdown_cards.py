"""Headings in items of lists: cards are sections, and no other item is a heading unless it has several."""

import pytest

import dehusk


def markdown(html: str) -> str:
    return dehusk.clean(html, method="keep-all").render("markdown", title="never")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><h3>Green</h3><p>Fresh.</p></li><li><h3>Black</h3></li></ul>", "### Green\n\nFresh.\n\n### Black\n"),
        ("<ul><li><h3>Green</h3></li><li><h3><a href=/b>Black</a></h3></li></ul>", "- Green\n- [Black](/b)\n"),
        (
            "<ol><li><h3>Heat</h3><p>To 80 °C.</p></li><li><h3>Pour</h3></li></ol>",
            "1. **Heat**\n\n   To 80 °C.\n\n2. **Pour**\n",
        ),
        (
            "<ul><li><h3>Green</h3><p>Fresh.</p></li><li><p>Black tea.</p></li></ul>",
            "- **Green**\n\n  Fresh.\n\n- Black tea.\n",
        ),
        (
            (
                "<ul><li><h3>Green</h3><p>Fresh.</p></li><li><p>New</p><h3>White</h3></li><li><h3>Black</h3></li>"
                "<li><h3>Oolong</h3></li></ul>"
            ),
            "### Green\n\nFresh.\n\nNew\n\n### White\n\n### Black\n\n### Oolong\n",
        ),
        (
            "<ul><li><h3>Green</h3><p>Fresh.</p></li><li><h3>Black</h3></li><li>See all</li></ul>",
            "- **Green**\n\n  Fresh.\n\n- **Black**\n\n- See all\n",
        ),
        (
            "<ul><li><p>Teas</p><h3>Green</h3><p>Fresh.</p><h3>Black</h3><p>Strong.</p></li></ul>",
            "- Teas\n\n  ### Green\n\n  Fresh.\n\n  ### Black\n\n  Strong.\n",
        ),
        (
            "<ul><li><h3>Green</h3><ul><li>Sencha</li><li>Matcha</li></ul></li><li><h3>Black</h3><p>Assam.</p></li></ul>",
            "### Green\n\n- Sencha\n- Matcha\n\n### Black\n\nAssam.\n",
        ),
        (
            "<ul><li>Teas<ul><li><h3>Green</h3><p>Fresh.</p></li></ul></li></ul>",
            "- Teas\n  - **Green**\n\n    Fresh.\n",
        ),
        ("<dl><dt>Teas</dt><dd><h3>Green</h3><p>Fresh.</p></dd></dl>", "**Teas**\n\n### Green\n\nFresh.\n"),
        (
            "<ul><li><h3>Green</h3><p>Fresh.</p></li></ul><ul><li>Black</li></ul>",
            "### Green\n\nFresh.\n\n- Black\n",
        ),
        (
            "<p>Teas.</p><ul><li><img src=/a.png alt=A><h3>Green</h3><h4>Fresh</h4></li><li><h3>Black</h3></li></ul>",
            "Teas.\n\n- ![A](/a.png)\n\n  **Green**\n\n  Fresh\n\n- **Black**\n",
        ),
    ],
    ids=[
        "cards",
        "titles",
        "steps",
        "mixed",
        "one of four",
        "one of three",
        "sections",
        "lists in cards",
        "cards in lists",
        "definitions",
        "two lists",
        "pictures",
    ],
)
def test_a_heading_in_an_item(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_a_list_in_a_card_is_apart_from_the_next_heading() -> None:
    card = "<li><h4>{0}</h4><div><ul><li>{0} tea<li>{0} pot</ul></div></li>"
    written = markdown(f"<ul>{card.format('Green')}{card.format('Black')}</ul>")
    assert written == "#### Green\n\n- Green tea\n- Green pot\n\n#### Black\n\n- Black tea\n- Black pot\n"


def test_text_and_html_are_as_they_were() -> None:
    document = dehusk.clean("<ul><li><h3>Green</h3><p>Fresh.</p></li><li><h3>Black</h3></li></ul>", method="keep-all")
    assert document.text == "Green\n\nFresh.\n\nBlack\n"
    assert "<ul><li><h3>Green</h3>" in document.html
