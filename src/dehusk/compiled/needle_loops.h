/* The loops of `needles.h`, for characters of the type POINT and processors of a KIND. */

#define BLOCKS(name, condition) \
    static inline ptrdiff_t NAMED(name, POINT, KIND)(const POINT *s, ptrdiff_t at, ptrdiff_t n) { \
        for (; at + AT_ONCE + AHEAD <= n; at += AT_ONCE) { \
            const POINT *p = s + at; \
            POINT found = 0; \
            for (int i = 0; i < AT_ONCE; i++) found |= (POINT)(condition); \
            if (found) return at; \
        } \
        return at; \
    }

/* "<style", "math/tex" in any case of "tex", "+json", "/Product", "/Recipe", "rop=", "le=heading" with or without a
   quotation mark, and "ddToCart" as `is_cart` has it; "P" and "R" differ in one bit, "o" and "c" in two */
BLOCKS(source_block, ((p[i] == '<') & (p[i + 3] == 'y')) | ((p[i] == 'm') & (p[i + 4] == '/')) |
                         ((p[i] == '+') & (p[i + 1] == 'j')) |
                         ((p[i] == '/') & ((p[i + 1] | 2) == 'R') & ((p[i + 3] | 12) == 'o')) |
                         ((p[i + 1] == 'o') & (p[i + 2] == 'p') & (p[i + 3] == '=')) |
                         ((p[i] == 'l') & (p[i + 2] == '=') & ((p[i + 3] == 'h') | (p[i + 4] == 'h'))) |
                         ((p[i] == 'd') & (p[i + 1] == 'd') &
                          (((p[i + 2] | 0x20) == 't') | (p[i + 2] == '-') | (p[i + 2] == '_'))))

/* "-999", "-1000", "clip", "font-size:0" */
BLOCKS(style_block, ((p[i] == '-') & ((p[i + 2] == '9') | (p[i + 3] == '0'))) | ((p[i] == 'c') & (p[i + 3] == 'p')) |
                        ((p[i + 7] == 'z') & (p[i + 10] == '0')))

/* U+200B to U+200F, U+202D, U+202E, U+2060 to U+2064, U+FE00 to U+FE0F, U+FEFF, and tags from U+E0000 on; also U+202B,
   U+202C and U+202F */
BLOCKS(invisible_block, ((POINT)((p[i] & (POINT)~(POINT)0x20) - 0x200B) < 5) | ((POINT)(p[i] - 0x2060) < 5) |
                            ((p[i] & (POINT)~(POINT)0xF) == 0xFE00) | (p[i] == 0xFEFF) |
                            (sizeof(POINT) > 2 && p[i] >= 0xE0000))

#undef BLOCKS
