"""Train the united labeller: collect pages with labels and facts, and train one net for all styles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dehusk.base.errors import ConfigError, unknown
from dehusk.lab.gold.facts import find_facts
from dehusk.lab.train.labelled_pages import LabelledPage, check_trainable, model_card
from dehusk.lab.train.net import SHAPE, Schedule, train_net
from dehusk.lab.train.net_pages import NetPage, fact_page, net_page, with_hints
from dehusk.label.styles import STYLES
from dehusk.label.united import United


@dataclass(eq=False)
class TrainingSet:
    """Training pages with the inputs of the net, so that inputs are computed only once."""

    pages: list[LabelledPage] = field(default_factory=list)
    """All pages, those that cannot be trained on included."""
    inputs: list[NetPage | None] = field(default_factory=list)
    """What the net learns from each page; None if the page cannot be trained on."""

    def __len__(self) -> int:
        return len(self.pages)

    def add(self, pages: Iterable[LabelledPage], styles: Sequence[str] = STYLES[:1], *, weight: float = 1.0) -> None:
        """Add labelled pages.

        Args:
            pages: the pages; those whose gold text is not on the page are not trained on.
            styles: the styles that their labels are right for.
            weight: weight of each page relative to others.

        Raises:
            ConfigError: a style is unknown.
        """
        for style in styles:
            if style not in STYLES:
                raise ConfigError(unknown("style", style, STYLES))
        rows = [STYLES.index(style) for style in styles]
        for page in pages:
            self.pages.append(page)
            self.inputs.append(net_page(page, rows, weight=weight))

    def add_facts(self, pages: Iterable[LabelledPage]) -> None:
        """Add pages of which only facts are known: texts that belong to the content (`Sample.facts`)."""
        for page in pages:
            self.pages.append(page)
            self.inputs.append(fact_page(page, find_facts(page.blocks, page.sample.facts).block_weights()))

    def hinted(self, teacher: United) -> TrainingSet:
        """Return the pages with a teacher's probabilities of all blocks, to train a smaller net on."""
        inputs = [None if page is None else with_hints(page, teacher.net) for page in self.inputs]
        return TrainingSet(self.pages, inputs)

    def subset(self, indices: Iterable[int]) -> TrainingSet:
        """Return some of the pages."""
        chosen = list(indices)
        return TrainingSet([self.pages[i] for i in chosen], [self.inputs[i] for i in chosen])


def train_united(pages: TrainingSet, schedule: Schedule | None = None, *, start: United | None = None) -> United:
    """Train the united labeller.

    Args:
        pages: pages with labels and facts.
        schedule: how to train.
        start: a model to improve on these pages, which takes fewer pages; None to start from nothing.

    Raises:
        GoldError: no page is usable, or the usable pages contain only content or only noise.
        MissingExtraError: PyTorch is not installed.
    """
    schedule = schedule or Schedule()
    used = [(page, inputs) for page, inputs in zip(pages.pages, pages.inputs, strict=True) if inputs is not None]
    inputs = [of_page for _, of_page in used]
    require_labels(inputs)
    net = train_net(inputs, schedule, styles=len(STYLES), start=None if start is None else start.net)
    model = United(net, None if start is None else start.weights, styles=_styles(inputs, start))
    own = [page for page, _ in used]
    if start is None:
        model.card = {**model_card(own), "schedule": vars(schedule)}
    else:
        steps = {name: value for name, value in vars(schedule).items() if name not in SHAPE}
        origin = {key: start.card.get(key) for key in ("version", "pages-hash")}
        model.card = {**model_card(own), "schedule": steps, "start": origin}
    return model


def require_labels(pages: Sequence[NetPage]) -> None:
    """Raise GoldError if there is nothing to learn from: no page, only content or only noise."""
    content = sum(int((page.weight > 0) @ page.content) + int((page.positive > 0).sum()) for page in pages)
    noise = sum(int((page.weight > 0) @ (1 - page.content)) for page in pages)
    check_trainable(len(pages), content=content, noise=noise)


def _styles(pages: Sequence[NetPage], start: United | None) -> tuple[str, ...]:
    """Return the styles that a model can be used for: "auto", those of its pages, and those of the start."""
    trained = {STYLES[style] for page in pages for style in page.styles} | {STYLES[0]}
    return tuple(style for style in STYLES if style in trained | set(start.styles if start else ()))
