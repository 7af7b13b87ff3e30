"""Suggested labels for the annotation tool, from any model or method."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, unknown
from dehusk.blocks import Blocks
from dehusk.blocks.annotation import Annotation
from dehusk.blocks.labels import OTHER, PARAGRAPH, as_labels
from dehusk.counts.model import SiteModel
from dehusk.label import load_method
from dehusk.label.base import PageMethod
from dehusk.label.declaration import Declaration
from dehusk.label.registry import declaration, names, shipped_models
from dehusk.read import parse
from dehusk.read.page import Page

Suggest = Callable[[Blocks], npt.NDArray[np.integer]]
"""Returns an index into `LABELS` for each block, -1 for no suggestion."""


def suggest_by(method: PageMethod) -> Suggest:
    """Return a function that suggests a method's labels for any blocks, even if the method splits pages differently.

    What the method keeps as a table, a listing or a comment is a paragraph, as in the thesis; so is what it keeps
    without saying as what.
    """

    def suggest(blocks: Blocks) -> npt.NDArray[np.integer]:
        labels = method.label(method.segment(blocks.page))
        kinds = as_labels(labels.label)
        codes = np.where(labels.kept, np.where(kinds == OTHER, PARAGRAPH, kinds), OTHER)
        return Annotation.from_labels(b"", labels.blocks, codes).labels_for(blocks)

    return suggest


def suggesting_method(name: str, pages: Iterable[Path], site: str | Path | None = None) -> PageMethod:
    """Return the method that a name stands for.

    Args:
        name: name of a shipped model or of a method, or a model folder.
        pages: page files; a method that needs a site learns what they share, unless `site` is given.
        site: folder of a site model.

    Raises:
        ConfigError: there is no such model or method, or it needs a site model.
        ModelError: the model or the site model is damaged.
        NotFittedError: no page could be read, to learn the site from.
    """
    if name in shipped_models() or Path(name).exists():
        return load_method(model=name, site=site)
    if name not in names():
        raise ConfigError(f"{unknown('model or method', name, (*shipped_models(), *names()))}; or name a model folder")
    declared = declaration(name)
    if declared.site != "required" or site is not None:
        return load_method(name, site=site)
    if not declared.learns_from_counts:
        learn = f"dehusk site learn PAGES --method {name} -o FOLDER"
        raise ConfigError(f"{name} needs a site model: make one with `{learn}`, and name it with --site FOLDER")
    return load_method(name, site=_site_of(pages, declared))


def _site_of(pages: Iterable[Path], declared: Declaration) -> SiteModel:
    site = SiteModel(mixed=True, counts=declared.counts)
    for page in pages:
        if (parsed := _parsed(page)) is not None:
            site.add(parsed)
    return site


def _parsed(page: Path) -> Page | None:
    try:
        return parse(page.read_bytes())
    except OSError:
        return None  # it cannot be annotated either, and the tool says so
