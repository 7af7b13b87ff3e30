"""Lines among those of an article that the site says: calls, tags, buttons, labels of what is dropped."""

import numpy as np
import pytest

from dehusk.blocks import segment
from dehusk.blocks.labels import PARAGRAPH, Labels
from dehusk.label.united.rubric import with_slots
from dehusk.read import parse

TEXT = "The tea of the hills is picked in spring, and the leaves are dried in the shade of the barns for days."
RECIPE = '<script type="application/ld+json">{"@type": "Recipe"}</script>'
ARTICLE = '<meta property="og:type" content="article">'
CALLS = [
    "Log in or sign up to comment.",
    "Please sign in to leave a comment.",
    "You must be logged in to post a comment",
    "You need to log in before you can comment on or make changes to this bug.",
    "Du musst eingeloggt sein, um einen Kommentar zu schreiben.",
    "Connectez-vous pour laisser un commentaire",
    "Inicia sesión para comentar",
    "Je moet ingelogd zijn om te reageren.",
    "Войдите, чтобы оставить комментарий",
    "Support independent journalism. Become a member today.",
    "Please consider making a small donation to keep these pages online.",
    "If you enjoyed this story, please consider becoming a member.",
    "Unterstützen Sie unabhängigen Journalismus",
    "Jetzt spenden",
    "Soutenez notre rédaction",
    "Sostieni il giornalismo indipendente",
    "Steun onafhankelijke journalistiek",
    "Apoya nuestro periodismo",
    "Comments must be civil and on topic.",
    "Comments are moderated before they appear.",
    "Your email address will not be published.",
    "Ihre E-Mail-Adresse wird nicht veröffentlicht.",
    "Votre adresse e-mail ne sera pas publiée.",
    "We need your consent to show this content",
    "This content isn't visible due to your cookie preferences.",
    "An dieser Stelle finden Sie einen von der Redaktion ausgewählten, externen Inhalt.",
    "Ich bin damit einverstanden, dass mir externe Inhalte angezeigt werden.",
    "Pour afficher ce contenu, vous devez accepter les cookies.",
    "Para ver este contenido debes aceptar las cookies.",
    "Per visualizzare questo contenuto devi accettare i cookie.",
    "Om deze inhoud te tonen moet je cookies accepteren.",
    "点击上方蓝字关注我们",
    "长按二维码，识别后关注",
    "欢迎关注微信公众号：山上的茶",
]
CONTENT = [
    "Log in to the shop to reply to comments of customers.",
    "Sign in to the tea room, and pour a cup for whoever may comment.",
    "The readers support independent journalism with what they give.",
    "Comments must start with two slashes.",
    "The site needs consent to show maps, said the judge.",
    "Become a member of the tea guild at the meeting in May.",
    "Donate the old pots to the museum, she said.",
    "Um Tee zu kochen, brauchen wir Wasser.",
    "用微信扫码登录，无需绑定手机号。",
]


def dropped(line: str, head: str = "", *, keep_sides: bool = False) -> list[str]:
    """Return the texts that are dropped of a page of which all but the footer is kept."""
    page = f"<title>Tea of the hills</title>{head}<h1>Tea of the hills</h1><p>{TEXT}</p>{line}"
    blocks = segment(parse(f"{page}<p>{TEXT[:-9]}</p><footer><p><a href=/>Menu</a></p></footer>"))
    kept = np.array([text != "Menu" for text in blocks.texts])
    labels = Labels(blocks, np.full(len(blocks), PARAGRAPH, np.uint8), np.where(kept, 0.95, 0.0), kept)
    after = with_slots(labels, keep_sides=keep_sides)
    return [blocks.texts[block] for block in (kept & ~after.kept).nonzero()[0]]


@pytest.mark.parametrize("call", CALLS)
def test_calls_are_dropped(call: str) -> None:
    assert dropped(f"<p>{call}</p>") == [call]
    assert dropped(f"<p>{call}</p>", keep_sides=True) == []


@pytest.mark.parametrize("line", CONTENT)
def test_what_only_has_such_words_stays(line: str) -> None:
    assert dropped(f"<p>{line}</p>") == []


def test_an_element_named_for_a_call_goes_with_all_it_says() -> None:
    box = "<h4>We are at your side</h4><p>Our news is free.</p><p>Contribute as little as $2.</p>"
    assert len(dropped(f"<div class=cli-support-times>{box}</div>")) == 3
    assert dropped(f"<div class=box>{box}</div>") == ["Contribute as little as $2."]


