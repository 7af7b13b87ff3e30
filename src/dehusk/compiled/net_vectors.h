/* Vectors of LANES numbers for one kind of processor, named KIND: `net_page.h` includes this before its loops.

A CELL is one number that a matrix multiplies, and PER of them are the four bytes of a step: 4 bytes that are `OFFSET`
too large where the processor multiplies unsigned by signed bytes, else 2 integers of 16 bits. */

#if defined(WITH_VNNI)

#define LANES 16
#define CELL uint8_t
#define PER 4
#define OFFSET 128
#define WIDE 5 /* blocks of 16 outputs that are computed at once: with TALL rows, as many sums as fit into registers */
#define TALL 4
#define INTS __m512i
#define REALS __m512
#define LOAD(from) _mm512_loadu_si512(from)
#define STORE(to, x) _mm512_storeu_si512(to, x)
#define ADD(x, y) _mm512_add_epi32(x, y)
#define SPREAD(number) _mm512_set1_epi32(number)
#define DOT(total, cells, weights) NAMED(dot, KIND)(total, cells, weights)
#define STORE_CELLS(to, x) _mm_storeu_si128((__m128i *)(to), _mm512_cvtepi32_epi8(x))
#define LOAD_REALS(from) _mm512_loadu_ps(from)
#define STORE_REALS(to, x) _mm512_storeu_ps(to, x)
#define SPREAD_REAL(number) _mm512_set1_ps(number)
#define REAL(x) _mm512_cvtepi32_ps(x)
/* the one whose size is smaller, with the sign of the first */
#define BOUNDED(x) _mm512_range_ps(x, _mm512_set1_ps((float)LARGEST), 2)
/* the last byte of what is added to ROUNDER is a whole number */
#define WITH_OFFSET(x) _mm512_castps_si512(_mm512_add_ps(x, _mm512_set1_ps(ROUNDER + (float)OFFSET)))
#define POSITIVE(x) _mm512_castps_si512(_mm512_add_ps(x, _mm512_set1_ps(ROUNDER)))
#define PLUS(x, y) _mm512_add_ps(x, y)
#define MINUS(x, y) _mm512_sub_ps(x, y)
#define TIMES(x, y) _mm512_mul_ps(x, y)
#define LEAST(x, y) _mm512_min_ps(x, y)
#define MOST(x, y) _mm512_max_ps(x, y)
#define OVER(x, y) _mm512_div_ps(x, y)
#define HIGHER(x, y) _mm512_max_epi32(x, y)
#define LOAD_CELLS(from) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(from)))
#define LOAD_BYTES(from) _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(from)))
#define WIDES __m512d
#define WIDEN(from) _mm512_cvtps_pd(_mm256_loadu_ps(from))
#define WIDE_ZERO _mm512_setzero_pd()
#define WIDE_PLUS(x, y) _mm512_add_pd(x, y)
#define WIDE_TIMES(x, y) _mm512_mul_pd(x, y)
#define TOTAL(x) _mm512_reduce_add_pd(x)

/* Written out because GCC 12 copies the register of the sums for the intrinsic function, twice. */
static inline ALWAYS __m512i NAMED(dot, KIND)(__m512i total, __m512i cells, __m512i weights) {
    __asm__("vpdpbusd %2, %1, %0" : "+v"(total) : "v"(cells), "v"(weights));
    return total;
}

#elif defined(WITH_AVX2)

#define LANES 8
#define CELL int16_t
#define PER 2
#define OFFSET 0
#define WIDE 1
#define TALL 4
#define INTS __m256i
#define REALS __m256
#define LOAD(from) _mm256_loadu_si256((const __m256i *)(from))
#define STORE(to, x) _mm256_storeu_si256((__m256i *)(to), x)
#define ADD(x, y) _mm256_add_epi32(x, y)
#define SPREAD(number) _mm256_set1_epi32(number)
#define DOT(total, cells, weights) _mm256_add_epi32(total, _mm256_madd_epi16(cells, weights))
#define STORE_CELLS(to, x) \
    _mm_storeu_si128((__m128i *)(to), _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1)))
