"""The net of `dehusk.label.united.net` over the blocks of a page; the loops are in `net_loops.h`.

A `Packed` net belongs to one `Net` and one style. It is made at the first page.
"""

from weakref import WeakKeyDictionary

import numpy as np

cimport numpy as cnp
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from dehusk.compiled.arrays cimport as_f32, as_i32, as_i64, data_of, new_array, size_of, values


cdef extern from "net_loops.h" nogil:
    enum:
        STEPS_IN

    ctypedef struct Places:
        size_t sizes, size

    int best_kind()
    int32_t set_cells(int kind, Net *net)
    void pack(
        const float *matrix, int32_t inputs, int32_t outputs, int32_t parts, const Net *net, int32_t offset,
        int8_t *weights, int32_t *start
    )
    Places places_of(const Net *net, const NetPage *page)
    void page_scores(
        int kind, const Net *net, NetPage *page, const Places *places, uint8_t *memory, double *scores,
        float *vectors
    )


cdef enum:
    LINE = 64  # bytes of a line of the cache

BEST = best_kind()
cdef object NETS = WeakKeyDictionary()  # net -> its packed nets by style and kind


cdef class Packed:
    """A net for one style and one kind of loops, as these read it."""

    cdef Net net
    cdef Layer *layers
    cdef list arrays  # which the pointers point to
    cdef int32_t tag_rows, name_rows, text_rows, offset

    def __cinit__(self, object net, int style, int kind):
        self.arrays = []
        cdef object weights = net.weights, inputs = net.inputs[style]
        cdef Net *own = &self.net
        self.offset = set_cells(kind, own)
        own.is_log, own.mean, own.scale = (
            self.numbers(weights["columns.is_log"]),
            self.numbers(weights["columns.mean"]),
            self.numbers(weights["columns.scale"]),
        )
        own.columns = <int32_t>size_of(weights["columns.mean"])
        own.tags, own.names, own.texts = (
            self.cells(net.tables["tag"]), self.table(net.tables["name"]), self.table(net.tables["text"])
        )
        self.tag_rows, own.tag = net.tables["tag"].shape
        self.name_rows, own.name = net.tables["name"].shape
        self.text_rows, own.text = net.tables["text"].shape
        own.inputs, own.out = self.affine(inputs, inputs.matrix, 1), self.affine(net.out, net.out.matrix, 1)
        own.width, own.layers = len(inputs.bias), len(net.layers)
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
        cdef int32_t d = len(layer.a.bias), pooled = 2 * len(layer.v.bias) // GROUPS, kind
        cdef int32_t offset = self.offset
        own.a, own.v = self.affine(layer.a, layer.a.matrix, 1), self.affine(layer.v, layer.v.matrix, 1)
        for kind in range(GROUPS):
            own.pools[kind] = self.affine(
                layer.o, layer.o.matrix[STEPS_IN * d + kind * pooled : STEPS_IN * d + (kind + 1) * pooled], 1
            )
        self.offset = 0  # what ReLU gives is not negative
        own.near = self.affine(layer.o, layer.o.matrix[: STEPS_IN * d], STEPS_IN)
        own.p = self.affine(layer.p, layer.p.matrix, 1)
        self.offset, own.distance = offset, layer.distance
        return 0

    cdef const float *numbers(self, object array) except NULL:
        array = np.ascontiguousarray(array, dtype=np.float32)
        self.arrays.append(array)
        return as_f32(array)

    cdef const void *cells(self, object rows) except NULL:
        """Return a table of numbers that a matrix multiplies."""
        array = np.ascontiguousarray(rows + self.offset, dtype=np.uint8 if self.net.cell == 1 else np.int16)
        self.arrays.append(array)
        return values(array)

    cdef const int8_t *table(self, object rows) except NULL:
        """Return a table of whole numbers whose rows have zeros up to a multiple of 16."""
        cdef Py_ssize_t width = rows.shape[1]
        wide = np.zeros((len(rows), (width + 15) // 16 * 16), dtype=np.int8)
        wide[:, :width] = rows
        self.arrays.append(wide)
        return <int8_t *>data_of(wide, cnp.NPY_INT8)

    cdef uint8_t *zeros(self, Py_ssize_t size) except NULL:
        """Return memory filled with zeros, at the start of a line of the cache."""
        array = np.zeros(size + LINE, dtype=np.uint8)
        self.arrays.append(array)
        return aligned(<uint8_t *>values(array))

    cdef Affine affine(self, object affine, object matrix, int parts) except *:
        """Pack a matrix whose inputs are in equal parts."""
        cdef Affine packed
        cdef int32_t inputs = matrix.shape[0], outputs = matrix.shape[1]
        packed.steps = parts * ((inputs // parts + self.net.per - 1) // self.net.per)
        packed.blocks = (outputs + 15) // 16
        cdef int8_t *weights = <int8_t *>self.zeros(64 * <Py_ssize_t>packed.steps * packed.blocks)
        cdef int32_t *start = <int32_t *>self.zeros(64 * <Py_ssize_t>packed.blocks)
        pack(as_f32(matrix), inputs, outputs, parts, &self.net, self.offset, weights, start)
        packed.weights, packed.start = <int32_t *>weights, start
        packed.scale = self.padded_row(affine.scale, packed.blocks)
        packed.bias = self.padded_row(affine.bias, packed.blocks)
        return packed

    cdef const float *padded_row(self, object numbers, int32_t blocks) except NULL:
        cdef float *row = <float *>self.zeros(64 * <Py_ssize_t>blocks)
        memcpy(row, as_f32(numbers), size_of(numbers) * sizeof(float))
        return row


cdef inline uint8_t *aligned(uint8_t *memory) noexcept nogil:
    """Return the first address on a line of the cache."""
    return memory + (LINE - <size_t>memory % LINE) % LINE


cdef Packed packed_net(object net, int style, int kind):
    cdef dict known = NETS.get(net)
    if known is None:
        known = NETS.setdefault(net, {})
    packed = known.get((style, kind))
    if packed is None:
        packed = known[style, kind] = Packed(net, style, kind)
    return <Packed>packed


cdef object odds_of(int kind, Packed packed, NetPage *page, object left_out=None, object vectors=None):
    """Return the log-odds of the blocks of a page; fill their last vectors if they are wanted."""
    is_out = np.zeros(packed.net.columns, dtype=np.uint8)
    page.no_tags = page.no_names = page.no_texts = 0
    if left_out is not None:
        is_out[list(left_out.columns)] = 1
        page.no_tags, page.no_names, page.no_texts = left_out.tags, left_out.names, left_out.texts
    page.is_out = <uint8_t *>values(is_out)
    cdef Places places = places_of(&packed.net, page)
    odds = new_array(page.b, cnp.NPY_FLOAT64)
    cdef double *out = <double *>values(odds)
    cdef float *last = NULL if vectors is None else <float *>values(vectors)
    cdef uint8_t *memory = <uint8_t *>malloc(places.size + LINE)
    if not memory:
        raise MemoryError
    with nogil:
        page_scores(kind, &packed.net, page, &places, aligned(memory), out, last)
    free(memory)
    return odds


def scores_of(object net, object blocks, int style):
    cdef NetPage page
    cdef list alive = []
    cdef Packed packed = packed_net(net, style, BEST)
    if not len(blocks):
        return np.zeros(0)
    read_net_page(blocks, packed.net.columns, &page, alive)
    return odds_of(BEST, packed, &page)


def scores(object net, object inputs, int style, object left_out=None, *, object vectors=None, int kind=BEST):
    cdef NetPage page
    cdef list alive = []
    cdef Packed packed = packed_net(net, style, kind)
    page.b = <int32_t>len(inputs.chain)
    if not page.b:
        return np.zeros(0)
    if not read_inputs(packed, inputs, &page, alive):
        raise ValueError("the inputs do not fit the net")
    return odds_of(kind, packed, &page, left_out, vectors)


def last_vectors(object net, object inputs, int style):
    vectors = np.zeros((len(inputs.chain), len(net.out.matrix)), dtype=np.float32)
    scores(net, inputs, style, vectors=vectors)
    return vectors


cdef bint read_inputs(Packed packed, object inputs, NetPage *page, list alive) except -1:
    """Point to the arrays of a page; False if a number in them is out of range."""
    cdef int32_t b = page.b
    cdef Py_ssize_t kind
    cdef int64_t highest
    page.tags = as_i32(inputs.tags)
    page.bags = <int32_t>(size_of(inputs.names.start) - 1)
    page.name_rows, page.name_start = as_i32(inputs.names.row), as_i64(inputs.names.start)
    page.text_rows, page.text_start = as_i32(inputs.texts.row), as_i64(inputs.texts.start)
    if (
        size_of(inputs.columns) != <Py_ssize_t>packed.net.columns * b
        or size_of(inputs.tags) != 3 * <Py_ssize_t>b
        or size_of(inputs.texts.start) != b + 1
        or len(inputs.groups) != GROUPS
        or not are_below(page.tags, 3 * b, packed.tag_rows)
        or not are_bags(page.name_start, page.bags, page.name_rows, size_of(inputs.names.row), packed.name_rows)
        or not are_bags(page.text_start, b, page.text_rows, size_of(inputs.texts.row), packed.text_rows)
        or most(as_i64(inputs.chain), b) >= page.bags
    ):
        return False
    page.first_group[0] = 0
    for kind in range(GROUPS):
        page.group[kind] = as_i64(inputs.groups[kind])
        highest = most(page.group[kind], b) if size_of(inputs.groups[kind]) == b else b
        if highest >= b:
            return False
        page.first_group[kind + 1] = page.first_group[kind] + <int32_t>highest + 1
    point_to_rows(inputs, page, alive)
    return True


cdef int point_to_rows(object inputs, NetPage *page, list alive) except -1:
    """Point to the columns, and give each block the bag of its chain."""
    cdef int64_t *chain = as_i64(inputs.chain)
    cdef int32_t i, b = page.b
    bags = new_array(2 * b + 1, cnp.NPY_INT32)
    alive.append(bags)
    cdef int32_t *bag = <int32_t *>values(bags)
    for i in range(b):
        bag[i], bag[b + i] = <int32_t>chain[i], i
    bag[2 * b] = b
    page.columns, page.bag, page.first_bag = as_f32(inputs.columns), bag, bag + b
    return 0


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
    if start[0] != 0 or start[bags] != n or (n and not are_below(rows, n, limit)):
        return False
    for i in range(bags):
        if not 0 <= start[i + 1] - start[i] < 1 << 24:  # more would be too large for a sum
            return False
    return True


cdef int64_t most(const int64_t *numbers, int32_t n) noexcept nogil:
    """Return the largest number, one that is too large if one is negative."""
    cdef uint64_t highest = 0
    cdef int32_t i
    for i in range(n):
        highest = max(highest, <uint64_t>numbers[i])
    return <int64_t>min(highest, <uint64_t>1 << 40)
