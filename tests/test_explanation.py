"""`dehusk clean --explain` for a person: plain when piped, coloured and folded on a terminal."""

import io
import os
import re
import subprocess
import sys

import pytest

import dehusk
from command_line import EXAMPLE
from command_line import dehusk as run
from dehusk.cli.explanation import PLAIN, Appearance, appearance_on, explain_document

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
WIDE = "".join(f"<p>{text}</p>" for text in ("緑茶の入れ方は簡単です" * 9, "tea " * 30, "x" * 300))


@pytest.fixture(scope="module")
def document() -> dehusk.Document:
    return dehusk.clean(EXAMPLE.read_bytes(), explain=True)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_width_and_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert appearance_on(Terminal()) == Appearance(77, colour=True)
    assert appearance_on(io.StringIO()) == PLAIN
    monkeypatch.setenv("TERM", "dumb")
    assert appearance_on(Terminal()) == Appearance(77, colour=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert appearance_on(Terminal()) == Appearance(77, colour=False)


def test_plain_text_has_two_lines_per_block(document: dehusk.Document) -> None:
    lines = explain_document(document).splitlines()
    lines = [line for line in lines[lines.index("") + 1 :] if not line.startswith("      unit")]
    assert len(lines) == 2 * len(document.blocks)
    for block, head, reason in zip(document.blocks, lines[::2], lines[1::2], strict=True):
        verdict = "keep" if block.kept else "drop"
        assert head.startswith(f"      {verdict}  {block.probability:.2f} {block.label:<12} {block.text[:90]}")
        assert reason == " " * 30 + str(block.reason)


def test_units_of_several_blocks_have_a_line_before_their_first_block() -> None:
    document = dehusk.clean("<ul><li>a<li>b</ul><ul><li>c</ul>", method="keep-all", explain=True)
    lines = explain_document(document).splitlines()
    lines = [" ".join(line.split()) for line in lines[lines.index("") + 1 :]]
    assert [lines[0], *lines[1::2]] == [
        "unit 1.00 list 2 members, 2 of 2 blocks kept",
        *(f"keep 1.00 paragraph {text}" for text in "abc"),
    ]


@pytest.mark.parametrize("width", [20, 45, 60, 80, 120])
def test_folding_loses_nothing_and_breaks_between_words(document: dehusk.Document, width: int) -> None:
    plain, folded = explain_document(document), explain_document(document, Appearance(width))
    assert max(map(len, folded.splitlines())) <= width
    assert "".join(folded.split()) == "".join(plain.split())
    if width >= 60:
        assert folded.split() == plain.split()


@pytest.mark.parametrize("width", [40, 80])
def test_wide_characters_and_long_words_are_folded_by_columns(width: int) -> None:
    document = dehusk.clean(WIDE, explain=True)
    folded = explain_document(document, Appearance(width))
    for line in folded.splitlines():
        assert sum(2 if ord(char) > 0x3000 else 1 for char in line) <= width
    assert "".join(folded.split()) == "".join(explain_document(document).split())


def test_colour_changes_nothing_but_colour(document: dehusk.Document) -> None:
    for width in (None, 40, 100):
        coloured = explain_document(document, Appearance(width, colour=True))
        assert ESCAPE.sub("", coloured) == explain_document(document, Appearance(width))
    kept = next(line for line in coloured.splitlines() if ESCAPE.sub("", line).startswith("      keep"))
    dropped = next(line for line in coloured.splitlines() if ESCAPE.sub("", line).startswith("      drop"))
    assert "\x1b[32m" in kept
    assert "\x1b[31m" in dropped


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_the_command_on_a_terminal_and_in_a_pipe() -> None:
    piped = run("clean", "--explain", EXAMPLE).stdout.decode()
    assert "\x1b" not in piped
    ours, theirs = os.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "dehusk", "clean", "--explain", str(EXAMPLE)],
        stdout=theirs,
        env=environment | {"COLUMNS": "70", "TERM": "xterm"},
    ):
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how Linux reports the end
            pass
        os.close(ours)
    lines = shown.decode().replace("\r\n", "\n")
    assert "\x1b[32m" in lines
    assert max(map(len, ESCAPE.sub("", lines).splitlines())) <= 70
    assert ESCAPE.sub("", lines).split() == piped.split()
