"""Declaration of the method "victor"."""

from functools import lru_cache
from pathlib import Path

from dehusk.base.store import CARD_FILES, stamp
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration, Request
from dehusk.label.registry import model_folder
from dehusk.label.victor.config import PRESETS, load_config
from dehusk.label.victor.method import Victor

_DEFAULT_MODEL = "web"


def _build(request: Request) -> PageMethod:
    config = None if request.config is None else str(request.config)
    folder = request.model or model_folder(config if config in PRESETS else _DEFAULT_MODEL)
    files = [folder / name for name in CARD_FILES]
    if config is not None and config not in PRESETS:
        files.append(Path(config))
    return _loaded(folder, config, stamp(files))


@lru_cache(maxsize=16)
def _loaded(folder: Path, config: str | None, _stamp: tuple[tuple[int, int], ...]) -> PageMethod:
    return Victor.load(folder, config=None if config is None else load_config(config))


METHOD = Declaration(
    name="victor",
    summary="Marek 2007: a conditional random field over the sequence of blocks.",
    method=Victor,
    build=_build,
    default_model=_DEFAULT_MODEL,
    presets=PRESETS,
    trainable=True,
)
