"""`dehusk cluster` and `dehusk classify` as a user types them."""

import csv
import json
import re
import sys
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from lxml import etree

import made_sites
from dehusk.cli import main
from dehusk.sites.mining.classes import ClassModel
from made_sites import page, site

ROOT = Path(__file__).parents[1]
TOPICS = {"boats": "sail mast harbour anchor keel rope", "cats": "paw whiskers purr kitten tail claw"}
FILES = ["assignments.csv", "map.svg", "report.json", "report.md"]


def text(topic: str, seed: int) -> str:
    """Return a paragraph about a topic, with some words of its own."""
    random = Random(f"{topic}{seed}")  # noqa: S311 (nothing secret)
    return " ".join(random.choices(TOPICS[topic].split(), k=20)) + " " + made_sites.words(seed, 4)


def noise(host: str, seed: int) -> str:
    """Return noise that all pages of a host have alike, and that says more than their text does."""
    return f"<div class=news><p>{(made_sites.words(len(host), 12) + ' ') * 5}</p><p>{seed}</p></div>"


def topic_pages(host: str, topic: str, first: int, end: int) -> list[str]:
    return [page([text(topic, n)], host=host, name=f"{topic}{n}", extra=noise(host, n)) for n in range(first, end)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with pages of two topics on two sites."""
    for number, host in enumerate(("tea.example", "tearoom.example")):
        for topic in TOPICS:
            pages = topic_pages(host, topic, 20 * number, 20 * number + 5)
            made_sites.write(tmp_path / "pages" / host / topic, pages)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Return a function that runs the command: exit code, standard output, lines on standard error."""

    def typed(*arguments: object) -> tuple[int, str, list[str]]:
        monkeypatch.setattr(sys, "argv", ["dehusk", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capfd.readouterr()
        return int(done.value.code or 0), out, err.splitlines()

    return typed


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(path.read_text("utf-8"))))


def contents(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir())}


def test_clusters_follow_sites_before_and_topics_after_weighting(folder, run):
    code, out, err = run("cluster", "pages", "--labels", "folder", "-o", "out")
    assert (code, out) == (0, "")
    facts = json.loads((folder / "out" / "report.json").read_text("utf-8"))
    assert facts["k"] == 2
    assert facts["before"]["V-measure with the sites"] == 1
    assert (facts["after"]["F"], facts["after"]["purity"], facts["after"]["V-measure"]) == (1, 1, 1)
    values = "0.000 before weighting, 1.000 after weighting, 1.000 by idf of the site"
    assert err == [f"dehusk: out: 20 pages, clusters of 10, 10; V-measure {values}"]
    rows = table(folder / "out" / "assignments.csv")
    assert [row["page"] for row in rows] == [str(file) for file in sorted(Path("pages").rglob("*.html"))]
    assert [row["cluster"] for row in rows] == (["1"] * 5 + ["2"] * 5) * 2
    assert [row["cluster before"] for row in rows] == ["1"] * 10 + ["2"] * 10
    assert {row["label"] for row in rows[:5]} == {"boats"}
    words = [set(found["words"]) for found in facts["after"]["clusters"]]
    assert words[0] >= set(TOPICS["boats"].split())
    assert words[1] >= set(TOPICS["cats"].split())
    report = (folder / "out" / "report.md").read_text("utf-8")
    assert "|  | before: tf | after: weights of the tree | rival: tf × idf of the site |" in report
    assert "| F | 0.500 | 1.000 | 1.000 |" in report
    assert [row["cluster by site idf"] for row in rows] == [row["cluster"] for row in rows]
    picture = etree.parse(folder / "out" / "map.svg")
    assert len(picture.findall(".//{*}title")) == 1 + 3 * 20 + 2
    assert sorted(contents(folder / "out")) == FILES


def test_a_rival_with_too_few_words_is_left_out_and_named(folder, run):
    """Every word is on all pages, so that idf finds none; the tree sees that headings differ."""
    words = "one two three four five six"
    pages = [f"<p>{words}</p><h2>{word}</h2>" for word in words.split()]
    addresses = [f'<link rel="canonical" href="https://a.example/{number}">' for number in range(len(pages))]
    made_sites.write(folder / "alike", [*map(str.__add__, addresses, pages)])
    code, _, err = run("cluster", "alike", "-k", 2, "-o", "out")
    assert code == 0
    assert "dehusk: by idf of the site fewer pages than clusters have words: that side is left out" in err
    assert "by site idf" not in (folder / "out" / "assignments.csv").read_text("utf-8")
    assert "rival" not in (folder / "out" / "report.md").read_text("utf-8")


