"""Inference in the chain, compared with enumerating all sequences and with plain recursions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.label.victor.chain import best_sequence, marginals


def all_scores(state: np.ndarray, transition: np.ndarray) -> dict[tuple[int, ...], float]:
    """The score of every sequence of labels."""
    n, labels = state.shape
    return {
        path: sum(state[t, path[t]] for t in range(n)) + sum(transition[path[t - 1], path[t]] for t in range(1, n))
        for path in product(range(labels), repeat=n)
    }


def counted_out(state: np.ndarray, transition: np.ndarray) -> np.ndarray:
    """Marginals by their definition: the share of all sequences' weight."""
    scores = all_scores(state, transition)
    top = max(scores.values())
    weight = np.zeros(state.shape)
    for path, score in scores.items():
        for t, label in enumerate(path):
            weight[t, label] += np.exp(score - top)
    return weight / weight.sum(axis=1, keepdims=True)


def log_sum(values: np.ndarray) -> np.ndarray:
    """The logarithm of the sum of exponentials over the first axis."""
    top = values.max(axis=0)
    return top + np.log(np.exp(values - top).sum(axis=0))


def forward_backward(state: np.ndarray, transition: np.ndarray) -> np.ndarray:
    """Marginals by the textbook's recursions, one position after the other, in logarithms."""
    n = len(state)
    alpha, beta = np.zeros_like(state), np.zeros_like(state)
    alpha[0] = state[0]
    for t in range(1, n):
        alpha[t] = state[t] + log_sum(alpha[t - 1][:, None] + transition)
    for t in range(n - 2, -1, -1):
        beta[t] = log_sum((transition + state[t + 1] + beta[t + 1]).T)
    joint = np.exp(alpha + beta - log_sum((alpha + beta).T)[:, None])
    return joint / joint.sum(axis=1, keepdims=True)


def viterbi(state: np.ndarray, transition: np.ndarray) -> list[int]:
    """The best sequence by the textbook; among equals the lower label, decided from the end."""
    best, back = state[0], []
    for row in state[1:]:
        options = best[:, None] + transition
        back.append(options.argmax(axis=0))
        best = options.max(axis=0) + row
    path = [int(best.argmax())]
    for pointer in reversed(back):
        path.append(int(pointer[path[-1]]))
    return path[::-1]


def chains(most: int, labels: int, scale: float):
    """Random chains: state scores (n, L) and transitions (L, L) up to `scale`."""

    def build(n: int, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        random = np.random.default_rng(seed)
        return random.uniform(-scale, scale, (n, size)), random.uniform(-scale, scale, (size, size))

    return st.builds(build, st.integers(1, most), st.integers(1, labels), st.integers(0, 2**32))


def whole_chains(most: int, labels: int):
    """Random chains of small integers, in which many sequences are equally good."""
    return chains(most, labels, 2.49).map(lambda chain: (chain[0].round(), chain[1].round()))


def score(path: list[int], state: np.ndarray, transition: np.ndarray) -> float:
    return state[range(len(path)), path].sum() + transition[path[:-1], path[1:]].sum()


def test_two_positions_by_hand():
    state, transition = np.log([[3.0, 1.0], [1.0, 1.0]]), np.log([[2.0, 1.0], [1.0, 4.0]])
    # weights of 00, 01, 10, 11: 6, 3, 1, 4
    assert marginals(state, transition) == pytest.approx(np.array([[9, 5], [7, 7]]) / 14)
    assert best_sequence(state, transition).tolist() == [0, 0]


def test_one_position_is_a_softmax():
    assert marginals(np.log([[1.0, 2.0, 5.0]]), np.zeros((3, 3))) == pytest.approx(np.array([[0.125, 0.25, 0.625]]))
    assert best_sequence(np.array([[1.0, 3.0, 2.0]]), np.zeros((3, 3))).tolist() == [1]


def test_no_position():
    assert marginals(np.zeros((0, 5)), np.zeros((5, 5))).shape == (0, 5)
    assert best_sequence(np.zeros((0, 5)), np.zeros((5, 5))).shape == (0,)


def test_transitions_go_from_row_to_column():
    state, transition = np.zeros((3, 2)), np.array([[0.0, 9.0], [-9.0, 0.0]])
    assert best_sequence(np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]), transition).tolist() == [0, 0, 1]
    assert marginals(state, transition)[:, 1] == pytest.approx(counted_out(state, transition)[:, 1])


