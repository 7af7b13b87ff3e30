"""The site of the documentation: what MkDocs does not do by itself.

Pages link to files of the repository as on GitHub: `../bench/results/unseen.md`. So each page is named by its place in
the repository, and files outside `docs/` that a page links to are part of the site. Every page has a twin in Markdown
beside it, and `llms.txt` lists those of `docs/`. The site has a demo of the studio in `demo/`, which the repository has
not: where a page names that folder, the site links to it.
"""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page
from studio_demo import make_demo

from dehusk import clean
from dehusk.cli import command

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<=\]\()(?!/|[a-z]+:)(?P<path>[^)#\s]+)")
"""The path of a link or picture to another file."""
SENTENCE_END = re.compile(r"(?<=[\w)`*\"][.:]) (?=[A-Z`*\[]|dehusk )")
OBJECT = re.compile(r"^::: dehusk", re.MULTILINE)
"""mkdocstrings puts what the code documents in place of such a line."""
COMMANDS = re.compile(r"^::: commands$", re.MULTILINE)
"""The help of all commands comes in place of this line."""
HELP_WIDTH = 88
DEMO = "<code>demo/</code>"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Name the files of `docs/` by their place in the repository, and add the files that pages link to."""
    own = [file for file in files if file.src_dir == config.docs_dir]
    for file in own:
        files.remove(file)
    places = [f"docs/{file.src_uri}" for file in own]
    for place in places:  # grows
        file = File(place, str(ROOT), config.site_dir, config.use_directory_urls, dest_uri=_address(place))
        if not place.startswith("docs/"):
            file.inclusion = InclusionLevel.NOT_IN_NAV
        files.append(file)
        if file.is_documentation_page():
            places += sorted(set(_linked(place, file.content_string)) - set(places))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Describe the page by its first sentence, and show the help of commands."""
    page.meta.setdefault("description", _first_sentence(markdown))
    return COMMANDS.sub(lambda _: "\n".join(_helps(click.Context(command, info_name="dehusk"))), markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Write the twin in Markdown; dehusk itself makes it where the text comes from the code."""
    text = page.markdown or ""
    if OBJECT.search(text):
        text = clean(f"<main>{html}</main>", method="keep-all").markdown
    path = Path(config.site_dir, _twin(page.url))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LINK.sub(lambda link: _moved(link["path"], page.file.src_uri), text), "utf-8")
    return html.replace(DEMO, f'<a href="{"../" * page.url.count("/")}demo/index.html">{DEMO}</a>')


def on_post_build(config: MkDocsConfig) -> None:
    """Record the demo of the studio."""
    make_demo(Path(config.site_dir, "demo"))


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Navigation) -> dict[str, Any]:
    """Write `llms.txt` with the front page, when the titles of all pages are known."""
    if page.is_homepage:
        lists = {"": [item for item in nav.items if isinstance(item, Page)]}
        lists |= {item.title: _pages(item) for item in nav.items if isinstance(item, Section)}
        parts = [f"# {config.site_name}\n\n> {config.site_description}\n"]
        for title, pages in lists.items():
            parts += [f"\n## {title}\n" if title else "", *map(_line, pages)]
        Path(config.site_dir, "llms.txt").write_text("\n".join(parts) + "\n", "utf-8")
    return context


def _helps(context: click.Context) -> Iterator[str]:
    context.terminal_width = HELP_WIDTH
    group = context.command
    yield f"## {context.command_path}\n\n```text\n{group.get_help(context)}\n```\n"
    if isinstance(group, click.Group):
        for name in group.list_commands(context):
            if part := group.get_command(context, name):
                yield from _helps(click.Context(part, info_name=name, parent=context))


def _address(place: str) -> str:
    return re.sub(r"\.md$", ".html", place.removeprefix("docs/"))


def _twin(address: str) -> str:
    return re.sub(r"\.html$", ".md", address)


def _linked(place: str, markdown: str) -> list[str]:
    targets = [posixpath.normpath(posixpath.join(posixpath.dirname(place), path)) for path in LINK.findall(markdown)]
    return [target for target in targets if (ROOT / target).is_file()]


def _moved(path: str, place: str) -> str:
    """Return a link for the twin of the page at a place: the site has no folder `docs`."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
    if not (ROOT / target).is_file():
        return path
    return posixpath.relpath(target.removeprefix("docs/"), posixpath.dirname(place.removeprefix("docs/")) or ".")


def _first_sentence(markdown: str) -> str:
    paragraphs = [part for part in re.split(r"\n\s*\n", markdown) if re.match(r"[*\[`]?\w", part)]
    text = " ".join(paragraphs[0].split()) if paragraphs else ""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`]", r"\1", SENTENCE_END.split(text, maxsplit=1)[0])


def _pages(section: Section) -> list[Page]:
    nested = [_pages(item) if isinstance(item, Section) else [item] for item in section.children]
    return [page for pages in nested for page in pages if isinstance(page, Page)]


def _line(page: Page) -> str:
    return f"- [{page.title}]({_twin(page.url)}): {page.meta['description']}"
