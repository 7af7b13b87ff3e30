"""Text that a page holds only outside its elements: in the data of its scripts, in attributes, and in templates.

It is found by shape, not by site, and only if the elements of a page hold little running text (docs/hidden-data.md).
"""
