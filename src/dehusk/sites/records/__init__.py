"""Records from the pages of one site: what varies where the site's template does not (docs/records.md)."""

from dehusk.sites.records.model import Wrapper

__all__ = ["Wrapper"]
