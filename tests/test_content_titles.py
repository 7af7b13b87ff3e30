"""Lines that readers see as titles are titles in Markdown, HTML and TEI: headlines, notes, questions."""

import re

import numpy as np
import pytest

import dehusk
from dehusk.blocks import segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.read import parse
from dehusk.write.html import to_html
from dehusk.write.markdown import to_markdown
from dehusk.write.text import separated_lines

PROSE = (
    "<p>Green tea is steeped in water of seventy degrees for a minute or two, and never in boiling water at all.</p>"
)
TITLE = "<title>How hot is the water? | Tea Times</title>"


def document(body: str, head: str = TITLE) -> dehusk.Document:
    return dehusk.clean(f"<html><head>{head}</head><body>{body}", url="https://tea.example/p", method="keep-all")


@pytest.mark.parametrize(
    ("heading", "is_added"),
    [("So hot is the water!", False), ("How hot the water must be", False), ("How we brew green tea", True)],
)
def test_no_title_is_added_above_a_first_heading_that_says_it_in_other_words(heading: str, *, is_added: bool) -> None:
    found = document(f"<h2>{heading}</h2>{PROSE}").markdown
    assert found.startswith("# How hot is the water?") == is_added
    assert f"## {heading}\n" in found


@pytest.mark.parametrize(
    "line",
    [
        "<div class=headline>How hot is the water?</div>",
        "<table><tr><td><div><b>How hot is the water?</b></div></td></tr></table>",
        "<p><font size=5><b>How hot is the water?</b></font></p>",
        "<div><div><p><span>How hot is the water?</span></p></div></div>",
        "<h3>How hot is the water?</h3>",
    ],
)
def test_a_line_that_is_the_title_is_the_headline(line: str) -> None:
    found = document(line + PROSE)
    assert found.markdown.startswith("# How hot is the water?\n\n")
    assert "<h1>" in found.render("html")
    assert re.search(r"<head>(<[^>]+>)*How hot is the water\?<", found.render("tei"))
    assert found.outline.parts[0].text == "How hot is the water?"


def test_a_title_of_few_wide_characters_is_the_headline() -> None:
    head = "<title>這樣的茶怎麼做？ - Tea Times</title>"
    found = document(f"<div>這樣的茶怎麼做？</div>{PROSE}", head)
    assert found.render("markdown", title="never").startswith("# 這樣的茶怎麼做？\n")


def test_the_title_in_a_cell_of_the_layout_is_the_headline() -> None:
    found = document(f"<table><tr><td>How hot is the water?<td><img src=print.gif></table>{PROSE}")
    assert found.markdown.startswith("# How hot is the water?\n\n")
    assert found.render("html").count("<table>") == 1


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("<div>How hot?</div>", TITLE),
        ("<div>How hot is the water?</div><h1>Tea</h1>", TITLE),
        ("<p>How hot is the water? <b>Hot.</b></p>", "<title>Hot</title>"),
        ("<p>Tea Times</p>", TITLE),
        ("<ul><li>How hot is the water?</li></ul>", TITLE),
        ("<p>See <b>How hot is the water?</b> and more of it.</p>", TITLE),
    ],
    ids=["another line", "beside an h1", "a part of a line", "the site", "an item", "in a sentence"],
)
def test_other_lines_are_no_headlines(body: str, head: str) -> None:
    assert "# How hot" not in re.sub(r"(?m)^##+ ", "", document(body + PROSE, head).render("markdown", title="never"))


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ("<div role=heading aria-level=4><p>Cups</p></div>", "#### Cups"),
        ('<p role="heading">Cups <b>of clay</b></p>', "## Cups **of clay**"),
        ("<div role=heading aria-level=40>Cups</div>", "## Cups"),
        (f"<div role=heading>{PROSE * 4}</div>", PROSE[3:-4]),
        ("<div role=heading><ul><li>Cups</ul></div>", "- Cups"),
        ("<div role=head>Cups</div>", "Cups"),
    ],
    ids=["a level", "no level", "a level that is none", "a long text", "a list", "another role"],
)
def test_an_element_whose_role_is_a_heading_is_one(element: str, expected: str) -> None:
    assert document(f"<h1>Tea</h1>{PROSE}{element}{PROSE}").markdown.split("\n\n")[2] == expected


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("<h2>Watch all the teams that you love, wherever you are.</h2>", ""),
        ("<h2>Watch all the teams that you love, wherever you are</h2>", ""),
        ("<h2>Watch them all.</h2>", "### "),
        ("<h3>Watch all the teams that you love, wherever you are.</h3>", "### "),
        ("<p>Text</p><h2>Watch all the teams that you love, wherever you are.</h2>", "## "),
    ],
    ids=["a sentence", "without a full stop", "a short one", "of another level", "not right below"],
)
def test_a_sentence_right_below_a_heading_of_its_level_is_none(second: str, expected: str) -> None:
    line = next(
        line for line in document(f"<h1>Tea</h1><h2>Sports</h2>{second}{PROSE}").markdown.split("\n") if "Watch" in line
    )
    assert line.startswith(f"{expected}Watch")


