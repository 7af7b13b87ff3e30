"""`dehusk site` and `dehusk clean --site` as a user types them."""

import json
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import dehusk
import made_sites
from command_line import dehusk as run
from dehusk.cli import main
from dehusk.label import model_folder
from made_sites import article, folder_bytes, page, site

PAGES = 8


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages of a site, pages of two sites, no pages, and models of the first."""
    root = tmp_path_factory.mktemp("site")
    made_sites.write(root / "pages", site(PAGES))
    made_sites.write(root / "two", [*site(2), *site(2, host="coffee.example")])
    made_sites.write(root / "few", site(2))
    (root / "void").mkdir()
    for method in ("site", "alternation"):
        done = run("site", "learn", "pages", "--method", method, "-o", f"models/{method}", cwd=root)
        assert (done.returncode, done.stdout) == (0, b"")
        learned = {
            "site": f"models/site: learned from {PAGES} pages of tea.example",
            "alternation": f"models/alternation: learned for method alternation from {PAGES} pages",
        }
        assert done.stderr.decode() == f"dehusk: {learned[method]}, 0 of them copies\n"
    return root


def typed(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], folder: Path, *arguments: str):
    """Run the command in this process: return the exit code and the lines on standard error; it prints nothing else."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["dehusk", *arguments])
    with pytest.raises(SystemExit) as done:
        main()
    out, err = capfd.readouterr()
    assert out == ""
    return done.value.code, err.splitlines()


def test_a_page_is_cleaned_by_its_site(folder: Path) -> None:
    text = "".join(f"{paragraph}\n\n" for paragraph in article(3)).removesuffix("\n")
    name = "pages/page3.html"
    for command in (("clean",), ("site", "clean")):
        done = run(*command, "--site", "models/site", name, cwd=folder)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == text
    assert dehusk.clean((folder / name).read_bytes(), site=folder / "models/site").text == text


@pytest.mark.parametrize("method", ["site", "cst", "alternation"])
def test_a_folder_of_pages_works_like_a_model(folder: Path, method: str) -> None:
    model = "alternation" if method == "alternation" else "site"
    name = "pages/page5.html"
    by_pages = run("clean", "--site", "pages", "--method", method, name, cwd=folder)
    assert (by_pages.returncode, by_pages.stderr) == (0, b"")
    by_model = dehusk.clean((folder / name).read_bytes(), site=folder / "models" / model, method=method)
    assert by_pages.stdout.decode() == by_model.text
    assert made_sites.FOOTER not in by_model.text
    assert article(5)[0] in by_model.text


def test_options_of_the_method_are_set(folder: Path, tmp_path: Path) -> None:
    name = "pages/page3.html"
    default = run("clean", "--site", "models/site", "--method", "cst", name, cwd=folder)
    all_text = run("clean", "--site", "models/site", "--method", "cst", "--set", "threshold=0", name, cwd=folder)
    assert (all_text.returncode, all_text.stderr) == (0, b"")
    assert len(all_text.stdout) > len(default.stdout)
    learned = run(
        "site", "learn", "pages", "--method", "alternation", "--set", "least=0", "-o", tmp_path / "m", cwd=folder
    )
    assert learned.returncode == 0
    own = run("clean", "--method", "alternation", "--site", tmp_path / "m", name, cwd=folder)
    pages = run("clean", "--method", "alternation", "--site", "pages", "--set", "least=0", name, cwd=folder)
    assert own.stdout == pages.stdout != b""


def test_reasons_are_explained(folder: Path) -> None:
    site = ("site", "clean", "--site", "models/site", "--explain", "pages/page0.html")
    others = PAGES - 1
    reason = f"the same text at the same path on {others} of {others} other pages"
    assert reason in run(*site, cwd=folder).stdout.decode()
    done = run(*site, "--method", "site", cwd=folder)
    assert f"100% of its words on 2 or more of {PAGES} pages" in done.stdout.decode()


def test_output_does_not_depend_on_workers(folder: Path) -> None:
    sequential = run("site", "clean", "--site", "pages", "pages", cwd=folder)
    parallel = run("site", "clean", "--site", "pages", "pages", "--workers", "2", cwd=folder)
    assert (sequential.returncode, parallel.returncode) == (0, 0)
    assert sequential.stdout == parallel.stdout
    records = [json.loads(line) for line in sequential.stdout.splitlines()]
    assert [record["page"] for record in records] == [f"pages/page{number}.html" for number in range(PAGES)]
    assert all(made_sites.FOOTER not in record["text"] for record in records)


