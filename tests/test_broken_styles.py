"""Broken pages through the united labeller: all styles, with and without a site."""

import gzip

import pytest

import dehusk
import made_sites
from dehusk import Site, Status
from dehusk.label import STYLES
from dehusk.write import format_names

SHELF: dict[str, bytes] = {
    "nothing": b"",
    "white space": b" \n\t",
    "comment only": b"<!-- only a comment -->",
    "no tags": b"plain words without any tag",
    "zero bytes": b"<p>a\0b</p>",
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
    "gzip": gzip.compress(b"<p>packed</p>"),
    "deep": b"<div>" * 3000 + b"inside" + b"</div>" * 3000,
    "unclosed": b"<b><i><font>" * 500 + b"x",
    "misnested": b"<a href=x>" * 300 + b"text" + b"</b></a><p>" * 300,
    "form": b"<form><h1>A heading</h1>" + b"<p>Some words of a paragraph, enough of them to be one.</p>" * 5,
    "frames": b"<frameset cols=*><frame src=a><noframes><body><p>No frames here</p></noframes></frameset>",
    "select": b"<select><option>one<option>two</select><textarea>typed</textarea>",
    "one word": b"word",
    "thai": "<p>ชาเขียวมีรสขมด้วยสองสาเหตุ น้ำร้อนเกินไป หรือแช่ใบชานานเกินไป</p>".encode(),
    "cut": "<p>绿茶变苦有两个原因".encode()[:-1],
    "utf-16": "\ufeff<p>words of two bytes</p>".encode("utf-16-le"),
    "wide table": b"<table>" + b"<tr>" + b"<td colspan=9007199254740991>x" * 200 + b"</table>",
}


@pytest.fixture(scope="module")
def site() -> Site:
    return Site().fit(made_sites.site(6))


@pytest.mark.parametrize("with_site", [False, True], ids=["alone", "with site"])
@pytest.mark.parametrize("style", STYLES)
def test_broken_pages_have_a_status_and_every_format(style: str, with_site: bool, site: Site) -> None:
    for name, data in SHELF.items():
        doc = dehusk.clean(data, style=style, site=site if with_site else None, explain=True)
        assert doc.status is not Status.ERROR, f"{name}: {doc.message}"
        assert doc.message or doc.status is Status.OK, name
        doc.labels.validate()
        for form in format_names():
            doc.render(form).encode("utf-8")
        assert (doc.status is Status.NO_CONTENT) <= (bool(doc.kind) or not doc.labels.kept.any()), name


@pytest.mark.parametrize("pages", [2, 10])
def test_a_site_learned_from_few_pages(pages: int) -> None:
    texts = made_sites.site(pages)
    doc = dehusk.clean(texts[0], site=Site().fit(texts))
    assert made_sites.article(0)[0] in doc.text
    assert made_sites.FOOTER not in doc.text


def test_a_title_that_is_never_closed() -> None:
    doc = dehusk.clean("<html><head><title>A title\n<body><p>Some words of a paragraph, enough of them.</p>")
    assert doc.text == "Some words of a paragraph, enough of them.\n"
    assert doc.page.meta.title == "A title"
    assert doc.notes == ("unclosed title closed at the end of its line",)
    assert dehusk.clean("<title>only a title").status is Status.NO_CONTENT
    closed = dehusk.clean("<title>A title\nof two lines</title><p>Some words of a paragraph, enough of them.</p>")
    assert closed.page.notes == ()


@pytest.mark.parametrize("method", ["united", "victor"])
def test_languages_without_a_stop_list(method: str) -> None:
    """An article between a menu and a footer, in scripts with and without spaces."""
    menus = {"zh": "首页 新闻 体育", "ja": "ホーム ニュース 会社", "th": "หน้าแรก ข่าว กีฬา", "ar": "الرئيسية أخبار رياضة"}
    texts = {
        "zh": "绿茶变苦有两个原因:水太热,或者茶叶泡得太久。两者都很容易避免,只要你了解自己的茶叶。",
        "ja": "緑茶が苦くなる理由は二つあります。お湯が熱すぎるか、茶葉を長く浸しすぎるかです。",
        "th": "ชาเขียวมีรสขมด้วยสองสาเหตุ น้ำร้อนเกินไป หรือแช่ใบชานานเกินไป ทั้งสองอย่างหลีกเลี่ยงได้ง่าย หากรู้จักใบชาของตน",
        "ar": "يصبح الشاي الأخضر مرا لسببين: إما أن الماء كان ساخنا جدا، أو أن الأوراق بقيت فيه طويلا.",
    }
    for language, text in texts.items():
        entries = "".join(f"<li><a href='/{n}'>{word}</a></li>" for n, word in enumerate(menus[language].split()))
        body = f"<h1>{text[:12]}</h1>" + "".join(f"<p>{text}{n}</p>" for n in range(4))
        html = f"<ul class=nav>{entries}</ul><div>{body}</div><div class=footer>2026 ©</div>"
        doc = dehusk.clean(html, method=method)
        assert doc.text.count(text) == 4, language
        assert menus[language].split()[0] not in doc.text, language
