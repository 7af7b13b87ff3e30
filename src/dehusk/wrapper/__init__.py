"""Records from the pages of one site: what varies where the site's template does not (docs/records.md)."""

from dehusk.wrapper.model import Wrapper

__all__ = ["Wrapper"]
