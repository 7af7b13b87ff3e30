"""Dates in posts: many ways and languages of writing them; none depends on the day of the test."""

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpu_time import assert_linear
from dehusk.posts.dates import read_attribute, read_dates, settle_orders


def values(text: str, language: str = "") -> list[str | None]:
    return [found.value for found in read_dates(text, language)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("25-February-2012 21:46", "2012-02-25T21:46"),
        ("5. Januar 2019 um 03:32", "2019-01-05T03:32"),
        ("Sat, Jun 18 '05, 10:24 AM", "2005-06-18T10:24"),
        ("Posted on the 12th of May, 2011 at 12:05am", "2011-05-12T00:05"),
        ("14 de marzo de 2012", "2012-03-14"),
        ("12 мая 2012 г. 10:30", "2012-05-12T10:30"),
        ("1 février 2010 à 10h30", "2010-02-01T10:30"),
        ("2019年4月3日 12:30", "2019-04-03T12:30"),
        ("2012. március 14., 12:03", "2012-03-14T12:03"),
        ("१२ मार्च २०१२", "2012-03-12"),
        ("2020.03.12 13:17:59", "2020-03-12T13:17:59"),
        ("08.11.2009, 11:49", "2009-11-08T11:49"),
        ("21:07 on 3/31/2014", "2014-03-31T21:07"),
        ("May 14, 2009; 8:07pm", "2009-05-14T20:07"),
    ],
)
def test_written_dates(text: str, value: str) -> None:
    assert values(text) == [value]


@pytest.mark.parametrize(
    "text", ["11:43pm On Apr 23", "8 February at 5:50PM", "April 1", "3 May 12:30", "September 2019"]
)
def test_dates_without_a_year_or_a_day_have_no_value(text: str) -> None:
    assert values(text) == [None]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "192.168.1.1",
        "Section 4.2.14",
        "9.7 /10",
        "31.02.2012",
        "iPhone 15 Pro 2",
        "3 days ago",
        "12 x 30",
        "5 out of 10",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert read_dates(text, "en") == []


def test_the_place_of_a_date_includes_its_time() -> None:
    text = "Ada wrote on 3 May 2012, 10:15 pm: no tea"
    found = read_dates(text)[0]
    assert text[found.start : found.end] == "3 May 2012, 10:15 pm"
    assert found.time == "22:15"


def orders(*texts: str, language: str = "", day_first: bool | None = None) -> list[str | None]:
    return [found.value for found in settle_orders([read_dates(text)[0] for text in texts], language, day_first)]


def test_other_dates_tell_the_order_of_day_and_month() -> None:
    assert orders("04-06-2019", "04-25-2019") == ["2019-04-06", "2019-04-25"]
    assert orders("04/06/2019", "25/06/2019") == ["2019-06-04", "2019-06-25"]
    assert orders("02/12/2018", "04/01/2019", "03/02/2019") == ["2018-12-02", "2019-01-04", "2019-02-03"]
    assert orders("04-06-2019", day_first=False) == ["2019-04-06"]
    assert orders("04-06-2019", language="de") == ["2019-06-04"]
    assert orders("04-06-2019", language="en-US") == ["2019-04-06"]
    assert orders("04-06-2019", language="en") == orders("04-06-2019") == [None]
    assert orders("04-04-2019") == ["2019-04-04"]


def test_attributes() -> None:
    assert read_attribute("2011-12-03T17:27:18-05:00") == "2011-12-03T17:27:18-05:00"
    assert read_attribute(" 2011-12-03T17:27Z ") == "2011-12-03T17:27+00:00"
    assert read_attribute("1583668800") == read_attribute("1583668800123") == "2020-03-08T12:00:00+00:00"
    assert read_attribute("3 May 2012") == "2012-05-03"
    assert read_attribute("2011-13-03") is read_attribute("PT5M") is read_attribute(None) is None


def test_names_that_mean_different_months_need_a_language() -> None:
    assert values("3 listopada 2012", "pl-PL") == ["2012-11-03"]
    assert values("3 listopada 2012", "hr") == ["2012-10-03"]
    assert values("3 listopada 2012") == [None]
    assert values("16 Pro 2012", "cs") == ["2012-12-16"]


def test_every_name_of_a_month_is_read() -> None:
    table = tomllib.loads(resources.files("dehusk.posts").joinpath("months.toml").read_text("utf-8"))
    for month, names in table["names"].items():
        for name in names.split():
            assert values(f"7 {name} 2012", "xx") == [f"2012-{int(month):02d}-07"], name


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for found in read_dates(text):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize("unit", ["1 ", "1-1-", "a b ", "12 May ", ", . ", "1111", "١٢ "])
def test_time_is_linear(unit: str) -> None:
    assert_linear(lambda count: lambda: read_dates(unit * count), 1_000)
