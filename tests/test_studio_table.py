"""The list of pages: what filters, orders and counts give, without a browser."""

import dataclasses

import pytest

from dehusk.base.errors import ConfigError
from dehusk.many.files.inputs import Input
from dehusk.studio.adding import Adding
from dehusk.studio.labelling import set_note
from dehusk.studio.page_columns import columns_of
from dehusk.studio.page_rows import PageFilter, PageList, find_neighbours, first_rows, list_losses
from dehusk.studio.project import Project
from dehusk.studio.searching import to_match
from dehusk.studio.sources import find_sources
from studio_table import count_pages, list_pages

PROSE = "Good leaves give three cups, says Ann, and the last one is the best of all. " * 6
PAGES = {
    "green": ("Green tea", "https://tea.example/green", "sencha", PROSE),
    "black": ("Black tea", "https://tea.example/black", "assam", PROSE * 2),
    "kettle": ("A kettle", "https://pots.example/kettle", "steel", PROSE * 3),
    "empty": ("", "https://pots.example/empty", "", ""),
    "chinese": ("茶", "https://cha.example/", "绿茶和红茶都很好喝", "我们每天都喝茶，绿茶最好喝。" * 20),
}


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, (title, url, word, text) in PAGES.items():
        head = f"<html><head><title>{title}</title><link rel=canonical href='{url}'></head>"
        (folder / f"{name}.html").write_text(f"{head}<body><p>{word} {text}</p></body></html>", "utf-8")
    lines = "".join(f'{{"id": "{name}", "url": "{page[1]}"}}\n' for name, page in PAGES.items())
    (folder / "pages.jsonl").write_text(lines, "utf-8")
    made = Project(tmp_path / "project")
    progress = Adding(made, find_sources([str(folder)]), workers=1).run()
    assert progress.messages == ()
    yield made
    made.close()


def names(project: Project, chosen: PageFilter | None = None, **order) -> list[str]:
    return [row["name"] for row in list_pages(project, chosen or PageFilter(), **order)]


def test_pages_are_sorted_by_each_column_both_ways(project) -> None:
    assert names(project, sort="title") == ["empty", "kettle", "black", "green", "chinese"]
    assert names(project, sort="title", descending=True) == ["chinese", "green", "black", "kettle", "empty"]
    assert names(project, sort="words")[0] == "empty"
    assert names(project, sort="host")[0] == "chinese"
    assert names(project, start=1, count=2) == names(project)[1:3]
    with pytest.raises(ConfigError, match="column"):
        names(project, sort="colour")


def test_a_search_finds_words_of_titles_addresses_and_texts(project) -> None:
    assert names(project, PageFilter(search="sencha")) == ["green"]
    assert names(project, PageFilter(search="tea cups")) == ["black", "green"]
    assert names(project, PageFilter(search="ket")) == ["kettle"]
    assert names(project, PageFilter(search="绿茶")) == ["chinese"]
    assert names(project, PageFilter(search="cups absent")) == []


@pytest.mark.parametrize("search", ['"', "tea* OR (", "NEAR(", "-", "a:b", "^", "'; DROP TABLE page"])
def test_signs_of_the_query_language_are_no_part_of_a_search(project, search) -> None:
    assert count_pages(project, PageFilter(search=search)) in range(len(PAGES) + 1)


def test_the_last_word_of_a_search_may_be_incomplete() -> None:
    assert to_match("new yor") == '"new" "yor"*'
    assert to_match("new york ") == '"new" "york"'
    assert to_match("?!") == ""


def test_filters_narrow_the_list_and_counts_ignore_their_own_column(project) -> None:
    chosen = PageFilter(values={"host": ["tea.example"]})
    pages = PageList(project, chosen)
    assert len(pages) == 2
    assert pages.all_pages == 5
    assert dict(pages.count_values("host")) == {"tea.example": 2, "pots.example": 2, "cha.example": 1}
    assert dict(pages.count_values("status")) == {"ok": 2}
    assert sum(pages.histogram("confidence")) == 2
    kept = PageList(project, PageFilter(ranges={"kept": (0.5, 1.0)}))
    assert len(kept) == 4
    assert sum(kept.histogram("kept")) == 5


