"""Styles: how much of a page the caller wants."""

from typing import Literal, get_args

Style = Literal["auto", "body", "article", "comments", "whole"]
"""What the page's type suggests; the body of the article; the body with headline and byline; the article with readers'
comments; everything except the frame that the site puts around its pages."""

STYLES: tuple[Style, ...] = get_args(Style)
