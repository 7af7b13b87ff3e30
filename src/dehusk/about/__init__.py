"""What is known about a page besides its text: metadata, dates, posts."""

MOST_WORDS = 220
"""Kept words of a page that may say that there is nothing; most pages have more, and need no `emptiness`."""
