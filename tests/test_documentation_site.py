"""The documentation as a site: it is complete, its links lead somewhere, and it loads nothing from another host.

With it is a demo of the studio, which works without one.
"""

import os
import posixpath
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import click
import pytest
import yaml
from lxml import html
from markdown_it import MarkdownIt

import dehusk
from dehusk.cli import command
from dehusk.label.victor.config import _SECTIONS
from studio_server import Window, browser, window

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("mkdocs", reason="the extra docs is not installed")

__all__ = ["browser"]
ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
FROM_CODE = {"reference/api.md", "reference/commands.md"}
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
STRUCTURE = {
    "li",
    "pre",
    "table",
    "tr",
    "td",
    "h1",
    "h2",
    "h3",
    "h4",
    "blockquote",
    "ul",
    "ol",
    "strong",
    "em",
    "a",
    "img",
}
REFERENCES = {"command-line.md", "results.md"}
TOO_LONG = {"rubric.md"}
LOADING = {"audio", "embed", "iframe", "img", "input", "link", "object", "script", "source", "track", "video"}


@dataclass(frozen=True)
class Site:
    """What `mkdocs build` wrote."""

    folder: Path
    said: str

    def pages(self) -> dict[str, html.HtmlElement]:
        """Each page by its place in the site, without the demo."""
        places = [path.relative_to(self.folder) for path in sorted(self.folder.rglob("*.html"))]
        return {
            place.as_posix(): html.document_fromstring((self.folder / place).read_text("utf-8"))
            for place in places
            if place.parts[0] != "demo"
        }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return Site(folder, done.stdout + done.stderr)


def nav_pages(entry: object) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    parts = entry.values() if isinstance(entry, dict) else entry
    assert isinstance(parts, list | type({}.values()))
    return [page for part in parts for page in nav_pages(part)]


def test_every_page_is_in_the_navigation_once() -> None:
    text = re.sub(r"!!python/\S+ ", "", (ROOT / "mkdocs.yml").read_text("utf-8"))
    assert Counter(nav_pages(yaml.safe_load(text)["nav"])) == Counter(f"docs/{page}" for page in PAGES)


def test_it_is_built_without_a_warning(site: Site) -> None:
    assert not re.findall(r"^(?:WARNING|ERROR).*", site.said, re.MULTILINE)


def test_every_link_leads_to_a_page_and_an_anchor(site: Site) -> None:
    pages = site.pages()
    anchors = {place: {*page.xpath("//@id"), *page.xpath("//a/@name"), ""} for place, page in pages.items()}
    broken, count = [], 0
    for place, page in pages.items():
        if place == "404.html":
            continue  # its links start with the address of the site, which is not known
        for link in page.xpath("//@href | //@src"):
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            count += 1
            target = posixpath.normpath(posixpath.join(posixpath.dirname(place), unquote(address.path)))
            target = place if not address.path else target
            there = (site.folder / target).is_file() or (site.folder / target / "index.html").is_file()
            if not there or (address.fragment and unquote(address.fragment) not in anchors.get(target, ())):
                broken.append((place, link))
    assert not broken
    assert count > 5_000


def test_nothing_is_loaded_from_another_host(site: Site) -> None:
    for place, page in site.pages().items():
        loaded = [
            value
            for element in page.iter(*LOADING)
            for name, value in element.attrib.items()
            if name in ("src", "href", "srcset", "data") and element.get("rel") not in ("canonical", "prev", "next")
        ]
        assert loaded
        assert not [value for value in loaded if "//" in value.removeprefix("data:")], place
        assert not page.xpath("//*[contains(@class, 'mermaid')] | //*[@data-md-component='source']"), place
    for sheet in site.folder.rglob("*.css"):
        assert not re.findall(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", sheet.read_text("utf-8")), sheet


def test_pages_are_as_on_github(site: Site) -> None:
    """The site's Markdown is not GitHub's; both have the same lists, tables, code, headings and links."""
    github = MarkdownIt("gfm-like", {"linkify": False})
    for name in sorted(set(PAGES) - FROM_CODE):
        source = github.render(FRONT_MATTER.sub("", (DOCS / name).read_text("utf-8")))
        page = html.document_fromstring((site.folder / name).with_suffix(".html").read_text("utf-8"))
        (article,) = page.xpath("//article")
        for added in article.xpath(".//a[contains(@class, 'headerlink')]"):
            added.drop_tree()
        for added in article.xpath(".//a[contains(@href, 'demo/index.html')]"):
            added.drop_tag()
        expected, found = (
            Counter(element.tag for element in tree.iter(*STRUCTURE))
            for tree in (html.fragment_fromstring(source, create_parent="div"), article)
        )
        assert found == expected, name


def test_every_page_has_a_twin_in_markdown(site: Site) -> None:
    places = [Path(place) for place in site.pages() if place != "404.html"]
    assert len(places) > len(PAGES)
    for place in places:
        twin = (site.folder / place).with_suffix(".md")
        assert twin.read_text("utf-8").startswith(("# ", "<!--")), place
        for link in re.findall(r"\]\((?!/|[a-z]+:)([^)#\s]+\.md)(?=[#)])", twin.read_text("utf-8")):
            assert (twin.parent / link).is_file(), (place, link)


def test_llms_txt_lists_the_pages_with_what_they_say(site: Site) -> None:
    text = (site.folder / "llms.txt").read_text("utf-8")
    assert text.startswith("# dehusk\n\n> ")
    lines = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): (.+)$", text, re.MULTILINE)
    assert sorted(place for place, _ in lines) == PAGES
    assert all(10 < len(said) < 400 for _, said in lines)


