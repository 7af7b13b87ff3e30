"""Write the shipped models again without training: the same arrays, with a card of the current format."""

from dehusk.base.store import load_model, method_of, save_model
from make_models import ALL, MODELS


def main() -> None:
    for name in ALL:
        folder = MODELS / name
        card, arrays = load_model(folder, method_of(folder))
        save_model(folder, card, arrays)


if __name__ == "__main__":
    main()
