"""WebMainBench's measures: worked examples, slow literal references, properties, what both sides lack."""

import sys
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.base.errors import MissingExtraError
from dehusk.measures import main_markdown
from dehusk.measures.main_markdown import PARTS, PartEdits, RougeN, part_edits, rouge_n, table_trees

GOLD = """# Tea

Water at $80^\\circ$ for \\(t < 3\\) minutes, not `$5 or $6`.

| tea | grams |
|:----|------:|
| green | 2 |
| black | |

```python
steep(2)
```

    pour()
\twait()
    drink()

    * not code: an item
    of a list

    costs $5
    in the shop

    alone
"""
PARTS_OF_GOLD = {
    "text": GOLD,
    "code": "steep(2)\npour()\nwait()\ndrink()",
    "formulas": "80^\\circ\nt < 3",
    "tables": "tea grams\ngreen 2\nblack",
}
cells = st.lists(st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=2), max_size=3)
texts = st.text(alphabet="ab |-`$\\()\n", max_size=30)


def naive_distance(first: str, second: str) -> int:
    """The Levenshtein distance, by its recursion."""

    @cache
    def to(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        return min(to(i - 1, j) + 1, to(i, j - 1) + 1, to(i - 1, j - 1) + (first[i - 1] != second[j - 1]))

    return to(len(first), len(second))


def naive_tree_distance(first: tuple, second: tuple) -> float:
    """The distance of two ordered forests, by its recursion on their last trees; a tree is (tag, text, children)."""

    def size(forest: tuple) -> int:
        return sum(1 + size(children) for _, _, children in forest)

    def renamed(one: tuple, other: tuple) -> float:
        if one[0] != other[0]:
            return 1.0
        return naive_distance(one[1], other[1]) / max(len(one[1]), len(other[1]), 1)

    @cache
    def to(left: tuple, right: tuple) -> float:
        if not left or not right:
            return size(left) + size(right)
        *_, one = left
        *_, other = right
        return min(
            to(left[:-1] + one[2], right) + 1,
            to(left, right[:-1] + other[2]) + 1,
            to(left[:-1], right[:-1]) + to(one[2], other[2]) + renamed(one, other),
        )

    return to(first, second)


def test_rouge_of_a_worked_example() -> None:
    # Tokens: "a", " ", "b", " ", "c", " ", "d" and "a", " ", "b", " ", "c", " ", "e": runs a_b_c, _b_c_, b_c_d; of the
    # other side the last one is b_c_e.
    assert rouge_n("a b c d", "a b c e") == RougeN(2, 3, 3)
    assert rouge_n("a b c d", "a b c e").f1 == pytest.approx(2 / 3)
    assert rouge_n("a b c d", "a b c", n=5) == RougeN(1, 3, 1)


def test_rouge_of_chinese_is_of_words() -> None:
    assert rouge_n("今天天气很好", "今天天气很好", n=2).gold < len("今天天气很好") - 1


def test_rouge_of_short_and_blank_texts() -> None:
    assert rouge_n(" \n", "").f1 == 1
    assert rouge_n("a b", "a b").f1 == 0  # no run of five tokens, as in the benchmark
    assert rouge_n("", "a b c d").f1 == 0


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_rouge_is_that_of_a_literal_count(ours: list[str], theirs: list[str]) -> None:
    predicted, gold = " ".join(ours), " ".join(theirs)
    runs = [
        [text[n : n + 5] for n in range(len(text) - 4)]
        for text in (predicted, gold)  # each character is a token
    ]
    common = sum(min(count, runs[1].count(run)) for run, count in Counter(runs[0]).items())
    precision, recall = (common / max(1, len(side)) for side in runs)
    f1 = 2 * precision * recall / (precision + recall) if common else 0.0
    assert rouge_n(predicted, gold).f1 == pytest.approx(1.0 if not predicted and not gold else f1)


def test_the_parts_of_markdown() -> None:
    edits = part_edits(GOLD, "")
    assert {part: edits[part].length for part in PARTS} == {part: len(text) for part, text in PARTS_OF_GOLD.items()}
    for part, text in PARTS_OF_GOLD.items():
        assert main_markdown._parts(GOLD)[part] == text


def test_the_first_table_in_html_stands_for_all() -> None:
    html = "x\n\n<table><tr><th>tea<th>g</tr><tr><td>green <b>leaf</b><td></tr></table>\n<table><tr><td>2</table>\n"
    assert main_markdown._parts(f"{html}\n|a|\n|---|\n|b|")["tables"] == "tea g\ngreenleaf"


def test_edits_of_a_worked_example() -> None:
    edits = part_edits(GOLD.replace("green", "greens").replace("pour", "boil"), GOLD)
    assert edits["tables"] == PartEdits(1, len(PARTS_OF_GOLD["tables"]) + 1)
    assert edits["code"] == PartEdits(3, len(PARTS_OF_GOLD["code"]))  # p→b, u→i, r→l
    assert edits["formulas"].similarity == 1
    assert edits["text"].similarity == pytest.approx(1 - 4 / (len(GOLD) + 1))


def test_a_part_that_both_sides_lack_has_no_length() -> None:
    edits = part_edits("Tea", "Tee")
    assert [part for part in PARTS if edits[part].length] == ["text"]
    assert edits["code"].similarity == 1
    assert edits["text"] + edits["code"] == PartEdits(1, 3)


@given(texts, texts)
def test_edits_are_those_of_the_literal_recursion(predicted: str, gold: str) -> None:
    ours, theirs = (main_markdown._parts(text) for text in (predicted, gold))
    for part, edits in part_edits(predicted, gold).items():
        assert edits.edits == naive_distance(ours[part], theirs[part])
        assert 0 <= edits.similarity <= 1


def in_markdown(rows: list[list[str]]) -> str:
    return "\n".join(["| h |", "|---|", *("| " + " | ".join(row) + " |" for row in rows)])


def as_tree(rows: list[list[str]]) -> tuple:
    head = ("tr", "", (("th", "h", ()),))
    return (("table", "", (head, *(("tr", "", tuple(("td", cell, ()) for cell in row)) for row in rows))),)


def test_trees_of_a_worked_example() -> None:
    same = table_trees(in_markdown([["a"]]), "<table><thead><tr><th>h</thead><tbody><tr><td>a</tbody></table>")
    assert same is not None
    assert (same.distance, same.nodes, same.similarity) == (0, 5, 1)
    other = table_trees(in_markdown([["ab"], ["b"]]), in_markdown([["a"]]))
    assert other is not None
    assert (other.distance, other.nodes) == (2.5, 7)  # a row and its cell, and half of a text
    assert other.similarity == pytest.approx(1 - 2.5 / 7)


@given(cells, cells)
@settings(deadline=None)
def test_trees_are_as_far_apart_as_the_literal_recursion_says(ours: list[list[str]], theirs: list[list[str]]) -> None:
    found = table_trees(in_markdown(ours), in_markdown(theirs))
    assert found is not None
    assert found.distance == pytest.approx(naive_tree_distance(as_tree(ours), as_tree(theirs)))


def test_trees_that_one_or_both_sides_lack() -> None:
    table = in_markdown([["a"]])
    assert table_trees("no table", "none | here") is None
    for sides in ((table, ""), ("", table)):
        found = table_trees(*sides)
        assert found is not None
        assert found.similarity == 0


def test_trees_that_take_too_long_have_no_figure() -> None:
    large = in_markdown([["a"] * 10] * 50)
    assert table_trees(large, large) is None
    nested = "<table><tr><td>" * 40 + "a"
    assert table_trees(nested, nested) is None


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jieba", None)
    main_markdown._jieba.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'dehusk\[webmainbench\]'"):
        rouge_n("a", "b")
    monkeypatch.setitem(sys.modules, "apted", None)
    with pytest.raises(MissingExtraError, match="apted"):
        table_trees(in_markdown([]), in_markdown([]))
