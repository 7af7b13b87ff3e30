"""Cleaning the pages of a crawl: hosts, damaged pages, pages that hang or crash, and interrupted runs."""

import gzip
import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("warcio", reason="the extra crawl is not installed")

from dehusk.base.errors import ConfigError, InputError
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.label import PageMethod
from dehusk.many.corpus import child_tasks
from dehusk.many.corpus.child_tasks import ChildSettings, make_handler
from dehusk.many.corpus.runner import run
from dehusk.many.crawl import clean_crawl, cleaning
from dehusk.many.crawl.archive import Archive, Exchange
from dehusk.many.rows import COLUMNS
from dehusk.read import Limits
from made_sites import article
from made_sites import page as shop_page

HTML = ("Content-Type", "text/html")


def archive_pages(folder: Path, pages: dict[str, bytes], headers: tuple[tuple[str, str], ...] = (HTML,)) -> None:
    archive = Archive(folder, (-1, 0), agent="me/1")
    for url, body in pages.items():
        archive.write(Exchange(url, [], 200, headers, body))
    archive.close()


def shop(host: str, count: int) -> dict[str, bytes]:
    return {
        f"http://{host}/page{number}": shop_page(article(number), host="", name=f"page{number}").encode()
        for number in range(count)
    }


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("method", [None, "site"])
def test_hosts_with_few_pages_are_cleaned_page_by_page_and_the_order_is_kept(tmp_path: Path, method) -> None:
    pages = shop("tea.example", 6)
    pages["http://cups.example/page1"] = pages.pop("http://tea.example/page1")
    archive_pages(tmp_path, pages)
    cleaned = clean_crawl(tmp_path, method=method)
    texts, blocks = lines(tmp_path, "clean.jsonl"), lines(tmp_path, "wisdom.jsonl")
    assert [row["url"] for row in texts] == [row["url"] for row in blocks] == list(pages)
    for row in texts:
        assert list(row) == list(COLUMNS)
        assert set(" ".join(article(int(row["url"][-1]))).split()) <= set(row["text"].split())
    assert [bool(row["article"]) for row in blocks] == ["//tea" in url for url in pages]
    assert (cleaned.statuses, cleaned.extracted, cleaned.lost) == ({"ok": 6}, 6, 0)
    (warning,) = cleaned.warnings
    assert warning.startswith("1 of 2 hosts: fewer than 5 pages; each page is cleaned individually")
    assert ("by method united" in warning) == (method == "site")
    assert not (tmp_path / cleaning.WORKING_FOLDER).exists()


class DangerousUnited:
    """The default method, but some pages make it hang or crash."""

    def __init__(self, method: PageMethod) -> None:
        self._method = method
        self.segment = method.segment

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        if blocks.page.text == "hang":
            time.sleep(600)
        if blocks.page.text == "crash":
            os._exit(9)
        return self._method.label(blocks, explain=explain)


def make_dangerous(settings: ChildSettings) -> Callable[[Any], Any]:
    """A child that hangs or crashes on some pages."""
    usual = child_tasks.load_method
    child_tasks.load_method = lambda *args, **options: DangerousUnited(usual(*args, **options))  # type: ignore[assignment]
    return make_handler(settings)


def test_pages_that_hang_or_crash_cost_only_their_own_lines(tmp_path: Path, monkeypatch) -> None:
    good = shop("tea.example", 6)
    bad = {"http://tea.example/hang": b"<p>hang", "http://tea.example/crash": b"<p>crash"}
    archive_pages(tmp_path, dict(sorted((good | bad).items())))
    monkeypatch.setattr(cleaning, "run", partial(run, make_handler=make_dangerous))
    cleaned = clean_crawl(tmp_path, form="markdown", limits=Limits(seconds=5.0))
    rows = {row["url"]: row for row in lines(tmp_path, "clean.jsonl")}
    blocks = {row["url"]: row for row in lines(tmp_path, "wisdom.jsonl")}
    assert cleaned.statuses == {"ok": 6, "limit": 1, "error": 1}
    assert list(rows) == list(blocks) == sorted(good | bad)
    assert rows["http://tea.example/hang"]["status"] == "limit"
    assert "took longer than" in rows["http://tea.example/hang"]["message"]
    assert rows["http://tea.example/crash"]["status"] == "error"
    for url in bad:
        assert rows[url].keys() == rows["http://tea.example/page1"].keys()
        assert (rows[url]["text"], rows[url]["format"]) == (None, None)
        assert (blocks[url]["article"], blocks[url]["toc"], blocks[url]["loaded"]) == ([], [], None)
    for url in good:
        assert blocks[url]["article"]


def test_an_interrupted_call_resumes_and_leaves_the_old_files(tmp_path: Path, monkeypatch) -> None:
    archive_pages(tmp_path, shop("tea.example", 6))
    clean_crawl(tmp_path)
    expected = {name: (tmp_path / name).read_bytes() for name in ("clean.jsonl", "wisdom.jsonl")}

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(cleaning, "_write_lines", interrupt)
        with pytest.raises(KeyboardInterrupt):
            clean_crawl(tmp_path)
    assert {name: (tmp_path / name).read_bytes() for name in expected} == expected
    monkeypatch.setattr(cleaning, "run", partial(run, make_handler=_refuse_pages))  # all rows are there already
    reported: list[int] = []
    clean_crawl(tmp_path, progress=reported.append)
    assert {name: (tmp_path / name).read_bytes() for name in expected} == expected
    assert reported[-1] == 6


def _refuse_pages(_: ChildSettings) -> Callable[[Any], Any]:
    return _refuse_page


def _refuse_page(_: object) -> None:
    raise AssertionError("no page needs to be read again")


def test_pages_without_body_and_damaged_files_are_reported(tmp_path: Path) -> None:
    archive_pages(tmp_path, shop("tea.example", 6) | {"http://tea.example/empty": b""})
    with (tmp_path / "pages-00001.warc.gz").open("wb") as stream:
        stream.write((tmp_path / "pages-00000.warc.gz").read_bytes()[:-40])
    cleaned = clean_crawl(tmp_path)
    assert cleaned.lost == 1
    assert any("skipped: no body" in warning for warning in cleaned.warnings)
    assert any("pages-00001.warc.gz at " in warning for warning in cleaned.warnings)


def test_pages_without_a_proper_content_type_are_cleaned(tmp_path: Path) -> None:
    body = "<!doctype html><html>" + "".join(f"<p>{paragraph}</p>" for paragraph in article(1))
    archive = Archive(tmp_path, (-1, 0), agent="me/1")
    odd = [[("Content-Type", "text/html charset=utf-8")], [("Content-Encoding", "gzip")], []]
    for number, headers in enumerate(odd):
        data = gzip.compress(body.encode()) if number == 1 else body.encode()
        archive.write(Exchange(f"http://tea{number}.example/", [], 200, headers, data))
    archive.close()
    assert clean_crawl(tmp_path).statuses == {"ok": 3}


def test_what_cannot_be_cleaned_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="contains no pages"):
        clean_crawl(tmp_path)
    archive_pages(tmp_path, shop("tea.example", 1))
    with pytest.raises(ConfigError, match="style"):
        clean_crawl(tmp_path, method="site", style="body")
    with pytest.raises(ConfigError, match="Did you mean markdown"):
        clean_crawl(tmp_path, form="markdow")
    with pytest.raises(ConfigError, match="Did you mean article"):
        clean_crawl(tmp_path, style="articel")  # type: ignore[arg-type]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pages-00000.warc.gz"]
