"""What the fuzzer calls: each function takes any bytes and raises if dehusk breaks a promise of docs/robustness.md.

`tests/test_fuzz.py` calls them with the seeds, so they need no fuzzer.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import copytree
from typing import Any

import dehusk
from dehusk.base.store import CARD_FILES
from dehusk.blocks.annotation import Annotation, text_digest
from dehusk.label.features.configuration import ConfigReader
from dehusk.label.victor.config import parse_config
from dehusk.many.files.bodies import decode_body
from dehusk.many.files.inputs import Input, read_at, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.read import parse
from dehusk.read.page import digest
from dehusk.sites.alternation import Alternation
from dehusk.write import WRITERS
from dehusk.write.bounds import largest

LIMIT = 20_000
"""Bytes that the readers of files return of a page."""
PAGE = (
    b"<html lang=en><title>Tea</title><nav><a href=/>Home</a></nav><article><h1>Tea</h1>"
    b"<p class=lead>Green tea turns bitter if the water is too hot, or if the leaves stay in it for too long.</p>"
    b"<ul><li>Sencha<li>Gyokuro</ul><table><tr><td>1<td>2</table></article><footer>Imprint</footer>"
)
METHODS: tuple[str | None, ...] = (None, "keep-all", "victor", None)
ENCODINGS = ("gzip", "deflate", "br", "zstd", "gzip, gzip", "", "x-gzip, br", "unknown")


def page(data: bytes) -> None:
    """Clean a page and write it in every format; the last byte chooses how."""
    choice = data[-1] if data else 0
    doc = dehusk.clean(
        data,
        url="https://tea.example/blog/page.html" if choice & 4 else None,
        method=METHODS[choice % len(METHODS)],
        explain=bool(choice & 8),
        hidden="keep" if choice & 16 else "drop",
    )
    assert doc.status is not dehusk.Status.ERROR, doc.message
    doc.page.validate()
    for writer in WRITERS:
        output = doc.render(writer.name)
        output.encode()
        assert choice & 8 or len(output) <= largest(writer.name, doc.labels), writer.name
    doc.render("markdown", title="always", links="footnotes", posts="quotes", front_matter="yaml").encode()
    assert choice & 8 or len(doc.overlay) <= largest("overlay", doc.labels)
    json.dumps(doc.record(evidence=True), allow_nan=False).encode()
    for piece in doc.chunks(max_words=20):
        piece.markdown.encode()
    assert len(doc.units) >= 0
    assert len(doc.posts) >= 0


def warc(data: bytes) -> None:
    """Read a WARC file, of any compression."""
    _read_file(data, "warc", "x.warc")


def table(data: bytes) -> None:
    """Read Parquet or JSON Lines, by the first bytes."""
    name, file = ("parquet", "x.parquet") if data.startswith(b"PAR1") else ("lines", "x.jsonl")
    _read_file(data, name, file)


def archive(data: bytes) -> None:
    """Read a zip or tar archive, by the first bytes."""
    name, file = ("zip", "x.zip") if data.startswith(b"PK") else ("tar", "x.tar")
    _read_file(data, name, file)


def body(data: bytes) -> None:
    """Undo the encodings of a response; the first byte chooses which."""
    if not data:
        return
    headers = {"content-encoding": ENCODINGS[data[0] % len(ENCODINGS)]}
    if data[0] & 64:
        headers["transfer-encoding"] = "chunked"
    decoded = decode_body(data[1:], headers, limit=LIMIT)
    assert len(decoded.data) <= LIMIT + 1
    json.dumps([decoded.notes, decoded.loss])


def rules(data: bytes) -> None:
    """Read rules and apply them to a page."""
    try:
        parsed = dehusk.Rules.parse(data.decode("utf-8", "replace"))
    except dehusk.ConfigError as error:
        _check_message(error)
        return
    for host in [*list(parsed.hosts)[:3], "tea.example"]:
        doc = dehusk.clean(PAGE, url=f"https://{'tea.example' if host == '*' else host}/", rules=parsed)
        assert doc.status is not dehusk.Status.ERROR, doc.message


def annotation(data: bytes) -> None:
    """Read an annotation file and use it as if it belonged to a page."""
    path = _folder() / "x.anno.json"
    path.write_bytes(data)
    try:
        loaded = Annotation.load(path)
    except (dehusk.GoldError, dehusk.InputError) as error:
        _check_message(error)
        return
    parsed = parse(PAGE)
    fitting = replace(loaded, page=digest(PAGE), text=text_digest(parsed))
    try:
        fitting.check(PAGE, parsed)
        codes = fitting.labels_for(dehusk.segment(parsed))
    except dehusk.GoldError as error:
        _check_message(error)
        return
    assert len(codes) == len(dehusk.segment(parsed))
    path.write_text(fitting.json(), "utf-8")
    assert Annotation.load(path) == fitting


def configuration(data: bytes) -> None:
    """Read a configuration of Victor."""
    text = data.decode("utf-8", "replace")
    try:
        ConfigReader.parse("x", text)
        parse_config(text)
    except dehusk.ConfigError as error:
        _check_message(error)


def model(data: bytes) -> None:
    """Load a model folder one of whose parts is the data, and use it.

    The first byte chooses the model, the second one what is replaced: the card, all arrays, or one array.
    """
    if len(data) < 3:
        return
    kinds = _models()
    name = sorted(kinds)[data[0] % len(kinds)]
    folder = _folder() / "model"
    _write_model(folder, _folder() / name, data[1], data[2:])
    try:
        kinds[name](folder)
    except (dehusk.ModelError, dehusk.ConfigError, dehusk.NotFittedError) as error:
        _check_message(error)


def _write_model(folder: Path, sound: Path, part: int, data: bytes) -> None:
    """Write a model folder like a sound one, but for a part: 0 the card, 1 all arrays, otherwise one array."""
    folder.mkdir(exist_ok=True)
    card, arrays = (folder / name for name in CARD_FILES)
    card.write_bytes(data if part % 3 == 0 else (sound / CARD_FILES[0]).read_bytes())
    arrays.write_bytes(data if part % 3 == 1 else (sound / CARD_FILES[1]).read_bytes())
    if part % 3 < 2:
        return
    with zipfile.ZipFile(arrays) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    contents[sorted(contents)[part // 3 % len(contents)]] = data
    with zipfile.ZipFile(arrays, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


def _check_message(error: Exception) -> None:
    assert "\n" not in str(error), f"more than one line: {error}"


def _read_file(data: bytes, format_name: str, name: str) -> None:
    path = _folder() / name
    path.write_bytes(data)
    file = Input(path, name, format_name)
    options = ReadOptions(LIMIT)
    try:
        items = list(read_records(file, options))
    except dehusk.InputError as error:  # a table without a column of pages
        assert format_name in ("parquet", "lines"), error
        return
    for item in items:
        if isinstance(item, Loss):
            assert item.offset >= 0
            assert item.size >= 0
            assert item.message
            assert "\n" not in item.message
        else:
            assert len(item.body(LIMIT).data) <= LIMIT + 1
            json.dumps([item.id, item.url, item.skipped, item.date, item.truncated, item.damaged])
    if format_name == "warc":
        _read_again(file, [item for item in items if isinstance(item, Record)][:5], options)


def _read_again(file: Input, records: list[Record], options: ReadOptions) -> None:
    """Read records at their offsets: whatever is returned there must not raise."""
    for _ in read_at(file, [record.offset for record in records], options):
        pass


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="dehusk-fuzz-")


def _folder() -> Path:
    return Path(_temporary().name)


def model_folders() -> list[Path]:
    """Return the folders of the sound models, in the order in which the first byte chooses them."""
    return [_folder() / name for name in sorted(_models())]


def _clean(**options: Any) -> None:
    doc = dehusk.clean(PAGE, **options)
    assert doc.status is not dehusk.Status.ERROR, doc.message
    doc.text.encode()


@cache
def _models() -> dict[str, Callable[[Path], object]]:
    """Write a small model of each kind; return, by its folder, the function that loads and uses a model of the kind."""
    pages = [PAGE.replace(b"Sencha", b"Sencha %d" % number) for number in range(6)]
    for kind in (dehusk.Site, dehusk.Wrapper, dehusk.Wisdom, dehusk.CompressedStructureTree, Alternation):
        kind().fit(pages).save(_folder() / kind.__name__)
    dehusk.Site().fit(pages).save(_folder() / "complete", complete=True)
    for name in ("united", "web"):
        copytree(Path(dehusk.__file__).parent / "models" / name, _folder() / name)
    return {
        "Site": lambda folder: _clean(site=folder),
        "complete": lambda folder: dehusk.Site.load(folder).add(PAGE),
        "Wrapper": lambda folder: dehusk.Wrapper.load(folder).extract(PAGE),
        "Wisdom": lambda folder: _clean(method=dehusk.Wisdom.load(folder)),
        "CompressedStructureTree": lambda folder: _clean(method=dehusk.CompressedStructureTree.load(folder)),
        "Alternation": lambda folder: _clean(method=Alternation.load(folder)),
        "united": lambda folder: _clean(model=folder),
        "web": lambda folder: _clean(method="victor", model=folder),
    }


TARGETS: dict[str, Callable[[bytes], None]] = {
    "page": page,
    "warc": warc,
    "table": table,
    "archive": archive,
    "body": body,
    "rules": rules,
    "annotation": annotation,
    "configuration": configuration,
    "model": model,
}
"""Name -> function; seeds are in `seeds/<name>`."""
