"""Sets of pages with gold texts: reading folders and archives, sites, splits into folds."""

import json
import tarfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.errors import InputError
from dehusk.lab.gold.cleaneval import Segment
from dehusk.lab.gold.datasets import Sample, read_set, sample_site, set_fingerprint
from dehusk.lab.gold.splits import folds_by_page, folds_by_site
from dehusk.read import parse

WRAPPED = b'<text id="b" encoding="UTF-8"><html><p>\xff</p></html>\n</text>\n'
FILES = {
    "pages.jsonl": b'{"id": "a", "url": "http://x.org/a", "site": "x.org", "type": "news"}\n\n{"id": "b"}\n{"id": 3}\n',
    "html/a.html": b"<p>one</p>",
    "html/b.html": WRAPPED,
    "html/3.html": b"",
    "gold/a.txt": "<h>Ťitle\n<p>one &amp; two".encode(),
    "gold/b.txt": b"just \xff text",
    "README": b"not part of it",
}


def folder(path: Path, **changes: bytes | None) -> Path:
    """Write the set into a folder; `changes` replaces files (`html_a` is html/a.html); None omits them."""
    files = {**FILES, **{{"pages": "pages.jsonl", "html_a": "html/a.html"}[key]: data for key, data in changes.items()}}
    for name, data in files.items():
        if data is not None:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    return path


def archive(path: Path, prefix: str = "") -> Path:
    """Pack a folder as its own .tar.xz beside it."""
    target = path.parent / f"{path.name}.tar.xz"
    with tarfile.open(target, "w:xz") as packed:
        for file in sorted(path.rglob("*"), reverse=True):
            packed.add(file, prefix + file.relative_to(path).as_posix(), recursive=False)
    return target


def test_samples_of_a_folder(tmp_path):
    a, b, c = read_set(folder(tmp_path / "small"))
    assert a == Sample("small", "a", b"<p>one</p>", "http://x.org/a", "x.org", "news", "<h>Ťitle\n<p>one &amp; two")
    assert b == Sample("small", "b", WRAPPED, None, None, None, "just \ufffd text")
    assert c == Sample("small", "3", b"", None, None, None, None)


@pytest.mark.parametrize("prefix", ["", "./"])
def test_an_archive_has_the_samples_and_the_fingerprint_of_its_folder(tmp_path, prefix):
    path = folder(tmp_path / "small")
    packed = archive(path, prefix)
    assert list(read_set(packed)) == list(read_set(path))
    assert set_fingerprint(packed) == set_fingerprint(path)
    assert len(set_fingerprint(path)) == 16


def test_the_fingerprint_depends_only_on_the_contents_of_the_set(tmp_path):
    fingerprint = set_fingerprint(folder(tmp_path / "one"))
    assert set_fingerprint(folder(tmp_path / "two")) == fingerprint
    (tmp_path / "two" / "notes").write_text("new")
    assert set_fingerprint(tmp_path / "two") == fingerprint
    assert set_fingerprint(folder(tmp_path / "three", html_a=b"<p>two</p>")) != fingerprint
    (tmp_path / "two" / "gold" / "a.txt").rename(tmp_path / "two" / "gold" / "z.txt")
    assert set_fingerprint(tmp_path / "two") != fingerprint


def test_gold_texts_with_and_without_tags(tmp_path):
    a, b, c = read_set(folder(tmp_path / "small"))
    assert (a.structured, b.structured, c.structured) == (True, False, False)
    assert a.segments == [Segment("header", "Ťitle"), Segment("paragraph", "one & two")]
    assert b.segments == [Segment("paragraph", "just \ufffd text")]
    assert c.segments == []
    assert (a.gold_text, b.gold_text, c.gold_text) == ("Ťitle\none & two", "just \ufffd text", "")


def test_tools_see_the_page_without_cleanevals_wrapper(tmp_path):
    a, b, c = read_set(folder(tmp_path / "small"))
    assert [sample.bare for sample in (a, b, c)] == [b"<p>one</p>", b"<html><p>\xff</p></html>\n", b""]


BROKEN = {
    "no pages.jsonl": {"pages": None},
    "not JSON": {"pages": b"{"},
    "not an object": {"pages": b"[1]\n"},
    "no id": {"pages": b'{"url": "x"}\n'},
    "not UTF-8": {"pages": b'{"id": "\xff"}\n'},
    "a page is missing": {"html_a": None},
}


@pytest.mark.parametrize("what", BROKEN)
def test_the_error_names_the_malformed_set(tmp_path, what):
    path = folder(tmp_path / "small", **BROKEN[what])
    for source in (path, archive(path)):
        with pytest.raises(InputError, match=f"set {source}"):
            list(read_set(source))


