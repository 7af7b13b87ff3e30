"""What is known about a page besides its text: metadata, dates, posts."""

from typing import Literal

MOST_WORDS = 220
"""Kept words of a page that may say that there is nothing; most pages have more, and need no `emptiness`."""

CommentsChoice = Literal["drop", "keep"]
"""Whether the comments below what a page is about are left out of its text (`dehusk.about.posts.comments`)."""
