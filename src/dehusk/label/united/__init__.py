"""The united labeller: labels a page by what the whole page shows and by what its site's other pages share.

A small net over the blocks (`net`, its inputs in `inputs` and `columns`) gives each block its log-odds of being
content, for the style that is asked for; what the site repeats lowers them (`evidence`). Units such as tables and lists
are then kept whole or dropped whole (`decisions`), so that the kept text maximises the page's expected word F1.
"""

from dehusk.label.united.columns import NAMES
from dehusk.label.united.declaration import METHOD
from dehusk.label.united.evidence import SiteEvidence, SiteWeights
from dehusk.label.united.method import United
from dehusk.label.united.net import Net

__all__ = ["METHOD", "NAMES", "Net", "SiteEvidence", "SiteWeights", "United"]
