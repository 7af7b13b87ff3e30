"""Compiled twins of Python functions, written in Cython; `dehusk.backends` chooses between them.

Each module twins the functions of one part of the package and gives the same results, bit by bit. They are built
where there is a C compiler; without one, numpy computes the same.
"""
