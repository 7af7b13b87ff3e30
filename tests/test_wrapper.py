"""Records: columns learned without labels from generated pages whose fields are known."""

import json
import re
from pathlib import Path

import pytest

import dehusk
from dehusk import ConfigError, InputError, ModelError, NotFittedError, Wrapper
from dehusk.sites.records import amounts
from dehusk.sites.records.storing import constants
from product_pages import ROWS, catalogue, product, products


@pytest.fixture(scope="module")
def shop() -> Wrapper:
    return Wrapper().fit(products(6))


def values(wrapper: Wrapper, page: str) -> dict[str, object]:
    (row,) = wrapper.extract(page)
    return dict(row.values)


@pytest.mark.parametrize("number", range(8))
def test_each_field_is_in_its_column_whatever_stands_before_it(shop: Wrapper, number: int) -> None:
    title, author, publisher, year, code, price, _ = ROWS[number]
    row = values(shop, product(number))
    assert (row["title"], row["By"], row["Publisher"]) == (title, author, publisher)
    assert (row["Published"], row["Code"], row["price"]) == (year, code, float(price))
    assert row.get("Edition") == (number + 1 if number % 2 else None)


def test_what_all_pages_share_is_no_column(shop: Wrapper) -> None:
    (template,) = shop.templates
    shown = {text for number in range(6) for text in map(str, values(shop, product(number)).values())}
    assert not any("Leaf Shop" in text or "Kettle Lane" in text or text == "Sale" for text in shown)
    assert {column.name: column.type.name for column in template.columns} | {
        "title": "text", "Published": "number", "Code": "text", "price": "price"
    } == {column.name: column.type.name for column in template.columns}  # fmt: skip


def test_values_that_repeat_others_are_no_columns_of_their_own(shop: Wrapper) -> None:
    row = values(shop, product(1))
    assert [name for name, value in row.items() if value == "River House"] == ["Publisher"]


def test_a_label_with_several_values_has_a_list(shop: Wrapper) -> None:
    assert values(shop, product(2))["Tags"] == ["black", "China", "smoked"]
    assert values(shop, product(1))["Tags"] == ["leaf"]
    assert "Tags" not in values(shop, product(3))


def test_places_select_the_elements_of_the_values(shop: Wrapper) -> None:
    (row,) = shop.extract(product(0), places=True)
    assert row.places["title"] == "/html/body/h1[1]"
    assert row.places["By"] == "/html/body/div[1]/a[1]"


def test_a_saved_wrapper_reads_the_same(shop: Wrapper, tmp_path: Path) -> None:
    shop.save(tmp_path / "model")
    loaded = Wrapper.load(tmp_path / "model")
    for number in range(8):
        assert loaded.extract(product(number)) == shop.extract(product(number))
    assert {path.name for path in (tmp_path / "model").iterdir()} == {"card.json", "arrays.npz"}


def test_a_model_of_other_rules_or_another_version_is_refused(shop: Wrapper, tmp_path: Path) -> None:
    shop.save(tmp_path / "model")
    file = tmp_path / "model" / "card.json"
    card = json.loads(file.read_text("utf-8"))
    for changed, message in (({"rules": "0" * 16}, "other words or patterns"), ({"version": 0}, "of version 0")):
        file.write_text(json.dumps(card | changed), "utf-8")
        with pytest.raises(ModelError, match=message) as raised:
            Wrapper.load(tmp_path / "model")
        assert "\n" not in str(raised.value)


def test_the_rules_are_all_constants_and_the_same_in_every_run(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list(constants(amounts))
    assert any("USD" in line for line in lines)
    assert not [line for line in lines if " at 0x" in line]
    monkeypatch.setattr(amounts, "_PRICE", re.compile("[0-9]+ tea bags"))
    assert list(constants(amounts)) != lines


def test_blocks_that_were_learned_from_are_read_as_new_ones() -> None:
    blocks = [dehusk.segment(dehusk.parse(page)) for page in products()]
    wrapper = Wrapper().fit(blocks)
    for known, page in zip(blocks, products(), strict=True):
        assert wrapper.extract(known, places=True) == wrapper.extract(page, places=True)


def test_learning_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        Wrapper().fit(products()).save(tmp_path / name)
    for file in ("card.json", "arrays.npz"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_the_rows_of_a_list_are_records() -> None:
    wrapper = Wrapper().fit([catalogue(page) for page in range(3)])
    assert wrapper.templates[0].plan.kind == "list"
    rows = wrapper.extract(catalogue(1))
    assert [list(row.values.values()) for row in rows] == [
        [f"{title} 1", author, year, float(price)] for title, author, _, year, _, price, _ in (ROWS[1:7])
    ]


def test_one_page_with_a_list_is_enough_for_records() -> None:
    assert len(Wrapper(rows="record").fit([catalogue(0)]).extract(catalogue(0))) == 6


def test_two_templates_have_columns_of_their_own() -> None:
    wrapper = Wrapper(rows="page").fit([*products(6), *(catalogue(page) for page in range(4))])
    assert [template.pages for template in wrapper.templates] == [6, 4]
    assert any("2 templates" in warning for warning in wrapper.warnings)
    assert "Publisher" not in {column.name for column in wrapper.templates[1].columns}
    assert values(wrapper, product(7))["Publisher"] == "North & Sons"


def test_pages_that_teach_nothing_are_named() -> None:
    wrapper = Wrapper().fit([*products(4), product(0), "<p>", ""])
    assert wrapper.warnings == (
        "2 pages without text taught nothing",
        "1 page with the same text as another taught nothing",
    )


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([], "no pages to learn from"),
        (["<p></p>"], "no page has text"),
        ([product(0)], "one page does not show what varies"),
        ([product(0)] * 3, "one page does not show what varies"),
    ],
)
def test_what_cannot_be_learned_is_one_line(pages: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message) as raised:
        Wrapper().fit(pages)
    assert "\n" not in str(raised.value)


