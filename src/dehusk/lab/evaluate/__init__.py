"""Evaluate methods and tools on pages with gold texts, and present the figures."""