def test_equal_input_gives_equal_files(folder, run):
    for options in ([], ["--idf", "--init", "random", "--starts", "3", "--seed", "5", "--colour", "site"]):
        for name in ("one", "two"):
            assert run("cluster", "pages", "-k", 3, *options, "-q", "-o", name) == (0, "", [])
        assert contents(folder / "one") == contents(folder / "two")
        legend = (folder / "one" / "map.svg").read_text().split("<g transform=")[-1]
        assert ("tearoom.example" in legend) == bool(options)
    for name in ("one", "two"):
        assert run("classify", "pages", "--labels", "folder", "-q", "-o", name) == (0, "", [])
    assert contents(folder / "one") == contents(folder / "two")


def test_pages_without_words_are_in_no_cluster(folder, run):
    made_sites.write(
        folder / "pages" / "void", ["<p></p>", '<link rel="canonical" href="https://tea.example/x"><p></p>']
    )
    code, _, err = run("cluster", "pages", "-k", 2, "-o", "out")
    assert code == 0
    assert (
        "dehusk: 2 pages with an empty vector: no words, or only words that other pages have at the same place" in err
    )
    rows = [row for row in table(folder / "out" / "assignments.csv") if "void" in row["page"]]
    assert [(row["cluster"], row["silhouette"], row["cluster before"]) for row in rows] == [("", "", "")] * 2
    assert "2 pages with an empty vector not shown" in (folder / "out" / "map.svg").read_text()


def test_classes_are_judged_by_site_before_and_after(folder, run):
    code, out, err = run("classify", "pages", "--labels", "folder", "-o", "out")
    assert (code, out) == (0, "")
    assert err[0].startswith("dehusk: out: 20 pages of 2 classes, 2 folds by site; accuracy ")
    facts = json.loads((folder / "out" / "report.json").read_text("utf-8"))
    assert facts["after"]["accuracy"] == facts["after"]["macro F"] == 1
    assert facts["after"]["confusion"] == {"boats": {"boats": 10, "cats": 0}, "cats": {"boats": 0, "cats": 10}}
    assert [fold["sites"] for fold in facts["by fold"]] == [["tea.example"], ["tearoom.example"]]
    assert set(facts["after"]["words"]["cats"][:6]) <= {*TOPICS["cats"].split()}
    rows = table(folder / "out" / "assignments.csv")
    assert all(row["label"] == row["class"] == row["class by site idf"] for row in rows)
    assert facts["rival"]["accuracy"] == 1
    assert facts["right only rival"] == facts["right only after"] == 0
    assert all(float(row[f"decision {row['class']}"]) > 0 for row in rows)
    assert sorted(contents(folder / "out")) == FILES
    by_page = run("classify", "pages", "--labels", "folder", "--hold-out", "page", "--folds", "4", "-o", "out")
    assert by_page[2][0].startswith("dehusk: out: 20 pages of 2 classes, 4 folds by page; accuracy ")


def test_pages_without_label_get_a_class(folder, run):
    names = [
        f"{host}/{topic}/page{n}.html"
        for host in ("tea.example", "tearoom.example")
        for topic in TOPICS
        for n in (1, 3)
    ]
    (folder / "labels.tsv").write_text("".join(f"{name}\t{name.split('/')[1]}\n" for name in names))
    code, _, err = run("classify", "pages", "--labels", "labels.tsv", "-o", "out")
    assert code == 0
    assert err[0] == "dehusk: 12 of 20 pages have no label in labels.tsv"
    assert err[-1] == "dehusk: 12 pages without a label: boats 6, cats 6"
    rows = table(folder / "out" / "assignments.csv")
    assert all(row["class"] in row["page"] for row in rows)
    assert sum(row["label"] == "" for row in rows) == 12