def test_show_text(folder: Path) -> None:
    text = run("site", "show", "models/site", "--texts", "3", cwd=folder).stdout.decode()
    lines = text.splitlines()
    assert lines[0] == "site       tea.example"
    assert lines[1] == f"pages      {PAGES}, {PAGES} not counting copies"
    assert any(line.startswith("cut point  FindOptimal treats runs of ") for line in lines)
    repeated = sorted([made_sites.FOOTER, *made_sites.MENU], key=lambda text: (-len(text), text))
    shown = [f"{PAGES:>7}  {text if len(text) <= 100 else text[:99] + '…'}" for text in repeated]
    assert [line for line in lines if line in shown] == shown[:3]
    assert "warning" not in text
    assert "importance" in text


def test_show_json(folder: Path) -> None:
    record = json.loads(run("site", "show", "-f", "json", "models/site", "--elements", "4", cwd=folder).stdout)
    assert record["hosts"] == ["tea.example"]
    assert (record["pages"], record["distinct"], record["warning"]) == (PAGES, PAGES, "")
    assert record["cut"]["n"] >= 2
    assert record["cut"]["t"] >= 2
    assert record["texts"][0] == {"pages": PAGES, "text": made_sites.FOOTER}
    assert len(record["tree"]) == 4
    assert record["tree"][0]["element"] == "root"
    assert record["tree"][0]["parent"] is None
    assert all(0 <= row["importance"] <= 1 and row["nodes"] <= PAGES for row in record["tree"])


def test_show_svg(folder: Path, tmp_path: Path) -> None:
    drawn = run("site", "show", "-f", "svg", "models/site", "-o", tmp_path / "tree.svg", cwd=folder)
    assert (drawn.returncode, drawn.stdout) == (0, b"")
    root = ET.fromstring((tmp_path / "tree.svg").read_text("utf-8"))  # noqa: S314 (our own)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any("body" in text for text in texts)


def test_merged_models_are_the_model_of_all_pages(folder: Path, tmp_path: Path, monkeypatch, capfd) -> None:
    def learn(*arguments: str) -> None:
        assert typed(monkeypatch, capfd, folder, "site", "learn", "-q", *arguments) == (0, [])

    part = {name: str(tmp_path / name) for name in ("first", "second", "merged", "mixed", "whole")}
    learn("pages/page[0-2].html", "--complete", "-o", part["first"])
    learn("pages/page[3-7].html", "--complete", "-o", part["second"])
    learn("--merge", part["second"], "--merge", part["first"], "-o", part["merged"])
    learn("pages/page[3-7].html", "--merge", part["first"], "-o", part["mixed"])
    learn("pages", "--no-cut", "-o", part["whole"])
    whole, merged, mixed = (folder_bytes(Path(part[name])) for name in ("whole", "merged", "mixed"))
    templates = [each.pop("templates.toml", b"") for each in (whole, merged, mixed)]
    assert merged == mixed == whole
    assert [b"pages = 8" in templates[0], templates[1], b"pages = 5" in templates[2]] == [True, b"", True]
    assert json.loads(whole["card.json"])["cut"] is None
    with np.load(Path(part["first"]) / "arrays.npz") as arrays:
        assert len(arrays["pages_counts"]) == 3


def test_mixed_sites_are_accepted_on_request(folder: Path, tmp_path: Path, monkeypatch, capfd) -> None:
    code, lines = typed(monkeypatch, capfd, folder, "site", "learn", "two", "--mixed", "-o", str(tmp_path / "m"))
    assert code == 0
    assert lines == [
        f"dehusk: {tmp_path}/m: learned from 4 pages of coffee.example, tea.example, 2 of them copies",
        "dehusk: the site has 4 pages, only 2 of them distinct: use at least 5",
    ]


