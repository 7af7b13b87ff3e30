"""The united labeller: a page read as a whole, with what its site's other pages say.

Gradient boosted trees (`forest`) over features of the whole page (`columns`) give each block a log-odds of being
content; a style other than auto adds trees of its own, and the site's repetition moves it (`evidence`). The cut is
where the page's expected word F1 is highest (`dehusk.methods.keep`).
"""

from dehusk.methods.united.columns import NAMES
from dehusk.methods.united.declaration import METHOD
from dehusk.methods.united.evidence import Evidence, Weights
from dehusk.methods.united.forest import Forest
from dehusk.methods.united.method import United

__all__ = ["METHOD", "NAMES", "Evidence", "Forest", "United", "Weights"]
