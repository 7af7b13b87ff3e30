"""What `dehusk.compiled.net` computes: the net over the blocks of a page, block by block, as its formulas say."""

import numpy as np

from dehusk.label.united.inputs import GROUP_COUNT, NO_TAG, NetInputs
from dehusk.label.united.net import Floats, Layer, LeftOut, Net
from dehusk.label.united.rounding import FARTHEST, LARGEST, Affine


def whole(x: Floats, least: int = -LARGEST) -> Floats:
    """Return the nearest whole numbers, the even one of two, of numbers that are clipped first."""
    return np.rint(np.clip(x, least, LARGEST))


def affine(by: Affine, x: Floats) -> Floats:
    """Return the outputs of a linear map."""
    return (x @ by.matrix) * by.scale + by.bias


def moved(h: Floats, change: Floats) -> Floats:
    """Return vectors after a change, in whole numbers."""
    return np.rint(np.clip(h + change, -FARTHEST, FARTHEST))


def normalised(h: Floats) -> Floats:
    """Return each vector with mean 0 and variance 1, 16 to one unit; vectors have 1024."""
    wide = h.astype(np.float64)
    deviation = np.sqrt(wide.var(axis=1, keepdims=True) + 1e-5 * 1024**2)
    return whole(16 * (wide - wide.mean(axis=1, keepdims=True)) / deviation).astype(np.float32)


def mean_of(table: Floats, rows: Floats) -> Floats:
    """Return the mean of rows of a table, 128 to one unit; the table has 64."""
    return whole(2 * table[rows].mean(axis=0)) if len(rows) else np.zeros(table.shape[1], np.float32)


def scaled(net: Net, columns: Floats) -> Floats:
    """Return the columns of a block, scaled, 25 to one unit."""
    logs = np.copysign(np.log1p(np.abs(columns.astype(np.float64))), columns).astype(np.float32)
    x = np.where(net.weights["columns.is_log"] > 0, logs, columns)
    x = (x - net.weights["columns.mean"]) / net.weights["columns.scale"]
    return np.rint(np.clip(x, -5, 5) * np.float32(25))


def inputs_of_block(net: Net, inputs: NetInputs, block: int, out: LeftOut) -> Floats:
    """Return the inputs of a block, without those that are left out."""
    columns, tables, chain = scaled(net, inputs.columns[:, block]), net.tables, int(inputs.chain[block])
    columns[list(out.columns)] = 0
    tags = [NO_TAG] * 3 if out.tags else inputs.tags[block]
    names = inputs.names.row[inputs.names.start[chain] : inputs.names.start[chain + 1]]
    texts = inputs.texts.row[inputs.texts.start[block] : inputs.texts.start[block + 1]]
    name, text = (
        mean_of(tables["name"], names[:0] if out.names else names),
        mean_of(tables["text"], texts[:0] if out.texts else texts),
    )
    return np.concatenate([columns, tables["tag"][tags].ravel(), name, text]).astype(np.float32)


def pooled(values: Floats, inputs: NetInputs) -> list[list[Floats]]:
    """Return the mean and the maximum over each group of each block, of the numbers for its kind."""
    found: list[list[Floats]] = [[] for _ in range(len(inputs))]
    for group, own in zip(inputs.groups, np.split(values, GROUP_COUNT, axis=1), strict=True):
        members: dict[int, list[Floats]] = {}
        for block, each in enumerate(group.tolist()):
            members.setdefault(each, []).append(own[block])
        of = {each: (np.rint(np.mean(rows, axis=0)), np.max(rows, axis=0)) for each, rows in members.items()}
        for block, each in enumerate(group.tolist()):
            found[block] += of[each]
    return found


def change_of(layer: Layer, u: Floats, inputs: NetInputs) -> Floats:
    """Return what a layer adds to the vectors of the blocks."""
    z, values = whole(affine(layer.a, u), 0), whole(affine(layer.v, u))
    nothing, k, pools, seen = np.zeros(z.shape[1], np.float32), layer.distance, pooled(values, inputs), []
    for block in range(len(u)):
        before = z[block - k] if block >= k else nothing
        after = z[block + k] if block + k < len(u) else nothing
        seen.append(np.concatenate([z[block], before, after, *pools[block]]))
    return affine(layer.p, whole(affine(layer.o, np.array(seen, np.float32)), 0))


def scores(net: Net, inputs: NetInputs, style: int, out: LeftOut | None = None) -> Floats:
    """Return the log-odds of each block."""
    x = np.array([inputs_of_block(net, inputs, block, out or LeftOut()) for block in range(len(inputs))])
    h = moved(np.zeros((len(inputs), 1), np.float32), affine(net.inputs[style], x))
    for layer in net.layers:
        h = moved(h, change_of(layer, normalised(h), inputs))
    return affine(net.out, normalised(h))[:, 0]
