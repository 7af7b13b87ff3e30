"""Small random nets and pages for the tests of the united labeller."""

from random import Random

import numpy as np

import dehusk
from dehusk.label.styles import STYLES
from dehusk.label.united import NAMES, Net
from dehusk.label.united.inputs import GROUP_COUNT, NAME_ROWS, TAG_ROWS, TAGS, TEXT_ROWS, Bags, NetInputs, net_inputs
from dehusk.label.united.rounding import ARITHMETIC

_TAGS = "div p ul li section table tr td span a h1 h2 pre article x-own b".split()  # noqa: SIM905
_NAMES = ("", "", "top-nav", "navTop", "post 17", "post 4", "Überschrift", "主文", "a b", "comment--body")
_WORDS = ("tea", "Cups", "42", "1999", "茶館", "чай", "e\u0301", "🍵", "—", "The", "the", "ชา")


def random_net(seed: int = 0, *, width: int = 8, pooled: int = 3, distances: tuple[int, ...] = (1, 3)) -> Net:
    """Return a net of random numbers, rounded as in a model folder."""
    random = np.random.default_rng(seed)
    tag, name, text, d, pools = 2, 4, 3, width, GROUP_COUNT * pooled
    shapes: dict[str, tuple[int, ...]] = {
        "tag.weight": (TAG_ROWS, tag),
        "name.weight": (NAME_ROWS, name),
        "text.weight": (TEXT_ROWS, text),
        "style.weight": (len(STYLES), d),
        "inp.weight": (d, len(NAMES) + TAGS * tag + name + text),
        "inp.bias": (d,),
        "out.weight": (1, d),
        "out.bias": (1,),
    }
    for layer in range(len(distances)):
        for part, size in {"a": (d, d), "v": (pools, d), "o": (d, 3 * d + 2 * pools), "p": (d, d)}.items():
            shapes[f"layer.{layer}.{part}.weight"], shapes[f"layer.{layer}.{part}.bias"] = size, size[:1]
    arrays = {part: random.normal(0, 0.4, size).astype(np.float32) for part, size in shapes.items()}
    columns = {
        "columns.is_log": (random.random(len(NAMES)) < 0.5).astype(np.float32),
        "columns.mean": random.normal(0, 1, len(NAMES)).astype(np.float32),
        "columns.scale": random.uniform(0.5, 4, len(NAMES)).astype(np.float32),
    }
    net = Net({**arrays, **columns, "steps": ARITHMETIC, "distances": np.array(distances, dtype=np.float32)})
    return Net.from_arrays(net.arrays())


def random_inputs(seed: int, b: int, *, groups: int = 3) -> NetInputs:
    """Return random inputs of a page of b blocks, some of whose bags are empty."""
    random = np.random.default_rng(seed)
    chains = min(b, 4)
    return NetInputs(
        columns=random.normal(0, 20, (len(NAMES), b)).astype(np.float32),
        tags=random.integers(0, TAG_ROWS, (b, TAGS)).astype(np.int32),
        names=random_bags(random, chains, NAME_ROWS),
        chain=np.append(np.arange(chains), random.integers(0, chains, b - chains)),
        texts=random_bags(random, b, TEXT_ROWS),
        groups=(
            *(np.unique(random.integers(0, groups, b), return_inverse=True)[1] for _ in range(GROUP_COUNT - 1)),
            np.zeros(b, dtype=np.intp),
        ),
    )


def random_bags(random: np.random.Generator, bags: int, rows: int) -> Bags:
    sizes = random.integers(0, 4, bags)
    sizes[0] = 0
    return Bags(random.integers(0, rows, sizes.sum()).astype(np.int32), np.append(0, np.cumsum(sizes)))


def inputs_of(html: str) -> NetInputs:
    """Return the inputs of a page."""
    return net_inputs(dehusk.segment(dehusk.parse(html)))


def random_html(seed: int, elements: int = 25) -> str:
    """Return a page with text in nested elements with odd names."""
    random = Random(seed)  # noqa: S311 (nothing secret)
    parts, opened = ["<body>a word"], list[str]()
    for _ in range(elements):
        if opened and random.random() < 0.4:
            parts.append(f"</{opened.pop()}>")
        tag = random.choice(_TAGS)
        opened.append(tag)
        parts.append(f'<{tag} class="{random.choice(_NAMES)}" id="{random.choice(_NAMES)}">')
        parts.append(" ".join(random.choices(_WORDS, k=random.randint(0, 12))))
    return "".join(parts)
