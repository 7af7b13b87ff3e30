"""The united labeller: labels a page by what the whole page shows and by what its site's other pages share.

A small net over the blocks (`net`, its inputs in `inputs` and `columns`) gives each block its log-odds of being
content, for the style that is asked for; what the site repeats lowers them (`evidence`). Units such as tables and lists
are then kept whole or dropped whole (`decisions`), so that the kept text maximises the page's expected word F1.
"""

from dehusk.methods.united.columns import NAMES
from dehusk.methods.united.declaration import METHOD
from dehusk.methods.united.evidence import SiteEvidence, SiteWeights
from dehusk.methods.united.method import United
from dehusk.methods.united.net import Net

__all__ = ["METHOD", "NAMES", "Net", "SiteEvidence", "SiteWeights", "United"]
