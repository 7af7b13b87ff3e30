"""The queue: which units an annotator is asked, in which order, and what it says they were worth."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jinja2", reason="the extra studio is not installed")

import dehusk
from dehusk.base.errors import InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import SOURCES
from dehusk.blocks.labels import LIST, OTHER, PARAGRAPH
from dehusk.measures.intervals import wilson_interval
from dehusk.studio.adding import Adding
from dehusk.studio.cleaning_again import CleaningAgain
from dehusk.studio.labelling import SETTLED, Change, apply_changes, apply_flag, undo
from dehusk.studio.making import count_outdated
from dehusk.studio.outcome import block_outcome
from dehusk.studio.page_rows import PageFilter
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources
from dehusk.studio.unit_queue import agreement_with_others, expected_gain, list_queue
from dehusk.studio.unit_surroundings import surroundings
from dehusk.studio.unsure_units import UNSURE, find_unsure, store_unsure

EXAMPLES = Path(__file__).parent.parent / "examples"
SINGLE = SOURCES.index("single")
SIZE = 6
PAGES = 6


@pytest.fixture
def project(tmp_path):
    for page in range(1, PAGES + 1):
        (tmp_path / f"{page}.html").write_text("".join(f"<p>{page}, {block}" for block in range(SIZE)))
    with_pages = Project(tmp_path / "project")
    Adding(with_pages, find_sources([str(tmp_path / f"{page}.html") for page in range(1, PAGES + 1)]), workers=1).run()
    with with_pages.writing() as connection:
        connection.execute("DELETE FROM unsure")
        connection.execute("UPDATE page SET host = iif(id < 4, 'a.example', 'b.example')")
    yield with_pages
    with_pages.close()


def unsure(project: Project, page: int, *units: tuple[int, int, float], template: int = 0, text: int = 0) -> None:
    """Store units of a page: first, stop, probability."""
    rows = [
        (first, stop, "block", probability, probability > 0.5, template or 10 * page + first, text or 10 * page + first)
        for first, stop, probability in units
    ]
    with project.writing() as connection:
        store_unsure(connection, page, rows)


def decide(project: Project, annotator: str, page: int, blocks: list[int], code: int, source: int = SINGLE) -> None:
    apply_changes(project, annotator, [Change(page, SIZE, blocks, code, source)], {page: b""})


def queue(project: Project, annotator: str = "Ann", lane: str = "unsure", **chosen) -> list[tuple[int, int]]:
    return [(row["page"], row["first"]) for row in list_queue(project, annotator, PageFilter(**chosen))[lane]]


# ---------------------------------------------------------------- units


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*.html")), ids=lambda path: path.stem)
def test_units_are_kept_or_dropped_as_a_whole_and_the_least_sure_one_is_first(path: Path) -> None:
    document = dehusk.clean(path.read_bytes())
    outcome, units = block_outcome(document), find_unsure(document)
    margins = [abs(unit.probability - 0.5) for unit in units]
    assert margins == sorted(margins)
    assert all(margin <= UNSURE + 1e-3 for margin in margins[1:]), "surer ones than the first are not stored"
    assert {unit.first for unit in units}.isdisjoint(
        block for unit in units for block in range(unit.first + 1, unit.stop)
    )
    for unit in units:
        own = slice(unit.first, unit.stop)
        assert set(outcome.kept[own].tolist()) == {unit.kept}
        assert unit.probability == pytest.approx(outcome.probability[own].mean(), abs=1e-4)
    assert units


def test_a_page_without_text_has_no_units() -> None:
    assert find_unsure(dehusk.clean(b"")) == ()


def test_pages_have_units_when_they_are_added_and_when_they_are_cleaned_again(project, tmp_path) -> None:
    (tmp_path / "more.html").write_bytes((EXAMPLES / "tea.html").read_bytes())
    Adding(project, find_sources([str(tmp_path / "more.html")]), workers=1).run()
    count = "SELECT count(*) FROM unsure WHERE page = ?"
    assert project.reading.execute(count, (PAGES + 1,)).fetchone()[0] >= 1
    assert project.reading.execute(count, (1,)).fetchone()[0] == 0
    with project.writing() as connection:
        connection.execute("UPDATE page SET made_by = 'an earlier dehusk' WHERE id = 1")
    assert count_outdated(project) >= 1
    again = CleaningAgain(project)
    again.start()
    while again.progress.state == "running":
        time.sleep(0.02)
    assert project.reading.execute(count, (1,)).fetchone()[0] >= 1


# ---------------------------------------------------------------- order


def test_the_least_sure_unit_of_all_pages_is_first(project) -> None:
    unsure(project, 1, (0, 2, 0.7), (2, 3, 0.45))
    unsure(project, 4, (0, 1, 0.52), (3, 6, 0.9))
    assert queue(project) == [(4, 0), (1, 2), (1, 0), (4, 3)]
    assert list_queue(project, "Ann", PageFilter())["left"]["unsure"] == 3, "not the one that is rather sure"
    assert queue(project, values={"host": ["a.example"]}) == [(1, 2), (1, 0)]


def test_sites_and_places_of_a_design_take_turns(project) -> None:
    for page in range(1, 4):
        unsure(project, page, (0, 1, 0.5 + page / 1000), template=7)
    for page in range(4, 7):
        unsure(project, page, (0, 1, 0.51 + page / 1000), template=8)
    hosts = ["ab"[page > 3] for page, _ in queue(project)]
    assert hosts == ["a", "b", "a", "b", "a", "b"]
    unsure(project, 3, (0, 1, 0.74), template=7)
    assert queue(project)[-1] == (3, 0), "but it is asked"


def test_a_site_that_was_labelled_waits(project) -> None:
    unsure(project, 1, (0, 1, 0.5), (1, 2, 0.5))
    unsure(project, 4, (0, 1, 0.51))
    assert queue(project) == [(1, 0), (4, 0), (1, 1)]
    decide(project, "Ann", 1, [0], OTHER)
    assert queue(project) == [(4, 0), (1, 1)]


def test_the_same_text_is_asked_once(project) -> None:
    for page in (1, 2, 5):
        unsure(project, page, (0, 1, 0.5 + page / 100), text=99)
    assert queue(project) == [(1, 0)]
    decide(project, "Ann", 1, [0], OTHER)
    assert queue(project) == []
    assert list_queue(project, "Ann", PageFilter())["left"]["unsure"] == 0


def test_units_with_all_labels_and_flagged_pages_are_not_asked(project) -> None:
    unsure(project, 1, (0, 3, 0.5))
    unsure(project, 2, (0, 1, 0.51))
    decide(project, "Ann", 1, [0, 1], PARAGRAPH)
    assert queue(project) == [(1, 0), (2, 0)], "one of its blocks has no label"
    decide(project, "Ann", 1, [2], OTHER)
    assert queue(project) == [(2, 0)]
    apply_flag(project, "Ben", 2, "broken")
    assert queue(project) == []


def test_the_next_units_of_2000_pages_are_there_at_once(project) -> None:
    with project.writing() as connection:
        names = [row["name"] for row in connection.execute("SELECT name FROM pragma_table_info('page')")]
        columns = ", ".join(name for name in names if name not in ("id", "number"))
        for number in range(2_000):
            connection.execute(
                f"INSERT INTO page ({columns}, number) SELECT {columns}, ? FROM page WHERE id = 1",  # noqa: S608
                (1000 + number,),
            )
        pages = [row["id"] for row in connection.execute("SELECT id FROM page WHERE number >= 1000")]
        for page in pages:
            connection.execute("UPDATE page SET host = ? WHERE id = ?", (f"{page % 50}.example", page))
            chance = [0.5 + ((page * 37 + unit * 11) % 250) / 1000 for unit in range(5)]
            units = [(unit, unit + 1, "block", chance[unit], 1, unit, page * 5 + unit) for unit in range(5)]
            store_unsure(connection, page, units)
    list_queue(project, "Ann", PageFilter())
    start = time.perf_counter()
    found = list_queue(project, "Ann", PageFilter(), count=30)
    assert time.perf_counter() - start < 1
    assert found["left"]["unsure"] == 10_000
    sites = Counter(row["page"] % 50 for row in found["unsure"])
    assert max(sites.values()) <= 3


def test_of_very_many_units_the_least_sure_ones_are_considered(project, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.unit_queue._CONSIDERED", 2)
    unsure(project, 1, (0, 1, 0.7), (1, 2, 0.5))
    unsure(project, 2, (0, 1, 0.55), (1, 2, 0.9))
    assert queue(project) == [(1, 1), (2, 0)]
    decide(project, "Ann", 1, [1], OTHER)
    decide(project, "Ann", 2, [0], OTHER)
    assert queue(project) == [(1, 0), (2, 1)], "of pages with labels, all"
    assert queue(project, "Ben", "second") == [(1, 1), (2, 0)]


# ---------------------------------------------------------------- two annotators


def test_a_second_reading_comes_to_the_other_annotator_alone(project) -> None:
    unsure(project, 1, (0, 2, 0.5))
    unsure(project, 4, (0, 1, 0.5))
    decide(project, "Ann", 1, [0, 1], PARAGRAPH)
    assert queue(project, "Ann", "second") == []
    assert queue(project, "Ben", "second") == [(1, 0)]
    assert queue(project, "Ben") == [(4, 0)]
    decide(project, "Ben", 1, [0, 1], PARAGRAPH)
    assert queue(project, "Ben", "second") == queue(project, "Cleo", "second") == [], "they agree"


def test_what_two_keep_and_drop_comes_back_until_it_is_settled(project) -> None:
    unsure(project, 1, (0, 2, 0.5))
    decide(project, "Ann", 1, [0, 1], PARAGRAPH)
    decide(project, "Ben", 1, [0, 1], OTHER)
    for name in ("Ann", "Ben", "Cleo"):
        [row] = list_queue(project, name, PageFilter())["second"]
        assert (row["page"], row["first"], row["turn"]) == (1, 0, "disagreement")
    assert agreement_with_others(project, "Ann") == [{"name": "Ben", "kappa": 0, "blocks": 2}]
    decide(project, "Ann", 1, [0, 1], PARAGRAPH, SETTLED)
    assert all(queue(project, name, "second") == [] for name in ("Ann", "Ben", "Cleo")), "Ann stayed with it"
    undo(project, "Ann", 1)
    decide(project, "Ben", 1, [0, 1], PARAGRAPH, SETTLED)
    assert queue(project, "Ann", "second") == []
    assert agreement_with_others(project, "Ann")[0]["kappa"] == 0, "of what they said before they knew of each other"


def test_labels_of_the_same_side_are_no_disagreement(project) -> None:
    unsure(project, 1, (0, 1, 0.5))
    decide(project, "Ann", 1, [0], PARAGRAPH)
    decide(project, "Ben", 1, [0], LIST)
    assert queue(project, "Ann", "second") == []


def test_what_was_asked_is_read_again_though_a_later_model_is_sure(project) -> None:
    unsure(project, 1, (1, 3, 0.5))
    decide(project, "Ann", 1, [1, 2], OTHER)
    unsure(project, 1, (5, 6, 0.6))
    assert queue(project, "Ben", "second") == [(1, 1)]
    undo(project, "Ann", 1)
    assert queue(project, "Ben", "second") == []


# ---------------------------------------------------------------- surroundings


@pytest.fixture(scope="module")
def document():
    return dehusk.clean((EXAMPLES / "tea.html").read_bytes(), explain=True)


def test_a_unit_is_shown_with_what_is_around_it(document) -> None:
    texts, outcome = segment(document.page).texts, block_outcome(document)
    found = surroundings(document, 17, 20, "Ann", {})
    assert [line["text"] for line in found["unit"]] == list(texts[17:20])
    assert [line["text"] for line in found["before"]] == list(texts[13:17])
    assert [line["text"] for line in found["after"]] == list(texts[20:24])
    assert [line["kept"] for line in found["after"]] == outcome.kept[20:24].tolist()
    assert set(found["headings"]) <= set(texts[:17])
    assert found["headings"]
    assert found["reason"]
    assert (found["blocks"], found["drop"]) == ([17, 18, 19], [OTHER] * 3)
    assert OTHER not in found["keep"]
    with pytest.raises(InputError, match="none from 9 to 99"):
        surroundings(document, 9, 99, "Ann", {})


def test_nobody_is_told_a_label_before_they_gave_theirs(document) -> None:
    size = len(segment(document.page))
    ann, ben, none = np.full(size, LIST, np.int8), np.full(size, OTHER, np.int8), np.full(size, -1, np.int8)
    partly = np.where(np.arange(size) == 17, OTHER, -1).astype(np.int8)
    assert surroundings(document, 17, 20, "Ben", {"Ann": ann})["labels"] == []
    found = surroundings(document, 17, 20, "Ben", {"Ann": ann, "Ben": partly})
    assert (found["labels"], found["blocks"]) == ([], [18, 19]), "only what has no label is decided"
    assert LIST not in found["keep"], "nor is it given"
    found = surroundings(document, 17, 20, "Ben", {"Ann": ann, "Ben": ben, "Cleo": none})
    assert found["labels"] == [{"name": "Ann", "decision": "keep"}, {"name": "Ben", "decision": "drop"}]
    assert (found["blocks"], found["keep"]) == ([17, 18, 19], [LIST] * 3)


# ---------------------------------------------------------------- gain


def test_ten_decisions_say_what_the_next_may_be_worth() -> None:
    ten = [True] * 4 + [False] * 6
    assert expected_gain(ten, 60) == (
        "4 of the last 10 decisions corrected the tool. At this rate, ten more would correct about 4 (1 to 7) and the "
        "60 unsure units left would correct about 24 (10 to 42)."
    )
    assert expected_gain([*ten, *[False] * 10], 60).startswith("0 of the last 10 decisions corrected the tool. At ")
    assert "rate of the last 20, ten more would correct about 2 (0 to 5)" in expected_gain([*ten, *[False] * 10], 60)
    assert "At this rate, the 5 unsure units left would correct about 2 (0 to 4)." in expected_gain(ten, 5)
    assert "the one unsure unit left" in expected_gain(ten, 1)
    assert expected_gain(ten, 0) == "4 of the last 10 decisions corrected the tool. No unsure unit is left."


def test_wilson_intervals_are_those_of_the_tables() -> None:
    assert wilson_interval(4, 10) == pytest.approx((0.1682, 0.6873), abs=1e-4)
    assert wilson_interval(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson_interval(0, 0) == (0, 1)
