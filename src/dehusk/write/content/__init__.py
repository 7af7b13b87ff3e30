"""What the kept content of a page consists of, below blocks: addresses, images, code, footnotes and formulas.

Writers of every format use these modules, so that each of them says the same.
"""
