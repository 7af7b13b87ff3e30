"""What pages lost on their way into an output once: what users of the documents and writers found by running them."""

import pytest

import dehusk

PROSE = "<p>Some introduction that is long enough to be a paragraph of text, with many words.</p>"


def written(body: str, format_name: str = "text", around: str = PROSE) -> str:
    """Return the output of a page between two paragraphs, without these in plain text."""
    document = dehusk.clean(f"{around}{body}{around}", url="https://tea.example/p", method="keep-all")
    return document.render(format_name)


def lines(body: str) -> list[str]:
    return written(body).split("\n\n")[1:-1]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("<h1>北京</h1><p>今天北京晴，最高气温三十度，最低气温十八度，南风二级。</p><div id=fb></div>", "ok"),
        ("<p>Monday to Friday 8 to 18</p><p>12 High Street, Leeds, LS1</p><p>Tel. 0113 496</p><x-m></x-m>", "ok"),
        ("<p>Loading the application</p><div id=root></div>", "no-content"),
        ("<noscript>You need to enable JavaScript for our application.</noscript><div id=x></div>", "no-content"),
    ],
)  # fmt: skip
def test_a_short_page_with_paragraphs_is_no_shell(body: str, status: str) -> None:
    assert dehusk.clean(f"<body>{body}<script src=a.js></script>").status == status


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p><math>\n  <mi>a</mi>\n  <mo>=</mo>\n <mi>b</mi></math> holds</p>", "$a=b$ holds"),
        ("<p><math display=block>\n <mi>a</mi>\n</math></p>", "$$a$$"),
        ("<table><tr><th>a<th>b<th>c<tr><td colspan=2>wide<td>z</table>", "a\tb\tc\nwide\t\tz"),
        ("<table><tr><th>a<th>b<tr><td rowspan=2>r<td>1<tr><td>2</table>", "a\tb\nr\t1\n\t2"),
    ],
)
def test_formulas_and_cells_with_spans_in_plain_text(body: str, expected: str) -> None:
    assert lines(body) == [expected]


def test_the_image_of_a_formula_alone_in_its_paragraph_is_written_after_the_text_before_it() -> None:
    image = '<p><img src="https://latex.codecogs.com/gif.latex?a" alt="\\frac{a}{b}"></p>'
    assert written(image).count("many words. $\\frac{a}{b}$\n") == 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            '<img src="data:image/gif;base64,R0lGOD" data-src=/a.jpg alt="A pot">',
            '<img src="https://tea.example/a.jpg" alt="A pot">',
        ),
        ("<img src=/spacer.gif data-original=b.jpg>", '<img src="https://tea.example/b.jpg">'),
        ("<p>x <amp-img src=c.jpg></amp-img> y</p>", '<img src="https://tea.example/c.jpg">'),
        ('<p>E <script type="math/tex">E=m</script> y</p>', "<p>E $E=m$  y</p>"),
        (
            "<p>x <span class=katex><math><mi>E</mi></math><span aria-hidden=true>E</span></span></p>",
            "<span><math><mi>E</mi></math></span>",
        ),
        ("<table><tr><td rowspan=0>a<td>b<tr><td>c</table>", '<td rowspan="0">a</td>'),
        ("<p>x <math><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac></math></p>", '<mfrac linethickness="0">'),
    ],
)
def test_html_keeps(body: str, expected: str) -> None:
    assert expected in written(body, "html")


@pytest.mark.parametrize("page", ["<html lang=ar dir=rtl><body><p>x", "<html lang=ar><body dir=RTL><p>x"])
def test_html_keeps_the_direction_of_the_page(page: str) -> None:
    assert '<html lang="ar" dir="rtl">' in dehusk.clean(page, method="keep-all").html
