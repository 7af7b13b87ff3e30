"""Clean pages in a datatrove pipeline.

    python examples/datatrove_pipeline.py PAGES.jsonl FOLDER

PAGES.jsonl has one JSON object per line and page, with `id`, and the page's HTML as `text`.
Install: pip install 'dehusk[datatrove]'
"""

import sys
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from dehusk.integrations.datatrove import Dehusk


def main(source: str, folder: str) -> None:
    """Clean the pages of a JSON Lines file; write their texts to FOLDER/clean."""
    path = Path(source)
    steps = [
        JsonlReader(str(path.parent), glob_pattern=path.name),
        Dehusk(timeout=30),
        JsonlWriter(f"{folder}/clean", compression=None),
    ]
    LocalPipelineExecutor(pipeline=steps, logging_dir=f"{folder}/logs").run()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python datatrove_pipeline.py PAGES.jsonl FOLDER")
    main(*sys.argv[1:])