NOTES = {
    "Sphinx": "<div class='admonition note'><p class=admonition-title>Note</p><p>Never boil it.</p></div>",
    "Docusaurus": (
        "<div class='theme-admonition admonition_x'><div class=admonitionHeading_x>Note</div>"
        "<div class=content><p>Never boil it.</p></div></div>"
    ),
    "GitHub": "<div class=markdown-alert><p class=markdown-alert-title>Note</p><p>Never boil it.</p></div>",
    "Obsidian": (
        "<div class=callout><div class=callout-title><div class=callout-title-inner>Note</div></div>"
        "<div><p>Never boil it.</p></div></div>"
    ),
    "Bootstrap": "<div class='alert alert-info'><h4 class=alert-heading>Note</h4><p>Never boil it.</p></div>",
    "Starlight": "<aside class=starlight-aside><p class=starlight-aside__title>Note</p><p>Never boil it.</p></aside>",
}


@pytest.mark.parametrize("box", NOTES.values(), ids=NOTES)
def test_a_note_in_a_box_is_a_quotation_with_its_title(box: str) -> None:
    found = document(f"<h1>Tea</h1>{PROSE}{box}{PROSE}")
    assert "\n\n> **Note**\n>\n> Never boil it.\n\n" in found.markdown
    assert "Note\n\nNever boil it.\n" in found.text


def test_a_box_without_a_title_is_no_quotation() -> None:
    assert ">" not in document(f"<h1>Tea</h1><div class='callout x-title'><p>Never boil it.</p></div>{PROSE}").markdown


@pytest.mark.parametrize(
    "question",
    [
        "<details><summary>Is it hot?</summary>",
        "<div><div class=faq-question>Is it hot?</div>",
        "<div><button class='accordion-button collapsed'>Is it hot?</button>",
        "<div><button aria-expanded=false>Is it hot?</button>",
        "<div class=faq><div class=faq__header><span class=faq__title>Is it hot?</span></div>",
    ],
)
def test_a_question_that_opens_its_answer_is_strong(question: str) -> None:
    assert "\n\n**Is it hot?**\n\nIt is.\n" in document(f"<h1>Tea</h1>{PROSE}{question}<div>It is.</div>").markdown


@pytest.mark.parametrize(
    "html",
    ["<p>Hot.<div><button aria-expanded>Is it hot?</button></div>", "<div><button>Is it hot?</button><p>Yes.</div>"],
)
def test_a_button_that_opens_nothing_is_a_line(html: str) -> None:
    assert "**" not in document(f"<h1>Tea</h1>{PROSE}{html}").markdown


@pytest.mark.parametrize(
    ("box", "said", "expected"),
    [
        ("highlight highlight--quote", "“Tea is hot”", "> “Tea is hot”\n>\n> Ann Leaf\n"),
        ("pull-quote", "Tea is hot”", "> Tea is hot”\n>\n> Ann Leaf\n"),
        ("request-quote", "Get your tea", "### Get your tea\n\nAnn Leaf\n"),
        ("quotes", "“Tea is hot”", "### “Tea is hot”\n\nAnn Leaf\n"),
    ],
)
def test_a_box_with_a_quotation_for_its_heading_is_one(box: str, said: str, expected: str) -> None:
    html = f"<h1>Tea</h1>{PROSE}<div class='{box}'><h3>{said}</h3><p>Ann Leaf</p></div>{PROSE}"
    assert f"\n\n{expected}\n" in document(html).markdown


