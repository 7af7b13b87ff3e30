"""The table of HTML tags: a number for each name, and sets of tags.

No file format contains the numbers; models refer to tags by name.
"""

import numpy as np
import numpy.typing as npt

TEXT = 0
"""The tag number of a text node."""

_INLINE = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rb rp rt rtc "
    "ruby s samp small span strike strong sub sup time tt u var wbr blink basefont picture source track map area "
    "input meter progress output audio video canvas embed object param"
)
_BLOCK = (
    "body p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd dir menu blockquote pre listing xmp plaintext center address "
    "table caption thead tbody tfoot tr td th colgroup col form fieldset legend article section nav aside header "
    "footer main hgroup search figure figcaption details summary dialog hr br textarea select option optgroup "
    "datalist button noscript marquee iframe frameset frame noframes noembed applet isindex text"
)
_OUTSIDE = "html head title meta link base script style template svg"  # never nodes of a page
_NAMES = ("#text", *_BLOCK.split(), *_INLINE.split(), *_OUTSIDE.split())

TAG_NUMBER: dict[str, int] = {name: number for number, name in enumerate(_NAMES)}
"""Tag name -> number; pages number other names from `KNOWN` upwards."""

KNOWN = len(_NAMES)
"""Number of tags in the table, including `#text`."""

DROPPED = frozenset(
    {"script", "style", "template", "svg", "iframe", "noembed", "noframes", "link", "meta", "base", "title"}
)
"""Elements without visible text: they and their descendants never become nodes of a page."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PREFORMATTED = frozenset({"pre", "listing", "xmp", "plaintext", "textarea"})
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)


def numbers(names: frozenset[str] | tuple[str, ...] | str) -> npt.NDArray[np.uint16]:
    """Return the numbers of tags, ascending.

    Args:
        names: the tags; a string is a list separated by spaces.

    Raises:
        KeyError: a name is not in the table.
    """
    tags = names.split() if isinstance(names, str) else names
    return np.array(sorted(TAG_NUMBER[name] for name in tags), dtype=np.uint16)


def is_block_level() -> npt.NDArray[np.bool_]:
    """Return a mask over tag numbers, shape (KNOWN,): true if the tag is a boundary between blocks of text."""
    mask = np.zeros(KNOWN, dtype=np.bool_)
    mask[1 : 1 + len(_BLOCK.split())] = True
    return mask