def test_the_reference_has_every_name(site: Site) -> None:
    page = html.document_fromstring((site.folder / "reference" / "api.html").read_text("utf-8"))
    documented = {anchor.rpartition(".")[2] for anchor in page.xpath("//h3/@id") if anchor.startswith("dehusk.")}
    assert documented == set(dehusk.__all__)
    twin = (site.folder / "reference" / "api.md").read_text("utf-8")
    assert "favour: float | None = None" in twin
    assert "The document; its `status` tells how the page was processed." in twin


def commands(context: click.Context) -> Iterator[click.Context]:
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            part = context.command.get_command(context, name)
            assert part is not None
            yield from commands(click.Context(part, info_name=name, parent=context))


def test_the_reference_has_every_command_with_its_options(site: Site) -> None:
    twin = (site.folder / "reference" / "commands.md").read_text("utf-8")
    sections = dict(re.findall(r"^## (dehusk[^\n]*)\n\n```text\n(.*?)^```$", twin, re.DOTALL | re.MULTILINE))
    found = list(commands(click.Context(command, info_name="dehusk")))
    assert list(sections) == [context.command_path for context in found]
    for context in found:
        options = [option for option in context.command.get_params(context) if isinstance(option, click.Option)]
        shown = [name for option in options if not option.hidden for name in option.opts if name.startswith("--")]
        assert not [name for name in shown if name not in sections[context.command_path]], context.command_path


def test_the_page_of_the_configuration_has_every_key() -> None:
    text = (DOCS / "configuration.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", text, re.MULTILINE)
    assert {section for row in rows for section in re.findall(r"`([a-z-]+)\.", row)} == set(_SECTIONS)
    fixed = [f"`{section}.{key}" for section, keys in _SECTIONS.items() for key in keys or ()]
    assert not [key for key in fixed if key not in text]


def words_shown(page: str) -> int:
    """Count the words that a reader sees, without the tables that `bench/result_tables.py` fills from reports."""
    text = re.sub(r"<!-- from [^\n]+ -->\n.*?<!-- end -->", "", (DOCS / page).read_text("utf-8"), flags=re.DOTALL)
    shown = MarkdownIt("gfm-like", {"linkify": False}).render(FRONT_MATTER.sub("", text))
    return len(html.fragment_fromstring(shown, create_parent="div").text_content().split())


def test_no_page_is_longer_than_a_reader_has_patience() -> None:
    """References are looked up, not read; of the other pages that are too long, the list may only shrink."""
    assert {page for page in PAGES if words_shown(page) > 1_500} == REFERENCES | TOO_LONG


