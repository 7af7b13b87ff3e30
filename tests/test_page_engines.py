"""Pages as engines write them, whole: what dehusk makes of each is read and kept as Markdown.

The pages were written by hand from knowledge of the engines, with what these put around a page. To accept a change, run
with DEHUSK_REWRITE_GOLDEN=1 and read the difference.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import dehusk
from cpu_time import assert_linear

PAGES = sorted((Path(__file__).parent / "page_engines").glob("*.html"))


def markdown(name: str) -> str:
    return dehusk.clean((Path(__file__).parent / "page_engines" / f"{name}.html").read_text("utf-8")).markdown


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_the_whole_page(path: Path) -> None:
    written, golden = markdown(path.stem), path.with_suffix(".md")
    if os.environ.get("DEHUSK_REWRITE_GOLDEN"):
        golden.write_text(written, "utf-8")
    assert written == golden.read_text("utf-8")


def test_each_page_has_its_markdown() -> None:
    assert len(PAGES) >= 10
    assert [path.stem for path in PAGES] == sorted(path.stem for path in PAGES[0].parent.glob("*.md"))


def test_documentation_keeps_its_notes_without_links_to_its_source() -> None:
    written = markdown("sphinx")
    assert "> **Note**\n>\n> All temperatures" in written
    assert "[source]" not in written


def test_an_encyclopedia_is_without_its_slogan_and_hidden_summary() -> None:
    written = markdown("mediawiki")
    assert "free encyclopedia" not in written
    assert written.count("Partially oxidized tea") == 1, "in the box of facts"
    assert "edit" not in written


def test_links_to_the_top_are_no_part_of_headings() -> None:
    assert "## NAME\n" in markdown("man")


@pytest.mark.parametrize(
    ("classes", "shown", "badges"),
    [
        ("price--on-sale", "Regular price ~~$15.00 USD~~ Sale price $12.50 USD", ["Sale"]),
        ("", "Regular price $12.50 USD", []),
        ("price--on-sale price--sold-out", "Regular price ~~$15.00 USD~~ Sale price $12.50 USD", ["Sold out"]),
    ],
    ids=["sale", "no sale", "sold out"],
)
def test_of_a_shop_only_the_price_and_the_badge_that_it_shows(classes: str, shown: str, badges: list[str]) -> None:
    page = (Path(__file__).parent / "page_engines" / "shopify.html").read_text("utf-8")
    lines = dehusk.clean(page.replace("price--on-sale", classes)).markdown.splitlines()
    assert [line for line in lines if "price" in line] == [shown]
    assert [line for line in lines if line in ("Sale", "Sold out", "Sale Sold out")] == badges
    assert not any("Unit price" in line for line in lines)


def test_the_number_of_a_product_stays_in_whatever_line_it_is() -> None:
    assert "SKU: AT-250" in markdown("woocommerce")
    assert "**SKU**\n\nAT-250" in markdown("magento")
    assert "Sign In" not in markdown("magento"), "authorization is no author"


def test_a_blog_says_one_date_and_no_number_of_comments() -> None:
    written = markdown("wordpress")
    assert "February 3, 2025" in written
    assert "February 4" not in written
    assert "2 Comments" not in written
    assert "![Rolled leaves]" in written, "a picture in a column of its own"


def test_notes_of_a_letter_stay_with_their_marks() -> None:
    written = markdown("substack")
    assert "a clear cup[^1], hard" in written
    assert "[^1]: Below 50 mg" in written


def test_tasks_say_whether_they_are_done() -> None:
    assert "- ☑ Black tea\n- ☐ Green tea" in markdown("github")
    page = dehusk.clean((Path(__file__).parent / "page_engines" / "github.html").read_text("utf-8"))
    assert "<li>☑ Black tea</li>" in page.render("html")
    assert "<item>☐ Green tea</item>" in page.render("tei")
    filters = "<ul><li><input type=checkbox> Green tea from Japan</li><li><input type=checkbox> Black tea</li></ul>"
    assert "☐" not in dehusk.clean(filters, method="keep-all").markdown, "these can be ticked"


def test_boxes_without_tasks_take_linear_time() -> None:
    def prepare(size: int) -> Callable[[], object]:
        page = f"<ul><li>{'<input type=checkbox disabled>' * size}</ul><p>Tea"
        document = dehusk.clean(page, method="keep-all")
        return lambda: document.render("markdown")

    assert_linear(prepare, 4_000)


def test_a_label_is_apart_from_what_it_labels_and_no_part_of_a_title() -> None:
    page = dehusk.clean((Path(__file__).parent / "page_engines" / "arxiv.html").read_text("utf-8"))
    assert page.metadata.title == "Optimal Steeping of Rolled Leaves"
    assert page.metadata.site_name is None, "a number in brackets before the title"
    assert "Abstract: We study" in page.text
    assert dehusk.clean("<p><i>http:</i>//tea.example and <b>10:</b>30", method="keep-all").text.count(": ") == 0


def test_a_job_has_the_day_on_which_it_was_posted() -> None:
    page = dehusk.clean((Path(__file__).parent / "page_engines" / "greenhouse.html").read_text("utf-8"))
    assert page.metadata.date == "2025-02-02"
    assert "Salary: £30,000" in page.markdown


def test_portraits_and_the_names_of_authors_are_no_lists_and_no_headings() -> None:
    written = markdown("ghost")
    assert "\n[Mira Holt](/author/mira/)\n" in written
    assert "m.jpg" not in written
    assert "m.jpg" not in markdown("medium")


def test_the_name_of_a_publication_is_no_heading_above_the_title() -> None:
    assert markdown("medium").startswith("# Why I stopped buying tea bags\n")


def test_a_line_of_labels_is_no_byline() -> None:
    written = markdown("blogger")
    assert "By [Mira Holt]" in written
    assert "Labels:" not in written


def test_two_lines_of_code_are_without_their_numbers_and_the_last_figure_stays() -> None:
    written = markdown("papermod")
    assert "```\n1\n2\n```" not in written
    assert "![Graph of power](/graph.png#center)\n\nEleven peaks on a Sunday" in written


def test_a_wiki_of_confluence_has_notes_tasks_and_languages() -> None:
    written = markdown("confluence")
    assert "> **Hot lid**\n>\n> Use the glove" in written
    assert "- ☑ Order Assam\n- ☐ Ask about milk" in written
    assert '```bash\necho "boiler on"' in written
    assert "**Where is the sugar?**" in written


def test_badges_of_builds_are_no_pictures() -> None:
    badge = "<a href=/ci><img alt=CI src=/actions/workflows/ci/badge.svg></a>"
    page = dehusk.clean(f"<h1>kettlectl</h1><p>{badge}</p><p>Switches a kettle on and off.</p>", method="keep-all")
    assert "badge.svg" not in page.markdown


def test_a_shop_is_without_codes_of_icons_and_reassurances() -> None:
    written = markdown("prestashop")
    assert "\nIn stock\n" in written
    assert not any("\ue000" <= letter <= "\uf8ff" for letter in written)
    assert "policy" not in written
    assert "- **Volume:** 0.8 l" in written


ARCHIVE = """<title>[2501.00001] On the Cooling of Tea</title><meta name=citation_title content="On the Cooling of Tea">
<div id=abs><h1 class="title mathjax"><span class=descriptor>Title:</span>On the Cooling of Tea</h1>
<blockquote class="abstract mathjax"><span class=descriptor>Abstract:</span>We measure how fast tea cools in cups with
thin walls. Below two millimetres the rate grows, and steam takes most of the heat.</blockquote>
<table><tr><td>Cite as:</td><td>arXiv:2501.00001 <button class=more-info><svg></svg><span class=visually-hidden>Focus to
learn more</span></button></td></tr><tr><td>Comments:</td><td>12 pages</td></tr></table></div>"""


def test_labels_of_an_archive_are_apart_from_what_they_label() -> None:
    page = dehusk.clean(ARCHIVE, method="keep-all")
    assert page.metadata.title == "On the Cooling of Tea"
    assert "# Title: On the Cooling of Tea" in page.markdown
    assert "> Abstract: We measure" in page.markdown
    assert "Focus to" not in page.markdown


def test_the_day_of_a_node_is_that_of_its_submission_not_of_the_event() -> None:
    page = dehusk.clean((Path(__file__).parent / "page_engines" / "drupal.html").read_text("utf-8"))
    assert (page.metadata.date, page.metadata.authors) == ("2025-04-02", ("Mira Holt",))
    assert "Profile picture" not in page.markdown
    assert "Jon Ek" not in page.markdown, "who wrote a comment"


def test_notes_of_a_japanese_blog_stay_with_their_marks() -> None:
    written = markdown("hatena")
    assert "フライパンだけ[^1]。" in written
    assert "[^1]: 鉄のものがよい。" in written


def test_documentation_of_rust_does_not_say_what_opens_a_text() -> None:
    opened = "<details open><summary class=hideme><span>Expand description</span></summary><p>A kettle.</p></details>"
    assert "Expand" not in dehusk.clean(f"<h1>Struct Kettle</h1>{opened}", method="keep-all").markdown


@pytest.mark.parametrize(
    "asked",
    [
        "You need to enable JavaScript to run this app.",
        "We're sorry but tea doesn't work properly without JavaScript enabled. Please enable it to continue.",
        "To use the Mastodon web application, please enable JavaScript. Alternatively, try one of the native apps.",
    ],
)
def test_what_only_asks_for_scripts_has_no_kernel(asked: str) -> None:
    assert dehusk.clean(f"<title>Tea</title><noscript>{asked}</noscript><div id=app></div>").status == "no-content"
