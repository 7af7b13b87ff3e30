"""Inference in a linear-chain conditional random field from arrays.

Lafferty, McCallum & Pereira 2001: p(y | x) is proportional to exp(sum_t E[t, y_t] + sum_t T[y_{t-1}, y_t]) with
state scores E, shape (n, L), and transition scores T, shape (L, L). The recursions of forward, backward and Viterbi
are associative, so a sequence is cut into about sqrt(n) pieces that advance together: first the effect of each piece on
any state, then the states at the borders of the pieces, then every position. The number of Python steps grows with
sqrt(n), not n.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_TINY = 1e-300
_STEPS = 4  # positions between two changes of scale
_WIDEST = 600.0 / _STEPS  # the largest difference of scores whose exponentials fit into double precision


def marginals(state: Floats, transition: Floats) -> Floats:
    """Return the probability of each label at each position, shape (n, L); rows sum to 1."""
    if not len(state):
        return np.zeros_like(state)
    state, transition = state - state.max(axis=1, keepdims=True), transition - transition.max()
    # backward is forward on the reversed sequence with transposed steps, so one scan computes both
    both, steps = np.stack([state, state[::-1]]), np.stack([transition, transition.T])
    if state.min() + transition.min() > -_WIDEST:
        alpha, gamma = _scan(_SUM, np.exp(both), np.exp(steps))
        joint = alpha * (gamma[::-1] / np.exp(state))
    else:
        alpha, gamma = _scan(_LOG, both, steps)
        total = alpha + gamma[::-1] - state
        joint = np.exp(total - total.max(axis=1, keepdims=True))
    probabilities: Floats = joint / joint.sum(axis=1, keepdims=True)
    return probabilities


def best_sequence(state: Floats, transition: Floats) -> npt.NDArray[np.uint8]:
    """Return the most probable sequence of labels, shape (n,) (Viterbi); ties go to the lower label."""
    n = len(state)
    if not n:
        return np.zeros(0, dtype=np.uint8)
    delta = _scan(_MAX, state[None], transition[None])[0]
    back = np.argmax(delta[:-1, :, None] + transition, axis=1).tolist()
    label = int(np.argmax(delta[-1]))
    path = [label]
    for row in reversed(back):
        label = row[label]
        path.append(label)
    return np.array(path[::-1], dtype=np.uint8)


class _SumProduct:
    """Sums of products. Only proportions matter, so values are scaled to a maximum of 1."""

    zero, unit = 0.0, 1.0

    @staticmethod
    def apply(vectors: Floats, step: Floats, emission: Floats) -> Floats:
        moved: Floats = (vectors @ step) * emission
        return moved

    @staticmethod
    def scale(values: Floats) -> Floats:
        scaled: Floats = values / np.maximum(values.max(axis=(-2, -1), keepdims=True), _TINY)
        return scaled


class _MaxPlus:
    """Maxima of sums. Only differences matter, so values are shifted to a maximum of 0."""

    zero, unit = -np.inf, 0.0

    @staticmethod
    def apply(vectors: Floats, step: Floats, emission: Floats) -> Floats:
        moved: Floats = (vectors[..., :, :, None] + step[..., None, :, :]).max(axis=-2) + emission
        return moved

    @staticmethod
    def scale(values: Floats) -> Floats:
        shifted: Floats = values - values.max(axis=(-2, -1), keepdims=True)
        return shifted


class _LogSum(_MaxPlus):
    """Logarithms of sums of products: for scores of any size, but slower than `_SumProduct`."""

    @staticmethod
    def apply(vectors: Floats, step: Floats, emission: Floats) -> Floats:
        moved: Floats = np.logaddexp.reduce(vectors[..., :, :, None] + step[..., None, :, :], axis=-2) + emission
        return moved


_Ring = _SumProduct | _MaxPlus
_SUM, _MAX, _LOG = _SumProduct(), _MaxPlus(), _LogSum()


def _scan(ring: _Ring, emission: Floats, step: Floats) -> Floats:
    """Return v_0 = e_0 and v_t = v_{t-1} · step with e_t applied, for all t.

    Args:
        ring: the operations that "·" and "applied" denote.
        emission: (k, n, L) emissions of k sequences.
        step: (k, L, L) step of each sequence.

    Returns:
        (k, n, L) the vectors, up to scale.
    """
    k, n, labels = emission.shape
    length = max(1, round((n - 1) ** 0.5))
    pieces = -(-(n - 1) // length)
    padded = np.full((k, pieces * length, labels), ring.unit)
    padded[:, : n - 1] = emission[:, 1:]
    padded = padded.reshape(k, pieces, length, 1, labels)
    steps = step[:, None]
    effect = np.broadcast_to(np.where(np.eye(labels) > 0, ring.unit, ring.zero), (k, pieces, labels, labels))
    for position in range(length):
        effect = ring.apply(effect, steps, padded[:, :, position])
        if position % _STEPS == _STEPS - 1 or position == length - 1:
            effect = ring.scale(effect)
    border = np.empty((k, pieces, 1, labels))
    vector, no_emission = emission[:, :1], np.full(labels, ring.unit)
    for piece in range(pieces):
        border[:, piece] = vector
        vector = ring.scale(ring.apply(vector, effect[:, piece], no_emission))
    values = np.empty((k, pieces, length, labels))
    for position in range(length):
        border = ring.apply(border, steps, padded[:, :, position])
        values[:, :, position] = border[:, :, 0]
        if position % _STEPS == _STEPS - 1:
            border = ring.scale(border)
    vectors = np.concatenate([emission[:, :1], values.reshape(k, -1, labels)[:, : n - 1]], axis=1)
    return ring.scale(vectors[:, :, None])[:, :, 0]
