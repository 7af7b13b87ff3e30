"""Write the manifests of the sets of a folder, which `dehusk sets` builds and checks by: hashes, no text of a page."""

import json
from pathlib import Path

from dehusk.lab.sets import catalogue
from dehusk.lab.sets.building import identify
from sets import data_argument, set_path


def main() -> None:
    """Write one manifest for each set of the catalogue that can be built and was measured."""
    data = data_argument(__doc__ or "")
    folder = Path(catalogue.__file__).parent / "manifests"
    for name, published in catalogue.published_sets().items():
        if published.layout and not published.unmeasured:
            pages = {
                page.id: {"id": page.id, "html": page.html, "gold": page.gold, "row": page.row, **page.fields}
                for page in reversed(list(identify(set_path(data, name))))  # of rows of the same id, the first
            }
            lines = "".join(json.dumps(page, ensure_ascii=False) + "\n" for page in reversed(pages.values()))
            (folder / f"{name}.jsonl").write_text(lines, "utf-8")


if __name__ == "__main__":
    main()
