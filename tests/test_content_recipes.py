"""Ingredients and steps that are no lists on their page are in Markdown; numbers of steps are not said twice."""

import pytest

import dehusk
from cpu_time import assert_quick

START = "<h1>Iced tea</h1><p>Tea that is cold, for the days on which it is too hot for tea.</p>"


def markdown(html: str) -> str:
    return dehusk.clean(START + html, method="keep-all").markdown.partition("hot for tea.\n\n")[2]


@pytest.mark.parametrize("name", ["recipeIngredient", "recipeInstructions"])
def test_siblings_that_microdata_names_are_a_list(name: str) -> None:
    parts = "".join(
        f"<div class=recipe__part itemprop={name}><span>&nbsp;</span><b>{part}</b></div>" for part in ("Tea", "Ice")
    )
    assert markdown(f"<div>{parts}</div><p>Enjoy") == "- **Tea**\n- **Ice**\n\nEnjoy\n"
    assert dehusk.clean(START + parts, method="keep-all").text.endswith("\n\nTea\n\nIce\n")


def test_one_of_a_name_and_items_of_a_list_stay() -> None:
    assert markdown("<div class=ingredient itemprop=recipeIngredient><p>Tea<p>Ice</div>") == "Tea\n\nIce\n"
    item = "<li class=ingredient itemprop=recipeIngredient>"
    assert markdown(f"<ul>{item}Tea{item}Ice</ul>") == "- Tea\n- Ice\n"
    assert markdown("<div><p class=step>Tea<p class=step>Ice</div>") == "Tea\n\nIce\n"


STEP = "<div>{2}<span class=step-number>{0}</span><div><p>{1}</div></div>"


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (((1, "Boil", ""), (2, "Pour", "")), "1. Boil\n\n2. Pour\n"),
        (((1, "Boil", "<p>Step 1</p>"), (2, "Pour", "<p>Step 2</p>")), "Step 1\n\nBoil\n\nStep 2\n\nPour\n"),
        (((3, "Boil", ""), (9, "Pour", "")), "3\n\nBoil\n\n9\n\nPour\n"),
        (((1, "Boil", ""),), "1\n\nBoil\n"),
    ],
    ids=["numbers", "said before", "other numbers", "one"],
)
def test_the_numbers_of_steps(steps: tuple[tuple[int, str, str], ...], expected: str) -> None:
    assert markdown("".join(STEP.format(*step) for step in steps)) == expected


def test_many_steps_are_quick() -> None:
    assert_quick(lambda: markdown("".join(STEP.format(n, "Boil", "") for n in range(1, 5_000))), seconds=4)
