"""Train the shipped models. The same data give the same bytes.

The united model that is shipped has another teacher than the one trained here: the model shipped before it, which is only in
the history of the repository (docs/united-training.md).
"""

import argparse
import hashlib
import shutil
from pathlib import Path

from dehusk.lab.gold import page_keys
from dehusk.lab.gold.datasets import read_set, set_fingerprint
from dehusk.lab.train.labelled_pages import label_samples
from dehusk.lab.train.victor import train_victor
from dehusk.label.victor.config import load_config
from dehusk.label.victor.method import Victor
from sets import OPEN_SETS, set_path
from training_sets import LABELS, train_as_shipped, training_set

MODELS = Path(__file__).parents[1] / "src" / "dehusk" / "models"
FROM = {
    "cleaneval": (("cleaneval-dev",), "CLEANEVAL's development set; its final set takes no part."),
    "web": (OPEN_SETS, "All open sets; figures of the same configuration on unseen sites: docs/results.md."),
}

ALL = ("united", *FROM)


def united(data: Path) -> None:
    """Train the united labeller on all open sets and on the pages with labels of the rubric for training, with a fixed seed."""
    pages = training_set(data)
    model = train_as_shipped(pages)
    model.card["about"] = (
        "a net over blocks, from all open sets, facts, labels by a language model by a written rubric (labels/) and a teacher"
    )
    model.card["sets"] = {name: set_fingerprint(set_path(data, name)) for name in model.card["pages"]}
    model.card["labels"] = hashlib.sha256(LABELS.read_bytes()).hexdigest()[:16]
    folder = MODELS / "united"
    shutil.rmtree(folder, ignore_errors=True)
    model.save(folder)
    page_keys.save_keys(folder, [page.sample for page in pages.pages])
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"united: {len(pages)} pages, {size / 1000:.0f} kB")


def victor(data: Path, name: str) -> None:
    """Train one of Victor's presets."""
    sets, about = FROM[name]
    config = load_config(name)
    method = Victor(config)
    pages = [page for set_ in sets for page in label_samples(read_set(set_path(data, set_)), method)]
    trained = train_victor(config, pages)
    trained.card_["about"] = about
    trained.card_["sets"] = {set_: set_fingerprint(set_path(data, set_)) for set_ in sets}
    trained.card_["training"] = vars(config.training)
    folder = MODELS / name
    shutil.rmtree(folder, ignore_errors=True)
    trained.save(folder)
    page_keys.save_keys(folder, [page.sample for page in pages])
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"{name}: {len(pages)} pages, {size / 1000:.0f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"models to train: {', '.join(ALL)}; all by default")
    arguments = parser.parse_args()
    if unknown := set(arguments.models) - set(ALL):
        parser.error(f"no such model: {', '.join(sorted(unknown))}")
    for name in arguments.models or ALL:
        if name == "united":
            united(arguments.data)
        else:
            victor(arguments.data, name)


if __name__ == "__main__":
    main()
