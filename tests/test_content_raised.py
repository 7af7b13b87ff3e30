"""Raised and lowered text in plain characters: numbers and signs, and the cents of prices."""

import pytest

import dehusk


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("10<sup>6</sup> leaves", "10⁶ leaves"),
        ("CO<sub>2</sub>", "CO₂"),
        ("the 1<sup>st</sup>", "the 1st"),
        ("<sup>1</sup> A note", "1 A note"),
        ("$549<sup>00</sup>", "$549.00"),
        ("<b>€ 1,299</b><sup>99</sup>", "€ 1,299.99"),
        ("$5.00<sup>12</sup>", "$5.00¹²"),
        ("$5<sup>2</sup>", "$5²"),
        ("549<sup>00</sup>", "549⁰⁰"),
    ],
)
def test_raised_texts(html: str, expected: str) -> None:
    document = dehusk.clean(f"<h1>Tea</h1><p>{html}</p>", method="keep-all")
    assert document.text == f"Tea\n\n{expected}\n"
    assert document.render("markdown", images=False).replace("*", "") == f"# Tea\n\n{expected}\n"
