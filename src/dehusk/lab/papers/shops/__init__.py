"""Generated pages of five shops, in place of Yi & Liu's five sites, which no longer exist; their content is known."""

from collections.abc import Iterator
from typing import Final

from dehusk.blocks import segment
from dehusk.blocks.labels import LABELS, by_markup
from dehusk.lab.evaluate.rivals import everything
from dehusk.lab.gold.cleaneval import segments_to_cleaneval
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.papers.shops.pages import ShopPage, generate
from dehusk.read import parse

SET: Final = "generated shops"


def shop_samples(most: int) -> Iterator[Sample]:
    """Yield generated pages with their content as gold text, with CLEANEVAL's tags by markup.

    Args:
        most: maximum number of pages per category and shop.
    """
    for number, page in enumerate(generate(most=most)):
        yield Sample(SET, str(number), page.html.encode(), None, page.site, page.category, gold_text(page))


def gold_text(page: ShopPage) -> str:
    """Return the content of a page as a gold text with CLEANEVAL's tags."""
    title, *parts = page.content
    blocks = segment(parse(f"<h1>{title}</h1>{''.join(parts)}"))
    codes = by_markup(blocks, everything(blocks)).tolist()
    return segments_to_cleaneval((LABELS[code], text) for code, text in zip(codes, blocks.texts, strict=True))
