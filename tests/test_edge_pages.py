"""Pages that went wrong once, of what is kept and written: each line says what a reader missed or had too much of."""

import numpy as np
import pytest

import dehusk
from dehusk.blocks import segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label.united.rubric import with_slots
from dehusk.read import parse

TEXT = "<p>" + "The farmers of the valley have sold their tea at the market for three hundred years now. " * 4 + "</p>"
URL = "https://tea.example/valley"


def whole(body: str, head: str = "") -> dehusk.Document:
    """Return a page of which all is kept but controls and hidden text."""
    return dehusk.clean(f"<html><head>{head}</head><body>{body}", url=URL, method="keep-all")


def filled(body: str, head: str = "", url: str = URL) -> list[str]:
    """Return the texts that the rubric leaves of a page of which all was kept."""
    blocks = segment(parse(f"<html><head>{head}</head><body>{body}", url=url))
    kept = np.ones(len(blocks), dtype=np.bool_)
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.9), kept))
    after.validate()
    return [after.blocks.texts[block] for block in after.kept.nonzero()[0]]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("By Ann <i>|</i> <a href='#comments'>36 Comments</a>", "By Ann"),
        ("By Ann <i>|</i> <a href='/valley#respond'>Leave a comment</a> <i>|</i> 3 May", "By Ann | 3 May"),
        ("By Ann <a href='#disqus_thread'>13</a>", "By Ann"),
        ("By Ann <i>(</i><a href='#Comments'>comments: 133</a><i>)</i>", "By Ann"),
        ("Am 3. Mai <a href='#comments'>7 Kommentare</a>", "Am 3. Mai"),
    ],
)
def test_numbers_of_comments_in_a_line_go(line: str, left: str) -> None:
    assert whole(f"<h1>Tea</h1><p>{line}</p>{TEXT}<div id=comments></div>").text.split("\n")[2] == left


@pytest.mark.parametrize(
    "line",
    [
        "You can <a href='#respond'>comment</a> on it.",
        "<a href='#comment-200481'>1</a> Chris",
        "Comments: <a href='#comments'>3</a>",
        "2025 <b>May 3</b><a href='#comments'>0</a>1747 views",
    ],
)
def test_other_links_to_comments_stay(line: str) -> None:
    assert "](" in whole(f"<h1>Tea</h1><p>{line}</p>{TEXT}<div id=comments></div>").markdown


def test_a_heading_of_comments_stays() -> None:
    heading = "<h2><a href='#comments'>3 Comments</a></h2>"
    assert "3 Comments" in whole(f"<h1>Tea</h1>{TEXT}<div id=comments>{heading}{TEXT}</div>").text


@pytest.mark.parametrize(
    ("title", "heading", "is_added"),
    [("User Ali Hamdani", "Ali Hamdani", False), ("User Ali", "Ali", False), ("The best of all users", "Ali", True)],
)
def test_a_title_is_not_written_above_a_heading_that_is_half_of_it(title: str, heading: str, *, is_added: bool) -> None:
    markdown = whole(f"<h2>{heading}</h2>{TEXT}", f"<title>{title}</title>").markdown
    assert markdown.startswith(f"# {title}" if is_added else f"## {heading}")


LOGO = "<h1><a href='/'>The Leaf</a></h1>"


@pytest.mark.parametrize(
    ("body", "head", "left"),
    [
        (f"{LOGO}<h2>Tea of the valley</h2>{TEXT}", "<title>Tea of the valley - The Leaf</title>", "Tea of the valley"),
        (f"{LOGO}{LOGO}<h2>Tea of the valley</h2>{TEXT}", "<title>Tea of the valley</title>", "Tea of the valley"),
        (f"{LOGO}<h2>May</h2>{TEXT}", "<title>The Leaf: teas</title>", "May"),
    ],
)
def test_the_name_of_the_site_is_no_heading_of_its_pages(body: str, head: str, left: str) -> None:
    assert filled(body, head)[0] == left


