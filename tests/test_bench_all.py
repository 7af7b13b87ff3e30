"""`bench/all.py`: which benches are stale, how a run resumes, and the tables of the documentation."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import all as benches  # noqa: E402
import result_tables  # noqa: E402

REPORT = """# Fish

| pond | trout | carp |
|------|-------|------|
| deep | 3     | 4    |
| flat | 1     | 0    |

## Weights

See [the picture](fish.svg).

| fish  | kg       |
|-------|----------|
| trout | [2](a.md) |
"""


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bench" / "results"
    folder.mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (folder / "fish.md").write_text(REPORT)
    (folder / "birds.md").write_text("| pond | ducks |\n|--|--|\n| flat | 9 |\n")
    for module in (benches, result_tables):
        monkeypatch.setattr(module, "RESULTS", folder)
        monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(benches, "STATE", folder / "all.json")
    return folder


@pytest.mark.parametrize("page", list(result_tables.pages()), ids=lambda page: page.name)
def test_the_tables_of_the_documentation_are_those_of_the_reports(page: Path) -> None:
    assert result_tables.filled(page) == page.read_text("utf-8"), "run: python bench/all.py"


def test_every_report_belongs_to_a_bench_and_every_bench_is_documented() -> None:
    named = {bench.name for bench in benches.BENCHES}
    reports = {path.stem for path in (ROOT / "bench" / "results").glob("*.md")} - {"all", "outputs"}
    assert reports - named == set()
    described = (ROOT / "bench" / "README.md").read_text("utf-8")
    for bench in benches.BENCHES:
        script = bench.command.split()[0]
        assert script == "-m" or (ROOT / script).exists()
        assert script == "-m" or script in described, script


@pytest.mark.parametrize(
    ("source", "table"),
    [
        ("fish.md", [["pond", "trout", "carp"], ["deep", "3", "4"], ["flat", "1", "0"]]),
        ('fish.md, "Weights"', [["fish", "kg"], ["trout", "[2](a.md)"]]),
        ("fish.md; where pond: flat; columns: carp | pond", [["carp", "pond"], ["0", "flat"]]),
        ("fish.md; where pond: flat | deep; columns: pond", [["pond"], ["flat"], ["deep"]]),
        ("fish.md; with birds.md; columns: pond | ducks", [["pond", "ducks"], ["deep", ""], ["flat", "9"]]),
    ],
)
@pytest.mark.usefixtures("results")
def test_rows_and_columns_are_chosen(source: str, table: list[list[str]]) -> None:
    assert result_tables.chosen_table(source) == table


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('fish.md, "Depths"', "fish.md has no heading 'Depths'"),
        ("fish.md; where pond: wide", "there is no wide, but deep, flat"),
        ("fish.md; columns: pike", "there is no pike, but pond, trout, carp"),
        ("fish.md; first: 3", "write where COLUMN"),
    ],
)
@pytest.mark.usefixtures("results")
def test_what_a_report_does_not_have_is_an_error(source: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        result_tables.chosen_table(source)


def test_pages_are_filled_and_links_lead_to_the_reports(results: Path) -> None:
    page = results.parents[1] / "docs" / "fish.md"
    page.write_text('Heavy:\n\n<!-- from fish.md, "Weights" -->\nold\n<!-- end -->\nEnd.\n')
    (results.parents[1] / "README.md").write_text("No tables.\n")
    assert result_tables.fill_all() == [page]
    table = "| fish | kg |\n| --- | --- |\n| trout | [2](../bench/results/a.md) |\n"
    assert page.read_text() == f'Heavy:\n\n<!-- from fish.md, "Weights" -->\n{table}<!-- end -->\nEnd.\n'
    assert result_tables.fill_all() == []


def test_a_run_resumes_and_repeats_what_changed(results: Path, monkeypatch, tmp_path: Path, capsys) -> None:
    data, script = tmp_path / "data", tmp_path / "count.py"
    (data / "ponds").mkdir(parents=True)
    (data / "ponds" / "pages.jsonl").write_text("{}")
    script.write_text("import sys, pathlib\npathlib.Path(sys.argv[1]).write_text('x')\n")
    first = benches.Bench("one", "the first", f"count.py {results}/one.md DATA")
    broken = benches.Bench("two", "the second", "missing.py")
    monkeypatch.setattr(benches, "BENCHES", (first, broken))

    def run(*, only_list: bool = False) -> tuple[int, list[str]]:
        failed = benches.run_stale(list(benches.BENCHES), data, tmp_path, only_list=only_list)
        return failed, [line.split(maxsplit=1)[1] for line in capsys.readouterr().out.splitlines()]

    assert run(only_list=True) == (0, ["no run", "no run"])
    assert not (results / "one.md").exists()
    assert run() == (1, ["no run", "no run", "ended with code 2"])
    assert run() == (1, ["fresh", "no run", "ended with code 2"])
    (results / "one.md").write_text("changed by hand")
    assert run(only_list=True)[1][0] == "stale"
    assert run()[1][0] == "stale"
    script.write_text(script.read_text() + "# another version\n")
    assert run(only_list=True)[1][0] == "stale"
    run()
    (data / "ponds" / "pages.jsonl").write_text("{}{}")
    benches.sets_hash.cache_clear()
    assert run(only_list=True)[1][0] == "stale"
    assert "| [the first](one.md)" in (results / "all.md").read_text()


def test_a_bench_depends_on_the_modules_it_imports() -> None:
    modules = {path.name for path in benches.modules_of(ROOT / "bench" / "wisdom.py")}
    assert {"wisdom.py", "wisdom_pages.py", "sets.py"} <= modules
    assert "alternation.py" not in modules
    one = benches.BENCHES[0]
    nowhere = ROOT / "examples"
    assert benches.state_of(one, nowhere).code != benches.state_of(replace(one, command="bench/sites.py"), nowhere).code


def test_an_unknown_bench_is_one_line() -> None:
    with pytest.raises(SystemExit, match="no bench fish; there are united, quality"):
        benches.chosen("sites,fish")
