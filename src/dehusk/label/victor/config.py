"""Victor's configuration: TOML with the thesis's variables (section 2.2), checked key by key.

A configuration is complete in itself: segmentation, features, how their values become a finite set, and the CRF's
template. Presets ship with the package; `docs/configuration.md` describes every key.
"""

import math
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from os import PathLike
from pathlib import Path

from dehusk.base.errors import ConfigError, require_type, unknown
from dehusk.base.given import read_given
from dehusk.label.features import FeatureSettings, is_known
from dehusk.label.features.configuration import SECTIONS, ConfigReader

PRESETS = ("cleaneval", "web")

_SECTIONS: Mapping[str, frozenset[str] | None] = {
    **SECTIONS,
    "segment": frozenset({"every-tag", "alt", "tag-delete"}),
    "feature-values": None,
    "feature-scale": None,
    "crf": frozenset({"features", "rows", "feature-rows", "joins", "c1", "c2", "iterations", "decide"}),
}
"""Section -> its keys; None if the user chooses the keys."""


@dataclass(frozen=True)
class Template:
    """The CRF's state features: for each column of the table, which neighbouring rows it reads."""

    features: tuple[str, ...]
    rows: tuple[int, ...]
    """Row offsets of the features that `feature_rows` does not name."""
    feature_rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    joins: tuple[tuple[str, ...], ...] = ()
    """Tuples of features whose values, in the block's own row, are combined into one."""

    def columns(self) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Return (features joined, rows) for each column; a single feature is a join of one."""
        single = [((name,), self.feature_rows.get(name, self.rows)) for name in self.features]
        return single + [(names, (0,)) for names in self.joins]


@dataclass(frozen=True)
class Training:
    """Parameters of the CRF's training (python-crfsuite's L-BFGS)."""

    c1: float = 0.0
    """Weight of the L1 norm; above 0 most weights become exactly 0."""
    c2: float = 1.0
    """Weight of the L2 norm."""
    iterations: int = 100
    """Maximum number of L-BFGS iterations; stopping early also regularises."""


@dataclass(frozen=True)
class VictorConfig:
    """A complete configuration of Victor."""

    name: str
    every_tag: bool
    """Split at every tag (the thesis) instead of block-level tags, br and lines of pre."""
    alt: bool
    """Make an image's alternative text a block."""
    tag_delete: tuple[str, ...]
    """Blocks in these elements are never content and are not used in training."""
    settings: FeatureSettings
    values: Mapping[str, tuple[float, ...]]
    """`feature-X-values`: the possible values; a number is rounded down to one of them."""
    scale: Mapping[str, int]
    """`feature-Y-scale`: how many equal steps a share from 0 to 1 has."""
    template: Template
    training: Training
    decide: str
    """How blocks are kept: "labels" (by the most probable sequence, as in the thesis) or "expected-f1" (by
    probability)."""
    source: str
    """The TOML text, which goes into model folders."""

    def grid(self, feature: str) -> tuple[float, ...]:
        """Return the possible values of a feature in ascending order; by default 0 and 1."""
        if feature in self.scale:
            steps = self.scale[feature]
            return tuple(step / steps for step in range(steps))
        return self.values.get(feature, (0.0, 1.0))


def load_config(name_or_path: str | Path) -> VictorConfig:
    """Read a preset by its name or a configuration file.

    Raises:
        ConfigError: no such preset or file, TOML that cannot be parsed, an unknown key, an invalid value.
    """
    require_type(name_or_path, str | PathLike, "a configuration must be the name of a preset or a path")
    name = str(name_or_path)
    if name in PRESETS:
        return parse_config(
            resources.files("dehusk.label.victor").joinpath("configs", f"{name}.toml").read_text("utf-8"), name
        )
    path = Path(name_or_path)
    if not os.path.exists(path):  # noqa: PTH110 (False for a name that is too long, where `Path` raises an error)
        raise ConfigError(f"{unknown('configuration', name, PRESETS)}; or give the path of a TOML file")
    try:
        text = read_given(path)
    except OSError as error:
        raise ConfigError(f"configuration {name} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"configuration {name} cannot be read: not UTF-8 at byte {error.start}") from error
    return parse_config(text, path.stem)


def parse_config(text: str, name: str = "custom") -> VictorConfig:
    """Read a configuration from TOML text; raises `ConfigError` as `load_config` does."""
    reader = _VictorReader.parse(name, text)
    reader.check_keys(_SECTIONS)
    document = reader.document
    settings = reader.feature_settings()
    config = VictorConfig(
        name=name,
        every_tag=reader.get("segment", "every-tag", bool, default=False),
        alt=reader.get("segment", "alt", bool, default=False),
        tag_delete=reader.tags("segment", "tag-delete"),
        settings=settings,
        values={key: reader.ascending("feature-values", key) for key in document.get("feature-values", {})},
        scale={key: reader.get("feature-scale", key, int, default=0) for key in document.get("feature-scale", {})},
        template=reader.template(),
        training=reader.training(),
        decide=reader.choice("crf", "decide", ("labels", "expected-f1")),
        source=text,
    )
    _check_names(config, reader)
    _check_rows(config.template, reader)
    return config


class _VictorReader(ConfigReader):
    """Reads the sections that only Victor has."""

    def template(self) -> Template:
        """Return the CRF's template."""
        crf = self.document.get("crf", {})
        own_rows = self.get("crf", "feature-rows", dict, default={})
        inner = ConfigReader(self.name, {"crf.feature-rows": own_rows})
        joins = self.get("crf", "joins", list, default=[])
        for join in joins:
            if not isinstance(join, list) or len(join) < 2 or not all(isinstance(name, str) for name in join):
                raise self.error("crf.joins must contain lists of two or more features")
        if not crf.get("features"):
            raise self.error("crf.features is missing or empty")
        return Template(
            features=self.values("crf", "features", str),
            rows=self.values("crf", "rows", int) or (0,),
            feature_rows={key: inner.values("crf.feature-rows", key, int) for key in own_rows},
            joins=tuple(tuple(join) for join in joins),
        )

    def training(self) -> Training:
        """Return the parameters of training."""
        training = Training(
            c1=self.get("crf", "c1", float, default=0.0),
            c2=self.get("crf", "c2", float, default=1.0),
            iterations=self.get("crf", "iterations", int, default=100),
        )
        for key in ("c1", "c2"):
            if not 0 <= getattr(training, key) < math.inf:
                raise self.error(f"crf.{key} must be a finite number, not negative")
        if training.iterations < 1:
            raise self.error("crf.iterations must be at least 1")
        return training


def _check_rows(template: Template, reader: _VictorReader) -> None:
    """Refuse rows of features that the CRF does not read, and no rows."""
    for name, rows in template.feature_rows.items():
        if name not in template.features or not rows:
            raise reader.error(f"crf.feature-rows.{name} must have the rows of a feature that crf.features names")


def _check_names(config: VictorConfig, reader: _VictorReader) -> None:
    """Refuse unknown features, features named twice, and contradictory scales."""
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
            if not is_known(name, config.settings):
                raise reader.error(f"{key} names an unknown feature {name!r}")
    for name, count in Counter(template.features).items():
        if count > 1:
            raise reader.error(f"crf.features names {name!r} twice")
    both = set(config.values) & set(config.scale)
    if both:
        raise reader.error(f"feature-values and feature-scale both name {min(both)!r}")
    for name, steps in config.scale.items():
        if steps < 2:
            raise reader.error(f'feature-scale."{name}" must be at least 2')
