"""Which date is that of a page: not that of a card, a row or a member, and not one that can be read in two ways."""

import pytest

from dehusk import parse
from dehusk.about.metadata import read_metadata

HEAD = "<title>White tea</title><h1>White tea</h1>"
TEXT = "<p>The kettle is on, and the leaves wait in the pot until the water has cooled down a little.</p>"
LONG = 40 * TEXT


def date_of(body: str, attributes: str = "", url: str | None = None) -> str | None:
    return read_metadata(parse(f"<html {attributes}><body>{body}", url=url)).date


CASES = {
    "another date of the page tells that the day is first": ("en", "3/4/2026", "<p>until 30/6/2026</p>", "2026-04-03"),
    "another date tells that the month is first": ("en-GB", "3/4/2026", "<p>until 6/30/2026</p>", "2026-03-04"),
    "dates with hyphens tell it too": ("en", "03-04-2026", "<p>until 06-30-2026</p>", "2026-03-04"),
    "dates that contradict each other tell nothing": ("de", "3/4/2026", "<p>30/6/2026, 6/30/2026</p>", "2026-04-03"),
    "the region": ("en-US", "03-04-2026", "", "2026-03-04"),
    "a locale": ("en_US", "3/4/2026", "", "2026-03-04"),
    "a slash in English": ("en", "3/4/2026", "", "2026-03-04"),
    "a hyphen in English tells nothing": ("en", "03-04-2026", "", None),
    "no language tells nothing": ("", "3/4/2026", "", None),
    "numbers that can be read in one way": ("", "13/4/2026", "", "2026-04-13"),
}


@pytest.mark.parametrize("name", CASES)
def test_day_and_month_come_in_the_order_that_the_page_shows(name: str) -> None:
    language, date, other, expected = CASES[name]
    assert date_of(f"{HEAD}<p class=date>{date}</p>{TEXT}{other}", f"lang={language}" if language else "") == expected


def test_the_address_and_the_last_change_tell_the_order() -> None:
    shown = f"{HEAD}<p class=date>03-04-2026</p>{TEXT}"
    assert date_of(shown, url="https://tea.example/2026/03/04/white/") == "2026-03-04"
    assert date_of(shown, url="https://tea.example/2026/04/03/white/") == "2026-04-03"
    changed = '<meta property="article:modified_time" content="2026-03-20">'
    assert date_of(f"{changed}{shown}") == "2026-03-04"
    assert date_of(f"{changed.replace('-03-', '-05-')}{shown}") is None


def test_a_date_that_can_be_read_in_two_ways_is_not_passed_over_for_one_further_away() -> None:
    assert date_of(f"{HEAD}<p class=date>03-04-2026</p>{TEXT}<p class=date>May 9, 2026</p>", "lang=en") is None
    assert date_of(f"{HEAD}<time>03-04-2026</time>{TEXT}<time>May 9, 2026</time>", "lang=en") is None


def card(day: int) -> str:
    return f"<div class=card><a href=/{day}>Tea {day}</a><time datetime=2026-05-{day:02}>May {day}</time></div>"


def test_dates_far_from_the_heading_count_if_there_is_only_one() -> None:
    assert date_of(f"{HEAD}{LONG}<p>Last reviewed <time datetime=2026-02-01>in February</time></p>") == "2026-02-01"
    assert date_of(f"{HEAD}{LONG}<p>Next</p>{card(1)}{card(2)}") is None
    clock = "<p><time>May 9, 2026</time></p>"
    assert date_of(f"{clock}{LONG}{HEAD}{TEXT}") is None
    assert date_of(f"{HEAD}<time>May 3, 2026</time>{LONG}{card(1)}{card(2)}") == "2026-05-03"


@pytest.mark.parametrize(
    "label",
    ["Joined:", "Member since", "Registriert:", "Dabei seit", "Anmeldungsdatum:<br>", "注册时间：", "Last seen"],
)
@pytest.mark.parametrize("element", ["time", "span class=date", "b"])
def test_the_days_of_a_member_are_not_those_of_a_page(label: str, element: str) -> None:
    name = element.split(maxsplit=1)[0]
    member = f"<div>Ann Leaf</div><p>{label} <{element}>2020-02-09</{name}></p>"
    assert date_of(f"{HEAD}{member}{TEXT}") is None
    assert date_of(f"{HEAD}{member}<p>Posted <{element}>2026-05-03</{name}></p>{TEXT}") == "2026-05-03"


def test_dates_in_a_table_with_heads_of_columns_are_those_of_its_rows() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>Garden {n}</td><td>May {n}, 2026</td></tr>" for n in range(1, 6))
    heads = "<tr><th>Lot</th><th>Garden</th><th>Picked</th></tr>"
    assert date_of(f"{HEAD}<table>{heads}{rows}</table>{TEXT}") is None
    assert date_of(f"{HEAD}<table><thead>{heads}</thead><tbody>{rows}</tbody></table>{TEXT}") is None
    facts = "".join(f"<tr><th>Fact {n}</th><td>{n}</td></tr>" for n in range(5))
    assert date_of(f"{HEAD}<table>{facts}<tr><th>Published</th><td>May 3, 2026</td></tr></table>") == "2026-05-03"


def test_a_longer_number_in_the_address_is_no_date() -> None:
    assert date_of(HEAD + TEXT, url="https://tea.example/t/2079116.aspx") is None
    assert date_of(HEAD + TEXT, url="https://tea.example/t/20160304.html") == "2016-03-04"
    assert date_of(HEAD + TEXT, url="https://tea.example/2016/3/4/white") == "2016-03-04"


@pytest.mark.parametrize(
    "label", ["Updated:", "Last modified on", "Aktualisiert am", "Mis à jour le", "Обновлено", "更新时间："]
)
def test_a_day_of_change_gives_way_to_an_earlier_day_beside_it(label: str) -> None:
    changed = f"<span class=date>{label} 2026-05-03</span>"
    assert date_of(f"<p><span class=date>2024-01-02</span>{changed}</p>{HEAD}{TEXT}") == "2024-01-02"
    assert date_of(f"<p>{changed}</p>{HEAD}{TEXT}") == "2026-05-03"


def test_a_draft_was_changed_before_it_was_published() -> None:
    declared = "<meta property=article:published_time content=2026-05-03><meta property=article:modified_time content="
    assert read_metadata(parse(f"{declared}2026-05-02>{HEAD}")).modified is None
    assert read_metadata(parse(f"{declared}2026-05-04>{HEAD}")).modified == "2026-05-04"


def test_the_day_of_an_event_is_not_that_of_publication() -> None:
    text = "<p>You taste six teas from five countries, and learn how to brew each of them at home.</p>" * 3
    time = "<h1>Tea tasting</h1><time datetime=2025-04-12>Saturday, April 12</time>"
    declared = '<script type="application/ld+json">{"@type": "SocialEvent", "startDate": "2025-04-12T14:00"}</script>'
    assert read_metadata(parse(f"<title>Tea tasting</title>{time}{text}")).date == "2025-04-12"
    assert read_metadata(parse(f"<title>Tea tasting</title>{declared}{time}{text}")).date is None
