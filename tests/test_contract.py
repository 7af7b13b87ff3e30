"""The contract of all methods, the additional contract of site methods, and the shipped models."""

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import dehusk
import made_sites
from dehusk import ConfigError, NotFittedError, Page, Site
from dehusk.label import load_method, model_folder, shipped_models
from dehusk.label.base import PageMethod
from dehusk.label.registry import HOMES, declarations
from dehusk.label.repetition import SiteRule
from dehusk.sites.alternation import Alternation
from dehusk.sites.structure_tree import CompressedStructureTree

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
METHOD_OPTIONS = [("united", "united"), ("victor", "web"), ("victor", "cleaneval"), ("keep-all", None)]

FITS: dict[str, Callable[[], PageMethod]] = {"cst": CompressedStructureTree, "alternation": Alternation}
"""Site methods with a `fit` method that takes the pages of one site."""
SITE_METHODS = [method.name for method in declarations() if method.site == "required"]
BY_SITE = [method.name for method in declarations() if method.site == "required" and method.learns_from_counts]
"""Site methods that are built from a `Site`."""
SHIPPED = shipped_models()
WAYS = [*((name, "site") for name in BY_SITE), *((name, "fit") for name in FITS)]
SITE_PAGES = [*made_sites.site(6), *(data.decode() for data in PAGES.values())]


def learned(name: str, way: str, texts: Sequence[str]) -> PageMethod:
    """Return a site method for a site of pages."""
    if way == "site":
        return load_method(name, site=Site().fit(texts))
    return FITS[name]().fit([dehusk.parse(text) for text in texts])


@pytest.fixture(params=[*METHOD_OPTIONS, *WAYS], ids=str)
def method(request: pytest.FixtureRequest) -> PageMethod:
    if request.param in WAYS:
        return learned(*request.param, SITE_PAGES)
    name, model = request.param
    return load_method(name, model=model)


def test_every_method_and_model_is_tested() -> None:
    tested = {name for name, _ in [*METHOD_OPTIONS, *WAYS]}
    assert tested == set(HOMES)
    assert tested > {"site", "cst", "alternation"}
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
        assert not len(labels.omitted), "what a reader cannot see is not the method's to judge"
        assert not labels.hidden


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


def results(method: PageMethod) -> list[tuple[bytes, bytes, bytes, tuple[str, ...]]]:
    """Return a method's labels and reasons for the site's pages and for a new page."""
    answers = []
    for text in [*SITE_PAGES, made_sites.page(made_sites.article(77))]:
        labels = method.label(method.segment(dehusk.parse(text)), explain=True)
        columns = (labels.label, labels.kept, labels.probability.round(12))
        answers.append((*(column.tobytes() for column in columns), tuple(labels.reasons)))
    return answers


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_the_order_of_the_pages_changes_nothing(name: str, way: str) -> None:
    expected = results(learned(name, way, SITE_PAGES))
    for seed in range(3):
        shuffled = Random(seed).sample(SITE_PAGES, len(SITE_PAGES))  # noqa: S311 (nothing secret)
        assert results(learned(name, way, shuffled)) == expected


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_page_that_a_site_is_learned_from_is_never_changed(name: str, way: str) -> None:
    def state(page: Page) -> tuple[bytes, str, dict[int, tuple[tuple[str, str], ...]]]:
        return page.tag.tobytes(), page.text, dict(page.attributes)

    pages = [dehusk.parse(text) for text in SITE_PAGES]
    before = [state(page) for page in pages]
    if way == "site":
        load_method(name, site=Site().fit(pages))
    else:
        FITS[name]().fit(pages)
    assert [state(page) for page in pages] == before


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_a_refit_is_a_fresh_fit(name: str, way: str) -> None:
    used = Site() if way == "site" else FITS[name]()
    others = [*made_sites.site(4, first=50), "<p>and something else"]
    for texts in (others, SITE_PAGES):
        used.fit([dehusk.parse(text) for text in texts])
        method = load_method(name, site=used) if way == "site" else used
        method.label(method.segment(dehusk.parse(texts[0])))
    assert results(method) == results(learned(name, way, SITE_PAGES))


@pytest.mark.parametrize("name", BY_SITE)
@pytest.mark.parametrize("complete", [True, False])
def test_a_saved_site_gives_the_same_labels(tmp_path: Path, name: str, complete: bool) -> None:
    Site().fit(SITE_PAGES).save(tmp_path, complete=complete)
    expected = results(learned(name, "site", SITE_PAGES))
    assert results(load_method(name, site=tmp_path)) == expected
    assert results(load_method(name, site=Site.load(tmp_path))) == expected


