/* The net over one page; `net_loops.h` includes this once for each kind of processor, named KIND. */

#define MULTIPLY NAMED(multiply, KIND)

#if defined(WITH_VNNI)

/* Sums of `rows` rows and 16 * `blocks` outputs, both constant where this is inlined. */
static inline ALWAYS void NAMED(tile, KIND)(
    const int rows, const int blocks, const uint8_t *const *x, int parts, size_t stride, const Affine *m, int32_t first,
    const int32_t *start, size_t start_stride, int32_t *sums) {
    __m512i total[4][4], weight[4];
    const int32_t quads = m->quads / parts;
    const size_t width = padded(m->blocks);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < blocks; c++)
            total[r][c] = _mm512_loadu_si512(start + r * start_stride + 16 * (first + c));
    for (int part = 0; part < parts; part++) {
        const int8_t *w = m->weights + 64 * ((size_t)first * m->quads + (size_t)part * quads);
        for (int32_t q = 0; q < quads; q++, w += 64) {
            for (int c = 0; c < blocks; c++) weight[c] = _mm512_loadu_si512(w + 64 * (size_t)c * m->quads);
            for (int r = 0; r < rows; r++) {
                int32_t four;
                memcpy(&four, x[part] + r * stride + 4 * (size_t)q, 4);
                const __m512i bytes = _mm512_set1_epi32(four);
                for (int c = 0; c < blocks; c++) total[r][c] = _mm512_dpbusd_epi32(total[r][c], bytes, weight[c]);
            }
        }
    }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < blocks; c++) _mm512_storeu_si512(sums + r * width + 16 * (first + c), total[r][c]);
}

#elif defined(WITH_AVX2)

static inline ALWAYS void NAMED(tile, KIND)(
    const int rows, const int blocks, const uint8_t *const *x, int parts, size_t stride, const Affine *m, int32_t first,
    const int32_t *start, size_t start_stride, int32_t *sums) {
    const int32_t quads = m->quads / parts;
    const size_t width = padded(m->blocks);
    for (int half = 0; half < 2 * blocks; half++) { /* 8 outputs: two numbers for each, added in the end */
        const size_t output = 16 * (size_t)first + 8 * (size_t)half;
        __m256i low[4], high[4];
        for (int r = 0; r < rows; r++) low[r] = high[r] = _mm256_setzero_si256();
        for (int part = 0; part < parts; part++) {
            const int8_t *w = m->weights + 64 * ((size_t)(first + half / 2) * m->quads + (size_t)part * quads) + 32 * (half % 2);
            for (int32_t q = 0; q < quads; q++, w += 64) {
                const __m256i weight_low = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)w));
                const __m256i weight_high = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(w + 16)));
                for (int r = 0; r < rows; r++) {
                    int32_t four;
                    memcpy(&four, x[part] + r * stride + 4 * (size_t)q, 4);
                    const __m256i bytes = _mm256_broadcastq_epi64(_mm_cvtepu8_epi16(_mm_cvtsi32_si128(four)));
                    low[r] = _mm256_add_epi32(low[r], _mm256_madd_epi16(bytes, weight_low));
                    high[r] = _mm256_add_epi32(high[r], _mm256_madd_epi16(bytes, weight_high));
                }
            }
        }
        for (int r = 0; r < rows; r++) {
            const __m256i pairs = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low[r], high[r]), 0xD8);
            const __m256i begun = _mm256_loadu_si256((const __m256i *)(start + r * start_stride + output));
            _mm256_storeu_si256((__m256i *)(sums + r * width + output), _mm256_add_epi32(pairs, begun));
        }
    }
}

#else

