"""The options of WISDOM, and the two sets of them that have a name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from dehusk.errors import ConfigError

Search = Literal["mib", "m1", "m2"]
Toc = Literal["api", "alen", "auto"]


@dataclass(frozen=True)
class Settings:
    """What `Wisdom` works with; the defaults are those that did best on real pages, see docs/wisdom.md."""

    k: float = 1
    """Blocks that the search looks for, a whole number from 1 on, or infinity (section 3.2.2)."""
    st: float = 0.8
    """ST: a node is a block if its SII is above this (section 3.2.2)."""
    tc_article: float = 0.7
    """TC_article: an article block has CII ≥ 1 - TC (section 3.2.2)."""
    relative: float | None = 0.8
    """An article block needs no more CII than this share of the whole page's; None for no such bound, as printed."""
    tc_toc: float = 1.25
    """TC_TOC: a TOC block has API_A a link of at least this, where API is the feature (section 3.2.2)."""
    tc_alen: float = 0.2
    """A TOC block has CII of at least this where ALEN is the feature; the paper names none."""
    dstm: bool = True
    """Whether direct siblings of blocks are merged with them (section 3.3)."""
    climb: bool = True
    """Whether DSTM takes a block without siblings for its first ancestor that has some; in the paper it does not."""
    cstm: int = 0
    """k of k-CSTM: siblings of the k-th non-singleton ancestor are merged (section 3.3); 0 for none."""
    condense: bool = True
    """Whether parts of blocks that fail the type constraint are taken out (section 3.3)."""
    own_text: bool = True
    """Whether the text directly in a node counts as one more child of it, for SII and in the search; not printed."""
    search: Search = "mib"
    """"mib" for the paper's search, "m1" and "m2" for the methods that it is compared with (section 4.4)."""
    toc: Toc = "auto"
    """Feature for TOC blocks: "api", "alen", or "auto", which takes ALEN where API says too little (section 4.4)."""
    zero_api: float = 0.5
    """With "auto", ALEN is taken on pages where more than this share of the links has an API of 0."""
    stemmer: str = ""
    """Language of a Snowball stemmer, as "english"; "" for words as they stand (section 3.1)."""
    stop_words: str | frozenset[str] = ""
    """Words that are no terms: "english" for a list of function words, or a set of own ones; "" for none."""
    numbers: bool = True
    """Whether words of digits alone are terms; in the paper they are not (section 4.4)."""
    cjk: bool = False
    """Whether Chinese and Japanese text is cut into words by ICU, rather than into single characters."""

    @property
    def words(self) -> str:
        """What makes words terms, as a text: counts of different terms have nothing to do with each other."""
        stop = self.stop_words if isinstance(self.stop_words, str) else " ".join(sorted(self.stop_words))
        return f"stemmer={self.stemmer}, stop_words={stop}, numbers={self.numbers}, cjk={self.cjk}"

    def check(self) -> None:
        """Check that every option is one that can be.

        Raises:
            ConfigError: naming the first rule that is broken.
        """
        whole = self.k == float("inf") or (_is_number(self.k) and self.k >= 1 and self.k == int(self.k))
        rules = {
            "k is a whole number from 1 on, or infinity": whole,
            "st is between 0 and 1": _is_number(self.st) and 0 <= self.st <= 1,
            "tc_article is between 0 and 1": _is_number(self.tc_article) and 0 <= self.tc_article <= 1,
            "relative is a share from 0 on, or None": self.relative is None
            or (_is_number(self.relative) and self.relative >= 0),
            "tc_toc is not below 0": _is_number(self.tc_toc) and self.tc_toc >= 0,
            "tc_alen is between 0 and 1": _is_number(self.tc_alen) and 0 <= self.tc_alen <= 1,
            "cstm is a whole number from 0 on": type(self.cstm) is int and self.cstm >= 0,
            f"search is one of {', '.join(get_args(Search))}": self.search in get_args(Search),
            f"toc is one of {', '.join(get_args(Toc))}": self.toc in get_args(Toc),
            "zero_api is between 0 and 1": _is_number(self.zero_api) and 0 <= self.zero_api <= 1,
            'stop_words is "", "english" or a set of words': not isinstance(self.stop_words, str)
            or self.stop_words in ("", "english"),
        }
        for rule, holds in rules.items():
            if not holds:
                raise ConfigError(f"invalid option: not true that {rule}")


RECOMMENDED = Settings()
"""What did best on real pages: a bound on CII that the page itself lowers, own text as a child, DSTM that climbs, no
CSTM, all words of any language as terms."""

PAPER = Settings(
    tc_article=0.8,
    relative=None,
    climb=False,
    cstm=1,
    own_text=False,
    toc="api",
    stemmer="english",
    stop_words="english",
    numbers=False,
)
"""The paper's defaults (sections 3.1, 4.2 and 4.4): k = 1, ST = .8, TC = (.8, 1.25), DSTM and 1-CSTM, condensing."""

PRESETS = {"paper": PAPER, "recommended": RECOMMENDED}
"""Name -> settings."""


def resolve_settings(preset: str | Settings, given: dict[str, Any]) -> Settings:
    """Return settings by name, or as they are, with given options in place of their own; checked.

    Raises:
        ConfigError: no such preset, or an option that cannot be.
    """
    if isinstance(preset, str) and preset not in PRESETS:
        raise ConfigError(f"no preset {preset!r}; known: {', '.join(PRESETS)}")
    made = replace(PRESETS[preset] if isinstance(preset, str) else preset, **given)
    made.check()
    return made


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # noqa: PLR0124 (not NaN)
