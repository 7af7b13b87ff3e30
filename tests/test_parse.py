"""Parsing pages: metadata, dropped elements, special elements, limits."""

import pytest
from hypothesis import given

from dehusk import clean
from dehusk.base.errors import ConfigError, Status
from dehusk.read import Limits, parse
from dehusk.read.page import Encoding, Meta, Page
from strategies import htmls


def outline(page: Page) -> list[str]:
    """One entry per node: one dot per level, then its tag or its text."""
    return [
        "." * int(page.depth[i])
        + (page.text[page.text_start[i] : page.text_end[i]] if page.is_text[i] else f"<{page.tag_name(i)}>")
        for i in range(len(page))
    ]


def test_the_metadata_of_a_page():
    page = parse(
        "<html lang=cs-CZ><head><title> My \n title &amp; more </title><base href='http://a/b/'><base href=no>"
        "<link rel=stylesheet href=no><link rel=Canonical href='/c'><meta name=author content=X><meta charset=utf-8>"
        "<meta property='og:title' content=Y><meta name=empty></head><body>b",
        url="http://a/b/c",
    )
    entries = (("author", "X"), ("og:title", "Y"), ("empty", ""))
    assert page.meta == Meta("My title & more", "cs-CZ", "http://a/b/", "/c", entries)
    assert (page.url, page.encoding, page.text) == ("http://a/b/c", Encoding("str", "given"), "b")


def test_a_page_without_metadata():
    assert parse("<p>a").meta == Meta("", None, None, None, ())
    assert parse("<html xml:lang=fr><p>a").meta.language == "fr"


@pytest.mark.parametrize(
    "html", ["<p>z<title>late</title>q", "<text id='a'><html><head><title>late</title></head>zq", "zq<title>late"]
)
def test_a_title_in_the_body_is_not_text_of_the_page(html):
    assert (parse(html).meta.title, parse(html).text) == ("late", "zq"[: 2 * ("q" in html)])


@pytest.mark.parametrize("html", ["<svg><title>icon</title></svg><title>real</title>x", "<title>real</title>x"])
def test_the_title_of_an_svg_is_not_the_title_of_the_page(html):
    assert (
        parse("<body>" + html.replace("<title>real", "<svg><title>i</title></svg><title>real", 1)).meta.title == "real"
    )


DROPPED = [
    "<script>s</script>", "<style>s</style>", "<template><p>s</p></template>", "<svg><text>s</text></svg>",
    "<iframe>s</iframe>", "<noembed>s</noembed>", "<!-- s -->", "<noframes>s</noframes>", "<title>s</title>",
    "<script>'<p>s</p>'</script>", "<svg><g><title>s</title></g></svg>", "<?php echo s ?>",
    "<meta name=s><link href=s>",
]  # fmt: skip


@pytest.mark.parametrize("html", DROPPED)
def test_elements_without_visible_text_are_dropped_with_their_contents(html):
    page = parse(f"<p>a{html}b</p>c")
    assert page.text == "abc"
    assert set(outline(page)) <= {"<body>", ".<p>", "..ab", "..a", "..b", ".c"}


def test_noscript_is_content():
    page = parse("<head><noscript><meta name=a></noscript></head><body>q<noscript><p>n <b>m</b></p></noscript>")
    assert outline(page) == ["<body>", ".q", ".<noscript>", "..<p>", "...n ", "...<b>", "....m"]


def test_a_frameset_has_the_text_of_its_noframes():
    page = parse("<frameset><frame src=a><noframes><body><p>no <b>frames</b></p></body></noframes></frameset>")
    assert outline(page) == ["<body>", ".<p>", "..no ", "..<b>", "...frames"]
    assert (page.notes, page.status) == (("text taken from noframes",), Status.OK)
    assert outline(parse("<frameset><frame src=a></frameset>")) == ["<frameset>", ".<frame>"]


def test_alternative_texts_are_text_children_of_their_images():
    page = parse("a<img alt=' A b '><img alt=''><img><p><img src=x ALT=B title=t>c")
    assert outline(page) == [
        "<body>", ".a", ".<img>", "..A b", ".<img>", ".<img>", ".<p>", "..<img>", "...B", "..c",
    ]  # fmt: skip
    assert page.alt_nodes.tolist() == [3, 8]
    assert page.text == "aA bBc"


