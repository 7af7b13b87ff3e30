"""The output folder of `dehusk cluster` and `dehusk classify`, and what both check first."""

from collections.abc import Mapping
from pathlib import Path

from dehusk.base.atomic import write_text
from dehusk.base.errors import InputError, explaining
from dehusk.base.extras import require


def check_folder(folder: str | None) -> None:
    """Refuse, before any page is read, a folder that cannot be made.

    Raises:
        InputError: it is a file, or its parent does not exist.
    """
    if folder is None:
        return
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise InputError(f"{folder} cannot be written: it is a file, and a folder is needed")
    if not path.parent.is_dir():
        raise InputError(f"{folder} cannot be written: folder {path.parent} does not exist")


def check_library(command: str) -> None:
    """Refuse a command that needs scikit-learn, before any page is read.

    Raises:
        MissingExtraError: it is not installed.
    """
    require("sklearn", extra="sklearn", purpose=f"dehusk {command}")


def write_files(folder: str, files: Mapping[str, str]) -> None:
    """Write files into a folder; those of the same name are replaced.

    Raises:
        InputError: one cannot be written.
    """
    for name, content in files.items():
        target = Path(folder) / name
        with explaining(f"{target} cannot be written"):
            write_text(target, content.encode("utf-8", "replace").decode())  # names of files need not be text
