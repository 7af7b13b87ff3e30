"""The views of sites without a browser: keys, lists, learning, and what each view says of a page."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.base.errors import ConfigError, InputError
from dehusk.blocks import segment
from dehusk.sites.alternation import FindOptimal
from dehusk.studio.adding import Adding
from dehusk.studio.opened import OpenedPages
from dehusk.studio.places import code_unit_offsets
from dehusk.studio.project import Project
from dehusk.studio.site_learning import SiteLearning, SiteLearnings, surface_record
from dehusk.studio.site_methods import (
    compare_methods,
    grey_page,
    information_view,
    leaf_words,
    read_surface,
    repeated_texts,
    structure_view,
    template_map,
    text_nodes,
)
from dehusk.studio.site_rows import MOST_LEARNED, choose_pages, list_site_pages, list_sites, site_facts
from dehusk.studio.site_store import NO_HOST, host_of, key_of, learned_folder, learned_record, site_folder
from dehusk.studio.sources import find_sources
from made_sites import FOOTER, HOST, MENU, article, page, site, write

COUNT = 8
ODD = "\U0001f375 tea"  # two code units in the first character


def add(project: Project, *arguments: Path) -> Project:
    Adding(project, find_sources([str(argument) for argument in arguments]), workers=1).run()
    return project


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    """Eight pages of one host, two of another, and two without an address."""
    root = tmp_path_factory.mktemp("sites")
    pages = site(COUNT)
    pages[3] = page([ODD, *article(3)], name="page3")
    write(root / "big", pages)
    write(root / "small", site(2, first=50, host="small.example"))
    write(root / "none", site(2, first=60, host=""))
    return add(Project(root / "project"), root / "big", root / "small", root / "none")


@pytest.fixture(scope="module")
def folder(project: Project) -> Path:
    """What is learned of the larger site."""
    learning = SiteLearning(project, HOST)
    assert learning.run().state == "done"
    assert learning.progress.done == learning.progress.of
    return learned_folder(project, HOST)


def blocks_of(project: Project, number: int):
    return segment(OpenedPages(project).document(number).page)


def first_page(project: Project, title: str = "page0") -> int:
    return next(row["id"] for row in site_facts(project, HOST)["list"] if row["title"] == title)


@pytest.mark.parametrize(
    "host", ["", "-", "tea.example", "a b", "..", "::1", "~74", "a%2fb", "x" * 400, "\ud800", "TEA.example", "a/../b"]
)
def test_any_host_has_a_key_that_is_safe_in_paths_and_leads_back(host: str, tmp_path: Path) -> None:
    key = key_of(host)
    assert host_of(key) == host
    assert not set(key) & set("/\\%?# .") - {"."}
    project = Project(tmp_path / "project")
    folder = site_folder(project, host)
    assert folder.parent == project.models / "sites"
    assert folder.name not in (".", "..")
    folder.mkdir(parents=True)


@pytest.mark.parametrize("key", ["~", "~7", "~zz", "~" + b"tea.example".hex(), "Tea.Example", ".."])
def test_other_keys_are_of_no_host(key: str) -> None:
    with pytest.raises(KeyError):
        host_of(key)


def test_sites_are_listed_sorted_and_searched(project: Project) -> None:
    found = list_sites(project)
    assert [(row["host"], row["pages"]) for row in found["sites"]] == [(HOST, 8), ("", 2), ("small.example", 2)]
    assert found["count"] == 3
    assert found["sites"][1]["key"] == NO_HOST
    assert [row["host"] for row in list_sites(project, sort="host", descending=False)["sites"]] == [
        "",
        "small.example",
        HOST,
    ]
    assert list_sites(project, search="SMALL")["count"] == 1
    assert list_sites(project, search="' OR 1 --")["count"] == 0
    assert [row["host"] for row in list_sites(project, start=1, count=1)["sites"]] == [""]
    with pytest.raises(ConfigError, match="column"):
        list_sites(project, sort="id; DROP TABLE page")


def test_too_few_pages_say_what_to_do(project: Project) -> None:
    with pytest.raises(InputError, match=r"2 pages that differ.*add more pages"):
        SiteLearning(project, "small.example")
    with pytest.raises(KeyError):
        site_facts(project, "unknown.example")
    with pytest.raises(InputError, match="not learned yet"):
        learned_folder(project, "small.example")


def test_copies_count_once_and_a_hundred_pages_are_enough(tmp_path: Path) -> None:
    write(tmp_path / "copies", [site(1)[0]] * 9)
    copies = add(Project(tmp_path / "one"), tmp_path / "copies")
    with pytest.raises(InputError, match="one page that differs"):
        choose_pages(copies, HOST)
    write(tmp_path / "many", site(MOST_LEARNED + 30))
    chosen = choose_pages(add(Project(tmp_path / "two"), tmp_path / "many"), HOST)
    assert len(chosen) == len(set(chosen)) == MOST_LEARNED
    assert max(chosen) > MOST_LEARNED, "they are spread over all pages"


def test_what_was_learned_is_recorded(project: Project, folder: Path) -> None:
    record = learned_record(project, HOST)
    assert len(record["pages"]) == record["of_pages"] == record["distinct"] == COUNT
    assert list_sites(project)["sites"][0]["learned"] == COUNT
    assert {path.name for path in folder.iterdir()} >= {"site", "wisdom", "alternation", "surface.json", "documents.z"}
    assert not list(folder.parent.glob(".*")), "nothing temporary is left"


def test_cancelling_leaves_nothing_and_keeps_what_was_learned_before(project: Project, folder: Path) -> None:
    before = learned_record(project, HOST)
    learnings = SiteLearnings(project)
    assert learnings.start(HOST).state == "running"
    learnings.cancel(HOST)
    assert learnings.progress(HOST).state == "cancelled"
    assert learned_record(project, HOST) == before
    assert not list(folder.parent.glob(".*"))
    assert learnings.progress("small.example") is None


def test_sites_are_learned_one_after_the_other(tmp_path: Path) -> None:
    hosts = [f"{name}.example" for name in ("first", "second", "third", "fourth")]
    for host in hosts:
        write(tmp_path / "pages" / host, site(6, host=host))
    project = add(Project(tmp_path / "project"), *(tmp_path / "pages" / host for host in hosts))
    learnings = SiteLearnings(project)
    states = [learnings.start(host) for host in hosts]
    assert [progress.state for progress in states] == ["running", "waiting", "waiting", "waiting"]
    assert states[2].step == "waits until first.example, second.example is learned"
    assert learnings.start(hosts[1]).state == "waiting", "nothing waits twice"
    learnings.cancel(hosts[2])
    assert learnings.progress(hosts[2]) is None
    learnings.cancel(hosts[0])
    end = time.monotonic() + 60
    while learnings.progress(hosts[3]).state in ("waiting", "running"):
        assert time.monotonic() < end
        time.sleep(0.05)
    ended = [learnings.progress(hosts[number]).state for number in (0, 1, 3)]
    assert ended == ["cancelled", "done", "done"]
    learnings.stop()


def test_pages_of_a_site_are_found_by_words_and_around_one(project: Project, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.site_rows._MOST_LISTED", 4)
    ids = [row["id"] for row in project.reading.execute("SELECT id FROM page WHERE host = ? ORDER BY id", (HOST,))]

    def listed(**asked) -> list[int]:
        return [row["id"] for row in list_site_pages(project, HOST, **asked)["list"]]

    assert listed() == ids[:4]
    assert listed(around=ids[5]) == ids[3:7]
    assert listed(around=ids[0]) == ids[:4]
    assert listed(around=ids[-1])[-1] == ids[-1]
    row = project.reading.execute("SELECT name FROM page WHERE id = ?", (ids[2],)).fetchone()
    assert ids[2] in listed(search=f" {row['name'].upper()} .html ")
    assert list_site_pages(project, HOST, search="%' OR 1 --") == {"list": [], "found": 0}


def test_a_page_that_cannot_be_read_is_left_out_and_named(tmp_path: Path) -> None:
    pages = write(tmp_path / "pages", site(7))
    project = add(Project(tmp_path / "project"), pages)
    (pages / "page2.html").write_text("changed", "utf-8")
    assert SiteLearning(project, HOST).run().state == "done"
    record = learned_record(project, HOST)
    assert len(record["pages"]) == 6
    assert "changed since" in record["notes"][0]


def test_the_template_map_counts_other_pages(project: Project, folder: Path) -> None:
    blocks = blocks_of(project, first_page(project))
    answer = template_map(blocks, folder)
    menu, text, footer = (blocks.texts.index(each) for each in (MENU[0], article(0)[0], FOOTER))
    assert answer["others"] == COUNT - 1
    assert answer["same"][menu] == answer["anywhere"][menu] == answer["place"][menu] == COUNT - 1
    assert (answer["same"][text], answer["anywhere"][text], answer["place"][text]) == (0, 0, COUNT - 1)
    assert [answer["template"][block] for block in (menu, text, footer)] == [1, 0, 1]
    assert FOOTER in [row["text"] for row in repeated_texts(folder) if row["pages"] == COUNT]


def test_the_structure_tree_knows_where_blocks_are(project: Project, folder: Path) -> None:
    blocks = blocks_of(project, first_page(project))
    answer = structure_view(blocks, folder)
    parents = answer["parent"]
    assert parents[0] == -1
    assert all(0 <= parent < index for index, parent in enumerate(parents[1:], 1)), "parents come first"
    menu, text = blocks.texts.index(MENU[0]), blocks.texts.index(article(0)[0])
    assert answer["importance"][menu] == 0 < answer["threshold"] <= answer["importance"][text]
    leaf = answer["element"][menu]
    assert (answer["kind"][leaf], answer["m"][leaf], answer["node"][leaf]) == ("leaf", COUNT, 0)
    assert all(low <= high + 1e-6 for low, high in zip(answer["node"], answer["path"], strict=True))
    assert {word["entropy"] for word in leaf_words(blocks, folder, menu)} == {1.0}
    assert {word["weight"] for word in leaf_words(blocks, folder, text)} == {answer["weight"][text]}
    with pytest.raises(KeyError):
        leaf_words(blocks, folder, len(blocks))


def test_the_grey_page_is_that_of_find_optimal(project: Project, folder: Path) -> None:
    blocks = blocks_of(project, first_page(project, "page3"))
    own = grey_page(blocks, folder, None)
    document = own["document"]
    units = document.encode("utf-16-le")

    def parts(edges: list[int]) -> str:
        return "|".join(units[2 * a : 2 * b].decode("utf-16-le") for a, b in zip(edges[::2], edges[1::2], strict=True))

    assert (own["n"], own["t"]) == (32, 2)
    assert FOOTER in parts(own["useless"])
    assert article(3)[0] not in parts(own["useless"])
    assert 0.2 < own["share"] < 0.9
    texts = {row[0]: row for row in own["texts"]}
    footer, text = blocks.texts.index(FOOTER), blocks.texts.index(article(3)[0])
    assert texts[footer][1:] == [len(FOOTER), 0, len(FOOTER)]
    assert texts[text][1] == len(article(3)[0])
    assert sum(np.diff(texts[text][2:])[::2]) < texts[text][1]
    assert texts[blocks.texts.index(ODD)][1] == len(ODD) + 1, "offsets are in code units"


def test_a_page_is_coloured_at_any_cut_point(project: Project, folder: Path) -> None:
    surface = read_surface(folder)
    blocks = blocks_of(project, first_page(project))
    for column, row in ((0, 0), (10, 5), (30, 20)):
        n, a = surface["lengths"][column], surface["percents"][row]
        total = 0
        for entry in site_facts(project, HOST)["list"]:
            total += grey_page(blocks_of(project, entry["id"]), folder, (n, a))["alternations"]
        assert total == surface["alternation"][column][row], "the surface counts what the pages show"
    with pytest.raises(ConfigError):
        grey_page(blocks, folder, (2, 101))


def test_the_surface_has_the_paths_of_both_searches() -> None:
    documents = [dehusk.sites.alternation.page_string(dehusk.parse(text)).text for text in site(6)]
    record = surface_record(documents)
    assert json.loads(json.dumps(record)) == record
    for path, options in zip(record["paths"], ({}, {"look_ahead": 4}), strict=True):
        found = FindOptimal("printed", **options).fit(documents).path_
        assert [tuple(point) for point in path["points"]] == [tuple(point) for point in found]
        assert path["points"][0][:2] == [2, 1]
        n, a, _, count = path["points"][-1]
        if n in record["lengths"]:
            assert record["alternation"][record["lengths"].index(n)][record["percents"].index(a)] == count


def test_the_information_tree_leads_to_blocks(project: Project, folder: Path) -> None:
    blocks = blocks_of(project, first_page(project))
    answer = information_view(blocks, folder)
    text = blocks.texts.index(article(0)[0])
    assert answer["types"][text] == "article"
    assert answer["weight"][text] > 0.9
    assert answer["weight"][blocks.texts.index(MENU[0])] < 0.1
    entry = next(node for node in answer["nodes"] if node.get("block") == text)
    assert entry["text"] == article(0)[0]
    marked = [node for node in answer["nodes"] if node.get("marks")]
    [article_set] = [found for found in answer["sets"] if found["type"] == "article"]
    assert {block["node"] for block in article_set["blocks"]} <= {node["node"] for node in marked}


def test_settings_of_wisdom_can_be_changed(project: Project, folder: Path) -> None:
    blocks = blocks_of(project, first_page(project))
    none = information_view(blocks, folder, changes={"tc_article": 0, "st": 0.99})
    assert none["settings"]["tc_article"] == 0
    assert none["settings"]["st_article"] == 0.99
    assert information_view(blocks, folder)["settings"]["tc_article"] == 0.7, "the next view has the preset's again"
    for changes in ({"st": 2.0}, {"k": 0.0}, {"run": 0.5}):
        with pytest.raises(ConfigError):
            information_view(blocks, folder, changes=changes)
    with pytest.raises(ConfigError, match="preset"):
        information_view(blocks, folder, "printed")


def test_methods_are_compared_on_the_common_blocks(project: Project, folder: Path) -> None:
    number = first_page(project)
    blocks = blocks_of(project, number)
    answer = compare_methods(OpenedPages(project), number, folder)
    assert [row["name"] for row in answer["methods"]] == ["united", "victor", "cst", "alternation", "wisdom"]
    menu, text = blocks.texts.index(MENU[0]), blocks.texts.index(article(0)[0])
    for row in answer["methods"][2:]:
        assert (row["kept"][menu], row["kept"][text]) == (0, 1), row["name"]
    kept = np.array([row["kept"] for row in answer["methods"]])
    assert answer["differ"] == np.flatnonzero(kept.min(axis=0) != kept.max(axis=0)).tolist()
    assert answer["methods"][0]["agreement"] == 1


def test_pages_without_text_and_without_an_address_have_views(tmp_path: Path) -> None:
    write(tmp_path / "pages", [*site(6, host=""), "<html><body></body></html>", "<p>&nbsp;</p>"])
    project = add(Project(tmp_path / "project"), tmp_path / "pages")
    assert SiteLearning(project, "").run().state == "done"
    folder = learned_folder(project, "")
    opened = OpenedPages(project)
    for row in site_facts(project, "")["list"]:
        blocks = segment(opened.document(row["id"]).page)
        assert len(template_map(blocks, folder)["same"]) == len(blocks)
        assert len(structure_view(blocks, folder)["element"]) == len(blocks)
        assert len(grey_page(blocks, folder, None)["texts"]) >= 0
        assert len(information_view(blocks, folder)["types"]) == len(blocks)
        assert len(compare_methods(opened, row["id"], folder)["words"]) == len(blocks)


def test_offsets_in_code_units() -> None:
    assert code_unit_offsets("tea").tolist() == [0, 1, 2, 3]
    assert code_unit_offsets("a\U0001f375b").tolist() == [0, 1, 3, 4]
    assert code_unit_offsets("").tolist() == [0]


def test_text_nodes_have_their_blocks() -> None:
    blocks = segment(dehusk.parse("<p>Green <b>tea</b> leaves</p> <p> </p><p>Steep</p>"))
    page = blocks.page
    found = [(page.text[page.text_start[node] : page.text_end[node]], block) for node, block in text_nodes(blocks)]
    assert found == [("Green ", 0), ("tea", 0), (" leaves", 0), ("Steep", 1)]
