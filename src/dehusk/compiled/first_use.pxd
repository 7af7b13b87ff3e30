# cython: language_level=3
"""What a module takes from Python at its first use, because the modules that have it import this package.

Every module reads all of it in one function, `prepare`, which runs once: under one lock for all modules, since one may
need another, and since threads that import modules of a cycle in different orders could see half of one. Nothing
static is written after that.
"""

ctypedef int (*Prepare)() except -1


cdef inline int once(bint *is_ready, Prepare prepare) except -1:
    """Run `prepare` unless it has run; other threads wait for its end. If it fails, the next call tries again."""
    if is_ready[0]:
        return 0
    from dehusk.base.lazy import IMPORTING
    with IMPORTING:
        if not is_ready[0]:
            prepare()
            is_ready[0] = True
    return 0
