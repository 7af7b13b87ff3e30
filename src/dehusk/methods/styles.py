"""Styles: how much of a page to keep."""

from typing import Literal, get_args

Style = Literal["auto", "body", "article", "comments", "whole"]
"""In this order: what is usual for the type of page; the body of the article; the body with headline and byline; the
article with readers' comments; everything except the frame that the site puts around its pages."""

STYLES: tuple[Style, ...] = get_args(Style)
