"""Model folders: loading returns what was saved, and damaged folders are refused with a one-line error."""

import json
from pathlib import Path

import numpy as np
import pytest

from dehusk.base.errors import ModelError
from dehusk.base.store import feature_hash, load_model, save_model
from dehusk.label import PageMethod, model_folder
from dehusk.label.base import TrainedMethod
from dehusk.label.victor.config import PRESETS, load_config, parse_config
from dehusk.label.victor.method import Victor
from made_sites import change_arrays
from synthetic import CONFIG, JOINS, OWN_ROWS, ROWS, training

TEXT = CONFIG + ROWS + OWN_ROWS + JOINS


@pytest.fixture(scope="module")
def method() -> Victor:
    victor = Victor(parse_config(TEXT, "small"))
    victor.fit(*training(victor, 8))
    victor.card_ = {"pages": {"synthetic": 8}, "name": "žluť"}
    return victor


@pytest.fixture
def folder(method, tmp_path) -> Path:
    method.save(tmp_path / "model")
    return tmp_path / "model"


def answers(method: Victor) -> bytes:
    """Labels, probabilities and decisions on twelve pages, as bytes."""
    labels = [method.label(blocks) for blocks in training(method, 12, first=300)[0]]
    return b"".join(
        page_labels.label.tobytes() + page_labels.probability.tobytes() + page_labels.kept.tobytes()
        for page_labels in labels
    )


def test_victor_keeps_the_promises_of_methods(method):
    assert isinstance(method, PageMethod)
    assert isinstance(method, TrainedMethod)


def test_a_loaded_model_answers_with_the_same_bytes(method, folder):
    loaded = Victor.load(folder)
    assert answers(loaded) == answers(method)
    assert loaded.config == method.config
    assert loaded.card_["pages"] == {"synthetic": 8}
    assert loaded.card_["name"] == "žluť"


def test_two_saves_are_the_same_bytes(method, folder, tmp_path):
    method.save(tmp_path / "again")
    Victor.load(folder).save(tmp_path / "loaded")
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["arrays.npz", "card.json"]
    for name in names:
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
        assert (tmp_path / "loaded" / name).read_bytes() == (folder / name).read_bytes()


def test_nothing_is_pickled_and_the_card_is_readable(folder):
    with np.load(folder / "arrays.npz", allow_pickle=False) as arrays:
        assert sorted(arrays.files) == ["edge", "rows", "transition", "weight", "where"]
        assert all(arrays[name].dtype.kind in "if" for name in arrays.files)
    text = (folder / "card.json").read_text("utf-8")
    assert '"name": "žluť"' in text
    card = json.loads(text)
    assert (card["format"], card["method"], card["config"], card["config-name"]) == (1, "victor", TEXT, "small")
    assert card["labels"] == ["header", "list", "paragraph", "continuation", "other"]


@pytest.mark.parametrize("name", PRESETS)
def test_shipped_models_contain_the_current_presets(name):
    assert Victor.load(model_folder(name)).config.source == load_config(name).source


def test_a_model_works_with_another_configuration_of_the_same_table(method, folder):
    other = parse_config(TEXT.replace('decide = "labels"', 'decide = "expected-f1"').replace('["button"]', '["nav"]'))
    loaded = Victor.load(folder, config=other)
    assert (loaded.config.decide, loaded.config.tag_delete) == ("expected-f1", ("nav",))
    assert np.array_equal(loaded.weights_.state, method.weights_.state)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"sentence-end"]', '"sentence-end", "position"]'),
        ("[0, 1, 2, 3, 5, 8, 13]", "[0, 1, 2, 3, 5, 8, 14]"),
        ('"char.num-rel" = 4', '"char.num-rel" = 5'),
        ("[-2, -1, 0, 1, 2]", "[-2, 0, 2]"),
        (', "token.alpha-abs"], [', "], [".replace("]", ', "sentence-end"]', 1)),
    ],
)
def test_a_configuration_with_another_table_is_refused(folder, old, new):
    other = parse_config(TEXT.replace(old, new, 1), "else")
    assert other.source != TEXT
    with pytest.raises(ModelError, match="does not fit the features of configuration else") as error:
        Victor.load(folder, config=other)
    assert "\n" not in str(error.value)


def card(**changes: object):
    def change(folder: Path) -> None:
        content = json.loads((folder / "card.json").read_text("utf-8")) | changes
        (folder / "card.json").write_text(json.dumps(content), "utf-8")

    return change


def arrays(**changes):
    """Change arrays: a function of the array, or None to leave it out."""
    return lambda folder: change_arrays(folder, **changes)


def file(name: str, data: bytes | None):
    def change(folder: Path) -> None:
        (folder / name).unlink()
        if data is not None:
            (folder / name).write_bytes(data)

    return change


