"""What every method promises, and what the shipped models are."""

import json
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.methods import METHODS, SHIPPED, load_method, model_folder
from dehusk.methods.base import PageMethod

EXAMPLE = (Path(__file__).parents[1] / "examples" / "tea.html").read_bytes()
PAGES = {
    "example": EXAMPLE,
    "empty": b"",
    "no tags": b"Just one line of text.",
    "one letter": b"<p>x",
    "cjk": "<html><body><h1>茶</h1><p>绿茶变苦有两个原因:水太热,或者茶叶泡得太久。</p></body>".encode(),
    "thai": "<p>ชาเขียวมีรสขมด้วยสองสาเหตุ น้ำร้อนเกินไป หรือแช่ใบชานานเกินไป</p>".encode(),
    "links only": b"<ul>" + b"<li><a href=x>a link</a>" * 50 + b"</ul>",
}
METHOD_OPTIONS = [("victor", "web"), ("victor", "cleaneval"), ("keep-all", None)]


@pytest.fixture(params=METHOD_OPTIONS, ids=str)
def method(request: pytest.FixtureRequest) -> PageMethod:
    name, model = request.param
    return load_method(name, model=model)


def test_every_method_and_model_is_tested() -> None:
    assert {name for name, _ in METHOD_OPTIONS} == METHODS.keys()
    assert {model for _, model in METHOD_OPTIONS if model} == set(SHIPPED)


@pytest.mark.parametrize("page", PAGES)
def test_labels_fit_the_blocks(method: PageMethod, page: str) -> None:
    assert isinstance(method, PageMethod)
    blocks = method.segment(dehusk.parse(PAGES[page]))
    for explain in (False, True):
        labels = method.label(blocks, explain=explain)
        labels.validate()
        assert labels.blocks is blocks
        assert np.isfinite(labels.probability).all()
        assert len(labels.reasons) == (len(blocks) if explain else 0)
        assert all(labels.reasons)


def test_a_page_is_never_changed(method: PageMethod) -> None:
    page = dehusk.parse(EXAMPLE)
    before = (page.tag.tobytes(), page.text, dict(page.attributes))
    method.label(method.segment(page), explain=True)
    assert (page.tag.tobytes(), page.text, dict(page.attributes)) == before
    page.validate()


def test_the_result_does_not_depend_on_what_ran_before(method: PageMethod) -> None:
    def outputs(names: list[str]) -> dict[str, str]:
        return {name: dehusk.clean(PAGES[name], method=method).render("json") for name in names}

    assert outputs(list(PAGES)) == outputs(list(reversed(PAGES)))


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models_have_a_card_and_are_small(name: str) -> None:
    folder = model_folder(name)
    card = json.loads((folder / "card.json").read_text("utf-8"))
    assert card["method"] == "victor"
    assert card["about"]
    assert card["sets"].keys() == card["pages"].keys()
    assert sum(card["blocks"].values()) > 10_000
    assert {file.name for file in folder.iterdir()} == {"card.json", "arrays.npz"}
    total = sum(file.stat().st_size for shipped in SHIPPED for file in model_folder(shipped).iterdir())
    assert total < 2_000_000


def test_the_example_page() -> None:
    doc = dehusk.clean(EXAMPLE)
    assert doc.status is dehusk.Status.OK
    kept = [block.text for block in doc.blocks if block.kept]
    assert kept[0] == "How to brew green tea"
    assert kept[-1].startswith("The third cup is the mildest")
    assert "cup 2: 75 °C, 20 s" in kept
    dropped = " ".join(block.text for block in doc.blocks if not block.kept)
    for husk in ("Shop", "cookies", "You may also like", "Newsletter", "Terms"):
        assert husk in dropped
    assert doc.confidence > 0.5
    assert doc.title == "How to brew green tea | The Tea Room"
