/* The loops of the net (`net.pyx`), compiled for several kinds of processors; the best one is chosen at run time.

All products are of whole numbers, and their sums are exact, so each kind gives the same bits. One kind is plain C, for
every processor. GCC on x86-64 builds three more, other compilers for it one. */

#ifndef DEHUSK_NET_LOOPS_H
#define DEHUSK_NET_LOOPS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "net_structs.h"

#if defined(__GNUC__)
#define ALWAYS __attribute__((always_inline))
#else
#define ALWAYS
#endif
#if defined(_MSC_VER)
#define restrict __restrict
#endif

#if defined(__GNUC__)
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

enum { AHEAD = 64, STEPS_IN = 3, LARGEST = 127, ROWS = 64, SPARE = 4, MANY = 1 << 12 };

/* Where in one piece of memory the arrays of a page are; those of rows have SPARE more, which products may write to. */
typedef struct {
    size_t x, u, v, z, hidden, pooled, totals, taken, h, seen[GROUPS], columns, means, sizes, size;
} Places;

#define ROUNDER 12582912.0f /* 1.5 * 2^23: numbers added to it lose their fraction, half of it to the even number */

static inline size_t padded(int32_t blocks) { return (size_t)blocks * 16; }

/* The nearest whole number, the even one of two, of a number between -2^22 and 2^22. */
static inline int32_t nearest(float x) {
    float sum = x + ROUNDER;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return (int32_t)(bits - 0x4B400000u);
}

static inline float clipped(float x, float least, float largest) {
    x = x > least ? x : least;
    return x < largest ? x : largest;
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

static inline size_t groups_of(const NetPage *page, int kind) {
    return (size_t)(page->first_group[kind + 1] - page->first_group[kind]);
}

/* Lay out the arrays of a page. The inputs of the net are where those of its layers will be. */
static Places places_of(const Net *net, const NetPage *page) {
    Places at = {0};
    const size_t b = (size_t)page->b, rows = b + SPARE, width = padded(net->inputs.blocks), cell = (size_t)net->cell;
    const size_t groups = (size_t)page->first_group[GROUPS], stride = 2 * (size_t)net->pooled + 4;
    size_t wide = 16, far = 0, most = 0, end;
    for (int32_t number = 0; number < net->layers; number++) {
        const int64_t distance = net->layer[number].distance;
        wide = larger(wide, padded(net->layer[number].v.blocks));
        far = larger(far, distance < page->b ? (size_t)distance : b);
    }
    for (int kind = 0; kind < GROUPS; kind++) most = larger(most, groups_of(page, kind));
    at.u = placed(&at, ROWS * width * cell);
    at.h = placed(&at, rows * width * 4);
    at.sizes = placed(&at, groups * 4);
    const size_t both = at.size;
    at.x = placed(&at, rows * (size_t)net->inputs.steps * 4);
    at.columns = placed(&at, (4 + 1) * b * 4);
    at.means = placed(&at, (size_t)page->bags * (((size_t)net->name + 15) / 16 * 64));
    end = at.size, at.size = both;
    at.v = placed(&at, rows * wide * cell);
    at.z = placed(&at, (rows + 2 * far) * width * cell);
    at.hidden = placed(&at, ROWS * width * cell);
    at.pooled = placed(&at, (groups + SPARE) * stride * cell);
    at.totals = placed(&at, most * 32 * 4);
    at.taken = placed(&at, ROWS * stride * cell);
    for (int kind = 0; kind < GROUPS; kind++) {
        const size_t seen = groups_of(page, kind) > MANY ? ROWS : groups_of(page, kind);
        at.seen[kind] = placed(&at, (seen + SPARE) * width * 4);
    }
    at.size = larger(at.size, end);
    return at;
}

/* Count the blocks of each group. */
static void count_groups(NetPage *page, float *size) {
    memset(size, 0, (size_t)page->first_group[GROUPS] * sizeof *size);
    for (int kind = 0; kind < GROUPS; kind++)
        for (int32_t i = 0; i < page->b; i++) size[page->first_group[kind] + page->group[kind][i]] += 1.0f;
    page->size = size;
}

/* Pack a matrix (inputs, outputs) whose inputs are in equal parts: see `Affine`. */
static void pack(const float *matrix, int32_t inputs, int32_t outputs, int32_t parts, const Net *net, int32_t offset,
                 int8_t *weights, int32_t *start) {
    const int32_t of_part = inputs / parts, per = net->per, cell = net->cell, steps = (of_part + per - 1) / per;
    for (int32_t i = 0; i < inputs; i++, matrix += outputs) {
        const int32_t part = i / of_part, own = i % of_part;
        const size_t step = (size_t)(part * steps + own / per), all = (size_t)(parts * steps);
        int8_t *const to = weights + 64 * step + (own % per) * cell;
        for (int32_t j = 0; j < outputs; j++) {
            const int16_t number = (int16_t)matrix[j];
            const size_t at = 64 * (size_t)(j / 16) * all + 4 * (size_t)(j % 16);
            if (cell == 1) to[at] = (int8_t)number;
            else memcpy(to + at, &number, sizeof number);
            start[j] -= offset * number;
        }
    }
}

#define JOIN(name, kind) name##_##kind
#define NAMED(name, kind) JOIN(name, kind)

#define KIND plain
#include "net_page.h"
#undef KIND

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#define KIND sse2
#define WITH_SSE2
#include "net_page.h"
#undef WITH_SSE2
#undef KIND
#define HAS_SSE2
#endif

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
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
#define HAS_VNNI
#endif

/* Return the number of the best kind for this processor. */
static int best_kind(void) {
#if defined(HAS_VNNI)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return 3;
    if (__builtin_cpu_supports("avx2")) return 2;
#endif
#if defined(HAS_SSE2)
    return 1;
#else
    return 0;
#endif
}

/* Set how numbers are stored for a kind of processors; return what is added to them. */
static int32_t set_cells(int kind, Net *net) {
    net->cell = kind == 3 ? 1 : 2;
    net->per = 4 / net->cell;
    return kind == 3 ? 128 : 0;
}

/* Fill the log-odds of each block, shape (b,), and what they are made of unless `vectors` is NULL: shape (b, width). */
static void page_scores(int kind, const Net *net, NetPage *page, const Places *places, uint8_t *memory, double *scores,
                        float *vectors) {
    count_groups(page, (float *)(memory + places->sizes));
    if (kind == 0) page_scores_plain(net, page, places, memory, scores, vectors);
#if defined(HAS_SSE2)
    if (kind == 1) page_scores_sse2(net, page, places, memory, scores, vectors);
#endif
#if defined(HAS_VNNI)
    if (kind == 2) page_scores_avx2(net, page, places, memory, scores, vectors);
    if (kind == 3) page_scores_vnni(net, page, places, memory, scores, vectors);
#endif
}

#endif