def with_nan(array: np.ndarray) -> np.ndarray:
    array.flat[0] = np.nan
    return array


def negative(array: np.ndarray) -> np.ndarray:
    return np.append(array[:-1], -1).astype(array.dtype)


DAMAGES = {
    "no card": file("card.json", None),
    "empty card": file("card.json", b""),
    "card of other bytes": file("card.json", b"\xff\xfe\x00"),
    "card is a list": file("card.json", b"[]"),
    "other format": card(format=2),
    "no format": card(format=None),
    "other method": card(method="keep-all"),
    "other features": card(features="0" * 16),
    "other labels": card(labels=["good", "bad"]),
    "no configuration": card(config=""),
    "wrong configuration": card(config=TEXT + "nosuch = 1\n"),
    "a configuration of other values": card(config=TEXT.replace("8, 13]", "8, 14]")),
    "a configuration of other rows": card(config=TEXT.replace("[-3, 1]", "[-3, 2]")),
    "no arrays": file("arrays.npz", None),
    "empty arrays": file("arrays.npz", b""),
    "arrays of other bytes": file("arrays.npz", b"PK\x03\x04 and nothing else"),
    "a single array": file("arrays.npz", b"\x93NUMPY\x01\x00"),
    "no transition": arrays(transition=None),
    "no weights": arrays(weight=None),
    "wrong shape of transition": arrays(transition=lambda a: a[:-1]),
    "fewer weights than places": arrays(weight=lambda a: a[:-2]),
    "places out of range": arrays(where=lambda a: a + 1_000_000),
    "weights that are not numbers": arrays(weight=with_nan),
    "pickled weights": arrays(weight=lambda a: a.astype(object)),
    "more rows than the template": arrays(rows=lambda a: np.append(a, 9)),
    "wrong shape of edge": arrays(edge=lambda a: a[:, :-1]),
    "transition is not a number": arrays(transition=with_nan),
    "edge is not a number": arrays(edge=with_nan),
    "negative places": arrays(where=negative),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_a_damaged_model_is_refused_in_one_line(folder, what):
    DAMAGES[what](folder)
    with pytest.raises(ModelError, match=f"^model {folder}[^\n]*$"):
        Victor.load(folder)


@pytest.mark.parametrize("name", ["arrays.npz", "card.json"])
def test_one_wrong_byte_is_refused_or_harmless(folder, method, name):
    whole = (folder / name).read_bytes()
    for offset in range(0, len(whole), 7):
        data = bytearray(whole)
        data[offset] ^= 1 << offset % 8
        (folder / name).write_bytes(data)
        try:
            loaded = Victor.load(folder)
        except ModelError as error:
            assert "\n" not in str(error)  # noqa: PT017 (either outcome is right)
        else:
            assert np.array_equal(loaded.weights_.state, method.weights_.state)
            assert np.array_equal(loaded.weights_.transition, method.weights_.transition)


def test_a_folder_that_cannot_be_written(method, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelError, match="cannot be written"):
        method.save(tmp_path / "file")


def test_the_store_keeps_arrays_of_any_kind_and_order(tmp_path):
    kept = {"b": np.arange(6, dtype=np.uint8).reshape(2, 3).T, "a": np.array([1.5, -0.0, np.inf])}
    save_model(tmp_path / "x" / "y", {"method": "m", "text": "é"}, kept)
    card_, arrays_ = load_model(tmp_path / "x" / "y", "m")
    assert card_ == {"format": 1, "method": "m", "text": "é"}
    assert {name: (array.dtype, array.tolist()) for name, array in arrays_.items()} == {
        name: (array.dtype, array.tolist()) for name, array in kept.items()
    }
    save_model(tmp_path / "z", {"method": "m", "text": "é"}, dict(reversed(kept.items())))
    assert (tmp_path / "z" / "arrays.npz").read_bytes() == (tmp_path / "x" / "y" / "arrays.npz").read_bytes()
    with pytest.raises(ModelError, match="belongs to method 'm', not 'victor'"):
        load_model(tmp_path / "x" / "y", "victor")


def test_the_hash_of_features_depends_on_their_order():
    assert feature_hash(["a", "b"]) == feature_hash(("a", "b")) != feature_hash(["b", "a"])
    assert len(feature_hash([])) == 16


def test_an_incomplete_model_folder_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"void: no such folder: name a folder that dehusk train or dehusk site learn"):
        load_model(tmp_path / "void", "victor")
    with pytest.raises(ModelError, match=r"no card\.json in this folder"):
        load_model(tmp_path, "victor")
    (tmp_path / "card.json").write_text("{}")
    with pytest.raises(ModelError, match=r"arrays\.npz cannot be read: No such file"):
        load_model(tmp_path, "victor")
