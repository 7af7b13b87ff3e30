"""The settings of WISDOM, and the two presets: the paper's values and the recommended ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from dehusk.base.errors import ConfigError, is_integer, is_number, unknown
from dehusk.label.parameters import check_options
from dehusk.label.runs import SHARE

Preset = Literal["recommended", "paper"]
Search = Literal["mib", "m1", "m2"]
Toc = Literal["api", "alen", "auto", "estimated"]


@dataclass(frozen=True)
class Settings:
    """All settings of `Wisdom`; the defaults are the recommended preset (docs/wisdom-paper.md)."""

    k: float = 1
    """Number of blocks that the search returns, a positive integer or infinity (section 3.2.2)."""
    st: float = 0.8
    """ST: a node can be a block if its SII is above this (section 3.2.2)."""
    st_article: float | None = 0.5
    """ST of article blocks; None for `st`. Giving `Wisdom` an `st` alone sets both."""
    tc_article: float = 0.7
    """TC_article: an article block has CII ≥ 1 - TC_article (section 3.2.2)."""
    relative: float | None = 0.8
    """Lowers the bound on CII to this share of the whole page's CII, if that is less; None keeps the printed bound."""
    tc_toc: float = 1.25
    """TC_TOC: with feature API, a TOC block has at least this mean API per link (section 3.2.2)."""
    tc_alen: float = 0.2
    """With feature ALEN, a TOC block has at least this CII; the paper gives no value."""
    dstm: bool = True
    """Whether DSTM merges blocks with their direct siblings (section 3.3)."""
    climb: bool = True
    """Whether DSTM uses the first ancestor that has siblings for a block that has none; the paper does not."""
    cstm: int = 0
    """k of k-CSTM, which merges the siblings of the k-th non-singleton ancestor (section 3.3); 0 for no CSTM."""
    siblings: int = 1
    """A non-singleton has at least so many siblings with f_A > 0; "more than one" in the paper (section 3.3)."""
    condense: bool = True
    """Whether condensing removes the parts of blocks that fail the type constraint (section 3.3)."""
    spare_links: bool = True
    """Whether condensing spares the parts of TOC blocks by API that contain a link which fulfils the constraint by
    itself: a thread's title beside ten links to its tags. In the paper it removes them."""
    own_text: bool = True
    """Whether text directly in a node counts as one more child, for SII and in the search; not in the paper."""
    search: Search = "mib"
    """"mib" for the paper's search, "m1" or "m2" for the methods the paper compares it with (section 4.4)."""
    toc: Toc = "estimated"
    """Feature for TOC blocks: "api"; "alen"; "auto", which uses ALEN if API says little (section 4.4); or "estimated",
    API estimated for pages that were not learned, without links at weak places (`link_estimates`; not in the paper).
    Pages without a URL or without links to their own site use "auto" in its place."""
    link_share: float = 0.6
    """With "estimated", a place is weak if its links have less than this share of the mean API of the dominant one."""
    zero_api: float = 0.5
    """With "auto" and "estimated", pages where more than this share of the links has an API of 0 use ALEN."""
    link_density: float | None = 0.5
    """Cleaning drops common blocks with at least this share of linked words, which CLEN does not count either; None
    keeps them. Cleaning is not in the paper."""
    run: float = SHARE
    """Cleaning drops runs of common blocks with less than this share of the words of the largest run
    (`dehusk.label.runs`); 0 keeps them."""
    stemmer: str = ""
    """Language of the Snowball stemmer, for example "english"; "" for no stemming (section 3.1)."""
    stop_words: str | frozenset[str] = ""
    """Words that are not terms: "english" for a list of function words, or a set of words; "" for none."""
    numbers: bool = True
    """Whether words without letters are terms; in the paper they are not (section 4.4)."""
    cjk: bool = False
    """Whether ICU segments Chinese and Japanese text into words; otherwise each character is a word."""

    @property
    def words(self) -> str:
        """The settings that decide which words are terms, as text; counts of different terms cannot be added."""
        stop = self.stop_words if isinstance(self.stop_words, str) else " ".join(sorted(self.stop_words))
        return f"stemmer={self.stemmer}, stop_words={stop}, numbers={self.numbers}, cjk={self.cjk}"

    def values(self) -> dict[str, Any]:
        """Return the settings as plain values, ready for JSON; infinity is "inf"."""
        values = dict(vars(self))
        stop_words = values["stop_words"]
        values["stop_words"] = stop_words if isinstance(stop_words, str) else sorted(stop_words)
        values["k"] = "inf" if self.k == float("inf") else int(self.k)
        return values

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> Settings:
        """Return the settings from their plain values, checked.

        Raises:
            ConfigError: a value is missing, unknown or invalid.
        """
        names = {field.name for field in fields(cls)}
        if set(values) != names:
            raise ConfigError(f"settings missing or unknown: {', '.join(sorted(set(values) ^ names))}")
        k, stop_words = values["k"], values["stop_words"]
        infinite = {"k": float("inf")} if k == "inf" else {}
        as_set = {"stop_words": frozenset(stop_words)} if isinstance(stop_words, list) else {}
        settings = cls(**{**values, **infinite, **as_set})
        settings.check()
        return settings

    def check(self) -> None:
        """Check all values.

        Raises:
            ConfigError: a value is invalid; the message names the first.
        """
        share = "a number from 0 to 1"
        is_count = self.k == float("inf") or (is_number(self.k, 1) and self.k == int(self.k))
        words = self.stop_words
        is_known_list = words in ("", "english") if isinstance(words, str) else _are_words(words)
        rules = {
            "k": (is_count, "a positive integer or infinity"),
            "st": (is_number(self.st, 0, 1), share),
            "st_article": (self.st_article is None or is_number(self.st_article, 0, 1), f"{share}, or None"),
            "tc_article": (is_number(self.tc_article, 0, 1), share),
            "relative": (self.relative is None or is_number(self.relative, 0), "a non-negative number, or None"),
            "tc_toc": (is_number(self.tc_toc, 0), "a non-negative number"),
            "tc_alen": (is_number(self.tc_alen, 0, 1), share),
            "cstm": (is_integer(self.cstm, 0), "a non-negative integer"),
            "siblings": (is_integer(self.siblings, 1), "a positive integer"),
            "link_share": (is_number(self.link_share, 0, 1), share),
            "zero_api": (is_number(self.zero_api, 0, 1), share),
            "link_density": (self.link_density is None or is_number(self.link_density, 0, 1), f"{share}, or None"),
            "run": (is_number(self.run, 0, 1), share),
            "stop_words": (is_known_list, 'a set of words, "english" or ""'),
        }
        check_options(self, rules)
        for name in ("dstm", "climb", "condense", "spare_links", "own_text", "numbers", "cjk"):
            if not isinstance(getattr(self, name), bool):
                raise ConfigError(f"{name} must be True or False, not {getattr(self, name)!r}")
        for name, choices in (("search", get_args(Search)), ("toc", get_args(Toc))):
            if getattr(self, name) not in choices:
                raise ConfigError(unknown(name, getattr(self, name), choices))


