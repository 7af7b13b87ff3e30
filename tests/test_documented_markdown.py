"""The example in docs/markdown.md shows what dehusk writes."""

import re
from pathlib import Path

from dehusk import clean

GUIDE = (Path(__file__).parents[1] / "docs" / "markdown.md").read_text("utf-8")


def test_the_example_is_what_dehusk_writes():
    (html,) = re.findall(r"^```html\n(.*?)^```$", GUIDE, re.DOTALL | re.MULTILINE)
    (markdown,) = re.findall(r"^````markdown\n(.*?)^````$", GUIDE, re.DOTALL | re.MULTILINE)
    document = clean(html, url="https://tea.example/", method="keep-all")
    assert document.render("markdown", tracking=False) == markdown
