/* The inputs of a page as cells; `net_page.h` includes this. */

/* A column, scaled, in whole numbers; `values` is memory for as many. */
static void NAMED(scaled_column, KIND)(const Net *net, const NetPage *page, int32_t column, float *restrict values,
                                       int32_t *restrict cells) {
    const float mean = net->mean[column], scale = net->scale[column];
    const float *from = page->columns + (size_t)column * (size_t)page->b;
    int32_t b = 1; /* what is true of the page is the same for all blocks */
    cells[0] = OFFSET;
    if (!page->is_out[column]) {
        if (memcmp(from, from + 1, ((size_t)page->b - 1) * sizeof *from)) b = page->b;
        if (net->is_log[column] != 0.0f)
            for (int32_t i = 0; i < b; i++)
                values[i] = copysignf((float)log_of_one_and((double)fabsf(from[i])), from[i]);
        else memcpy(values, from, (size_t)b * sizeof *values);
        for (int32_t i = 0; i < b; i++)
            cells[i] = nearest(clipped((values[i] - mean) / scale, -5.0f, 5.0f) * 25.0f) + OFFSET;
    }
    for (int32_t i = b; i < page->b; i++) cells[i] = cells[0];
}

/* The columns of all blocks; `memory` has room for PER + 1 columns. */
static void NAMED(read_columns, KIND)(const Net *net, const NetPage *page, size_t stride, uint8_t *memory, CELL *x) {
    const size_t b = (size_t)page->b;
    float *values = (float *)memory;
    int32_t *cells = (int32_t *)memory + b, column = 0;
    for (; column + PER <= net->columns; column += PER, x += PER) {
        for (int c = 0; c < PER; c++) NAMED(scaled_column, KIND)(net, page, column + c, values, cells + (size_t)c * b);
        for (size_t i = 0; i < b; i++) {
            CELL step[PER];
            for (int c = 0; c < PER; c++) step[c] = (CELL)cells[(size_t)c * b + i];
            memcpy(x + i * stride, step, sizeof step);
        }
    }
    for (; column < net->columns; column++, x++) {
        NAMED(scaled_column, KIND)(net, page, column, values, cells);
        for (size_t i = 0; i < b; i++) x[i * stride] = (CELL)cells[i];
    }
}

/* Add 16 numbers of rows of a table to sums: of the rows from `start` to `end` of `all` that will be added in turn.
   Those of later ones are fetched meanwhile, since a table has no place in the nearest cache. */
static inline ALWAYS void NAMED(add_rows, KIND)(const int8_t *table, size_t wide, const int32_t *row, int64_t start,
                                                int64_t end, int64_t all, INTS *sums) {
    for (int64_t i = start; i < end; i++) {
        FETCH(table + (size_t)row[i + AHEAD < all ? i + AHEAD : i] * wide);
        for (int v = 0; v < VECTORS; v++)
            sums[v] = ADD(sums[v], LOAD_BYTES(table + (size_t)row[i] * wide + LANES * (size_t)v));
    }
}

/* At most 16 means of rows as cells. */
static inline ALWAYS void NAMED(write_means, KIND)(const INTS *sums, int64_t n, size_t part, CELL *to) {
    CELL means[16];
    const REALS size = SPREAD_REAL(n ? (float)n : 1.0f), two = SPREAD_REAL(2.0f);
    for (int v = 0; v < VECTORS; v++) {
        const REALS mean = OVER(TIMES(REAL(sums[v]), two), size);
        STORE_CELLS(means + LANES * v, WITH_OFFSET(BOUNDED(mean)));
    }
    memcpy(to, means, part * sizeof *to);
}

/* The means of names: a block has several bags. `sums` has room for those of each bag. */
static void NAMED(read_names, KIND)(const Net *net, const NetPage *page, size_t stride, int32_t *sums, CELL *x) {
    const size_t name = (size_t)net->name, wide = (name + 15) / 16 * 16;
    for (size_t bag = 0; bag < (size_t)page->bags; bag++)
        for (size_t first = 0; first < name; first += 16) {
            INTS total[VECTORS];
            for (int v = 0; v < VECTORS; v++) total[v] = SPREAD(0);
            NAMED(add_rows, KIND)(net->names + first, wide, page->name_rows, page->name_start[bag],
                                  page->name_start[bag + 1], page->name_start[page->bags], total);
            for (int v = 0; v < VECTORS; v++) STORE(sums + bag * wide + first + LANES * (size_t)v, total[v]);
        }
    for (size_t i = 0; i < (size_t)page->b; i++)
        for (size_t first = 0; first < name; first += 16) {
            INTS total[VECTORS];
            int64_t n = 0;
            for (int v = 0; v < VECTORS; v++) total[v] = SPREAD(0);
            for (int32_t own = page->first_bag[i]; !page->no_names && own < page->first_bag[i + 1]; own++) {
                const size_t bag = (size_t)page->bag[own];
                n += page->name_start[bag + 1] - page->name_start[bag];
                for (int v = 0; v < VECTORS; v++)
                    total[v] = ADD(total[v], LOAD(sums + bag * wide + first + LANES * (size_t)v));
            }
            NAMED(write_means, KIND)(total, n, name - first < 16 ? name - first : 16, x + i * stride + first);
        }
}

/* The means of words of texts: a bag for each block. */
static void NAMED(read_texts, KIND)(const Net *net, const NetPage *page, size_t stride, CELL *x) {
    const size_t text = (size_t)net->text, wide = (text + 15) / 16 * 16;
    for (size_t i = 0; i < (size_t)page->b; i++)
        for (size_t first = 0; first < text; first += 16) {
            const int64_t start = page->text_start[i], n = page->no_texts ? 0 : page->text_start[i + 1] - start;
            INTS total[VECTORS];
            for (int v = 0; v < VECTORS; v++) total[v] = SPREAD(0);
            NAMED(add_rows, KIND)(net->texts + first, wide, page->text_rows, start, start + n,
                                  page->text_start[page->b], total);
            NAMED(write_means, KIND)(total, n, text - first < 16 ? text - first : 16, x + i * stride + first);
        }
}

/* The inputs of the blocks, shape (b, stride). */
static void NAMED(read_inputs, KIND)(const Net *net, const NetPage *page, size_t stride, uint8_t *memory, int32_t *sums,
                                     CELL *x) {
    const size_t tag = (size_t)net->tag, end = (size_t)(net->columns + net->name + net->text) + 3 * tag;
    NAMED(read_columns, KIND)(net, page, stride, memory, x);
    for (size_t i = 0; i < (size_t)page->b; i++) {
        CELL *row = x + i * stride, *to = row + net->columns;
        for (size_t part = 0; part < 3; part++, to += tag) {
            const size_t own = page->no_tags ? 0 : (size_t)page->tags[3 * i + part];
            memcpy(to, (const CELL *)net->tags + own * tag, tag * sizeof *to);
        }
        for (size_t j = end; j < stride; j++) row[j] = 0;
    }
    NAMED(read_names, KIND)(net, page, stride, sums, x + (size_t)net->columns + 3 * tag);
    NAMED(read_texts, KIND)(net, page, stride, x + (size_t)(net->columns + net->name) + 3 * tag);
}
