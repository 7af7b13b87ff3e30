"""Headings that head nothing, as one of a higher level follows at once, become lines."""

from collections.abc import Callable

import pytest

import dehusk
from cpu_time import assert_linear

PROSE = "<p>Tea needs water that has just boiled, and five minutes in a warm pot before it is poured.</p>" * 2


def lines(body: str) -> list[str]:
    text = dehusk.clean(f"<title>How tea is made</title><article>{body}</article>").markdown
    return [line for line in text.splitlines() if line and not line.startswith("Tea needs")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<h3>Kitchen</h3><h1>How tea is made</h1>{PROSE}", ["Kitchen", "# How tea is made"]),
        (
            f"<h1>How tea is made</h1>{PROSE}<h3>Black</h3><h2>Assam</h2>{PROSE}<h3>Green</h3><h2>Sencha</h2>{PROSE}",
            ["# How tea is made", "Black", "## Assam", "Green", "## Sencha"],
        ),
        (
            f"<h1>How tea is made</h1>{PROSE}<h2>More</h2><h3>Pots</h3><h3>Cups</h3><h3>Trays</h3><h2>Milk</h2>{PROSE}",
            ["# How tea is made", "## More", "Pots", "Cups", "Trays", "## Milk"],
        ),
    ],
    ids=["above the title", "above each title", "names of cards"],
)
def test_they_become_lines(body: str, expected: list[str]) -> None:
    assert lines(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>How tea is made</h1>{PROSE}<h2>Steps</h2><h3>Boil</h3>{PROSE}<h3>Pour</h3>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h3>Boil</h3>{PROSE}<h2>Pour</h2>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h2>Steps</h2><h1>Boil</h1>{PROSE}<h1>Pour</h1>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h3>Pots</h3><img src='pot.jpg' alt=''><h2>Pour</h2>{PROSE}",
        f"<h3>How tea is made</h3><h2>Posted by Ann</h2>{PROSE}",
        f"<h1>How tea is made</h1>{PROSE}<h3><button><h2>Boil</h2></button></h3>{PROSE}<h2>Pour</h2>{PROSE}",
    ],
    ids=["subsections", "with text", "h1 for parts of a section", "with a picture", "the title", "one in another"],
)
def test_others_stay(body: str) -> None:
    assert sum(line.startswith("#") for line in lines(body)) == body.count("</h") - body.count("</h2></button>")


def test_time_is_linear() -> None:
    def prepare(size: int) -> Callable[[], object]:
        page = dehusk.clean(f"<h1>Tea</h1>{PROSE}" + "<h4>a</h4><h3>b</h3><h2>c</h2>" * size, method="keep-all")
        return lambda: page.render("html")

    assert_linear(prepare, 1_500)


def test_html_says_the_same() -> None:
    page = dehusk.clean(f"<article><h3>Kitchen</h3><h1>How tea is made</h1>{PROSE}</article>")
    assert "<h3>" not in page.html
    assert "Kitchen" in page.html
