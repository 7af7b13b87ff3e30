"""The kept content of a page as a stream of tokens in C."""


cdef Stream stream_of(object kept)
