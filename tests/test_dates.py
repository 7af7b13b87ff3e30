"""Dates in texts: many ways and languages of writing them; none depends on the day of the test."""

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpu_time import assert_linear
from dehusk.about.dates import read_attribute, read_dates, settle_orders


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


DAYS = {
    "3 May 2026": "2026-05-03",
    "May 3rd, 2026": "2026-05-03",
    "JANUARY 13TH, 2005": "2005-01-13",
    "January 08,2001": "2001-01-08",
    "Sept.2, 1996": "1996-09-02",
    "3. März 2026": "2026-03-03",
    "3 maja 2026": "2026-05-03",
    "3 мая 2026 г.": "2026-05-03",
    "3 Μαΐου 2026": "2026-05-03",
    "3 ΜΑΪΟΥ 2026": "2026-05-03",
    "21 Δεκέμβρη 2011": "2011-12-21",
    "3 de mayo de 2026": "2026-05-03",
    "3 d’abril de 2020": "2020-04-03",
    "2026年5月3日": "2026-05-03",
    "2026년 5월 3일": "2026-05-03",
    "3. června 2020": "2020-06-03",
    "3. cervna 2020": "2020-06-03",
    "2023. május 5.": "2023-05-05",
    "9 मई 2023": "2023-05-09",
    "1 ژوئن 2021": "2021-06-01",
    "۵ مه ۲۰۲۱": "2021-05-05",
    "٣ أكتوبر ٢٠٢٠": "2020-10-03",
    "3 اكتوبر 2020": "2020-10-03",
    "5 Ağustos 2020": "2020-08-05",
    "5 AGUSTOS 2020": "2020-08-05",
    "6 EKİM 2020": "2020-10-06",
    "12 wrzesnia 2020": "2020-09-12",
    "1er août 2020": "2020-08-01",
    "1 aout 2020": "2020-08-01",
    "01 Sty 2012": "2012-01-01",
    "20230506": "2023-05-06",
    "20230506T101500Z": "2023-05-06",
    "2023-04-28T23:59:59-11:00": "2023-04-28T23:59:59",
    "Fri Apr 28 19:20:36 CEST 2023": "2023-04-28T19:20:36",
    "Fri, 28 Apr 2023 10:00:00 GMT": "2023-04-28T10:00:00",
    "13/04/2026": "2026-04-13",
    "04/13/2026": "2026-04-13",
    "10.29.2012": "2012-10-29",
    "3.4.2026": "2026-04-03",
    "Published:29/03/2006": "2006-03-29",
    "26-28 November 1997": "1997-11-28",
    "17.-20.06.2024": "2024-06-20",
    "[11:48/08.12.2011]": "2011-12-08",
    "Montag30. Juni 2025": "2025-06-30",
    "Bulletin No. 1 January 6, 2004": "2004-01-06",
    "by ann7, Dec 03, 2014 06:20 AM": "2014-12-03T06:20",
    "by ann1954, Oct 13, 2015": "2015-10-13",
}
"""Dates that metadata or posts read before there was one reader, and those that only one of them read."""


@pytest.mark.parametrize("text", DAYS)
def test_one_reader_reads_what_two_read(text: str) -> None:
    assert values(text) == [DAYS[text]]


@pytest.mark.parametrize(
    ("text", "by_language"),
    [
        ("11 listopada 2021", {"pl": "2021-11-11", "hr": "2021-10-11", "hr-HR": "2021-10-11", "en": None, "": None}),
        ("11. listopada 2021.", {"hr": "2021-10-11", "pl": "2021-11-11", "sr": None}),
        ("17 Lis 2011", {"pl": "2011-11-17", "hr": "2011-10-17", "cs": "2011-11-17", "": None}),
        ("5 srp 2020", {"cs": "2020-08-05", "hr": "2020-07-05", "de": None}),
    ],
)
def test_languages_of_ambiguous_names(text: str, by_language: dict[str, str | None]) -> None:
    assert {language: values(text, language)[0] for language in by_language} == by_language


@pytest.mark.parametrize(
    "text",
    [
        "Docket No.: 20240118",
        "Case No. 20220901",
        "id 120230506",
        "20231345",
        "Vol. 5, No. 3, 1994",
        "1-5 May",
        "Jordy19 May",
        "Marco 07.16.12",
        "más 1",
        "dès 5 €",
        "https://x.org/10.1016/j.jacc.2017.06.006",
        "3 Tea 2026",
        "call 555-2026",
        "iPhone 15 Pro",
    ],
)
def test_what_looks_like_a_date(text: str) -> None:
    assert read_dates(text) == []


def test_words_of_english_are_months_of_others_only() -> None:
    assert values("15 led 2018", "en") == []
    assert values("15 led 2018", "cs") == ["2018-01-15"]
    assert values("15 led", "") == []


def test_years_before_the_first_are_no_dates() -> None:
    assert [found.value for found in read_dates("3 May 1970, 4 May 1990", since=1980)] == ["1990-05-04"]
    assert values("3 May 1905") == ["1905-05-03"]
    assert values("3 May 1899") == values("3 مه 1400") == []


def test_two_digits_of_a_year_are_told() -> None:
    assert [found.has_century for found in read_dates("3 May 26, 4 May 2026, 3.5.2026, 03/05/26")] == [
        False,
        True,
        True,
        False,
    ]


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
    assert read_attribute("20230506") == read_attribute("202305061015") == "2023-05-06"
    assert read_attribute("915148800123") == "1999-01-01T00:00:00+00:00"
    assert read_attribute("0" * 10, since=1980) is read_attribute("1970-01-01", since=1980) is None
    assert read_attribute("2011-13-03") is read_attribute("PT5M") is read_attribute(None) is None


def test_names_that_mean_different_months_need_a_language() -> None:
    assert values("3 listopada 2012", "pl-PL") == ["2012-11-03"]
    assert values("3 listopada 2012", "hr") == ["2012-10-03"]
    assert values("3 listopada 2012") == [None]
    assert values("16 Pro 2012", "cs") == ["2012-12-16"]


def test_every_name_of_a_month_is_read() -> None:
    table = tomllib.loads(resources.files("dehusk.about.dates").joinpath("months.toml").read_text("utf-8"))
    for month, names in table["names"].items():
        for name in names.split():
            assert values(f"7 {name} 2012", "xx") == [f"2012-{int(month):02d}-07"], name


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    for found in read_dates(text):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    "unit",
    [
        "1 ",
        "1-1-",
        "a b ",
        "12 May ",
        ", . ",
        "1111",
        "١٢ ",
        "20230506 ",
        "May 3 10:20:30 ",
        "No. 2 May",
        "--",
    ],
)
def test_time_is_linear(unit: str) -> None:
    assert_linear(lambda count: lambda: read_dates(unit * count), 1_000)
