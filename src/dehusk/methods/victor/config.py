"""Victor's configuration: TOML with the thesis's variables (section 2.2), checked key by key.

A configuration is complete in itself: segmentation, features, how their values become a finite set, and the CRF's
template. Presets ship with the package; `docs/configuration.md` describes every key.
"""

import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

from dehusk.errors import ConfigError
from dehusk.features import Expressions, FeatureSettings, known
from dehusk.tags import TAG_NUMBER

PRESETS = ("cleaneval", "web")

_SECTIONS = {
    "segment": {"every-tag", "alt", "tag-delete"},
    "containers": None,
    "splits": None,
    "regexp": None,
    "lexicon": None,
    "bullet": {"patterns"},
    "feature-values": None,
    "feature-scale": None,
    "crf": {"features", "rows", "feature-rows", "joins", "c1", "c2", "iterations", "decide"},
}
"""Section -> its keys, None where the keys are names the user chooses."""


@dataclass(frozen=True)
class Template:
    """The CRF's state features: for each column of the table, which neighbouring rows are looked at."""

    features: tuple[str, ...]
    rows: tuple[int, ...]
    """Offsets of the rows looked at, for features without rows of their own."""
    feature_rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    joins: tuple[tuple[str, ...], ...] = ()
    """Tuples of features whose values are looked at together, in the same row."""

    def columns(self) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Return (features joined, rows) for each column; a single feature is a join of one."""
        single = [((name,), self.feature_rows.get(name, self.rows)) for name in self.features]
        return single + [(names, (0,)) for names in self.joins]


@dataclass(frozen=True)
class Training:
    """Strengths of the CRF's training (python-crfsuite's L-BFGS)."""

    c1: float = 0.0
    """Weight of the L1 norm; above 0 most weights become exactly 0."""
    c2: float = 1.0
    """Weight of the L2 norm."""
    iterations: int = 100
    """Iterations of L-BFGS at most; stopping early also regularises."""


@dataclass(frozen=True)
class VictorConfig:
    """A complete configuration of Victor."""

    name: str
    every_tag: bool
    """Split at every tag (the thesis) instead of block-level tags, br and lines of pre."""
    alt: bool
    """Make an image's alternative text a block."""
    tag_delete: tuple[str, ...]
    """Blocks in these elements are never content and take no part in training."""
    settings: FeatureSettings
    values: Mapping[str, tuple[float, ...]]
    """`feature-X-values`: the possible values; a number becomes the largest that is less or equal."""
    scale: Mapping[str, int]
    """`feature-Y-scale`: how many equal steps a share from 0 to 1 has."""
    template: Template
    training: Training
    decide: str
    """What is kept: "labels" (the most probable sequence, as the thesis) or "expected-f1" (by probability)."""
    source: str
    """The TOML text, which goes into model folders."""

    def grid(self, feature: str) -> tuple[float, ...]:
        """Return the possible values of a feature in ascending order; 0 and 1 where nothing is configured."""
        if feature in self.scale:
            steps = self.scale[feature]
            return tuple(step / steps for step in range(steps))
        return self.values.get(feature, (0.0, 1.0))


def load_config(name_or_path: str | Path) -> VictorConfig:
    """Read a preset by its name or a configuration file.

    Raises:
        ConfigError: no such preset or file, TOML that cannot be parsed, an unknown key, a value that cannot be.
    """
    name = str(name_or_path)
    if name in PRESETS:
        return parse_config(
            resources.files("dehusk.methods.victor").joinpath("configs", f"{name}.toml").read_text("utf-8"), name
        )
    path = Path(name_or_path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"configuration {name}: no preset ({', '.join(PRESETS)}) and not readable: {error}"
        ) from error
    return parse_config(text, path.stem)


