"""Labels of the studio: what is changed is undone and redone, and survives whatever happens to the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("jinja2", reason="the extra studio is not installed")

from dehusk.base.errors import ConfigError
from dehusk.blocks.annotation import SOURCES
from dehusk.studio.adding import Adding
from dehusk.studio.agreeing import agreement_report
from dehusk.studio.labelling import (
    SETTLED,
    Change,
    apply_changes,
    apply_flag,
    can_step,
    joint_labels,
    labels_of,
    redo,
    sources_of,
    undo,
)
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources

SIZE = 6
BODIES = {1: b"<p>one", 2: b"<p>two", 3: b"<p>three"}


@pytest.fixture
def project(tmp_path):
    return filled(tmp_path)


def filled(folder) -> Project:
    for page, data in BODIES.items():
        (folder / f"{page}.html").write_bytes(data)
    project = Project(folder / "project")
    Adding(project, find_sources([str(folder / f"{page}.html") for page in BODIES]), workers=1).run()
    return project


def label(project: Project, page: int, blocks: list[int], code: int, annotator: str = "Ann") -> int:
    return apply_changes(project, annotator, [Change(page, SIZE, blocks, code)], BODIES)


def test_labels_belong_to_their_annotator(project):
    assert label(project, 1, [0, 1], 2) == 2
    assert label(project, 1, [1], 4, "Bob") == 1
    assert labels_of(project, 1, "Ann", SIZE).tolist() == [2, 2, -1, -1, -1, -1]
    assert labels_of(project, 1, "Bob", SIZE).tolist() == [-1, 4, -1, -1, -1, -1]


def test_an_action_on_several_pages_is_undone_as_a_whole(project):
    apply_changes(project, "Ann", [Change(1, SIZE, [0], 4), Change(2, SIZE, [3], 4)], BODIES)
    assert undo(project, "Ann", 2) == [1, 2]
    assert labels_of(project, 1, "Ann", SIZE).tolist() == [-1] * SIZE
    assert redo(project, "Ann", 1) == [1, 2]
    assert labels_of(project, 2, "Ann", SIZE)[3] == 4


def test_how_a_label_was_given_follows_undo_and_redo(project):
    given, single, every = (SOURCES.index(name) for name in ("given", "single", "all"))
    apply_changes(project, "Ann", [Change(1, SIZE, [0, 1], 4, every)], BODIES)
    apply_changes(project, "Ann", [Change(1, SIZE, [1, 2], [2, 2], [single, given])], BODIES)
    assert sources_of(project, 1, "Ann", SIZE).tolist() == [every, single, given, -1, -1, -1]
    undo(project, "Ann", 1)
    assert sources_of(project, 1, "Ann", SIZE).tolist() == [every, every, -1, -1, -1, -1]
    redo(project, "Ann", 1)
    label(project, 1, [0], 2)
    assert sources_of(project, 1, "Ann", SIZE).tolist() == [-1, single, given, -1, -1, -1]
    with pytest.raises(ConfigError, match="1 blocks need 1 labels, not 2"):
        apply_changes(project, "Ann", [Change(1, SIZE, [0], 4, [1, 1])], BODIES)


def test_labels_of_two_count_as_one_and_what_was_settled_comes_first(project):
    assert joint_labels(project, 1) is None
    label(project, 1, [0, 1, 2, 3], 2)
    label(project, 1, [1, 2], 4, "Bob")
    assert joint_labels(project, 1)[1].tolist() == [2, 4, 4, 2, -1, -1], "the second reader replaces no others"
    apply_changes(project, "Ann", [Change(1, SIZE, [1], 2, SETTLED)], BODIES)
    apply_changes(project, "Bob", [Change(1, SIZE, [2], 2, SETTLED)], BODIES)
    label(project, 1, [5], 4, "Bob")
    names, codes = joint_labels(project, 1)
    assert (names, codes.tolist()) == (["Ann", "Bob"], [2, 2, 2, 2, -1, 4])
    assert agreement_report(project, "Ann", "Bob")["observed"] == 0, "as both labelled before they settled it"


def test_labels_of_a_whole_page_or_site_can_be_left_out(project):
    sources = [SOURCES.index(name) for name in ("all", "single", "site", "given")]
    apply_changes(project, "Ann", [Change(1, SIZE, [0, 1, 2, 3], 2, sources)], BODIES)
    label(project, 1, [5], 4)
    assert joint_labels(project, 1, one_by_one=True)[1].tolist() == [-1, 2, -1, 2, -1, 4]
    assert joint_labels(project, 1)[1].tolist() == [2, 2, 2, 2, -1, 4]


def test_a_project_of_an_earlier_dehusk_gains_what_it_lacks(project):
    label(project, 1, [0], 2)
    with project.writing() as connection:
        for statement in ("ALTER TABLE change DROP COLUMN sources", "DROP TABLE unsure"):
            connection.execute(statement)
    project.close()
    with closing(Project(project.folder)) as again:
        assert sources_of(again, 1, "Ann", SIZE).tolist() == [-1] * SIZE
        assert labels_of(again, 1, "Ann", SIZE)[0] == 2
        assert undo(again, "Ann", 1) == [1]


def test_undoing_spares_pages_that_were_changed_again(project):
    apply_changes(project, "Ann", [Change(1, SIZE, [0], 4), Change(2, SIZE, [0], 4)], BODIES)
    label(project, 2, [0], 1)
    assert undo(project, "Ann", 1) == [1]
    assert labels_of(project, 2, "Ann", SIZE)[0] == 1
    assert undo(project, "Ann", 2) == [2]
    assert labels_of(project, 2, "Ann", SIZE)[0] == 4


def test_only_the_action_that_labelled_the_blocks_that_are_meant_is_undone(project):
    label(project, 1, [0, 1], 1)
    label(project, 1, [2], 2)
    assert undo(project, "Ann", 1, blocks=[0, 1]) == []
    apply_flag(project, "Ann", 1, "other")
    assert undo(project, "Ann", 1, blocks=[0, 1, 2]) == []
    assert labels_of(project, 1, "Ann", SIZE)[:3].tolist() == [1, 1, 2]
    undo(project, "Ann", 1)
    assert undo(project, "Ann", 1, blocks=[2, 3]) == [1]
    assert undo(project, "Ann", 1, blocks=[0, 1]) == [1]
    apply_changes(project, "Ann", [Change(1, SIZE, [0], 4), Change(2, SIZE, [0], 4)], BODIES)
    assert undo(project, "Ann", 1, blocks=[0]) == []


def test_a_new_label_ends_what_could_be_redone(project):
    label(project, 1, [0], 1)
    undo(project, "Ann", 1)
    label(project, 1, [1], 2)
    assert can_step(project, "Ann", 1) == (True, False)
    assert redo(project, "Ann", 1) == []


def test_labels_and_blocks_that_do_not_exist_are_refused(project):
    with pytest.raises(ConfigError, match="label 9 does not exist"):
        label(project, 1, [0], 9)
    with pytest.raises(ConfigError, match="page 1 has the blocks 0 to 5"):
        label(project, 1, [6], 0)


actions = st.lists(
    st.one_of(
        st.tuples(st.just("label"), st.lists(st.integers(0, SIZE - 1), min_size=1, unique=True), st.integers(-1, 4)),
        st.tuples(st.sampled_from(["undo", "redo"])),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A project for many examples, and a number for the annotator of each."""
    project = filled(tmp_path_factory.mktemp("history"))
    yield project, count()
    project.close()


