/* The net over one page; `net_loops.h` includes this once for each kind of processor, named KIND. */

#include "net_vectors.h"

/* A product of rows with a matrix: row r has its inputs at x[part] + r * stride, for each of equal parts of them. */
typedef struct {
    const CELL *x[STEPS_IN];
    size_t stride;
    const int32_t *const *start; /* for each row, what its sums start with; NULL: what those of the matrix do */
    void *to;
} NAMED(Product, KIND);

#define PRODUCT NAMED(Product, KIND)

#define TO_SUMS 0 /* whole numbers of 32 bits */
#define TO_CELLS 1 /* between -127 and 127, OFFSET added */
#define TO_POSITIVE 2 /* between 0 and 127 */
#define TO_MOVES 3 /* added to vectors, clipped and rounded */

/* What becomes of some sums. */
static inline ALWAYS void NAMED(finish, KIND)(const int to, const Affine *m, const PRODUCT *p, size_t row,
                                              size_t output, INTS sums) {
    const size_t at = row * padded(m->blocks) + output;
    if (to == TO_SUMS) {
        STORE((int32_t *)p->to + at, sums);
        return;
    }
    REALS y = PLUS(TIMES(REAL(sums), LOAD_REALS(m->scale + output)), LOAD_REALS(m->bias + output));
    if (to == TO_CELLS) STORE_CELLS((CELL *)p->to + at, WITH_OFFSET(BOUNDED(y)));
    else if (to == TO_POSITIVE) {
        const REALS positive = LEAST(MOST(y, SPREAD_REAL(0.0f)), SPREAD_REAL((float)LARGEST));
        STORE_CELLS((CELL *)p->to + at, POSITIVE(positive));
    } else {
        const REALS farthest = SPREAD_REAL(1048576.0f), rounder = SPREAD_REAL(ROUNDER);
        y = LEAST(MOST(PLUS(y, LOAD_REALS((float *)p->to + at)), SPREAD_REAL(-1048576.0f)), farthest);
        STORE_REALS((float *)p->to + at, MINUS(PLUS(y, rounder), rounder));
    }
}

/* TALL rows and 16 * `blocks` outputs; the numbers are constant where this is inlined. */
static inline ALWAYS void NAMED(tile, KIND)(const int blocks, const int starts, const int parts, const int to,
                                            const Affine *m, const PRODUCT *p, int32_t row, int32_t first) {
    INTS total[TALL][WIDE * VECTORS], weight[WIDE * VECTORS];
    const size_t all = (size_t)m->steps, steps = all / (size_t)parts;
    for (int r = 0; r < TALL; r++)
        for (int v = 0; v < blocks * VECTORS; v++) {
            const size_t output = 16 * (size_t)first + LANES * (size_t)v;
            total[r][v] = LOAD((starts ? p->start[(row + r) * starts] : m->start) + output);
            for (int other = 1; other < starts; other++)
                total[r][v] = ADD(total[r][v], LOAD(p->start[(row + r) * starts + other] + output));
        }
    for (int part = 0; part < parts; part++) {
        const CELL *x = p->x[part] + (size_t)row * p->stride;
        const int32_t *w = m->weights + 16 * ((size_t)first * all + (size_t)part * steps);
        for (size_t step = 0; step < steps; step++, x += PER, w += 16) {
            for (int v = 0; v < blocks * VECTORS; v++)
                weight[v] = LOAD(w + 16 * (size_t)(v / VECTORS) * all + LANES * (v % VECTORS));
            for (int r = 0; r < TALL; r++) {
                int32_t four;
                memcpy(&four, x + (size_t)r * p->stride, 4);
                const INTS cells = SPREAD(four);
                for (int v = 0; v < blocks * VECTORS; v++) total[r][v] = DOT(total[r][v], cells, weight[v]);
            }
        }
    }
    for (int r = 0; r < TALL; r++)
        for (int v = 0; v < blocks * VECTORS; v++)
            NAMED(finish, KIND)(to, m, p, (size_t)(row + r), 16 * (size_t)first + LANES * (size_t)v, total[r][v]);
}

