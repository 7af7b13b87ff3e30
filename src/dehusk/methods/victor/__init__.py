"""Victor (Marek 2007): page cleaning as sequence labelling; `dehusk.methods.victor.method` describes the model."""

from dehusk.methods.victor.config import PRESETS, VictorConfig, load_config, parse_config
from dehusk.methods.victor.declaration import METHOD
from dehusk.methods.victor.method import Victor

__all__ = ["METHOD", "PRESETS", "Victor", "VictorConfig", "load_config", "parse_config"]
