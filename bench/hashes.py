"""Hashes of files, of the package, and of the labels of the rubric: what results depend on."""

import hashlib
from functools import cache
from pathlib import Path

from result_tables import ROOT


def digest(*parts: bytes) -> str:
    """Return a short hash of some contents, which depends on their order."""
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:16]


def files_hash(paths: list[Path]) -> str:
    """Return the hash of files and of their names."""
    return digest(*(part for path in paths for part in (path.name.encode(), path.read_bytes())))


@cache
def package_hash() -> str:
    """Return the hash of the package with its words, patterns and models, and of the labels of the rubric."""
    files = [path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return files_hash(sorted([*files, *(ROOT / "labels").glob("*.jsonl")]))
