/* A net and the inputs of a page, as the loops of the net read them. */

#ifndef DEHUSK_NET_STRUCTS_H
#define DEHUSK_NET_STRUCTS_H

#include <stdint.h>

enum { GROUPS = 5 };

/* A matrix of whole numbers in blocks of 16 outputs. A step is what 4 bytes of inputs are multiplied by, for each
   output of a block: 64 bytes. Steps follow each other within a block; zeros are where no input or output is. */
typedef struct {
    int32_t steps, blocks;
    const int32_t *weights;
    const int32_t *start; /* (16 * blocks,) what sums start with: it takes off what is added to the inputs */
    const float *scale, *bias; /* (16 * blocks,) */
} Affine;

typedef struct {
    Affine a, v, p;
    Affine near; /* O for z of the block, of the one before, of the one after; each has as many steps as `a` */
    Affine pools[GROUPS]; /* O for the mean and the maximum of each kind of groups */
    int64_t distance;
} Layer;

typedef struct {
    int32_t columns, tag, name, text, width, pooled, layers;
    int32_t cell, per; /* bytes of a number that a matrix multiplies; such numbers in a step */
    const float *is_log, *mean, *scale; /* (columns,) */
    const void *tags; /* a table of embeddings as numbers that a matrix multiplies */
    const int8_t *names, *texts; /* tables of embeddings, whose rows have zeros up to a multiple of 16 */
    Affine inputs, out; /* the bias of the inputs includes that of the style */
    const Layer *layer;
} Net;

typedef struct {
    int32_t b, bags;
    const float *columns; /* (columns, b) */
    const uint8_t *is_out; /* (columns,) columns that are left out */
    const int32_t *tags, *text_rows, *name_rows; /* tags: (b, 3) */
    const int64_t *text_start, *name_start; /* bags of words: of each block, and of names */
    const int32_t *bag, *first_bag; /* the bags of names of each block */
    const int64_t *group[GROUPS];
    int32_t first_group[GROUPS + 1]; /* of each kind, among the groups of all kinds */
    const float *size; /* (groups of all kinds,) blocks of each */
    int32_t no_tags, no_names, no_texts; /* parts that are left out */
} NetPage;

#endif