def test_on_a_page_about_them_they_stay() -> None:
    page = "<h1>Donations</h1><p>Tea needs you.</p><p>Jetzt spenden, und mit dem Geld wird ein Haus für Tee gebaut.</p>"
    blocks = segment(parse(page))
    kept = np.ones(len(blocks), np.bool_)
    labels = Labels(blocks, np.full(len(blocks), PARAGRAPH, np.uint8), np.where(kept, 0.95, 0.0), kept)
    assert with_slots(labels).kept.all()


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        ("<p>Tags: <a href=/a>tea</a>, <a href=/b>hills</a></p>", True),
        ("<p>Categories: <a href=/a>Tea</a> | </p>", True),
        ("<p>Filed under <a href=/a>Tea</a></p>", True),
        ("<p>Posted in: <a href=/a>Tea</a> | comments</p>", True),
        ("<p>Schlagworte: <a href=/a>Tee</a></p>", True),
        ("<p>Posted in <a href=/a>Tea</a> by <a href=/b>Ann Smith</a></p>", False),
        ("<p>Posted in <a href=/a>Tea</a> on 1 May 2020</p>", False),
        ("<p>Keywords: tea, hills</p>", False),
        ("<p>Tags: tea, hills</p>", False),
        ("<p>Topics: <a href=/a>the tea of the hills</a>, and what the farmers say of it</p>", False),
        ("<p>Tags: <a href=/a>tea</a></p><img src=tea.jpg>", False),
        ("<p>Category: <a href=/a>Tea</a></p><p>Leaves</p>" * 4, False),
    ],
)
def test_tags_and_categories_that_are_links_are_dropped(line: str, goes: bool) -> None:
    assert bool(dropped(line)) == goes


@pytest.mark.parametrize(
    ("line", "head", "goes"),
    [
        ("Keyword: tea, hills", RECIPE, True),
        ("Tags: tea, hills", RECIPE, True),
        ("Category: Dessert", RECIPE, False),
        ("Tags: tea, hills", ARTICLE, True),
        ("Keywords: tea, hills", ARTICLE, False),
    ],
)
def test_plain_tags_go_on_articles_and_keywords_on_recipes(line: str, head: str, goes: bool) -> None:
    assert bool(dropped(f"<p>{line}</p>", head)) == goes


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("<p>Recent posts from Ann:</p>", ["Recent posts from Ann:"]),
        ("<p>On the net:</p><p><b>By Ann:</b></p>", ["On the net:", "By Ann:"]),
        ("<p>She is happy :wink:</p>", []),
        ("<p>The film:</p><video src=/film></video>", []),
    ],
)
def test_a_last_label_goes_with_its_links(line: str, expected: list[str]) -> None:
    page = f"<h1>Tea of the hills</h1><p>{TEXT}</p>{line}<ul><li><a href=/a>Menu</a></ul>"
    blocks = segment(parse(page))
    kept = np.array([text != "Menu" for text in blocks.texts])
    labels = Labels(blocks, np.full(len(blocks), PARAGRAPH, np.uint8), np.where(kept, 0.95, 0.0), kept)
    after = with_slots(labels)
    assert [blocks.texts[block] for block in (kept & ~after.kept).nonzero()[0]] == expected


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        ("<p>Show map</p>", True),
        ("<div>See details</div>", True),
        ("<p><b>Read more »</b></p>", True),
        ("<p>Copied!</p>", True),
        ("<p>Toggle</p>", True),
        ("<p>Share this article</p>", True),
        ("<p>Mehr anzeigen</p>", True),
        ("<p>阅读全文</p>", True),
        ("<p>Pin it for later!</p><p><img src=pin.jpg alt=Tea></p>", True),
        ("<p>Share this</p><p><img src=tea.jpg alt=Tea></p>", False),
        ("<p>Read more:</p>", False),
        ("<h2>Expand</h2>", False),
        ("<ul><li>Share</li><li>Pin it</li></ul>", False),
        ("<p>Share this with all who drink tea</p>", False),
        ("<button>Add the kettle of 2 litres to Compare</button>", True),
        ("<ul><li>A kettle</li><li><button>Remove A kettle from your wish list</button></li></ul>", True),
        ("<p>Ajouter la théière au panier</p>", True),
        ("<p>Add the leaves to the water, then the honey.</p>", False),
        ("<h2>Add a kettle to your cart</h2>", False),
        ("<p>Back to top</p>", True),
    ],
)
def test_texts_of_buttons_are_dropped(line: str, goes: bool) -> None:
    assert bool(dropped(line)) == goes


@pytest.mark.parametrize(
    ("lines", "goes"),
    [
        ("<p>By</p><p>The tea is picked.</p>", True),
        ("<p>Written by</p><p>May 3, 2020</p>", True),
        ("<p>Posted by:</p><p>Ann Smith</p>", False),
        ("<p>By</p><p>Ann Smith, May 3, 2020</p>", False),
        ("<p>Von</p><p>BR24 Redaktion</p>", False),
    ],
)
def test_the_start_of_a_byline_goes_without_a_name(lines: str, goes: bool) -> None:
    assert bool(dropped(lines)) == goes
