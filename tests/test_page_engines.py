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


def test_comments_of_stack_exchange_do_not_say_where_formulas_begin() -> None:
    around = r"<span class=d-none>\$\{}group\$</span>"
    page = f"<h1>Tea</h1><p>{around.format('begin')}Boil it.{around.format('end')}</p><p class=d-none>Pour it.</p>"
    assert dehusk.clean(page, method="keep-all").text == "Tea\n\nBoil it.\n\nPour it.\n"


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


def engine(name: str) -> dehusk.Document:
    return dehusk.clean((Path(__file__).parent / "page_engines" / f"{name}.html").read_bytes())


def test_a_box_of_facts_has_all_of_its_labels() -> None:
    written = markdown("fandom")
    assert "### Born\n\nApril 2, 1961\n\n### Home\n\n[South Hill]" in written


def test_entries_of_a_live_blog_have_their_times_headings_and_authors() -> None:
    written = markdown("live_blog")
    assert written.count(" GMT](#block-") == 4
    assert "Jon Ek\n\n[8 months ago 12.30 GMT](#block-2)\n\nAt the gate" in written
    assert "## First gardens close" in written
    assert "Share" not in written


def test_listings_of_doxygen_are_code_without_its_tooltips() -> None:
    written = markdown("doxygen")
    assert "Example:\n\n```\nkettle::Boiler b(1.5);\nif (b.boil(90))\n  pour();\n```" in written
    assert "Definition" not in written
    assert "### boil()" in written, "without the sign of its address"
    fragments = "<section><div class='fragment'>Steep the tea.</div></section>"
    assert "```" not in dehusk.clean(fragments, method="keep-all").markdown, "of slides"


def test_the_count_of_visits_and_the_category_at_the_headline_are_no_text() -> None:
    written = markdown("joomla")
    assert "Published: 04 March 2025" in written
    assert "Hits" not in written
    assert "Category" not in written
    assert "Zubereitung" not in markdown("discourse")


def test_answers_of_quora_have_their_authors() -> None:
    assert [post.author for post in engine("quora").posts] == ["Mira Holt", "Jon Ek"]


def test_roles_make_tables() -> None:
    assert "| Flag | Meaning |\n| --- | --- |\n| `--hold` | Keep it hot. |" in markdown("gitbook")
    assert "<th>Flag</th>" in engine("gitbook").html
    rows = "<div role=row><div role=cell>Oolong</div><div role=cell>5 min</div></div>" * 2
    table = f"<div role=table><div role=row><div role=columnheader>Tea</div></div><p>{rows}</div>"
    assert "|" not in dehusk.clean(table.replace("columnheader", "cell"), method="keep-all").markdown, "no header"


def test_tables_of_many_roles_take_linear_time() -> None:
    def prepare(size: int) -> Callable[[], object]:
        page = f"<div role=table><div role=row>{'<div role=columnheader>Tea</div>' * size}</div></div>"
        document = dehusk.clean(page, method="keep-all")
        return lambda: document.render("markdown")

    assert_linear(prepare, 2_000)


PARTS = """<ul><li>
<section><h3>boil</h3><p>Heats the water to what is asked for.</p><dl><dt>Returns:</dt><dd>whether it is hot</dd></dl>
</section></li><li><section><h3>pour</h3><p>Pours it out.</p><dl><dt>Throws:</dt><dd>nothing</dd></dl></section>
</li></ul>"""


def test_sections_in_a_list_are_parts_of_a_page() -> None:
    page = f"<ul><li><section><h2>Methods</h2>{PARTS}</section></ul>"
    assert "## Methods\n\n### boil\n\nHeats the water" in dehusk.clean(page, method="keep-all").markdown


TRIAL = """<title>Steeping time of rolled leaves - PubMed</title><meta name=citation_author content="Mira Holt">
<meta name=citation_author content="Jon Ek"><main><h1>Steeping time of rolled leaves</h1><div class=authors-list>
<span><a href=/a>Mira Holt</a><sup><a href=#f1>1</a></sup>, </span><span><a href=/b>Jon Ek</a><sup><a href=#f2>2</a>
</sup></span></div><h2>Abstract</h2><p>Rolled leaves open slowly. How long they need to give their caffeine is not
known, so we steeped 120 cups of them for one to eight minutes in water of 90 °C.</p><p>After five minutes rolled
leaves gave 41 mg of caffeine, which is as much as cut leaves gave after three of them.</p>
<div><h2>Similar articles</h2><ul><li><a href=/c>Caffeine in green tea from the south hills.</a></ul></div></main>"""


def test_a_paper_has_its_authors_and_no_similar_articles() -> None:
    written = dehusk.clean(TRIAL).markdown
    assert "[Mira Holt](/a)" in written
    assert "[Jon Ek](/b)" in written
    assert "Similar" not in written


NEWS = """<title>Tea garden opens</title><div class=article itemscope itemtype="http://schema.org/Article"><h1
itemprop=headline>Tea garden opens</h1><div class=footer><p><time itemprop=datePublished datetime=2025-03-18>18.03.2025
</time> by <span itemprop=author itemscope><span itemprop=name>Mira Holt</span></span></p></div><p>On the first
Saturday of April the tea garden opens, on the slope in the south of the town.</p></div>"""