/* Rows from 0 on, up to TALL - 1 more than `rows`. */
static inline ALWAYS void NAMED(multiply, KIND)(const int starts, const int parts, const int to, const Affine *matrix,
                                                const PRODUCT *given, int32_t rows) {
    const Affine own = *matrix, *m = &own; /* copies, which no store can change */
    const PRODUCT product = *given, *p = &product;
    for (int32_t row = 0; row < rows; row += TALL)
        for (int32_t first = 0; first < m->blocks; first += WIDE) {
            const int32_t left = m->blocks - first;
            if (WIDE == 1 || left == 1) NAMED(tile, KIND)(1, starts, parts, to, m, p, row, first);
#if WIDE > 1
            else if (left == 2) NAMED(tile, KIND)(2, starts, parts, to, m, p, row, first);
            else if (left == 3) NAMED(tile, KIND)(3, starts, parts, to, m, p, row, first);
            else if (left == 4) NAMED(tile, KIND)(4, starts, parts, to, m, p, row, first);
            else NAMED(tile, KIND)(5, starts, parts, to, m, p, row, first);
#endif
        }
}

static void NAMED(to_sums, KIND)(const Affine *m, const PRODUCT *p, int32_t rows) {
    NAMED(multiply, KIND)(0, 1, TO_SUMS, m, p, rows);
}

static void NAMED(to_cells, KIND)(const Affine *m, const PRODUCT *p, int32_t rows) {
    NAMED(multiply, KIND)(0, 1, TO_CELLS, m, p, rows);
}

static void NAMED(to_positive, KIND)(const Affine *m, const PRODUCT *p, int32_t rows) {
    NAMED(multiply, KIND)(0, 1, TO_POSITIVE, m, p, rows);
}

static void NAMED(to_hidden, KIND)(const Affine *m, const PRODUCT *p, int32_t rows) {
    NAMED(multiply, KIND)(GROUPS, STEPS_IN, TO_POSITIVE, m, p, rows);
}

static void NAMED(to_moves, KIND)(const Affine *m, const PRODUCT *p, int32_t rows) {
    NAMED(multiply, KIND)(0, 1, TO_MOVES, m, p, rows);
}

#include "net_reading.h"

/* At most ROWS vectors with mean 0 and variance 1; those of h after `d` are zeros. */
static void NAMED(normalise, KIND)(const float *h, int32_t d, size_t width, int32_t rows, CELL *restrict u) {
    double mean[ROWS], square[ROWS];
    float factor[ROWS], centre[ROWS];
    for (int32_t i = 0; i < rows; i++) {
        const float *from = h + (size_t)i * width;
        WIDES sums[2] = {WIDE_ZERO, WIDE_ZERO}, squares[2] = {WIDE_ZERO, WIDE_ZERO};
        for (size_t j = 0; j < width; j += 2 * WIDE_LANES)
            for (int half = 0; half < 2; half++) {
                const WIDES x = WIDEN(from + j + (size_t)half * WIDE_LANES);
                sums[half] = WIDE_PLUS(sums[half], x);
                squares[half] = WIDE_PLUS(squares[half], WIDE_TIMES(x, x));
            }
        mean[i] = TOTAL(WIDE_PLUS(sums[0], sums[1]));
        square[i] = TOTAL(WIDE_PLUS(squares[0], squares[1]));
    }
    for (int32_t i = 0; i < rows; i++) {
        mean[i] /= d;
        factor[i] = (float)(16.0 / sqrt(square[i] / d - mean[i] * mean[i] + 1e-5 * 1048576.0));
        centre[i] = (float)mean[i];
    }
    for (int32_t i = 0; i < rows; i++, h += width, u += width) {
        const REALS by = SPREAD_REAL(factor[i]), from = SPREAD_REAL(centre[i]);
        for (size_t j = 0; j < width; j += LANES) {
            const REALS y = TIMES(MINUS(LOAD_REALS(h + j), from), by);
            STORE_CELLS(u + j, WITH_OFFSET(BOUNDED(y)));
        }
    }
}

/* The mean and the maximum of v over each group of a kind, shape (groups, stride), 16 numbers at a time: `totals` has
   room for sums and maxima of 16 numbers of each group. */
