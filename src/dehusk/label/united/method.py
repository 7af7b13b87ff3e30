"""`United`: labels, probabilities and reasons from a net over the blocks and the evidence of a site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, ModelError, unknown
from dehusk.base.store import identity_of, load_model, reading, save_model
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import Labels
from dehusk.compiled.decide import block_kinds, decide, never_content
from dehusk.compiled.site import site_evidence
from dehusk.label.keep import expected_f1
from dehusk.label.styles import STYLES, WITH_SLOTS, Style
from dehusk.label.united.columns import settings
from dehusk.label.united.decisions import Evidence
from dehusk.label.united.elements import ElementOdds, Weighed, taught_keys
from dehusk.label.united.evidence import SiteEvidence, SiteWeights
from dehusk.label.united.inputs import inputs_hash, net_inputs
from dehusk.label.united.net import Net
from dehusk.label.united.rubric import with_slots
from dehusk.read.page import Bools, Page

if TYPE_CHECKING:
    from dehusk.counts.model import SiteModel

Reals = npt.NDArray[np.float64]

MOST_EXPLAINED = 10_000
"""Blocks of the largest page whose families are left out in turn: on larger ones that takes longer than a page may."""


class United:
    """Labels a page by what the whole page shows and, if available, by what its site's other pages share.

    Args:
        net: gives each block its log-odds of being content.
        weights: weights of the site's evidence.
        styles: the styles that the net was trained for; "auto" is one of them.
        site: what the site's pages share; None to label by the page only.
        style: one of `styles`.
        favour: 0 for precision, 1 for recall, .5 for both: the kept blocks maximise the expected F with
            beta = 4^(2 favour - 1).

    Attributes:
        elements: what the net says of the elements of the site's template; None if the site was learned without them.

    Raises:
        ConfigError: an unknown style, a style that the net was not trained for, or `favour` outside of 0 to 1.
        NotFittedError: the site has no pages.
        ValueError: the net does not have a vector for each of `STYLES`.
    """

    def __init__(
        self,
        net: Net,
        weights: SiteWeights | None = None,
        styles: Sequence[str] = STYLES,
        *,
        site: SiteModel | None = None,
        style: Style = "auto",
        favour: float = 0.5,
    ) -> None:
        if not 0 <= favour <= 1:
            raise ConfigError(f"favour must be between 0 (precision) and 1 (recall), not {favour:g}")
        if style not in STYLES:
            raise ConfigError(unknown("style", style, STYLES))
        if style not in styles:
            raise ConfigError(f"the model was not trained for style {style}, only for: {', '.join(styles)}")
        if net.styles != len(STYLES):
            raise ValueError(f"the net has vectors for {net.styles} styles, not {len(STYLES)}")
        if site is not None:
            site.tables  # noqa: B018 (raises NotFittedError now, not on the first page)
        self.net = net
        self.weights = weights or SiteWeights()
        self.styles = tuple(styles)
        self.site = site
        self.style = style
        self.favour = favour
        self.elements: ElementOdds | None = None
        self.card: dict[str, Any] = {}
        self.identity = ""

    def __repr__(self) -> str:
        site = f", site {', '.join(self.site.hosts[:3]) or 'unnamed'}" if self.site is not None else ""
        return f"<United: style {self.style}, favour {self.favour:g}{site}>"

    def using(self, *, site: SiteModel | None = None, style: Style = "auto", favour: float = 0.5) -> United:
        """Return the same model for another site, style or favour; raises what the constructor raises."""
        method = United(self.net, self.weights, styles=self.styles, site=site, style=style, favour=favour)
        method.card, method.identity = self.card, self.identity
        return method

    @property
    def _beta(self) -> float:
        """Weight of recall relative to precision."""
        return beta_of(self.favour)

    def segment(self, page: Page) -> Blocks:
        """Split a page into the common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        """Label the blocks of a page; see `dehusk.label.base.PageMethod`."""
        if not len(blocks):
            return Labels(blocks, np.zeros(0, np.uint8), np.zeros(0), np.zeros(0, np.bool_))
        if explain and len(blocks) <= MOST_EXPLAINED:
            return self._explained(blocks)
        weighed = self._weighed(blocks, self.net.scores_of(blocks, STYLES.index(self.style)))
        labels = self._decided(blocks, weighed, self._beta)
        if explain:
            reasons = [f"log-odds {score:+.1f}" for score in weighed.all.tolist()]
            note = f"more than {MOST_EXPLAINED:,} blocks: the reasons name only the log-odds"
            labels = replace(labels, reasons=reasons, notes=(*labels.notes, note))
        return self.filled(labels)

    def filled(self, labels: Labels) -> Labels:
        """Return labels, of whoever they are, that keep what fills the slots of a page, if the style has slots."""
        if self.style not in WITH_SLOTS:
            return labels
        return with_slots(labels, keep_sides=self.style == "whole")

    def _explained(self, blocks: Blocks) -> Labels:
        """Return the labels of a page with reasons."""
        from dehusk.label.united.reasons import Reasons, kept_at, shares  # noqa: PLC0415 (few pages are explained)

        style, inputs = STYLES.index(self.style), net_inputs(blocks)
        own = self.net.scores(inputs, style)
        weighed = self._weighed(blocks, own)
        at = kept_at(lambda favour: self._decided(blocks, weighed.copy(), beta_of(favour)), self.filled)
        decided = self._decided(blocks, weighed, self._beta)
        never = self._excluded(blocks, weighed)
        likely = decide(blocks, weighed.page, excluded=never, beta=self._beta).probability
        above = expected_f1(likely, blocks.words, beta=self._beta)
        final = self.filled(replace(decided, reasons=[""] * len(blocks)))
        parts = shares(self.net, inputs, style, own, final.kept)
        return Reasons(decided, final, parts, inputs.columns, weighed, above, at, self.favour).explained()

    def _weighed(self, blocks: Blocks, own: Reals) -> Weighed:
        """Return the log-odds of blocks by the net with those that the site adds."""
        if self.site is None:
            return Weighed(own, own, own, own)
        evidence, pooled, taught, page = site_evidence(blocks, self.site), None, None, own
        by_elements = own
        if self.elements is not None:
            from dehusk.counts.slots import block_slots  # noqa: PLC0415 (most pages are cleaned without a site)

            slots = block_slots(blocks)
            pooled = self.elements.pooled(slots)
            # what is known of elements are log-odds in style auto; what moves these moves all styles alike
            page = by_elements = own + pooled.shift(own if self.style == "auto" else self.auto_scores(blocks))
            if self.elements.is_taught:
                taught = self.elements.taught(slots, taught_keys(blocks, evidence))
                page = page + taught.shift(page)
        if evidence is None:
            return Weighed(own, by_elements, page, page, pooled, taught)
        if pooled is not None:
            template = evidence.template & ~pooled.is_sure(blocks)
            template = template if taught is None else template & ~taught.is_content()
            evidence = replace(evidence, template=template)
        return Weighed(own, by_elements, page, self.weights.apply(page, evidence), pooled, taught, evidence)

    def _excluded(self, blocks: Blocks, weighed: Weighed) -> Bools:
        """Return the blocks that nothing keeps, shape (b,)."""
        never = never_content(blocks)
        if weighed.taught is not None:  # what people drop does not come back with its list or heading
            never |= weighed.taught.is_noise(weighed.own) & (weighed.page < 0)
        return never

    def _decided(self, blocks: Blocks, weighed: Weighed, beta: float) -> Labels:
        """Return the labels that follow from log-odds, without reasons."""
        evidence, pooled = weighed.evidence, weighed.pooled
        template = None if evidence is None else Evidence(weighed.all, evidence.template)
        never = self._excluded(blocks, weighed)
        decision = decide(blocks, weighed.page, excluded=never, evidence=template, beta=beta)
        kept, likely = decision.kept, decision.probability
        if evidence is not None and pooled is not None:
            headings = pooled.headings_over_text(blocks, kept, evidence.template)
            weighed.all[headings], evidence.template[headings] = weighed.page[headings], False
            kept[headings], likely[headings] = True, 1 / (1 + np.exp(-weighed.all[headings]))
        kinds = block_kinds(blocks, kept, settings())
        return Labels(blocks, kinds, likely, kept, notes=self._notes(blocks.page, evidence))

    def auto_scores(self, blocks: Blocks) -> Reals:
        """Return the log-odds of blocks in style auto, from the page only, shape (b,)."""
        return self.net.scores_of(blocks, STYLES.index("auto"))

    def _notes(self, page: Page, evidence: SiteEvidence | None) -> tuple[str, ...]:
        """Return what a user should know about the site model."""
        if self.site is None:
            return ()
        if evidence is None:
            return ("the site model was learned from a single page and has no effect",)
        from dehusk.counts.grouping import site_of  # noqa: PLC0415 (most pages are cleaned without a site)

        site = site_of(page, self.site.by)
        if site and self.site.hosts and site not in self.site.hosts:
            return (f"the page belongs to {site}, but the site model to {', '.join(self.site.hosts[:3])}",)
        return ()

    def save(self, folder: str | Path) -> None:
        """Write the model folder; raises `ModelError` if it cannot be written."""
        card = {**self.card, "method": "united", "features": inputs_hash(), "styles": list(self.styles)}
        save_model(folder, card, {**self.net.arrays(), **self.weights.arrays()})

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model folder.

        Raises:
            ModelError: the folder is damaged, of another method or format, or was trained with other inputs.
        """
        card, arrays = load_model(folder, "united")
        if card.get("features") != inputs_hash():
            raise ModelError(f"model {folder} does not fit the features of this version: train it again")
        if "steps" not in arrays:
            raise ModelError(f"model {folder} is of an earlier version, whose net did not round: train it again")
        with reading(folder):
            weights = SiteWeights.from_arrays(arrays)
            own = {name: array for name, array in arrays.items() if name not in weights.arrays()}
            method = cls(Net.from_arrays(own), weights, styles=tuple(card["styles"]))
        method.card, method.identity = card, identity_of(folder)
        return method


def beta_of(favour: float) -> float:
    """Return the weight of recall relative to precision that a setting of `favour` stands for."""
    return float(4 ** (2 * favour - 1))