#define LOAD_REALS(from) _mm256_loadu_ps(from)
#define STORE_REALS(to, x) _mm256_storeu_ps(to, x)
#define SPREAD_REAL(number) _mm256_set1_ps(number)
#define REAL(x) _mm256_cvtepi32_ps(x)
#define BOUNDED(x) LEAST(MOST(x, SPREAD_REAL((float)-LARGEST)), SPREAD_REAL((float)LARGEST))
#define WITH_OFFSET(x) _mm256_cvtps_epi32(x)
#define POSITIVE(x) _mm256_cvtps_epi32(x)
#define PLUS(x, y) _mm256_add_ps(x, y)
#define MINUS(x, y) _mm256_sub_ps(x, y)
#define TIMES(x, y) _mm256_mul_ps(x, y)
#define LEAST(x, y) _mm256_min_ps(x, y)
#define MOST(x, y) _mm256_max_ps(x, y)
#define OVER(x, y) _mm256_div_ps(x, y)
#define HIGHER(x, y) _mm256_max_epi32(x, y)
#define LOAD_CELLS(from) _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(from)))
#define LOAD_BYTES(from) _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(from)))
#define WIDES __m256d
#define WIDEN(from) _mm256_cvtps_pd(_mm_loadu_ps(from))
#define WIDE_ZERO _mm256_setzero_pd()
#define WIDE_PLUS(x, y) _mm256_add_pd(x, y)
#define WIDE_TIMES(x, y) _mm256_mul_pd(x, y)
#define TOTAL(x) NAMED(total_of, KIND)(x)