def test_lines_of_preformatted_text_are_nodes():
    page = parse("a\nb<pre>\nc\n\n d<b>e\nf</b>g\n</pre>h<textarea>i\r\nj</textarea>")
    assert outline(page) == [
        "<body>", ".a\nb", ".<pre>", "..c\n", "..\n", ".. d", "..<b>", "...e\n", "...f", "..g\n", ".h", ".<textarea>",
        "..i\n", "..j",
    ]  # fmt: skip
    assert [outline(page)[i] for i in page.line_nodes] == ["..\n", ".. d", "...f", "..j"]


def test_the_wrapper_of_cleaneval_is_removed_and_its_attributes_are_kept():
    html = '<text id="u 1" title="A" encoding="UTF-8"><html><title>T</title><body><p>a</p></body></html></text>\n'
    for data in (html, html.encode(), "\n" + html):
        page = parse(data)
        assert page.meta.wrapper == (("id", "u 1"), ("title", "A"), ("encoding", "UTF-8"))
        assert (page.meta.title, outline(page)) == ("T", ["<body>", ".<p>", "..a"])
    assert outline(parse("<p><text id='a'>b</text>")) == ["<body>", ".<p>", "..<text>", "...b"]


@pytest.mark.parametrize("data", [b"", "", " \n", b"<html></html>"])
def test_an_empty_page_is_a_body(data):
    page = parse(data)
    assert (outline(page), page.text, page.status) == (["<body>"], "", Status.OK)


@pytest.mark.parametrize("bytes_type", [bytes, bytearray, memoryview])
def test_any_type_of_bytes(bytes_type):
    assert parse(bytes_type("<p>é".encode())).text == "é"


@pytest.mark.parametrize("data", [None, 1, ["<p>"]])
def test_anything_else_is_a_type_error(data):
    with pytest.raises(TypeError, match=f"a page must be bytes or str, not {type(data).__name__}"):
        parse(data)


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ({"url": 5}, "url must be a str, not int"),
        ({"headers": "text/html"}, "headers must be a mapping of names to values, not str"),
        ({"headers": {"Content-Type": 5}}, "headers must be a mapping of names to values, both str"),
        ({"limits": 30}, "limits must be Limits, not int"),
    ],
)
def test_an_argument_of_another_type_is_a_type_error(argument, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        parse(b"<p>x", **argument)
    with pytest.raises(TypeError, match=f"^{message}$"):
        clean(b"<p>x", **argument)
    with pytest.raises(TypeError, match=f"^{message}$"):
        clean(b"<p>x", isolated=True, **argument)


def test_half_a_surrogate_pair_becomes_a_replacement_character():
    assert parse("<p>\ud800x\U0001f600").text == "\ufffdx\U0001f600"


# limits


@pytest.mark.parametrize("html", ["<p>abcdef", b"<p>abcdef"])
def test_more_bytes_than_allowed_are_cut(html):
    page = parse(html, limits=Limits(bytes=5))
    assert (page.text, page.status, page.message) == ("ab", Status.TRUNCATED, "longer than 5 bytes")
    assert parse(html, limits=Limits(bytes=9)).status is Status.OK


def test_text_is_never_cut_within_a_character():
    assert [parse("éé", limits=Limits(bytes=size)).text for size in (1, 2, 3, 4)] == ["", "é", "é", "éé"]


def test_bytes_are_never_cut_within_a_character():
    data = ("žluťoučký kůň " * 4).encode()
    page = parse(data + "ů".encode() * 2, limits=Limits(bytes=len(data) + 1))
    assert page.text.startswith("žluťoučký kůň ")


def test_nodes_beyond_the_limit_are_dropped():
    page = parse("<p>a</p>b<p>c", limits=Limits(nodes=4))
    assert outline(page) == ["<body>", ".<p>", "..a", ".b"]
    assert (page.status, page.message) == (Status.TRUNCATED, "more than 4 nodes")
    assert parse("<p>a</p>b<p>c", limits=Limits(nodes=8)).status is Status.OK


@given(htmls)
def test_a_page_cut_after_any_node_is_the_start_of_the_whole_page(html):
    whole = parse(html)
    for nodes in (1, 2, 5, 9):
        page = parse(html, limits=Limits(nodes=nodes))
        page.validate()
        assert len(page) <= nodes
        if page.notes:  # formatting tags dropped: another page
            continue
        assert outline(page) == outline(whole)[: len(page)]
        assert page.status is Status.TRUNCATED or len(page) == len(whole)
        assert all(node < len(page) for node in (*page.attributes, *page.alt_nodes, *page.line_nodes))


def test_elements_nested_too_deeply_are_flattened_and_lose_no_text():
    page = parse("<div>1<div>2<div>3<p>4<b>5</b>6</p></div></div></div>7", limits=Limits(depth=3))
    assert outline(page) == ["<body>", ".<div>", "..1", "..<div>", "...2", "...3", "...4", "...5", "...6", ".7"]
    assert page.notes == ("3 elements below depth 3 flattened",)
    assert page.status is Status.OK


@pytest.mark.parametrize("tag", ["div", "b", "table", "a", "x"])
def test_endless_nesting_loses_no_text(tag):
    page = parse(f"<{tag}>" * 20_000 + "deep" + f"</{tag}>" * 20_000 + "last")
    page.validate()
    assert page.text == "deeplast"
    assert page.depth.max() <= 513


def test_formatting_tags_that_multiply_are_dropped():
    page = parse("<b><i><font size=1>x<p>" * 3000 + "<bdo>y</bdo>", limits=Limits(nodes=20_000))
    assert page.text == "x" * 3000 + "y"
    assert page.notes == ("formatting tags dropped because too many are not closed",)
    assert {"<p>", "<bdo>"} <= {entry.strip(".") for entry in outline(page)}
    assert page.status is Status.OK


def test_no_time_left():
    page = parse("<p>x" * 10, limits=Limits(seconds=1e-9))
    assert (page.status, len(page), page.message) == (Status.LIMIT, 0, "parsing took longer than 1e-09 s")


@pytest.mark.parametrize("name", ["bytes", "nodes", "depth", "seconds"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), "9", None])
def test_limits_must_be_positive(name, value):
    with pytest.raises(ConfigError, match=f"limit {name} must be a positive (whole )?number, not"):
        Limits(**{name: value})


