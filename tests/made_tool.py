"""A tool of others, as its process loads it: keeps all text, fails on one page, and hangs on another."""

import re
import time
from collections.abc import Sequence

from dehusk.lab.evaluate.tools import CleanPages, LabelledText, PageView

FAILS = "<title>Hand lantern"
HANGS = "never ends"


def load_made(name: str) -> CleanPages:
    """Stands for `dehusk.lab.evaluate.tools.load_tool`."""
    assert name == "made"

    def clean(views: Sequence[PageView]) -> list[str | LabelledText]:
        [view] = views
        if FAILS in view.html:
            raise ValueError("no\nlanterns")
        while HANGS in view.html:
            time.sleep(1)
        until = time.process_time() + 0.02
        while time.process_time() < until:
            pass
        return [re.sub(r"<[^>]+>", " ", view.html)]

    return clean
