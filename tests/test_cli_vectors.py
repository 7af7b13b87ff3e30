"""`dehusk vectors` as a user types it."""

import doctest
import json
import re
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from scipy.sparse import load_npz

import made_sites
from dehusk.cli import main
from dehusk.sites.structure_tree import CompressedStructureTree
from made_sites import article, page, site
from paper_vectors import page_vectors

ROOT = Path(__file__).parents[1]
PAGES = 6


def teasers(host: str, first: int, end: int) -> list[str]:
    """Return pages of a site that all have one more text than its other pages."""
    extra = f"<div class=main><p>today and every day at {host}</p></div>"
    return [page(article(number), host=host, name=f"page{number}", extra=extra) for number in range(first, end)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the pages of one site."""
    made_sites.write(tmp_path / "pages", site(PAGES - 2) + teasers("tea.example", PAGES - 2, PAGES))
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


def weights_by_page(text: str) -> dict[str, dict[str, float]]:
    return {record["page"]: record["weights"] for record in map(json.loads, text.splitlines())}


def expected(folder: Path, **options: object) -> dict[str, dict[str, float]]:
    """Return page -> word -> weight, as the class gives them."""
    files = sorted(folder.glob("pages/*.html"))
    method = CompressedStructureTree(**options)
    rows, names = method.fit_transform(files).toarray(), method.get_feature_names_out()
    return {
        f"pages/{f.name}": {names[c]: row[c] for c in np.flatnonzero(row)} for f, row in zip(files, rows, strict=True)
    }


@pytest.mark.parametrize(
    "options", [{}, {"mode": "style", "gamma": 0.5, "lambda_": 0.3}, {"leaves": 0}, {"content": "all"}]
)
def test_all_formats_have_the_weights_of_the_class(folder, run, options):
    from pyarrow import parquet
    from sklearn.datasets import load_svmlight_file

    given = [part for name, value in options.items() for part in (f"--{name.strip('_')}", value)]
    code, out, err = run("vectors", "pages", *given)
    vectors = weights_by_page(out)
    assert vectors == expected(folder, **options)
    for form in ("npz", "svmlight", "parquet", "jsonl"):
        assert run("vectors", "pages", "-q", "-o", f"v.{form}", *given) == (0, "", [])
    assert (folder / "v.jsonl").read_text("utf-8") == out
    words = (folder / "v.svmlight.words.txt").read_text("utf-8").split()
    assert words == sorted(words) == words_in(folder / "v.npz")
    assert (code, err) == (0, [f"dehusk: vectors: {PAGES} pages, 1 site, {len(words)} words"])
    matrix = load_npz("v.npz")
    read, target = load_svmlight_file("v.svmlight", n_features=len(words), zero_based=False)
    assert (read != matrix).nnz == 0
    assert target.tolist() == [0] * PAGES
    assert [dict(zip(np.array(words)[row.indices].tolist(), row.data.tolist(), strict=True)) for row in matrix] == list(
        vectors.values()
    )
    for record in parquet.read_table("v.parquet").to_pylist():
        assert dict(zip(record["words"], record["weights"], strict=True)) == vectors[record["page"]]
        assert (record["site"], record["label"]) == ("tea.example", None)


def words_in(path: Path) -> list[str]:
    with np.load(path) as archive:
        return json.loads(bytes(archive["words"]))


def test_words_that_no_learned_page_has_weigh_most_and_are_kept(folder, run):
    """A `Site` forgets words of a single page; their weight is not lost."""
    assert run("site", "learn", "pages", "-o", "model")[0] == 0
    made_sites.write(folder / "new", site(1, first=77))
    code, out, err = run("vectors", "pages", "new", "--site", "model")
    vectors = weights_by_page(out)
    whole = expected(folder)
    assert code == 0
    for name, weights in whole.items():
        assert vectors[name].keys() == weights.keys()
        assert np.allclose(list(vectors[name].values()), list(weights.values()), atol=1e-12)
    assert len(vectors["new/page0.html"]) > 55
    assert (
        err == [f"dehusk: vectors: {PAGES + 1} pages, 1 site, {len({w for v in vectors.values() for w in v})} words"]
        or err
    )


@pytest.mark.parametrize("options", [{}, {"mode": "style", "lambda_": 0.4}])
def test_a_model_folder_is_learned_and_used(folder, run, options):
    given = [part for name, value in options.items() for part in ("--set", f"{name}={value}")]
    assert run("site", "learn", "pages", "--method", "cst", *given, "-q", "-o", "model") == (0, "", [])
    assert weights_by_page(run("vectors", "pages", "--site", "model")[1]) == expected(folder, **options)
    page = "pages/page1.html"
    code, cleaned, err = run("clean", "--site", "model", "--method", "cst", page)
    assert (code, err) == (0, [])
    assert article(1)[0] in cleaned
    assert made_sites.MENU[0] not in cleaned
    assert len(run("clean", "--site", "model", "--method", "cst", "--set", "threshold=0", page)[1]) > len(cleaned)
    code, _, err = run("clean", "--site", "model", "--method", "cst", "--set", "leaves=3", page)
    assert (code, len(err)) == (2, 1)
    assert "fit it again for" in err[0]


def test_a_model_has_one_tree_for_pages_with_and_without_host(folder, run):
    made_sites.write(folder / "pages" / "more", [page(article(number), host="") for number in range(20, 23)])
    run("site", "learn", "pages", "--method", "cst", "-q", "-o", "model")
    assert list(CompressedStructureTree.load(folder / "model").trees_) == [""]
    vectors = weights_by_page(run("vectors", "pages", "--site", "model")[1])
    assert all(menu.lower() not in vector for vector in vectors.values() for menu in made_sites.MENU[0].split())


def test_a_fixed_vocabulary_says_what_it_drops(folder, run):
    for name in ("train.npz", "train.svmlight"):
        run("vectors", "pages", "-q", "-o", name)
    made_sites.write(folder / "new", site(3, first=2) + site(1, first=50))
    words = words_in(folder / "train.npz")
    for file in ("train.npz", "train.svmlight.words.txt"):
        code, _, err = run("vectors", "new", "--words", file, "-o", "test.npz")
        assert code == 0
        assert err[0].startswith(f"dehusk: {file}: ")
        assert err[0].endswith("% of all weights")
        assert words_in(folder / "test.npz") == words
        assert load_npz("test.npz").shape == (4, len(words))
    (folder / "own.txt").write_text("nowhere\nseen\n")
    code, out, err = run("vectors", "pages", "--words", "own.txt")
    assert err[0].endswith("words not in it, 100.0% of all weights")
    assert code == 3
    assert all(not weights for weights in weights_by_page(out).values())


def test_unit_length_and_stems(folder, run):
    (folder / "pages" / "page0.html").write_text("<div><p>running runs</p></div><p>one</p>")
    _, out, _ = run("vectors", "pages", "--stem", "english", "--normalise")
    vectors = weights_by_page(out)
    for weights in vectors.values():
        assert sum(value**2 for value in weights.values()) == pytest.approx(1)
    page = vectors["pages/page0.html"]
    assert page.keys() == {"run", "one"}
    assert page["run"] == pytest.approx(2 * page["one"])


def test_labels_from_folders_and_from_a_list(folder, run):
    for name in ("news", "shops"):
        made_sites.write(folder / "set" / name, site(2, first=10 * len(name)))
    run("vectors", "set", "--labels", "folder", "-o", "v.svm")
    lines = (folder / "v.svm").read_text().splitlines()
    assert lines[:2] == ["# -1 is news", "# 1 is shops"]
    assert [line.split()[0] for line in lines[2:]] == ["-1", "-1", "1", "1"]
    assert lines[2].endswith(" # set/news/page0.html")
    (folder / "labels.tsv").write_text("news/page0.html\t3\nset/shops/page1.html\t7\nnowhere.html\t7\n")
    code, out, err = run("vectors", "set", "--labels", "labels.tsv")
    assert [json.loads(line)["label"] for line in out.splitlines()] == ["3", None, None, "7"]
    assert code == 0
    assert err[:2] == [
        "dehusk: 2 of 4 pages have no label in labels.tsv",
        "dehusk: labels.tsv: no such page for 1 line, for example nowhere.html",
    ]
    run("vectors", "set", "--labels", "labels.tsv", "-q", "-o", "v.svm")
    assert [line.split()[0] for line in (folder / "v.svm").read_text().splitlines()] == ["3", "0", "0", "7"]


@pytest.mark.parametrize(
    ("labels", "targets", "head"),
    [
        (("20261123", "20261124"), ["20261123", "20261124"], []),
        (("0.25", "-3"), ["0.25", "-3"], []),
        (("1", "1.0"), ["-1", "1"], ["# -1 is 1", "# 1 is 1.0"]),
        (("1", "tea"), ["-1", "1"], ["# -1 is 1", "# 1 is tea"]),
        (("inf", "nan"), ["-1", "1"], ["# -1 is inf", "# 1 is nan"]),
    ],
)
def test_svmlight_keeps_labels_apart(folder, run, labels, targets, head):
    """Numbers keep all of their digits; labels that are equal as numbers, or not all numbers, get others."""
    rows = zip(("page0.html", "page1.html"), labels, strict=True)
    (folder / "labels.tsv").write_text("".join(f"{name}\t{label}\n" for name, label in rows))
    run("vectors", "pages/page0.html", "pages/page1.html", "--labels", "labels.tsv", "-q", "-o", "v.svm")
    lines = (folder / "v.svm").read_text().splitlines()
    assert [line for line in lines if line.startswith("#")] == head
    assert [line.split()[0] for line in lines if not line.startswith("#")] == targets


def test_a_page_that_is_given_twice_has_its_label_twice(folder, run):
    made_sites.write(folder / "other", site(1))
    (folder / "labels.tsv").write_text("page0.html\tnews\n")
    _, out, err = run("vectors", "pages/page0.html", "pages/page0.html", "--labels", "labels.tsv")
    assert [json.loads(line)["label"] for line in out.splitlines()] == ["news", "news"]
    assert not any("label" in line for line in err)
    code, _, err = run("vectors", "pages/page0.html", "other/page0.html", "--labels", "labels.tsv")
    assert code == 2
    assert "page0.html names 2 pages: write more of its path" in err[-1]


def test_each_site_has_a_tree_and_all_have_one_vocabulary(folder, run):
    made_sites.write(folder / "both" / "coffee", teasers("coffee.example", 20, 23))
    made_sites.write(folder / "both" / "tea", site(3))
    _, out, _ = run("vectors", "both")
    alone = weights_by_page(run("vectors", "both/tea")[1])
    together = weights_by_page(out)
    for name, weights in alone.items():
        assert together[name] == weights
    records = [json.loads(line) for line in out.splitlines()]
    assert {record["site"] for record in records} == {"tea.example", "coffee.example"}
    by_folder = run("vectors", "both", "--by", "folder")[1]
    assert {json.loads(line)["site"] for line in by_folder.splitlines()} == {"tea", "coffee"}
    assert weights_by_page(by_folder) == together
    mixed = run("vectors", "both", "--mixed")[1]
    assert {json.loads(line)["site"] for line in mixed.splitlines()} == {""}
    assert weights_by_page(mixed) != together


BAD = [
    (["vectors"], 2, "name a PAGE or a --list"),
    (["vectors", "pages", "--gamma", 0.5], 2, "--gamma is of mode style: add --mode style"),
    (["vectors", "pages", "--mode", "ordinal", "--lambda", 0.5], 2, "--lambda is of mode style: add --mode style"),
    (["vectors", "pages", "-o", "v.txt"], 2, "no format has this suffix; add one of .svmlight"),
    (["vectors", "pages", "-f", "npz"], 2, "format npz needs a file: add -o FILE"),
    (["vectors", "pages", "-o", "nowhere/v.npz"], 2, "folder nowhere does not exist"),
    (["vectors", "pages", "--leaves", "many"], 2, "expected a number of levels or \"grandparent\", not 'many'"),
    (["vectors", "pages", "--site", "pages"], 2, "--site pages is not a model: make one with"),
    (["vectors", "pages", "--site", "model", "--mode", "style"], 2, "--mode is an option of learning"),
    (["vectors", "pages", "--stem", "klingon"], 2, "unknown stemmer 'klingon'"),
    (["vectors", "pages", "--words", "pages/page0.html.words"], 2, "cannot be read: No such file"),
    (["vectors", "pages", "--words", "empty.txt"], 2, "the file has no words; write one per line"),
    (["vectors", "pages", "--words", "twice.txt"], 2, "'tea' appears twice"),
    (["vectors", "pages", "--words", "broken.npz"], 2, "not an npz file of dehusk vectors"),
    (["vectors", "pages", "--labels", "twice.txt"], 2, "line 1: expected page, tab, label, not 'tea'"),
    (["vectors", "broken.html"], 2, "no pages to learn from"),
    (["vectors", "pages/page1.html"], 0, "1 site of a single page, where every word weighs 1: tea.example"),
    (["vectors", "copies"], 3, "2 pages with an empty vector"),
    (["vectors", "void"], 3, "2 pages with an empty vector"),
    (["vectors", "other", "--site", "model"], 0, "1 page without an element of the site's tree: their words weigh 1"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), BAD)
def test_bad_input_is_one_clear_line(folder, run, arguments, code, message):
    made_sites.write(folder / "copies", site(1) * 2)
    made_sites.write(folder / "void", ["<p></p>", ""])
    made_sites.write(folder / "other", ["<section>" * 9 + "<b>ein anderer Text</b>"])
    (folder / "empty.txt").write_text("\n \n")
    (folder / "twice.txt").write_text("tea\nroom\ntea\n")
    (folder / "broken.npz").write_bytes(b"PK\x03\x04")
    (folder / "broken.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    run("site", "learn", "pages", "-o", "model")
    exit_code, _, err = run(*arguments)
    assert exit_code == code
    assert sum(message in line for line in err) == 1
    assert not any("Traceback" in line for line in err)


def test_the_example_of_the_documentation(tmp_path, run, monkeypatch):
    """docs/structure-tree.md begins with a command, what it reports, and what its output holds."""
    documentation = (ROOT / "docs" / "structure-tree.md").read_text("utf-8")
    command, reported, session = re.findall(r"```(?:sh|text|python)\n(.*?)```", documentation, re.DOTALL)[:3]
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    assert run(*command.split()[1:]) == (0, "", reported.splitlines())
    example = doctest.DocTestParser().get_doctest(session, {}, "structure-tree.md", None, 0)
    assert doctest.DocTestRunner().run(example) == (0, 5)


def generated(random: Random, depth: int = 5) -> str:
    """Return nested elements with few words and attributes, and now and then words directly in an inner node."""
    tag = random.choice(["div", "div", "ul", "span", "b"])
    attribute = random.choice(["", "", " class=box", " width=80", " bgcolor=red"])
    parts = [generated(random, depth - 1) for _ in range(random.randint(0, 3))] if depth else []
    parts.append(" ".join(random.choices(["tea", "cup", "pot", "leaf", "water"], k=random.choice([0, 1, 1, 4]))))
    random.shuffle(parts)
    return f" <{tag}{attribute}> {' '.join(parts)} </{tag}> "


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("thresholds", [(), (0.85, 0.85), (0.5, 0.3)])
def test_vectors_by_an_independent_script(tmp_path, run, seed, thresholds):
    """60 lines that know the paper's formulas, and nothing of dehusk, give the same vectors in both modes."""
    random = Random(seed)  # noqa: S311 (nothing secret)
    common = generated(random)
    pages = [f"<html><body>{common}{generated(random)}{generated(random)}</body></html>" for _ in range(7)]
    made_sites.write(tmp_path, [*pages, random.choice(pages)])
    files = sorted(tmp_path.glob("*.html"))
    mode = ["--mode", "style", "--gamma", thresholds[0], "--lambda", thresholds[1]] if thresholds else []
    code, out, _ = run("vectors", tmp_path, *mode)
    assert code == 0
    vectors = weights_by_page(out)
    assert len(vectors) == 8
    for file, expected in zip(files, page_vectors([file.read_text() for file in files], *thresholds), strict=True):
        found = vectors[str(file)]
        assert found.keys() <= expected.keys()
        assert all(abs(found.get(word, 0) - weight) < 1e-9 for word, weight in expected.items())


def test_the_independent_script_is_short_and_independent():
    lines = (ROOT / "tests" / "paper_vectors.py").read_text("utf-8").splitlines()
    assert len(lines) <= 60
    assert not any("import" in line and "dehusk" in line for line in lines)
