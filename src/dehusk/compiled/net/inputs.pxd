"""The inputs of a page as the loops of the net read them; `net_structs.h` explains them."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

cdef extern from "net_structs.h" nogil:
    enum:
        GROUPS

    ctypedef struct Affine:
        int32_t steps, blocks
        const int32_t *weights
        const int32_t *start
        const float *scale
        const float *bias

    ctypedef struct Layer:
        Affine a, v, p, near
        Affine[5] pools
        int64_t distance

    ctypedef struct Net:
        int32_t columns, tag, name, text, width, pooled, layers, cell, per
        const float *is_log
        const float *mean
        const float *scale
        const void *tags
        const int8_t *names
        const int8_t *texts
        Affine inputs, out
        const Layer *layer

    ctypedef struct NetPage:
        int32_t b, bags
        const float *columns
        const uint8_t *is_out
        const int32_t *tags
        const int32_t *text_rows
        const int32_t *name_rows
        const int64_t *text_start
        const int64_t *name_start
        const int32_t *bag
        const int32_t *first_bag
        const int64_t *group[5]
        int32_t first_group[6]
        int32_t no_tags, no_names, no_texts


cdef int read_net_page(object blocks, int32_t columns, NetPage *page, list alive) except -1
