"""What a site repeats, for the blocks of one of its pages."""

cimport numpy as cnp
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from dehusk.compiled.arrays cimport as_bool, as_i64, as_u64, new_array, size_of, values
from dehusk.compiled.blocks cimport Blocks, Page, per_block, read_blocks
from dehusk.compiled.first_use cimport once
from dehusk.compiled.grouping cimport number_keys

cdef uint64_t SEED = <uint64_t><int64_t>hash("dehusk.evidence")
cdef object SiteEvidence = None  # of modules that import this one
cdef object page_terms, table_nodes
cdef uint8_t[65536] IS_DEFINITIONS
cdef int32_t LONG_TEXT, MANY, RUNNING
cdef double MOST


cdef bint _evidence_ready = False


cdef int prepare_evidence() except -1:
    """Read what the Python modules define; they import this one, so it cannot read them at once."""
    global SiteEvidence, page_terms, table_nodes, LONG_TEXT, MANY, RUNNING, MOST
    from dehusk.label.united import evidence
    from dehusk.counts import slots, terms
    from dehusk.blocks.units import tables
    for tag in evidence._DEFINITIONS.tolist():
        IS_DEFINITIONS[<uint16_t>tag] = True
    LONG_TEXT, MANY, RUNNING, MOST = slots.LONG, evidence.MANY, evidence.RUNNING, evidence.MOST
    page_terms, table_nodes = terms.page_terms, tables.table_nodes
    SiteEvidence = evidence.SiteEvidence
    return 0


cdef struct Found:  # the t texts of a page, and how many other pages have them
    int32_t t
    int64_t others  # all other pages
    const int64_t *block
    const uint64_t *slot
    const uint8_t *has_letters
    const int64_t *exact
    const int64_t *reduced
    const int64_t *pages
    const int64_t *anywhere
    const int32_t *words  # of each block
    int32_t *holder  # (t,) the table or list around each text, -1 for none
    int32_t *group
    int32_t *size  # (t,) texts of each group
    int32_t *repeated
    uint64_t *key


cdef inline int64_t same_text(Found *found, int32_t i) noexcept nogil:
    """Return how many of the other pages with the slot have the text there."""
    cdef int64_t reduced = max(found.reduced[i] - 1, 0)
    return min(reduced if reduced > 1 else max(found.exact[i] - 1, 0), max(found.pages[i] - 1, 0))


cdef void fill_holders(
    Found *found, Page *tree, Blocks *rows, const uint8_t *is_table, int32_t *nearest
) noexcept nogil:
    """Fill the holder of each text; `nearest` is memory for (n,)."""
    cdef int32_t i
    for i in range(tree.n):
        if is_table[i] or IS_DEFINITIONS[tree.tag[i]]:
            nearest[i] = i
        else:
            nearest[i] = nearest[tree.parent[i]] if i else -1
    for i in range(found.t):
        found.holder[i] = nearest[rows.node[found.block[i]]]
        found.key[i] = found.slot[i] if found.holder[i] < 0 else <uint64_t>found.holder[i]


cdef bint count_groups(Found *found) noexcept nogil:
    """Count the texts of each group and those that are repeated; return whether there was memory."""
    cdef int32_t i
    if number_keys(found.key, found.t, SEED, found.group) < 0:
        return False
    for i in range(found.t):
        found.size[i] = found.repeated[i] = 0
    for i in range(found.t):
        found.size[found.group[i]] += 1
        found.repeated[found.group[i]] += 2 * same_text(found, i) > max(found.pages[i] - 1, 0)
    return True


cdef bint is_template(Found *found, int32_t i) noexcept nogil:
    """Return whether a text is template because of its slot."""
    cdef int64_t same = same_text(found, i)
    cdef double share = found.repeated[found.group[i]] / <double>found.size[found.group[i]]
    if not found.has_letters[i] or 2 * same <= max(found.pages[i] - 1, 0):
        return False
    if found.holder[i] >= 0:
        return share == 1
    return share >= MOST or (found.words[found.block[i]] >= LONG_TEXT and same >= min(MANY, found.others))


cdef bint is_moved(Found *found, int32_t i) noexcept nogil:
    """Return whether a text is template wherever it stands."""
    cdef int64_t anywhere = max(found.anywhere[i] - 1, 0)
    return (
        found.words[found.block[i]] >= RUNNING
        and found.holder[i] < 0
        and 2 * anywhere > found.others
        and anywhere >= MANY
    )


cdef object evidence_of(Found *found, int32_t b):
    """Return the evidence of each block."""
    slots, same, template, moved = (
        new_array(b, kind) for kind in (cnp.NPY_INT64, cnp.NPY_INT64, cnp.NPY_BOOL, cnp.NPY_BOOL)
    )
    cdef int64_t *slots_out = <int64_t *>values(slots)
    cdef int64_t *same_out = <int64_t *>values(same)
    cdef uint8_t *template_out = <uint8_t *>values(template)
    cdef uint8_t *moved_out = <uint8_t *>values(moved)
    cdef int32_t i
    cdef int64_t block
    for i in range(b):
        slots_out[i] = same_out[i] = template_out[i] = moved_out[i] = 0
    for i in range(found.t):
        block = found.block[i]
        template_out[block] = is_template(found, i)
        moved_out[block] = not template_out[block] and is_moved(found, i)
        template_out[block] |= moved_out[block]
        slots_out[block] = found.others if moved_out[block] else max(found.pages[i] - 1, 0)
        same_out[block] = max(found.anywhere[i] - 1, 0) if moved_out[block] else same_text(found, i)
    made = SiteEvidence.__new__(SiteEvidence)
    made.__dict__.update(same_slot=slots, same_text=same, template=template, moved=moved)
    return made


def site_evidence(object blocks, object site):
    """Return a site's evidence about a page's blocks; None if the site has a single page, not counting copies.

    The page counts as one of the site's pages. If it is not, each number is lower by one than it could be.

    Raises:
        NotFittedError: the site has no pages.
    """
    cdef Page tree
    cdef Blocks rows
    cdef Found found
    once(&_evidence_ready, prepare_evidence)
    tables = site.tables
    if tables.distinct < 2:
        return None
    read_blocks(blocks, &tree, &rows)
    texts = slot_texts(page_terms(blocks))
    exact, reduced = tables.slot_texts.look_up(texts.text), tables.slot_texts.look_up(texts.without_numbers)
    pages, anywhere = tables.slots.look_up(texts.slot), tables.texts.look_up(texts.words)
    found.t, found.others = <int32_t>size_of(texts.block), tables.distinct - 1
    found.block, found.slot, found.has_letters = as_i64(texts.block), as_u64(texts.slot), as_bool(texts.has_letters)
    found.exact, found.reduced = as_i64(exact), as_i64(reduced)
    found.pages, found.anywhere = as_i64(pages), as_i64(anywhere)
    found.words = per_block(blocks.words, &rows)
    is_table = table_nodes(blocks)
    if size_of(is_table) != tree.n:
        raise ValueError("the tables do not fit the page")
    cdef size_t t = found.t
    space = new_array(3 * t + (<size_t>tree.n + 1) // 2 + 1, cnp.NPY_UINT64)
    found.key = <uint64_t *>values(space)
    found.holder = <int32_t *>(found.key + t)
    found.group = found.holder + t
    found.size = found.group + t
    found.repeated = found.size + t
    fill_holders(&found, &tree, &rows, as_bool(is_table), found.repeated + t)
    if not count_groups(&found):
        raise MemoryError
    return evidence_of(&found, rows.b)
