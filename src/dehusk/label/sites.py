"""`Site`: a site model that counts what the default method needs, too."""

from dehusk.counts.model import SiteModel
from dehusk.counts.own_counts import DeclaredCounts
from dehusk.label.registry import DEFAULT, declaration


class Site(SiteModel):
    """What the pages of one site share; see `SiteModel` for arguments, attributes and errors.

    The default method is one for pages, so each page that is learned from is also labelled. `counts=()` leaves that
    out, for methods that use nothing but the site.
    """

    @classmethod
    def default_counts(cls) -> tuple[type[DeclaredCounts], ...]:
        """Return what the default method declares."""
        return declaration(DEFAULT).counts