def test_a_value_that_no_page_has_lets_nothing_through(project) -> None:
    assert count_pages(project, PageFilter(values={"host": ["nowhere.example"]})) == 0


def test_flags_labels_and_new_pages_show_at_once(project, tmp_path) -> None:
    page = list_pages(project, PageFilter(search="sencha"))[0]["id"]
    assert count_pages(project, PageFilter(values={"flag": ["broken"]})) == 0
    set_note(project, page, "Ann", flag="broken", comment="no pictures")
    assert names(project, PageFilter(values={"flag": ["broken"]})) == ["green"]
    with project.writing() as connection:
        connection.execute("UPDATE page SET labelled = 3 WHERE id = ?", (page,))
    assert PageList(project, PageFilter()).count_labelled() == {"yes": 1, "no": 4}
    path = tmp_path / "more.html"
    path.write_text(f"<p>{PROSE}</p>", "utf-8")
    Adding(project, [Input(path, path.name, "page")], workers=1).run()
    assert count_pages(project, PageFilter()) == 6
    assert names(project, PageFilter(labelled=True)) == ["green"]


def test_other_changes_of_a_page_show_too(project) -> None:
    assert count_pages(project, PageFilter(values={"status": ["error"]})) == 0
    with project.writing() as connection:
        connection.execute("UPDATE page SET status = 'error' WHERE name = 'green'")
    assert names(project, PageFilter(values={"status": ["error"]})) == ["green"]
    with project.writing() as connection:
        connection.execute("DELETE FROM page WHERE name = 'green'")
    assert count_pages(project, PageFilter()) == 4
    assert names(project, PageFilter(search="sencha")) == []


def test_columns_are_read_once_for_a_project(project) -> None:
    source = columns_of(project)
    assert columns_of(project) is source
    assert source.now() is source.now()


def test_the_first_rows_are_those_of_the_list(project) -> None:
    rows, total = first_rows(project, 1, 2)
    assert rows == list_pages(project, PageFilter(), start=1, count=2)
    assert total == 5


def test_the_next_least_confident_page_has_text_and_no_labels(project) -> None:
    by_confidence = [row["id"] for row in list_pages(project, PageFilter(), sort="confidence") if row["blocks"]]
    pages = PageList(project, PageFilter())
    assert pages.least_confident() == by_confidence[0]
    assert pages.least_confident(by_confidence[0]) == by_confidence[1]
    assert pages.least_confident(by_confidence[-1]) == by_confidence[0]
    set_note(project, by_confidence[0], "Ann", flag="other")
    assert PageList(project, PageFilter()).least_confident() == by_confidence[1]


def test_the_next_page_of_a_site_comes_round(project) -> None:
    ids = {row["name"]: row["id"] for row in list_pages(project, PageFilter())}
    pages = PageList(project, PageFilter())
    assert pages.same_site(ids["black"]) == ids["green"]
    assert pages.same_site(ids["green"]) == ids["black"]
    assert pages.same_site(ids["chinese"]) is None
    assert pages.same_site(10_000) is None


def test_neighbours_follow_filter_and_order(project) -> None:
    order = [row["id"] for row in list_pages(project, PageFilter(), sort="title", descending=True)]
    found = find_neighbours(project, order[1], PageFilter(), sort="title", descending=True)
    assert tuple(found) == (order[0], order[2], 2, 5)
    outside = find_neighbours(project, order[0], PageFilter(values={"host": ["tea.example"]}), sort="title")
    assert outside.total == 2
    with pytest.raises(KeyError):
        find_neighbours(project, 10_000, PageFilter())


def test_what_could_not_be_read_is_kept(tmp_path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"url": "https://tea.example/", "html": "<p>tea</p>"}\nnot JSON\n', "utf-8")
    project = Project(tmp_path / "project")
    Adding(project, find_sources([str(path)]), workers=1).run()
    losses, count = list_losses(project)
    assert count == 1
    assert losses[0].startswith("pages.jsonl at 1: line 2 is not a JSON object")
    project.close()


def test_unknown_filters_are_refused() -> None:
    with pytest.raises(ConfigError, match="filter"):
        dataclasses.replace(PageFilter(), values={"colour": ["red"]})
