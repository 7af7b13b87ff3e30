"""Metadata: what a page says about itself, and what its text shows. docs/metadata.md lists values and sources."""

from dehusk.about.metadata.facts import DetectedLanguage, Metadata
from dehusk.about.metadata.languages import detect_language
from dehusk.about.metadata.reading import page_title, read_metadata

__all__ = ["DetectedLanguage", "Metadata", "detect_language", "page_title", "read_metadata"]
