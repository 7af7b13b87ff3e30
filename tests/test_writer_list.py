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
from dehusk.cli import command
from dehusk.corpus.job import CorpusJob
from dehusk.labels import HEADER
from dehusk.write import CleanedPage, Writer, find_writer, format_names
from dehusk.write.contexts import BlockContexts

TEA = Path(__file__).parents[1] / "examples" / "tea.html"
TABLE = "<title>Tea</title><meta name=author content='Ann Leaf'>"
TABLE += "<table><tr><td>Sencha<td>70 °C<tr><td>Gyokuro<td>55 °C</table><ul><li>cup<p>pot<li>leaves"


def to_tei(cleaned: CleanedPage) -> str:
    """Return the kept blocks as a small TEI document: heads, paragraphs, the cells of rows, the items of lists."""
    labels = cleaned.labels
    kept = np.flatnonzero(labels.kept)
    contexts = BlockContexts.of(labels, kept)
    tags = np.where(labels.label[kept] == HEADER, "head", "p")
    tags = np.where(contexts.is_list_line, "item", np.where(contexts.row >= 0, "cell", tags))
    lines = []
    for tag, column, block in zip(tags, contexts.column.tolist(), kept.tolist(), strict=True):
        attribute = f' n="{column}"' if tag == "cell" else ""
        lines.append(f"<{tag}{attribute}>{escape(labels.blocks.texts[block].strip())}</{tag}>")
    author = escape(cleaned.metadata.author or "")
    return f'<TEI><title author="{author}">{escape(cleaned.title)}</title><body>{"".join(lines)}</body></TEI>\n'


TEI = Writer(name="tei", extension=".tei.xml", media_type="application/tei+xml", write=to_tei, aliases=("xml",))


@pytest.fixture
def with_tei(monkeypatch):
    monkeypatch.setattr(write, "WRITERS", (*write.WRITERS, TEI))


def parsed(xml):
    return ET.fromstring(xml)  # noqa: S314 (our own output)


def run(*arguments):
    return CliRunner().invoke(command, ["clean", *map(str, arguments)])


@pytest.mark.usefixtures("with_tei")
class TestNewWriter:
    def test_a_document_renders_it(self):
        root = parsed(dehusk.clean(TEA.read_bytes()).render("tei"))
        assert root.find("body/head").text == "How to brew green tea"
        assert next(item.text for item in root.iter("item")) == "Sencha: 70 °C for one minute"

    def test_it_sees_the_cells_and_items_that_blocks_are_in(self):
        root = parsed(dehusk.clean(TABLE, method="keep-all").render("tei"))
        assert (root.find("title").text, root.find("title").get("author")) == ("Tea", "Ann Leaf")
        cells = [(cell.get("n"), cell.text) for cell in root.iter("cell")]
        assert cells == [("0", "Sencha"), ("1", "70 °C"), ("0", "Gyokuro"), ("1", "55 °C")]
        assert [item.text for item in root.iter("item")] == ["cup", "leaves"]
        assert [paragraph.text for paragraph in root.iter("p")] == ["pot"]

    def test_the_command_line_offers_it(self, tmp_path):
        assert run("-f", "tei", TEA).stdout == dehusk.clean(TEA.read_bytes()).render("tei")
        assert run("-f", "tei", "--output-dir", tmp_path, TEA).exit_code == 0
        assert [path.name for path in tmp_path.iterdir()] == ["tea.tei.xml"]
        record = json.loads(run("-f", "tei", TEA, TEA).stdout.splitlines()[0])
        assert (record["format"], record["content"][:5]) == ("tei", "<TEI>")
        assert "tei" in run("--help").stdout

    def test_corpora_offer_it_if_it_contains_nothing_but_the_kept_text(self, monkeypatch):
        with pytest.raises(ConfigError, match="unknown content 'tei'"):
            CorpusJob(content="tei")
        monkeypatch.setattr(
            write, "WRITERS", (*write.WRITERS, Writer("org", ".org", "text/org", to_tei, text_only=True))
        )
        assert CorpusJob(content="org").content == "org"

    def test_a_name_that_is_nearly_right_suggests_it(self):
        with pytest.raises(ConfigError, match=r"^unknown format 'xml'\. Did you mean tei\? Known: .*, tei$"):
            find_writer("xml")


def test_every_writer_has_a_name_and_an_extension_of_its_own():
    names = format_names()
    assert len(names) == len(set(names)) == len({writer.extension for writer in write.WRITERS})
    assert names == [find_writer(name).name for name in names]
    assert {"text", "markdown", "html", "json", "cleaneval"} <= set(names)


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
    [("md", "markdown"), ("markdwon", "markdown"), ("txt", "text"), ("HTML5", "html"), ("htm", "html"), ("docx", None)],
)
def test_an_unknown_format_is_an_error_that_lists_the_formats(name, nearest):
    hint = f"Did you mean {nearest}? " if nearest else ""
    expected = f"unknown format {name!r}. {hint}Known: text, markdown, html, json, cleaneval"
    with pytest.raises(ConfigError) as error:
        dehusk.clean("<p>tea").render(name)
    assert str(error.value) == expected
    result = run("-f", name, TEA)
    assert result.exit_code == 2
    assert expected in result.stderr
