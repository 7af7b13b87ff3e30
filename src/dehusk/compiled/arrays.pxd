# cython: language_level=3
"""Arrays and memory for kernels: pointers to the data of numpy arrays, and new arrays.

`as_...` returns a pointer to the values of a one- or two-dimensional C-contiguous array and raises TypeError for any
other object, so that no kernel reads memory that it must not. The caller keeps the array alive and knows its length.
`new_...` returns an array whose values are not set. A pointer typed memoryview would cost a microsecond each.
"""

cimport numpy as cnp
from libc.stdint cimport int8_t, uint8_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, malloc


cdef inline void *data_of(object array, int kind) except? NULL:
    """Return a pointer to the values of an array of a type (NPY_INT32, ...)."""
    if not cnp.PyArray_Check(array):
        raise TypeError(f"a kernel needs an array, not {type(array).__name__}")
    if cnp.PyArray_TYPE(<cnp.ndarray>array) != kind or not cnp.PyArray_IS_C_CONTIGUOUS(<cnp.ndarray>array):
        raise TypeError(f"a kernel cannot read an array of type {array.dtype} and shape {array.shape}")
    return cnp.PyArray_DATA(<cnp.ndarray>array)


cdef inline Py_ssize_t size_of(object array):
    """Return the number of values of an array."""
    return cnp.PyArray_SIZE(<cnp.ndarray>array)


cdef inline int32_t *as_i32(object array) except? NULL:
    return <int32_t *>data_of(array, cnp.NPY_INT32)


cdef inline int64_t *as_i64(object array) except? NULL:
    """Also for `numpy.intp`, which has 64 bits on all supported platforms."""
    return <int64_t *>data_of(array, cnp.NPY_INT64)


cdef inline uint8_t *as_u8(object array) except? NULL:
    return <uint8_t *>data_of(array, cnp.NPY_UINT8)


cdef inline uint8_t *as_bool(object array) except? NULL:
    return <uint8_t *>data_of(array, cnp.NPY_BOOL)


cdef inline uint16_t *as_u16(object array) except? NULL:
    return <uint16_t *>data_of(array, cnp.NPY_UINT16)


cdef inline uint32_t *as_u32(object array) except? NULL:
    return <uint32_t *>data_of(array, cnp.NPY_UINT32)


cdef inline uint64_t *as_u64(object array) except? NULL:
    return <uint64_t *>data_of(array, cnp.NPY_UINT64)


cdef inline float *as_f32(object array) except? NULL:
    return <float *>data_of(array, cnp.NPY_FLOAT32)


cdef inline double *as_f64(object array) except? NULL:
    return <double *>data_of(array, cnp.NPY_FLOAT64)


cdef inline object new_array(Py_ssize_t n, int kind):
    """Return an array of n values of a type (NPY_INT32, ...), which are not set."""
    cdef cnp.npy_intp size = n
    return cnp.PyArray_SimpleNew(1, &size, kind)


cdef inline object new_matrix(Py_ssize_t rows, Py_ssize_t columns, int kind):
    """Return an array of shape (rows, columns), whose values are not set."""
    cdef cnp.npy_intp[2] shape
    shape[0], shape[1] = rows, columns
    return cnp.PyArray_SimpleNew(2, shape, kind)


cdef inline void *values(object array) noexcept:
    """Return a pointer to the values of an array that `new_array` or `new_matrix` returned."""
    return cnp.PyArray_DATA(<cnp.ndarray>array)


cdef inline void *memory(size_t size) except NULL:
    """Return memory whose values are not set; the caller frees it."""
    cdef void *found = malloc(size + 1)
    if found == NULL:
        raise MemoryError
    return found


cdef inline void *zeros(size_t size) except NULL:
    """Return memory filled with zeros; the caller frees it."""
    cdef void *found = calloc(size + 1, 1)
    if found == NULL:
        raise MemoryError
    return found