def parse_config(text: str, name: str = "custom") -> VictorConfig:
    """Read a configuration from TOML text; raises `ConfigError` as `load_config` does."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"configuration {name}: {error}") from error
    reader = _Reader(name, raw)
    reader.check_keys()
    settings = reader.settings()
    config = VictorConfig(
        name=name,
        every_tag=reader.get("segment", "every-tag", bool, default=False),
        alt=reader.get("segment", "alt", bool, default=False),
        tag_delete=reader.tags("segment", "tag-delete"),
        settings=settings,
        values={key: reader.numbers("feature-values", key) for key in raw.get("feature-values", {})},
        scale={key: reader.get("feature-scale", key, int, default=0) for key in raw.get("feature-scale", {})},
        template=reader.template(),
        training=reader.training(),
        decide=reader.choice("crf", "decide", ("labels", "expected-f1")),
        source=text,
    )
    _check_names(config, reader)
    return config


class _Reader:
    """Takes values out of parsed TOML and says which key is wrong."""

    def __init__(self, name: str, raw: dict[str, Any]) -> None:
        self.name = name
        self.raw = raw

    def fail(self, message: str) -> ConfigError:
        """Return the error for a message."""
        return ConfigError(f"configuration {self.name}: {message}")

    def check_keys(self) -> None:
        """Refuse sections and keys that do not exist."""
        for section, content in self.raw.items():
            if section not in _SECTIONS:
                raise self.fail(f"unknown key {section!r}; known: {', '.join(_SECTIONS)}")
            if not isinstance(content, dict):
                raise self.fail(f"{section} must be a section")
            allowed = _SECTIONS[section]
            for key in content:
                if allowed is not None and key not in allowed:
                    raise self.fail(f"unknown key {section}.{key}; known: {', '.join(sorted(allowed))}")

    def get(self, section: str, key: str, kind: type[Any], *, default: Any) -> Any:
        """Return a value of the given type."""
        value = self.raw.get(section, {}).get(key, default)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fail(f"{section}.{key} must be {kind.__name__}, not {value!r}")
        return value

    def listed(self, section: str, key: str, kind: type[Any]) -> tuple[Any, ...]:
        """Return a list of values of the given type."""
        values = self.get(section, key, list, default=[])
        for value in values:
            if not isinstance(value, kind) or isinstance(value, bool):
                raise self.fail(f"{section}.{key} must hold {kind.__name__} only, not {value!r}")
        return tuple(values)

    def numbers(self, section: str, key: str) -> tuple[float, ...]:
        """Return two or more rising numbers."""
        values = self.get(section, key, list, default=[])
        rising = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        if len(values) < 2 or not rising or any(a >= b for a, b in pairwise(values)):
            raise self.fail(f"{section}.{key} must be two or more rising numbers")
        return tuple(float(value) for value in values)

    def tags(self, section: str, key: str) -> tuple[str, ...]:
        """Return a list of tags that exist."""
        names: tuple[str, ...] = self.listed(section, key, str)
        for name in names:
            if name not in TAG_NUMBER:
                raise self.fail(f"{section}.{key} names an unknown tag {name!r}")
        return names

    def choice(self, section: str, key: str, choices: tuple[str, ...]) -> str:
        """Return one of the choices, the first by default."""
        value = str(self.get(section, key, str, default=choices[0]))
        if value not in choices:
            raise self.fail(f"{section}.{key} must be one of {', '.join(choices)}, not {value!r}")
        return value

    def patterns(self, section: str, key: str, expressions: object) -> tuple[re.Pattern[str], ...]:
        """Return compiled regular expressions; case is ignored."""
        if not isinstance(expressions, list) or not all(isinstance(e, str) for e in expressions):
            raise self.fail(f"{section}.{key} must be a list of regular expressions")
        try:
            return tuple(re.compile(expression, re.IGNORECASE) for expression in expressions)
        except re.error as error:
            raise self.fail(f"{section}.{key} holds a wrong expression {error.pattern!r}: {error}") from error

    def settings(self) -> FeatureSettings:
        """Return the configured parts of the features."""
        raw = self.raw
        return FeatureSettings(
            containers={key: self.tags("containers", key) for key in raw.get("containers", {})},
            splits={key: self.tags("splits", key) for key in raw.get("splits", {})},
            regexp={key: self._expressions(key, value) for key, value in raw.get("regexp", {}).items()},
            bullet=self.patterns("bullet", "patterns", raw.get("bullet", {}).get("patterns", [])),
            classes={key: self.listed("lexicon", key, str) for key in raw.get("lexicon", {})},
        )

    def _expressions(self, key: str, value: object) -> Expressions:
        table = value if isinstance(value, dict) else {"patterns": value}
        for inner in table:
            if inner not in ("patterns", "needs", "most"):
                raise self.fail(f"unknown key regexp.{key}.{inner}; known: most, needs, patterns")
        needs, most = table.get("needs", ""), table.get("most", 0)
        if not isinstance(needs, str) or not needs.isascii():
            raise self.fail(f"regexp.{key}.needs must be a string of ASCII characters")
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise self.fail(f"regexp.{key}.most must be a number of characters, 0 for no bound")
        return Expressions(self.patterns("regexp", key, table.get("patterns", [])), needs, most)

    def template(self) -> Template:
        """Return the CRF's template."""
        crf = self.raw.get("crf", {})
        own_rows = self.get("crf", "feature-rows", dict, default={})
        inner = _Reader(self.name, {"crf.feature-rows": own_rows})
        joins = self.get("crf", "joins", list, default=[])
        for join in joins:
            if not isinstance(join, list) or len(join) < 2 or not all(isinstance(name, str) for name in join):
                raise self.fail("crf.joins must hold lists of two or more features")
        if not crf.get("features"):
            raise self.fail("crf.features is missing or empty")
        return Template(
            features=self.listed("crf", "features", str),
            rows=self.listed("crf", "rows", int) or (0,),
            feature_rows={key: inner.listed("crf.feature-rows", key, int) for key in own_rows},
            joins=tuple(tuple(join) for join in joins),
        )

    def training(self) -> Training:
        """Return the strengths of training."""
        training = Training(
            c1=self.get("crf", "c1", float, default=0.0),
            c2=self.get("crf", "c2", float, default=1.0),
            iterations=self.get("crf", "iterations", int, default=100),
        )
        for key in ("c1", "c2"):
            if not 0 <= getattr(training, key) < math.inf:
                raise self.fail(f"crf.{key} must be a number that is not negative")
        if training.iterations < 1:
            raise self.fail("crf.iterations must not be below 1")
        return training


def _check_names(config: VictorConfig, reader: _Reader) -> None:
    """Refuse features that nothing computes, and settings for features that are not used in the template."""
    template = config.template
    named = {
        "crf.features": template.features,
        "crf.joins": [name for join in template.joins for name in join],
        "crf.feature-rows": template.feature_rows,
        "feature-values": config.values,
        "feature-scale": config.scale,
    }
    for key, names in named.items():
        for name in names:
            if not known(name, config.settings):
                raise reader.fail(f"{key} names an unknown feature {name!r}")
    if len(set(template.features)) != len(template.features):
        raise reader.fail("crf.features names a feature twice")
    both = set(config.values) & set(config.scale)
    if both:
        raise reader.fail(f"feature-values and feature-scale both name {min(both)!r}")
    if any(steps < 2 for steps in config.scale.values()):
        raise reader.fail("feature-scale must be two or more")