@pytest.mark.parametrize("name", ["bytes", "nodes", "depth", "seconds"])
@pytest.mark.parametrize("value", [2**63, 10**400])
def test_limits_that_nothing_can_reach_are_refused(name, value):
    with pytest.raises(ConfigError, match=f"limit {name} must be below 9223372036854775807"):
        Limits(**{name: value})
    assert Limits(seconds=float("inf")).latest == float("inf")


@pytest.mark.parametrize("name", ["bytes", "nodes", "depth"])
def test_what_limits_count_is_whole(name):
    assert Limits(seconds=0.5).seconds == 0.5
    with pytest.raises(ConfigError, match=f"limit {name} must be a positive whole number, not 0.5"):
        Limits(**{name: 0.5})


def test_elements_whose_attributes_the_parser_repeats_too_often():
    """The parser opens the `b` again in each paragraph, and its markup would have all of its attribute each time."""
    page = parse("<p><b title='" + "A" * 1_000_000 + "'>" + "<p>x" * 600)
    message = "the markup of its elements is longer than 536870912 characters"
    assert (page.status, page.message, len(page)) == (Status.LIMIT, message, 0)


def test_a_note_reports_that_the_parser_flattened_elements():
    deep = parse("<div>" * 2_000 + "INSIDE")
    assert deep.notes == ("elements below depth 512 flattened by the parser",)
    assert deep.text == "INSIDE"
    assert parse("<div>" * 400 + "INSIDE").notes == ()


def test_only_a_wrapper_with_an_id_is_removed():
    assert parse("<text id='u1' title=\"T\">\n<p>x</p></text>").meta.wrapper == (("id", "u1"), ("title", "T"))
    assert parse("<text class=x>hello</text>").text == "hello"


def test_a_short_text_with_one_control_character_is_a_page():
    page = parse("a\x01b <p>c")
    assert (page.status, page.text) == (Status.OK, "a b c")


def test_a_page_with_exactly_as_many_nodes_as_allowed_is_complete():
    page = parse("<p>a</p><p>b</p>", limits=Limits(nodes=5))
    assert (len(page), page.status) == (5, Status.OK)


@pytest.mark.parametrize(
    ("mark", "url"),
    [
        ("<!-- saved from url=(0025)https://tea.example/three -->", "https://tea.example/three"),
        ("<!DOCTYPE html>\n<!-- Saved from url=https://tea.example/three --><html>", "https://tea.example/three"),
        ("<!-- saved from url=(0022)http://internet.e-mail -->", None),  # a zone of Internet Explorer
        ("<!-- saved from url=(0014)about:internet -->", None),
        (f"<p>{'tea ' * 1000}<!-- saved from url=(0025)https://tea.example/three -->", None),
    ],
)
def test_the_address_that_a_browser_noted_in_a_page_is_its_own(mark: str, url: str | None) -> None:
    html = f"{mark}\n<p><a href=four>Tea</a>"
    assert parse(html).url == parse(html.encode()).url == url
    assert parse(html, url="https://other.example/").url == "https://other.example/"