static inline ALWAYS void NAMED(tile, KIND)(
    const int rows, const int blocks, const uint8_t *const *x, int parts, size_t stride, const Affine *m, int32_t first,
    const int32_t *start, size_t start_stride, int32_t *sums) {
    const int32_t quads = m->quads / parts;
    const size_t width = padded(m->blocks);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < blocks; c++) {
            const size_t output = 16 * ((size_t)first + (size_t)c);
            int32_t total[16];
            memcpy(total, start + r * start_stride + output, sizeof total);
            for (int part = 0; part < parts; part++) {
                const uint8_t *four = x[part] + r * stride;
                const int8_t *w = m->weights + 64 * ((size_t)(first + c) * m->quads + (size_t)part * quads);
                for (int32_t q = 0; q < quads; q++, w += 64, four += 4)
                    for (int o = 0; o < 16; o++)
                        total[o] += four[0] * w[4 * o] + four[1] * w[4 * o + 1] + four[2] * w[4 * o + 2] + four[3] * w[4 * o + 3];
            }
            memcpy(sums + r * width + output, total, sizeof total);
        }
}

#endif

/* Sums of rows with a matrix; row r has its inputs at x[part] + r * stride, for each of `parts` equal parts of them. */
static void MULTIPLY(const Affine *m, const uint8_t *const *x, int parts, size_t stride, int32_t rows,
                     const int32_t *start, size_t start_stride, int32_t *sums) {
    const size_t width = padded(m->blocks);
    const uint8_t *at[STEPS_IN];
    int32_t r = 0;
    for (; r < rows; r += r + 4 <= rows ? 4 : 1) {
        const int32_t *begin = start + (size_t)r * start_stride;
        int32_t *out = sums + (size_t)r * width, c = 0;
        for (int part = 0; part < parts; part++) at[part] = x[part] + (size_t)r * stride;
        if (r + 4 <= rows) {
            for (; c + 4 <= m->blocks; c += 4) NAMED(tile, KIND)(4, 4, at, parts, stride, m, c, begin, start_stride, out);
            for (; c + 2 <= m->blocks; c += 2) NAMED(tile, KIND)(4, 2, at, parts, stride, m, c, begin, start_stride, out);
            for (; c < m->blocks; c++) NAMED(tile, KIND)(4, 1, at, parts, stride, m, c, begin, start_stride, out);
        } else {
            for (; c + 4 <= m->blocks; c += 4) NAMED(tile, KIND)(1, 4, at, parts, stride, m, c, begin, start_stride, out);
            for (; c < m->blocks; c++) NAMED(tile, KIND)(1, 1, at, parts, stride, m, c, begin, start_stride, out);
        }
    }
}

static void NAMED(scaled_column, KIND)(const Net *net, const Page *page, int32_t column, float *restrict values,
                                       uint8_t *restrict bytes) {
    const float *from = page->columns + (size_t)column * page->b;
    const float mean = net->mean[column], scale = net->scale[column];
    if (net->is_log[column] != 0.0f)
        for (int32_t i = 0; i < page->b; i++) values[i] = copysignf((float)log_of_one_and((double)fabsf(from[i])), from[i]);
    else
        memcpy(values, from, (size_t)page->b * sizeof *values);
    for (int32_t i = 0; i < page->b; i++)
        bytes[i] = whole(clipped((values[i] - mean) / scale, -5.0f, 5.0f) * 25.0f, OFFSET);
}

/* Sums of at most 16 numbers of each row; constant where this is inlined. */
static inline ALWAYS void NAMED(sum_of_rows, KIND)(const int part, const int8_t *table, int32_t width,
                                                   const int32_t *row, int64_t n, int32_t *restrict sum) {
    int32_t total[16] = {0};
    for (int64_t i = 0; i < n; i++) {
        const int8_t *from = table + (size_t)row[i] * (size_t)width;
        for (int j = 0; j < part; j++) total[j] += from[j];
    }
    memcpy(sum, total, sizeof total);
}

static void NAMED(mean_of_rows, KIND)(const int8_t *table, int32_t width, const int32_t *row, int64_t n, uint8_t *mean) {
    int32_t sum[16];
    for (int32_t first = 0; first < width; first += 16) {
        const int32_t part = width - first < 16 ? width - first : 16;
        if (part == 16) NAMED(sum_of_rows, KIND)(16, table + first, width, row, n, sum);
        else NAMED(sum_of_rows, KIND)(part, table + first, width, row, n, sum);
        for (int32_t j = 0; j < part; j++)
            mean[first + j] = n ? whole(clipped((float)sum[j] * 2.0f / (float)n, -LARGEST, LARGEST), OFFSET) : OFFSET;
    }
}

