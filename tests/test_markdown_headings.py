"""Headings of Markdown: without links to their own section, with pictures below, in plain letters."""

import pytest

import dehusk


def markdown(body: str) -> str:
    return dehusk.clean(body, url="https://tea.example/p", method="keep-all").render("markdown", title="never")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<h2 id=pots><a href="#pots">Pots</a></h2><p>Text', "## Pots\n\nText\n"),
        ('<section id=pots><h2><a href="/p#pots">Pots</a></h2><p>Text</section>', "## Pots\n\nText\n"),
        ('<h2><a href="#open">Pots</a></h2><div id=open>Text</div>', "## Pots\n\nText\n"),
        ('<a href="#pots"><h2 id=pots>Pots</h2></a><p>Text', "## Pots\n\nText\n"),
        (
            '<ul><li><a href="#pots" id=toc1>Pots</a></ul><h2>Cups</h2><h2 id=pots><a href="#toc1">Pots</a></h2>',
            "- [Pots](https://tea.example/p#pots)\n\n## Cups\n\n## Pots\n",
        ),
        ('<h1><a href="/p">Pots</a></h1><p>Text', "# Pots\n\nText\n"),
        ('<h1><a href="http://www.tea.example/p/">Pots</a></h1><p>Text', "# Pots\n\nText\n"),
    ],
    ids=[
        "its own address",
        "its section",
        "what it opens",
        "a link around it",
        "its entry in the table of contents",
        "the page itself",
        "another spelling of it",
    ],
)
def test_a_heading_is_no_link_to_its_own_section(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("head", "heading", "expected"),
    [
        ("All of tea | The Leaf", "<h1><a href=/q>All of tea</a></h1>", "# All of tea"),
        ("All of tea", "<h2><a href=/q>All <b>of</b> tea</a></h2>", "# All **of** tea"),
        ("All of cups", "<h1><a href=/q>All of tea</a></h1>", "# [All of tea](https://tea.example/q)"),
        ("Ann Leaf", "<h1><a href=mailto:ann@tea.example>Ann Leaf</a></h1>", "# [Ann Leaf](mailto:ann@tea.example)"),
    ],
    ids=["the title", "a part of it is strong", "another title", "a person"],
)
def test_a_heading_with_the_title_of_the_page_is_no_link(head: str, heading: str, expected: str) -> None:
    assert markdown(f"<title>{head}</title>{heading}<p>Text") == f"{expected}\n\nText\n"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<h2 id=a>A</h2><h2><a href="#a">B</a></h2>', "## A\n\n## [B](https://tea.example/p#a)\n"),
        ('<h2 id=a><a href="/q#a">A</a></h2>', "## [A](https://tea.example/q#a)\n"),
        ('<h2 id=a>See <a href="#a">A</a></h2>', "## See [A](https://tea.example/p#a)\n"),
        ('<h2><a href="/p?n=5">A</a></h2>', "## [A](https://tea.example/p?n=5)\n"),
        ('<h2><a href="#/teas/5">A</a></h2>', "## [A](https://tea.example/p#/teas/5)\n"),
    ],
    ids=["another section", "another page", "a word of it", "a part of the page", "no place of the page"],
)
def test_other_headings_stay_links(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2><img src=/a.png alt=A> Pots</h2>", "## Pots\n\n![A](https://tea.example/a.png)\n"),
        (
            "<h2><i>Pots</i> <a href=/x><img src=/a.png alt=A></a> <b><img src=/b.png alt=B></b></h2>",
            "## *Pots*\n\n[![A](https://tea.example/a.png)](https://tea.example/x) ![B](https://tea.example/b.png)\n",
        ),
        (
            "<h2>The <img src=/a.png alt=A> pot</h2><p>Text",
            "## The ![A](https://tea.example/a.png) pot\n\nText\n",
        ),
        (
            "<p>Text</p><h2><img src=/a.png alt=A> <img src=/b.png alt=B></h2><p>End",
            "Text\n\n![A](https://tea.example/a.png)![B](https://tea.example/b.png)\n\nEnd\n",
        ),
    ],
    ids=["before", "after", "between words", "alone"],
)
def test_pictures_at_the_ends_of_a_heading_stand_below_it(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_a_heading_in_the_letters_of_a_typewriter_is_no_code() -> None:
    assert markdown("<h1><tt>Tea - Our Support</tt></h1>") == "# Tea - Our Support\n"
    assert markdown("<h2><tt>tea.pots</tt></h2><h2>The <tt>a b</tt> pot") == "## `tea.pots`\n\n## The `a b` pot\n"
    assert markdown("<h2><code>git commit --all</code></h2>") == "## `git commit --all`\n"