@pytest.mark.parametrize("options", [[], ["--plain"], ["--idf"], ["--stem", "english"], ["--mode", "style"]])
def test_a_saved_model_classifies_pages_of_known_and_of_new_sites(folder, run, options):
    code, _, err = run("classify", "pages", "--labels", "folder", *options, "--save", "model")
    assert code == 0
    assert err[0].startswith("dehusk: model: 20 pages of 2 classes")
    assert (folder / "model" / "trees").is_dir() == ("--plain" not in options)
    made_sites.write(folder / "new" / "cats", topic_pages("tea.example", "cats", 60, 61))
    made_sites.write(folder / "new" / "boats", topic_pages("other.example", "boats", 70, 73))
    code, out, err = run("classify", "--model", "model", "new", "--labels", "folder")
    rows = list(csv.DictReader(StringIO(out)))
    assert code == 0
    assert [row["class"] for row in rows] == ["boats"] * 3 + ["cats"]
    assert [row["site"] for row in rows] == ["other.example"] * 3 + ["tea.example"]
    assert all(int(row["known words"]) > 3 for row in rows)
    unknown = "dehusk: 3 pages of sites that the model does not know, weighed by new trees: other.example"
    assert (unknown in err) == ("--plain" not in options)
    assert any("words not in the model, " in line for line in err)
    assert err[-1] == "dehusk: 4 pages: boats 3, cats 1; accuracy 1.000 on 4 pages with a label"
    assert run("classify", "--model", "model", "new", "-q", "-o", "out") == (0, "", [])
    assert sorted(contents(folder / "out")) == ["assignments.csv", "report.json", "report.md"]
    assert "label" in (folder / "out" / "assignments.csv").read_text().splitlines()[0]


@pytest.mark.usefixtures("folder")
def test_learned_pages_keep_their_vectors_with_a_model(run):
    """The trees of a model give the pages that it was learned from the same weights, alone or together."""
    run("classify", "pages", "--labels", "folder", "--save", "model")
    one = "pages/tea.example/cats/page2.html"
    alone = run("classify", "--model", "model", one)[1].splitlines()[1]
    together = run("classify", "--model", "model", "pages")[1].splitlines()
    assert alone in together


