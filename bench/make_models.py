"""Train the two shipped models; the same data gives the same bytes."""

import shutil
from pathlib import Path

from dehusk.config import load_config
from dehusk.gold import fingerprints
from dehusk.gold.datasets import fingerprint, read_set
from dehusk.methods.victor import Victor
from dehusk.train.corpus import label_samples
from dehusk.train.fit import train
from sets import OPEN_SETS, data_argument, set_path

MODELS = Path(__file__).parents[1] / "src" / "dehusk" / "models"
FROM = {
    "cleaneval": (("cleaneval-dev",), "CLEANEVAL's development set; its final set takes no part."),
    "web": (OPEN_SETS, "All open sets; figures of the same configuration on unseen sites: docs/results.md."),
}


def main() -> None:
    data = data_argument(__doc__ or "")
    for name, (sets, about) in FROM.items():
        config = load_config(name)
        method = Victor(config)
        pages = [page for one in sets for page in label_samples(read_set(set_path(data, one)), method)]
        victor = train(config, pages)
        victor.card_["about"] = about
        victor.card_["sets"] = {one: fingerprint(set_path(data, one)) for one in sets}
        victor.card_["training"] = vars(config.training)
        folder = MODELS / name
        shutil.rmtree(folder, ignore_errors=True)
        victor.save(folder)
        fingerprints.save(folder, [page.sample for page in pages])
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{name}: {len(pages)} pages, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
