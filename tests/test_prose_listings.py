"""Preformatted prose is written as paragraphs and lists, code as code."""

import pytest

from test_markdown_cards import markdown

POEM = (
    "Old pond beside the green tea house,\na frog leaps into the water there.\n\nThe sound of water, heard once more."
)
LEAVES = "- A tea from the first harvest of the year\n- Rolled by hand and dried in the sun\n- MADE IN JAPAN"


def test_lines_of_prose() -> None:
    written = POEM.replace("house,", "house,  ")
    assert markdown(f"<p>Read:<pre>{POEM}</pre><p>End") == f"Read:\n\n{written}\n\nEnd\n"


def test_items_of_a_list() -> None:
    first, second = "A Comparison of Tea with Coffee, Milk, and Water", "The Making of a Pot that Pours Well"
    assert markdown(f"<ul><li><pre>{first} </pre><li><pre>{second}</pre></ul>") == f"- {first}\n- {second}\n"


def test_lines_with_bullets() -> None:
    assert markdown(f"<pre>{LEAVES}</pre><p>End") == f"{LEAVES}\n\nEnd\n"


def test_short_items_of_what_is_named_a_description() -> None:
    items = "- Shirt of leaves\n- Puff sleeves\n- Buttons at the front"
    assert markdown(f"<pre class=product-description__text>{items}</pre>") == f"{items}\n"
    assert markdown(f"<pre class=product-description__text>{items.replace('-', '=')}</pre>").startswith("```")
    assert markdown(f"<pre>{items}</pre>").startswith("```")


@pytest.mark.parametrize(
    "text",
    [
        "Dim pot As Teapot",
        "Hello tea",
        "SELECT name FROM teas WHERE price IS NULL",
        "Pour the water into the pot = 5",
        "Sencha  Green tea of the first harvest",
        "Tea for two and two for tea\n  indented like a program or a table",
        "brew the first pot of green tea",
        "Run it as tea --pots all of them now",
    ],
    ids=["few words", "two words", "capitals", "a sign", "columns", "indentation", "no capital", "an option"],
)
def test_other_text_stays_a_listing(text: str) -> None:
    assert markdown(f"<pre>{text}</pre>") == f"```\n{text}\n```\n"


@pytest.mark.parametrize("sign", ["<p>Type <code>tea</code>.", "<pre class=lang-c>x</pre>"])
def test_a_page_with_code_has_no_prose_in_its_listings(sign: str) -> None:
    assert f"```\n{POEM}\n```\n" in markdown(f"{sign}<pre>{POEM}</pre>")
