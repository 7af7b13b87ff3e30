"""Lists of offers that a page is there for, sections that lead to other pages, and dialogs that nobody has opened."""

import numpy as np
import pytest

from dehusk import parse, segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label.united.rubric import with_slots

INTRO = "<h1>Kettles</h1><p>Kettles with a thin spout, for tea and for coffee by hand.</p>"


def grid(count: int = 9, price: str = "€{}.90") -> str:
    card = "<li><a href=/k{0}><h3>Kettle number {0}</h3></a><p>Holds {0} litres of water</p><span>{1}</span></li>"
    return f"<ul class=grid>{''.join(card.format(n, price.format(n + 20)) for n in range(1, count + 1))}</ul>"


def kept_of(body: str, *dropped: str, head: str = "", probability: float = 0.2) -> tuple[set[str], set[str]]:
    """Return the texts kept before and after, of a page of which all is kept but lines with certain words."""
    blocks = segment(parse(f"<head><title>Kettles</title>{head}</head><body><main>{body}</main>"))
    kept = np.array([not any(word in text for word in dropped) for text in blocks.texts])
    labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, probability), kept, reasons=[""] * len(blocks))
    after = with_slots(labels)
    after.validate()
    texts = np.array(blocks.texts, dtype=object)
    return set(texts[kept]), set(texts[after.kept])


OFFER = ("number", "litres", "€")


def test_the_offers_that_a_page_lists_are_kept() -> None:
    before, after = kept_of(INTRO + grid(), *OFFER)
    assert len(before) == 2
    assert {"Kettle number 7", "Holds 7 litres of water", "€27.90"} < after
    assert len(after) == 2 + 3 * 9


def test_offers_with_another_kind_of_price_or_none_are_kept_with_the_others() -> None:
    sale = "<li><a href=/s{0}><h3>Sale kettle {0}</h3></a><p>A last one</p><div><b>€1{0}.00</b></div></li>"
    none = "<li><a href=/n><h3>Kettle without its price</h3></a><p>Asked for</p></li>"
    mixed = grid(12).replace("<li><a href=/k4>", f"{none}{sale.format(1)}{sale.format(2)}<li><a href=/k4>")
    filters = "<div><p>Filter</p><p>Sort by</p></div>"
    before, after = kept_of(INTRO + filters + mixed, *OFFER, "Sale", "last", "without", "Asked", "Filter", "Sort")
    assert len(before) == 2
    assert {"Sale kettle 1", "€12.00", "Kettle without its price"} < after
    assert not after & {"Filter", "Sort by"}


def test_steps_of_a_numbered_list_of_which_most_are_kept_come_in() -> None:
    steps = [f"<li><p>Step {n} of the tea is done with water and a pot</p></li>" for n in range(1, 5)]
    odd = "<li>Odd one: pour it away, all of it<pre>pour --all</pre></li>"
    before, after = kept_of(f"{INTRO}<ol>{''.join(steps)}{odd}</ol><p>End</p>", "Odd", "pour --all")
    assert after - before == {"Odd one: pour it away, all of it", "pour --all"}
    for listed, likely in ((f"<ul>{''.join(steps)}{odd}</ul>", 0.2), (f"<ol>{''.join(steps)}{odd}</ol>", 0.1)):
        before, after = kept_of(f"{INTRO}{listed}<p>End</p>", "Odd", "pour --all", probability=likely)
        assert "Odd one: pour it away, all of it" not in after
    few = f"<ol>{''.join(steps)}{odd}</ol>"
    before, after = kept_of(f"{INTRO}{few}<p>End</p>", "Odd", "pour --all", "Step 2", "Step 3", "Step 4")
    assert "Odd one: pour it away, all of it" not in after


@pytest.mark.parametrize(
    ("body", "head", "probability"),
    [
        (INTRO + grid(7), "", 0.2),
        (INTRO + grid(price="No. {}"), "", 0.2),
        (INTRO + grid(), "<meta property=og:type content=article>", 0.2),
        (INTRO + grid(), "<meta property=og:type content=product>", 0.2),
        (INTRO + grid(), "", 0.02),
        (INTRO + "<h2>Related products</h2>" + grid(), "", 0.2),
        (INTRO + "<h2>Customers also bought</h2>" + grid(), "", 0.2),
        (INTRO + "<p>Tea needs water that is not too hot. </p>" * 12 + grid(), "", 0.2),
        (
            INTRO + "<p>Our price: €12.50</p>" + grid(),
            '<script type="application/ld+json">{"@type": "Product", "offers": {"price": "12.50"}}</script>',
            0.2,
        ),
    ],
    ids=["few", "no prices", "article", "product", "unlikely", "related", "also bought", "long text", "own price"],
)
def test_other_lists_of_offers_stay_out(body: str, head: str, probability: float) -> None:
    _, after = kept_of(body, "number", "litres", "No.", "€", head=head, probability=probability)
    assert not any("number" in text for text in after)


