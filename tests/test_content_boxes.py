"""Words in boxes side by side are apart in every output; other elements in a line part no word."""

import re

import pytest

import dehusk

APART = {
    "the parts of a flexible row": ('<div class="flex gap-1"><span>12</span><span>Reviews</span></div>', "12 Reviews"),
    "names of Bootstrap and Bulma": (
        '<div class="d-inline-flex"><b>Oolong</b><i>cups</i></div><div class="is-flex"><i>Green</i><i>tea</i></div>',
        "Oolong cups Green tea",
    ),
    "the cells of a grid": ('<div class="card grid"><a href="/a">Leaf</a><a href="/b">Bud</a></div>', "Leaf Bud"),
    "text beside a part": ('<div class="flex">Steep<span>three minutes</span></div>', "Steep three minutes"),
    "deep in the parts": ('<p class="flex"><span><b>Cup</b></span><span><a><i>size</i></a></span></p>', "Cup size"),
    "two dates": ("<p><time>May 3, 2026</time><time>May 4, 2026</time></p>", "May 3, 2026 May 4, 2026"),
    "a label and its date": ("<p><span>Posted on</span><time>May 3, 2026</time></p>", "Posted on May 3, 2026"),
    "a word and an author's card": (
        '<p><span>By</span><span class="author vcard"><a href="/ann">Ann Leaf</a></span></p>',
        "By Ann Leaf",
    ),
    "a brand and a title": (
        '<h2><span class="brand">The Leaf</span><span class="title"><b>Oolong</b> 6</span></h2>',
        "The Leaf Oolong 6",
    ),
    "a label with a colon": ('<p><b class="x">Item number:</b><b class="x">33533</b></p>', "Item number: 33533"),
    "a label and a number": ('<p><b class="x">Total time</b><b class="y">60 mins</b></p>', "Total time 60 mins"),
    "prices and a discount": (
        '<p><b class="now">$116.97</b><b class="was">$145</b><b class="off">19% off</b></p>',
        "$116.97 $145 19% off",
    ),
    "a date and a time": ('<p><b class="x">May 3, 2026</b><b class="y">11:30</b></p>', "May 3, 2026 11:30"),
    "two texts of several words": (
        '<p><b class="x">15 mins</b><b class="y">of steeping</b></p>',
        "15 mins of steeping",
    ),
    "a brand in capitals": ('<p><b class="x">LEAF</b><b class="y">Oolong</b></p>', "LEAF Oolong"),
    "a sign at the end": ('<p><b class="x">Black (60%)</b><b class="y">Oolong</b></p>', "Black (60%) Oolong"),
    "a number of one digit": ('<p><b class="x">Prep time</b><b class="y">2</b> hours</p>', "Prep time 2 hours"),
    "labels in a row": (
        '<p><b><i class="x">Fat: </i><i class="x">2</i><i class="x">g</i></b><b><i class="x">Fibre: </i>3</b></p>',
        "Fat: 2g Fibre: 3",
    ),
    "labels with their values": (
        '<p><b class="x">Width: 12 cm</b><b class="x">Height: 10 cm</b></p>',
        "Width: 12 cm Height: 10 cm",
    ),
    "links": ("<p><a href=/a>Green tea</a><a href=/b>leaves</a></p>", "Green tea leaves"),
    "controls": ("<div><label>Green</label><label>black</label></div>", "Green black"),
    "who is quoted": ("<div><cite>Ann wrote:</cite>green tea</div>", "Ann wrote: green tea"),
    "a date that was changed": (
        '<p><b class="new">May 3, 2026</b><b class="old">March 1</b></p>',
        "May 3, 2026 March 1",
    ),
    "two sentences": (
        '<p><b class="x">Wipe the pot dry.</b><b class="x">Do not boil it.</b></p>',
        "Wipe the pot dry. Do not boil it.",
    ),
    "a name and what it is": ('<p><b class="x">KLEINEN</b><b>Tea pot with a lid</b></p>', "KLEINEN Tea pot with a lid"),
    "a price and the one before": ("<p><b>$98.00</b><b class=x>$130.00</b></p>", "$98.00 $130.00"),
    "numbers with labels": ("<p><b>SKU: TM35E</b><b>MFR: AF70</b></p>", "SKU: TM35E MFR: AF70"),
    "a label after a unit": (
        '<p><b class="x"><i>21</i><i>IU</i></b><b class="x"><i>Salt: </i>2</b></p>',
        "21IU Salt: 2",
    ),
    "a label that is cut short": ('<p><b class="x">Article no.:</b><b class="y">202.48</b></p>', "Article no.: 202.48"),
    "an element that stands for a line break": (
        '<p>Tea survives<span class="x br"></span>One cup</p>',
        "Tea survives One cup",
    ),
    "a title at the start of an item": (
        "<ul><li><b>No plastic</b>Our bags are of paper</ul>",
        "- No plastic Our bags are of paper",
    ),
    "a title by its class": (
        '<p><b class="item-title">Origin</b>Our tea is from Japan</p>',
        "Origin Our tea is from Japan",
    ),
    "a sentence in an element": (
        "<p>Our pots keep it warm.<span>Steep for <a href=/t>three minutes</a> only.</span></p>",
        "Our pots keep it warm. Steep for three minutes only.",
    ),
    "a heading after a sentence": (
        '<p><b class="x">Made for tea.</b><b class="y">Designer</b></p>',
        "Made for tea. Designer",
    ),
    "a date and a name": ("<p><x-ago>3 May 2026</x-ago><b><a href=/l>Leaf</a></b></p>", "3 May 2026 Leaf"),
    "two properties": ('<p><b itemprop="name">Tea Set</b><b itemprop="sku">92/95</b></p>', "Tea Set 92/95"),
    "a share": ('<p><i class="x">Salt 1g</i><i class="y"><b>4%</b></i></p>', "Salt 1g 4%"),
    "a score": ("<p><i class=x>Warmth<svg></svg></i><i>5/6</i></p>", "Warmth 5/6"),
    "an amount in rupees": ('<p><b class="x">Leaf</b><b class="y">₹500</b></p>', "Leaf ₹500"),
}
TOGETHER = {
    "an empty element that is named otherwise": ('<p>Mac<span class="bread"></span>Leaf</p>', "MacLeaf"),
    "a name in parts of one class": ('<p><i class="x">Mac</i><i class="x">Leaf</i></p>', "MacLeaf"),
    "a name that is partly in an element": ('<p>Mac<i class="x">Leaf</i></p>', "MacLeaf"),
    "an initial": ('<p><i class="x">i</i><i class="y">Leaf</i></p>', "iLeaf"),
    "the name of a file": ('<p><b class="x">tea.mp</b><b class="y">4</b></p>', "tea.mp4"),
    "letters in code": ('<p>a <code><i class="x">new</i><i class="y">Leaf</i></code></p>', "a newLeaf"),
    "a number with its unit": ('<p><b class="x">527</b><b class="y">kcal</b></p>', "527kcal"),
    "the parts of a price": ('<p><b class="x">$127</b><b class="y">99 a pot</b></p>', "$12799 a pot"),
    "the parts of a time": ('<p><b class="x">12:</b><b class="y">30</b></p>', "12:30"),
    "a sign of code": ('<p>a <code><b class="x">tea:</b><b class="y">new</b></code></p>', "a tea:new"),
    "the parts of an address": ('<p><b class="x">www.</b><b class="y">Leaf.example</b></p>', "www.Leaf.example"),
    "a tag with a prefix": ("<p>a &lt;<b>tea</b><b>:</b><b>Leaf</b>&gt;</p>", "a <tea:Leaf>"),
    "a formula": ("<p>H<b>2</b>O and <b>C</b><i>2</i></p>", "H2O and C2"),
    "a word in two links to one place": ("<p><a href=/a>Mac</a><a href=/a>Leaf</a></p>", "MacLeaf"),
    "a title that is cited": ("<p><cite>Tea</cite>s of Japan</p>", "Teas of Japan"),
    "letters in bold": ("<p><b>b</b>old leaves</p>", "bold leaves"),
    "spans in a line": ('<p><span class="run">Securi</span><span class="run">ng tea</span></p>', "Securing tea"),
    "a word within one part": ('<div class="flex"><p><b>T</b>ea for two</p></div>', "Tea for two"),
    "the letters of a title that moves": ('<h2 class="flex"><i>T</i><i>e</i><i>a</i></h2>', "Tea"),
    "a row on wide screens only": ('<p class="md:flex"><b>b</b>old leaves</p>', "bold leaves"),
    "flex as a part of another name": ('<p class="flexible"><b>b</b>old leaves</p>', "bold leaves"),
    "half a name in bold": ("<p><b>You</b>Tube has films about tea</p>", "YouTube has films about tea"),
    "a price of microdata": ('<p><b itemprop="priceCurrency">€</b><b itemprop="price">12</b></p>', "€12"),
    "one property": ('<p><b itemprop="name">Mac</b><b itemprop="name">Leaf</b></p>', "MacLeaf"),
    "a host after a sentence": (
        "<p>Look at the pots of tea.<b>example now and then</b></p>",
        "Look at the pots of tea.example now and then",
    ),
    "signs beside a date": ("<p>Posted (<time>May 3, 2026</time>)</p>", "Posted (May 3, 2026)"),
}


@pytest.mark.parametrize("name", [*APART, *TOGETHER])
def test_words_of_boxes(name: str) -> None:
    html, expected = (APART | TOGETHER)[name]
    document = dehusk.clean(f"<article>{html}</article>", method="keep-all")
    markdown = re.sub(
        r"\[([^]]*)\]\([^)]*\)", r"\1", document.markdown.replace("*", "").replace("`", "").replace("## ", "")
    )
    assert " ".join(document.text.split()) == expected
    assert " ".join(markdown.split()) == expected
    assert " ".join(dehusk.clean(document.html, method="keep-all").text.split()) == expected


def test_the_text_of_a_picture_beside_a_word_is_no_text() -> None:
    html = '<p><i class="x">Oolong</i><img class="y" alt="Leaves of oolong"><b class="z">Tea</b></p>'
    for body in (html, html.replace("<p>", '<p class="flex">')):
        text = dehusk.clean(f"<article>{body}<p>More of it.</article>", method="keep-all").text
        assert "Leaves" not in text