DAMAGES = {
    "not an archive": lambda _: b"not an archive",
    "empty": lambda _: b"",
    "truncated": lambda data: data[: len(data) // 2],
    "damaged": lambda data: data[:30_000] + bytes(100) + data[30_100:],
}


@pytest.mark.parametrize("what", DAMAGES)
def test_the_error_names_the_damaged_archive(tmp_path, what):
    packed = archive(folder(tmp_path / "small", html_a=np.random.default_rng(1).bytes(50_000)))
    packed.write_bytes(DAMAGES[what](packed.read_bytes()))
    for read in (set_fingerprint, lambda path: list(read_set(path))):
        with pytest.raises(InputError, match=f"set {packed} cannot be read"):
            read(packed)


def test_the_error_names_the_missing_set(tmp_path):
    for name in ("nosuch", "nosuch.tar.xz"):
        with pytest.raises(InputError, match=f"{name}: no such set"):
            list(read_set(tmp_path / name))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty has no pages.jsonl"):
        list(read_set(tmp_path / "empty"))


# sites


def site(html: str = "", *, url: str | None = None, given: str | None = None) -> str:
    return sample_site(Sample("set", "id", html.encode(), url, given, None, None), parse(html))


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("http://www.Example.org/a?b#c", "example.org"),
        ("https://user@news.bbc.co.uk:8080/", "bbc.co.uk"),
        ("http://a.b.c.de/", "c.de"),
        ("http://example.com.", "example.com"),
        ("http://www.gov.uk", "www.gov.uk"),
        ("//cdn.example.org/x", "example.org"),
        ("example.org", "example.org"),
        ("http://localhost/", "set/id"),
        ("http://[::1", "set/id"),
        ("/relative/path.html", "set/id"),
        ("mailto:", "set/id"),
    ],
)
def test_the_site_of_an_address(url, domain):
    assert site(url=url) == domain
    assert site(given=url) == domain


def test_addresses_on_known_public_suffixes_and_file_names() -> None:
    assert site(url="http://one.blogspot.com/") == "one.blogspot.com"
    assert site("<a href='page.html'>a</a><a href='index.htm'>b</a>") == "set/id", "file names are not hosts"
    assert site("<a href='mailto:me@mail.example.org'>m</a>") == "example.org"


def test_pages_of_different_ip_addresses_are_of_different_sites():
    assert site(url="http://10.0.1.2/") != site(url="http://192.168.1.2/")


LINK = "<a href='http://links.org/'>l</a>"
BASE = "<base href='http://www.base.org/'>"
OG = "<meta property='og:url' content='http://og.org/x'>"
CANONICAL = "<link rel=canonical href='http://c.org/'>"


def test_the_site_is_taken_from_the_best_evidence():
    html = CANONICAL + OG + BASE + LINK
    assert site(html, url="http://url.org", given="given.org") == "url.org"
    assert site(html, url="relative", given="given.org") == "given.org"
    assert site(html) == "c.org"
    assert site(OG + OG.replace("og.", "second.")) == "og.org"
    assert site(OG + BASE + LINK) == "og.org"
    assert site(BASE + LINK) == "base.org"
    assert site("<a href='/x'>r</a><a href='http://one.org'>1</a>" + LINK * 2) == "links.org"
    assert site("<a href='/x'>r</a>") == "set/id"


# splits

sites = st.lists(st.sampled_from([f"{name}.org" for name in "abcdefgh"]), min_size=1, max_size=40)


@given(st.integers(2, 60), st.integers(2, 10), st.integers(0, 5))
def test_folds_of_pages_differ_in_size_by_one_at_most(n, folds, seed):
    if n < folds:
        return
    sizes = Counter(folds_by_page(n, folds, seed=seed).tolist())
    assert set(sizes) == set(range(folds))
    assert max(sizes.values()) - min(sizes.values()) <= 1
    assert np.array_equal(folds_by_page(n, folds, seed=seed), folds_by_page(n, folds, seed=seed))


@given(sites, sites, st.integers(2, 5), st.integers(0, 5))
def test_pages_of_a_site_share_a_fold_that_stays_when_pages_are_added(some, more, folds, seed):
    if len(set(some)) < folds:
        return
    before, after = folds_by_site(some, folds, seed=seed), folds_by_site(some + more, folds, seed=seed)
    assert before.tolist() == after[: len(some)].tolist()
    assert len(set(zip([*some, *more], after.tolist(), strict=True))) == len({*some, *more})
    assert set(after.tolist()) <= set(range(folds))


def test_another_seed_gives_another_split():
    many = [f"{n}.org" for n in range(100)]
    assert folds_by_site(many, 5, seed=0).tolist() != folds_by_site(many, 5, seed=1).tolist()
    assert folds_by_page(100, 5, seed=0).tolist() != folds_by_page(100, 5, seed=1).tolist()
    assert set(folds_by_site(many, 5).tolist()) == set(range(5))


@pytest.mark.parametrize(("n", "folds"), [(3, 4), (3, 1), (3, 0), (0, 2)])
def test_too_few_folds_pages_or_sites_are_an_error(n, folds):
    with pytest.raises(ValueError, match=f"{n} pages cannot be split into {folds} folds"):
        folds_by_page(n, folds)
    with pytest.raises(ValueError, match=f"{n} sites cannot be split into {folds} folds"):
        folds_by_site([f"{i % max(n, 1)}.org" for i in range(n * 3)], folds)


def test_a_row_of_pages_jsonl_is_read_with_json(tmp_path):
    rows = b"".join(json.dumps({"id": name, "url": "http://é.org"}).encode() + b"\n" for name in ("b", "a"))
    assert [(s.id, s.url) for s in read_set(folder(tmp_path / "s", pages=rows))] == [
        ("b", "http://é.org"),
        ("a", "http://é.org"),
    ]
