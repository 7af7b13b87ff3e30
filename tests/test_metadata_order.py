"""Metadata depends on the page alone: not on the order in which Python iterates over sets."""

import os
import subprocess
import sys

PAGE = "<title>Green teapots › brewing notes</title><h2>Green teapots</h2><h2>brewing notes</h2><p>Text"
CODE = f"import dehusk; print(dehusk.clean({PAGE!r}, method='keep-all').metadata)"


def printed(seed: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, check=True
    ).stdout.decode()


def test_metadata_does_not_depend_on_the_hash_seed():
    assert len({printed(seed) for seed in range(4)}) == 1