@pytest.mark.usefixtures("folder")
def test_a_model_is_read_without_scikit_learn(run, monkeypatch):
    run("classify", "pages", "--labels", "folder", "--save", "model")
    for name in [name for name in sys.modules if name.split(".")[0] in ("sklearn", "scipy")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert run("classify", "--model", "model", "pages", "-q")[0] == 0
    for command in (["cluster", "-k", 2], ["classify", "--labels", "folder"]):
        code, _, err = run(command[0], "pages", *command[1:], "-o", "out")
        assert (code, err) == (
            2,
            [f"dehusk: dehusk {command[0]} needs sklearn, which is not installed: pip install 'dehusk[sklearn]'"],
        )


def test_a_damaged_model_is_one_line(folder, run):
    run("classify", "pages", "--labels", "folder", "--save", "model")
    assert ClassModel.load(Path("model")).options["by"] == "host"
    made_sites.change_card(folder / "model", options={})
    code, _, err = run("classify", "--model", "model", "pages")
    assert (code, len(err)) == (2, 1)
    assert err[0].startswith("dehusk: model model is damaged")


BAD = [
    (["cluster", "pages", "-o", "out"], 2, "name the number of clusters: -k K, or --labels"),
    (["cluster", "-k", 2, "-o", "out"], 2, "name a PAGE or a --list"),
    (["cluster", "pages", "-k", 2], 2, "Missing option '-o'"),
    (["cluster", "pages", "-k", 1, "-o", "out"], 2, "1 is not in the range x>=2"),
    (["cluster", "pages", "-k", 21, "-o", "out"], 2, "21 clusters need 21 pages or more, not 20"),
    (
        ["cluster", "pages/tea.example/cats/page1.html", "-k", 2, "-o", "out"],
        2,
        "2 clusters need 2 pages or more, not",
    ),
    (["cluster", "copies", "-k", 2, "-o", "out"], 3, "out is not written: no page has words that weigh anything"),
    (["cluster", "void", "-k", 2, "-o", "out"], 3, "out is not written: no page has words that weigh anything"),
    (["cluster", "pages", "-k", 2, "--words", "own.txt", "-o", "out"], 3, "out is not written: no page has words"),
    (["cluster", "pages/tea.example/cats", "--labels", "folder", "-o", "out"], 2, "the pages have 1 label, too few"),
    (["cluster", "pages", "-k", 2, "-o", "own.txt"], 2, "own.txt cannot be written: it is a file"),
    (["cluster", "pages", "-k", 2, "-o", "no/where"], 2, "folder no does not exist"),
    (["cluster", "pages", "broken.html", "-k", 2, "-o", "out"], 1, "broken.html: not-html"),
    (["cluster", "broken.html", "-k", 2, "-o", "out"], 2, "no pages to learn from"),
    (["cluster", "pages", "-k", 2, "--labels", "lines.tsv", "-o", "out"], 0, "lines.tsv: no such page for 1 line"),
    (["classify", "pages", "-o", "out"], 2, "name the --labels to learn, or a --model"),
    (["classify", "pages", "--labels", "folder"], 2, "name a folder for the results: -o FOLDER, or --save MODEL"),
    (["classify", "pages", "--labels", "folder", "--plain", "-o", "out"], 2, "--plain is of the saved model"),
    (["classify", "pages/tea.example/cats", "--labels", "folder", "-o", "out"], 2, "labelled pages are 'cats'"),
    (["classify", "pages", "--labels", "lines.tsv", "-o", "out"], 2, "labelled pages are 'cats'"),
    (["classify", "pages", "--labels", "few.tsv", "-o", "out"], 0, "a class of a single page cannot be learned and"),
    (["classify", "pages", "--labels", "none.tsv", "-o", "out"], 2, "two or more classes, but no page has a label"),
    (["classify", "copies", "--labels", "folder", "-o", "out"], 3, "nothing is learned: no page has words that weigh"),
    (["classify", "pages/tea.example", "--labels", "folder", "--hold-out", "site", "-o", "out"], 2, "are of one site"),
    (["classify", "pages", "--labels", "folder", "-C", 0, "-o", "out"], 2, "0.0 is not in the range x>0"),
    (["classify", "--model", "nowhere", "pages"], 2, "model nowhere: no such folder"),
    (["classify", "--model", "model"], 2, "name a PAGE or a --list"),
    (["classify", "--model", "model", "--gamma", 0.5, "pages"], 2, "--gamma is an option of learning: the model in"),
    (["classify", "--model", "model", "--by", "host", "pages"], 2, "--by is an option of learning"),
    (["classify", "--model", "model", "-C", 2, "pages"], 2, "-C is an option of learning"),
    (["classify", "--model", "model", "void"], 3, "2 pages with an empty vector"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), BAD)
def test_bad_input_is_one_clear_line(folder, run, arguments, code, message):
    made_sites.write(folder / "copies" / "a", site(1))
    made_sites.write(folder / "copies" / "b", site(1))
    made_sites.write(folder / "void", ["<p></p>", ""])
    (folder / "own.txt").write_text("nowhere\n")
    (folder / "broken.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (folder / "lines.tsv").write_text("tea.example/cats/page1.html\tcats\nnowhere.html\tcats\n")
    (folder / "none.tsv").write_text("nowhere.html\tcats\n")
    few = [("cats", 1), ("cats", 2), ("boats", 1)]
    (folder / "few.tsv").write_text("".join(f"tea.example/{topic}/page{n}.html\t{topic}\n" for topic, n in few))
    if "model" in arguments:
        run("classify", "pages", "--labels", "folder", "--save", "model")
    exit_code, _, err = run(*arguments)
    assert (exit_code, sum(message in line for line in err)) == (code, 1), err
    assert not any("Traceback" in line for line in err)
    assert code in (0, 1) or not (folder / "out").exists()


def test_the_example_of_the_documentation(tmp_path, run, monkeypatch):
    """docs/mining.md begins with commands, and what they report."""
    monkeypatch.syspath_prepend(ROOT / "bench")  # for this test only: bench/ and tests/ both have a module sites
    import shop_folder

    documentation = (ROOT / "docs" / "mining.md").read_text("utf-8")
    commands, reported = re.findall(r"```(?:sh|text)\n(.*?)```", documentation, re.DOTALL)[:2]
    monkeypatch.chdir(tmp_path)
    shop_folder.write(Path("shops"), most=12)
    typed = [line.split() for line in commands.splitlines()]
    assert typed[0] == ["python", "bench/shop_folder.py", "shops", "--most", "12"]
    lines = [line for command in typed[1:] for line in run(*command[1:])[2]]
    assert lines == reported.splitlines()
    table = (tmp_path / "clusters" / "report.md").read_text("utf-8").split("\n\n")[2]
    assert table in documentation
    drawn, shown = (etree.parse(path) for path in (tmp_path / "clusters" / "map.svg", ROOT / "docs" / "mining-map.svg"))
    assert [title.text for title in drawn.iter("{*}title")] == [title.text for title in shown.iter("{*}title")]


def test_a_class_of_one_site_cannot_be_found_when_sites_are_held_out(folder: Path, run) -> None:
    made_sites.write(folder / "pages" / "tea.example" / "pots", topic_pages("tea.example", "boats", 50, 53))
    _, _, err = run("classify", "pages/tea.example", "pages/tearoom.example", "--labels", "folder", "-o", "classes")
    assert err[0].startswith("dehusk: pots: on one site only, so that cross-validation can never find it")