static void NAMED(pool, KIND)(const Net *net, const NetPage *page, int kind, const CELL *v, size_t width,
                              int32_t *totals, CELL *restrict pooled, size_t stride) {
    const size_t p = (size_t)net->pooled, groups = groups_of(page, kind);
    for (size_t first = 0; first < p; first += 16) {
        const size_t part = p - first < 16 ? p - first : 16;
        for (size_t group = 0; group < groups; group++)
            for (int lane = 0; lane < 16; lane += LANES) {
                STORE(totals + 32 * group + lane, SPREAD(0));
                STORE(totals + 32 * group + 16 + lane, SPREAD(OFFSET - LARGEST));
            }
        for (size_t i = 0; i < (size_t)page->b; i++) {
            const CELL *from = v + i * width + (size_t)kind * p + first;
            int32_t *own = totals + 32 * (size_t)page->group[kind][i];
            for (int lane = 0; lane < 16; lane += LANES) {
                const INTS x = LOAD_CELLS(from + lane);
                STORE(own + lane, ADD(LOAD(own + lane), x));
                STORE(own + 16 + lane, HIGHER(LOAD(own + 16 + lane), x));
            }
        }
        for (size_t group = 0; group < groups; group++) {
            const int32_t *own = totals + 32 * group;
            const float size = page->size[(size_t)page->first_group[kind] + group];
            CELL mean[16], most[16];
            for (int lane = 0; lane < 16; lane += LANES) {
                const REALS sums = MINUS(REAL(LOAD(own + lane)), SPREAD_REAL((float)OFFSET * size));
                STORE_CELLS(mean + lane, WITH_OFFSET(OVER(sums, SPREAD_REAL(size))));
                STORE_CELLS(most + lane, LOAD(own + 16 + lane));
            }
            memcpy(pooled + group * stride + first, mean, part * sizeof *mean);
            memcpy(pooled + group * stride + p + first, most, part * sizeof *most);
        }
    }
}

typedef struct {
    CELL *u, *v, *z, *hidden, *pooled, *taken;
    int32_t *totals, *seen[GROUPS];
    float *h;
} NAMED(Memory, KIND);

/* The rows of sums that each of ROWS blocks starts with: what its groups say. Of a kind with many groups, what they say
   to these blocks is computed now, so that it takes no memory for all of them. */
static void NAMED(start_rows, KIND)(const Layer *layer, const NetPage *page, const NAMED(Memory, KIND) *at,
                                    size_t width, int32_t first, const int32_t **start) {
    const size_t stride = (size_t)layer->pools[0].steps * PER;
    for (int kind = 0; kind < GROUPS; kind++) {
        const int is_many = groups_of(page, kind) > MANY;
        const CELL *pooled = at->pooled + (size_t)page->first_group[kind] * stride;
        const PRODUCT groups = {{at->taken}, stride, NULL, at->seen[kind]};
        for (int32_t i = 0; i < ROWS; i++) {
            const size_t group = (size_t)page->group[kind][first + i < page->b ? first + i : page->b - 1];
            if (is_many) memcpy(at->taken + (size_t)i * stride, pooled + group * stride, stride * sizeof *pooled);
            start[i * GROUPS + kind] = at->seen[kind] + (is_many ? (size_t)i : group) * width;
        }
        if (is_many) NAMED(to_sums, KIND)(&layer->pools[kind], &groups, ROWS);
    }
}

