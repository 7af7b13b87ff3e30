"""What belongs to a page besides its bytes: style sheets, gold, other pages of the list and of the host."""

import json
import time
from pathlib import Path

import numpy as np
import pytest

import dehusk
import made_sites
import warcs
from dehusk.base.errors import ConfigError, GoldError, InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import Annotation
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.many.files.saved_pages import page_files
from dehusk.studio.adding import Adding
from dehusk.studio.bodies import read_body
from dehusk.studio.comparing import comparison, word_diff
from dehusk.studio.explaining import why
from dehusk.studio.labelling import Change, apply_changes, undo
from dehusk.studio.linked_sheets import sheet_addresses, sheets_of_page
from dehusk.studio.opened import HOST, HostSites, OpenedPages, ViewSettings
from dehusk.studio.page_gold import find_gold
from dehusk.studio.page_rows import PageFilter, find_neighbours
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources

LEAF = "The leaves of the first harvest are picked by hand in April, when the buds are still closed. "
SHEET = "p { color: teal }"
STYLED = f"""<html><head><link rel="stylesheet" href="%s"><link rel="alternate stylesheet" href="other.css">
<link rel=stylesheet media=print href=print.css></head><body>
<h1>Tea</h1><p>{LEAF * 4}</p><p>All rights belong to the house.</p></body></html>"""


@pytest.fixture
def project(tmp_path):
    opened = Project(tmp_path / "project")
    yield opened
    opened.close()


def add(project: Project, *arguments: Path) -> None:
    Adding(project, find_sources([str(argument) for argument in arguments]), workers=1).run()


