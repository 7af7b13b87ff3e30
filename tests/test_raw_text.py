"""Elements of raw text that swallow a part of the page."""

from collections.abc import Callable

import pytest

from cpu_time import assert_linear
from dehusk import parse
from dehusk.read.parsing import release

PAGE = "<div><p>all the text of the page is here</p>\n<p>and it goes on for a while, as text does in pages</p></div>"
XHTML = '<html xmlns="http://www.w3.org/1999/xhtml">'
STARTS = {
    "xhtml": '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">' + XHTML,
    "xmlns": XHTML,
    "xml": f'<?xml version="1.0"?>{XHTML}',
    "html": "<!DOCTYPE html><html><meta charset=utf-8>",
}
RAW = ["iframe", "textarea", "script", "title", "style", "noframes", "noembed", "xmp"]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("tag", RAW)
@pytest.mark.parametrize("before", ["", "<p>one</p>"])
def test_a_self_closed_element_swallows_nothing(start: str, tag: str, before: str) -> None:
    page = parse(f'{STARTS[start]}<body>{before}<{tag} id="x"/>{PAGE}</body></html>')
    assert "all the text of the page is here" in page.text
    assert "and it goes on" in page.text
    assert "<p>" not in page.text
    assert "self-closed element" in page.notes[0] or page.notes == ("text taken from noframes",)


@pytest.mark.parametrize("tag", RAW)
def test_up_to_the_next_end_tag(tag: str) -> None:
    page = parse(f"<meta charset=utf-8><body><p>one</p><{tag} id=x />{PAGE}<{tag}></{tag}><p>two</p>")
    assert "all the text of the page is here" in page.text
    assert page.text.strip().endswith("two")


@pytest.mark.parametrize("tag", ["iframe", "textarea", "style", "noframes", "noembed"])
def test_an_unclosed_element_is_closed(tag: str) -> None:
    page = parse(f"<body><p>one</p><{tag} class=x>\r\n{PAGE}</body></html>\r\n")
    assert "all the text of the page is here" in page.text
    assert "<p>" not in page.text
    assert page.notes == (f"unclosed {tag} closed before the markup in it",)


def test_an_unclosed_script_ends_where_lines_of_markup_start() -> None:
    page = parse(f"<body><p>one</p><script>var a = '<p>no</p>';\n  {PAGE}</body>")
    assert "all the text of the page is here" in page.text
    assert "var a" not in page.text
    page = parse(f"<head><script>var a;\n</head>\n<body>\n{PAGE}<script>b</script><p>two</p>")
    assert "all the text of the page is here" in page.text
    assert page.notes == ("unclosed script closed before the markup in it",)


def test_what_is_lost_is_said() -> None:
    page = parse(f"<body><p>one</p><script>a = 1; {PAGE.replace(chr(10), ' ')}</body>")
    assert page.text == "one"
    assert len(page.notes) == 1
    assert page.notes[0].startswith("an unclosed script holds ")


@pytest.mark.parametrize(
    "inner",
    [
        f"<script>x = '{PAGE}'.replace('a', 'b')</script>",
        f"<script type=text/template>{PAGE}</script>",
        f"<script>y = `\n{PAGE}`</script>",
        f"<textarea>{PAGE}</textarea>",
        f"<iframe src=x>{PAGE}</iframe>",
        "<style>p > a { color: red }</style>",
    ],
)
def test_closed_elements_stay_as_they_are(inner: str) -> None:
    html = f"<body><p>one<br/></p>{inner}<p>two</p>"
    page = parse(html)
    assert page.elements.text == html
    assert not page.notes


@pytest.mark.parametrize("shape", ["<script>", "<script></p>", "<iframe/>", "<textarea/></p>", "<style><p></p>"])
def test_time_grows_with_the_size_of_the_page(shape: str) -> None:
    def prepare(count: int) -> Callable[[], object]:
        html = f"<p>x</p>{shape * count}{PAGE}"
        return lambda: (parse(html), release(html, (("script", html[20:]), ("iframe", html[30:]))))

    assert_linear(prepare, 2_500)
