"""How each published archive, or file of JSON Lines, holds its pages, gold texts and facts.

A layout says which files of an archive it wants, and gives the pages found among them. Where the published form does
not say which gold text is meant (with or without the line of its address, one of several versions), it gives each as a
`Truth`, and the manifest's hashes decide.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import PurePosixPath
from typing import Any

from dehusk.lab.sets.archives import Files

Fields = Mapping[str, Any]
_UNREAD = re.compile(rb"<script.*?</script>|<style.*?</style>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(rb"<[^>]*>")
_OTHER = re.compile(r"[\W_]+")
_IDENTIFIER = re.compile(r"[\w-]+")
_SELECTED = re.compile(r"""\s+cc-select\s*=\s*(?:"[^"]*"|'[^']*')""")
_SELECTED_CLASS = re.compile(r"""(\bclass\s*=\s*["'][^"'<>]*?)\s*\bmark-selected\b""")
_ADDRESS = re.compile(rb"\A\s*URL:[^\n]*\n")


@dataclass(frozen=True)
class Truth:
    """One way to read what is published about a page."""

    gold: bytes | None = None
    fields: Fields | None = None
    """What its row says besides the manifest's fields: facts, attributes, snippets."""


@dataclass(frozen=True)
class FoundPage:
    """A page of an archive."""

    html: bytes
    truths: tuple[Truth, ...]
    """At least one, the likeliest first."""
    id: str = ""
    """Its identifier, where the set has no manifest that gives it one."""


@dataclass(frozen=True)
class ArchiveLayout:
    """The layout of a published archive."""

    wanted: re.Pattern[str]
    """Matches the whole path of each file that is wanted, a final .gz included."""
    pages: Callable[[Files], Iterator[FoundPage]]


def _wcxb(files: Files) -> Iterator[FoundPage]:
    for path, html in _ending(files, ".html"):
        truth = json.loads(files[f"dev/ground-truth/{PurePosixPath(path).stem}.json"])["ground_truth"]
        fields = {"with": truth.get("with", []), "without": truth.get("without", [])}
        yield FoundPage(html, (Truth(truth["main_content"].encode(), fields),))


def _scrapinghub(files: Files) -> Iterator[FoundPage]:
    truth = json.loads(files["ground-truth.json"])
    for path, html in _ending(files, ".html"):
        yield FoundPage(html, (Truth(truth[PurePosixPath(path).stem]["articleBody"].encode()),))


def _products(files: Files) -> Iterator[FoundPage]:
    truth = json.loads(files["dataset/ground-truth.json"])
    for path, html in _ending(files, ".html"):
        yield FoundPage(html, (Truth(fields={"attributes": truth[PurePosixPath(path).stem]}),))


def _fundus(files: Files) -> Iterator[FoundPage]:
    for path, html in _ending(files, ".html"):
        publisher = re.sub(r"(_\d+)+\.html\Z", "", path)
        versions = json.loads(files.get(f"{publisher}.json", b"{}"))
        truths = [_fundus_truth(version) for version in reversed(list(versions.values()))]
        yield FoundPage(html, tuple(truths) or (Truth(),))


def _fundus_truth(version: Fields) -> Truth:
    body = version.get("body") or {}
    lines = [version.get("title") or "", *body.get("summary", [])]
    for section in body.get("sections", []):
        lines += [*section.get("headline", []), *section.get("paragraphs", [])]
    meta = {key: version[key] for key in ("title", "authors", "publishing_date", "topics") if key in version}
    return Truth("\n".join(filter(None, lines)).encode(), {"meta": meta})


def _recipes(files: Files) -> Iterator[FoundPage]:
    for path, html in _ending(files, ".testhtml"):
        recipe = json.loads(files.get(f"{path.removesuffix('.testhtml')}.json", b"{}"))
        stated = [recipe.get("title"), *recipe.get("ingredients", []), *recipe.get("instructions_list", [])]
        yield FoundPage(html, _fact_truths(html, stated))


def _courts(files: Files) -> Iterator[FoundPage]:
    for path, html in _ending(files, ".html"):
        cases = json.loads(files.get(f"{path.removesuffix('.html')}.compare.json", b"[]"))
        stated = [case.get(key) for case in cases for key in ("case_names", "docket_numbers")]
        yield FoundPage(html, _fact_truths(html, stated))


def _magic(kind: str) -> Callable[[Files], Iterator[FoundPage]]:
    def pages(files: Files) -> Iterator[FoundPage]:
        truth = json.loads(files[f"benchmark/data/{kind}/base.json"])
        for path, html in _ending(files, ".html"):
            if text := truth.get(PurePosixPath(path).stem, {}).get("content"):
                yield FoundPage(html, (Truth(text.encode()),))

    return pages


def _daniel(files: Files) -> Iterator[FoundPage]:
    for path, text in files.items():
        if path.startswith("Corpus_daniel_v2.0/reference/"):
            page = path.replace("/reference/", "/html/")
            if page in files:
                yield FoundPage(files[page], (Truth(text),))


def _tagged(folder: str, gold_folder: str) -> Callable[[Files], Iterator[FoundPage]]:
    """Return a reader of CLEANEVAL's layout, in which some texts begin with the page's address."""

    def pages(files: Files) -> Iterator[FoundPage]:
        for path, html in _ending(files, ".html"):
            gold = files.get(path.replace(f"/{folder}/", f"/{gold_folder}/").removesuffix(".html") + ".txt")
            if gold is not None:
                texts = dict.fromkeys((_ADDRESS.sub(b"", gold), gold, _utf8(_ADDRESS.sub(b"", gold)), _utf8(gold)))
                yield FoundPage(html, tuple(Truth(text) for text in texts))

    return pages


