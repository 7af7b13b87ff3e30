"""Measures as pure functions: counts that add up over pages, and the figures and intervals derived from them."""
