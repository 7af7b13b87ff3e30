"""Write the seed corpus of each target to a folder: `python fuzz/seeds.py FOLDER`.

The seeds come from the examples, from the pages that the tests make (shops, frameworks, languages, hostile ones), from
pages at the parser's limits and from what is written here; nothing is fetched.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
_EXAMPLES = [
    path
    for part in ("*", "tea-*/*", "gold-pages/html/*")
    for path in sorted((REPOSITORY / "examples").glob(f"{part}.html"))
]
_LONGEST = 15_000  # bytes of a page; the fuzzer changes longer ones less often
_RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
_RULES = [
    '["tea.example"]\nkeep = [".lead", "article > p:not(.x)"]\ndrop = ["nav", "li:nth-child(2n+1)"]\n["*"]\ndrop=["footer"]',
    '["*"]\nkeep = ["ul:has(> li)", "h1 ~ p", "p + ul", ":is(td, th)[colspan]", "html.front .teaser"]',
]
_MARKUP = [
    "<text id='3' title='x' encoding=\"utf-8\"><h>A</h><p>B</text>",
    "<svg><title>x</title><foreignObject><p>in</foreignObject></svg><math><mi>x</mi><annotation-xml><p>y",
    "<template><p>in</template><noscript><p>no</noscript><iframe/><textarea>x</textarea><select><option>o</select>",
    "<table><tr><td colspan=99999 rowspan=0>1<th>2<table><caption>c</caption><tr><td>3</table></table>",
    "<p style='display:none'>a<p hidden>b<p style='color:#fff;background:#fff'>c&#xE0041;&#x200b;<bdo dir=rtl>d</bdo>",
    "<div class=post><b>Ann</b> <time datetime=2026-05-03>3 May 2026</time><p>One.</div><div class=post><b>Bo</b> 4 May 2026<p>Two.</div>",
    '<script type=application/ld+json>{"@type":"Article","headline":"x","author":[{"name":"A"}]}</script><p>x',
    "<pre><code class=language-python>a\n\tb\n</code></pre><ol start=5><li value=3>x<li><pre>y</pre></ol><dl><dt>a<dd>b</dl>",
    "<p>x<sup id=r1><a href=#f1>1</a></sup></p><ol><li id=f1>note <a href=#r1>back</a></ol><img src=a.png alt=$x$ class=tex>",
]


def pages() -> Iterator[bytes]:
    """Yield pages; the last byte of each chooses how it is cleaned."""
    yield from sound_pages()
    parser_pages = import_module("parser_pages").PAGES
    for kind in ("limit", "soup"):
        for number in range(8):
            yield parser_pages[kind](number).encode("utf-8", "replace")[:_LONGEST] + bytes([number])


def sound_pages() -> Iterator[bytes]:
    """Yield pages as people write them, most of them sound."""
    sys.path.insert(0, str(REPOSITORY / "tests"))
    hostile = import_module("hostile_pages")
    for number, path in enumerate(_EXAMPLES):
        yield path.read_bytes() + bytes([number])
    for number, markup in enumerate(_MARKUP):
        yield markup.encode() + bytes([number])
    for number, template in enumerate(hostile.TEMPLATES):
        yield hostile.filled(template, random.Random(number)).encode("utf-8", "replace")[:4000] + bytes([number])
    for number, text in enumerate(_pages_of_tests()):
        yield text.encode()[:_LONGEST] + bytes([number])
    for encoding in ("utf-16", "utf-16-be", "shift_jis", "gb18030", "iso2022_jp", "windows-1251"):
        yield f"<meta charset={encoding}><p>Зелёный чай 緑茶".encode(encoding, "replace") + b" "


def _pages_of_tests() -> Iterator[str]:
    """Yield the pages that tests make of frameworks, shops and languages, and of text with its husk."""
    yield from import_module("framework_pages").FRAMEWORKS.values()
    shop = import_module("product_pages")
    yield from (shop.product(0), shop.catalogue(0))
    languages = import_module("language_pages")
    for number, name in enumerate(languages.NAMES):
        yield languages.texts(name).page(("article", "records")[number % 2])
    yield from (import_module("synthetic").page(seed)[0] for seed in range(3))


def _record(number: int, block: bytes, *, kind: str = "response", length: int | None = None) -> bytes:
    type_ = "application/http; msgtype=response" if kind == "response" else "text/html"
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://tea.example/{number}\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nContent-Type: {type_}\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def warcs() -> Iterator[bytes]:
    """Yield WARC files: sound, with wrong lengths, compressed by gzip and by Zstandard."""
    body = b"<html><p>A page about tea.</p></html>"
    sound = [
        _record(1, _RESPONSE + b"\r\n" + body),
        _record(2, body, kind="resource"),
        _record(0, b"x", kind="warcinfo"),
    ]
    wrong = [_record(number, _RESPONSE + b"\r\n" + body, length=size) for number, size in enumerate((10**15, 3, -5))]
    chunked = _RESPONSE + b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>xy\r\n0\r\n\r\n"
    packed = _RESPONSE + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(body, mtime=0)
    records = [*sound, *wrong, _record(3, chunked), _record(4, packed), _record(5, b"HTTP/1.1\r\n\r\n")]
    yield b"".join(sound)
    yield b"".join(records)
    yield b"".join(gzip.compress(record, mtime=0) for record in records)
    yield gzip.compress(b"".join(records), mtime=0)
    zstandard = import_module("zstandard")
    yield b"".join(zstandard.compress(record) for record in records)


def tables() -> Iterator[bytes]:
    """Yield Parquet and JSON Lines."""
    rows = [{"url": f"http://tea.example/{number}", "html": f"<p>Page {number}", "id": number} for number in range(3)]
    text = "\n".join(map(json.dumps, rows))
    yield text.encode()
    yield text.encode() + b'\n{"html":"\\ud800<p>x"}\n[1]\n{"html":[["x"]]}\nnull\n{"url":1e999,"html":"x"}'
    yield gzip.compress(text.encode(), mtime=0)
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    for compression in ("none", "zstd", "snappy"):
        for dictionary in (True, False):
            stream = io.BytesIO()
            parquet.write_table(
                arrow.Table.from_pylist(rows), stream, compression=compression, use_dictionary=dictionary
            )
            yield stream.getvalue()


def archives() -> Iterator[bytes]:
    """Yield zip and tar archives."""
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as archive:
            archive.writestr("tea.example/a.html", "<p>A page of tea")
            archive.writestr("../b.html", "<p>Another page of tea")
        yield stream.getvalue()
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode=mode) as archive_:  # type: ignore[call-overload]
            for name in ("tea.example/a.html", "b.html"):
                info = tarfile.TarInfo(name)
                info.size = 16
                archive_.addfile(info, io.BytesIO(b"<p>A page of tea"))
        yield stream.getvalue()


def bodies() -> Iterator[bytes]:
    """Yield response bodies; the first byte chooses the encodings that the header names."""
    page = b"<html><p>A page about tea.</p></html>"
    packed = [gzip.compress(page, mtime=0), import_module("brotli").compress(page), page]
    packed += [import_module("zlib").compress(page), import_module("zstandard").compress(page)]
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(page), page)
    for number in range(8):
        for data in [*packed, chunked]:
            yield bytes([number]) + data
        yield bytes([number + 64]) + chunked


def rules() -> Iterator[bytes]:
    """Yield files of rules."""
    yield (REPOSITORY / "examples" / "rules.toml").read_bytes()
    for text in _RULES:
        yield text.encode()


def annotations() -> Iterator[bytes]:
    """Yield annotations."""
    targets = import_module("targets")
    dehusk = import_module("dehusk")
    yield dehusk.clean(targets.PAGE).render("annotation").encode()
    yield dehusk.clean(targets.PAGE, method="keep-all").render("annotation").encode()


def configurations() -> Iterator[bytes]:
    """Yield configurations of Victor."""
    for name in ("web", "cleaneval"):
        yield import_module("dehusk").load_config(name).source.encode()


def models() -> Iterator[bytes]:
    """Yield parts of models; the first byte chooses the model, the second one the part."""
    targets = import_module("targets")
    for number, folder in enumerate(targets.model_folders()):
        yield bytes([number, 0]) + (folder / "card.json").read_bytes()
        with zipfile.ZipFile(folder / "arrays.npz") as archive:
            names = sorted(archive.namelist())
            contents = [archive.read(name) for name in names]
        if sum(map(len, contents)) < 20_000:
            yield bytes([number, 1]) + (folder / "arrays.npz").read_bytes()
        for index, content in enumerate(contents[:80]):
            if len(content) < 4_000:
                yield bytes([number, 3 * index + 2]) + content


SEEDS = {
    "page": pages,
    "warc": warcs,
    "table": tables,
    "archive": archives,
    "body": bodies,
    "rules": rules,
    "annotation": annotations,
    "configuration": configurations,
    "model": models,
}
"""Target -> function that yields its seeds."""


def write_seeds(folder: Path, target: str) -> None:
    """Write the seeds of a target to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(SEEDS[target]()):
        (folder / f"{number:03}").write_bytes(data)


if __name__ == "__main__":
    for name in SEEDS:
        write_seeds(Path(sys.argv[1]) / name, name)
