"""What callers pass that is unusual but meant well, and what they get wrong: one clear line, or the right result."""

from collections.abc import Callable, Iterator, Sequence
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
    with pytest.raises(dehusk.ConfigError, match=r"site=FOLDER.* dehusk\.sites\.alternation\.Alternation\(\)\.fit"):
        dehusk.clean(TEA, method="alternation", site=dehusk.Site().fit(pages))
    dehusk.sites.alternation.Alternation().fit(pages).save(tmp_path / "model")
    assert dehusk.clean(TEA, method="alternation", site=tmp_path / "model").status.is_fine


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