def test_wrong_uses_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="page"):
        Wrapper(rows="pages")  # type: ignore[arg-type]
    with pytest.raises(NotFittedError):
        Wrapper().extract(product(0))
    with pytest.raises(NotFittedError):
        Wrapper().save(tmp_path / "model")
    with pytest.raises(ModelError):
        Wrapper.load(tmp_path / "model")


def test_a_page_of_another_design_has_no_rows(shop: Wrapper) -> None:
    assert shop.extract("<main><section><article><p>Once upon a time</p></article></section></main>") == []


def test_any_kind_of_page_source_is_read(shop: Wrapper, tmp_path: Path) -> None:
    html = product(1)
    file = tmp_path / "page.html"
    file.write_text(html, "utf-8")
    page = dehusk.parse(html)
    for source in (html, html.encode(), file, page, dehusk.segment(page)):
        assert shop.extract(source) == shop.extract(html)


def test_ten_thousand_columns_are_cut_to_those_with_most_values_and_said() -> None:
    def wide(page: int) -> str:
        fields = "".join(f"<p><b>Field {n}:</b> {n * page}" for n in range(10_000 if page > 1 else 500))
        return f"<h1>Number {page}</h1>{fields}"

    wrapper = Wrapper(max_columns=400).fit([wide(page) for page in range(1, 4)])
    assert any("columns with few values left out" in warning for warning in wrapper.warnings)
    row = values(wrapper, wide(5))
    assert (row["Field 7"], row["Field 300"], "Field 9000" in row) == (35, 1500, False)
    everything = Wrapper(max_columns=20_000).fit([wide(page) for page in range(1, 4)])
    assert values(everything, wide(5))["Field 9000"] == 45_000


def test_threads_have_a_row_per_post() -> None:
    def post(page: int, number: int) -> str:
        return (
            f"<div class=post id=p{page}{number}><a class=author href=/u{number}>Visitor {number}</a> "
            f"<time datetime=2020-0{page}-1{number}T10:00>1{number} May 2020 10:00</time>"
            f"<div class=rank>Level: {number + page}</div><p>Here is what visitor {number} thinks of tea number "
            f"{page}, and why it is worth the trouble of a second kettle.</div>"
        )

    pages = [f"<h1>Thread {page}</h1>{''.join(post(page, n) for n in range(1, 5))}" for page in range(1, 4)]
    wrapper = Wrapper().fit(pages)
    rows = wrapper.extract(pages[1])
    assert wrapper.templates[0].plan.kind == "post"
    assert [row.values["author"] for row in rows] == [f"Visitor {n}" for n in range(1, 5)]
    assert [row.values["date"] for row in rows] == [f"2020-02-1{n}T10:00" for n in range(1, 5)]
    assert [row.values["Level"] for row in rows] == [3, 4, 5, 6]
    assert all(str(row.values["text"]).startswith("Here is what visitor") for row in rows)


def test_images_links_and_linked_data_are_columns() -> None:
    def page(number: int) -> str:
        title, author, *_ = ROWS[number]
        data = f'{{"@type": "Product", "name": "{title}", "sku": "T-{number}", "brand": {{"name": "{author}"}}}}'
        return (
            f'<script type="application/ld+json">{data}</script><h2 class=x1>{title}</h2>'
            f"<img class=cover src=/c{number}.png><p>Maker: <a href=/m{number}>{author}</a>"
        )

    wrapper = Wrapper().fit([dehusk.parse(page(n), f"https://tea.example/{n}") for n in range(6)])
    (row,) = wrapper.extract(page(7), url="https://tea.example/7")
    title, author, *_ = ROWS[7]
    assert row.values == {
        "name": title, "Maker": author, "Maker address": "https://tea.example/m7", "sku": "T-7",
        "cover": "https://tea.example/c7.png",
    }  # fmt: skip
    types = {column.name: column.type.name for column in wrapper.templates[0].columns}
    assert (types["Maker address"], types["cover"]) == ("address", "image")


def test_a_page_in_another_language_is_read_by_its_design(shop: Wrapper) -> None:
    html = product(2).replace("lang=en", "lang=de").replace("Smoked Pine", "Kieferrauch")
    assert values(shop, html)["title"] == "Kieferrauch"
