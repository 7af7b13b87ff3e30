"""Cells that only a style sheet lays out are tables; drawings for yes and no in cells are signs."""

import pytest

import dehusk
from cpu_time import assert_quick
from dehusk.write.content.grids import _ROWS, NO, YES

NAMES = "<div class='table-header col-first'>Type</div><div class='table-header col-last'>Says</div>"
ROWS = "<div class=col-first><code>int</code></div><div class=col-last>How <b>many</b></div>"


def markdown(html: str) -> str:
    return dehusk.clean(f"<p>Pots of clay keep tea warm.{html}", method="keep-all").markdown.partition("\n\n")[2]


def test_cells_without_rows_are_a_table() -> None:
    written = markdown(f"<div class=summary-table>{NAMES}{ROWS}\n<div> </div><div>What</div></div>")
    assert written == "| Type | Says |\n| --- | --- |\n| `int` | How **many** |\n|  | What |\n"
    tei = dehusk.clean(f"<div>{NAMES}{ROWS}</div>", method="keep-all").render("tei")
    assert '<row role="label"><cell>Type</cell><cell>Says</cell></row>' in tei


@pytest.mark.parametrize(
    "html",
    [
        f"<div>{NAMES}</div>",
        f"<div>{NAMES}{ROWS}<div>More</div></div>",
        f"<div>{NAMES}{ROWS} and</div>",
        f"<div>{NAMES}<p>int</p><p>How</p></div>",
        f"<div><div class=table-header>Type</div>{ROWS}</div>",
    ],
    ids=["names alone", "a cell too many", "text between", "paragraphs", "one column"],
)
def test_other_boxes_are_lines(html: str) -> None:
    assert "|" not in markdown(html)
    assert _ROWS == 2


@pytest.mark.parametrize(
    ("drawing", "sign"),
    [
        ("<svg class='symbol u-mark-no'><text x=5>-</text><use href='#spec-no'></use></svg>", NO),
        ("<svg class='symbol u-mark-yes'><text x=5>+</text></svg>", YES),
        ("<i class='fa fa-check'></i>", YES),
        ("<span aria-label=No><svg></svg></span>", NO),
        ("<svg><title>Yes</title></svg>", YES),
        ("<i class='check no'></i>", ""),
        ("<i class='checkbox no-border'></i>", ""),
        ("<svg><path d='M0 0'></path></svg>", ""),
        ("", ""),
    ],
)
def test_a_drawing_says_yes_or_no(drawing: str, sign: str) -> None:
    table = f"<table><caption>Pot</caption><tr><th>Lid<td>{drawing}<tr><th>Cup<td><i class=icon-tick></i></table>"
    document = dehusk.clean(f"<p>Pots of clay keep tea warm.</p>{table}", method="keep-all")
    lid, cup = document.markdown.splitlines()[-2:]
    assert lid.split("|")[1:3] == [" Lid ", f" {sign} "]
    assert cup == f"| Cup | {YES} |"
    assert f"Cup {YES}" in document.text
    assert f"Lid {sign}".strip() in document.text.splitlines()


def test_a_picture_or_text_in_a_cell_is_no_sign() -> None:
    for content in ("<img class=check src=a.png alt=a>", "<i class=check></i>maybe"):
        assert YES not in markdown(f"<table><tr><th>Lid<td>{content}<tr><th>Cup<td>No</table>")


def test_large_grids_are_quick() -> None:
    assert_quick(lambda: markdown(f"<div>{NAMES}{ROWS * 5_000}</div>"), seconds=3)
