"""What a page declares of things, and the blocks that show it."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_linear
from dehusk.about.declared import read_declared

SHOP = "<h1>Kyusu</h1><p>A teapot with a handle at its side, for three cups of green tea from Uji.</p><p>{}</p>"


def declared(things: object, body: str = SHOP.format("€ 29,90")) -> list[dehusk.DeclaredThing]:
    script = f"<script type='application/ld+json'>{json.dumps(things)}</script>"
    return dehusk.clean(f"<title>Kyusu</title>{script}{body}", method="keep-all").declared


def facts(things: object, body: str = SHOP.format("€ 29,90")) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {fact.name: (fact.value, fact.blocks) for thing in declared(things, body) for fact in thing.facts}


def test_a_product_with_its_offer() -> None:
    offer = {"@type": "Offer", "price": 29.9, "availability": "https://schema.org/InStock", "url": "https://a.b/c"}
    (product,) = declared({"@type": "Product", "name": "Kyusu", "sku": "KY-3", "offers": offer})
    assert (product.type, product.source) == ("Product", "json-ld")
    assert [(fact.name, fact.value, fact.blocks, fact.kept) for fact in product.facts] == [
        ("name", "Kyusu", (0,), True),
        ("sku", "KY-3", (), False),
        ("offers.price", "29.9", (2,), True),
        ("offers.availability", "InStock", (), False),
        ("offers.url", "https://a.b/c", (), False),
    ]
    assert product.values("offers.price") == ["29.9"]


@pytest.mark.parametrize(
    ("name", "value", "line", "is_shown"),
    [
        ("price", "1299", "1.299,00 €", True),
        ("price", "29.90", "29,90 €", True),
        ("price", "29.90", "129,90 €", False),
        ("price", "1299", "1 299 Kč", True),
        ("ratingValue", "4.6", "4,6 of 5 stars", True),
        ("ratingValue", "4.8", "4.80 from 263 votes", True),
        ("ratingValue", "4.9", "£49", False),
        ("reviewCount", "49", "4.9 of 5", False),
        ("name", "急須", "この急須は日本の茶器です", True),
        ("name", "กาน้ำชา", "นี่คือกาน้ำชาใบใหม่", True),
        ("name", "Cafe\u0301", "In the Café", True),
        ("name", "(1)", "1 cup", False),
        ("reviewCount", "2606", "2,606 reviews", True),
        ("reviewCount", "5", "5 reviews", False),
        ("releaseDate", "2026-05-03T10:00:00Z", "from 3 May 2026", True),
        ("releaseDate", "2026-05-03", "3. Mai 2026", True),
        ("releaseDate", "2026-05-03", "4 May 2026", False),
        ("color", "Moss Green", "Colour: moss-green", True),
        ("color", "Moss", "mosses", False),
        ("description", "<b>Fired</b> twice &mdash; in wood", "Fired twice, in wood", True),
        ("description", "<b>Fired</b> twice, in wood", "Fired twice, in wood", True),
        ("image", "https://a.b/kyusu.jpg", "https://a.b/kyusu.jpg", False),
    ],
)
def test_when_a_value_is_shown(name: str, value: str, line: str, is_shown: bool) -> None:
    assert facts({"@type": "Product", name: value}, SHOP.format(line))[name] == (value, (2,) if is_shown else ())


def test_words_of_two_blocks_show_nothing() -> None:
    assert facts({"name": "tea pot"}, "<p>green tea</p><p>pot of clay</p>")["name"] == ("tea pot", ())


def test_graphs_lists_and_things_in_things() -> None:
    graph = {"@graph": [{"@type": ["Recipe", "Thing"], "recipeIngredient": ["2 cups", "1 pot"]}, {"@type": "WebSite"}]}
    things = declared([graph, {"@type": "Event", "location": {"address": {"city": "Uji"}}}])
    assert [thing.type for thing in things] == ["Recipe", "Event"], "one without facts says nothing"
    assert things[0].values("recipeIngredient") == ["2 cups", "1 pot"]
    assert things[1].facts[0].name == "location.address.city"
    assert things[1].facts[0].blocks == (1,)


@pytest.mark.parametrize(
    ("things", "found"),
    [
        ({"@type": "schema:Product", "schema:offers": {"schema:price": 2.50}}, [("Product", "offers.price", "2.5")]),
        ({"http://schema.org/name": "Kyusu"}, [("", "name", "Kyusu")]),
        ({"availability": {"@id": "https://schema.org/InStock"}}, [("", "availability", "InStock")]),
        ({"keywords": {"@list": ["tea", "pot"]}}, [("", "keywords", "tea"), ("", "keywords", "pot")]),
        ({"@type": "Shop", "name": "A", "@graph": {"name": "B"}}, [("Shop", "name", "A"), ("", "name", "B")]),
        ({"@graph": [{"@graph": [{"name": "B"}]}]}, [("", "name", "B")]),
    ],
    ids=["prefix", "address", "@id", "@list", "a thing with a graph", "graph in graph"],
)
def test_ways_to_write_json_ld(things: object, found: list[tuple[str, str, str]]) -> None:
    assert [(thing.type, fact.name, fact.value) for thing in declared(things) for fact in thing.facts] == found


@pytest.mark.parametrize(
    ("script", "type_", "value"),
    [
        ('<script type=\'application/ld+json; charset=utf-8\'>{"headline": "Kyusu"}</script>', "", "Kyusu"),
        ('<script type=\'application/ld+json\'>\ufeff{"headline": "Kyusu"}</script>', "", "Kyusu"),
        ('<script type=\'application/ld+json\'>{"@type":"Recipe","headline":"Kyusu",x</script>', "Recipe", "Kyusu"),
        ('<script type=\'application/ld+json\'>{"@type":"Recipe","wide":29.90}</script>', "Recipe", "29.90"),
    ],
    ids=["charset", "byte order mark", "damaged", "as written"],
)
def test_scripts(script: str, type_: str, value: str) -> None:
    (thing,) = dehusk.clean(script + SHOP, method="keep-all").declared
    assert (thing.type, [fact.value for fact in thing.facts]) == (type_, [value])


def test_what_readers_do_not_see_shows_nothing() -> None:
    hidden = "<p style='color:#fff;background:#fff'>Kyusu costs 29.90 €</p>"
    assert facts({"price": "29.90"}, SHOP.format("") + hidden)["price"] == ("29.90", ())


def test_microdata() -> None:
    page = (
        "<div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>Kyusu</h1>"
        "<div itemprop=offers itemscope><meta itemprop=price content='29.90'><p>29,90 €</p></div></div>"
    )
    (product,) = dehusk.clean(page, method="keep-all").declared
    assert (product.type, product.source) == ("Product", "microdata")
    assert [(fact.name, fact.value, fact.blocks) for fact in product.facts] == [
        ("name", "Kyusu", (0,)),
        ("offers.price", "29.90", (1,)),
    ]


def test_the_record_and_what_is_dropped() -> None:
    script = '<script type="application/ld+json">{"@type":"Product","name":"Kyusu","brand":"Leaf"}</script>'
    document = dehusk.clean(f"{script}<nav>Leaf</nav>{SHOP.format('€ 29,90')}")
    record = document.record(evidence=True)["declared"]
    assert record == [
        {
            "type": "Product",
            "source": "json-ld",
            "facts": [
                {"name": "name", "value": "Kyusu", "blocks": [1], "kept": True},
                {"name": "brand", "value": "Leaf", "blocks": [0], "kept": False},
            ],
        }
    ]
    assert "declared" not in document.record()


def test_bounds() -> None:
    many = declared({"name": [f"cup {n}" for n in range(5_000)]})
    assert sum(len(thing.facts) for thing in many) == 2_000
    assert declared([{"name": f"cup {n}"} for n in range(900)])[-1].facts[0].value == "cup 499"
    assert dehusk.clean("<script type='application/ld+json'>" + "[" * 100_000 + "</script>").declared == []
    assert declared({"name": "x" * 6_000}) == []
    items = "<div itemscope itemprop=a>" * 900 + "<b itemprop=name>x</b>"
    assert [len(thing.facts) for thing in dehusk.clean(items, method="keep-all").declared] == []
    nested = '{"a":' * 900 + "1" + "}" * 900
    assert dehusk.clean(f"<script type='application/ld+json'>{nested}</script>").declared == []


def test_time_is_linear() -> None:
    def prepare(size: int) -> Callable[[], object]:
        offers = [{"name": f"cup {n} of tea", "price": n} for n in range(400)]
        script = f"<script type='application/ld+json'>{json.dumps(offers)}</script>"
        rows = "".join(f"<p>cup {n} of tea, {n} €</p>" for n in range(size))
        labels = dehusk.clean(script + rows, method="keep-all").labels
        return lambda: read_declared(labels)

    assert_linear(prepare, 1_000)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES)
def test_any_value_is_read(value: object) -> None:
    for thing in declared(value):
        for fact in thing.facts:
            assert fact.kept == bool(fact.blocks), "all blocks are kept here"
            assert fact.name
            assert fact.value
