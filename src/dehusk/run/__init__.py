"""Running over many pages."""
