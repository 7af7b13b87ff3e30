from libc.stdint cimport int32_t, uint64_t


cdef void fill_bits(const Facts *facts, const uint64_t *bits, int32_t sets, const Column *column) noexcept nogil
cdef void pass_down(const Facts *facts, uint64_t *bits) noexcept nogil