def test_few_pages_give_a_warning(folder: Path, monkeypatch, capfd, tmp_path: Path) -> None:
    warning = "dehusk: the site has 2 pages: use at least 5"
    learned = typed(monkeypatch, capfd, folder, "site", "learn", "few", "-o", str(tmp_path / "m"))
    assert learned == (0, [f"dehusk: {tmp_path}/m: learned from 2 pages of tea.example, 0 of them copies", warning])
    for method in ("cst", "wisdom", "alternation"):
        own = ("site", "learn", "few", "--method", method, "-o", str(tmp_path / method))
        line = f"dehusk: {tmp_path}/{method}: learned for method {method} from 2 pages, 0 of them copies"
        assert typed(monkeypatch, capfd, folder, *own) == (0, [line, warning])
    out = str(tmp_path / "out.txt")
    cleaned = ("clean", "--site", "few", "few/page0.html", "-o", out)
    assert typed(monkeypatch, capfd, folder, *cleaned) == (0, [warning])
    assert Path(out).read_text("utf-8").split() == " ".join(article(0)).split()
    assert typed(monkeypatch, capfd, folder, *cleaned, "-q") == (0, [])
    shown = run("site", "show", tmp_path / "m", cwd=folder)
    assert "warning    the site has 2 pages: use at least 5" in shown.stdout.decode()


@pytest.mark.parametrize("method", ["site", "alternation"])
def test_unreadable_pages_are_reported_and_skipped(tmp_path: Path, monkeypatch, capfd, method: str) -> None:
    pages = made_sites.write(tmp_path / "pages", site(5))
    (pages / "pdf.html").write_bytes(b"%PDF-1.4 no page")
    learn = ("site", "learn", "pages", "pages/nowhere.html", "--method", method, "-o", "m")
    code, lines = typed(monkeypatch, capfd, tmp_path, *learn)
    assert code == 1
    assert lines[:2] == [
        "dehusk: pages/pdf.html: not-html: a PDF document",
        "dehusk: pages/nowhere.html: error: cannot be read: No such file or directory",
    ]
    again = tmp_path / "again"
    assert typed(monkeypatch, capfd, tmp_path, *learn[:-1], str(again), "-q") == (1, [])
    assert folder_bytes(again) == folder_bytes(tmp_path / "m")
    good = ("site", "learn", "pages/page*.html", "--method", method, "-q", "-o", "good")
    assert typed(monkeypatch, capfd, tmp_path, *good) == (0, [])
    assert folder_bytes(tmp_path / "good") == folder_bytes(again)


def test_nothing_extracted_is_code_3(folder: Path, tmp_path: Path, monkeypatch, capfd) -> None:
    (tmp_path / "menu.html").write_text(page([]), "utf-8")
    code, lines = typed(
        monkeypatch, capfd, tmp_path, "site", "clean", "--site", str(folder / "models/site"), "menu.html"
    )
    assert (code, lines) == (3, ["dehusk: menu.html: no-content: no block of the page is content"])


