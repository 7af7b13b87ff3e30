"""Sites of pages that went wrong once: records, vectors, classes and labelled pages, found by running the commands."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import made_sites
from dehusk.base.errors import InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import Annotation, Span
from dehusk.blocks.labels import PARAGRAPH
from dehusk.cli import main
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.lab.evaluate.scores import score
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.lab.train.labelled_pages import gather_pages, is_usable
from dehusk.label import load_method
from dehusk.label.baseline import KeepAll
from dehusk.label.registry import declaration
from dehusk.read import parse
from dehusk.read.files import find_pages
from dehusk.sites.alternation import Alternation, FindOptimal
from dehusk.sites.mining.page_labels import labels_of
from dehusk.sites.records.channels import page_channels
from dehusk.sites.records.value_types import column_type
from dehusk.sites.structure_tree import CompressedStructureTree
from dehusk.sites.structure_tree.vector_files import target_of_label
from dehusk.sites.wisdom import Wisdom
from product_pages import products

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command: exit code, standard output, standard error."""

    def typed(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dehusk", *map(str, words)])
        with pytest.raises(SystemExit) as done:
            main()
        return int(done.value.code or 0), *capfd.readouterr()

    return typed


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with pages of three sites."""
    made_sites.write(tmp_path / "pages", made_sites.site(6))
    made_sites.write(tmp_path / "others", made_sites.site(6, host="coffee.example"))
    made_sites.write(tmp_path / "products", products())
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---------------------------------------------------------------- records


def test_columns_that_one_process_saves_are_used_by_the_next(folder: Path) -> None:
    for options in (["--save", "model"], ["--model", "model"]):
        words = [sys.executable, "-m", "dehusk", "records", "products", "-q", *options, "-o", f"{options[0]}.csv"]
        done = subprocess.run(words, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
    assert (folder / "--model.csv").read_bytes() == (folder / "--save.csv").read_bytes()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ({"@type": "Recipe", "name": "Scones", "author": {"@type": "Person", "name": "Ann"}}, "Scones"),
        ([{"@type": "Organization", "name": "Cars"}, {"@type": "Vehicle", "name": "Van"}], "Van"),
        ([{"@type": "Organization", "name": "Cars"}, {"@type": "BlogPosting", "name": "Vans"}], "Vans"),
        ({"@type": "Person", "name": "Ann"}, "Ann"),
    ],
)
def test_a_page_is_about_its_work_before_those_who_made_it(data: object, name: str) -> None:
    html = f'<script type="application/ld+json">{json.dumps(data)}</script><p>Tea</p>'
    pieces = page_channels(segment(parse(html)))[2]
    assert pieces.text.startswith(name)
    assert pieces.names[0] == "name"


@pytest.mark.parametrize(
    ("values", "read"),
    [
        (["2026-05-03T10:00:00Z", "2026-05-04T12:00:00+02:00"], ["2026-05-03T10:00:00+00:00"]),
        (["2026-05-03 10:00", "2026-05-04T12:00"], ["2026-05-03T10:00", "2026-05-04T12:00"]),
        (["2026 May 3", "2026-05-03 (new)"], ["2026-05-03", "2026-05-03"]),
    ],
)
def test_times_keep_their_offset(values: list[str], read: list[str]) -> None:
    type_ = column_type(values)
    assert [type_.read(value) for value in values][: len(read)] == read


def test_rows_of_different_pages_name_different_pages(run: Run, folder: Path) -> None:
    for name in ("camera", "printer"):
        made_sites.write(folder / name, products())
    code, out, _ = run("records", "camera", "printer", "-q")
    pages = [json.loads(line)["page"] for line in out.splitlines()]
    assert (code, len(set(pages))) == (0, len(pages))


def test_a_missing_page_is_told_once(run: Run, folder: Path) -> None:
    code, _, err = run("records", *sorted((folder / "products").iterdir()), "gone.html", "-o", "t.csv")
    assert (code, err.count("gone.html: error: cannot be read")) == (1, 1)


# ---------------------------------------------------------------- outputs

PAGE, OTHER, PRODUCT = "pages/page0.html", "others/page0.html", "products/page0.html"


@pytest.mark.parametrize(
    ("words", "page", "option"),
    [
        (("records", "products", "-f", "csv", "-o", PRODUCT), PRODUCT, "output"),
        (("records", "products", "--columns", PRODUCT, "-o", "t.csv"), PRODUCT, "columns"),
        (("records", "pages", "--site", "products", "-f", "csv", "-o", PRODUCT), PRODUCT, "output"),
        (("vectors", "pages", "-f", "jsonl", "-o", PAGE), PAGE, "output"),
        (("compare", PAGE, "--with", "dehusk-keep-all", "-o", PAGE), PAGE, "output"),
        (("site", "show", "pages", "--tree", OTHER, "-f", "html", "-o", OTHER), OTHER, "output"),
        (("site", "show", "pages", "--tree", OTHER, "-f", "html", "-o", PAGE), PAGE, "output"),
        (("toc", OTHER, "--site", "pages", "-o", PAGE), PAGE, "output"),
        (("colour", "pages", "-o", "out", "--surface", PAGE), PAGE, "surface"),
        (("colour", OTHER, "--site", "pages", "-o", "out", "--surface", PAGE), PAGE, "surface"),
    ],
)
def test_no_output_replaces_a_page(run: Run, folder: Path, words: tuple[str, ...], page: str, option: str) -> None:
    before = (folder / page).read_bytes()
    code, _, err = run(*words)
    assert (code, f"--{option} {page} is one of the pages: choose another file" in err) == (2, True)
    assert (folder / page).read_bytes() == before


def test_blocks_and_pages_of_a_site_are_not_replaced(run: Run, folder: Path) -> None:
    code, _, err = run("clean", OTHER, "--site", "pages", "-o", PAGE)
    assert (code, f"--output {PAGE} is in the folder of --site" in err) == (2, True)
    assert run("corpus", "--find", "wisdom", "pages", "--output", "found", "--format", "jsonl")[0] == 0
    blocks = next((folder / "found" / "pages").iterdir())
    before, name = blocks.read_bytes(), str(blocks.relative_to(folder))
    code, _, err = run("toc", name, "-o", name)
    assert (code, f"--output {name} is one of the pages: choose another file" in err) == (2, True)
    assert blocks.read_bytes() == before


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("colour", "pages", "-o", "pages"), "pages/page0.html is one of the pages: choose another folder"),
        (
            ("colour", OTHER, "--site", "pages", "-o", "pages"),
            "pages/page0.html is one of the pages: choose another folder",
        ),
        (("colour", "pages", "-o", "out", "--t", "foo"), "'foo' is neither an integer nor records"),
        (("records", "products", "-o", "t.csv", "--columns", "./t.csv"), "--output and --columns are both t.csv"),
        (
            ("site", "learn", "pages", "--method", "cst", "--set", "gamma=0.9", "-o", "model"),
            "option gamma of method cst is of mode style: set mode=style",
        ),
        (("toc", "pages", "--set", "st=high"), "option st of method wisdom must be float, not 'high'"),
        (("toc", "pages", "--set", "preset=poor"), "unknown preset 'poor'. Known: recommended, paper"),
    ],
)
def test_wrong_use_names_what_would_be_right(run: Run, words: tuple[str, ...], message: str) -> None:
    code, _, err = run(*words)
    assert (code, message in err) == (2, True)


@pytest.mark.usefixtures("folder")
def test_each_compared_page_has_a_record(run: Run) -> None:
    code, out, _ = run("compare", "gone.html", PAGE, "--with", "dehusk-keep-all", "-f", "json", "-q")
    unread, compared = map(json.loads, out.splitlines())
    assert (code, unread["page"], unread["status"]) == (1, "gone.html", "error")
    assert unread["message"].startswith("cannot be read: ")
    assert compared["page"] == PAGE


# ---------------------------------------------------------------- vectors and classes


@pytest.mark.usefixtures("folder")
def test_pages_weighed_by_a_model_keep_their_sites(run: Run) -> None:
    assert run("site", "learn", "-q", "pages", "--method", "cst", "-o", "model")[0] == 0
    code, out, _ = run("vectors", "pages", "others", "--site", "model", "-q")
    assert code == 0
    assert {json.loads(line)["site"] for line in out.splitlines()} == {"tea.example", "coffee.example"}


def test_a_label_0_is_not_a_page_without_a_label() -> None:
    assert target_of_label(["0", "1", "0"]) == {"0": 0, "1": 1}
    assert target_of_label(["0", "1", None]) == {"0": -1, "1": 1}
    assert target_of_label(["1", "2", None]) == {"1": 1, "2": 2}


def test_two_labels_of_a_page_are_refused(folder: Path) -> None:
    pages = find_pages(["pages"]).sources
    (folder / "labels").write_text(f"{PAGE}\ttea\n\n{PAGE}\ttea\npage0.html\tcoffee\n")
    with pytest.raises(InputError, match=r"labels labels: page0.html is 'tea' in line 3, 'coffee' in line 4"):
        labels_of(pages, "labels")


def test_pages_without_words_get_no_class(run: Run, folder: Path) -> None:
    pytest.importorskip("sklearn")
    made_sites.write(folder / "void", ["<p></p>"])
    learned = run("classify", "pages", "products", "--labels", "folder", "--save", "model", "--plain", "-q")
    assert learned[0] == 0
    code, _, err = run("classify", "--model", "model", "void")
    assert (code, "nothing is classified" in err) == (3, True)
    code, out, _ = run("classify", "--model", "model", "void", "pages", "-q")
    classes = {line.split(",")[0]: line.split(",")[3] for line in out.splitlines()}
    assert (code, classes["void/page0.html"], classes[PAGE]) == (0, "", "pages")


@pytest.mark.parametrize(
    ("learned", "load"),
    [
        (lambda: Wisdom().fit(made_sites.site(4)), Wisdom.load),
        (lambda: CompressedStructureTree().fit(made_sites.site(4), sites=""), CompressedStructureTree.load),
        (lambda: Alternation().fit(made_sites.site(4)), Alternation.load),
        (lambda: FindOptimal().fit(made_sites.site(4)), FindOptimal.load),
        (lambda: load_method("united"), lambda folder: load_method("united", model=folder)),
    ],
)
def test_models_are_saved_and_loaded_by_a_name(
    learned: Callable[[], Wisdom], load: Callable[[str], object], tmp_path: Path
) -> None:
    learned().save(str(tmp_path / "model"))
    assert load(str(tmp_path / "model"))


def test_a_search_for_all_blocks_has_the_same_name_everywhere() -> None:
    assert declaration("wisdom").parse_options({"k": "all"}) == {"k": "all"}
    assert Wisdom(k="all").settings == Wisdom(k=float("inf")).settings


# ---------------------------------------------------------------- labelled pages


def annotate(page: Path, label: int, *, wrong: bool = False) -> None:
    """Write an annotation that gives all blocks of a page a label; a wrong one has a span beyond its text."""
    data = page.read_bytes()
    blocks = segment(parse(data))
    made = Annotation.from_labels(data, blocks, np.full(len(blocks), label))
    spans = (Span(0, 10**9, "other", ""),) if wrong else made.spans
    replace(made, spans=spans).save(page.with_name(f"{page.name}.anno.json"))


def test_an_annotation_without_a_label_is_no_labelled_page(run: Run, folder: Path) -> None:
    for name, label in ((PAGE, PARAGRAPH), (OTHER, -1)):
        annotate(folder / name, label)
    code, _, err = run("eval", "pages", "others")
    assert (code, f"1 page skipped, whose annotation labels no text: {OTHER}" in err) == (0, True)
    assert run("eval", "others")[0] == 2
    pages = gather_pages(["pages", "others"], KeepAll())
    assert [is_usable(page) for page in pages] == [True, False]


def test_a_wrong_annotation_names_its_page(run: Run, folder: Path) -> None:
    annotate(folder / PAGE, PARAGRAPH, wrong=True)
    code, _, err = run("eval", "pages")
    assert (code, f"{PAGE}: span 1 ends at 1000000000" in err) == (2, True)


def test_a_page_of_the_working_folder_is_of_a_named_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    annotate(folder / PAGE, PARAGRAPH)
    monkeypatch.chdir(folder / "pages")
    assert gather_pages(["page0.html"], KeepAll())[0].sample.set == "pages"


def a_set(folder: Path, rows: str, *, flat: bool = False) -> Path:
    """Write a set of a page; a flat one has all files beside each other."""
    html, gold = (folder, folder) if flat else (folder / "html", folder / "gold")
    for each in (html, gold):
        each.mkdir(parents=True, exist_ok=True)
    (folder / "pages.jsonl").write_text(rows)
    (html / "a.html").write_text(made_sites.site(1)[0])
    (gold / "a.txt").write_text("\n".join(made_sites.article(0)))
    return folder


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"id": "a", "url": 5}', "page a: url must be a text, not 5"),
        ('{"id": "a", "language": ["en"]}', r"page a: language must be a text, not \['en'\]"),
        ('{"id": {}}', "line 1 of pages.jsonl: id must be a text, not {}"),
        ("[]", "line 1 of pages.jsonl is not a JSON object"),
    ],
)
def test_a_page_of_a_set_is_described_by_texts(run: Run, tmp_path: Path, row: str, message: str) -> None:
    path = a_set(tmp_path / "set", row)
    with pytest.raises(InputError, match=message):
        list(read_set(path))
    assert run("eval", path)[0] == 2


def test_a_list_of_pages_beside_them_is_no_set(run: Run, tmp_path: Path) -> None:
    path = a_set(tmp_path / "flat", '{"id": "a", "url": "http://tea.example/a"}', flat=True)
    code, out, _ = run("eval", path, "-f", "json")
    assert (code, json.loads(out)["groups"]["flat"]["pages"]) == (0, 1)


def test_a_failure_scores_nothing_even_with_a_text() -> None:
    sample = Sample("tea", "a", b"<p>Green tea", None, None, None, "Green tea")
    failed = score(sample, Prediction("tea", "a", "tool", "Green tea", error="died"))
    assert (failed.words.f1, failed.outcome.failed) == (0, 1)


def test_floors_that_cannot_be_read_are_told_before_the_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gate.json").write_text("{}")
    code, _, err = run("bench", "-o", tmp_path / "runs", "--gate", tmp_path / "gate.json", tmp_path / "no-set")
    assert (code, "gate.json: floors cannot be read: it has no 'floors'" in err) == (2, True)
