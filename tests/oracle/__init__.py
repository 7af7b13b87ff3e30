"""What the compiled modules compute, said as plainly as possible: each function here defines a compiled one.

A module has the name of the compiled module that it defines. Its functions loop over nodes, blocks and characters, and
are as slow as that is; `tests/test_oracle_*.py` compare both on many pages.
"""