def _utf8(text: bytes) -> bytes:
    """Return a text in UTF-8 that is published in Windows-1252."""
    try:
        return text.decode("utf-8").encode()
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace").encode()


def _dragnet(files: Files) -> Iterator[FoundPage]:
    for path, html in files.items():
        gold = files.get(f"dragnet/corrected/Corrected/{PurePosixPath(path).name}.corrected.txt")
        if gold is not None:
            yield FoundPage(html, tuple(Truth(text) for text in dict.fromkeys((gold, _utf8(gold)))))


def _big9(files: Files) -> Iterator[FoundPage]:
    texts: dict[tuple[str, str], list[bytes]] = {}
    for path, text in files.items():
        if path.endswith(".txt"):
            where = PurePosixPath(path)
            texts.setdefault((where.parts[1], where.stem), []).append(text)
    for path, html in _ending(files, (".htm", ".html")):
        where = PurePosixPath(path)
        golds = texts.get((where.parts[1], where.stem), [])
        truths = dict.fromkeys(version for gold in golds for version in (gold, _utf8(gold)))
        yield FoundPage(html, tuple(Truth(text) for text in truths) or (Truth(),))


def _city(files: Files) -> Iterator[FoundPage]:
    for html in files.values():
        yield FoundPage(html, (Truth(),))


def _webmainbench(row: Fields) -> FoundPage:
    """Return a page of WebMainBench, without the annotators' marks, in UTF-8 whatever its markup declares.

    The gold text is the Markdown that was converted from the marked elements, which all pages have; the one that people
    corrected on some pages is the field `calibrated`.
    """
    page_id = str(row["track_id"] if "track_id" in row else row["id"])
    if not _IDENTIFIER.fullmatch(page_id):
        raise ValueError(f"{page_id!r} cannot name a file")
    meta = row.get("meta") or {}
    said = {
        "url": row.get("url"),
        "type": meta.get("style", row.get("content_type")),
        "language": meta.get("language", row.get("language")),
        **{key: meta.get(key) for key in ("level", "table", "code", "equation")},
        "calibrated": row.get("groundtruth_content"),
    }
    gold = row.get("convert_main_content")
    html = _SELECTED_CLASS.sub(r"\1", _SELECTED.sub("", row["html"]))
    truth = Truth(None if gold is None else gold.encode(), {key: said[key] for key in said if said[key]})
    return FoundPage(html.encode("utf-8-sig", "replace"), (truth,), page_id)


def _ending(files: Files, ending: str | tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    return ((path, data) for path, data in files.items() if path.endswith(ending))


def _fact_truths(html: bytes, stated: Iterable[str | None]) -> tuple[Truth, ...]:
    """Return the distinct facts that are on the page, by their letters and digits, or else all of them."""
    facts = list(dict.fromkeys(filter(None, stated)))
    text = _letters(unescape(_TAG.sub(b"", _UNREAD.sub(b"", html)).decode("utf-8", "replace")))
    on_page = [fact for fact in facts if _letters(fact) in text]
    return Truth(fields={"facts": on_page}), Truth(fields={"facts": facts})


def _letters(text: str) -> str:
    return _OTHER.sub("", text).lower()


LAYOUTS: Mapping[str, ArchiveLayout] = {
    "wcxb": ArchiveLayout(re.compile(r"dev/(html/\w+\.html\.gz|ground-truth/\w+\.json)"), _wcxb),
    "scrapinghub": ArchiveLayout(re.compile(r"html/\w+\.html\.gz|ground-truth\.json"), _scrapinghub),
    "products": ArchiveLayout(re.compile(r"dataset/(html/\w+\.html\.gz|ground-truth\.json)"), _products),
    "fundus": ArchiveLayout(re.compile(r"tests/resources/parser/test_data/\w+/\w+\.(html\.gz|json)"), _fundus),
    "recipes": ArchiveLayout(re.compile(r"tests/test_data/.+\.(testhtml|json)"), _recipes),
    "courts": ArchiveLayout(re.compile(r"tests/examples/opinions/.+\.(html|compare\.json)"), _courts),
    "magic_article": ArchiveLayout(
        re.compile(r"benchmark/data/article/(htmls/\w+\.html|base\.json)"), _magic("article")
    ),
    "magic_forum": ArchiveLayout(re.compile(r"benchmark/data/forum/(htmls/\w+\.html|base\.json)"), _magic("forum")),
    "daniel": ArchiveLayout(re.compile(r"Corpus_daniel_v2\.0/(html|reference)/.+"), _daniel),
    "cleaneval": ArchiveLayout(re.compile(r"cleaneval/(orig|clean)/.+"), _tagged("orig", "clean")),
    "cleanportaleval": ArchiveLayout(
        re.compile(r"cleanportaleval/(input|GoldStandard)/.+"), _tagged("input", "GoldStandard")
    ),
    "dragnet": ArchiveLayout(re.compile(r"dragnet/(HTML|corrected/Corrected)/.+"), _dragnet),
    "big9": ArchiveLayout(re.compile(r"Extraction/.+\.(html?|txt)"), _big9),
    "city": ArchiveLayout(re.compile(r"tests/files/.+\.html"), _city),
}
"""Name in the catalogue -> layout."""

LINE_LAYOUTS: Mapping[str, Callable[[Fields], FoundPage]] = {"webmainbench": _webmainbench}
"""Name in the catalogue -> reader of a line of a file of JSON Lines, for sets without a manifest."""
