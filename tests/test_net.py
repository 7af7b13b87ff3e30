"""The net: equal to PyTorch and to its oracle, one thread, arrays of a model folder, inputs left out."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import made_sites
from dehusk import ModelError, parse, segment
from dehusk.compiled import net as loops
from dehusk.lab.train.last_layer import one_thread
from dehusk.lab.train.net import CLIP, scale_columns
from dehusk.lab.train.net_pages import NetPage, make_batch
from dehusk.lab.train.torch_net import Feed, as_parameters, forward
from dehusk.label.united import NAMES, Net, United
from dehusk.label.united.columns import FAMILIES, family_of
from dehusk.label.united.inputs import GROUP_COUNT, NAME_ROWS, Bags, NetInputs
from dehusk.label.united.net import LeftOut
from dehusk.label.united.reasons import ORDERS, Reals, left_out, shares
from dehusk.label.united.rounding import ROW_STEPS, Affine
from nets import inputs_of, random_html, random_inputs, random_net
from oracle import net as oracle

SHAPES = [(1, 1), (2, 1), (2, 3), (7, 3), (60, 3), (60, 60), (300, 200)]
"""Numbers of blocks, and of groups at most."""


def net_page(inputs: NetInputs) -> NetPage:
    zeros = np.zeros(len(inputs), dtype=np.float32)
    return NetPage(inputs, zeros, zeros, zeros, (0,), zeros)


def by_torch(net: Net, pages: list[NetInputs], styles: list[int]) -> np.ndarray:
    """Return the log-odds of the joined blocks of pages, by PyTorch."""
    batch = make_batch([net_page(page) for page in pages], styles)
    scaled = scale_columns(
        batch.inputs.columns, *(net.weights[f"columns.{name}"] for name in ("is_log", "mean", "scale"))
    )
    distances = net.weights["distances"].astype(int).tolist()
    return forward(as_parameters(net), Feed.of(batch, scaled), distances, 0).detach().numpy()


def agree(scores: np.ndarray, expected: np.ndarray) -> bool:
    """Return whether log-odds are equal, but for a few where another sum before rounding gave another whole number."""
    differs = np.abs(scores - expected)
    return float((differs > 1e-4).mean()) <= 0.1 and float(differs.max()) < 0.3


@pytest.mark.parametrize(("b", "groups"), SHAPES)
@pytest.mark.parametrize("distances", [(1,), (1, 3), (4, 2, 90)])
def test_the_net_computes_what_pytorch_does(b: int, groups: int, distances: tuple[int, ...]) -> None:
    net, inputs = random_net(b, distances=distances), random_inputs(b, b, groups=groups)
    for style in (0, 3):
        assert agree(net.scores(inputs, style), by_torch(net, [inputs], [style]))


def test_pages_joined_are_scored_as_each_alone() -> None:
    net, sizes = random_net(), (5, 1, 2, 40)
    pages, styles = [random_inputs(n, b) for n, b in enumerate(sizes)], [0, 2, 1, 5]
    alone = [net.scores(page, style) for page, style in zip(pages, styles, strict=True)]
    assert agree(by_torch(net, pages, styles), np.concatenate(alone))


def test_the_net_and_pytorch_agree_on_a_page() -> None:
    net = random_net(3)
    inputs = inputs_of("<ul class=nav><li>Home<li>Tea</ul><h1>Tea</h1><p>Tea is a drink.<p>It is hot.<table><td>1<td>2")
    assert agree(net.scores(inputs, 0), by_torch(net, [inputs], [0]))


def test_empty_bags_count_as_zeros() -> None:
    net, inputs = random_net(), random_inputs(1, 6)
    none = Bags(np.zeros(0, np.int32), np.zeros(7, np.intp))
    without = replace(inputs, texts=none, names=Bags(none.row, np.zeros(len(inputs.names.start), np.intp)))
    np.testing.assert_array_equal(net.scores(without, 0), net.scores(inputs, 0, LeftOut(names=True, texts=True)))
    assert agree(net.scores(without, 0), by_torch(net, [without], [0]))


def test_a_style_moves_the_scores_by_its_own_vector() -> None:
    net, inputs = random_net(), random_inputs(1, 9)
    styles = net.weights["style.weight"].copy()
    styles[4] = styles[1]
    other = Net({**net.weights, "style.weight": styles})
    np.testing.assert_array_equal(other.scores(inputs, 4), net.scores(inputs, 1))
    assert not np.array_equal(net.scores(inputs, 4), net.scores(inputs, 1))


# arrays of a model folder


def test_arrays_keep_each_weight_within_half_a_step() -> None:
    net = random_net(5)
    arrays = net.arrays()
    again = Net.from_arrays(arrays)
    assert again.weights.keys() == net.weights.keys()
    for name, array in net.weights.items():
        if array.ndim == 2:
            assert arrays[name].dtype == np.int8
            is_table = name in ("tag.weight", "name.weight", "text.weight")
            step = 1 / ROW_STEPS if is_table else np.abs(array).max(axis=1, keepdims=True) / 127 * (1 + 2**-15)
            assert (np.abs(again.weights[name] - np.clip(array, -127 * step, 127 * step)) <= step / 2 + 1e-6).all(), (
                name
            )
        else:
            np.testing.assert_array_equal(again.weights[name], array)


@pytest.mark.parametrize("seed", range(5))
def test_a_net_read_and_written_again_has_the_same_bytes(seed: int) -> None:
    net = random_net(seed)
    zero = {**net.weights, "layer.0.p.weight": net.weights["layer.0.p.weight"] * 0}
    for arrays in (net.arrays(), Net(zero).arrays()):
        again = Net.from_arrays(arrays).arrays()
        assert {name: array.tobytes() for name, array in again.items()} == {
            name: array.tobytes() for name, array in arrays.items()
        }


def changed(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[dict[str, np.ndarray], str], None]:
    def apply(arrays: dict[str, np.ndarray], name: str) -> None:
        arrays[name] = change(arrays[name])

    return apply


MATRICES = "tag name text style inp out layer.1.a layer.0.v layer.0.o layer.1.p".split()  # noqa: SIM905
NAMES_OF_ARRAYS = [
    *(f"{name}.weight" for name in MATRICES),
    *("columns.is_log", "columns.mean", "columns.scale", "inp.bias", "out.bias", "steps", "layer.0.a.bias"),
    *("layer.0.v.bias", "layer.1.o.bias", "distances"),
]


@pytest.mark.parametrize("name", NAMES_OF_ARRAYS)
def test_a_damaged_array_is_an_error(name: str) -> None:
    arrays = random_net().arrays()
    for damage in (
        lambda array: array[:-1],
        lambda array: np.concatenate([array, array]),
        lambda array: array[None],
        lambda array: array[..., None, None],
    ):
        with pytest.raises(ValueError, match=r"of the net|the net lacks the array"):
            Net.from_arrays(arrays | {name: np.asarray(damage(arrays[name]))})
    with pytest.raises(ValueError, match=f"the net lacks the array '{name}'|lacks a scale"):
        Net.from_arrays({other: array for other, array in arrays.items() if other != name})
    wrong = f"{name}.scales" if f"{name}.scales" in arrays else name
    if arrays[wrong].dtype == np.int8:  # the rows of a table have no scales
        return
    with pytest.raises(ValueError, match=f"array {name} of the net is not finite"):
        Net.from_arrays(arrays | {wrong: np.full_like(arrays[wrong], np.nan)})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"columns.scale": lambda array: array * 0}, "the scale of a column is not positive"),
        ({"distances": lambda array: array * 0}, "the distance of a layer is less than 1"),
        ({"inp.weight.scales": lambda array: array[:1]}, "array inp.weight of the net lacks a scale for each row"),
        ({"layer.0.v.bias": lambda array: array[:-1]}, r"array layer.0.v.weight of the net has the shape \(15, 8\)"),
    ],
)
def test_numbers_that_cannot_be(changes: dict[str, Callable[[np.ndarray], np.ndarray]], said: str) -> None:
    arrays = random_net().arrays()
    with pytest.raises(ValueError, match=said):
        Net.from_arrays(arrays | {name: change(arrays[name]) for name, change in changes.items()})


def test_a_damaged_model_folder_says_which_array(tmp_path: Path) -> None:
    for change, said in (
        ({"style.weight": lambda array: array[:-1]}, "lacks a scale for each row"),
        ({"inp.bias": None}, "is damaged: the net lacks the array 'inp.bias'"),
        ({"out.bias": lambda array: array * np.nan}, "is damaged: array out.bias of the net is not finite"),
    ):
        United(random_net()).save(tmp_path)
        made_sites.change_arrays(tmp_path, **change)  # type: ignore[arg-type]
        with pytest.raises(ModelError, match=said):
            United.load(tmp_path)


def test_a_net_that_did_not_round_or_rounded_in_another_way_is_refused(tmp_path: Path) -> None:
    for change, said in (
        ({"steps": None}, "is of an earlier version, whose net did not round: train it again"),
        ({"steps": lambda array: array * 2}, "the net was trained to round numbers in another way: train it again"),
    ):
        United(random_net()).save(tmp_path)
        made_sites.change_arrays(tmp_path, **change)  # type: ignore[arg-type]
        with pytest.raises(ModelError, match=said):
            United.load(tmp_path)


def test_a_net_too_wide_for_exact_sums_is_refused() -> None:
    with pytest.raises(ValueError, match="a matrix of the net has more than 1024 inputs: a narrower net is needed"):
        random_net(width=340)


def test_a_net_of_other_styles_is_refused(tmp_path: Path) -> None:
    net = random_net()
    fewer = Net({**net.weights, "style.weight": net.weights["style.weight"][:-1]})
    with pytest.raises(ValueError, match="the net has vectors for 5 styles, not 6"):
        United(fewer)
    United(net).save(tmp_path)
    half = {name: lambda array: array[:-1] for name in ("style.weight", "style.weight.scales")}
    made_sites.change_arrays(tmp_path, **half)
    with pytest.raises(ModelError, match="is damaged: the net has vectors for 5 styles, not 6"):
        United.load(tmp_path)


# whole numbers


def test_products_do_not_depend_on_the_order_of_sums() -> None:
    random = np.random.default_rng(3)
    weights = {"m.weight": random.normal(0, 1, (9, 1024)), "m.bias": random.normal(0, 1, 9)}
    affine = Affine.of({name: array.astype(np.float32) for name, array in weights.items()}, "m", steps=16)
    x, order = random.integers(-127, 128, (6, 1024)).astype(np.float32), random.permutation(1024)
    exact = x.astype(np.int64) @ affine.matrix.astype(np.int64)
    np.testing.assert_array_equal(x @ affine.matrix, exact)
    np.testing.assert_array_equal(x[:, order] @ affine.matrix[order], exact)
    real = x / 16 @ weights["m.weight"].T + weights["m.bias"]
    np.testing.assert_allclose((x @ affine.matrix * affine.scale + affine.bias) / 16, real, atol=3)


@pytest.mark.parametrize("width", [8, 64, 70])
@pytest.mark.parametrize("pooled", [3, 16, 21])
@pytest.mark.parametrize(("b", "distance"), [(1, 1), (3, 90), (70, 2), (201, 90)])
def test_the_loops_of_each_kind_of_processor_give_the_same_bits(width: int, pooled: int, b: int, distance: int) -> None:
    net = random_net(b, width=width, pooled=pooled, distances=(1, distance))
    inputs, out = random_inputs(b, b, groups=b), LeftOut((0, 5), tags=True, names=True, texts=True)
    for style, part in ((0, None), (2, out)):
        found = [loops.scores(net, inputs, style, part, kind=kind) for kind in range(loops.BEST + 1)]
        assert agree(found[0], oracle.scores(net, inputs, style, part))
        for other in found[1:]:
            np.testing.assert_array_equal(other, found[0])


def test_logarithms_of_all_sizes() -> None:
    net, inputs = random_net(4), random_inputs(4, 500)
    columns = np.exp(np.random.default_rng(2).uniform(-80, 80, inputs.columns.shape)).astype(np.float32)
    columns[:, ::3] *= -1
    columns[:, ::7] = np.random.default_rng(3).integers(0, 4000, columns[:, ::7].shape)
    inputs = replace(inputs, columns=columns)
    assert agree(net.scores(inputs, 1), oracle.scores(net, inputs, 1))


def test_a_page_of_many_groups() -> None:
    """What more than 4,096 groups of a kind say is not kept in memory, but computed for a few blocks at a time."""
    net, inputs = random_net(2, distances=(3,)), random_inputs(2, 5000, groups=30_000)
    few = replace(inputs, groups=(inputs.groups[0] * 0, *inputs.groups[1:]))
    for page in (inputs, few):
        found = [loops.scores(net, page, 0, kind=kind) for kind in range(loops.BEST + 1)]
        assert agree(found[0], oracle.scores(net, page, 0))
        for other in found[1:]:
            np.testing.assert_array_equal(other, found[0])


def test_a_net_without_layers_and_a_page_without_blocks() -> None:
    net, inputs = random_net(3, distances=()), random_inputs(3, 20)
    np.testing.assert_allclose(net.scores(inputs, 0), oracle.scores(net, inputs, 0), atol=1e-4)
    assert net.scores_of(segment(parse("")), 0).shape == (0,)


def test_inputs_that_do_not_fit_the_net_are_refused() -> None:
    net, inputs = random_net(1), random_inputs(1, 9)
    group, bags = inputs.groups[0], inputs.texts
    for wrong in (
        replace(inputs, tags=inputs.tags - 500),
        replace(inputs, chain=inputs.chain + 100),
        replace(inputs, groups=(group - 1, *inputs.groups[1:])),
        replace(inputs, groups=(group[:-1].copy(), *inputs.groups[1:])),
        replace(inputs, groups=inputs.groups[1:]),
        replace(inputs, texts=Bags(bags.row + (1 << 20), bags.start)),
        replace(inputs, texts=Bags(bags.row, bags.start[::-1].copy())),
        replace(inputs, columns=inputs.columns[:, :-1].copy()),
    ):
        with pytest.raises(ValueError, match="the inputs do not fit the net"):
            net.scores(wrong, 0)
    with pytest.raises(TypeError, match="a kernel cannot read an array of type float64"):
        net.scores(replace(inputs, columns=inputs.columns.astype(np.float64)), 0)


# one thread


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def product(size: int) -> bytes:
    """Return a product that BLAS computes in one thread."""
    with one_thread:
        matrix = np.ones((size, size), dtype=np.float32)
        return (matrix @ matrix).tobytes()


def test_several_threads_leave_the_threads_of_blas_as_they_were() -> None:
    sizes = [50 + 50 * n for n in range(6)]
    expected = [product(size) for size in sizes]
    with threadpool_limits(limits=3, user_api="blas"):
        before = blas_threads()
        with ThreadPoolExecutor(6) as pool:
            for _ in range(20):
                assert list(pool.map(product, sizes)) == expected
        assert blas_threads() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
def test_a_child_forked_while_another_thread_limits_blas_does_not_hang() -> None:
    with one_thread.lock:  # as if another thread had it
        child = os.fork()
        if not child:
            try:
                product(4)
                os._exit(0)
            finally:
                os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# columns, and inputs left out


def test_columns_are_scaled_by_their_law() -> None:
    columns = np.array([[0, 1, -9, 1e9], [0, 1, -9, 1e9], [2, 2, 2, 2]], dtype=np.float32)
    before = columns.copy()
    is_log, mean, scale = (np.array(numbers, np.float32) for numbers in ([1, 0, 0], [0.5, 0, 2], [2, 3, 0.01]))
    scaled = scale_columns(columns, is_log, mean, scale)
    assert scaled.shape == (4, 3)
    assert scaled.dtype == np.float32
    assert scaled.flags.c_contiguous
    expected = [(0 - 0.5) / 2, (np.log(2) - 0.5) / 2, (-np.log(10) - 0.5) / 2, min(5, (np.log1p(1e9) - 0.5) / 2)]
    np.testing.assert_allclose(scaled[:, 0], expected, rtol=1e-6)
    np.testing.assert_allclose(scaled[:, 1], [0, 1 / 3, -3, CLIP], rtol=1e-6)
    assert scaled[:, 2].tolist() == [0, 0, 0, 0]
    np.testing.assert_array_equal(columns, before)


def test_every_input_belongs_to_one_family_and_each_family_has_inputs() -> None:
    parts = [left_out(family) for family in FAMILIES]
    assert sorted(column for part in parts for column in part.columns) == list(range(len(NAMES)))
    assert [sum(getattr(part, name) for part in parts) for name in ("tags", "names", "texts")] == [1, 1, 1]
    assert all(part.columns for part in parts)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_without_weights_contributes_nothing(family: str) -> None:
    net, inputs, out = random_net(2), random_inputs(2, 30), left_out(family)
    assert not np.allclose(net.scores(inputs, 0), net.scores(inputs, 0, out))
    weights = net.weights["inp.weight"].copy()
    k, tags = len(NAMES), 3 * net.weights["tag.weight"].shape[1]
    names = k + tags + net.weights["name.weight"].shape[1]
    weights[:, list(out.columns)] = 0
    for is_out, part in ((out.tags, (k, k + tags)), (out.names, (k + tags, names)), (out.texts, (names, None))):
        if is_out:
            weights[:, slice(*part)] = 0
    without = Net({**net.weights, "inp.weight": weights})
    np.testing.assert_array_equal(without.scores(inputs, 0), without.scores(inputs, 0, out))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_values_of_a_family_left_out_do_not_matter(family: str) -> None:
    net, inputs, other, out = random_net(2), random_inputs(2, 30), random_inputs(3, 30), left_out(family)
    columns = inputs.columns.copy()
    columns[list(out.columns)] = other.columns[list(out.columns)]
    changed_inputs = replace(
        inputs,
        columns=columns,
        tags=other.tags if out.tags else inputs.tags,
        names=other.names if out.names else inputs.names,
        chain=other.chain if out.names else inputs.chain,
        texts=other.texts if out.texts else inputs.texts,
    )
    np.testing.assert_array_equal(net.scores(changed_inputs, 0, out), net.scores(inputs, 0, out))
    assert not np.allclose(net.scores(changed_inputs, 0), net.scores(inputs, 0))


def test_a_column_left_out_has_its_mean_and_a_word_left_out_is_none() -> None:
    net, inputs = random_net(2), random_inputs(2, 30)
    columns = inputs.columns.copy()
    row = int(np.flatnonzero(net.weights["columns.is_log"] == 0)[0])
    columns[row] = net.weights["columns.mean"][row]
    typical = replace(inputs, columns=columns)
    np.testing.assert_array_equal(net.scores(typical, 0), net.scores(inputs, 0, LeftOut(columns=(row,))))


def test_shares_sum_to_the_log_odds_and_are_those_of_a_game_of_which_the_answer_is_known() -> None:
    net, inputs = random_net(4), inputs_of(random_html(1))
    scores = net.scores(inputs, 2)
    kept = np.arange(len(inputs)) % 3 == 0
    for side in (kept, np.zeros_like(kept)):
        found = shares(net, inputs, 2, scores, side)
        assert found.adds.shape == found.error.shape == (len(FAMILIES), len(inputs))
        np.testing.assert_allclose(found.base + found.adds.sum(axis=0), scores, atol=1e-9)
    none = net.scores(inputs, 2, left_out(FAMILIES))
    np.testing.assert_array_equal(found.base, none)  # nothing is kept, so there is no other side

    class Sum(Net):
        """What families add does not depend on each other, so their shares are what they add, without an error."""

        def scores(self, inputs: NetInputs, style: int, left_out: LeftOut | None = None) -> Reals:
            assert style == 2
            out = set() if left_out is None else {family_of(NAMES[column]) for column in left_out.columns}
            worth = sum(number + 1.0 for number, family in enumerate(FAMILIES) if family not in out)
            return np.arange(len(inputs)) * worth

    game = Sum(net.weights)
    exact = shares(game, inputs, 2, game.scores(inputs, 2), np.zeros(len(inputs), dtype=bool))
    np.testing.assert_allclose(exact.adds[:, 1], np.arange(1, len(FAMILIES) + 1))
    np.testing.assert_allclose(exact.error, 0, atol=1e-9)
    assert ORDERS > 1


def test_the_sum_begins_with_the_mean_of_the_other_side() -> None:
    net, inputs = random_net(4), inputs_of(random_html(1))
    scores, kept = net.scores(inputs, 0), np.arange(len(inputs)) % 2 == 0
    found = shares(net, inputs, 0, scores, kept)
    for side in (False, True):
        np.testing.assert_allclose(found.base[kept == side], scores[kept != side].mean())


def test_every_kind_of_group_matters() -> None:
    net, inputs = random_net(6), random_inputs(6, 12)
    own = net.scores(inputs, 0)
    for number in range(GROUP_COUNT):
        groups = list(inputs.groups)
        groups[number] = np.arange(12)[::-1].copy()
        assert not np.allclose(net.scores(replace(inputs, groups=tuple(groups)), 0), own)
    renamed = tuple(group.max() - group for group in inputs.groups)
    np.testing.assert_array_equal(net.scores(replace(inputs, groups=renamed), 0), own)
    assert len(net.weights["name.weight"]) == NAME_ROWS
