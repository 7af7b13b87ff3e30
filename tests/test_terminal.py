"""No page, and no name of a file, controls the terminal that a command prints to."""

import json
import re
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from dehusk.base.errors import printable
from dehusk.cli import main
from dehusk.write.json import dumps

EVIL = "\x1b]0;PWN\x07\x1b[31m\x9b31m\x85\u202e"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
OWN = re.compile(r"\x1b\[[\d;]*m|\r *")
"""Colours of explanations and the progress line."""
FORMATS = ("text", "markdown", "html", "json", "tei", "cleaneval", "annotation")
ODD = "n\x1b]0;PWN\x07\x9b.html"


def evil_page(number: int) -> str:
    links = "".join(f"<li><a href='/{EVIL}{n}' title='{EVIL}'>link {n}{EVIL}</a>" for n in range(8))
    return (
        f"<html>{'<!-- so that it does not look like binary data -->' * 200}<title>{EVIL}T{number}</title>"
        f"<meta name=author content='A{EVIL}'><body><h1 class='a{EVIL}'>H{EVIL}</h1>"
        f"<p id='x{EVIL}' class='{EVIL}'>{'Text of the page, long enough. ' * 20}{EVIL}{number}</p>"
        f"<table><tr><td>N{EVIL}:<td>v{EVIL}{number}</table><ul>{links}</ul>"
        f"<pre class='language-{EVIL}'>code{EVIL}</pre>"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("evil")
    (root / "pages").mkdir()
    for number, name in enumerate(("0.html", "1.html", "2.html", ODD)):
        (root / "pages" / name).write_text(evil_page(number), "utf-8")
    (root / "pages" / "bad\x1b[31m\x9b.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (root / "rules.toml").write_text('["*"]\ndrop = ["p\\u001b[31m["]\n', "utf-8")
    labels = "".join(f"pages/{n}.html\t{'ab'[n % 2]}\x1b[31m\x9b\n" for n in range(3))
    (root / "labels.tsv").write_text(labels, "utf-8")
    (root / "missing.txt").write_text("\x1b[31mnone.html\n", "utf-8")
    return root


class Screen(TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that runs a command and returns what it shows on the terminal, without colours of its own."""

    def typed(*arguments: str) -> str:
        screens = [Screen(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", ["dehusk", *arguments])
        monkeypatch.setattr(sys, "stdout", screens[0])
        monkeypatch.setattr(sys, "stderr", screens[1])
        with pytest.raises(SystemExit):
            main()
        text = "".join(screen.buffer.getvalue().decode("utf-8") for screen in screens)
        return OWN.sub("", text) if "--explain" in arguments else text.replace("\r", "")

    return typed


@pytest.mark.parametrize(
    "arguments",
    [
        *(("clean", "-f", name, "pages/0.html") for name in FORMATS),
        ("clean", "--explain", "pages/0.html"),
        ("clean", "--explain", "-f", "html", "pages/0.html"),
        ("clean", "-f", "markdown", "--front-matter", "yaml", "pages/0.html"),
        ("clean", f"pages/{ODD}"),
        ("clean", "pages"),
        ("clean", "none\x1b[31m.html"),
        ("clean", "--list", "missing.txt"),
        ("clean", "--rules", "rules.toml", "pages/0.html"),
        ("clean", "--method", "x\x1b[31m", "pages/0.html"),
        ("read", "pages"),
        ("read", "-f", "json", "pages"),
        *(("toc", "-f", name, "pages") for name in ("text", "json", "html", "opml")),
        ("site", "learn", "pages", "-o", "site\x1b[31m\x9b"),
        ("site", "show", "pages", "--tree", "pages/0.html"),
        ("site", "show", "pages", "--tree", "pages/0.html", "-f", "html"),
        ("site", "clean", "--site", "pages", "pages/0.html"),
        ("records", "pages"),
        ("records", "-f", "csv", "pages"),
        ("colour", "pages", "-o", "coloured\x1b[31m"),
        ("colour", "pages", "--strings", "page", "--attributes", "all", "-o", "coloured"),
        ("vectors", "pages"),
        ("cluster", "pages", "-k", "2", "-o", "clusters\x1b[31m"),
        ("classify", "pages", "--labels", "labels.tsv", "--save", "classes"),
        ("classify", "--model", "classes", "pages"),
        ("corpus", "none\x1b[31m", "-o", "corpus"),
        ("train", "pages/0.html", "-o", "model\x1b[31m"),
        ("eval", "none\x1b[31m"),
        ("annotate", "none\x1b[31m"),
        ("studio", "none\x1b[31m"),
        ("crawl", "x\x1b[31m", "-o", "crawl\x1b[31m"),
        ("--no\x1b[31m",),
        ("no\x1b[31m",),
    ],
    ids=lambda arguments: ascii(" ".join(arguments)),
)
def test_nothing_that_a_terminal_obeys(shown, arguments: tuple[str, ...]) -> None:
    text = shown(*arguments)
    assert text
    assert not OBEYED.findall(text)


def test_models_of_sites(shown) -> None:
    shown("site", "learn", "pages", "-o", "model")
    for form in ("text", "json", "svg"):
        assert not OBEYED.findall(shown("site", "show", "model", "-f", form))


def test_json_has_controls_as_escapes_wherever_it_goes() -> None:
    line = dumps({"text": "a\x1b\x7f\x9bb\xa0\ud800"})
    assert line == '{"text": "a\\u001b\\u007f\\u009bb\xa0\ufffd"}\n'
    assert json.loads(line) == {"text": "a\x1b\x7f\x9bb\xa0\ufffd"}


def test_printable_is_one_line() -> None:
    assert printable("a\nb\xa0c\x1bd\u202ee") == "a b c\ufffdd\ufffde"
    assert printable("a\x1bb", " ") == "a b"


def test_files_get_all_characters(shown, folder: Path) -> None:
    shown("clean", "-f", "html", "pages/0.html", "-o", "0.out")
    assert "\x9b" in (folder / "0.out").read_text("utf-8")
