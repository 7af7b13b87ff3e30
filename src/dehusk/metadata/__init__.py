"""Metadata: what a page says about itself, and what its text shows. docs/metadata.md lists values and sources."""

from dehusk.metadata.facts import DetectedLanguage, Metadata
from dehusk.metadata.languages import detect_language
from dehusk.metadata.reading import page_title, read_metadata

__all__ = ["DetectedLanguage", "Metadata", "detect_language", "page_title", "read_metadata"]
