"""`dehusk compare`: what dehusk and other tools keep of a page, block by block."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import dehusk
from command_line import EXAMPLE
from command_line import dehusk as run_command
from dehusk.cli import command
from dehusk.lab.evaluate import side_by_side as module
from dehusk.lab.evaluate import tools
from dehusk.lab.evaluate.benchmark import BenchmarkPlan
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.lab.evaluate.side_by_side import compare_page

PAGE = EXAMPLE.read_bytes()
Fake = Callable[..., None]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Have tools whose texts, or errors, are given."""

    def have(error: str = "", **texts: str) -> None:
        def run(plan: BenchmarkPlan) -> Iterator[Prediction]:
            assert plan.samples[0].data == PAGE
            for name in plan.tools:
                yield Prediction("", plan.samples[0].id, f"{name} 1.0", texts[name], error=error)

        monkeypatch.setattr(module, "run_benchmark", run)
        for name in texts:
            tool = tools.Tool(name, "turbohtml", tools.OTHER_TOOLS["turbohtml"].load)
            monkeypatch.setitem(tools.OTHER_TOOLS, name, tool)

    return have


def compare(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(command, ["compare", *map(str, arguments)], standalone_mode=False)
    assert done.exception is None
    return done.return_value, done.output


def test_blocks_that_each_tool_keeps(fake: Fake) -> None:
    document = dehusk.clean(PAGE)
    fake(near="The Tea Room\nHow to brew green tea\nSencha: 70 °C\nqwertz", empty="")
    compared = compare_page("tea", PAGE, document, ["near", "empty"], seconds=9)
    near, empty = compared.others
    kept = [text for text, keep in zip(compared.texts, near.kept.tolist(), strict=True) if keep]
    assert kept == ["The Tea Room", "How to brew green tea", "Sencha: 70 °C for one minute"]  # three of six words
    own = compared.own.kept
    assert compared.share(near) == {
        "f1": round(2 * 10 / (190 + 12), 4),  # dehusk keeps neither "room" nor "qwertz"
        "both": {"blocks": 2, "words": 11},
        "only_dehusk": {"blocks": int(own.sum()) - 2, "words": 190 - 11},
        "only_tool": {"blocks": 1, "words": 3},
        "elsewhere": 1,
    }
    assert compared.share(empty)["both"] == {"blocks": 0, "words": 0}
    assert compared.share(empty)["f1"] == 0


def test_the_text_has_a_column_for_each_tool(fake: Fake) -> None:
    fake(near="The Tea Room. How to brew green tea", all_of_it=dehusk.clean(PAGE).text)
    code, out = compare(EXAMPLE, "--with", "near,all_of_it")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == f"1  dehusk {dehusk.__version__}: 190 words"
    assert lines[1] == (
        "2  near 1.0: 8 words, word F1 with dehusk 0.071; both keep 1 block (5 words), "
        "only dehusk 13 blocks (185 words), only the tool 1 block (3 words)"
    )
    assert lines[2].startswith(
        "3  all_of_it 1.0: 190 words, word F1 with dehusk 1.000; both keep 14 blocks (190 words), "
    )
    assert lines[4:7] == ["- + -  The Tea Room", "+ + +  How to brew green tea", "+ - +  By Ann Leaf, 3 May 2026"]
    assert len(lines) == 4 + 15
    everything = compare(EXAMPLE, "--with", "near,all_of_it", "--all")[1].splitlines()
    assert set(lines) < set(everything)
    assert "- - -  Shop" in everything


def test_json_has_a_record_for_each_page(fake: Fake, tmp_path: Path) -> None:
    fake(near="The Tea Room. How to brew green tea")
    other = tmp_path / "other.html"
    other.write_bytes(PAGE)
    assert compare(EXAMPLE, other, "--with", "near", "-f", "json", "-o", tmp_path / "out.jsonl") == (0, "")
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text("utf-8").splitlines())
    assert (first["page"], second["page"]) == (str(EXAMPLE), str(other))
    assert first["tools"] == second["tools"]
    assert first["tools"][0]["only_tool"] == {"blocks": 1, "words": 3}
    kept_by = {block["text"]: block["kept_by"] for block in first["blocks"]}
    assert kept_by["The Tea Room"] == ["near 1.0"]
    assert kept_by["How to brew green tea"] == [f"dehusk {dehusk.__version__}", "near 1.0"]
    assert kept_by["Shop"] == []


def test_a_tool_that_fails_and_a_page_that_cannot_be_read(fake: Fake, tmp_path: Path) -> None:
    fake(near="", error="ValueError: no\x1b[31m")
    code, out = compare(EXAMPLE, "--with", "near")
    assert code == 1
    assert "2  near 1.0: failed: ValueError: no\ufffd[31m\n" in out
    (tmp_path / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    for name, reason in (("gone.html", "error: cannot be read: "), ("picture.html", "not-html: ")):
        done = run_command("compare", tmp_path / name, "--with", "turbohtml")
        assert (done.returncode, done.stdout) == (1, b"")
        assert f"{name}: {reason}" in done.stderr.decode()


def test_real_tools_in_child_processes() -> None:
    done = run_command("compare", EXAMPLE, "--with", "turbohtml,dehusk-keep-all")
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[1].startswith("2  turbohtml 1.15.4: ")
    assert lines[2].startswith("3  dehusk-keep-all ")
    assert "- - +  Shop" in lines
    assert "+ + +  How to brew green tea" in lines


def test_trafilatura() -> None:
    pytest.importorskip("trafilatura", reason="the extra bench is not installed")
    lines = run_command("compare", EXAMPLE, "--with", "trafilatura").stdout.decode().splitlines()
    assert lines[1].startswith("2  trafilatura 2.")
    assert "+ +  A second cup" in lines


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ("trafilaturo", "unknown tool 'trafilaturo'. Did you mean trafilatura? Known: "),
        ("deboiler", "unknown tool 'deboiler'. "),  # learns from sites, and has one page here
        ("turbohtml,turbohtml", "--with names a tool twice"),
    ],
)
def test_wrong_names(chosen: str, message: str) -> None:
    done = run_command("compare", EXAMPLE, "--with", chosen)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert message in done.stderr.decode()


def test_a_tool_that_is_not_installed_names_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tools.OTHER_TOOLS, "absent", tools.Tool("absent", "no-such-package", list))
    done = CliRunner().invoke(command, ["compare", str(EXAMPLE), "--with", "absent"], standalone_mode=False)
    assert str(done.exception) == (
        "comparing with absent needs no-such-package, which is not installed: pip install 'dehusk[bench]'"
    )


def test_colours_on_a_terminal_only(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    from dehusk.cli import compare as compare_module
    from dehusk.cli.explanation import Appearance

    fake(near="The Tea Room. How to brew green tea")
    assert "\x1b" not in compare(EXAMPLE, "--with", "near")[1]
    monkeypatch.setattr(compare_module, "appearance_on", lambda _stream: Appearance(40, colour=True))
    out = (
        CliRunner()
        .invoke(command, ["compare", str(EXAMPLE), "--with", "near"], standalone_mode=False, color=True)
        .output
    )
    assert "\x1b[33m- +  The Tea Room\x1b[0m" in out
    assert "\x1b[32m+ +  How to brew green tea\x1b[0m" in out
    assert "+ -  Green tea turns bitter for two rea…" in out
