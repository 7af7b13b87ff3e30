"""How well two annotators agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks.labels import CONTINUATION, HEADER, LIST, OTHER, PARAGRAPH
from dehusk.measures.agreement import ContentAgreement, cohens_kappa, content_agreement

FIRST = np.array([HEADER, PARAGRAPH, OTHER, OTHER, -1, LIST])
SECOND = np.array([PARAGRAPH, OTHER, CONTINUATION, OTHER, OTHER, -1])


def test_decisions_are_counted_by_block_and_by_word() -> None:
    assert content_agreement(FIRST, SECOND) == ContentAgreement(1, 1, 1, 1)
    by_word = content_agreement(FIRST, SECOND, np.array([10, 2, 3, 5, 100, 100]))
    assert by_word == ContentAgreement(10, 2, 3, 5)
    assert by_word.observed == 15 / 20
    assert by_word.f1 == 20 / 25
    assert by_word.kappa == pytest.approx((0.75 - 0.53) / (1 - 0.53))


def test_counts_add_up_and_nothing_is_agreement() -> None:
    assert ContentAgreement(1, 2, 3, 4) + ContentAgreement(10, 20, 30, 40) == ContentAgreement(11, 22, 33, 44)
    zero = ContentAgreement()
    assert (zero.items, zero.observed, zero.kappa, zero.f1) == (0, 1, 1, 1)


def test_columns_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="columns differ in length: 6, 5 and 6"):
        content_agreement(FIRST, SECOND[:5])


def test_the_kappa_of_a_textbook_table() -> None:
    assert cohens_kappa([[20, 5], [10, 15]]) == pytest.approx(0.4)  # p_o = .7, p_e = .5


def test_kappa_is_zero_by_chance_and_one_in_agreement() -> None:
    assert cohens_kappa([[4, 4], [4, 4]]) == 0
    assert cohens_kappa([[8, 0, 0], [0, 3, 0], [0, 0, 1]]) == 1
    assert cohens_kappa([[8, 0], [0, 0]]) == 1
    assert cohens_kappa([[0, 0], [0, 0]]) == 1


def test_a_table_that_is_not_square_is_an_error() -> None:
    with pytest.raises(ValueError, match="must be square"):
        cohens_kappa([[1, 2, 3], [4, 5, 6]])


@given(st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), min_size=3, max_size=3))
def test_kappa_does_not_depend_on_the_order_of_annotators(table: list[list[int]]) -> None:
    kappa = cohens_kappa(table)
    assert kappa <= 1
    assert cohens_kappa([list(column) for column in zip(*table, strict=True)]) == pytest.approx(kappa)
