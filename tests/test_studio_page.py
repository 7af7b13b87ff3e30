"""The view of a page without a browser: the outcome and its places, reasons in words."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import Labels
from dehusk.label.baseline import KeepAll
from dehusk.label.rules import Rules
from dehusk.read.page import Page
from dehusk.studio.explaining import why
from dehusk.studio.outcome import block_outcome, common_of
from dehusk.studio.places import FORMATS, letter_places, outcome_text

EXAMPLES = Path(__file__).parent.parent / "examples"
TEA = (EXAMPLES / "tea.html").read_bytes()
EMOJI = """<html><body><h1>\U0001f375 Tea of \U0001f343 leaves</h1>
<p>The \U0001f600 leaves of the first harvest are picked by hand in April, when the buds are still closed.</p>
<p>They are steamed \U0001f4a8 within a few hours, so that they stay green, and dried until they are brittle.</p>
</body></html>"""


def code_units(text: str) -> bytes:
    return text.encode("utf-16-le")


def at(text: str, start: int, end: int) -> str:
    """Return the part of a text that a browser would take."""
    return code_units(text)[2 * start : 2 * end].decode("utf-16-le")


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("page", [TEA, EMOJI])
def test_places_contain_the_text_of_their_blocks(format_name: str, page: str | bytes) -> None:
    document = dehusk.clean(page)
    text, places = outcome_text(document, format_name)
    assert len(places) >= document.labels.kept.sum()
    for start, end, block in places:
        own = re.findall(r"\w+", document.labels.blocks.texts[block])
        assert own[0] in at(text, start, end)
        assert own[-1] in at(text, start, end)
    assert [place[:2] for place in places] == sorted(place[:2] for place in places)


def test_the_outline_has_a_line_for_each_part() -> None:
    html = "<h1>Tea</h1><p>Pour the\nwater.<h2>Cups</h2><ul><li>one<li>two</ul><pre>brew()\nserve()</pre>"
    document = dehusk.clean(html, method=KeepAll())
    lines = outcome_text(document, "outline")[0].splitlines()
    assert [line.replace(" 1.00", "") for line in lines] == [
        "document",
        "  section 1: Tea",
        "    paragraph: Pour the water.",
        "    section 2: Cups",
        "      list",
        "        item",
        "          paragraph: one",
        "        item",
        "          paragraph: two",
        "      code: brew() serve()",
    ]
    assert len(lines) == len(list(document.outline.walk()))
    assert outcome_text(dehusk.clean(b""), "outline") == ("document\n", [])


def test_json_is_the_record_of_the_document() -> None:
    document = dehusk.clean(TEA)
    text, _ = outcome_text(document, "json")
    assert json.loads(text) == document.record()


def test_json_has_a_line_per_value_whatever_the_texts_look_like() -> None:
    odd = '<p>Tea: [1,\n   2] and },\n   { "quoted" \\n \u2028 stay what they are, in this and every other line.</p>'
    document = dehusk.clean(f"<body><pre>a [3,\n   4]\n }},\n   {{</pre>{odd}<ul><li>one<li>two</ul>", method=KeepAll())
    text, places = outcome_text(document, "json")
    assert json.loads(text) == document.record()
    for start, end, block in places:
        assert json.loads(at(text, start, end)) == document.record()["blocks"][block]
        assert at(text, start, end).count("\n") == 10
    empty = dehusk.clean(b"")
    assert json.loads(outcome_text(empty, "json")[0]) == empty.record()


def test_places_survive_markup_addresses_and_blocks_that_are_not_written() -> None:
    blocks = [(0, "Green tea"), (1, "not written at all"), (2, "Pour water"), (3, "over it")]
    text = "# Green *tea*\n\n[Pour](https://tea.example/not/pour) w**ater**\n\nover it!\n"
    assert [(text[start:end], block) for start, end, block in letter_places(text, blocks)] == [
        ("Green *tea*", 0),
        ("Pour](https://tea.example/not/pour) w**ater**", 2),
        ("over it!", 3),
    ]


class EveryTag(KeepAll):
    """A method with other blocks than the common ones; it keeps all but the last one."""

    def segment(self, page: Page) -> Blocks:
        return segment(page, every_tag=True)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        labels = super().label(blocks, explain=explain)
        labels.kept[-1] = False
        return labels


def test_other_blocks_are_mapped_to_the_common_ones() -> None:
    page = "<p>Some <b>bold words</b> in a <i>paragraph</i> of tea</p><p>And <b>nearly all</b> of it</p><p>The end</p>"
    document = dehusk.clean(page, method=EveryTag())
    assert len(document.labels) == 9
    assert common_of(document).tolist() == [0, 0, 0, 0, 0, 1, 1, 1, 2]
    outcome = block_outcome(document)
    assert outcome.kept.tolist() == [True, True, False]
    assert outcome.own.tolist() == [0, 5, 8]
    _, places = outcome_text(document, "text")
    assert [block for _, _, block in places] == [0, 0, 0, 0, 0, 1, 1, 1]


def test_a_page_without_text_has_an_outcome() -> None:
    document = dehusk.clean(b"<html><body></body></html>", method="victor")
    assert block_outcome(document).columns() == {"kept": [], "label": [], "probability": []}
    assert outcome_text(document, "text") == ("", [])


def test_reasons_are_words_and_bars() -> None:
    document = dehusk.clean(TEA, explain=True)
    kept = int(np.flatnonzero(document.labels.kept)[0])
    answer = why(document, kept)
    assert answer["words"].startswith("Kept: ")
    assert answer["otherwise"]
    assert answer["base"] + sum(bar["adds"] for bar in answer["bars"]) == pytest.approx(answer["total"], abs=0.02)
    assert document.page.tag_name(answer["node"]) in answer["words"]
    assert answer["path"].startswith("/html")
    with pytest.raises(KeyError):
        why(document, 10_000)


def test_a_rule_and_hidden_text_are_named() -> None:
    text = "The leaves of the first harvest are picked by hand in April, when the buds are still closed. " * 3
    spam = "Cheap pills and online casinos are what people who read about tea look for, day and night."
    page = f'<body><p>{text}</p><p style="font-size:0">{spam}</p><p>{text}</p><p class="x">{text}</p>'
    document = dehusk.clean(page, explain=True, rules=Rules.parse('["*"]\ndrop = [".x"]\n'))
    assert "A rule drops it" in why(document, 3)["words"]
    assert "Readers of the page do not see it" in why(document, 1)["words"]