def test_the_name_of_the_site_is_the_heading_of_its_start() -> None:
    assert filled(f"{LOGO}<h2>May</h2>{TEXT}", "<title>The Leaf: teas</title>", "https://tea.example/")[0] == "The Leaf"


@pytest.mark.parametrize(
    ("markup", "goes"),
    [
        ("<div>ADVERTISEMENT</div>", True),
        ("<div>- Werbung -</div>", True),
        ("<h5>Advertisement</h5>", True),
        ("<table><tr><td>Advertisement</td></tr></table>", True),
        ("<table><tr><td>Anzeige</td><td>LED</td></tr></table>", False),
        ("<ul><li>Publicidad</li></ul>", False),
        ("<div>Anzeige:</div>", False),
        ("<div>Advertising</div>", False),
    ],
)
def test_labels_of_advertisements_go(markup: str, *, goes: bool) -> None:
    with_label = filled(f"<h1>Tea</h1>{TEXT}{markup}{TEXT}")
    assert (len(with_label) == 3) == goes


RECIPE = '<script type="application/ld+json">{"@type": "Recipe", "name": "Tea"}</script>'
SHOP = "<script>addToCart()</script>"


POST = '<meta property="og:type" content="article">'


@pytest.mark.parametrize("head", [RECIPE, SHOP, RECIPE + POST])
@pytest.mark.parametrize(
    "line",
    [
        "4.83 from 1,234 votes",
        "5 Stars 4 Stars 3 Stars 2 Stars 1 Star 4.9 from 12 reviews",
        "4.2 out of 5 stars 471 ratings",
        "4,4 su 5 stelle 45 voti",
        "Did you make this recipe?",
        "Have you tried this recipe?",
    ],
)
def test_ratings_of_a_recipe_or_a_product_go(head: str, line: str) -> None:
    assert filled(f"<h1>Tea</h1>{TEXT}<div>{line}</div>{TEXT}", head).count(line) == 0
    assert filled(f"<h1>Tea</h1>{TEXT}<div>{line}</div>{TEXT}", SHOP + POST).count(line) == 1


def test_the_label_of_a_rating_goes_with_it() -> None:
    row = (
        "<tr><td>Customer Reviews</td><td>4.2 out of 5 stars 471 ratings</td></tr><tr><td>Weight</td><td>2 kg</td></tr>"
    )
    assert filled(f"<h1>Tea</h1>{TEXT}<table>{row}</table>{TEXT}", SHOP)[2:4] == ["Weight", "2 kg"]


def test_ratings_of_the_records_of_a_list_stay() -> None:
    records = "".join(f"<div>Tea {n}</div><div>4.{n} out of 5 stars</div>" for n in range(1, 7))
    assert sum("stars" in text for text in filled(f"<h1>Teas</h1>{TEXT}{records}", SHOP)) == 6


@pytest.mark.parametrize(
    ("label", "day"),
    [
        ("ΔΗΜΟΣΙΕΥΣΗ: 21/12/2011 11:49", "2011-12-21"),
        ("Posted on Tuesday, December 21, 2011", "2011-12-21"),
        ("Veröffentlicht am 21. Dezember 2011", "2011-12-21"),
        ("发布时间：2011-12-21 11:49", "2011-12-21"),
        ("Seen on December 21, 2011", "2013-04-10"),
    ],
)
def test_the_date_of_publication_is_the_one_with_its_label(label: str, day: str) -> None:
    head = f"<html lang={'de' if 'Ver' in label else 'el' if 'ΔΗ' in label else 'en'}><title>Tea of the valley</title>"
    page = f"{head}<body><div>2013-04-10</div><h1>Tea of the valley</h1><p>{label}</p>{TEXT}"
    assert dehusk.clean(page, method="keep-all").metadata.date == day


def test_two_labelled_dates_are_no_date_of_publication() -> None:
    page = "<title>Teas</title><h1>Teas</h1><p>2013-04-10</p><p>Posted May 3, 2012</p><p>Posted May 4, 2012</p>"
    assert dehusk.clean(page + TEXT, method="keep-all").metadata.date == "2013-04-10"


