"""What pages lost on their way into an output once: what users of the documents and writers found by running them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import dehusk
from dehusk.about.dates import read_dates
from dehusk.about.metadata.people import names_in
from dehusk.base.errors import ConfigError
from dehusk.cli import command
from dehusk.compat import trafilatura

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


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p><del>30,00 €</del><ins>20,00 €</ins></p>", "30,00 € 20,00 €"),
        ("<p><span class=a>US$</span><span class=b>20</span></p>", "US$20"),
        ("<div class=p><span class=price-integer>49</span><span class=price-fraction>99</span>€</div>", "49.99€"),
        ('<div style="display:flex"><span>Mon</span><span>Tue</span></div>', "Mon Tue"),
        ('<div>Price <span style="display:block">12 EUR</span>incl.</div>', "Price 12 EUR incl."),
        ("<div role=row><span role=cell>1</span><span role=cell>22</span></div>", "1 22"),
        ("<p><ruby>東京<rt>とうきょう</rt></ruby>で</p>", "東京(とうきょう)で"),
        ("<p><ruby>東京<rp>(</rp><rt>とうきょう</rt><rp>)</rp></ruby>で</p>", "東京(とうきょう)で"),
        ("<p>She said <q>Hello <b>you</b></q> and left.</p>", "She said “Hello you” and left."),
        ("<p>She said <q>'Hello'</q> and left.</p>", "She said 'Hello' and left."),
        ("<p>On <time>2019-11-18T22:05:36Z</time></p>", "On 2019-11-18 22:05 UTC"),
    ],
)
def test_what_stands_apart_on_the_page_stands_apart_in_the_text(body: str, text: str) -> None:
    assert lines(body) == [text]
    assert written(body, "markdown").replace("*", "").replace("~", "").split("\n\n")[1:-1] == [text]


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("2024년 3월 5일 오후 3:20", "ko", "2024-03-05T15:20"),
        ("2024년 3월 5일 오전 3:20", "ko", "2024-03-05T03:20"),
        ("2024年3月5日 下午3:20", "zh", "2024-03-05T15:20"),
        ("2024年3月5日 午後3:20", "ja", "2024-03-05T15:20"),
        ("5 Μαρ 2024, 3:20 μ.μ.", "el", "2024-03-05T15:20"),
        ("5 مارس 2024, 3:20 م", "ar", "2024-03-05T15:20"),
        ("5 במרץ 2024", "he", "2024-03-05"),
        ("2024. gada 5. marts", "lv", "2024-03-05"),
        ("1° aprile 2024", "it", "2024-04-01"),
        ("1.º de marzo de 2024", "es", "2024-03-01"),
        ("ngày 5 tháng 3 năm 2024", "vi", "2024-03-05"),
        ("5 tháng 13, 2024", "vi", None),
        ("5 มี.ค. 2567", "th", "2024-03-05"),
        ("5 มีนาคม 2024", "th", "2024-03-05"),
    ],
)
def test_dates_as_languages_write_them(text: str, language: str, value: str | None) -> None:
    assert [date.value for date in read_dates(text, language)] == ([value] if value else [])


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("José Ortega y Gasset", ["José Ortega y Gasset"]),
        ("Ann Leaf y Bo Cup", ["Ann Leaf", "Bo Cup"]),
        ("Ann Leaf/Bo Cup", ["Ann Leaf", "Bo Cup"]),
        ("AC/DC", ["AC/DC"]),
        ("von Neumann", ["von Neumann"]),
        ("Von Ann Leaf", ["Ann Leaf"]),
    ],
)
def test_names_are_neither_torn_nor_cut(value: str, names: list[str]) -> None:
    assert names_in(value) == names


@pytest.mark.parametrize(("language", "byline"), [("nl", "Door"), ("sv", "Av"), ("da", "Af"), ("de", "Von")])
def test_the_preposition_of_a_byline_is_no_name(language: str, byline: str) -> None:
    page = f"<html lang={language}><title>Tea</title><h1>Tea</h1><p>{byline} Ann Leaf</p>{PROSE * 3}"
    assert dehusk.clean(page).metadata.authors == ("Ann Leaf",)


@pytest.mark.parametrize(
    ("head", "fact"),
    [
        ("<meta http-equiv=Content-Language content=de>", {"language": "de"}),
        ("<meta name=dc.creator content='Leaf, Ann'>", {"authors": ("Ann Leaf",)}),
        ('{"author":{"name":{"@value":"Ann Leaf"}},"datePublished":{"@value":"2024-03-05"}}', {"date": "2024-03-05"}),
        ('{"author":{"givenName":"Bo","familyName":"Cup"}}', {"authors": ("Bo Cup",)}),
    ],
)
def test_what_pages_declare_in_other_ways(head: str, fact: dict[str, object]) -> None:
    if head.startswith("{"):
        head = f'<script type="application/ld+json">{{"@type":"Article",{head[1:]}</script>'
    metadata = dehusk.clean(f"<head>{head}</head><h1>Tea</h1>{PROSE}").metadata
    assert {name: getattr(metadata, name) for name in fact} == fact


def test_more_room_does_not_give_less() -> None:
    document = dehusk.clean((Path(__file__).parents[1] / "examples" / "tea.html").read_bytes())
    sizes = [document.within(max_tokens=room).size for room in (10, 20, 30, 40, 60, 80, 100, 200, 400)]
    assert sizes == sorted(sizes)
    assert document.within(max_tokens=100, query="gyokuro").passages


def test_the_share_of_a_quotation_is_a_share() -> None:
    with pytest.raises(ConfigError, match="least must be between 0 and 1"):
        dehusk.clean(PROSE).locate("introduction", least=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--url", "not a url"), "no address of a page"),
        (("--url", "javascript:1"), "no address of a page"),
        (("--explain", "-f", "tei"), "--explain has no --format tei"),
    ],
)
def test_the_command_refuses(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "tea.html").write_text(PROSE)
    done = CliRunner().invoke(command, ["clean", *words, str(tmp_path / "tea.html")])
    assert (done.exit_code, message in done.output) == (2, True)


@pytest.mark.parametrize("function", ["extract", "bare_extraction", "extract_with_metadata"])
def test_no_page_has_no_text(function: str) -> None:
    assert getattr(trafilatura, function)(None) is None


@pytest.mark.parametrize(
    ("form", "without", "with_both"),
    [
        ("html", "Hot water and", '<a href="https://tea.example/x">water</a>'),
        ("xmltei", "Hot water and", '<ref target="https://tea.example/x">water</ref>'),
        ("txt", "Hot water and", "[water](https://tea.example/x)"),
    ],
)
def test_links_are_written_only_if_wanted(form: str, without: str, with_both: str) -> None:
    page = f"<h1>Tea</h1><p>Hot <a href=/x>water</a> and leaves make tea, says everyone.<img src=a.jpg></p>{PROSE * 3}"
    given = {"url": "https://tea.example/p", "output_format": form}
    plain = trafilatura.extract(page, **given) or ""
    assert without in plain
    assert "<img" not in plain
    assert with_both in (trafilatura.extract(page, include_links=True, include_images=True, **given) or "")


def test_json_has_the_names_of_trafilatura() -> None:
    page = f"<title>Tea</title><meta name=description content='All of it'><h1>Tea</h1>{PROSE * 3}"
    found = json.loads(
        trafilatura.extract(page, url="https://tea.example/p", output_format="json", with_metadata=True) or ""
    )
    assert (found["source"], found["excerpt"], found["tags"]) == ("https://tea.example/p", "All of it", "")


def test_a_listing_without_pre_keeps_its_lines_in_plain_text() -> None:
    listing = '<code class="hljs language-python" style="display:block">\n  x = 1\n  if x:\n    y()\n</code>'
    assert lines(listing) == ["x = 1\nif x:\n  y()"]
    assert lines("<p>See <code>a\nb</code></p>") == ["See a b"]


def test_the_foot_of_a_table_does_not_repeat_its_head() -> None:
    head = "<tr><th>Case<th>File"
    rows = "<tbody><tr><td>A v. B<td>17<tr><td>C v. D<td>19"
    table = f"<table><thead>{head}</thead><tfoot>{head}</tfoot>{rows}</table>"
    assert dehusk.clean(PROSE + table + PROSE * 3).text.count("Case") == 1
    other = table.replace("<tfoot><tr><th>Case", "<tfoot><tr><th>Sum")
    assert "Sum" in dehusk.clean(PROSE + other + PROSE * 3, method="keep-all").text


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<th><a href='?sort=name'>Tea</a>", "| Tea | Price |"),
        ("<td><a href='/teas/sort/name/'>Tea</a>", "| Tea | Price |"),
        ("<th><a href='?orderby=name'>Tea</a>, in pots", "| [Tea](?orderby=name), in pots | Price |"),
        ("<th><a href='/tea'>Tea</a>", "| [Tea](/tea) | Price |"),
    ],
)
def test_links_that_sort_a_table_are_texts(head: str, expected: str) -> None:
    rows = "<tr><td><a href='/teas?sort=new'>Green</a><td>10<tr><td>Black<td>20"
    lines = dehusk.clean(f"{PROSE}<table><tr>{head}<td>Price{rows}</table>{PROSE}").markdown.split("\n")
    assert expected in lines
    assert "| [Green](/teas?sort=new) | 10 |" in lines


def test_the_name_of_a_site_that_classes_mark_is_no_title() -> None:
    name = "<header><h1 class=site-title><a href=/ rel=home>Chicago Streets</a></h1></header>"
    page = f"<title>Meeting Archives – Chicago Streets</title>{name}<article>{PROSE * 4}</article>"
    assert dehusk.clean(page, url="https://tea.example/archives").markdown.startswith("# Meeting Archives\n")
    assert dehusk.clean(page, url="https://tea.example/").markdown.startswith("# Chicago Streets\n")


def test_addresses_in_posts_are_kept() -> None:
    link = '<a href="https://tea.example/pot.zip">https://tea.example/pot.zip</a>'
    post = (
        f"<div class=post><div class=author>Ann</div><p>{PROSE[3:-4]} Download it:<br>{link}<br>{PROSE[3:-4]}</p></div>"
    )
    assert "https://tea.example/pot.zip" in dehusk.clean(f"<h1>Pots</h1>{post * 3}").text


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Victoria Craw and wires", ["Victoria Craw"]),
        ("Center for Drug Evaluation and Research", ["Center for Drug Evaluation and Research"]),
        ("Ann Leaf and Bo Cup", ["Ann Leaf", "Bo Cup"]),
    ],
)
def test_and_parts_names_only(value: str, names: list[str]) -> None:
    assert names_in(value) == names


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("Monday", []),
        ("Tuesday, May 3", []),
        ("Ann Leaf, Monday", ["Ann Leaf"]),
        ("Frida Montag", ["Frida Montag"]),
        ("By Ann Leaf reports", ["Ann Leaf"]),
        ("Consumer Reports", ["Consumer Reports"]),
        ("Dr Ann Leaf - https://tea.example", ["Dr Ann Leaf"]),
        ("Posted by", []),
        ("Web architecture: Ann Leaf", []),
        ("Design: Ann Leaf. Programming: Bo Cup", []),
    ],
)
def test_days_verbs_addresses_and_makers_of_the_site_are_no_names(value: str, names: list[str]) -> None:
    assert names_in(value) == names
