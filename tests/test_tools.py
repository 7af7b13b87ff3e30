"""The adapters for scikit-learn, Scrapy and datatrove, and their examples, run as a user would."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.base.errors import ConfigError
from example_programs import EXAMPLES, assert_shows_usage
from made_sites import FOOTER, article, site

TEA = (EXAMPLES / "tea.html").read_bytes()


def example(name: str, *arguments: object) -> str:
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


class TestScikitLearn:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("sklearn", reason="the extra sklearn is not installed")

    def test_texts_are_those_of_clean(self) -> None:
        from dehusk.integrations.sklearn import HtmlCleaner

        pages = [TEA, TEA.decode(), b"", b"%PDF-1.4"]
        texts = HtmlCleaner().fit_transform(pages)
        assert (texts.shape, texts.dtype) == ((4,), np.dtype(object))
        assert texts.tolist() == [dehusk.clean(page).text for page in pages]
        assert HtmlCleaner().fit([]).transform([]).shape == (0,)

    def test_parameters_are_kept_cloned_and_used(self) -> None:
        from sklearn.base import clone
        from sklearn.exceptions import NotFittedError

        from dehusk.integrations.sklearn import HtmlCleaner

        cleaner = HtmlCleaner("united", style="whole", favour=1.0)
        assert cleaner.get_params() == {"method": "united", "style": "whole", "favour": 1.0, "site": None}
        other = clone(cleaner.fit([])).set_params(style="body", favour=0.1)
        with pytest.raises(NotFittedError):
            other.transform([TEA])
        assert cleaner.transform([TEA])[0] == dehusk.clean(TEA, style="whole", favour=1.0).text
        assert other.fit([]).transform([TEA])[0] == dehusk.clean(TEA, style="body", favour=0.1).text
        assert cleaner.transform([TEA])[0] != other.transform([TEA])[0]
        assert cleaner.get_feature_names_out().tolist() == ["text"]

    def test_a_site_is_learned_from_the_pages_or_given(self, tmp_path: Path) -> None:
        from dehusk.integrations.sklearn import HtmlCleaner

        pages = site(6)
        learned = HtmlCleaner("site", site="fit").fit(pages)
        model = dehusk.Site().fit(pages)
        model.save(tmp_path / "model")
        given = HtmlCleaner("site", site=tmp_path / "model").fit([])
        assert learned.transform(pages).tolist() == given.transform(pages).tolist()
        assert learned.transform(pages)[2].split() == " ".join(article(2)).split()
        assert learned.site_.pages == 6
        assert FOOTER in dehusk.clean(pages[2], method="keep-all").text

    def test_invalid_arguments_are_errors(self) -> None:
        from dehusk.integrations.sklearn import HtmlCleaner

        for wrong in (HtmlCleaner("nothing"), HtmlCleaner("site"), HtmlCleaner("victor", style="body")):
            with pytest.raises(ConfigError):
                wrong.fit([])
        for single in (TEA, TEA.decode()):
            with pytest.raises(TypeError, match="a list of pages, not one"):
                HtmlCleaner().fit([]).transform(single)

    def test_example(self) -> None:
        assert example("sklearn_pipeline.py").splitlines() == ["False True", "coffee"]


class TestScrapy:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("scrapy", reason="the extra crawl is not installed")

    @staticmethod
    def pipeline(**settings: object):
        from scrapy.settings import Settings

        from dehusk.integrations.scrapy import CleanPipeline

        return CleanPipeline(Settings({f"DEHUSK_{name}": value for name, value in settings.items()}))

    def test_items_get_text_and_status(self) -> None:
        from scrapy.http import HtmlResponse

        url = "https://tea.example/blog/"
        response = HtmlResponse(url, body=TEA, headers={"Content-Type": "text/html; charset=utf-8"})
        for page in (TEA, TEA.decode(), response):
            item = self.pipeline(FORMAT="markdown").process_item({"html": page, "url": url})
            assert item["text"] == dehusk.clean(TEA, url=url).markdown
            assert (item["status"], item["message"], item["html"]) == ("ok", "", page)
        bad = self.pipeline().process_item({"html": b"%PDF-1.4"})
        assert (bad["text"], bad["status"], bad["message"]) == ("", "not-html", "a PDF document")
        assert self.pipeline().process_item({"name": "no page"}) == {"name": "no page"}

    def test_field_names_are_configurable(self) -> None:
        @dataclass
        class Item:
            body: bytes
            clean: str = ""

        pipeline = self.pipeline(HTML_FIELD="body", TEXT_FIELD="clean", STATUS_FIELD="")
        assert pipeline.process_item(Item(TEA)).clean == dehusk.clean(TEA).text
        assert self.pipeline(KEEP_HTML=False).process_item({"html": TEA}).keys() == {"text", "status", "message"}

    def test_options_reach_the_method(self) -> None:
        item = self.pipeline(STYLE="whole", FAVOUR="1").process_item({"html": TEA})
        assert item["text"] == dehusk.clean(TEA, style="whole", favour=1.0).text != dehusk.clean(TEA).text

    def test_items_without_text_can_be_dropped_and_invalid_settings_are_errors(self) -> None:
        from scrapy.exceptions import DropItem, NotConfigured

        with pytest.raises(DropItem, match="not-html"):
            self.pipeline(DROP=True).process_item({"html": b"%PDF-1.4"})
        for wrong in ({"FORMAT": "pdf"}, {"METHOD": "nothing"}, {"FAVOUR": "much"}):
            with pytest.raises(NotConfigured):
                self.pipeline(**wrong)

    def test_example(self) -> None:
        from webserver import serving

        with serving({"/": TEA.decode()}) as local:
            item = json.loads(example("scrapy_spider.py", local.url))
            assert item == {
                "url": local.url,
                "text": dehusk.clean(TEA, url=local.url).markdown,
                "status": "ok",
                "message": "",
            }


class TestDatatrove:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("datatrove", reason="the extra datatrove is not installed")

    def test_text_equals_that_of_clean_whatever_the_page_contains(self) -> None:
        from dehusk.integrations.datatrove import Dehusk

        step = Dehusk(form="markdown", style="body")
        assert step.extract(TEA.decode()) == dehusk.clean(TEA.decode(), style="body").markdown
        for strange in ("", "\0\1\2" * 100, "<" * 5000, "<b>" * 5000, "\ud800"):
            assert isinstance(step.extract(strange), str)
        with pytest.raises(ConfigError):
            Dehusk(method="nothing")
        with pytest.raises(ConfigError, match=r"unknown format 'pdf'\. Known: text, markdown"):
            Dehusk(form="pdf")

    def test_example(self, tmp_path: Path) -> None:
        assert_shows_usage("datatrove_pipeline.py")
        rows = [{"id": "tea", "text": TEA.decode()}, {"id": "void", "text": ""}, {"id": "two", "text": TEA.decode()}]
        (tmp_path / "pages.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        example("datatrove_pipeline.py", tmp_path / "pages.jsonl", tmp_path)
        (written,) = (tmp_path / "clean").iterdir()
        records = [json.loads(line) for line in written.read_text("utf-8").splitlines()]
        assert [row["id"] for row in records] == ["tea", "two"]
        assert {row["text"] for row in records} == {dehusk.clean(TEA.decode()).text}
