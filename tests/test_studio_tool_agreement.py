"""All pages of a project beside a tool of others: how far they agree, as a filter of the list."""

import time
from pathlib import Path

import pytest

from dehusk import clean
from dehusk.base.errors import ConfigError, InputError, MissingExtraError
from dehusk.lab.evaluate.tools import OTHER_TOOLS, PageView
from dehusk.label.rules import Rule
from dehusk.measures.metrics import word_bag
from dehusk.studio.adding import Adding
from dehusk.studio.cleaning_again import CleaningAgain
from dehusk.studio.page_rows import PageFilter, PageList
from dehusk.studio.project import Project
from dehusk.studio.rule_editing import add_rules
from dehusk.studio.sources import find_sources
from dehusk.studio.tool_agreement import Compared, ToolAgreements, compared_tool
from studio_table import list_pages

EXAMPLES = Path(__file__).parent.parent / "examples"
TOOL = "turbohtml"  # dehusk depends on it


@pytest.fixture
def project(tmp_path):
    opened = Project(tmp_path / "project")
    Adding(opened, find_sources([str(EXAMPLES / "tea.html"), str(EXAMPLES / "tea-magazine")]), workers=1).run()
    yield opened
    opened.close()


def ended(agreements: ToolAgreements) -> Compared:
    end = time.monotonic() + 60
    while agreements.progress.state == "running":
        assert time.monotonic() < end
        time.sleep(0.02)
    return agreements.progress


def shares(project: Project) -> dict[int, float]:
    return {row["id"]: row["agreement"] for row in list_pages(project, PageFilter())}


def test_pages_are_compared_by_word_f1(project) -> None:
    assert set(shares(project).values()) == {None}
    assert compared_tool(project) == ""
    assert sum(PageList(project, PageFilter()).histogram("agreement")) == 0
    agreements = ToolAgreements(project)
    agreements.start(TOOL)
    pages = len(PageList(project, PageFilter()))
    done = ended(agreements)
    assert (done.state, done.done, done.of, done.failed) == ("done", pages, pages, 0)
    assert done.tool == compared_tool(project)
    assert done.tool.startswith(f"{TOOL} ")
    row = next(row for row in list_pages(project, PageFilter()) if row["name"] == "tea.html")
    html = (EXAMPLES / "tea.html").read_text("utf-8")
    [theirs] = OTHER_TOOLS[TOOL].load()([PageView(html)])
    assert row["agreement"] == pytest.approx(word_bag(theirs, clean(html).text).f1, abs=1e-4)
    assert sum(PageList(project, PageFilter()).histogram("agreement")) == pages


def test_the_list_is_filtered_by_it(project) -> None:
    agreements = ToolAgreements(project)
    agreements.start(TOOL)
    ended(agreements)
    found = shares(project)
    least = min(found.values())
    chosen = PageList(project, PageFilter(ranges={"agreement": (0, least)})).ids().tolist()
    assert chosen == [page for page, share in found.items() if share == least]


def test_only_what_is_out_of_date_is_compared_again(project) -> None:
    agreements = ToolAgreements(project)
    agreements.start(TOOL)
    ended(agreements)
    agreements.start(TOOL)
    assert ended(agreements).of == 0
    before = shares(project)
    add_rules(project, [Rule("drop", "p", "*")])
    again = CleaningAgain(project)
    again.start()
    while again.progress.state == "running":
        time.sleep(0.02)
    assert again.progress.state == "done", again.progress
    agreements.start(TOOL)
    assert ended(agreements).of == len(before)
    assert shares(project) != before


def test_one_run_at_a_time_and_known_tools_only(project) -> None:
    agreements = ToolAgreements(project)
    with pytest.raises((InputError, ConfigError), match="turbohtml"):
        agreements.start("turbohtlm")
    if not OTHER_TOOLS["goose3"].version:
        with pytest.raises(MissingExtraError, match="pip install"):
            agreements.start("goose3")
    agreements.start(TOOL)
    with pytest.raises(InputError, match="being compared with a tool: wait for it, or cancel it"):
        agreements.start(TOOL)
    agreements.cancel()
    assert ended(agreements).state in ("cancelled", "done")


def test_a_page_whose_file_is_gone_is_counted(project, tmp_path) -> None:
    page = tmp_path / "gone.html"
    page.write_text("<p>Tea", "utf-8")
    Adding(project, find_sources([str(page)]), workers=1).run()
    page.unlink()
    agreements = ToolAgreements(project)
    agreements.start(TOOL)
    done = ended(agreements)
    assert (done.state, done.failed) == ("done", 1)
    assert [share for share in shares(project).values() if share is None] == [None]
