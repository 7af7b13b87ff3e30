"""Small random pages with navigation, articles and footers, and their labels, to train and test methods on."""

from random import Random

import numpy as np

from dehusk.blocks import Blocks
from dehusk.blocks.labels import HEADER, LIST, OTHER, PARAGRAPH
from dehusk.label.base import PageMethod
from dehusk.read import parse

_WORDS = "the a cat dog house runs sees under over green old tree with many small birds in winter".split()  # noqa: SIM905


def sentence(random: Random, least: int, most: int) -> str:
    return " ".join(random.choice(_WORDS) for _ in range(random.randint(least, most))).capitalize() + "."


def page(seed: int) -> tuple[str, list[int]]:
    """Return a page and the labels of its blocks; every segmentation gives the same blocks."""
    random = Random(seed)  # noqa: S311 (nothing secret)
    parts: list[tuple[str, int]] = [
        (f"<li><a href=/{i}>{sentence(random, 1, 2)[:-1]}</a>", OTHER) for i in range(random.randint(2, 5))
    ]
    parts.append((f"<h1>{sentence(random, 2, 5)[:-1]}</h1>", HEADER))
    for _ in range(random.randint(1, 4)):
        parts.append((f"<p>{sentence(random, 8, 20)} {sentence(random, 5, 9)}</p>", PARAGRAPH))
        if random.random() < 0.4:
            parts += [(f"<ul><li>{sentence(random, 4, 7)}</ul>", LIST) for _ in range(3)]
        if random.random() < 0.3:
            parts.append((f"<div><a href=/ad>Buy {random.randint(2, 99)} now</a></div>", OTHER))
    parts.append((f"<div>Copyright {random.randint(1990, 2020)}</div>", OTHER))
    return "".join(html for html, _ in parts), [label for _, label in parts]


def training(method: PageMethod, count: int, first: int = 0) -> tuple[list[Blocks], list[np.ndarray]]:
    """Return the blocks that a method splits `count` pages into, and their labels."""
    pages = [page(seed) for seed in range(first, first + count)]
    blocks = [method.segment(parse(html)) for html, _ in pages]
    gold = [np.array(labels) for _, labels in pages]
    assert [len(b) for b in blocks] == [len(g) for g in gold]
    return blocks, gold


CONFIG = """
[segment]
tag-delete = ["button"]
[containers]
a = ["a"]
heading = ["h1"]
[splits]
block = ["p", "div", "li", "ul", "h1"]
[feature-values]
"token.alpha-abs" = [0, 1, 2, 3, 5, 8, 13]
"split.block" = [0, 1, 2, 3]
[feature-scale]
"char.num-rel" = 4
"link.density" = 3
[crf]
features = ["container.a", "container.heading", "token.alpha-abs", "split.block", "char.num-rel", "sentence-end"]
c2 = 0.2
iterations = 40
decide = "labels"
"""
ROWS = "rows = [-2, -1, 0, 1, 2]\n"
OWN_ROWS = 'feature-rows = { "token.alpha-abs" = [0], "split.block" = [-3, 1] }\n'
JOINS = 'joins = [["container.a", "token.alpha-abs"], ["sentence-end", "char.num-rel", "split.block"]]\n'
