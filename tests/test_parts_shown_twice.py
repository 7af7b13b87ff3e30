"""Parts of a page that are there again: in a carousel, in large letters, as a second title; and what only seems so."""

import numpy as np
import pytest

from dehusk import parse, segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label.united.rubric import with_slots

QUOTE = "Green tea needs cooler water than black tea does, say the farmers."
TEXT = f"<p>The farmers of the valley were clear. {QUOTE} Nobody asked them why.</p>"


def gone(body: str) -> list[str]:
    """Return the texts of a page that are dropped after all of it was kept."""
    blocks = segment(parse(f"<title>Tea of the valley</title>{body}"))
    kept = np.ones(len(blocks), dtype=np.bool_)
    before = Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.95), kept, reasons=[""] * len(blocks))
    after = with_slots(before)
    after.validate()
    return [blocks.texts[block] for block in (~after.kept).nonzero()[0]]


@pytest.mark.parametrize(
    "name",
    ["slick-slide slick-cloned", "swiper-slide swiper-slide-duplicate", "splide__slide--clone", "owl-item cloned"],
)
def test_slides_that_a_carousel_has_twice_are_kept_once(name: str) -> None:
    slides = "<div class=slide><p>Tea is good, says Ann</div><div class=slide><p>Tea is fine, says Bo</div>"
    clone = f"<div class='{name}'><p>Tea is fine, says Bo</div>"
    assert gone(f"<h1>Tea of the valley</h1>{clone}{slides}{TEXT}") == ["Tea is fine, says Bo"]
    assert gone(f"<h1>Tea of the valley</h1>{clone}{TEXT}") == []  # it is there but once


def test_a_quotation_that_is_pulled_out_of_the_text_goes() -> None:
    pulled = "<aside class=pullquote><p>{}</aside>"
    assert gone(f"<h1>Tea of the valley</h1>{TEXT}{pulled.format(QUOTE)}") == [QUOTE]
    assert gone(f"<h1>Tea of the valley</h1>{TEXT}{pulled.format('Of black tea they said nothing at all.')}") == []
    assert gone(f"<h1>Tea of the valley</h1>{TEXT}<blockquote><p>{QUOTE}</blockquote>") == []


TITLES = ["How tea is grown", "Tea and water", "The price of tea"]


def sections(*entries: str, label: str = "", titles: list[str] = TITLES) -> str:
    """Return a page with a list of entries above its sections."""
    items = "".join(f"<li><a href=#s>{entry}</a>" for entry in entries)
    texts = "".join(f"<h2>{title}</h2><p>{QUOTE} So says number {n}.</p>" for n, title in enumerate(titles))
    return f"<h1>Tea of the valley</h1>{TEXT}<div>{label}<ul>{items}</ul></div>{texts}"


def test_the_contents_of_the_page_go_with_their_label() -> None:
    assert gone(sections(*TITLES)) == TITLES
    numbered = ["1. How tea is grown", "2. Tea and water:", "3) The price of tea"]
    assert gone(sections(*numbered, label="<p>Jump to:</p>")) == ["Jump to:", *numbered]
    nested = f"{TITLES[0]}</a><ul><li><a href=#t>{TITLES[1]}</a><li><a href=#u>{TITLES[2]}</a></ul>"
    assert gone(sections(nested)) == TITLES
    named = "".join(f"<li><span class=TOCTitle>{title}</span>" for title in TITLES)
    assert gone(sections().replace("<ul></ul>", f"<ul>{named}</ul>")) == TITLES


def test_lists_that_say_more_than_the_headings_stay() -> None:
    assert gone(sections(*TITLES[:2])) == []
    assert gone(sections(*TITLES, "Ten grams of tea", "A litre of water")) == []
    assert gone(sections("10% water", "49% tea", "28% sugar", titles=["Water", "Tea", "Sugar"])) == []
    below = "".join(f"<li>{title}" for title in TITLES)
    assert gone(f"{sections()}<p>What we have seen:</p><ul>{below}</ul>") == []


def test_contents_that_are_the_page_stay() -> None:
    items = "".join(f"<li>{title}" for title in TITLES)
    titles = "".join(f"<h2>{title}</h2><p>Soon.</p>" for title in TITLES)
    assert gone(f"<h1>Tea</h1><ul>{items}</ul>{titles}") == []


def test_the_main_heading_is_kept_once() -> None:
    page = f"<h1>Tea of the valley</h1>{TEXT}<h1>Tea of the valley</h1><p>Steep it for three minutes.</p>"
    assert gone(page) == ["Tea of the valley"]
    assert gone(page.replace("<p>Steep", "<h1>Another tea</h1><p>Steep")) == ["Tea of the valley"]
    assert gone(f"<h1>Tea of the valley</h1>{TEXT}<table><tr><td><h1>Tea of the valley</h1><td>5 g</table>") == []


