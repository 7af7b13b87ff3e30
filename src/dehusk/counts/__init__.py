"""Site models: what the pages of a site share, as counts that add up."""
