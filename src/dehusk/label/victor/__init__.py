"""Victor (Marek 2007): page cleaning as sequence labelling; `dehusk.label.victor.method` describes the model."""

from dehusk.label.victor.config import PRESETS, VictorConfig, load_config, parse_config
from dehusk.label.victor.declaration import METHOD
from dehusk.label.victor.method import Victor

__all__ = ["METHOD", "PRESETS", "Victor", "VictorConfig", "load_config", "parse_config"]
