"""Styles: how much of a page to keep."""

from typing import Literal, get_args

Style = Literal["auto", "body", "article", "comments", "whole", "core"]
"""In this order: what a reader of this kind of page wants (docs/rubric.md); the body of the article; the body with
its headline; the article with readers' comments; everything except the frame that the site puts around its
pages; the narrowest text that says what the page is about, without specifications and long lists."""

STYLES: tuple[Style, ...] = get_args(Style)

WITH_SLOTS: tuple[Style, ...] = ("auto", "whole")
"""The styles that keep the byline, the date, the captions and the price of a page."""
