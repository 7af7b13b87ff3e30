"""Keys that identify pages with gold texts, so that a training page is recognised in any other set.

A page has two 64-bit keys: one of its URL, one of the words of its gold text. A model folder may contain the keys of
its training pages in `pages.npy`, 16 bytes per page; neither the URL nor the text can be recovered from a key.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from dehusk.base.atomic import replacing
from dehusk.base.errors import ModelError
from dehusk.base.store import damage, read_array, reason_of
from dehusk.compiled.text import text_key
from dehusk.counts.grouping import without_archive
from dehusk.lab.gold.datasets import Sample

FILE = "pages.npy"
_MIN_WORDS = 20  # shorter gold texts may be equal by chance


def sample_keys(sample: Sample) -> list[int]:
    """Return the keys of a page: of its URL without scheme, "www." and fragment, and of the words of its gold text.

    A page without a URL lacks the first key; a page whose gold text has fewer than 20 words lacks the second.
    """
    words = sample.gold_text.lower().split()
    keys = [text_key(" ".join(words))] if len(words) >= _MIN_WORDS else []
    if sample.url:
        address = without_archive(sample.url.strip()).split("#")[0].rpartition("://")[2]
        keys.append(text_key(f"address {address.removeprefix('www.').rstrip('/')}"))
    return keys


def save_keys(folder: Path, samples: Iterable[Sample], *, known: Iterable[int] = ()) -> None:
    """Write the keys of a model's training pages into its folder.

    Args:
        folder: the model folder.
        samples: the training pages.
        known: keys of further pages, such as those of the model that training started from.

    Raises:
        ModelError: the folder cannot be written.
    """
    column = np.array(sorted({*known, *(key for sample in samples for key in sample_keys(sample))}), dtype=np.uint64)
    try:
        with replacing(folder / FILE) as temporary, temporary.open("wb") as stream:
            np.lib.format.write_array(stream, column, allow_pickle=False)
    except OSError as error:
        raise ModelError(f"model {folder} cannot be written: {error}") from error


def load_keys(folder: Path) -> frozenset[int]:
    """Return the keys of a model's training pages; none if its folder does not contain them.

    Raises:
        ModelError: the file is damaged.
    """
    path = folder / FILE
    if not path.is_file():
        return frozenset()
    try:
        column = read_array(path.read_bytes(), path.name)
    except damage(OSError) as error:
        raise ModelError(f"{path} is damaged: {reason_of(error)}") from error
    if column.dtype != np.uint64 or column.ndim != 1:
        raise ModelError(f"{path} is damaged: it does not contain a column of 64-bit keys")
    return frozenset(column.tolist())
