"""Corpora with WISDOM's blocks and the facts of pages in their rows, and with a style of cleaning."""

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastwarc", reason="the extra corpus is not installed")

import warcs
from command_line import dehusk as command
from dehusk import Site, clean
from dehusk.base.errors import ConfigError
from dehusk.many.corpus.job import CorpusJob
from dehusk.many.corpus.runner import run
from dehusk.many.files.inputs import find_inputs
from dehusk.read import parse
from dehusk.sites.wisdom import Wisdom, WisdomCounts
from dehusk.sites.wisdom.block_records import NO_BLOCKS, page_blocks

PAGES = 12
TEA = (Path(__file__).parents[1] / "examples" / "tea.html").read_bytes()
HEADERS = {"content-type": "text/html; charset=utf-8"}


def given(folder: Path) -> Path:
    """Write one site in two files, and a site of one page."""
    warcs.write(folder / "given/0.warc.gz", warcs.page_records(PAGES // 2))
    rest = warcs.page_records(PAGES - PAGES // 2, first=PAGES // 2)
    warcs.write(folder / "given/1.warc.gz", rest + warcs.page_records(1, first=100, host="cups.example"))
    return folder / "given"


def rows(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("pages/*.jsonl"))
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def test_blocks_and_facts_are_those_of_the_whole_site(tmp_path: Path) -> None:
    job = CorpusJob(format="jsonl", sample=PAGES, metadata=True, findings=("wisdom",))
    run(job, find_inputs([str(given(tmp_path))]), tmp_path / "one")
    written = rows(tmp_path / "one")
    pages = [parse(page, url, HEADERS) for url, page in _html(tmp_path)]
    site, wisdom = Site().fit(pages), Wisdom().fit(pages)
    assert len(written) == PAGES + 1
    for row, (url, html) in zip(written[:-1], _html(tmp_path), strict=True):
        document = clean(html, url=url, headers=HEADERS, site=site)
        facts = json.loads(json.dumps(document.facts()))
        assert {name: row[name] for name in facts} == facts
        assert row["findings"]["wisdom"] == json.loads(json.dumps(page_blocks(wisdom.blocks(document.page))))
        assert row["findings"]["wisdom"]["article"]
    assert (written[-1]["host"], written[-1]["findings"]["wisdom"]) == ("cups.example", NO_BLOCKS)
    run(job, find_inputs([str(tmp_path / "given")]), tmp_path / "two", workers=2)
    assert rows(tmp_path / "two") == written
    name = "sites/tea.example/arrays.npz"
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    learned = Site.load(tmp_path / "one/sites/tea.example").own_counts(WisdomCounts)
    assert learned.pages == PAGES


def test_a_run_without_wisdom_can_be_repeated_with_it(tmp_path: Path) -> None:
    inputs = find_inputs([str(given(tmp_path))])
    run(CorpusJob(format="jsonl"), inputs, tmp_path / "out")
    with pytest.raises(ConfigError, match="the site was learned without counts 'wisdom'"):
        Site.load(tmp_path / "out/sites/tea.example").own_counts(WisdomCounts)
    run(CorpusJob(format="jsonl", findings=("wisdom",)), inputs, tmp_path / "out")
    assert all(row["findings"]["wisdom"]["article"] for row in rows(tmp_path / "out")[:PAGES])


def _html(folder: Path) -> list[tuple[str, bytes]]:
    """Return address and bytes of the pages of the larger site."""
    from dehusk.many.files.inputs import read_records
    from dehusk.many.files.options import ReadOptions

    records = [r for f in find_inputs([str(folder / "given")]) for r in read_records(f, ReadOptions(10**6))]
    return [(record.url, record.body(10**6).data) for record in records][:PAGES]


def test_style_and_favour_reach_the_method(tmp_path: Path) -> None:
    inputs = find_inputs([str(given(tmp_path))])
    for style, favour in (("whole", 1.0), ("body", 0.0)):
        out = tmp_path / style
        run(CorpusJob(format="jsonl", sites=False, style=style, favour=favour), inputs, out)
        texts = [row["text"] for row in rows(out)[:PAGES]]
        assert texts == [clean(page, url=url, style=style, favour=favour).text for url, page in _html(tmp_path)]
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "tea.html").write_bytes(TEA)
    job = CorpusJob(format="jsonl", sites=False, style="whole", favour=1.0)
    run(job, find_inputs([str(pages)]), tmp_path / "tea")
    assert rows(tmp_path / "tea")[0]["text"] == clean(TEA, style="whole", favour=1.0).text != clean(TEA).text


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"findings": ("wisdom",)}, "findings can only be written as JSON Lines"),
        ({"method": "site", "style": "body"}, "method site: "),
        ({"style": "boby"}, "Did you mean body"),
        ({"favour": "high"}, "favour"),
    ],
)
def test_contradicting_values_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CorpusJob(**values)
    with pytest.raises(ConfigError, match="the findings of wisdom need sites to be learned"):
        _ = CorpusJob(format="jsonl", findings=("wisdom",), sites=False).learns


def test_the_command_has_the_same_options(tmp_path: Path) -> None:
    options = ("-f", "jsonl", "--find", "wisdom", "--style", "article", "--favour", "0.7", "-q")
    done = command("corpus", given(tmp_path), "-o", tmp_path / "out", *options)
    assert (done.returncode, done.stderr) == (0, b"")
    assert all(row["findings"]["wisdom"]["article"] for row in rows(tmp_path / "out")[:PAGES])
