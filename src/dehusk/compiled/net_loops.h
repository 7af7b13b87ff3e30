/* The loops of the net (`net.pyx`), compiled for several kinds of processors; the best one is chosen at run time.

All products are of whole numbers of 8 bits, so each kind gives the same sums. GCC on x86-64 builds three kinds; other
compilers and processors build the plain one. */

#ifndef DEHUSK_NET_LOOPS_H
#define DEHUSK_NET_LOOPS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define ALWAYS __attribute__((always_inline))
#else
#define ALWAYS
#endif
#if defined(_MSC_VER)
#define restrict __restrict
#endif

enum { GROUPS = 5, STEPS_IN = 3 };

/* A matrix of whole numbers, in blocks of 16 outputs: weights[block][input / 4][16][input % 4], zeros where there is no
   input or output. Its inputs are bytes from `offset` on: `start` takes it off again. */
typedef struct {
    int32_t quads, blocks; /* inputs / 4, outputs / 16, rounded up */
    const int8_t *weights;
    const int32_t *start; /* (16 * blocks,) what sums start with */
    const float *scale, *bias; /* (16 * blocks,) */
} Affine;

typedef struct {
    Affine a, v, p;
    Affine near; /* O for z of the block, of the one before, of the one after; each has as many quads as `a` */
    Affine pools[GROUPS]; /* O for the mean and the maximum of each kind of groups */
    int64_t distance;
} Layer;

typedef struct {
    int32_t columns, tag, name, text, width, pooled, layers;
    const float *is_log, *mean, *scale; /* (columns,) */
    const int8_t *tags, *names, *texts; /* tables of embeddings */
    Affine inputs, out; /* the bias of the inputs includes that of the style */
    const Layer *layer;
} Net;

typedef struct {
    int32_t b, chains;
    const float *columns; /* (columns, b) */
    const uint8_t *is_out; /* (columns,) columns that are left out */
    const int32_t *tags, *name_rows, *text_rows; /* tags: (b, 3) */
    const int64_t *name_start, *text_start, *chain;
    const int64_t *group[GROUPS];
    int32_t groups[GROUPS]; /* number of groups of each kind */
    int32_t no_tags, no_names, no_texts; /* parts that are left out */
} Page;

/* Where in one piece of memory the arrays of a page are. */
typedef struct {
    size_t x, u, v, z, hidden, pooled, sums, begun, totals, h, seen[GROUPS], size;
} Places;

enum { OFFSET = 128, LARGEST = 127, ROWS = 64 };
#define ROUNDER 12582912.0f /* 1.5 * 2^23: numbers added to it lose their fraction, half of it to the even number */

static inline size_t padded(int32_t blocks) { return (size_t)blocks * 16; }

static inline float rounded(float x) { return (x + ROUNDER) - ROUNDER; }

static inline float clipped(float x, float least, float largest) {
    x = x > least ? x : least;
    return x < largest ? x : largest;
}

/* One byte from a number between -127 and 127. */
static inline uint8_t whole(float x, int32_t offset) {
    float sum = x + ROUNDER;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (uint8_t)(bits - 0x4B400000u + (uint32_t)offset);
}

/* log(1 + x) of x >= 0, in double precision. */
static inline double log_of_one_and(double x) {
    static const double share[] = {1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                                   1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3};
    double y = 1.0 + x, lost = (x - (y - 1.0)) / y, power, m, s, z, sum = 0.0;
    uint64_t bits, exponent;
    int i;
    memcpy(&bits, &y, sizeof bits);
    exponent = (bits >> 52) | 0x4330000000000000u; /* as a number: 2^52 + exponent */
    memcpy(&power, &exponent, sizeof power);
    bits = (bits & 0x000FFFFFFFFFFFFFu) | 0x3FF0000000000000u;
    memcpy(&m, &bits, sizeof m);
    power -= 4503599627370496.0 + 1023.0;
    power += m > 1.4142135623730951 ? 1.0 : 0.0;
    m *= m > 1.4142135623730951 ? 0.5 : 1.0;
    s = (m - 1.0) / (m + 1.0);
    z = s * s;
    for (i = 0; i < 10; i++) sum = sum * z + share[i];
    return power * 0.6931471805599453 + (2.0 * s + (2.0 * s * z * sum + lost));
}

static inline size_t larger(size_t one, size_t other) { return one > other ? one : other; }

static size_t placed(Places *places, size_t size) {
    size_t at = places->size;
    places->size += (size + 63) / 64 * 64;
    return at;
}

/* Lay out the arrays of a page. */
static Places places_of(const Net *net, const Page *page) {
    Places at = {0};
    const size_t b = (size_t)page->b, width = padded(net->inputs.blocks);
    size_t wide = 16, most = 0, far = 0;
    for (int32_t number = 0; number < net->layers; number++) {
        const int64_t distance = net->layer[number].distance;
        wide = larger(wide, padded(net->layer[number].v.blocks));
        far = larger(far, distance < page->b ? (size_t)distance : b);
    }
    for (int kind = 0; kind < GROUPS; kind++) most = larger(most, (size_t)page->groups[kind]);
    const size_t pooled = 2 * (size_t)net->pooled + 3;
    at.x = placed(&at, b * 4 * (size_t)net->inputs.quads);
    at.u = placed(&at, b * width);
    at.v = placed(&at, b * wide);
    at.z = placed(&at, (b + 2 * far) * width);
    at.hidden = placed(&at, ROWS * width);
    at.pooled = placed(&at, larger(most * pooled, (size_t)page->chains * (size_t)net->name));
    at.sums = placed(&at, ROWS * larger(width, wide) * 4);
    at.begun = placed(&at, ROWS * width * 4);
    at.totals = placed(&at, most * ((size_t)net->pooled + 1) * 4);
    at.h = placed(&at, b * width * 4);
    for (int kind = 0; kind < GROUPS; kind++) at.seen[kind] = placed(&at, (size_t)page->groups[kind] * width * 4);
    return at;
}

#define JOIN(name, kind) name##_##kind
#define NAMED(name, kind) JOIN(name, kind)

#define KIND plain
#include "net_page.h"
#undef KIND

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#include <immintrin.h>

#pragma GCC push_options
#pragma GCC target("avx2")
#define KIND avx2
#define WITH_AVX2
#include "net_page.h"
#undef WITH_AVX2
#undef KIND
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#define KIND vnni
#define WITH_VNNI
#include "net_page.h"
#undef WITH_VNNI
#undef KIND
#pragma GCC pop_options

static int best_kind(void) {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 2;
    return __builtin_cpu_supports("avx2") ? 1 : 0;
}

static void page_scores(int kind, const Net *net, const Page *page, const Places *places, uint8_t *memory,
                        double *scores) {
    if (kind == 2) page_scores_vnni(net, page, places, memory, scores);
    else if (kind == 1) page_scores_avx2(net, page, places, memory, scores);
    else page_scores_plain(net, page, places, memory, scores);
}
#else
static int best_kind(void) { return 0; }

static void page_scores(int kind, const Net *net, const Page *page, const Places *places, uint8_t *memory,
                        double *scores) {
    (void)kind;
    page_scores_plain(net, page, places, memory, scores);
}
#endif

#endif
