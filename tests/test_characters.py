"""Tables of characters: filled step by step, and as long as they need to be."""

import subprocess
import sys

import numpy as np
import pytest

from dehusk.base.characters import CharClass, class_table, lower_table
from dehusk.compiled.text import classify, lower

TEXTS = ["Tea 4 two!", "\u00ad\u00c4", "\u0130\u03a3\u2019\u200b", "\u3164\u4e2d\ufeff", "\U0001d400\U0001f375", "Tea"]


@pytest.mark.parametrize("stop", [0x100, 0x4000])
def test_a_shorter_table_is_the_start_of_the_whole(stop: int) -> None:
    assert np.array_equal(class_table(stop), class_table()[:stop])
    assert np.array_equal(lower_table(stop), lower_table()[:stop])


def points_of(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


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