/* One layer: what each group says first, then each block with its neighbours. */
static void NAMED(update, KIND)(const Net *net, const Layer *layer, const NetPage *page, NAMED(Memory, KIND) *at) {
    const size_t width = padded(layer->a.blocks), wide = padded(layer->v.blocks);
    const int64_t k = layer->distance < page->b ? layer->distance : page->b;
    const size_t stride = (size_t)layer->pools[0].steps * PER;
    const int32_t *start[ROWS * GROUPS];
    CELL *z = at->z + (size_t)k * width;
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        const PRODUCT values = {{at->u}, width, NULL, at->v + (size_t)first * wide};
        const PRODUCT near = {{at->u}, width, NULL, z + (size_t)first * width};
        NAMED(normalise, KIND)(at->h + (size_t)first * width, net->width, width, rows, at->u);
        NAMED(to_cells, KIND)(&layer->v, &values, rows);
        NAMED(to_positive, KIND)(&layer->a, &near, rows);
    }
    memset(at->z, 0, (size_t)k * width * sizeof *z);
    memset(z + (size_t)page->b * width, 0, ((size_t)k + SPARE) * width * sizeof *z);
    for (int kind = 0; kind < GROUPS; kind++) {
        CELL *pooled = at->pooled + (size_t)page->first_group[kind] * stride;
        const PRODUCT groups = {{pooled}, stride, NULL, at->seen[kind]};
        NAMED(pool, KIND)(net, page, kind, at->v, wide, at->totals, pooled, stride);
        if (groups_of(page, kind) <= MANY)
            NAMED(to_sums, KIND)(&layer->pools[kind], &groups, (int32_t)groups_of(page, kind));
    }
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        const CELL *here = z + (size_t)first * width;
        const PRODUCT hidden = {
            {here, here - k * (int64_t)width, here + k * (int64_t)width}, width, start, at->hidden};
        const PRODUCT change = {{at->hidden}, width, NULL, at->h + (size_t)first * width};
        NAMED(start_rows, KIND)(layer, page, at, width, first, start);
        NAMED(to_hidden, KIND)(&layer->near, &hidden, rows);
        NAMED(to_moves, KIND)(&layer->p, &change, rows);
    }
}

static void NAMED(page_scores, KIND)(const Net *net, const NetPage *page, const Places *places, uint8_t *memory,
                                     double *scores, float *vectors) {
    const size_t stride = (size_t)net->inputs.steps * PER, width = padded(net->inputs.blocks);
    NAMED(Memory, KIND) at = {0};
    CELL *x = (CELL *)(memory + places->x);
    at.u = (CELL *)(memory + places->u), at.v = (CELL *)(memory + places->v), at.z = (CELL *)(memory + places->z);
    at.hidden = (CELL *)(memory + places->hidden), at.pooled = (CELL *)(memory + places->pooled);
    at.taken = (CELL *)(memory + places->taken);
    at.totals = (int32_t *)(memory + places->totals), at.h = (float *)(memory + places->h);
    for (int kind = 0; kind < GROUPS; kind++) at.seen[kind] = (int32_t *)(memory + places->seen[kind]);
    NAMED(read_inputs, KIND)(net, page, stride, memory + places->columns, (int32_t *)(memory + places->means), x);
    memset(x + (size_t)page->b * stride, 0, SPARE * stride * sizeof *x);
    memset(at.h, 0, ((size_t)page->b + SPARE) * width * sizeof *at.h);
    memset(at.u, 0, ROWS * width * sizeof *at.u);
    const PRODUCT first_vectors = {{x}, stride, NULL, at.h};
    NAMED(to_moves, KIND)(&net->inputs, &first_vectors, page->b);
    memset(at.pooled, 0, places->totals - places->pooled);
    for (int32_t number = 0; number < net->layers; number++) NAMED(update, KIND)(net, net->layer + number, page, &at);
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        int32_t sums[ROWS * 16];
        const PRODUCT odds = {{at.u}, width, NULL, sums};
        NAMED(normalise, KIND)(at.h + (size_t)first * width, net->width, width, rows, at.u);
        NAMED(to_sums, KIND)(&net->out, &odds, rows);
        for (int32_t i = 0; i < rows; i++)
            scores[first + i] = (double)((float)sums[16 * i] * net->out.scale[0] + net->out.bias[0]);
        for (int32_t i = 0; vectors && i < rows * net->width; i++)
            *vectors++ = (float)(at.u[(size_t)(i / net->width) * width + (size_t)(i % net->width)] - OFFSET) / 16.0f;
    }
}

#undef PRODUCT
#undef TO_SUMS
#undef TO_CELLS
#undef TO_POSITIVE
#undef TO_MOVES
#include "net_vectors_end.h"
