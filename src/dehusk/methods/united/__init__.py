"""The united labeller: labels a page by features of the whole page and the evidence of its site.

Gradient boosted trees (`forest`) over features of the whole page (`columns`) give each block its log-odds of being
content. A style other than "auto" adds the scores of additional trees, and what the site repeats shifts the log-odds
(`evidence`). The kept blocks maximise the page's expected word F1 (`dehusk.methods.keep`).
"""

from dehusk.methods.united.columns import NAMES
from dehusk.methods.united.declaration import METHOD
from dehusk.methods.united.evidence import SiteEvidence, SiteWeights
from dehusk.methods.united.forest import Forest
from dehusk.methods.united.method import United

__all__ = ["METHOD", "NAMES", "Forest", "SiteEvidence", "SiteWeights", "United"]
