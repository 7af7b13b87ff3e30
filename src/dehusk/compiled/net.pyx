"""Twin of `dehusk.methods.united.net.Net.scores`; the loops are in `net_loops.h`, which says how matrices are stored.

A `Packed` net belongs to one `Net` and one style. It is made at the first page.
"""

from weakref import WeakKeyDictionary

import numpy as np

cimport numpy as cnp
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from dehusk.compiled.arrays cimport as_f32, as_i32, as_i64, data_of, new_array, size_of, values

cnp.import_array()


cdef extern from "net_loops.h" nogil:
    enum:
        GROUPS
        OFFSET

    ctypedef struct Affine:
        int32_t quads, blocks
        const int8_t *weights
        const int32_t *start
        const float *scale
        const float *bias

    ctypedef struct Layer:
        Affine a, v, p, near
        Affine[5] pools
        int64_t distance

    ctypedef struct Net:
        int32_t columns, tag, name, text, width, pooled, layers
        const float *is_log
        const float *mean
        const float *scale
        const int8_t *tags
        const int8_t *names
        const int8_t *texts
        Affine inputs, out
        const Layer *layer

    ctypedef struct Page:
        int32_t b, chains
        const float *columns
        const uint8_t *is_out
        const int32_t *tags
        const int32_t *name_rows
        const int32_t *text_rows
        const int64_t *name_start
        const int64_t *text_start
        const int64_t *chain
        const int64_t *group[5]
        int32_t groups[5]
        int32_t no_tags, no_names, no_texts

    ctypedef struct Places:
        size_t size

    int best_kind()
    Places places_of(const Net *net, const Page *page)
    void page_scores(
        int kind, const Net *net, const Page *page, const Places *places, uint8_t *memory, double *scores
    )


cdef int MOST_BLOCKS = 1 << 14  # larger pages are computed in pieces
BEST = best_kind()
cdef object NETS = WeakKeyDictionary()  # net -> its packed nets by style


