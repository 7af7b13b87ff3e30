"""The copy of a page that a frame shows: sanitised before any browser sees it."""

from __future__ import annotations

import re

import pytest

import dehusk
from cpu_time import assert_quick
from dehusk.blocks import segment
from dehusk.studio.frame import to_frame, without_loads
from studio_payloads import contents

STARTS = re.compile(r"<([a-z][^\s/>]*)")
KNOWN_LOADS = re.compile(r"\b(?:href|action|formaction|srcset|poster|ping|background|data|cite|xlink:href|srcdoc)=")


def frame_of(html: str | bytes) -> str:
    return to_frame(segment(dehusk.parse(html)))


@pytest.mark.parametrize("content", [content for _, content in contents()], ids=[name for name, _ in contents()])
def test_only_harmless_elements_and_attributes_are_left(content: str | bytes) -> None:
    shown = frame_of(content).partition("</head>")[2]
    tags = re.findall(r"<[a-z][^>]*>", shown)  # in texts, < is escaped, and in values > is
    names = {STARTS.match(tag)[1] for tag in tags}
    assert not names & {"script", "iframe", "svg", "math", "style", "link", "meta", "base", "object", "embed", "input"}
    for tag in tags:
        bare = re.sub(r'"[^"]*"', '""', tag)
        assert not re.search(r"\son\w+=|\sname=|\starget=|\sautofocus", bare), tag
        assert not KNOWN_LOADS.search(bare), tag
        assert all(value.startswith("data:image/") for value in re.findall(r'\ssrc="([^"]*)"', tag))


def test_a_page_in_a_script_from_right_to_left_is_shown_so() -> None:
    assert '<html lang="ar" dir="rtl">' in frame_of("<html lang=ar><p>شاي")
    assert '<html lang="en">' in frame_of("<html lang=en><p>Tea")


def test_the_studio_s_own_elements_are_not_forged() -> None:
    shown = frame_of("<p>one</p><dh-b data-b=7 data-m=keep>two</dh-b><dh-image onclick=x>three</dh-image>")
    assert set(re.findall(r'data-b="(.*?)"', shown)) == {"0", "1"}
    assert "data-m" not in shown
    assert "<dh-image" not in shown


def test_ids_hide_no_property_of_a_form() -> None:
    shown = frame_of(
        "<form id=f><button id=closest>x</button><select id=matches><option>y</select></form><p id=kept>z</p>"
    )
    assert "closest" not in shown
    assert "matches" not in shown
    assert 'id="kept"' in shown


ADDRESSES = [
    "a{b:url(//e.x/)}", "a{b:u\\72l(//e.x/)}", "a{b:\\75\\72\\6c(//e.x/)}", "a{b:\\000075rl(//e.x/)}",
    "a{b:u\\rl(//e.x/)}", "@import '//e.x/';", "@\\69mport '//e.x/';", "@font-face{src:url(//e.x/)}",
    "a{b:image-set('//e.x/' 1x)}", "a{b:im\\61ge\\2dset('//e.x/' 1x)}", "a{b:url(//e.x/", "a{b:url('//e.x/",
    "a{b:src('//e.x/')}", "a{b:URL(//e.x/)}", "a{b:url(/**///e.x/)}", "a{b:u/**/rl(//e.x/)}", "@namespace url(//e.x/);",
    "a{b:-webkit-cross-fade(url(//e.x/),url(//e.x/))}", "a{b:url(//e.x/(a)(b))}", "a{b:url( '//e.x/)' )}",
]  # fmt: skip


@pytest.mark.parametrize("css", ADDRESSES)
def test_addresses_in_style_sheets_are_removed(css: str) -> None:
    assert not re.search(
        r"(?:url|src|image|set|fade)\(|@import|@font-face|@namespace", without_loads(css), re.IGNORECASE
    )


def test_images_and_escapes_in_style_sheets_stay() -> None:
    for css in (
        "a{b:url(data:image/png;base64,AAAA)}",
        ".sm\\:flex{x:y}",
        'q::before{content:"\\201c"}',
        ".\\31 a{x:y}",
        'q{content:"\\\\rl\\\\72"}',
    ):
        assert without_loads(css) == css


@pytest.mark.parametrize(
    "css", ["</style>", "<</style>/style>", "<</style", "</STYLE >", "<!--</style>-->", "</styl\0e>"]
)
def test_a_style_sheet_does_not_end_its_element(css: str) -> None:
    assert "</s" not in without_loads(css).lower()


@pytest.mark.parametrize(
    "token",
    [
        "url(",
        'url("',
        "url('",
        "url((",
        'url(a"',
        "@import ",
        "@font-face{",
        "/*",
        "\\72",
        "\\",
        "cross-fade(",
        'url(")',
    ],
)
def test_style_sheets_take_linear_time(token: str) -> None:
    assert_quick(lambda: without_loads(token * (1_000_000 // len(token))), 6)
