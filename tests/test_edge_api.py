"""What callers pass that is unusual but meant well, and what they get wrong: one clear line, or the right result."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dehusk

TEA = (Path(__file__).parents[1] / "examples" / "tea.html").read_bytes()
CLEAN = dehusk.clean(TEA)


class Marked(str):
    """A str as `markupsafe.Markup`, `bs4.NavigableString` and `numpy.str_` are."""

    __slots__ = ()


@pytest.fixture(scope="module")
def pool() -> Iterator[dehusk.Pool]:
    with dehusk.Pool(1) as pool:
        yield pool


# ---------------------------------------------------------------- pools


def test_a_document_of_a_pool_is_of_the_page_as_it_was(pool: dehusk.Pool, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.html" for number in range(3)]
    for path in paths:
        path.write_bytes(TEA)
    documents = list(pool.map(paths))
    for path in paths:
        path.unlink()
    assert [each.markdown for each in documents] == [CLEAN.markdown] * 3
    buffer = bytearray(TEA)
    first, _ = pool.clean(buffer), pool.clean(b"<p>Another page.")
    buffer[:] = b"<p>"
    assert first.markdown == CLEAN.markdown


@pytest.mark.parametrize("name", ["none.html", "folder", "\udc80.html"])
def test_a_file_that_cannot_be_read_has_the_same_status_in_a_pool(pool: dehusk.Pool, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    found, expected = pool.clean(tmp_path / name), dehusk.clean(tmp_path / name)
    assert (found.status, found.message) == (expected.status, expected.message)
    with pytest.raises(dehusk.ConfigError, match="unknown method"):
        pool.clean(tmp_path / name, method="unitde")


def test_a_pool_reads_relative_paths_where_the_caller_is(
    pool: dehusk.Pool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool.clean(TEA)
    monkeypatch.chdir(tmp_path)
    Path("only.html").write_bytes(TEA)
    Path("r.toml").write_text('["*"]\ndrop = ["h1"]', "utf-8")
    dehusk.Site().fit([TEA, TEA.replace(b"green", b"black")]).save("site")
    assert pool.clean(Path("only.html")).text == CLEAN.text
    for options in ({"rules": "r.toml"}, {"site": "site", "method": "site"}, {"site": Path("site")}):
        assert pool.clean(Path("only.html"), **options).text == dehusk.clean(TEA, **options).text
    assert pool.clean(Path("none.html")).message == dehusk.clean(Path("none.html")).message


def test_a_page_in_a_pool_is_isolated_already(pool: dehusk.Pool) -> None:
    assert pool.clean(TEA, isolated=True).text == CLEAN.text
    assert [each.text for each in pool.map([TEA], isolated=True)] == [CLEAN.text]


def test_a_pool_takes_several_pages_only_in_map(pool: dehusk.Pool) -> None:
    with pytest.raises(TypeError, match="expected several pages, not one str: pass a list"):
        pool.map("<p>")


def test_a_closed_pool_cleans_nothing_and_starts_nothing() -> None:
    pool = dehusk.Pool(1)
    document = pool.clean(TEA, ask=["title"])
    pool.close()
    pool.close()
    for use in (lambda: pool.clean(TEA), lambda: pool.map([TEA])):
        with pytest.raises(dehusk.ConfigError, match="the pool is closed: make a new one"):
            use()
    assert document.title == CLEAN.title
    with pytest.raises(dehusk.DehuskError, match="its pool of processes is closed"):
        _ = document.markdown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 10**9}, "workers must be a whole number from 1 to 10,000, not 1000000000"),
        ({"workers": True}, "workers must be a whole number from 1 to 10,000, not True"),
        ({"memory": float("nan")}, "memory must be a number of at least 1, not nan"),
    ],
)
def test_pools_refuse_what_is_no_number_of_something(options: dict[str, Any], message: str) -> None:
    with pytest.raises(dehusk.ConfigError, match=message):
        dehusk.Pool(**options)


# ---------------------------------------------------------------- values of other types


def test_numbers_of_numpy_are_numbers() -> None:
    with dehusk.Pool(np.int64(1), memory=np.float32(500)) as pool:
        assert pool.clean(TEA, favour=np.float32(0.5)).text == CLEAN.text
    assert CLEAN.chunks(max_words=np.int8(100)) == CLEAN.chunks(max_words=100)
    assert dehusk.Limits(bytes=np.int64(1000)).bytes == 1000
    with pytest.raises(dehusk.ConfigError, match="limit bytes must be a positive whole number, not True"):
        dehusk.Limits(bytes=True)


@pytest.mark.parametrize("of", [Marked, np.str_])
def test_subclasses_of_str_are_pages(pool: dehusk.Pool, of: Callable[[str], str]) -> None:
    page = of(TEA.decode())
    assert dehusk.clean(page).markdown == pool.clean(page).markdown == CLEAN.markdown
    assert dehusk.clean(TEA, url=of("https://tea.example/")).page.url == "https://tea.example/"
    assert len(dehusk.segment(dehusk.parse(page))) == len(CLEAN.labels)
    assert dehusk.Site().fit([page]).pages == 1
    from dehusk.compat import readability, trafilatura

    assert trafilatura.extract(page) == trafilatura.extract(TEA)
    assert readability.Document(page).summary() == readability.Document(TEA).summary()


@pytest.mark.parametrize("learn", [dehusk.Site().fit, dehusk.Wrapper().fit, dehusk.Wisdom().fit])
def test_no_site_is_learned_from_names_of_files(learn: Callable[[list[Any]], object]) -> None:
    with pytest.raises(dehusk.InputError, match=r"the text is a path, not a page: pass pathlib\.Path"):
        learn(["saved/1.html", "saved/2.html"])
    with pytest.raises(dehusk.InputError, match="the text is an address, not a page"):
        learn(["https://tea.example/"])
    with pytest.raises(TypeError, match="must be bytes, str, Path, Page or Blocks, not int"):
        learn([5])


# ---------------------------------------------------------------- methods


@pytest.mark.parametrize("method", [dehusk.Wisdom, dehusk.CompressedStructureTree, dehusk.Victor])
def test_a_method_that_is_not_fitted_is_an_error_of_the_caller(
    pool: dehusk.Pool, method: Callable[[], dehusk.Wisdom]
) -> None:
    for clean in (dehusk.clean, pool.clean):
        with pytest.raises(dehusk.NotFittedError):
            clean(TEA, method=method())
        with pytest.raises(TypeError, match=f"an object with segment and label, not the class {method.__name__}"):
            clean(TEA, method=method)


def test_the_advice_on_alternation_works(tmp_path: Path) -> None:
    pages = [TEA.replace(b"green", f"tea {number} of the".encode()) for number in range(4)]
    with pytest.raises(dehusk.ConfigError, match=r"site=FOLDER.*`from dehusk\.sites\.alternation import Alternation;"):
        dehusk.clean(TEA, method="alternation", site=dehusk.Site().fit(pages))
    from dehusk.sites.alternation import Alternation

    Alternation().fit(pages).save(tmp_path / "model")
    assert dehusk.clean(TEA, method="alternation", site=tmp_path / "model").status.is_fine


def test_an_overlap_is_what_two_chunks_share() -> None:
    document = dehusk.clean("".join(f"<p>{WORDS} {number}</p>" for number in range(9)), method="keep-all")
    chunks = document.chunks(max_words=40, overlap=20)
    shared = [(before.text[-after.overlap :], after.text[: after.overlap]) for before, after in pairwise(chunks)]
    assert len(shared) > 3
    assert all(end == start and end.strip() for end, start in shared)


# ---------------------------------------------------------------- excerpts

LISTING = "\n".join(f"a picture {number} is ![alt text](picture{number}.png)" for number in range(3))
WORDS = "Some words of a paragraph that is long enough to be kept as content by any method."


def best(*words: str) -> Callable[[str, Sequence[str]], list[float]]:
    return lambda _, texts: [float(any(word in text for word in words)) for text in texts]


def test_an_excerpt_has_the_images_of_listings_but_not_of_the_page() -> None:
    page = (
        f"<h1>Markdown</h1><p>{WORDS} <a href=/big><img src=/small.png alt=''></a> <img src=/b.png alt='[x] (y)'></p>"
    )
    excerpt = dehusk.clean(f"<main>{page}<pre>{LISTING}</pre></main>").within(max_tokens=2000)
    assert LISTING in excerpt.markdown
    assert "[](" not in excerpt.markdown
    assert "small.png" not in excerpt.markdown
    assert "b.png" not in excerpt.markdown


def test_an_excerpt_names_each_heading_above_its_passages_once() -> None:
    """Also those whose words are in a passage, and equal ones of other sections; their text is no markup."""
    text = f"<p>{WORDS * 3}</p>"
    sections = [(name, part) for name in ("Tea", "Milk_[a]_*b*") for part in ("Notes", "Tea")]
    page = "<h1>Drinks</h1>" + "".join(
        f"<h2>{name}</h2>{text}<h3>{part}</h3><p>{WORDS * 3} The Tea is {name}.</p>{text}" for name, part in sections
    )
    document = dehusk.clean(f"<main>{page}</main>", method="keep-all")
    excerpt = document.within(max_words=500, query="x", relevance=best("The Tea is"))
    lines = [line for line in excerpt.markdown.split("\n\n") if line.startswith(("**", "#"))]
    again = r"**Milk\_[a]\_\*b\***"
    assert lines == ["**Drinks › Tea**", "### Notes", "**Tea**", "### Tea", again, "### Notes", again, "### Tea"]


def test_an_excerpt_that_leaves_out_nothing_divides_nothing() -> None:
    items = "".join(f"<li>{WORDS}</li>" for _ in range(20))
    document = dehusk.clean(f"<main><h1>Tea</h1><p>{WORDS * 20}</p><ol>{items}</ol></main>", method="keep-all")
    assert document.within(max_words=2000).markdown == document.markdown.strip()


# ---------------------------------------------------------------- refusals


def test_a_quotation_that_stands_nowhere_has_no_place() -> None:
    assert CLEAN.locate("xylophone quartz", least=0) == []
    assert CLEAN.locate("xylophone kettle", least=0)[0].match < 1


@pytest.mark.parametrize("least", ["x", None, float("nan"), True])
def test_the_least_share_of_a_quotation_is_a_number(least: Any) -> None:
    with pytest.raises(dehusk.ConfigError, match="least must be between 0 and 1, not "):
        CLEAN.locate("kettle", least=least)


def test_an_option_is_given_once() -> None:
    with pytest.raises(dehusk.ConfigError, match="style is given twice: as an argument, and among the options"):
        dehusk.clean(TEA, style="body", options={"style": "whole"})
    assert dehusk.clean(TEA, options={"style": "body"}).text == dehusk.clean(TEA, style="body").text


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: CLEAN.render(None), TypeError, "a format must be a str, not NoneType"),
        (lambda: dehusk.Site().merge(None), TypeError, "what another site has learned, not NoneType"),
        (lambda: dehusk.Wrapper(max_columns="5"), dehusk.ConfigError, "max_columns must be an integer, at least 1"),
        (lambda: dehusk.Wrapper(max_columns=2.5), dehusk.ConfigError, "max_columns must be an integer, at least 1"),
        (lambda: CLEAN.within(query="x", relevance=5), dehusk.ConfigError, "relevance must be a function"),
        (
            lambda: CLEAN.within(query="x", relevance=lambda _, texts: ["a"] * len(texts)),
            dehusk.ConfigError,
            "relevance must return a number for each text",
        ),
    ],
)
def test_a_wrong_argument_is_one_clear_line(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        call()
    assert "\n" not in str(raised.value)


def test_relevance_may_be_a_generator() -> None:
    found = CLEAN.within(query="x", relevance=lambda _, texts: (float("boil" in text) for text in texts))
    assert found.passages


def test_properties_to_ask_for_are_a_list(pool: dehusk.Pool) -> None:
    with pytest.raises(TypeError, match=r"ask must be a list of properties, such as \['markdown'\], not a str"):
        pool.clean(TEA, ask="markdown")


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dehusk.read.files import find_pages
    from dehusk.read.folder_links import FolderLinks

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(FolderLinks, "files", refuse)
    with pytest.raises(dehusk.InputError, match=f"folder {tmp_path} cannot be read: Permission denied"):
        find_pages([str(tmp_path)])


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "192.168.2.17", "[::1]"])
def test_the_number_of_a_machine_names_no_site(host: str) -> None:
    assert not dehusk.clean("<title>Tea</title><p>Pour it.", url=f"http://{host}/tea").metadata.site_name


# ---------------------------------------------------------------- other libraries


def test_a_converter_takes_one_source(tmp_path: Path) -> None:
    pytest.importorskip("haystack")
    from haystack.dataclasses import ByteStream

    from dehusk.integrations.haystack import DehuskConverter

    (tmp_path / "tea.html").write_bytes(TEA)
    converter = DehuskConverter(whole=True)
    for source in (tmp_path, str(tmp_path), ByteStream(TEA), [str(tmp_path)]):
        assert len(converter.run(sources=source)["documents"]) == 1
    for source in (TEA, [TEA]):
        with pytest.raises(
            TypeError, match="a source must be the name of a file, folder or page, or a Path, not bytes"
        ):
            converter.run(sources=source)


def test_options_of_adapters_that_have_no_effect_are_refused() -> None:
    pytest.importorskip("langchain_core")
    from dehusk.integrations.langchain import DehuskLoader

    with pytest.raises(dehusk.ConfigError, match="max_words is of chunks, and a whole page is none"):
        DehuskLoader("saved/", whole=True, max_words=5)
    with pytest.raises(dehusk.ConfigError, match=r"unknown option 'max_wrds'\. Did you mean max_words"):
        DehuskLoader("saved/", max_wrds=5)


def test_how_to_write_is_no_dictionary() -> None:
    pytest.importorskip("datatrove")
    from dehusk.integrations.datatrove import Dehusk

    with pytest.raises(TypeError, match="what is written must be chosen by WriteOptions, not dict"):
        Dehusk(writing={"links": "drop"})


def test_text_with_metadata_starts_with_them() -> None:
    from dehusk.compat.trafilatura import extract, extract_with_metadata

    found = extract_with_metadata(TEA)
    assert found is not None
    assert found.text == extract(TEA, with_metadata=True)
    assert found.text.startswith("---\ntitle: How to brew green tea\n")


def test_what_is_unknown_is_null_in_csv() -> None:
    from dehusk.compat.trafilatura import extract

    row = (extract(TEA, output_format="csv") or "").split("\t")
    assert (row[0], row[1], row[8:]) == ("null", "null", ["null", "null", "null\r\n"])


def test_the_arguments_of_readability() -> None:
    import inspect

    from dehusk.compat import UnsupportedError
    from dehusk.compat.readability import Document

    with pytest.raises(UnsupportedError, match="positive_keywords has no counterpart in dehusk: rules keep and drop"):
        Document(TEA, ["tea"])
    with pytest.raises(UnsupportedError, match="keep_all_images has no counterpart in dehusk: images beside kept text"):
        Document(TEA).summary(keep_all_images=True)
    same = Document(TEA, None, None, "https://tea.example/", 25, 250, False, "discard")
    assert same.summary(False, False) == Document(TEA, url="https://tea.example/").summary()
    original = pytest.importorskip("readability").Document
    for name in ("__init__", "summary"):
        ours, theirs = (inspect.signature(getattr(each, name)).parameters.values() for each in (Document, original))
        assert [(each.name, each.default) for each in ours] == [(each.name, each.default) for each in theirs]