cdef class Packed:
    """A net for one style, as the loops read it."""

    cdef Net net
    cdef Layer *layers
    cdef object arrays  # which the pointers point to
    cdef int32_t tag_rows, name_rows, text_rows

    def __cinit__(self, object net, int style):
        self.arrays = []
        cdef object weights = net.weights
        cdef Net *own = &self.net
        own.is_log, own.mean, own.scale = (
            self.numbers(weights["columns.is_log"]),
            self.numbers(weights["columns.mean"]),
            self.numbers(weights["columns.scale"]),
        )
        own.columns = <int32_t>size_of(weights["columns.mean"])
        own.tags, own.names, own.texts = (
            self.table(net.tables["tag"]), self.table(net.tables["name"]), self.table(net.tables["text"])
        )
        self.tag_rows, own.tag = net.tables["tag"].shape
        self.name_rows, own.name = net.tables["name"].shape
        self.text_rows, own.text = net.tables["text"].shape
        own.inputs = self.affine(net.inputs[style], [net.inputs[style].matrix], OFFSET)
        own.out = self.affine(net.out, [net.out.matrix], OFFSET)
        own.width, own.layers = len(net.inputs[style].bias), len(net.layers)
        own.pooled = len(net.layers[0].v.bias) // GROUPS if own.layers else 1
        self.layers = <Layer *>malloc(max(own.layers, 1) * sizeof(Layer))
        if not self.layers:
            raise MemoryError
        own.layer = self.layers
        for number in range(own.layers):
            self.read_layer(&self.layers[number], net.layers[number])

    def __dealloc__(self):
        free(self.layers)

    cdef int read_layer(self, Layer *own, object layer) except -1:
        own.a, own.v, own.p = (
            self.affine(layer.a, [layer.a.matrix], OFFSET),
            self.affine(layer.v, [layer.v.matrix], OFFSET),
            self.affine(layer.p, [layer.p.matrix], 0),
        )
        cdef int32_t d = len(layer.a.bias), pooled = 2 * len(layer.v.bias) // GROUPS, kind
        own.near = self.affine(layer.o, [layer.o.matrix[part * d : (part + 1) * d] for part in range(3)], 0)
        for kind in range(GROUPS):
            own.pools[kind] = self.affine(layer.o, [layer.pools[kind * pooled : (kind + 1) * pooled]], OFFSET)
        own.distance = layer.distance
        return 0

    cdef const float *numbers(self, object array) except NULL:
        array = np.ascontiguousarray(array, dtype=np.float32)
        self.arrays.append(array)
        return as_f32(array)

    cdef const int8_t *table(self, object rows) except NULL:
        rows = rows.astype(np.int8, order="C")
        self.arrays.append(rows)
        return <int8_t *>data_of(rows, cnp.NPY_INT8)

    cdef Affine affine(self, object affine, list parts, int offset) except *:
        """Pack a matrix whose inputs are in equal parts."""
        cdef Affine packed
        inputs, outputs = parts[0].shape
        quads, blocks = -(-inputs // 4), -(-outputs // 16)
        matrix = np.zeros((len(parts), 4 * quads, 16 * blocks), dtype=np.int8)
        matrix[:, :inputs, :outputs] = parts
        matrix = matrix.reshape(len(parts) * quads, 4, blocks, 16)
        start = (-offset * matrix.sum(axis=(0, 1), dtype=np.int32)).astype(np.int32).ravel()
        weights = np.ascontiguousarray(matrix.transpose(2, 0, 3, 1))
        self.arrays += [weights, start]
        packed.quads, packed.blocks = len(parts) * quads, blocks
        packed.weights = <int8_t *>data_of(weights, cnp.NPY_INT8)
        packed.start = as_i32(start)
        rest = np.zeros(16 * blocks - outputs, dtype=np.float32)
        packed.scale = self.numbers(np.concatenate([affine.scale, rest]))
        packed.bias = self.numbers(np.concatenate([affine.bias, rest]))
        return packed


cdef Packed packed_net(object net, int style):
    cdef dict styles = NETS.get(net)
    if styles is None:
        styles = NETS.setdefault(net, {})
    packed = styles.get(style)
    if packed is None:
        packed = styles[style] = Packed(net, style)
    return <Packed>packed


def scores(object net, object inputs, int style, object left_out=None, *, int kind=BEST):
    """Also on request by the loops of another kind, from 0 to `BEST`."""
    cdef Page page
    cdef Py_ssize_t b = len(inputs.chain)
    if not 0 < b <= MOST_BLOCKS or not net.layers:
        return NotImplemented
    cdef Packed packed = packed_net(net, style)
    is_out = np.zeros(packed.net.columns, dtype=np.uint8)
    if left_out is not None:
        is_out[list(left_out.columns)] = 1
        page.no_tags, page.no_names, page.no_texts = left_out.tags, left_out.names, left_out.texts
    else:
        page.no_tags = page.no_names = page.no_texts = 0
    page.is_out = <uint8_t *>values(is_out)
    page.b, page.chains = <int32_t>b, <int32_t>(size_of(inputs.names.start) - 1)
    if not read_page(packed, inputs, &page):
        return NotImplemented
    cdef Places places = places_of(&packed.net, &page)
    cdef uint8_t *memory = <uint8_t *>malloc(places.size)
    if not memory:
        raise MemoryError
    odds = new_array(b, cnp.NPY_FLOAT64)
    cdef double *out = <double *>values(odds)
    with nogil:
        page_scores(kind, &packed.net, &page, &places, memory, out)
    free(memory)
    return odds


cdef bint read_page(Packed packed, object inputs, Page *page) except -1:
    """Read the arrays of a page; False if a number in them is out of range."""
    cdef int32_t b = page.b
    cdef Py_ssize_t kind
    cdef int64_t highest
    page.columns = as_f32(inputs.columns)
    page.tags = as_i32(inputs.tags)
    page.name_rows, page.name_start = as_i32(inputs.names.row), as_i64(inputs.names.start)
    page.text_rows, page.text_start = as_i32(inputs.texts.row), as_i64(inputs.texts.start)
    page.chain = as_i64(inputs.chain)
    if (
        size_of(inputs.columns) != <Py_ssize_t>packed.net.columns * b
        or size_of(inputs.tags) != 3 * <Py_ssize_t>b
        or size_of(inputs.texts.start) != b + 1
        or len(inputs.groups) != GROUPS
        or not are_below(page.tags, 3 * b, packed.tag_rows)
        or not are_bags(page.name_start, page.chains, page.name_rows, size_of(inputs.names.row), packed.name_rows)
        or not are_bags(page.text_start, b, page.text_rows, size_of(inputs.texts.row), packed.text_rows)
        or most(page.chain, b) >= page.chains
    ):
        return False
    for kind in range(GROUPS):
        page.group[kind] = as_i64(inputs.groups[kind])
        highest = most(page.group[kind], b) if size_of(inputs.groups[kind]) == b else b
        if highest >= b:
            return False
        page.groups[kind] = <int32_t>highest + 1
    return True


cdef bint are_below(const int32_t *numbers, Py_ssize_t n, int32_t limit) noexcept nogil:
    cdef uint32_t highest = 0
    cdef Py_ssize_t i
    for i in range(n):
        highest = max(highest, <uint32_t>numbers[i])  # a negative number is large
    return highest < <uint32_t>limit


cdef bint are_bags(
    const int64_t *start, Py_ssize_t bags, const int32_t *rows, Py_ssize_t n, int32_t limit
) noexcept nogil:
    cdef Py_ssize_t i
    if start[0] != 0 or start[bags] != n or n >= 1 << 24 or (n and not are_below(rows, n, limit)):
        return False
    for i in range(bags):
        if start[i] > start[i + 1]:
            return False
    return True


cdef int64_t most(const int64_t *numbers, int32_t n) noexcept nogil:
    """Return the largest number, one that is too large if one is negative."""
    cdef uint64_t highest = 0
    cdef int32_t i
    for i in range(n):
        highest = max(highest, <uint64_t>numbers[i])
    return <int64_t>min(highest, <uint64_t>1 << 40)
