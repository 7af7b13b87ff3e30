/* Searches for blocks of characters that may hold one of some fixed strings; a closer look tells. On x86-64, GCC builds
   them for AVX2 as well, which is chosen at run time where the processor has it. */

#ifndef DEHUSK_NEEDLES_H
#define DEHUSK_NEEDLES_H

#include <stddef.h>
#include <stdint.h>

enum { AT_ONCE = 64, AHEAD = 16 }; /* characters of a block; characters after it that are read, too */

#define JOINED(a, b, c) a##_##b##_##c
#define NAMED(a, b, c) JOINED(a, b, c)

#define KIND plain
#define POINT uint8_t
#include "needle_loops.h"
#undef POINT
#define POINT uint16_t
#include "needle_loops.h"
#undef POINT
#define POINT uint32_t
#include "needle_loops.h"
#undef POINT
#undef KIND

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define HAS_KINDS 1
#pragma GCC push_options
#pragma GCC target("avx2")
#define KIND avx2
#define POINT uint8_t
#include "needle_loops.h"
#undef POINT
#define POINT uint16_t
#include "needle_loops.h"
#undef POINT
#define POINT uint32_t
#include "needle_loops.h"
#undef POINT
#undef KIND
#pragma GCC pop_options
#else
#define HAS_KINDS 0
#endif

static int needles_avx2 = -1;

static inline int has_avx2(void) {
#if HAS_KINDS
    if (needles_avx2 < 0) {
        __builtin_cpu_init();
        needles_avx2 = __builtin_cpu_supports("avx2") != 0;
    }
#else
    needles_avx2 = 0;
#endif
    return needles_avx2;
}

/* Each returns where a block starts, of those from `at` on, that may hold a string; n or less if all that is left to
   look at is the end, which is shorter than a block and what is read after it. */
#if HAS_KINDS
#define SEARCH(name, POINT) \
    static inline ptrdiff_t JOINED(name, POINT, any)(const POINT *s, ptrdiff_t at, ptrdiff_t n) { \
        return has_avx2() ? JOINED(name, POINT, avx2)(s, at, n) : JOINED(name, POINT, plain)(s, at, n); \
    }
#else
#define SEARCH(name, POINT) \
    static inline ptrdiff_t JOINED(name, POINT, any)(const POINT *s, ptrdiff_t at, ptrdiff_t n) { \
        return JOINED(name, POINT, plain)(s, at, n); \
    }
#endif
SEARCH(source_block, uint8_t)
SEARCH(source_block, uint16_t)
SEARCH(source_block, uint32_t)
SEARCH(style_block, uint8_t)
SEARCH(style_block, uint16_t)
SEARCH(style_block, uint32_t)
SEARCH(invisible_block, uint16_t)
SEARCH(invisible_block, uint32_t)

#endif
