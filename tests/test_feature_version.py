"""A model's hash covers what its features depend on; values of features change only with the version."""

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import dehusk
from dehusk import ModelError
from dehusk.blocks import segment
from dehusk.label import features, load_method, model_folder
from dehusk.label.united import columns, inputs
from dehusk.label.united.inputs import inputs_hash, net_inputs
from dehusk.label.victor.config import load_config

EXAMPLES = Path(__file__).parents[1] / "examples"
PINNED = Path(__file__).parent / "golden" / "features.json"
PINNED_INPUTS = Path(__file__).parent / "golden" / "net-inputs.json"
PAGES = [EXAMPLES / "tea.html", *sorted((EXAMPLES / "gold-pages" / "html").glob("*.html"))]


def digests() -> dict[str, str]:
    """Return a hash of the values of each feature on the example pages, rounded against other processors' rounding."""
    hashes: dict[str, hashlib._Hash] = {}
    for settings in (load_config("web").settings, load_config("cleaneval").settings):
        for path in PAGES:
            names = features.FEATURES.names(settings)
            for name, column in features.compute(segment(dehusk.parse(path.read_bytes())), settings, names).items():
                values = np.round(np.asarray(column, dtype=np.float64), 6) + 0.0
                hashes.setdefault(name, hashlib.sha256()).update(values.tobytes())
    return {name: digest.hexdigest()[:16] for name, digest in sorted(hashes.items())}


def test_values_of_features_change_only_with_the_version() -> None:
    current = {"version": features.VERSION, "features": digests()}
    if os.environ.get("DEHUSK_REWRITE_GOLDEN"):
        PINNED.write_text(json.dumps(current, indent=1) + "\n", "utf-8")
    pinned = json.loads(PINNED.read_text("utf-8"))
    assert pinned["version"] == features.VERSION, "pin the new values: DEHUSK_REWRITE_GOLDEN=1 pytest " + __file__
    changed = [name for name, digest in current["features"].items() if pinned["features"].get(name) != digest]
    assert not changed, "raise dehusk.label.features.VERSION, train the models again and pin the new values"


def by_first_block(group: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return groups numbered as their first blocks come: the net sees which blocks are together, not the numbers."""
    numbers = dict[int, int]()
    return np.array([numbers.setdefault(number, len(numbers)) for number in group.tolist()], dtype=np.intp)


def input_digests() -> dict[str, str]:
    """Return a hash of what the net sees of the example pages besides the features."""
    hashes: dict[str, hashlib._Hash] = {}
    for path in PAGES:
        page = net_inputs(segment(dehusk.parse(path.read_bytes())))
        parts = {"tags": [page.tags], "chain": [page.chain], "groups": [by_first_block(group) for group in page.groups]}
        parts |= {"names": [page.names.row, page.names.start], "texts": [page.texts.row, page.texts.start]}
        for name, arrays in parts.items():
            for array in arrays:
                hashes.setdefault(name, hashlib.sha256()).update(array.astype(np.int64).tobytes())
    return {name: digest.hexdigest()[:16] for name, digest in sorted(hashes.items())}


def test_inputs_of_the_net_change_only_with_their_version() -> None:
    current = {"version": inputs.VERSION, "inputs": input_digests()}
    if os.environ.get("DEHUSK_REWRITE_GOLDEN"):
        PINNED_INPUTS.write_text(json.dumps(current, indent=1) + "\n", "utf-8")
    pinned = json.loads(PINNED_INPUTS.read_text("utf-8"))
    assert pinned["version"] == inputs.VERSION, "pin the new inputs: DEHUSK_REWRITE_GOLDEN=1 pytest " + __file__
    assert pinned["inputs"] == current["inputs"], (
        "raise VERSION in dehusk.label.united.inputs, train the model again and pin the new inputs"
    )


def test_a_changed_vocabulary_is_an_error_not_another_probability(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = columns.settings()
    before = inputs_hash()
    fewer = dict(own.classes) | {"comment": own.classes["comment"][1:]}
    monkeypatch.setattr(columns, "settings", lambda: features.FeatureSettings(own.containers, classes=fewer))
    assert inputs_hash() != before
    with pytest.raises(ModelError, match="does not fit the features of this version"):
        load_method("united", model=copy_of("united", tmp_path))


def test_changed_features_are_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(columns, "VERSION", features.VERSION + 1)
    monkeypatch.setattr("dehusk.label.victor.tabulation.VERSION", features.VERSION + 1)
    for model in ("united", "web"):
        with pytest.raises(ModelError, match="does not fit the features"):
            load_method(model=copy_of(model, tmp_path / model))


def copy_of(model: str, folder: Path) -> Path:
    """Return a copy of a shipped model, which nothing has loaded yet."""
    folder.mkdir(exist_ok=True)
    for file in model_folder(model).iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    return folder
