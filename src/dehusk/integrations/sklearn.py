"""A scikit-learn transformer from HTML to clean text.

    make_pipeline(HtmlCleaner(), CountVectorizer(), LogisticRegression()).fit(pages, labels)

Needs the extra "sklearn".
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from dehusk.cleaning import clean
from dehusk.counts.model import SiteModel
from dehusk.label import PageMethod, Style, load_method
from dehusk.label.sites import Site

FIT_SITE = "fit"


class HtmlCleaner(TransformerMixin, BaseEstimator):  # type: ignore[misc] # (no types)
    """Cleans pages one by one.

    Args:
        method: name of a method, as for `dehusk.clean`; by default "united".
        style: how much of a page to keep, for methods with that option.
        favour: 0 for precision, 1 for recall, for methods with that option.
        site: what the pages of the site share: a `Site`, the folder of a site model, or "fit" to learn it from the
            pages passed to `fit`, which are treated as one site.

    Attributes:
        method_: the loaded method, after `fit`.
        site_: the learned site, after `fit` with `site="fit"`; otherwise None.
    """

    def __init__(
        self,
        method: str | None = None,
        *,
        style: Style | None = None,
        favour: float | None = None,
        site: SiteModel | str | Path | Literal["fit"] | None = None,
    ) -> None:
        self.method = method
        self.style = style
        self.favour = favour
        self.site = site

    def fit(self, X: Iterable[bytes | str], y: object = None) -> Self:  # noqa: ARG002, N803 (scikit-learn's signature)
        """Load the method and, with `site="fit"`, learn the site.

        Args:
            X: pages as bytes or text; used only with `site="fit"`.
            y: ignored.

        Raises:
            ConfigError: the method does not exist, or does not have an option.
            InputError: `site="fit"`, but `X` contains no pages.
            TypeError: `X` is a single page, or a table.
        """
        _check_several(X)
        learn = isinstance(self.site, str) and self.site == FIT_SITE
        self.site_: SiteModel | None = Site(mixed=True).fit(X) if learn else None
        site = self.site_ if learn else self.site
        self.method_: PageMethod = load_method(self.method, site=site, style=self.style, favour=self.favour)
        return self

    def transform(self, X: Iterable[bytes | str]) -> npt.NDArray[np.object_]:  # noqa: N803
        """Return the clean text of each page, shape (n,), dtype object; "" for pages without text.

        Raises:
            NotFittedError: `fit` was not called (scikit-learn's exception).
            TypeError: a page is neither bytes nor text, or `X` is a single page or a table.
        """
        check_is_fitted(self, "method_")
        _check_several(X)
        texts = [clean(page, method=self.method_).text for page in X]
        return np.array([*texts, None], dtype=object)[:-1]  # without the None, numpy would inspect the texts

    def fit_transform(self, X: Iterable[bytes | str], y: object = None, **_: object) -> npt.NDArray[np.object_]:  # noqa: N803
        """Return what `transform` does after `fit`, also for pages that can be read only once, as of a generator.

        Raises: as `fit`.
        """
        _check_several(X)
        pages = list(X)
        return self.fit(pages, y).transform(pages)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        """Return the name of the only column."""
        return np.array(["text"], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags


def _check_several(pages: object) -> None:
    if isinstance(pages, str | bytes | bytearray):
        raise TypeError(f"expected a list of pages, not one {type(pages).__name__}")
    if isinstance(pages, Mapping) or len(getattr(pages, "shape", (0,))) != 1:
        kind = type(pages).__name__
        raise TypeError(f"expected a list or a column of pages, not a {kind}: name the column, as in frame['html']")