RECOMMENDED = Settings()
"""The settings that do best on real pages; docs/wisdom-paper.md compares them with the paper's."""

PAPER = Settings(
    st_article=None,
    tc_article=0.8,
    relative=None,
    climb=False,
    cstm=1,
    siblings=2,
    spare_links=False,
    own_text=False,
    toc="api",
    link_density=None,
    run=0.0,
    stemmer="english",
    stop_words="english",
    numbers=False,
)
"""The paper's defaults (sections 3.1, 4.2 and 4.4): k = 1, ST = .8, TC = (.8, 1.25), DSTM and 1-CSTM, condensing."""

PRESETS = {"paper": PAPER, "recommended": RECOMMENDED}
"""Name -> settings."""


def resolve_settings(preset: str | Settings, overrides: dict[str, Any]) -> Settings:
    """Return the settings of a preset with some values overridden, checked.

    Args:
        preset: the name of a preset, or settings.
        overrides: field of `Settings` -> its value.

    Raises:
        ConfigError: the preset does not exist, or a value is invalid.
    """
    if isinstance(preset, str) and preset not in PRESETS:
        raise ConfigError(unknown("preset", preset, PRESETS))
    if not isinstance(preset, str | Settings):
        raise ConfigError(f"preset must be one of {', '.join(PRESETS)} or Settings, not {preset!r}")
    if "st" in overrides:
        overrides = {"st_article": None, **overrides}
    settings = replace(PRESETS[preset] if isinstance(preset, str) else preset, **overrides)
    settings.check()
    return settings


def _are_words(words: object) -> bool:
    """Return whether an object is a set or a list of texts."""
    return isinstance(words, set | frozenset | list) and all(isinstance(word, str) for word in words)
