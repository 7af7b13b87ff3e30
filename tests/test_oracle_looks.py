"""What is found by a look at a page, its links, images and the elements around its texts, against what defines it."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.tags import numbers
from dehusk.blocks import Blocks, segment
from dehusk.blocks.units.marks import marks_of
from dehusk.compiled.tree import with_fragment
from dehusk.read import parse
from dehusk.visible.suspects import COPYING, LINK_SIGNS, STYLING, Suspects, suspects_in
from oracle import cases
from oracle import looks as oracle
from strategies import htmls

LONG = "x" * 4095
SEEN = (
    *("<a href=#n>1</a>", "<a href='a&amp;b#'>2</a>", "<a href=b#c>more of it</a>", "<sup><a href=#n>see</a></sup>"),
    *("<a href=#x role=doc-noteref>here</a>", "<i epub:type=noteref><a href=#x>here</a></i>", "<a href='>#n'>[3]</a>"),
    *("<b class=footnote-ref><a href=#x>here</a></b>", f"<a href=#{LONG}>4</a>", f"<a href=#{LONG[1:]}>5</a>"),
    *("<img src=/emoji/a.png alt=:)>", "<img class=smilies>", "<img src=é.png>", f"<img src=emoji/{LONG}>", "<sub>6"),
    *("<sup>1", "<sup>[1]</sup>", "<i class=sidenote>", r"<img alt='\frac12'>", "<img src=?%5Cx>", "costs $$5", "a\\b"),
    *("<math>x</math>", "<b class=mathjax>y</b>", "<script type=math/tex>z</script>", "<span class=editsection>"),
    *("<a href=#a>¶</a>", "<a href=e>[edit</a>]", "[<a href=e>edit</a>]", "<button> # </button>", "<button>¶</button>"),
    *("<pre>code</pre>", "<b>Copy</b>", "<span>copy code", "<b>" * 30, "<div class=highlight>", "<p hidden>h</p>"),
    *("<font color=red>i", "<p style='Color:red'>j", "<p style='COLOR:red'>k", "<p style='Clip:auto'>l"),
    *("<p style='top:-9px'>n", "<p style='a: -b'>o", "<p style=' '>p", "<p title='>#' style=background:red>q"),
)
seen_htmls = st.lists(st.one_of(st.sampled_from(SEEN), htmls), max_size=6).map("".join)
ENDS = ("", "<plaintext>see", "</math></svg><math><mglyph></mglyph></math>")
"""The last two make the markup of the parser's tree ambiguous."""


def check(blocks: Blocks, random: Random) -> None:
    page, kept = blocks.page, [random.random() < 0.8 for _ in range(len(blocks))]
    assert with_fragment(page, page.nodes_of(numbers("a"))) == oracle.with_fragment(page)
    assert marks_of(page) == oracle.marks(page)
    found = Suspects(*suspects_in(blocks, np.array(kept, dtype=np.bool_), LINK_SIGNS, COPYING, STYLING))
    expected = oracle.suspects(blocks, kept, LINK_SIGNS, COPYING)
    for name, value in found._asdict().items():
        assert (value.tolist() if isinstance(value, np.ndarray) else value) == expected[name], name


def test_looks_at_pages() -> None:
    random = Random(3)  # noqa: S311 (nothing secret)
    for source in cases.sources(8):
        if len(source) < 20_000:
            check(segment(parse(source)), random)


@given(seen_htmls, st.sampled_from(ENDS), st.randoms(use_true_random=False))
def test_looks_at_random_pages(html: str, end: str, random: Random) -> None:
    check(segment(parse(html + end), every_tag=random.random() < 0.5, alt=random.random() < 0.5), random)