@given(actions)
def test_undo_and_redo_follow_a_plain_history(shared, steps):
    """The database agrees with two stacks of whole states."""
    project, name = shared[0], f"annotator {next(shared[1])}"
    state, past, future = [-1] * SIZE, [], []
    for step in steps:
        if step[0] == "label":
            new = [step[2] if block in step[1] else code for block, code in enumerate(state)]
            label(project, 1, step[1], step[2], name)
            if new != state:
                past.append(state)
                state = new
            future = []
        elif step[0] == "undo" and past:
            undo(project, name, 1)
            future.append(state)
            state = past.pop()
        elif step[0] == "redo" and future:
            redo(project, name, 1)
            past.append(state)
            state = future.pop()
        assert labels_of(project, 1, name, SIZE).tolist() == state


LABELLER = """
import sys
from pathlib import Path
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.project import Project
project = Project(Path(sys.argv[1]))
for turn in range(10_000):
    apply_changes(project, "Ann", [Change(1, 6, [turn % 6], turn // 6 % 5)], {1: b"<p>one"})
    print(turn, flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is a signal of POSIX")
@pytest.mark.parametrize("attempt", range(10))
def test_a_killed_studio_keeps_every_label_that_it_confirmed(project, attempt):
    project.close()
    with subprocess.Popen(
        [sys.executable, "-c", LABELLER, str(project.folder)], stdout=subprocess.PIPE, text=True
    ) as process:
        first = process.stdout.readline()
        time.sleep(0.02 * attempt)
        process.send_signal(signal.SIGKILL)
        confirmed = int((first + process.stdout.read()).split()[-1])
    found = labels_of(Project(project.folder), 1, "Ann", SIZE)
    possible = []
    for last in (confirmed, confirmed + 1):  # the last one may have been stored without being confirmed
        codes = np.full(SIZE, -1)
        for turn in range(last + 1):
            codes[turn % 6] = turn // 6 % 5
        possible.append(codes.tolist())
    assert found.tolist() in possible
