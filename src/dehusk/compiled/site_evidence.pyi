"""The typed face of `site_evidence.pyx`."""

from dehusk.blocks import Blocks
from dehusk.methods.united.evidence import SiteEvidence
from dehusk.site.model import Site

def site_evidence(blocks: Blocks, site: Site) -> SiteEvidence | None:
    """Return a site's evidence about a page's blocks; None if the site has a single page, not counting copies.

    The page counts as one of the site's pages. If it is not, each number is lower by one than it could be.

    Raises:
        NotFittedError: the site has no pages.
    """
