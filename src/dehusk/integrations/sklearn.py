"""A scikit-learn transformer: HTML in, clean text out.

    make_pipeline(HtmlCleaner(), CountVectorizer(), LogisticRegression()).fit(pages, labels)

Needs the extra "sklearn".
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from dehusk.cleaning import clean
from dehusk.methods import PageMethod, Style, load_method
from dehusk.site.model import Site

OF_PAGES = "fit"


class HtmlCleaner(TransformerMixin, BaseEstimator):  # type: ignore[misc] # (no types)
    """Cleans pages, one by one.

    Args:
        method: a method's name as `dehusk.clean` takes it; by default "united".
        style: what is wanted of a page, for method united.
        favour: 0 for precision, 1 for recall, for method united.
        site: what the site's other pages are like: a `Site`, the folder of a model, or "fit" to learn it from the pages
            that `fit` is given, which are taken as one site.

    Attributes:
        method_: the method that is ready to label, after `fit`.
        site_: the site that was learned, after `fit` with `site="fit"`; else None.
    """

    def __init__(
        self,
        method: str | None = None,
        *,
        style: Style | None = None,
        favour: float | None = None,
        site: Site | str | Path | Literal["fit"] | None = None,
    ) -> None:
        self.method = method
        self.style = style
        self.favour = favour
        self.site = site

    def fit(self, X: Iterable[bytes | str], y: object = None) -> Self:  # noqa: ARG002, N803 (scikit-learn's signature)
        """Load the method and, where it is asked for, learn the site.

        Args:
            X: pages as bytes or text; looked at only with `site="fit"`.
            y: not looked at.

        Raises:
            ConfigError: no such method, or options that do not fit.
            InputError: a site is to be learned from no pages.
            TypeError: one page instead of several.
        """
        _several(X)
        learn = isinstance(self.site, str) and self.site == OF_PAGES
        self.site_: Site | None = Site(mixed=True).fit(X) if learn else None
        site = self.site_ if learn else self.site
        self.method_: PageMethod = load_method(self.method, site=site, style=self.style, favour=self.favour)
        return self

    def transform(self, X: Iterable[bytes | str]) -> npt.NDArray[np.object_]:  # noqa: N803
        """Return the clean text of each page, shape (n,), dtype object; "" for a page that has none.

        Raises:
            NotFittedError: scikit-learn's, before `fit`.
            TypeError: a page is neither bytes nor text, or one page instead of several.
        """
        check_is_fitted(self, "method_")
        _several(X)
        texts = [clean(page, method=self.method_).text for page in X]
        return np.array([*texts, None], dtype=object)[:-1]  # (the None keeps numpy from looking into the texts)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        """Return the name of the one column."""
        return np.array(["text"], dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = True
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags


def _several(pages: object) -> None:
    if isinstance(pages, str | bytes | bytearray):
        raise TypeError(f"pages are a list, not one {type(pages).__name__}")
