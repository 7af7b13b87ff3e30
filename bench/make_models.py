"""Train the shipped models. The same data give the same bytes."""

import shutil
from pathlib import Path

from dehusk.gold import page_keys
from dehusk.gold.datasets import read_set, set_fingerprint
from dehusk.methods.victor.config import load_config
from dehusk.methods.victor.method import Victor
from dehusk.train.labelled_pages import label_samples
from dehusk.train.united import train_united
from dehusk.train.victor import train_victor
from sets import OPEN_SETS, data_argument, set_path
from united import corpus

MODELS = Path(__file__).parents[1] / "src" / "dehusk" / "models"
FROM = {
    "cleaneval": (("cleaneval-dev",), "CLEANEVAL's development set; its final set takes no part."),
    "web": (OPEN_SETS, "All open sets; figures of the same configuration on unseen sites: docs/results.md."),
}


def united(data: Path) -> None:
    """Train the united labeller on all open sets, with a fixed seed."""
    pages = corpus(data)
    model = train_united(pages)
    model.card["about"] = "trees over features of the whole page, and weights of a site's evidence, from all open sets"
    model.card["sets"] = {name: set_fingerprint(set_path(data, name)) for name in OPEN_SETS}
    folder = MODELS / "united"
    shutil.rmtree(folder, ignore_errors=True)
    model.save(folder)
    page_keys.save_keys(folder, [page.sample for page in pages.pages])
    size = sum(file.stat().st_size for file in folder.iterdir())
    print(f"united: {len(pages)} pages, {size / 1000:.0f} kB, evidence {model.weights}")


def main() -> None:
    data = data_argument(__doc__ or "")
    united(data)
    for name, (sets, about) in FROM.items():
        config = load_config(name)
        method = Victor(config)
        pages = [page for set_ in sets for page in label_samples(read_set(set_path(data, set_)), method)]
        victor = train_victor(config, pages)
        victor.card_["about"] = about
        victor.card_["sets"] = {set_: set_fingerprint(set_path(data, set_)) for set_ in sets}
        victor.card_["training"] = vars(config.training)
        folder = MODELS / name
        shutil.rmtree(folder, ignore_errors=True)
        victor.save(folder)
        page_keys.save_keys(folder, [page.sample for page in pages])
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{name}: {len(pages)} pages, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
