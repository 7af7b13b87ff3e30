"""The format `prompt`: what a model needs of a page, and nothing else."""

from pathlib import Path

import pytest

import dehusk
from dehusk.base.errors import ConfigError

TEA = (Path(__file__).parents[1] / "examples/tea.html").read_bytes()
ADDRESS = "https://tea.example/blog/green"


def test_one_line_says_whose_page_it_is() -> None:
    first, blank, title, *_ = dehusk.clean(TEA, url=ADDRESS).render("prompt").split("\n")
    assert first == f"Ann Leaf · 2026-05-03 · The Tea Room · {ADDRESS}"
    assert (blank, title) == ("", "# How to brew green tea")


def test_it_is_markdown_without_images_and_addresses() -> None:
    document = dehusk.clean(TEA.replace(b"<p>Good", b"<img src=/cup.jpg alt=cup><p>Good"), url=ADDRESS)
    whole = document.render("markdown", links="drop", images=False)
    assert "cup.jpg" in document.render("markdown")
    assert document.render("prompt").partition("\n\n")[2] == whole
    noted = document.render("prompt", links="footnotes")
    assert noted.count("https://tea.example/blog/gunpowder") == 1
    assert "[^link-1]: https://tea.example/blog/gunpowder" in noted
    kept = document.render("prompt", links="keep")
    assert kept.partition("\n\n")[2] == document.render("markdown", images=False)


def test_a_page_that_is_not_whole_says_so() -> None:
    cut = dehusk.clean(TEA, limits=dehusk.Limits(bytes=2000))
    assert cut.render("prompt").splitlines()[1] == f"(truncated: {cut.message})"
    gone = dehusk.clean("<title>Not found</title><h1>Page not found</h1>")
    assert gone.render("prompt").startswith("(no-content: the page says that there is no such page)\n")
    assert "(ok" not in dehusk.clean(TEA).render("prompt")


def test_nothing_kept_is_an_empty_prompt() -> None:
    assert dehusk.clean("").render("prompt") == ""


def test_metadata_cannot_add_lines() -> None:
    page = b"<meta name=author content='Ann\nLeaf'>" + TEA.replace(b"Ann Leaf", b"A")
    assert dehusk.clean(page).render("prompt").split("\n")[1] == ""


def test_options_that_it_does_not_have_are_refused() -> None:
    with pytest.raises(ConfigError, match="format prompt has no option images: it has links, posts, title"):
        dehusk.clean(TEA).render("prompt", images=False)