def write(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
    return folder


def sheets(project: Project, number: int = 1) -> list[str]:
    return sheets_of_page(project, number, OpenedPages(project).document(number).page)


def test_sheets_for_screens_are_found_by_their_address() -> None:
    page = dehusk.clean(STYLED % "/css/tea.css?v=2#x", url="https://tea.example/a/b.html").page
    assert sheet_addresses(page) == ["https://tea.example/css/tea.css?v=2"]
    assert sheet_addresses(dehusk.clean(STYLED % "http://[").page) == ["http://["]
    assert sheet_addresses(dehusk.clean(STYLED % "http://[", url="https://tea.example/").page) == []


def test_a_sheet_of_the_same_warc_is_found(project: Project, tmp_path) -> None:
    css = warcs.answer(SHEET.encode(), headers="Content-Type: text/css\r\n")
    page = warcs.answer((STYLED % "tea.css").encode())
    records = [
        warcs.record(1, page, url="https://tea.example/a/b.html"),
        warcs.record(2, css, url="https://tea.example/a/tea.css"),
        warcs.record(3, css.replace(b"teal", b"red!"), url="https://tea.example/tea.css"),
    ]
    add(project, warcs.write(tmp_path / "tea.warc.gz", records))
    assert sheets(project) == [SHEET]


@pytest.mark.parametrize("address", ["tea.css", "/tea.css", "https://tea.example/tea.css", "a%2F..%2Ftea.css"])
def test_a_sheet_in_the_folder_is_found(project: Project, tmp_path, address: str) -> None:
    folder = write(tmp_path / "pages", index_html=STYLED % address, tea_css=SHEET, a__x_html="<p>Other</p>")
    add(project, folder / "index.html")
    assert sheets(project) == [SHEET]


@pytest.mark.parametrize(
    "address",
    ["../secret.css", "/../secret.css", "..%2Fsecret.css", "file:///etc/passwd", "/etc/passwd", "link.css", "%00", "."],
)
def test_nothing_outside_of_the_folder_is_read(project: Project, tmp_path, address: str) -> None:
    write(tmp_path, secret_css="p { color: secret }")  # noqa: S106 (a file's content)
    folder = write(tmp_path / "pages", index_html=STYLED % address)
    (folder / "link.css").symlink_to(tmp_path / "secret.css")
    add(project, folder)
    assert sheets(project) == []


def test_gold_text_of_a_set_is_found(project: Project, tmp_path) -> None:
    write(tmp_path / "set", html__tea_html=STYLED % "x.css", gold__tea_txt=f"<p> {LEAF * 4}")
    add(project, tmp_path / "set" / "html")
    document = OpenedPages(project).document(1)
    gold = find_gold(project, 1, document)
    assert gold is not None
    assert gold.source == "gold text tea.txt"
    assert gold.codes.tolist() == [OTHER, PARAGRAPH, OTHER]


def test_an_annotation_beside_the_page_comes_before_a_text(project: Project, tmp_path) -> None:
    folder = write(tmp_path / "pages", tea_html=STYLED % "x.css", tea_txt=LEAF)
    data = (folder / "tea.html").read_bytes()
    blocks = segment(dehusk.parse(data))
    Annotation.from_labels(data, blocks, [0, 2, -1]).save(folder / "tea.html.anno.json")
    add(project, folder / "tea.html")
    document = OpenedPages(project).document(1)
    gold = find_gold(project, 1, document)
    assert gold is not None
    assert gold.codes.tolist() == [0, 2, -1]
    assert gold.text.startswith("Tea\n")
    (folder / "tea.html.anno.json").write_text("{}")
    with pytest.raises(GoldError, match=r"tea\.html\.anno\.json"):
        find_gold(project, 1, document)


def test_labels_of_the_project_come_first(project: Project, tmp_path) -> None:
    folder = write(tmp_path / "pages", tea_html=STYLED % "x.css", tea_txt=LEAF)
    add(project, folder / "tea.html")
    document = OpenedPages(project).document(1)
    codes = np.array([-1, 4, 2], dtype=np.int8)
    with project.writing() as connection:
        connection.execute("INSERT INTO labelling VALUES (1, 'Ann', ?, 2, 0, 1, 0)", (codes.tobytes(),))
    gold = find_gold(project, 1, document)
    assert gold is not None
    assert (gold.source, gold.codes.tolist()) == ("labels of Ann", [-1, 4, 2])
    text = find_gold(project, 1, document, file_only=True)
    assert text is not None
    assert text.source == "gold text tea.txt"


def test_a_page_without_gold_has_none(project: Project, tmp_path) -> None:
    add(project, write(tmp_path / "pages", tea_html=STYLED % "x.css") / "tea.html")
    assert find_gold(project, 1, OpenedPages(project).document(1)) is None


LEFTS = ["", "tea", "green tea is hot\nand good\n", "a b c d e f\n", "  green\ttea!  "]
RIGHTS = ["", "tea", "black tea is very hot\n", "f e d c b a", "green (tea)?"]


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("right", RIGHTS)
def test_a_diff_has_all_of_the_left_text_and_all_words_of_the_right_one(left: str, right: str) -> None:
    runs = word_diff(left, right)
    assert "".join(text for sign, text in runs if sign != "+") == left
    assert "".join("".join(text.split()) for sign, text in runs if sign != "-") == "".join(right.split())
    assert all(text for _, text in runs)


def test_a_diff_names_what_was_replaced() -> None:
    assert word_diff("green tea is hot\n", "green coffee is very hot") == [
        ("=", "green "),
        ("-", "tea "),
        ("+", "coffee "),
        ("=", "is "),
        ("+", "very "),
        ("=", "hot\n"),
    ]
    found = comparison("green tea is hot", "green coffee is very hot")
    assert found["words"] == {"common": 3, "left": 1, "right": 2}
    assert found["precision"] == 0.75
    assert found["recall"] == 0.6


def test_lines_that_both_texts_have_anchor_the_diff_of_a_long_page() -> None:
    line = "The leaves of harvest {} are dried by hand, and sorted on the same day.\n\n"
    lines = [line.format(number) for number in range(3_000)]
    changed = [own.replace("hand", "fire") if number % 500 == 7 else own for number, own in enumerate(lines)]
    left, right = "".join(lines[:2_000] + lines[2_010:]), "".join(["Tea\n\n", *changed])
    start = time.process_time()
    runs = word_diff(left, right)
    assert time.process_time() - start < 1, "word by word it takes several seconds"
    assert "".join(text for sign, text in runs if sign != "+") == left
    assert [text.strip() for sign, text in runs if sign == "-"] == ["hand"] * 5
    added = [text for sign, text in runs if sign == "+"]
    assert [text.strip() for text in added if len(text) < 20] == ["Tea"] + ["fire"] * 5
    assert sum(text.count("harvest") for text in added) == 10


def test_neighbours_follow_filter_and_order(project: Project, tmp_path) -> None:
    texts = {name: f"<title>{title}</title><p>{LEAF * 4}" for name, title in zip("abcd", "zyyx", strict=True)}
    add(project, write(tmp_path / "pages", **{f"{name}_html": text for name, text in texts.items()}))
    everything = PageFilter()
    walk = [find_neighbours(project, page, everything, sort="title") for page in (4, 2, 3, 1)]
    assert [found.next for found in walk] == [2, 3, 1, None]
    assert [found.previous for found in walk] == [None, 4, 2, 3]
    assert [found.position for found in walk] == [1, 2, 3, 4]
    back = find_neighbours(project, 3, everything, sort="title", descending=True)
    assert (back.previous, back.next, back.position, back.total) == (1, 2, 2, 4)
    elsewhere = find_neighbours(project, 1, PageFilter(search="x"), sort="title")  # a list that it is not in
    assert (elsewhere.previous, elsewhere.next, elsewhere.total) == (4, None, 1)
    with pytest.raises(ConfigError):
        find_neighbours(project, 1, everything, sort="id; DROP TABLE page")
    with pytest.raises(KeyError):
        find_neighbours(project, 9, everything)


def test_the_pages_of_a_host_say_what_is_template(project: Project, tmp_path) -> None:
    add(project, warcs.write(tmp_path / "site.warc", warcs.page_records(8)))
    opened = OpenedPages(project)
    site = opened.sites.of_page(1)
    assert site is not None
    assert site.pages == 8
    document = opened.document(1, explain=True)
    said = [why(document, block, site)["site"] for block in range(len(document.labels))]
    assert any("The same text is on 7 of 7 other pages" in words for words in said)
    with_site = opened.document(1, ViewSettings(site=HOST), explain=True)
    assert "site" in with_site.labels.evidence[0]
    assert opened.document(1, ViewSettings("site", site=HOST)).model == ""


def test_labels_of_a_page_teach_the_other_pages_of_its_host(project: Project, tmp_path) -> None:
    add(project, warcs.write(tmp_path / "site.warc", warcs.page_records(8)))
    opened, settings = OpenedPages(project), ViewSettings(site=HOST)
    before = {page: opened.document(page, settings) for page in (1, 2)}
    assert not any(made_sites.FOOTER in document.text for document in before.values())
    footer = len(before[1].labels) - 1
    assert before[1].blocks[footer].text == made_sites.FOOTER
    apply_changes(project, "Ann", [Change(1, len(before[1].labels), (footer,), PARAGRAPH)], {1: opened.body(1).data})
    taught = opened.document(2, settings, explain=True)
    assert made_sites.FOOTER in taught.text
    assert "By labels on 1 page it is rather content (+4.0)." in why(taught, footer, opened.sites.of_page(2))["site"]
    assert opened.document(1, settings).text == before[1].text  # a page is judged without its own labels
    undo(project, "Ann", 1)
    assert opened.document(2, settings).text == before[2].text


def test_a_single_page_has_no_site(project: Project, tmp_path) -> None:
    add(project, write(tmp_path / "pages", tea_html=made_sites.site(1)[0]) / "tea.html")
    host_sites = HostSites(project)
    assert host_sites.of_page(1) is None
    assert host_sites.if_learned(1) == (None, True)
    with pytest.raises(ConfigError, match="other pages of the same host"):
        OpenedPages(project).document(1, ViewSettings("site", site=HOST))


def test_pages_of_a_folder_are_read_without_listing_it(project: Project, tmp_path, monkeypatch) -> None:
    folder = write(tmp_path / "pages", a_html=STYLED % "a.css", below__b_html=STYLED % "b.css")
    add(project, folder)
    listed: list[Path] = []
    monkeypatch.setattr("dehusk.studio.page_files.page_files", lambda path: listed.append(path) or page_files(path))
    monkeypatch.setattr("dehusk.studio.bodies.read_place", None)
    assert b"a.css" in read_body(project, 1).data
    assert b"b.css" in read_body(project, 2).data
    assert listed == []


def test_pages_under_other_names_are_found_by_one_listing(project: Project, tmp_path, monkeypatch) -> None:
    folder = write(tmp_path / "pages", a_html=STYLED % "a.css", b_html=STYLED % "b.css")
    entries = [{"id": f"tea {name}", "file": f"{name}.html"} for name in "ab"]
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, entries)), "utf-8")
    add(project, folder)
    listed: list[Path] = []
    monkeypatch.setattr("dehusk.studio.page_files.page_files", lambda path: listed.append(path) or page_files(path))
    assert b"a.css" in read_body(project, 1).data
    assert b"b.css" in read_body(project, 2).data
    assert listed == [folder]


def test_a_page_whose_file_is_gone_or_changed_says_what_to_do(project: Project, tmp_path) -> None:
    folder = write(tmp_path / "pages", a_html=STYLED % "a.css", b_html=STYLED % "b.css")
    add(project, folder)
    (folder / "a.html").write_text("something else", "utf-8")
    with pytest.raises(InputError, match="has changed since its pages were added: start the studio with"):
        read_body(project, 1)
    (folder / "b.html").unlink()
    with pytest.raises(InputError, match="has changed"):
        read_body(project, 2)
    (folder / "a.html").unlink()
    folder.rmdir()
    with pytest.raises(InputError, match="no longer exists: put it back"):
        read_body(project, 2)