@pytest.mark.parametrize("name", [name for name, made in FITS.items() if hasattr(made, "save")])
def test_a_saved_method_gives_the_same_labels(tmp_path: Path, name: str) -> None:
    method = learned(name, "fit", SITE_PAGES)
    method.save(tmp_path)
    assert results(type(method).load(tmp_path)) == results(method)
    assert results(load_method(name, site=tmp_path)) == results(method)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])  # noqa: S301
def test_copies_and_pickles_give_the_same_labels(method: PageMethod, copied: Callable[[Any], Any]) -> None:
    expected = results(method)
    assert results(copied(method)) == expected
    assert results(method) == expected


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])  # noqa: S301
def test_copies_and_pickles_of_a_site_learn_apart(copied: Callable[[Site], Site]) -> None:
    site = Site().fit(SITE_PAGES)
    expected = results(load_method("site", site=site))
    assert results(load_method("site", site=copied(site))) == expected
    copied(site).fit(made_sites.site(4, first=50))
    assert results(load_method("site", site=site)) == expected


@pytest.mark.parametrize("make", [*FITS.values(), lambda: SiteRule(Site())])
def test_use_before_fit(make: Callable[[], PageMethod]) -> None:
    method = make()
    blocks = method.segment(dehusk.parse(EXAMPLE))
    for explain in (False, True):
        with pytest.raises(NotFittedError, match=r"^[^\n]+$"):
            method.label(blocks, explain=explain)


@pytest.mark.parametrize("name", BY_SITE)
def test_a_site_without_pages(name: str) -> None:
    with pytest.raises(NotFittedError, match="the site has no pages"):
        load_method(name, site=Site())


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_the_template_of_a_site_is_dropped(name: str, way: str) -> None:
    texts = made_sites.site(8)
    method = learned(name, way, texts)
    for number in (0, 7):
        kept = dehusk.clean(texts[number], method=method).text
        assert all(paragraph in kept for paragraph in made_sites.article(number))
        assert made_sites.FOOTER not in kept
        assert not any(entry in kept for entry in made_sites.MENU)


@pytest.mark.parametrize(("name", "way"), WAYS)
@pytest.mark.parametrize("texts", [[SITE_PAGES[0]], SITE_PAGES[:1] * 2, ["", "<p>"], SITE_PAGES[:2], ["<p>" * 300]])
def test_sites_that_say_little(name: str, way: str, texts: list[str]) -> None:
    method = learned(name, way, texts)
    for text in [*texts, "", SITE_PAGES[1]]:
        labels = method.label(method.segment(dehusk.parse(text)), explain=True)
        labels.validate()
        assert np.isfinite(labels.probability).all()


@pytest.mark.parametrize(("name", "way"), WAYS)
def test_ids_of_sessions_change_nothing(name: str, way: str) -> None:
    def with_ids(text: str, seed: int) -> str:
        own = f"{Random(seed).getrandbits(64):016x}"  # noqa: S311 (nothing secret)
        ids = f'data-s="{own}" id="i{own}"'
        return text.replace("<p>", f"<p {ids}>").replace('href="/', f'{ids} href="/?s={own}&to=')

    texts = made_sites.site(6)
    unique = [with_ids(text, seed) for seed, text in enumerate(texts)]
    plain, marked = learned(name, way, texts), learned(name, way, unique)
    for text, other in zip(texts, unique, strict=True):
        assert dehusk.clean(other, method=marked).text == dehusk.clean(text, method=plain).text


@pytest.mark.parametrize("name", SITE_METHODS)
def test_a_site_method_needs_a_site_and_nothing_else(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=f"method {name} needs a site"):
        load_method(name)
    with pytest.raises(ConfigError, match=f"method {name} has no models"):
        load_method(name, site=tmp_path, model="web")


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models_have_a_card_and_are_small(name: str) -> None:
    folder = model_folder(name)
    card = json.loads((folder / "card.json").read_text("utf-8"))
    assert card["method"] == ("united" if name == "united" else "victor")
    assert card["about"]
    assert card["sets"].keys() == card["pages"].keys()
    assert sum(card["blocks"].values()) > 10_000
    assert {file.name for file in folder.iterdir()} == {"card.json", "arrays.npz", "pages.npy"}
    assert sum(file.stat().st_size for file in folder.iterdir()) <= 1_000_000
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