@pytest.mark.parametrize(
    ("declared", "authors"),
    [
        ("leaf.gr — The organization of leaves Ltd. A.E", ("Bo Cup",)),
        ("Ann Leaf, MS, FAND", ("Ann Leaf",)),
        ("Kettle Works, Inc", ("Kettle Works",)),
        ("Leaf, MS", ("Leaf, MS",)),
        ("Ann Leaf, Bo Cup", ("Ann Leaf", "Bo Cup")),
    ],
)
def test_authors_are_people_without_degrees(declared: str, authors: tuple[str, ...]) -> None:
    page = f"<title>Tea</title><meta name=author content='{declared}'><h1>Tea</h1><p class=byline>By Bo Cup</p>{TEXT}"
    assert dehusk.clean(page, method="keep-all").metadata.authors == authors


@pytest.mark.parametrize(
    "image",
    [
        *(
            f"<img alt=Cup src=data:image/gif;base64,R0 {name}=/cup.jpg>"
            for name in (
                "nitro-lazy-src",
                "data-delay-src",
                "load-src",
                "data-orig-src",
                "data-layzr",
                "data-default-src",
            )
        ),
        "<img alt=Cup src=data:image/gif;base64,R0 nitro-lazy-srcset='/cup.jpg 2x'>",
    ],
)
def test_addresses_of_late_images_are_found(image: str) -> None:
    assert "(https://tea.example/cup.jpg)" in whole(f"<h1>Tea</h1>{TEXT}<div>{image}</div>{TEXT}").markdown


@pytest.mark.parametrize(
    ("late", "address"),
    [
        ("<img src=/cup-large.jpg data-src=/cup.jpg data-small=/small.jpg>", "cup.jpg"),
        ("<img src=/1600/a.jpg srcset='/1600/a.jpg 1600w, /small.jpg 800w'>", "1600/a.jpg"),
        ("<img src=/ball.gif style='background: url(/small.jpg)'>", "small.jpg"),
    ],
)
def test_a_fallback_whose_address_an_attribute_has_is_a_copy(late: str, address: str) -> None:
    markdown = whole(f"<h1>Tea</h1>{TEXT}<div>{late}<noscript><img src=/small.jpg></noscript></div>{TEXT}").markdown
    assert markdown.count("![") == 1
    assert f"(https://tea.example/{address})" in markdown


@pytest.mark.parametrize(
    ("image", "goes"),
    [
        ("<a href=/share><img src=/s.png alt='Bookmark and Share'></a>", True),
        ("<a href=/share><img src=/s.png alt='Share on Facebook'></a>", True),
        ("<a href=/print><img src=/p.png alt='Print this page'></a>", True),
        ("<img src=/p.png alt='Print this page'>", False),
        ("<a href=/p><img src=/p.png alt='Print this page' width=400 height=300></a>", False),
        ("<a href=/p><img src=/p.png alt='Sharing tea'></a>", False),
    ],
)
def test_pictures_of_buttons_that_share_or_print_go(image: str, *, goes: bool) -> None:
    assert ("![" not in whole(f"<h1>Tea</h1>{TEXT}<p>{image}</p>{TEXT}").markdown) == goes


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("<b class=n>EAN-Nummer</b><b class=v>7610186303159</b>", "EAN-Nummer 7610186303159"),
        ("<b>39health</b>2024-04-23 12:27:25", "39health 2024-04-23 12:27:25"),
        ("<i class=d-block>Leaf</i>Oolong", "Leaf Oolong"),
        ("<b>v</b>2024-04", "v2024-04"),
    ],
)
def test_words_in_boxes_side_by_side_are_not_glued(line: str, shown: str) -> None:
    assert shown in whole(f"<h1>Tea</h1><p>{line}</p>{TEXT}").text


