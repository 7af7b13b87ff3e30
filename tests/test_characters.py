"""Tables of characters: filled step by step, and as long as they need to be."""

import subprocess
import sys

import numpy as np
import pytest

from dehusk.base.characters import CharClass, class_table, lower_table
from dehusk.compiled.text import classify, have_ink, lower

TEXTS = ["Tea 4 two!", "\u00ad\u00c4", "\u0130\u03a3\u2019\u200b", "\u3164\u4e2d\ufeff", "\U0001d400\U0001f375", "Tea"]


@pytest.mark.parametrize("stop", [0x100, 0x4000])
def test_a_shorter_table_is_the_start_of_the_whole(stop: int) -> None:
    assert np.array_equal(class_table(stop), class_table()[:stop])
    assert np.array_equal(lower_table(stop), lower_table()[:stop])


def points_of(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


@pytest.mark.parametrize("text", ["", *TEXTS, " \u200b\n\ufeff a", "\U000e0041\u3000"])
def test_parts_of_a_text_have_ink(text: str) -> None:
    ends, starts = (each.ravel().astype(np.int32) for each in np.indices((len(text) + 1, len(text) + 1)))
    is_ink = classify(points_of(text)) < CharClass.WHITE
    found = have_ink(text, starts, ends).tolist()
    assert found == [bool(is_ink[start:end].any()) for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(("starts", "ends"), [([-1], [1]), ([0], [4]), ([0, 1], [1])])
def test_offsets_outside_of_a_text_are_refused(starts: list[int], ends: list[int]) -> None:
    with pytest.raises(ValueError, match="offset"):
        have_ink("tea", np.array(starts, np.int32), np.array(ends, np.int32))


def test_classes_and_lower_case() -> None:
    assert classify(points_of("aÄ中4.;\u200b\n\ufeff+")).tolist() == [
        *[CharClass.ALPHA] * 3,
        *[CharClass.DIGIT, CharClass.PUNCT, CharClass.PUNCT, CharClass.WHITE, CharClass.WHITE],
        *[CharClass.INVISIBLE, CharClass.OTHER],
    ]
    assert lower(points_of("TİΣς\U0001e900")).tobytes().decode("utf-32-le") == "tiσσ\U0001e922"


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[::-1], TEXTS[2:] + TEXTS[:2]])
def test_texts_that_need_more_and_more_rows_in_a_new_process(texts: list[str]) -> None:
    code = (
        "import sys, numpy as np, dehusk\n"
        "from dehusk.compiled.text import classify, lower\n"
        "from dehusk.base.characters import class_of, lower_of\n"
        f"for text in {texts!a}:\n"
        "    points = np.frombuffer(text.encode('utf-32-le'), np.uint32)\n"
        "    dehusk.segment(dehusk.parse('<p>' + text))\n"
        "    assert lower(points).tolist() == [ord('i') if c == 'İ' else lower_of(ord(c)) for c in text]\n"
        "    special = {'\\u200b': 4, '\\u3164': 4, '\\xad': 5, '\\ufeff': 5}\n"
        "    assert classify(points).tolist() == [special.get(c, class_of(ord(c))) for c in text]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