@contextmanager
def static_files(folder: Path) -> Iterator[str]:
    """Offer a folder as any web server does; yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_browser_asks_no_other_host_and_finds_a_word(site: Site, browser) -> None:
    with static_files(site.folder) as address:
        for width, dark in ((1280, False), (390, True)):
            with window(browser, width=width, dark=dark) as shown:
                for place in ("index.html", "results.html", "reference/api.html", "bench/results/unseen.html"):
                    shown.page.goto(f"{address}/{place}", wait_until="networkidle")
                    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), place
                if width > 1_000:
                    shown.page.locator("input.md-search__input").press_sequentially("paywall")  # it listens to keys
                    shown.page.locator(".md-search-result__link[href*='warnings.html']").first.wait_for()


# ---------------------------------------------------------------- demo

TEA = 6  # pages of tea.example
PAGES_OF_DEMO = 20
AGAIN = 3
"""Pages that are recorded by themselves once more, in a process with other hashes; all else is, too."""


def test_the_demo_is_linked_and_of_the_same_bytes_each_time(site: Site, tmp_path: Path) -> None:
    for place in ("index.html", "studio.html"):
        assert site.pages()[place].xpath("//article//a[@href='demo/index.html']"), place
    command = [sys.executable, "building/studio_demo.py", tmp_path / "again", str(AGAIN)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=300)
    first, second = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (site.folder / "demo", tmp_path / "again")
    )
    left_out = {path for path in first if re.fullmatch(r"(page|overlay|frame)-\d+\.(html|json)", path.name)} - {*second}
    assert len(left_out) == 4 * (PAGES_OF_DEMO - AGAIN)
    assert {path: data for path, data in first.items() if path not in left_out} == second
    written = b"".join(data for path, data in first.items() if path.suffix in (".html", ".json"))
    assert not [place for place in (str(ROOT), str(tmp_path), "/tmp/") if place.encode() in written]  # noqa: S108
    for path in (ROOT / "src/dehusk/studio/static").iterdir():
        assert first[Path("static", path.name)] == path.read_bytes(), "the front end is the studio's own"


def test_the_list_of_the_demo_filters_sorts_and_searches(site: Site, browser) -> None:
    with static_files(site.folder) as address, window(browser) as shown:
        page = open_demo(shown, address, "")
        page.locator("#count", has_text=f"{PAGES_OF_DEMO} pages").wait_for()
        page.locator("label", has_text="tea.example").first.click()
        page.locator("#count", has_text=f"{TEA} of {PAGES_OF_DEMO} pages").wait_for()
        assert {box.inner_text() for box in page.locator("#rows .host").all()} == {"tea.example"}
        page.locator("#search").fill("matcha lum")
        page.locator("#count", has_text="1 of 20 pages").wait_for()
        page.locator("#chips .plain").click()
        page.locator('[data-sort="words"]').click()
        page.wait_for_function("document.querySelector('#rows .row').dataset.number === '0'")
        page.wait_for_timeout(200)
        words = [int(cell.inner_text()) for cell in page.locator("#rows .words").all()]
        assert words == sorted(words)


def test_pages_of_the_demo_give_reasons_and_keep_labels(site: Site, browser) -> None:
    with static_files(site.folder) as address, window(browser) as shown:
        page = open_demo(shown, address, "page-1.html")
        page.locator("#page[data-ready]").wait_for()
        assert "stays" not in page.locator("#outcome").inner_text()
        assert page.frame_locator("#frame").locator("dh-b[data-m=keep]").count() > 3
        page.keyboard.press("j")
        page.locator("#details .why").wait_for()
        page.locator("#tab-compare").click()
        page.locator("#diff-facts", has_text="words in both").wait_for()
        page.locator("#tab-text").click()
        page.keyboard.press(".")
        page.locator("output[name=shown]", has_text="0.55").wait_for()
        page.keyboard.press("m")
        page.locator("#correct:not([hidden])").wait_for()
        page.keyboard.press("p")
        page.locator("#label-count", has_text="1 of").wait_for()
        page.reload()
        page.locator("#label-count", has_text="1 of").wait_for()
        page.keyboard.press("u")
        page.locator("#label-count", has_text="0 of").wait_for()
        page.locator("#make-rule").click()
        page.locator("#toast", has_text="This is a demo").wait_for()
        page.keyboard.press("]")
        page.wait_for_url("**/page-2.html*")


def test_every_view_of_the_demo_shows_something_and_refuses_in_a_sentence(site: Site, browser) -> None:
    shows = {
        "rules.html": ".selector",
        "train.html": "#next li a",
        "sites.html": "table td",
        "report.html": "#methods td",
        "agreement.html": "h1",
        **{f"site-tea.example.html?view={name}": "#legend .key" for name in ("template", "structure", "information")},
    }
    with static_files(site.folder) as address, window(browser, dark=True) as shown:
        for place, part in shows.items():
            page = open_demo(shown, address, place)
            page.locator(part).first.wait_for()
            assert page.locator("#toast").inner_text() == "", place
        page = open_demo(shown, address, "")
        page.keyboard.press("A")
        page.locator("#add [name=address]").fill("https://tea.example/")
        page.locator("#add .primary").click()
        page.locator("#add [role=status]", has_text="This is a demo").wait_for()
        page.locator("#add .close").click()
        page.locator("#copy").click()
        page.locator("#toast", has_text="This is a demo").wait_for()


def open_demo(shown: Window, address: str, place: str) -> "Page":
    """Open a view of the demo, in which no request may fail."""
    shown.page.on("response", lambda answer: answer.status < 400 or shown.complaints.append(answer.url))
    shown.page.goto(f"{address}/demo/{place}", wait_until="networkidle")
    shown.page.locator(".demo", has_text="your labels stay in this browser").wait_for()
    return shown.page
