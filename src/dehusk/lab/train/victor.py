"""Train Victor on labelled pages."""

from collections.abc import Sequence

from dehusk.blocks.labels import OTHER
from dehusk.lab.train.labelled_pages import LabelledPage, check_trainable, is_usable, label_counts, model_card
from dehusk.label.victor.config import VictorConfig
from dehusk.label.victor.method import Victor


def train_victor(config: VictorConfig, pages: Sequence[LabelledPage]) -> Victor:
    """Train Victor on the usable pages among `pages`.

    Raises:
        GoldError: no page is usable, or the usable pages contain only content or only noise.
    """
    usable = [page for page in pages if is_usable(page)]
    counts = label_counts(usable)
    check_trainable(len(usable), content=int(counts[:OTHER].sum()), noise=int(counts[OTHER]))
    victor = Victor(config).fit([page.blocks for page in usable], [page.codes for page in usable])
    victor.card_ = model_card(usable)
    return victor