@given(chains(5, 3, 5.0))
def test_marginals_are_the_share_of_all_sequences(chain):
    assert marginals(*chain) == pytest.approx(counted_out(*chain), abs=1e-12)


@given(whole_chains(5, 3))
def test_the_best_sequence_is_the_best_of_all_and_ties_go_to_the_lower_label(chain):
    scores = all_scores(*chain)
    top = max(scores.values())
    ties = [path for path, value in scores.items() if value == top]
    assert tuple(best_sequence(*chain)) == min(ties, key=lambda path: path[::-1])


def test_a_chain_of_ties_has_the_lowest_label_everywhere():
    assert best_sequence(np.ones((40, 5)), np.ones((5, 5))).tolist() == [0] * 40
    assert marginals(np.ones((40, 5)), np.ones((5, 5))) == pytest.approx(np.full((40, 5), 0.2))


@given(chains(200, 5, 8.0))
def test_long_chains_against_the_textbook(chain):
    computed = marginals(*chain)
    assert computed == pytest.approx(forward_backward(*chain), abs=1e-9)
    assert computed.sum(axis=1) == pytest.approx(np.ones(len(computed)), abs=1e-12)
    best = best_sequence(*chain).tolist()
    assert score(best, *chain) == pytest.approx(score(viterbi(*chain), *chain), abs=1e-9)


@given(whole_chains(200, 5))
def test_long_chains_of_ties_against_the_textbook(chain):
    assert best_sequence(*chain).tolist() == viterbi(*chain)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 9, 10, 16, 17, 99, 100, 101, 1000])
def test_every_length_however_it_is_cut_into_pieces(n):
    random = np.random.default_rng(n)
    chain = random.normal(0, 3, (n, 5)), random.normal(0, 3, (5, 5))
    assert marginals(*chain) == pytest.approx(forward_backward(*chain), abs=1e-9)
    assert best_sequence(*chain).tolist() == viterbi(*chain)


@given(chains(60, 4, 500.0), st.floats(0, 0.02))
def test_extreme_state_scores(chain, share):
    state, transition = chain[0], chain[1] * share
    assert marginals(state, transition) == pytest.approx(forward_backward(state, transition), abs=1e-9)
    assert best_sequence(state, transition).tolist() == viterbi(state, transition)


@given(chains(60, 4, 500.0))
def test_the_best_sequence_of_extreme_scores(chain):
    assert best_sequence(*chain).tolist() == viterbi(*chain)


@given(chains(60, 4, 500.0))
def test_marginals_of_extreme_transitions(chain):
    assert marginals(*chain) == pytest.approx(forward_backward(*chain), abs=1e-6)


def test_a_label_that_is_never_given_takes_no_probability():
    random = np.random.default_rng(0)
    state, transition = random.normal(0, 2, (50, 5)), random.normal(0, 2, (5, 5))
    state[:, 2] = transition[:, 2] = transition[2] = -1e3
    others = [0, 1, 3, 4]
    computed = marginals(state, transition)
    assert computed[:, 2] == pytest.approx(np.zeros(50), abs=1e-100)
    assert computed[:, others] == pytest.approx(forward_backward(state[:, others], transition[np.ix_(others, others)]))
    assert 2 not in best_sequence(state, transition)


def test_the_scores_are_left_as_they_were():
    state, transition = np.ones((9, 3)), np.eye(3)
    marginals(state, transition)
    best_sequence(state, transition)
    assert (state == 1).all()
    assert (transition == np.eye(3)).all()