def test_who_is_cited_above_a_quotation_is_in_it() -> None:
    html = f"<h1>Tea</h1>{PROSE}<div><cite>Ann wrote: </cite><br><blockquote>Tea is hot.</blockquote>So it is.</div>"
    assert document(html).markdown.endswith("\n\n> Ann wrote:\n>\n> Tea is hot.\n\nSo it is.\n")
    assert document(html.replace("cite>", "i>")).markdown.endswith("*Ann wrote:*\n\n> Tea is hot.\n\nSo it is.\n")


def test_a_long_summary_is_a_paragraph() -> None:
    assert "**" not in document(f"<h1>Tea</h1><details><summary>{PROSE * 2}</summary>It is.</details>").markdown


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ("<ul style='list-style: decimal inside'><li>Rinse<li>Steep</ul>", "1. Rinse\n2. Steep\n"),
        ("<ul><li style='list-style-type:decimal'>Rinse<li>Steep</ul>", "1. Rinse\n2. Steep\n"),
        ("<ul style='list-style: disc'><li>Rinse<li>Steep</ul>", "- Rinse\n- Steep\n"),
        ("<ul><li>Rinse<ul style='list-style-type:decimal'><li>Pot<li>Cup</ul></ul>", "- Rinse\n  1. Pot\n  2. Cup\n"),
    ],
    ids=["its own style", "that of an item", "another style", "an inner list"],
)
def test_lists_that_a_style_numbers_have_numbers(items: str, expected: str) -> None:
    found = document(f"<h1>Tea</h1>{PROSE}{items}")
    assert found.text.endswith(expected)
    assert found.markdown.endswith(expected)
    assert "\n".join(separated_lines(found.labels)[1]).count("1. ") == expected.count("1. ")


def kept(body: str, *texts: str) -> str:
    """Return the Markdown of a page of which only some blocks are kept."""
    blocks = dehusk.segment(dehusk.parse(body))
    is_kept = np.array([text in texts for text in blocks.texts])
    return to_markdown(Labels(blocks, by_markup(blocks, is_kept), np.where(is_kept, 0.9, 0.1), is_kept))


@pytest.mark.parametrize(
    ("items", "texts", "expected"),
    [
        ("<li>3 May 2026<li>Share<li>Print", ["3 May 2026"], "3 May 2026\n"),
        ("<li>3 May 2026<li>Share<li>Ann Leaf", ["3 May 2026", "Ann Leaf"], "- 3 May 2026\n- Ann Leaf\n"),
        ("<li>3 May 2026", ["3 May 2026"], "- 3 May 2026\n"),
        (f"<li>{'tea ' * 40}<li>Share", [("tea " * 40).strip()], f"- {('tea ' * 40).strip()}\n"),
    ],
    ids=["one of several", "two", "the only one", "a long one"],
)
def test_the_one_short_item_that_is_kept_is_a_line(items: str, texts: list[str], expected: str) -> None:
    assert kept(f"<ul>{items}</ul>", *texts) == expected


@pytest.mark.parametrize(
    ("figure", "is_written"),
    [
        ("<figure><img src=/tea.jpg><div class=count>3 images</div></figure><figcaption>{0}</figcaption>", True),
        ("<div><figure><img src=/tea.jpg></figure><nav>3 images</nav></div><figcaption>{0}</figcaption>", True),
        ("<figure><img src=/tea.jpg></figure><p>3 images</p><p>{0}</p>", False),
        ("<figure><img src=/tea.jpg></figure><figure><nav>3 images</nav></figure><figcaption>{0}</figcaption>", False),
    ],
)
def test_a_picture_whose_caption_is_below_its_figure_is_written(figure: str, is_written: bool) -> None:
    caption = "The farmers of the valley with their tea of three hundred years."
    page = parse(f"<h1>Tea</h1>{PROSE}<nav>menu</nav>{figure.format(caption)}{PROSE}")
    blocks = segment(page)
    kept = np.array([text not in ("3 images", "menu") for text in blocks.texts])
    labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.1), kept)
    assert ("tea.jpg" in to_html(labels)) == is_written
