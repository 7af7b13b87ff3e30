"""`container.*` and `split.*`: the elements around a block and the tags before it (thesis, section 4.1)."""

from operator import attrgetter

from dehusk.compiled.features import container_features, split_features
from dehusk.label.features.family import Family

FAMILIES = (
    Family(
        container_features,
        {"container.*": "1 if the block is in an element with one of the tags configured under this name, else 0."},
        attrgetter("containers"),
    ),
    Family(
        split_features,
        {
            "split.*": "Opening and closing tags since the previous block, of those configured under this name; a void "
            "element such as br counts once. `#line` is the end of a line of preformatted text."
        },
        attrgetter("splits"),
    ),
)