def test_the_byline_of_an_article_may_be_called_its_footer() -> None:
    metadata = dehusk.clean(NEWS).metadata
    assert (metadata.authors, metadata.date) == (("Mira Holt",), "2025-03-18")


JOB = """<title>Holt hiring Tea Buyer in Leith | Jobs</title><meta property=og:title content="Holt hiring Tea Buyer in
Leith | Jobs"><script type=application/ld+json>{"@type":"JobPosting","title":"Tea Buyer"}</script><h1>Tea Buyer</h1>
<p>Holt has sold tea in Leith since 1911, and looks for a buyer who can tell a second flush by its smell.</p>
<button>Show more</button><button>Show less</button>"""


def test_a_job_is_called_as_it_declares_and_buttons_that_open_it_are_no_text() -> None:
    page = dehusk.clean(JOB, method="keep-all")
    assert page.metadata.title == "Tea Buyer"
    assert "Show" not in page.markdown


POT = """<h1>Gongfu Teapot</h1><p>A pot of unglazed clay that takes on the taste of what you brew in it.</p><p>
<span>Price: </span><span style="display: none;">Now: </span><span>£34.50</span></p><dl><dt>SKU:</dt><dd>GF-150</dd><dt
style="display:none">UPC:</dt><dd></dd><dt>Weight:</dt><dd>0.4 kg</dd></dl><p>
<span>A widow reopens a tea house on a hill by the sea.
</span><span>A widow reopens a tea house on a hill by the sea.
</span></p>"""


def test_words_that_a_style_hides_and_copies_for_other_widths_are_left_out() -> None:
    written = dehusk.clean(POT, method="keep-all").markdown
    assert "Price: £34.50" in written
    assert "- **SKU:** GF-150\n- **Weight:** 0.4 kg" in written
    assert written.count("A widow") == 1


def test_many_hidden_words_in_a_line_take_linear_time() -> None:
    def prepare(size: int) -> Callable[[], object]:
        page = f"<p>Tea for two. {'<span style=display:none>Now: </span> tea ' * size}"
        return lambda: dehusk.clean(page, method="keep-all")

    assert_linear(prepare, 2_000)


def test_terms_of_a_date_at_the_headline_are_kept_with_it() -> None:
    page = """<h1>Tea imports: licences and fees</h1><dl class=metadata><dt>From:</dt><dd><a href=/d>Department for Leaf
</a></dd><dt>Published</dt><dd>3 February 2025</dd><dt>Last updated</dt><dd>12 March 2025</dd></dl><p>From April
everyone who brings more than 20 kg of tea a year into the country needs a licence from the department.</p>"""
    assert "- **Published:** 3 February 2025\n- **Last updated:** 12 March 2025" in dehusk.clean(page).markdown


def test_the_date_of_a_review_is_not_that_of_the_page() -> None:
    page = """<h1>Holt Kettle</h1><p>Our kettle is spun from one sheet of steel and plated with copper.</p><p>The handle
stays cool, and the lid does not fall off.</p><div class="user_reviews"><p>Posted: 2 December, 2024</p></div>"""
    assert dehusk.clean(page).metadata.date is None
    assert (
        dehusk.clean(
            "<title>The Kettle ⭐ 7.4 - Films</title><meta property=og:site_name content=Films><p>Tea"
        ).metadata.title
        == "The Kettle"
    )


def test_the_first_picture_of_a_live_blog_has_its_caption() -> None:
    written = markdown("live_blog")
    assert "strike.jpg?width=620)\n\nPickers on the road to Leith on Monday." in written


def test_short_comments_have_their_authors_and_moments() -> None:
    posts = [(post.author, post.text, post.date) for post in engine("stack_overflow").posts if post.kind == "comment"]
    assert posts[:2] == [("jek", "Which Python?", "2024-02-03T10:20:00+00:00"), ("mira", "3.12", posts[1][2])]


def test_a_recipe_is_without_its_switch_of_units() -> None:
    written = markdown("recipe_maker")
    assert "Customary" not in written
    assert "Prep Time 5 mins" in written
    assert "4 pods cardamom (crushed)" in written


def test_a_quote_in_a_post_is_apart_from_who_is_quoted_and_code_from_its_button() -> None:
    written = markdown("phpbb")
    assert "10:15 am How do you hold yours?" in written
    assert "Select all" not in written


def test_a_name_that_touches_the_date_is_a_byline_and_the_time_to_read_is_none() -> None:
    written = markdown("habr")
    assert written.startswith("[mholt](/ru/users/mholt/) 3 фев 2025 в 13:15\n\n# Как мы")
    assert "мин" not in written.partition("Килограмм")[0]
    assert "3.2K" not in written


def test_a_term_that_has_only_buttons_is_none_and_the_others_are_a_list() -> None:
    written = markdown("acl_anthology")
    assert "- **Month:** August\n- **Year:** 2024" in written
    assert "Copy Citation" not in written
    two = "<dl><dt>Tea</dt><dd><button>Copy</button></dd><dd>A leaf in hot water, which takes its time.</dd></dl>"
    assert "Tea" in dehusk.clean(two, method="keep-all").markdown, "of two definitions one is kept"


def test_a_badge_is_apart_from_the_word_before_it() -> None:
    assert (
        dehusk.clean("<h1>Tea Timer<span class=badge>4+</span></h1>", method="keep-all").text.strip() == "Tea Timer 4+"
    )