/* The inputs of the blocks as bytes, shape (b, stride); `values` has room for two columns, `means` for the bags of names. */
static void NAMED(read_inputs, KIND)(const Net *net, const Page *page, size_t stride, float *values, uint8_t *means,
                                     uint8_t *x) {
    const int32_t b = page->b;
    uint8_t *bytes = (uint8_t *)(values + b);
    for (int32_t column = 0; column < net->columns; column++) {
        uint8_t *to = x + column;
        if (page->is_out[column]) {
            for (int32_t i = 0; i < b; i++) to[i * stride] = OFFSET;
            continue;
        }
        NAMED(scaled_column, KIND)(net, page, column, values, bytes);
        for (int32_t i = 0; i < b; i++) to[i * stride] = bytes[i];
    }
    for (int32_t chain = 0; chain < page->chains; chain++)
        NAMED(mean_of_rows, KIND)(net->names, net->name, page->name_rows + page->name_start[chain],
                                  page->name_start[chain + 1] - page->name_start[chain], means + (size_t)chain * net->name);
    for (int32_t i = 0; i < b; i++) {
        uint8_t *to = x + (size_t)i * stride + net->columns;
        for (int part = 0; part < 3; part++, to += net->tag) {
            const int8_t *from = net->tags + (page->no_tags ? 0 : (size_t)page->tags[3 * (size_t)i + part] * net->tag);
            for (int32_t j = 0; j < net->tag; j++) to[j] = (uint8_t)(from[j] + OFFSET);
        }
        if (page->no_names) memset(to, OFFSET, (size_t)net->name);
        else memcpy(to, means + (size_t)page->chain[i] * net->name, (size_t)net->name);
        to += net->name;
        NAMED(mean_of_rows, KIND)(net->texts, net->text, page->text_rows + page->text_start[i],
                                  page->no_texts ? 0 : page->text_start[i + 1] - page->text_start[i], to);
        memset(to + net->text, 0, (size_t)(x + (size_t)(i + 1) * stride - (to + net->text)));
    }
}

/* Vectors of blocks as bytes with mean 0 and variance 1, shape (rows, width); those of h after `d` are zeros. */
static void NAMED(normalise, KIND)(const float *restrict h, int32_t d, size_t width, int32_t rows,
                                   uint8_t *restrict u) {
    for (int32_t i = 0; i < rows; i++, h += width, u += width) {
        double sums[16] = {0}, squares[16] = {0};
        for (size_t j = 0; j < width; j += 16)
            for (int lane = 0; lane < 16; lane++) {
                const double value = h[j + lane];
                sums[lane] += value;
                squares[lane] += value * value;
            }
        for (int half = 8; half; half /= 2)
            for (int lane = 0; lane < half; lane++) {
                sums[lane] += sums[lane + half];
                squares[lane] += squares[lane + half];
            }
        const double mean = sums[0] / d;
        const float factor = (float)(16.0 / sqrt(squares[0] / d - mean * mean + 1e-5 * 1048576.0)), centre = (float)mean;
        for (size_t j = 0; j < width; j++) u[j] = whole(clipped((h[j] - centre) * factor, -LARGEST, LARGEST), OFFSET);
    }
}

/* Bytes from sums, between `least` and 127. */
static void NAMED(as_bytes, KIND)(const Affine *m, const int32_t *restrict sums, int32_t rows, float least,
                                  int32_t offset, uint8_t *restrict to) {
    const size_t width = padded(m->blocks);
    const float *restrict scale = m->scale, *restrict bias = m->bias;
    for (int32_t i = 0; i < rows; i++, sums += width, to += width)
        for (size_t j = 0; j < width; j++)
            to[j] = whole(clipped((float)sums[j] * scale[j] + bias[j], least, LARGEST), offset);
}