@pytest.mark.parametrize(
    ("above", "below", "is_kept"),
    [
        ("Tuesday, January 15, 2008", "Published: January 9, 2008", False),
        ("January 15, 2008", "January 14, 2008", False),
        ("January 15, 2008", "January 15, 2008", True),
        ("January 15, 2008", "By Ann Lee", True),
        ("January 15, 2008", "The harvest of January 9, 2008 and how it came to the market", True),
    ],
)
def test_the_date_of_today_above_the_headline_is_not_its_date(above: str, below: str, *, is_kept: bool) -> None:
    page = f"<body><div>{above}</div><h1>Tea of the valley</h1><div>{below}</div>{TEXT}"
    blocks = segment(parse(page))
    kept = (blocks.words >= 20) | np.array([text == "Tea of the valley" for text in blocks.texts])
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.1), kept))
    assert after.kept[0] == is_kept


@pytest.mark.parametrize("again", ["<h3>Ann Lee</h3>", "<div><a href=/ann>Ann Lee</a></div>"])
def test_the_name_of_the_byline_is_not_said_again(again: str) -> None:
    assert "Ann Lee" not in filled(f"<h1>Tea</h1><p>By Ann Lee</p>{again}{TEXT}")
    assert "Ann Lee" in filled(f"<h1>Tea</h1><p>By Bo Cup</p>{again}{TEXT}")


@pytest.mark.parametrize(
    ("title", "heading", "found"),
    [
        ("Pen FIBRALO kaufen", "Pen FIBRALO", "Pen FIBRALO"),
        ("Pen FIBRALO online bestellen", "Pen FIBRALO", "Pen FIBRALO"),
        ("Pens richtig kaufen", "Pens", "Pens richtig kaufen"),
        ("ᐅ Tea of the valley", "Tea", "Tea of the valley"),
    ],
)
def test_titles_are_without_what_shops_put_around_them(title: str, heading: str, found: str) -> None:
    assert whole(f"<h2>{heading}</h2>{TEXT}", f"<title>{title}</title>").metadata.title == found


def test_a_title_that_a_kept_heading_says_is_not_said_again() -> None:
    crumb = "<nav><a href=/>Home</a></nav><div>Opinions of the court</div>"
    page = f"<title>Opinions of the court</title>{crumb}<h1>Opinions of the court, and Orders</h1>{TEXT}"
    blocks = segment(parse(page))
    kept = (blocks.words >= 20) | np.array([text.endswith("Orders") for text in blocks.texts])
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.3), kept))
    assert not after.kept[1]
    other = page.replace("Opinions of the court, and Orders", "All of this year's Orders")
    blocks = segment(parse(other))
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.3), kept))
    assert after.kept[1]


@pytest.mark.parametrize(
    ("pictures", "count"),
    [
        ("<figure><img src=/a.jpg alt='A pot' width=300><img src=/a.jpg alt='A pot' width=900></figure>", 1),
        ("<div><img src=/a.jpg alt='A pot'></div><div><img src=/a.jpg alt='A pot'></div>", 1),
        ("<p><img src=/a.jpg><img src=/a.jpg></p>", 2),
        ("<div><img src=/a.jpg></div>and<div><img src=/a.jpg></div>", 2),
    ],
)
def test_a_picture_twice_in_a_row_is_written_once(pictures: str, count: int) -> None:
    assert whole(f"<h1>Tea</h1>{TEXT}{pictures}{TEXT}").markdown.count("/a.jpg") == count


def test_the_first_day_of_a_clock_and_the_day_of_a_caption_are_no_dates_of_a_page() -> None:
    clock = "<meta property='article:modified_time' content='1970-01-01T00:00:00Z'>"
    assert whole(f"<h1>Tea</h1>{TEXT}", clock).metadata.modified is None
    caption = "<figure><img src=/a.jpg><figcaption>Audio: the pot | 24.04.2024</figcaption></figure>"
    assert whole(f"<h1>Tea</h1>{caption}{TEXT}").metadata.date is None