static inline ALWAYS double NAMED(total_of, KIND)(__m256d x) {
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd(x, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}

#elif defined(WITH_SSE2)

#define LANES 4
#define CELL int16_t
#define PER 2
#define OFFSET 0
#define WIDE 1
#define TALL 2
#define INTS __m128i
#define REALS __m128
#define LOAD(from) _mm_loadu_si128((const __m128i *)(from))
#define STORE(to, x) _mm_storeu_si128((__m128i *)(to), x)
#define ADD(x, y) _mm_add_epi32(x, y)
#define SPREAD(number) _mm_set1_epi32(number)
#define DOT(total, cells, weights) _mm_add_epi32(total, _mm_madd_epi16(cells, weights))
#define STORE_CELLS(to, x) _mm_storel_epi64((__m128i *)(to), _mm_packs_epi32(x, x))
#define LOAD_REALS(from) _mm_loadu_ps(from)
#define STORE_REALS(to, x) _mm_storeu_ps(to, x)
#define SPREAD_REAL(number) _mm_set1_ps(number)
#define REAL(x) _mm_cvtepi32_ps(x)
#define BOUNDED(x) LEAST(MOST(x, SPREAD_REAL((float)-LARGEST)), SPREAD_REAL((float)LARGEST))
#define WITH_OFFSET(x) _mm_cvtps_epi32(x)
#define POSITIVE(x) _mm_cvtps_epi32(x)
#define PLUS(x, y) _mm_add_ps(x, y)
#define MINUS(x, y) _mm_sub_ps(x, y)
#define TIMES(x, y) _mm_mul_ps(x, y)
#define LEAST(x, y) _mm_min_ps(x, y)
#define MOST(x, y) _mm_max_ps(x, y)
#define OVER(x, y) _mm_div_ps(x, y)
#define HIGHER(x, y) NAMED(higher, KIND)(x, y)
#define LOAD_CELLS(from) NAMED(load_cells, KIND)(from)
#define LOAD_BYTES(from) NAMED(load_bytes, KIND)(from)
#define WIDES __m128d
#define WIDEN(from) _mm_cvtps_pd(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(from))))
#define WIDE_ZERO _mm_setzero_pd()
#define WIDE_PLUS(x, y) _mm_add_pd(x, y)
#define WIDE_TIMES(x, y) _mm_mul_pd(x, y)
#define TOTAL(x) _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)))

static inline ALWAYS __m128i NAMED(higher, KIND)(__m128i x, __m128i y) {
    const __m128i is_higher = _mm_cmpgt_epi32(x, y);
    return _mm_or_si128(_mm_and_si128(is_higher, x), _mm_andnot_si128(is_higher, y));
}

static inline ALWAYS __m128i NAMED(load_cells, KIND)(const int16_t *from) {
    const __m128i four = _mm_loadl_epi64((const __m128i *)from);
    return _mm_srai_epi32(_mm_unpacklo_epi16(four, four), 16);
}

static inline ALWAYS __m128i NAMED(load_bytes, KIND)(const int8_t *from) {
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    const __m128i four = _mm_cvtsi32_si128(bytes), twice = _mm_unpacklo_epi8(four, four);
    return _mm_srai_epi32(_mm_unpacklo_epi16(twice, twice), 24);
}

#else /* plain C */

#define LANES 4
#define CELL int16_t
#define PER 2
#define OFFSET 0
#define WIDE 1
#define TALL 2
#define INTS NAMED(Ints, KIND)
#define REALS NAMED(Reals, KIND)
#define LOAD(from) NAMED(load, KIND)(from)
#define STORE(to, x) NAMED(store, KIND)(to, x)
#define ADD(x, y) NAMED(add, KIND)(x, y)
#define SPREAD(number) NAMED(spread, KIND)(number)
#define DOT(total, cells, weights) NAMED(dot, KIND)(total, cells, weights)
#define STORE_CELLS(to, x) NAMED(store_cells, KIND)(to, x)
#define LOAD_REALS(from) NAMED(load_reals, KIND)(from)
#define STORE_REALS(to, x) NAMED(store_reals, KIND)(to, x)
#define SPREAD_REAL(number) NAMED(spread_real, KIND)(number)
#define REAL(x) NAMED(real, KIND)(x)
#define BOUNDED(x) LEAST(MOST(x, SPREAD_REAL((float)-LARGEST)), SPREAD_REAL((float)LARGEST))
#define WITH_OFFSET(x) NAMED(whole, KIND)(x)
#define POSITIVE(x) NAMED(whole, KIND)(x)
#define PLUS(x, y) NAMED(plus, KIND)(x, y)
#define MINUS(x, y) NAMED(minus, KIND)(x, y)
#define TIMES(x, y) NAMED(times, KIND)(x, y)
#define LEAST(x, y) NAMED(least, KIND)(x, y)
#define MOST(x, y) NAMED(most, KIND)(x, y)
#define OVER(x, y) NAMED(over, KIND)(x, y)
#define HIGHER(x, y) NAMED(higher, KIND)(x, y)
#define LOAD_CELLS(from) NAMED(load_cells, KIND)(from)
#define LOAD_BYTES(from) NAMED(load_bytes, KIND)(from)
#define WIDES NAMED(Wides, KIND)
#define WIDEN(from) NAMED(widen, KIND)(from)
#define WIDE_ZERO NAMED(wide_zero, KIND)()
#define WIDE_PLUS(x, y) NAMED(wide_plus, KIND)(x, y)
#define WIDE_TIMES(x, y) NAMED(wide_times, KIND)(x, y)
#define TOTAL(x) ((x).at[0] + (x).at[1])

typedef struct { int32_t at[4]; } INTS;
typedef struct { float at[4]; } REALS;
typedef struct { double at[2]; } WIDES;

/* A function that computes each number of a vector. */
#define EACH(type, name, parameters, value) \
    static inline ALWAYS type NAMED(name, KIND) parameters { \
        type z; \
        for (size_t i = 0; i < sizeof z.at / sizeof z.at[0]; i++) z.at[i] = (value); \
        return z; \
    }
EACH(INTS, load, (const int32_t *from), from[i])
EACH(INTS, load_cells, (const int16_t *from), from[i])
EACH(INTS, load_bytes, (const int8_t *from), from[i])
EACH(INTS, spread, (int32_t number), number)
EACH(INTS, add, (INTS x, INTS y), x.at[i] + y.at[i])
EACH(INTS, higher, (INTS x, INTS y), x.at[i] > y.at[i] ? x.at[i] : y.at[i])
EACH(INTS, whole, (REALS x), nearest(x.at[i]))
EACH(INTS, dot, (INTS total, INTS x, INTS y),
     total.at[i] + (int16_t)x.at[i] * (int16_t)y.at[i] + (x.at[i] >> 16) * (y.at[i] >> 16))
EACH(REALS, load_reals, (const float *from), from[i])
EACH(REALS, spread_real, (float number), number)
EACH(REALS, real, (INTS x), (float)x.at[i])
EACH(REALS, plus, (REALS x, REALS y), x.at[i] + y.at[i])
EACH(REALS, minus, (REALS x, REALS y), x.at[i] - y.at[i])
EACH(REALS, times, (REALS x, REALS y), x.at[i] * y.at[i])
EACH(REALS, over, (REALS x, REALS y), x.at[i] / y.at[i])
EACH(REALS, least, (REALS x, REALS y), x.at[i] < y.at[i] ? x.at[i] : y.at[i])
EACH(REALS, most, (REALS x, REALS y), x.at[i] > y.at[i] ? x.at[i] : y.at[i])
EACH(WIDES, widen, (const float *from), from[i])
EACH(WIDES, wide_zero, (void), 0.0)
EACH(WIDES, wide_plus, (WIDES x, WIDES y), x.at[i] + y.at[i])
EACH(WIDES, wide_times, (WIDES x, WIDES y), x.at[i] * y.at[i])
#undef EACH

static inline ALWAYS void NAMED(store, KIND)(int32_t *to, INTS x) { memcpy(to, x.at, sizeof x.at); }
static inline ALWAYS void NAMED(store_reals, KIND)(float *to, REALS x) { memcpy(to, x.at, sizeof x.at); }
static inline ALWAYS void NAMED(store_cells, KIND)(int16_t *to, INTS x) {
    for (int i = 0; i < LANES; i++) to[i] = (int16_t)x.at[i];
}

#endif

#define VECTORS (16 / LANES)
#define WIDE_LANES (LANES / 2)