/* Add what a layer says to the vectors. */
static void NAMED(move, KIND)(const Affine *m, const int32_t *restrict sums, int32_t rows, float *restrict h) {
    const size_t width = padded(m->blocks);
    const float *restrict scale = m->scale, *restrict bias = m->bias, farthest = 1048576.0f;
    for (int32_t i = 0; i < rows; i++, sums += width, h += width)
        for (size_t j = 0; j < width; j++)
            h[j] = rounded(clipped(((float)sums[j] * scale[j] + bias[j]) + h[j], -farthest, farthest));
}

/* The sums, sizes and maxima of groups of p numbers, at most 16; p is constant where this is inlined. Blocks of one group
   often follow one another: their sum stays in registers. */
static inline ALWAYS void NAMED(sum_of_groups, KIND)(const int p, const int64_t *group, int32_t b, const uint8_t *from,
                                                     size_t width, int32_t *restrict sum, int32_t *restrict size,
                                                     uint8_t *restrict most, size_t pooled, size_t stride) {
    for (int32_t i = 0, end; i < b; i = end) {
        const size_t own = (size_t)group[i];
        int32_t total[16];
        uint8_t highest[16];
        for (int j = 0; j < p; j++) total[j] = sum[own * pooled + j], highest[j] = most[own * stride + j];
        for (end = i; end < b && (size_t)group[end] == own; end++, from += width)
            for (int j = 0; j < p; j++) {
                total[j] += from[j];
                highest[j] = from[j] > highest[j] ? from[j] : highest[j];
            }
        size[own] += end - i;
        for (int j = 0; j < p; j++) sum[own * pooled + j] = total[j], most[own * stride + j] = highest[j];
    }
}

/* The mean and the maximum of v over each group of one kind, as bytes, shape (groups, stride). */
static void NAMED(pool, KIND)(const Net *net, const Page *page, int kind, const uint8_t *v, size_t width,
                              int32_t *restrict sum, uint8_t *restrict pooled, size_t stride) {
    const size_t p = (size_t)net->pooled, groups = (size_t)page->groups[kind];
    int32_t *restrict size = sum + groups * p;
    memset(sum, 0, groups * p * sizeof *sum);
    memset(pooled, 0, groups * stride);
    for (size_t first = 0; first < p; first += 16) {
        const uint8_t *from = v + (size_t)kind * p + first;
        memset(size, 0, groups * sizeof *size);
        if (p - first >= 16)
            NAMED(sum_of_groups, KIND)(16, page->group[kind], page->b, from, width, sum + first, size,
                                       pooled + p + first, p, stride);
        else
            NAMED(sum_of_groups, KIND)((int)(p - first), page->group[kind], page->b, from, width, sum + first, size,
                                       pooled + p + first, p, stride);
    }
    for (size_t group = 0; group < groups; group++) {
        const int32_t *restrict total = sum + group * p;
        const float count = (float)size[group];
        uint8_t *restrict mean = pooled + group * stride;
        for (size_t j = 0; j < p; j++) mean[j] = whole((float)(total[j] - OFFSET * size[group]) / count, OFFSET);
    }
}

typedef struct {
    uint8_t *u, *v, *z, *hidden, *pooled;
    int32_t *sums, *begun, *totals, *seen[GROUPS];
    float *h;
} NAMED(Memory, KIND);