LEARN, CLEAN, SHOW = ("site", "learn"), ("site", "clean"), ("site", "show")
PAGE = "pages/page0.html"
USAGE = [
    ((*LEARN, "-o", "x"), "name a PAGE, a --list or a model to --merge"),
    ((*LEARN, "pages"), "Missing option '-o'"),
    ((*LEARN, "pages", "-o", PAGE), "is a file"),
    ((*LEARN, "pages", "--by", "page", "-o", "x"), "unknown value 'page'"),
    ((*LEARN, "--mixed", "two", "--by", "host", "-o", "x"), "--by says what counts as a site"),
    (("toc", "--mixed", "two", "--by", "host"), "--by says what counts as a site"),
    (("vectors", "--by", "host", "two", "--mixed", "-o", "x"), "--by says what counts as a site"),
    ((*LEARN, "pages", "--method", "victor", "-o", "x"), "unknown method 'victor'"),
    ((*LEARN, "pages", "--method", "alternation", "--complete", "-o", "x"), "require --method site"),
    ((*LEARN, "--method", "alternation", "--merge", "models/site", "-o", "x"), "require --method site"),
    ((*LEARN, "pages", "--set", "least=0", "-o", "x"), "--set and --search need another --method than site"),
    (("clean", "--set", "favour", PAGE), "--set favour: write an option and its value as NAME=VALUE"),
    (("clean", "--set", "favour=0", "--set", "favour=1", PAGE), "--set favour is given twice"),
    ((*CLEAN, PAGE), "Missing option '--site'"),
    ((*CLEAN, "--site", "models/site"), "name a PAGE"),
    (
        (*CLEAN, "--site", "models/site", "--method", "victor", PAGE),
        "unknown method 'victor'. Known: united, site, cst",
    ),
    ((*CLEAN, "--site", "models/site", "--model", "web", PAGE), "No such option"),
    (("clean", "--site", "nowhere", PAGE), "'nowhere' does not exist"),
    ((*SHOW, "nowhere"), "'nowhere' does not exist"),
    ((*SHOW, "models/site", "-f", "pdf"), "unknown format 'pdf'"),
    (SHOW, "Missing argument 'SITE'"),
    (
        ("clean", "--site", "models/site", "--method", "victor", PAGE),
        "method victor does not use a site; these do: united, site, cst",
    ),
    (("site", "learn", "pages", "--method", "alternation", "--no-cut", "-o", "m"), "--cut and --no-cut require"),
]
ERRORS = [
    ((*LEARN, "void", "-o", "x"), "folder void contains no pages"),
    ((*LEARN, "-q", "nowhere.html", "-o", "x"), "no pages to learn a site from"),
    ((*LEARN, "-q", "nowhere.html", "--method", "alternation", "-o", "x"), "no pages to learn from"),
    ((*LEARN, "pages", "--method", "alternation", "--set", "k=1", "-o", "x"), "alternation: unknown option 'k'"),
    (("clean", "--site", "models/site", "--method", "wisdom", "--set", "k=0", PAGE), "k must be a positive integer"),
    (
        ("clean", "--site", "models/alternation", "--method", "alternation", "--set", "least=0", PAGE),
        "option least is for learning a model, not for labelling with it",
    ),
    ((*LEARN, "two", "-o", "x"), "pages of two sites, tea.example and coffee.example"),
    ((*LEARN, "two", "--method", "alternation", "-o", "x"), "pages of two sites, tea.example and coffee.example"),
    ((*LEARN, "--merge", "models/site", "-o", "x"), "saved without its counts: save it with complete=True"),
    ((*LEARN, "--merge", "models/alternation", "-o", "x"), "belongs to method 'alternation', not 'site'"),
    ((*LEARN, "--merge", "nowhere", "-o", "x"), "model nowhere: no such folder: name a folder that"),
    ((*CLEAN, "--site", "void", PAGE), "folder void contains no pages"),
    ((*CLEAN, "--site", "two", PAGE), "pages of two sites, tea.example and coffee.example"),
    (("clean", "--site", "two", "--method", "alternation", PAGE), "pages of two sites"),
    (("clean", "--site", "models/alternation", PAGE), "learned for method alternation; learn one with --method site"),
    (("clean", "--site", "models/site", "--method", "alternation", PAGE), "learned for method site; learn one with"),
    (("clean", "--site", "VICTOR", PAGE), "is not a site model: make one with `dehusk site learn"),
    (("clean", "--site", "models/site", "--method", "wisdom", "--model", "web", PAGE), "has no models"),
    (("clean", "--method", "site", PAGE), "method site needs a site"),
    ((*SHOW, "pages"), "model pages: no card.json in this folder: name a folder that"),
    ((*SHOW, "models/alternation"), "belongs to method 'alternation', not 'site'"),
    ((*SHOW, "models/site", "-o", "void/x/y"), "cannot be written"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_wrong_usage_is_one_line_and_code_2(
    folder: Path, monkeypatch, capfd, arguments: tuple[str, ...], message: str
) -> None:
    code, lines = typed(monkeypatch, capfd, folder, *arguments)
    assert code == 2
    assert message in lines[-1]
    assert not (folder / "x").exists()


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_an_error_is_one_line_and_code_2(
    folder: Path, monkeypatch, capfd, arguments: tuple[str, ...], message: str
) -> None:
    arguments = tuple(str(model_folder("web")) if argument == "VICTOR" else argument for argument in arguments)
    code, lines = typed(monkeypatch, capfd, folder, *arguments)
    assert code == 2
    assert len(lines) == 1
    assert lines[0].startswith("dehusk: ")
    assert message in lines[0]
    assert not (folder / "x").exists()


@pytest.mark.parametrize("change", [{"format": 99}, {"by": "page"}, {"complete": None}])
def test_a_site_of_another_version_or_damaged(folder: Path, tmp_path: Path, monkeypatch, capfd, change) -> None:
    shutil.copytree(folder / "models/site", tmp_path / "m")
    made_sites.change_card(tmp_path / "m", **change)
    for arguments in ((*SHOW, "m"), (*CLEAN, "--site", "m", str(folder / PAGE)), (*LEARN, "--merge", "m", "-o", "x")):
        code, lines = typed(monkeypatch, capfd, tmp_path, *arguments)
        assert (code, len(lines)) == (2, 1)
        assert "is not in format 1" in lines[0] or "is damaged" in lines[0]


def test_errors_in_a_separate_process(folder: Path) -> None:
    done = run("site", "learn", "two", "-o", "x", cwd=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "dehusk: pages of two sites, tea.example and coffee.example: "
        "learn them separately, or mix them (option mixed)\n"
    )


def test_a_large_site_is_learned_from_a_sample(folder: Path, tmp_path: Path) -> None:
    done = run("site", "learn", "pages", "--most", "5", "-o", str(tmp_path / "few"), cwd=folder)
    assert done.stderr.decode().splitlines()[:2] == [
        f"dehusk: learning from 5 of {PAGES} pages, chosen by their paths",
        f"dehusk: {tmp_path / 'few'}: learned from 5 pages of tea.example, 0 of them copies",
    ]
    moved = made_sites.write(tmp_path / "elsewhere", site(PAGES))
    run("site", "learn", str(moved), "--most", "5", "-o", str(tmp_path / "again"), cwd=folder)
    assert made_sites.folder_bytes(tmp_path / "few") == made_sites.folder_bytes(tmp_path / "again")


def test_help_names_every_command() -> None:
    text = run("site", "--help").stdout.decode()
    for command in ("learn", "clean", "show"):
        assert command in text


# ---------------------------------------------------------------- sites of the pages themselves


def test_pages_of_a_folder_teach_each_other(folder: Path) -> None:
    with_site = run("clean", "pages", cwd=folder)
    assert with_site.returncode == 0
    lines = with_site.stderr.decode().splitlines()
    assert lines == [
        "dehusk: learned 1 site from the pages themselves",
        f"dehusk: {PAGES} pages: {PAGES} ok",
        f"dehusk: {PAGES} of {PAGES} pages labelled by templates",
    ]
    named = run("clean", "--site", "pages", "pages", cwd=folder)
    texts = [[json.loads(line)["text"] for line in done.stdout.splitlines()] for done in (with_site, named)]
    assert texts[0] == texts[1]
    assert with_site.stdout == run("clean", "--workers", "2", "pages", cwd=folder).stdout
    alone = run("clean", "--no-sites", "pages", cwd=folder)
    assert alone.stderr.decode() == f"dehusk: {PAGES} pages: {PAGES} ok\n"


def test_hosts_with_few_pages_are_cleaned_alone(folder: Path, tmp_path: Path) -> None:
    made_sites.write(tmp_path / "mixed", [*site(6), *site(4, host="coffee.example")])
    done = run("clean", "mixed", cwd=tmp_path)
    learned = "learned 1 site from the pages themselves; 4 pages of hosts with fewer than 5 alone"
    assert done.stderr.decode().splitlines()[0] == f"dehusk: {learned}"
    assert b"learned" not in run("clean", "few", cwd=folder).stderr


def test_pages_that_name_no_host_are_learned_together(tmp_path: Path) -> None:
    made_sites.write(tmp_path / "saved", [page(article(number), host="", name=f"p{number}") for number in range(6)])
    assert b"learned 1 site" in run("clean", "saved", cwd=tmp_path).stderr


def test_a_page_that_cannot_be_read_is_reported_once_and_not_learned_from(tmp_path: Path) -> None:
    made_sites.write(tmp_path / "saved", site(6))
    (tmp_path / "saved" / "bad.html").write_bytes(b"%PDF-1.7\n" + bytes(100))
    done = run("clean", "saved", cwd=tmp_path)
    lines = done.stderr.decode().splitlines()
    assert [line.partition(" ")[2].partition(";")[0] for line in lines[:1]] == [
        "learned 1 site from the pages themselves"
    ]
    assert sum("bad.html" in line for line in lines) == 1
    assert len(done.stdout.splitlines()) == 7


@pytest.mark.parametrize("method", ["victor", "keep-all", "alternation"])
def test_methods_for_which_no_site_can_be_learned_here_learn_none(folder: Path, method: str) -> None:
    site_model = ["--site", "models/alternation"] if method == "alternation" else []
    assert b"learned" not in run("clean", "--method", method, *site_model, "pages", cwd=folder).stderr


# ---------------------------------------------------------------- labels


def test_a_gold_text_teaches_the_site(folder: Path, tmp_path: Path) -> None:
    footer = made_sites.FOOTER
    for number in (0, 1):
        (tmp_path / f"page{number}.txt").write_text("\n".join([*article(number), footer]), "utf-8")
    done = run("site", "learn", "pages", "--gold", str(tmp_path), "-o", str(tmp_path / "model"), cwd=folder)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 0
    assert "model: taught by 2 pages; word F1 of each, taught by the others: 1.000, without labels 0." in lines[-1]
    taught = run("clean", "--site", str(tmp_path / "model"), "pages/page5.html", cwd=folder)
    assert footer in taught.stdout.decode()
    plain = run("clean", "--site", "models/site", "pages/page5.html", cwd=folder)
    assert footer not in plain.stdout.decode()


def test_gold_without_labels_or_for_another_method_is_an_error(folder: Path, tmp_path: Path) -> None:
    done = run("site", "learn", "pages", "--gold", str(tmp_path), "-o", str(tmp_path / "model"), cwd=folder)
    assert done.returncode == 2
    assert "has labels of none of the pages" in done.stderr.decode()
    (tmp_path / "page0.txt").write_text("words that are on no page of the site at all " * 3, "utf-8")
    strange = run("site", "learn", "pages", "--gold", str(tmp_path), "-o", str(tmp_path / "model"), cwd=folder)
    assert strange.returncode == 2
    assert "are of other pages" in strange.stderr.decode()
    assert not (tmp_path / "model").exists()
    other = run("site", "learn", "pages", "--gold", ".", "--method", "wisdom", "-o", "x", cwd=folder)
    assert other.returncode == 2
    assert "--gold and --compile require --method site" in other.stderr.decode()


def test_without_its_extra_the_cut_point_is_left_out(folder: Path, tmp_path: Path, monkeypatch, capfd) -> None:
    monkeypatch.setitem(sys.modules, "pydivsufsort", None)
    model = tmp_path / "model"
    code, lines = typed(monkeypatch, capfd, folder, "site", "learn", "pages", "-o", str(model))
    assert code == 0
    assert "without FindOptimal's cut point" in lines[0]
    assert "pip install 'dehusk[findoptimal]'" in lines[0]
    assert dehusk.Site.load(model).cut is None
    code, lines = typed(monkeypatch, capfd, folder, "site", "learn", "pages", "--cut", "-o", str(tmp_path / "other"))
    assert code == 2
    assert "FindOptimal needs pydivsufsort" in lines[-1]


def test_a_corrected_page_teaches_the_others_of_a_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "page0.txt").write_text("\n".join([*article(0), made_sites.FOOTER]), "utf-8")
    done = run("clean", "--gold", str(tmp_path), "pages", cwd=folder)
    lines = done.stderr.decode().splitlines()
    assert lines[:2] == [
        "dehusk: tea.example: taught by 1 page",
        "dehusk: learned 1 site from the pages themselves",
    ]
    texts = [json.loads(line)["text"] for line in done.stdout.splitlines()]
    assert all(made_sites.FOOTER in text for text in texts)
    assert done.stdout == run("clean", "--gold", str(tmp_path), "pages", "--workers", "2", cwd=folder).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--site", "models/site", "pages"), "omit --site and --no-sites"),
        (("--no-sites", "pages"), "omit --site and --no-sites"),
        (("--method", "victor", "pages"), "or use another method"),
        (("pages",), "void has no labels of a page whose host has 5 of the pages"),
        (("pages/page0.html",), "void has no labels of a page whose host has 5 of the pages"),
    ],
)
def test_labels_that_cannot_teach_a_folder_are_an_error(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run("clean", "--gold", "void", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode().splitlines()[-1]
