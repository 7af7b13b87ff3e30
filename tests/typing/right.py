"""Right uses of the public interface: type checkers accept every line."""

from collections.abc import Sequence
from pathlib import Path
from typing import assert_type

import numpy as np

import dehusk
from dehusk.label import PageMethod
from dehusk.many.corpus import CorpusJob, CorpusSummary, run
from dehusk.many.crawl import CrawlPlan, CrawlSummary, FetchedPage, crawl, fetch
from dehusk.many.files.inputs import find_inputs

PAGES: Sequence[bytes] = [b"<p>green tea", b"<p>black tea"]

document = dehusk.clean(b"<p>tea")
dehusk.clean("<p>tea", url="https://tea.example/", headers={"Content-Type": "text/html"})
dehusk.clean(Path("page.html"), style="article", favour=0.7, explain=True, rules="rules.toml")
dehusk.clean(b"<p>tea", method="victor", model="web", config="web")
dehusk.clean(b"<p>tea", limits=dehusk.Limits(seconds=5), rules=dehusk.Rules.load("rules.toml"))
dehusk.clean(b"<p>tea", method="wisdom", site="tea.site", options={"rule": "df"})
dehusk.clean_file("page.html", style="body", explain=True)
dehusk.clean_file(Path("page.html"), url="https://tea.example/")
dehusk.clean_url("https://tea.example/", plan=CrawlPlan(timeout=5), style="comments")

assert_type(document, dehusk.Document)
assert_type(document.status, dehusk.Status)
assert_type(document.text, str)
assert_type(document.markdown, str)
assert_type(document.confidence, float)
assert_type(document.render("html"), str)
assert_type(document.metadata.title, str | None)
for block in document.blocks:
    assert_type(block.text, str)
    assert_type(block.probability, float)
    assert_type(block.kept, bool)
    assert_type(block.reason, str | None)
    assert_type(block.span, tuple[int, int])

site = dehusk.Site(by="domain", mixed=True, structure=False).fit(PAGES)
assert_type(site, dehusk.Site)
assert_type(site.add(PAGES[0], url="https://tea.example/"), dehusk.Site)
assert_type(site.merge(dehusk.Site.load("other.site")), dehusk.Site)
site.save("tea.site", complete=True)
dehusk.clean(b"<p>tea", site=site)

method = dehusk.load_method("united", site=site, style="whole", favour=0.2)
assert_type(method, PageMethod)
dehusk.clean(b"<p>tea", method=method)
page = dehusk.parse(b"<p>tea", "https://tea.example/")
assert_type(page, dehusk.Page)
blocks = method.segment(page)
assert_type(blocks, dehusk.Blocks)
assert_type(method.label(blocks, explain=True), dehusk.Labels)
assert_type(int(np.count_nonzero(method.label(blocks).kept)), int)

assert_type(dehusk.Wisdom().fit(PAGES), dehusk.Wisdom)
assert_type(dehusk.CompressedStructureTree().fit(PAGES), dehusk.CompressedStructureTree)
assert_type(dehusk.Victor(dehusk.load_config("web")), dehusk.Victor)

assert_type(run(CorpusJob(method="united", by="host"), find_inputs(["crawl/"]), Path("out"), workers=2), CorpusSummary)
assert_type(crawl("https://tea.example/", "job", plan=CrawlPlan(pages=20, minutes=2.5)), CrawlSummary)
assert_type(crawl(["https://tea.example/a", "https://tea.example/b"], Path("job")), CrawlSummary)
assert_type(fetch("https://tea.example/"), FetchedPage)
