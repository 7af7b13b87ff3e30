"""Amounts: the marks before decimals and between groups, by the whole column and the language."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import dehusk as run
from cpu_time import assert_linear
from dehusk.sites.records.value_types import Scalar, column_type


def read(language: str, *texts: str, is_data: bool = False) -> list[Scalar]:
    type_ = column_type(texts, language, is_data=is_data)
    return [type_.read(text, is_data=is_data) for text in texts]


@pytest.mark.parametrize("language", ["", "de", "en"])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$1,299.00", 1299.0),
        ("1.299,00 €", 1299.0),
        ("1.299 €", 1299),
        ("€ 1,299", 1299),
        ("12 345 €", 12345),
        ("12\u202f345,50 €", 12345.5),
        ("CHF 1'299.–", 1299),
        ("1’299.50 CHF", 1299.5),
        ("₹1,29,999", 129999),
        ("₹1,29,999.50", 129999.5),
        ("₹12,34,567", 1234567),
        ("€ 1.299,-", 1299),
        ("1.299,-- €", 1299),
        ("1.234.567 €", 1234567),
        ("0.500 €", 0.5),
        ("€ 0,125", 0.125),
        ("1299.5 €", 1299.5),
        ("1299,950 €", 1299.95),
        ("۱٬۲۹۹٬۰۰۰ تومان", 1299000),
        ("۱۲٫۵۰ ﷼", 12.5),
        ("١٬٢٩٩٫٥٠ ر.س", 1299.5),
        ("１，２９９円", 1299),
        ("AED 1,299.00", 1299.0),
        ("44 890 тг", 44890),
    ],
)
def test_prices_that_need_no_other(language: str, text: str, value: float) -> None:
    (found,) = read(language, text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("language", "texts", "values"),
    [
        ("de", ("1.299 €", "899 €", "2.450 €"), [1299, 899, 2450]),
        ("", ("1.299 €", "899 €", "2.450 €"), [1299, 899, 2450]),
        ("en", ("€1.299", "€899", "€2.450"), [1299, 899, 2450]),
        ("de", ("1.299 €", "899,00 €", "2.450,50 €"), [1299, 899, 2450.5]),
        ("en", ("1.299 €", "899,00 €"), [1299, 899]),
        ("en", ("$1,299", "$899.00"), [1299, 899]),
        ("de", ("1.299 €", "899.00 €"), [1299, 899]),
        ("en", ("$1.299", "$0.99", "$899.00"), [1.299, 0.99, 899]),
        ("", ("$3.459", "$0.999", "$3.599"), [3.459, 0.999, 3.599]),
        ("", ("1.299,00 €", "1,299.00 €", "1.299 €", "1,299 €"), [1299] * 4),
        ("de-CH", ("CHF 1'299.50", "CHF 12.250"), [1299.5, 12.25]),
        ("es-MX", ("$1,299", "$12.50"), [1299, 12.5]),
    ],
)
def test_prices_of_a_column(language: str, texts: tuple[str, ...], values: list[float]) -> None:
    assert read(language, *texts) == values


@pytest.mark.parametrize(
    ("language", "texts", "values"),
    [
        ("", ("0.500", "1.250", "12.750"), [0.5, 1.25, 12.75]),
        ("de", ("0,500", "1,250", "12,750"), [0.5, 1.25, 12.75]),
        ("de", ("12.345", "899", "2.450"), [12345, 899, 2450]),
        ("", ("12.345", "899", "2.450"), [12345, 899, 2450]),
        ("", ("12,345", "899", "2,450"), [12345, 899, 2450]),
        ("", ("12.345", "8999", "2.450"), [12.345, 8999, 2.45]),
        ("en", ("3.142", "2.718"), [3.142, 2.718]),
        ("de", ("3.142", "2.718"), [3142, 2718]),
        ("de", ("3,142", "2,718"), [3.142, 2.718]),
        ("en", ("3,142", "2,718"), [3142, 2718]),
        ("", ("3.142", "2,718"), [3.142, 2718]),
        ("de", ("-1.234,5", "+7.000", "−3"), [-1234.5, 7000, -3]),
        ("fa", ("۱۲۳", "۱٬۲۳۴", "۱۲٫۵"), [123, 1234, 12.5]),
        ("english", ("3.142", "2.718"), [3.142, 2.718]),
    ],
)
def test_numbers_of_a_column(language: str, texts: tuple[str, ...], values: list[float]) -> None:
    assert read(language, *texts) == values


def test_linked_data_has_points_before_decimals() -> None:
    assert read("de", "1.299", "899", "12.345", is_data=True) == [1.299, 899, 12.345]
    column = column_type(["1.299", "899"], "de")
    assert (column.read("2.450"), column.read("2.450", is_data=True)) == (2450, 2.45)


@pytest.mark.parametrize("text", ["1.29.99 €", "12,34,5", "1.299 € 5", "€", "1..5", "5 to 10", "٫"])
def test_what_is_no_amount_is_text(text: str) -> None:
    assert read("de", text) == [text]


@given(st.lists(st.text("0123456789.,' -€$٫٬٣", max_size=12), min_size=1), st.sampled_from(["", "de", "en-ZA"]))
def test_any_column_is_read(texts: list[str], language: str) -> None:
    assert len(read(language, *texts)) == len(texts)


@given(st.integers(0, 10**9), st.sampled_from([("", ","), (",", "."), (".", ","), ("'", "."), (" ", ",")]))
def test_any_amount_with_cents_is_read(cents: int, marks: tuple[str, str]) -> None:
    group, decimal = marks
    text = f"{cents // 100:,}".replace(",", group) + f"{decimal}{cents % 100:02d} €"
    assert read("", text) == [cents / 100]


def test_time_is_linear() -> None:
    for unit in ("1.299 €", "1,", "1 ", "۱٬"):
        assert_linear(lambda count, unit=unit: lambda: column_type([unit * 8] * count, "de"), 1_000)  # type: ignore[misc]


def test_a_german_shop_from_the_pages_to_a_table(tmp_path: Path) -> None:
    prices = ("1.299 €", "899 €", "2.450 €", "349 €", "1.050 €", "12.990 €", "75 €", "3.999 €")
    for number, price in enumerate(prices):
        (tmp_path / f"{number}.html").write_text(
            f"<html lang=de><title>Kanne {number}</title><body><p>Teeladen</p><h1>Kanne Nummer {number}</h1>"
            f"<p class=price>{price}</p><p>Versand in {number + 2} Tagen</p></body></html>",
            "utf-8",
        )
    done = run("records", ".", "-f", "csv", cwd=tmp_path)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["price"] for row in rows] == ["1299", "899", "2450", "349", "1050", "12990", "75", "3999"]


def test_dates_of_a_column_are_read_in_its_language() -> None:
    assert read("hr", "11. listopada 2021.", "3. lipnja 2020.") == ["2021-10-11", "2020-06-03"]
    assert read("pl", "11 listopada 2021", "3 maja 2020") == ["2021-11-11", "2020-05-03"]
    assert read("", "۵ مه ۲۰۲۱", "20230506") == ["2021-05-05", "2023-05-06"]
