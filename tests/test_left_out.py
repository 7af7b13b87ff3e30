"""Contents of scripts and styles that compiled modules leave out of what the parser reads: nothing may depend on it."""

import pytest

import dehusk
from test_oracle_reading import check

CODE = "var a = b < c;\n" * 700
SHEET = "a { b: c }\n" * 800
TEXT = "<p>Ann pours the tea, and nobody says a word about it.</p>"
SOURCES = {
    "script": f"<head><script>{CODE}</script></head>{TEXT}",
    "style": f"<style media=all>{SHEET}</style>{TEXT}<style>{SHEET}</style>",
    "capitals": f"{TEXT}<SCRIPT\ntype='a>b'>{CODE}</SCRIPT>{TEXT}",
    "other letters": f"{TEXT}<script>{CODE}é日😀</script>{TEXT}",
    "never closed": f"{TEXT}<script>{CODE}</p>{TEXT}",
    "another end": f"{TEXT}<script>{CODE}</scripts>{TEXT}</script >{TEXT}",
    "doubly escaped": f"{TEXT}<script>{CODE}<!--<script>{CODE}</script>{TEXT}--></script>{TEXT}",
    "in a comment": f"{TEXT}<!-- <script>{CODE}</script>{TEXT} -->{TEXT}",
    "in half a comment": f"{TEXT}<!-- > <script>{CODE}--></script>{TEXT}",
    "in a text area": f"{TEXT}<textarea><script>{CODE}</textarea>{TEXT}</script>{TEXT}",
    "in an attribute": f"{TEXT}<p title='<script>{CODE}</script>'>{TEXT}",
    "in a drawing": f"{TEXT}<svg><style>{SHEET}</style><p>{CODE}</svg>{TEXT}",
    "in a formula": f"{TEXT}<math><style>{SHEET}<b>{CODE}</style></math>{TEXT}",
    "in a list of options": f"{TEXT}<select><style>{SHEET}</style><option>{CODE}</select>{TEXT}",
    "in a frame set": f"<frameset><style>{SHEET}</style><noframes>{TEXT}</noframes></frameset>",
    "in a template": f"{TEXT}<template><script>{CODE}</script>{TEXT}</template>{TEXT}",
    "in a noscript": f"{TEXT}<noscript><style>{SHEET}</style>{TEXT}</noscript>{TEXT}",
    "after plain text": f"{TEXT}<plaintext><script>{CODE}</script>{TEXT}",
    "holds the page": f"<script>{CODE}{TEXT * 9}</script>{TEXT}",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_page_is_the_same_without_them(source: str) -> None:
    check(source)


def test_they_are_there_when_somebody_asks() -> None:
    scripts = dehusk.clean(SOURCES["script"]).page.elements.select("script")
    assert [script.text for script in scripts] == [CODE]
