"""`bench/all.py`: which benches are stale, how a run resumes, and the tables of the documentation."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import all as benches  # noqa: E402
import beside  # noqa: E402
import result_tables  # noqa: E402
import sets  # noqa: E402
import shipped  # noqa: E402

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


def note(results: Path, judges: str, net: str) -> None:
    """Note what the report fish.md judges."""
    entry = {"date": "2026-05-03", "commit": "abc", "judges": judges, "net": net}
    (results / "judged.json").write_text(json.dumps({"fish": entry}))


def test_pages_are_filled_and_links_lead_to_the_reports(results: Path) -> None:
    note(results, "none", "")
    page = results.parents[1] / "docs" / "fish.md"
    page.write_text('Heavy:\n\n<!-- from fish.md, "Weights" -->\nold\n<!-- end -->\nEnd.\n')
    (results.parents[1] / "README.md").write_text("No tables.\n")
    assert result_tables.fill_all() == [page]
    table = "| fish | kg |\n| --- | --- |\n| trout | [2](../bench/results/a.md) |\n"
    assert page.read_text() == f'Heavy:\n\n<!-- from fish.md, "Weights" -->\n{table}<!-- end -->\nEnd.\n'
    assert result_tables.fill_all() == []


@pytest.mark.usefixtures("results")
def test_a_report_of_another_net_is_refused(results: Path) -> None:
    page = results.parents[1] / "docs" / "fish.md"
    page.write_text('<!-- from fish.md, "Weights" -->\n<!-- end -->\n')
    with pytest.raises(ValueError, match="does not say which net"):
        result_tables.filled(page)
    for judges in ("shipped", "folds"):
        note(results, judges, shipped.net_hash(judges))
        assert "trout" in result_tables.filled(page)
        note(results, judges, "0123456789abcdef")
        with pytest.raises(ValueError, match="a net that is not shipped any more"):
            result_tables.filled(page)


def test_what_a_report_judges_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(shipped, "RESULTS", tmp_path)
    monkeypatch.setattr(sets, "RESULTS", tmp_path)
    sets.write_results("fish", "# Fish\n", {"kg": 2}, judges="shipped")
    sets.write_results("birds", "# Birds\n", {}, judges="none")
    assert capsys.readouterr().out == "# Fish\n\n# Birds\n\n"
    noted = shipped.judged(tmp_path)
    assert noted["fish"]["net"] == shipped.card()["arrays-sha256"][:16]
    assert list(noted) == ["birds", "fish"]
    shipped.check_judged("fish", tmp_path)
    shipped.check_judged("birds", tmp_path)


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
    with pytest.raises(SystemExit, match="no bench fish; there are united, unseen"):
        benches.chosen("sites,fish")


def test_every_bench_of_quality_names_its_floor_and_rival() -> None:
    named = [*beside.BESIDE, *beside.WITHOUT, *beside.COSTS]
    assert sorted(named) == sorted(bench.name for bench in benches.BENCHES)
    assert all(beside.WITHOUT.values())


@pytest.mark.parametrize("name", beside.BESIDE)
def test_floor_and_rival_stand_in_the_report(name: str) -> None:
    lines = (ROOT / "bench" / "results" / f"{name}.md").read_text("utf-8").splitlines()
    cells = [cell.strip() for line in lines if line.startswith("|") for cell in line.split("|")]
    for other in beside.BESIDE[name]:
        assert any(cell.startswith(other) or cell.endswith(other) for cell in cells), other