/* One layer: `u` and `v` first, then what each group says, then each block with its neighbours. */
static void NAMED(update, KIND)(const Net *net, const Layer *layer, const Page *page, NAMED(Memory, KIND) *at) {
    const size_t width = padded(layer->a.blocks), wide = padded(layer->v.blocks);
    const int64_t k = layer->distance < page->b ? layer->distance : page->b;
    const size_t stride = 4 * (size_t)layer->pools[0].quads;
    uint8_t *z = at->z + (size_t)k * width;
    memset(at->z, 0, (size_t)k * width);
    memset(z + (size_t)page->b * width, 0, (size_t)k * width);
    NAMED(normalise, KIND)(at->h, net->width, width, page->b, at->u);
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        const uint8_t *u = at->u + (size_t)first * width;
        MULTIPLY(&layer->v, &u, 1, width, rows, layer->v.start, 0, at->sums);
        NAMED(as_bytes, KIND)(&layer->v, at->sums, rows, -LARGEST, OFFSET, at->v + (size_t)first * wide);
        MULTIPLY(&layer->a, &u, 1, width, rows, layer->a.start, 0, at->sums);
        NAMED(as_bytes, KIND)(&layer->a, at->sums, rows, 0, 0, z + (size_t)first * width);
    }
    for (int kind = 0; kind < GROUPS; kind++) {
        const uint8_t *pooled = at->pooled;
        NAMED(pool, KIND)(net, page, kind, at->v, wide, at->totals, at->pooled, stride);
        MULTIPLY(&layer->pools[kind], &pooled, 1, stride, page->groups[kind], layer->pools[kind].start, 0, at->seen[kind]);
    }
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        const uint8_t *here = z + (size_t)first * width;
        const uint8_t *three[STEPS_IN] = {here, here - k * (int64_t)width, here + k * (int64_t)width};
        const uint8_t *hidden = at->hidden;
        for (int32_t i = 0; i < rows; i++) {
            const int32_t *restrict seen[GROUPS];
            int32_t *restrict begun = at->begun + (size_t)i * width;
            for (int kind = 0; kind < GROUPS; kind++)
                seen[kind] = at->seen[kind] + (size_t)page->group[kind][first + i] * width;
            for (size_t j = 0; j < width; j++)
                begun[j] = seen[0][j] + seen[1][j] + seen[2][j] + seen[3][j] + seen[4][j];
        }
        MULTIPLY(&layer->near, three, STEPS_IN, width, rows, at->begun, width, at->sums);
        NAMED(as_bytes, KIND)(&layer->near, at->sums, rows, 0, 0, at->hidden);
        MULTIPLY(&layer->p, &hidden, 1, width, rows, layer->p.start, 0, at->sums);
        NAMED(move, KIND)(&layer->p, at->sums, rows, at->h + (size_t)first * width);
    }
}

static void NAMED(page_scores, KIND)(const Net *net, const Page *page, const Places *places, uint8_t *memory,
                                     double *scores) {
    const size_t stride = 4 * (size_t)net->inputs.quads, width = padded(net->inputs.blocks);
    uint8_t *x = memory + places->x;
    NAMED(Memory, KIND) at = {0};
    at.u = memory + places->u, at.v = memory + places->v, at.z = memory + places->z;
    at.hidden = memory + places->hidden, at.pooled = memory + places->pooled;
    at.sums = (int32_t *)(memory + places->sums), at.begun = (int32_t *)(memory + places->begun);
    at.totals = (int32_t *)(memory + places->totals), at.h = (float *)(memory + places->h);
    for (int kind = 0; kind < GROUPS; kind++) at.seen[kind] = (int32_t *)(memory + places->seen[kind]);
    NAMED(read_inputs, KIND)(net, page, stride, at.h, at.pooled, x);
    memset(at.h, 0, (size_t)page->b * width * sizeof *at.h);
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        const uint8_t *of_rows = x + (size_t)first * stride;
        MULTIPLY(&net->inputs, &of_rows, 1, stride, rows, net->inputs.start, 0, at.sums);
        NAMED(move, KIND)(&net->inputs, at.sums, rows, at.h + (size_t)first * width);
    }
    for (int32_t number = 0; number < net->layers; number++) NAMED(update, KIND)(net, net->layer + number, page, &at);
    NAMED(normalise, KIND)(at.h, net->width, width, page->b, at.u);
    for (int32_t first = 0; first < page->b; first += ROWS) {
        const int32_t rows = page->b - first < ROWS ? page->b - first : ROWS;
        const uint8_t *u = at.u + (size_t)first * width;
        MULTIPLY(&net->out, &u, 1, width, rows, net->out.start, 0, at.sums);
        for (int32_t i = 0; i < rows; i++)
            scores[first + i] = (double)((float)at.sums[16 * (size_t)i] * net->out.scale[0] + net->out.bias[0]);
    }
}

#undef MULTIPLY
