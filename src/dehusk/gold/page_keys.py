"""What a page with gold is known by, so that a page that was trained on is known again in any set.

Two keys of 64 bits a page: of its address and of the words of its gold text. A model folder may hold the keys of the
pages that it was trained on in `pages.npy`, 16 bytes a page; from a key nobody reads an address or a text back.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from dehusk.errors import ModelError
from dehusk.gold.datasets import Sample
from dehusk.site.grouping import without_archive
from dehusk.site.hashing import text_key

FILE = "pages.npy"
_LEAST = 20  # words: shorter gold texts may be equal by chance


def sample_keys(sample: Sample) -> list[int]:
    """Return the keys of a page: of its address without scheme, "www." and fragment, and of its gold text's words.

    A page without an address has none of the first, a gold text of fewer than 20 words none of the second.
    """
    words = sample.gold_text.lower().split()
    found = [text_key(" ".join(words))] if len(words) >= _LEAST else []
    if sample.url:
        address = without_archive(sample.url.strip()).split("#")[0].rpartition("://")[2]
        found.append(text_key(f"address {address.removeprefix('www.').rstrip('/')}"))
    return found


def save_keys(folder: Path, samples: Iterable[Sample]) -> None:
    """Write the keys of the pages that a model was trained on into its folder.

    Raises:
        ModelError: the folder cannot be written.
    """
    column = np.array(sorted({key for sample in samples for key in sample_keys(sample)}), dtype=np.uint64)
    try:
        with (folder / FILE).open("wb") as stream:
            np.lib.format.write_array(stream, column, allow_pickle=False)
    except OSError as error:
        raise ModelError(f"model {folder} cannot be written: {error}") from error


def load_keys(folder: Path) -> frozenset[int]:
    """Return the keys of the pages that a model was trained on; none where the folder does not hold them.

    Raises:
        ModelError: the file is damaged.
    """
    path = folder / FILE
    if not path.is_file():
        return frozenset()
    try:
        column = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ModelError(f"{path} is damaged: {' '.join(str(error).split())}") from error
    if not isinstance(column, np.ndarray) or column.dtype != np.uint64 or column.ndim != 1:
        raise ModelError(f"{path} is damaged: it holds no column of keys")
    return frozenset(column.tolist())