def test_a_heading_that_is_the_main_one_above_the_first_paragraph_goes() -> None:
    path, title = "<h1>Tea of the valley</h1><p>3 May 2026</p>", "<h2>Tea of the valley</h2>"
    text = TEXT.replace("Nobody", "They have said so for many years. Nobody")
    assert gone(f"{path}{title}{text}") == ["Tea of the valley"]
    assert gone(f"{path}<img src=/tea.jpg>{title}{text}") == []
    assert gone(f"{path}{text}{title}{text[:-40]}") == []


def test_a_line_that_is_the_headline_right_below_it_goes() -> None:
    assert gone(f"<h1>Tea of the valley</h1><p>Tea of the valley</p>{TEXT}") == ["Tea of the valley"]
    assert gone(f"<h1>Tea of the valley</h1>{TEXT}<p>Tea of the valley</p>") == []


SAME = "".join(
    f"<li>A pot of {kind} tea for two of you, with warm milk and as much sugar as you like." for kind in "abcd"
)


@pytest.mark.parametrize("name", ["breadcrumb", "nav-crumbs", "breadcrumbs__item"])
def test_the_title_in_the_path_to_the_page_goes_if_it_stands_below(name: str) -> None:
    path = f"<ul class={name}><li><a href=/t>Teas</a></li><li><h3>Tea of the valley</h3></li></ul>{TEXT * 2}"
    assert gone(f"{path}<h2>Tea of the valley</h2><p>Ann picks it.") == ["Tea of the valley"]
    assert gone(f"{path}<p>Ann picks it.") == []
    assert gone(f"{path.replace(name, 'list')}<h2>Tea of the valley</h2><p>Ann picks it.") == []


def test_a_heading_over_a_label_of_its_level_stays() -> None:
    card = "<h3>{}</h3><p>Shop now</p><h3>{}</h3><ul><li>It keeps the water hot.</ul>"
    blocks = segment(parse(f"<title>Kettles</title><h1>Kettles</h1>{TEXT}{card.format('The K2', 'Pros:')}"))
    kept = np.array([text != "Shop now" for text in blocks.texts])
    before = Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.6), kept, reasons=[""] * len(blocks))
    assert (with_slots(before).kept == kept).all()
    blocks = segment(parse(f"<title>Kettles</title><h1>Kettles</h1>{TEXT}{card.format('The K2', 'Reasons')}"))
    before = Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.6), kept, reasons=[""] * len(blocks))
    assert blocks.texts[int((kept & ~with_slots(before).kept).argmax())] == "The K2"


def test_what_two_offers_have_alike_stays_in_both() -> None:
    offers = "".join(
        f"<h2>{name} tea</h2><ul><li>Only for {name} guests of the house.</li>{SAME}</ul>" for name in ("High", "Royal")
    )
    assert gone(f"<h1>Tea of the valley</h1>{TEXT}{offers}") == []


def test_a_whole_list_that_is_there_again_goes() -> None:
    page = f"<h1>Tea of the valley</h1><div><ul>{SAME}</ul></div>{TEXT}<div><ul>{SAME}</ul></div><p>The end of it.</p>"
    assert len(gone(page)) == 4


def test_something_stays_of_a_page_of_which_all_would_go() -> None:
    rows = "".join(f"<p>Read more: <a href=/{number}>Tea of the year {number}</a></p>" for number in range(6))
    blocks = segment(parse(f"<title>Tea</title>{rows}<footer><h4>Tea</h4></footer>"))
    kept = np.arange(len(blocks)) < 6
    before = Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.5), kept, reasons=[""] * len(blocks))
    assert with_slots(before).kept.any()


@pytest.mark.parametrize(
    ("short", "goes"),
    [
        ("<p>The farmers of the valley were clear. Green tea…</p>", True),
        ("<div>The farmers of the valley were clear. Green tea... <a href=#>Read more</a></div>", True),
        ("<p>The farmers of the valley were clear. Green tea …<a href=#>显示全部</a></p><p>By Ann</p>", True),
        ("<p>The farmers of the valley were clear …</p><img src=tea.jpg>", False),
        ("<pre>The farmers of the valley were clear. Green tea...</pre>", False),
        ("<h2>The farmers of the valley were clear…</h2>", False),
        ("<p>The farmers of the hills were clear. Green tea…</p>", False),
        ("<p>The farmers…</p>", False),
    ],
)
def test_the_start_of_a_text_that_is_there_in_full_goes(short: str, goes: bool) -> None:
    assert len(gone(f"<h1>Tea of the valley</h1><p>A long story about tea.</p>{short}{TEXT}")) == goes