@pytest.mark.parametrize(
    "heading",
    [
        "Related products", "People who viewed this item also viewed", "You may also like",
        "More like this", "Read next", "Lesen Sie auch", "Das könnte Sie auch interessieren",
        "À lire aussi", "Te puede interesar", "Leggi anche", "Leia também", "Lees ook", "Zobacz także",
        "Читайте также", "Kunden kauften auch", "Quem viu também comprou", "Anderen kochten ook",
        "Související produkty", "Hasonló termékek", "Produse similare", "Benzer ürünler",
        "Preces, kas Jums varētu patikt", "Sản phẩm tương tự", "Схожі товари",
        "猜你喜欢", "あわせて読みたい", "관련 기사",
    ],
)  # fmt: skip
def test_sections_of_other_pages_go(heading: str) -> None:
    text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 9
    items = "<ul><li><h2>Why this</h2><h3>One other pot</h3></li><li>Two</li></ul>"
    cards = f"<div><div><h2>{{}}</h2></div>{items}</div>"
    before, after = kept_of(INTRO + text + cards.format(heading))
    assert before - after == {heading, "Why this", "One other pot", "Two"}


def test_sections_are_named_for_other_pages_by_their_classes_too() -> None:
    text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 9
    links = "<ul><li><a href=/1>One other pot</a></li><li><a href=/2>Two</a></li></ul>"
    for name in ("jp-relatedposts", "related-products", "cross-sells", "article_related_stories"):
        before, after = kept_of(f"{INTRO}{text}<div class={name}><p>Pots</p>{links}</div>")
        assert before - after == {"Pots", "One other pot", "Two"}
    for part in (
        f"<div class=relatively-new><p>Pots</p>{links}</div>",
        "<div id=related-products><p>Pots</p><p>Cups</p></div>",
    ):
        before, after = kept_of(f"{INTRO}{text}{part}")
        assert before == after


def test_headings_like_it_over_tables_and_prose_stay() -> None:
    row = "<tr><td>{}</td><td>{}</td></tr>"
    table = f"<table><tr><th>Field</th><th>Type</th></tr>{row.format('id', 'text')}{row.format('kind', 'list')}</table>"
    for section in (
        table,
        "<p>Products are related if people buy both of them, which a shop can tell from its orders.</p>",
    ):
        text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 9
        before, after = kept_of(f"{INTRO}{text}<div><h2>Related products</h2>{section}</div>")
        assert before == after


def test_a_heading_whose_cards_a_script_brings_takes_no_other_part_of_the_page() -> None:
    text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 9
    empty = "<div>" * 9 + "<h2>You might also enjoy</h2><div class=cards></div>" + "</div>" * 9
    before, after = kept_of(
        f"{INTRO}{text}<div>{empty}<div><p>Holds</p><p>One litre</p></div><p>Made of clay</p></div>"
    )
    assert before - after == {"You might also enjoy"}


def test_the_only_price_of_the_product_stays() -> None:
    head = '<script type="application/ld+json">{"@type": "Product", "offers": {"price": "12.50"}}</script>'
    bundle = "<div><h2>Frequently bought together</h2><ul><li>This kettle</li><li>€12.50</li><li>A cup</li></ul></div>"
    before, after = kept_of(INTRO + bundle, head=head)
    assert before - after == {"Frequently bought together", "This kettle", "A cup"}
    before, after = kept_of(INTRO + "<p>Only €12.50</p>" + bundle, head=head)
    assert before - after == {"Frequently bought together", "This kettle", "€12.50", "A cup"}


def test_a_dialog_that_is_not_open_goes() -> None:
    text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 2
    before, after = kept_of(
        f"{INTRO}{text}<dialog><p>Spout: where water leaves</p></dialog><dialog open><p>Open</p></dialog>"
    )
    assert before - after == {"Spout: where water leaves"}
    before, after = kept_of(f"<p>Short</p><dialog>{INTRO}{text}</dialog>")
    assert before == after, "the page is in it"


BIO = "<p>Ann Lee has written about kettles for twenty years.</p>"


@pytest.mark.parametrize("name", ["author-box", "about-the-author", "post__author-bio", "contributor-card"])
def test_who_the_author_is_goes_below_the_text(name: str) -> None:
    text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 3
    before, after = kept_of(f"{INTRO}{text}<div class='{name}'><h4>Ann Lee</h4>{BIO}</div>")
    assert before - after == {"Ann Lee", "Ann Lee has written about kettles for twenty years."}


@pytest.mark.parametrize(
    "body",
    [
        f"<div class=author-box>{BIO}</div>{{text}}",
        "{text}<div class=author-box>By Ann Lee</div>",
        f"{{text}}{f'<div class=author-box>{BIO}</div>' * 4}",
        f"{{text}}<div class=authority>{BIO}</div>",
        f"<p>Kettles</p><div class=author-box>{BIO}</div>",
    ],
    ids=["above the text", "a byline", "all who write", "another name", "all of the page"],
)
def test_what_is_no_box_of_an_author_stays(body: str) -> None:
    text = "<p>A text about kettles that is long enough to be what the page is about.</p>" * 4
    before, after = kept_of(body.format(text=text))
    assert before == after
