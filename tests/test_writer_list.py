"""Writers declare themselves: a new one is a module and a line, found by documents, the command line and corpora."""

import json
import re
from html import escape
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

import dehusk
from dehusk import ConfigError, write
from dehusk.base.tags import numbers
from dehusk.blocks.labels import HEADER
from dehusk.cli import command
from dehusk.many.corpus.job import CorpusJob
from dehusk.write import CleanedPage, Writer, find_writer, format_names
from dehusk.write.options import WriteOptions

TEA = Path(__file__).parents[1] / "examples" / "tea.html"
TABLE = "<title>Tea</title><meta name=author content='Ann Leaf'>"
TABLE += "<table><tr><td>Sencha<td>70 °C<tr><td>Gyokuro<td>55 °C</table><ul><li>cup<p>pot<li>leaves"


def to_docbook(cleaned: CleanedPage, _: WriteOptions) -> str:
    """Return the kept blocks as a small DocBook article: titles, paragraphs, the cells of rows, the items of lists."""
    labels = cleaned.labels
    kept = np.flatnonzero(labels.kept)
    page, first = labels.blocks.page, labels.blocks.first[kept]
    in_cell, in_item = (page.nearest(page.is_one_of(numbers(tags)))[first] >= 0 for tags in ("td th", "li"))
    tags = np.where(labels.label[kept] == HEADER, "bridgehead", "para")
    tags = np.where(in_item, "listitem", np.where(in_cell, "entry", tags))
    lines = [
        f"<{tag}>{escape(labels.blocks.texts[block].strip())}</{tag}>"
        for tag, block in zip(tags, kept.tolist(), strict=True)
    ]
    info = f"<title>{escape(cleaned.title)}</title><author>{escape(cleaned.metadata.author or '')}</author>"
    return f"<article><info>{info}</info>{''.join(lines)}</article>\n"


DOCBOOK = Writer(
    name="docbook", extension=".dbk", media_type="application/docbook+xml", write=to_docbook, aliases=("docbk",)
)


@pytest.fixture
def with_docbook(monkeypatch):
    monkeypatch.setattr(write, "WRITERS", (*write.WRITERS, DOCBOOK))


def parsed(xml):
    return ET.fromstring(xml)  # noqa: S314 (our own output)


def run(*arguments):
    return CliRunner().invoke(command, ["clean", *map(str, arguments)])


@pytest.mark.usefixtures("with_docbook")
class TestNewWriter:
    def test_a_document_renders_it(self):
        root = parsed(dehusk.clean(TEA.read_bytes()).render("docbook"))
        assert root.find("bridgehead").text == "How to brew green tea"
        assert next(item.text for item in root.iter("listitem")) == "Sencha: 70 °C for one minute"

    def test_it_sees_the_cells_and_items_that_blocks_are_in(self):
        root = parsed(dehusk.clean(TABLE, method="keep-all").render("docbook"))
        assert [each.text for each in root.find("info")] == ["Tea", "Ann Leaf"]
        assert [cell.text for cell in root.iter("entry")] == ["Sencha", "70 °C", "Gyokuro", "55 °C"]
        assert [item.text for item in root.iter("listitem")] == ["cup", "pot", "leaves"]

    def test_the_command_line_offers_it(self, tmp_path):
        assert run("-f", "docbook", TEA).stdout == dehusk.clean(TEA.read_bytes()).render("docbook")
        assert run("-f", "docbook", "--output-dir", tmp_path, TEA).exit_code == 0
        assert [path.name for path in tmp_path.iterdir()] == ["tea.dbk"]
        pages = tmp_path / "pages"  # one page: a child process would not know of the writer
        pages.mkdir()
        (pages / TEA.name).write_bytes(TEA.read_bytes())
        record = json.loads(run("-f", "docbook", pages).stdout.splitlines()[0])
        assert (record["format"], record["text"][:9]) == ("docbook", "<article>")
        assert "docbook" in run("--help").stdout

    def test_corpora_offer_it_if_it_contains_nothing_but_the_kept_text(self, monkeypatch):
        with pytest.raises(ConfigError, match="content docbook is more than text: write it with metadata"):
            CorpusJob(content="docbook")
        assert CorpusJob(content="docbook", metadata=True).content == "docbook"
        monkeypatch.setattr(
            write, "WRITERS", (*write.WRITERS, Writer("org", ".org", "text/org", to_docbook, text_only=True))
        )
        assert CorpusJob(content="org").content == "org"

    def test_a_name_that_is_nearly_right_suggests_it(self):
        with pytest.raises(ConfigError, match=r"^unknown format 'docbok'\. Did you mean docbook\? Known: .*, docbook$"):
            find_writer("docbok")


def test_every_writer_has_a_name_and_an_extension_of_its_own():
    names = format_names()
    assert len(names) == len(set(names)) == len({writer.extension for writer in write.WRITERS})
    assert names == [find_writer(name).name for name in names]
    assert {"text", "markdown", "html", "json", "tei", "cleaneval"} <= set(names)


def test_every_writer_module_is_on_the_list():
    folder = Path(write.__file__).parent
    declared = {path.stem for path in folder.glob("*.py") if "\nWRITER = Writer(" in path.read_text("utf-8")}
    assert declared == set(write.MODULES)


def test_the_readme_names_every_format():
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    for name in format_names():
        assert re.search(rf"\b{name}\b", readme), name


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("markdwon", "markdown"),
        ("HTML5", "html"),
        ("htm", "html"),
        ("docx", None),
    ],
)
def test_an_unknown_format_is_an_error_that_lists_the_formats(name, nearest):
    hint = f"Did you mean {nearest}? " if nearest else ""
    expected = f"unknown format {name!r}. {hint}Known: text, markdown, prompt, html, json, tei, cleaneval, annotation"
    with pytest.raises(ConfigError) as error:
        dehusk.clean("<p>tea").render(name)
    assert str(error.value) == expected
    result = run("-f", name, TEA)
    assert result.exit_code == 2
    assert expected in result.stderr


@pytest.mark.parametrize("name", ["md", ".md", "MD", "gfm"])
def test_a_format_has_other_names_and_its_suffix(name):
    assert dehusk.clean(TEA.read_bytes()).render(name) == dehusk.clean(TEA.read_bytes()).markdown
    assert run("-f", name, TEA).stdout == run("-f", "markdown", TEA).stdout
