"""Damaged model folders: whatever is in one, loading it gives a model or a `ModelError` of one line."""

import hashlib
import io
import json
import shutil
import struct
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.base import store
from dehusk.base.errors import ModelError
from dehusk.base.store import CARD_FILES, load_model, plain_members, read_arrays, save_model, write_arrays
from dehusk.label.registry import model_folder
from dehusk.sites.alternation import Alternation

CARD, ARRAYS = CARD_FILES


DIGEST = "arrays-sha256"


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    return Path(shutil.copytree(model_folder("united"), tmp_path / "model"))


@pytest.fixture
def folder(shipped: Path) -> Path:
    """A model without a digest of its arrays, as an older version wrote it, or whoever changed them."""
    card = json.loads((shipped / CARD).read_text("utf-8"))
    del card[DIGEST]
    (shipped / CARD).write_text(json.dumps(card), "utf-8")
    return shipped


def header(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (63 - (len(text) + 10) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def replace_array(folder: Path, content: bytes) -> None:
    """Replace the first array of a model by other bytes."""
    with zipfile.ZipFile(folder / ARRAYS) as archive:
        contents = {name: archive.read(name) for name in sorted(archive.namelist())}
    contents[min(contents)] = content
    with zipfile.ZipFile(folder / ARRAYS, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, data)


def assert_damaged(folder: Path, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        dehusk.clean("<p>x", model=folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


DAMAGED = {
    "a shape of 8 TB": (header(f"({1 << 40},)"), "does not have the size that its header says"),
    "a shape of 16 GB": (header(f"({1 << 31},)") + bytes(100), "does not have the size that its header says"),
    "a shape too large for 64 bits": (header(f"({1 << 40}, {1 << 40})"), "does not have the size that its header says"),
    "a negative shape": (header("(-1, -8)") + bytes(64), "does not have the size that its header says"),
    "many empty values": (header(f"({1 << 40},)", "<U0"), "does not have the size that its header says"),
    "a deep header": (header("(" * 3000), "is damaged"),
    "objects": (header("(1,)", "|O") + b"\x80\x04N.", "is damaged"),
    "no array": (b"abc", "is damaged"),
    "nothing": (b"", "is damaged"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_array(folder: Path, name: str) -> None:
    content, message = DAMAGED[name]
    replace_array(folder, content)
    assert_damaged(folder, message)


@pytest.mark.parametrize("card", ["[" * 200_000, '{"a":' * 100_000, "[1]", "1" * 5000, "\ud800", "", '{"format": 1}'])
def test_a_damaged_card(folder: Path, card: str) -> None:
    (folder / CARD).write_text(card, "utf-8", errors="surrogatepass")
    with pytest.raises(ModelError, match=r"^model [^\n]*$"):
        dehusk.clean("<p>x", model=folder)


def test_a_card_without_values(folder: Path) -> None:
    card = json.loads((folder / CARD).read_text("utf-8"))
    (folder / CARD).write_text(json.dumps(dict.fromkeys(card) | {key: card[key] for key in ("format", "method")}))
    with pytest.raises(ModelError):
        dehusk.clean("<p>x", model=folder)


@pytest.mark.parametrize("kind", [dehusk.CompressedStructureTree, Alternation])
def test_an_option_of_several_lines_in_a_card(tmp_path: Path, kind: type[Alternation]) -> None:
    kind().fit(["<p>Sencha", "<p>Matcha"]).save(tmp_path)
    card = json.loads((tmp_path / CARD).read_text("utf-8"))
    card["options"]["key\nof two\u2028lines" + 1000 * "x"] = 1
    (tmp_path / CARD).write_text(json.dumps(card), "utf-8")
    with pytest.raises(ModelError, match=r"^model .* is damaged: .*key of two lines") as caught:
        kind.load(tmp_path)
    assert len(str(caught.value)) < 500 + len(str(tmp_path))


def test_a_card_that_is_too_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_MOST_CARD", 100)
    assert_damaged(folder, "card.json has ")


def test_arrays_that_are_too_large_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BYTES", 1000)
    assert_damaged(folder, "bytes, more than 1000")


def test_arrays_that_are_no_archive(folder: Path) -> None:
    (folder / ARRAYS).write_bytes(b"no archive")
    assert_damaged(folder, "is not an npz archive")


@pytest.mark.parametrize("array", [np.zeros((0, 3)), np.asfortranarray(np.ones((2, 3))), np.array(["a", "bc"])])
def test_sound_arrays_are_read_as_they_were(array: np.ndarray) -> None:
    stream = io.BytesIO()
    np.savez_compressed(stream, a=array, b=np.array(5))
    stream.seek(0)
    read = read_arrays(stream)
    assert read["a"].dtype == array.dtype
    assert (read["a"] == array).all()
    assert read["b"] == 5


def test_every_shipped_model_is_read() -> None:
    for name, method in (("united", "united"), ("web", "victor"), ("cleaneval", "victor")):
        _, arrays = load_model(model_folder(name), method)
        with np.load(model_folder(name) / ARRAYS) as expected:
            assert all(np.array_equal(arrays[key], expected[key]) for key in expected.files)


def test_plain_archives_are_read_without_zipfile_and_others_by_it() -> None:
    arrays = {"a": np.arange(1000.0), "b": np.zeros((0, 3)), "c": np.array(5)}
    for compress in (False, True):
        stream = io.BytesIO()
        write_arrays(stream, arrays, compress=compress)
        plain = stream.getvalue()
        members = plain_members(plain, 10_000)
        with zipfile.ZipFile(stream) as archive:
            assert members == {name: archive.read(name) for name in archive.namelist()}
        assert plain_members(plain, 1000) is None
        assert plain_members(b"\0" + plain, 10_000) is None
        with zipfile.ZipFile(stream, "a") as archive:
            archive.comment = b"tea"
        assert plain_members(stream.getvalue(), 10_000) is None
        assert read_arrays(stream).keys() == arrays.keys()


def test_a_changed_bit_in_an_archive_is_an_error_or_changes_nothing() -> None:
    stream = io.BytesIO()
    write_arrays(stream, {"a": np.arange(20), "b": np.ones(3)}, compress=True)
    plain = stream.getvalue()
    expected = plain_members(plain, 10_000)
    for bit in range(8 * len(plain)):
        changed = bytearray(plain)
        changed[bit // 8] ^= 1 << bit % 8
        members = plain_members(bytes(changed), 10_000)
        assert members is None or list(members.values()) == list((expected or {}).values())


def test_arrays_that_the_card_was_not_written_with(shipped: Path) -> None:
    with np.load(shipped / ARRAYS) as archive:
        arrays = {name: archive[name] for name in archive.files}
    with (shipped / ARRAYS).open("wb") as stream:
        write_arrays(stream, {**arrays, "another": np.zeros(1)}, compress=True)
    assert_damaged(shipped, "arrays.npz is not the file that card.json was written with")


@pytest.mark.parametrize("digest", ["", 5, [], "0" * 64])
def test_a_digest_that_is_none(shipped: Path, digest: object) -> None:
    card = json.loads((shipped / CARD).read_text("utf-8"))
    (shipped / CARD).write_text(json.dumps({**card, DIGEST: digest}), "utf-8")
    assert_damaged(shipped, "SHA-256")


@pytest.mark.parametrize("name", ["united", "web", "cleaneval"])
def test_shipped_models_have_the_digest_of_their_arrays(name: str) -> None:
    folder = model_folder(name)
    card = json.loads((folder / CARD).read_text("utf-8"))
    assert card[DIGEST] == hashlib.sha256((folder / ARRAYS).read_bytes()).hexdigest()


def test_a_model_saved_again_has_a_new_digest_and_one_without_is_read(folder: Path, tmp_path: Path) -> None:
    card, arrays = load_model(folder, "united")
    assert DIGEST not in card
    again = tmp_path / "again"
    save_model(again, card, {**arrays, "steps": arrays["steps"] + 1})
    written = json.loads((again / CARD).read_text("utf-8"))
    assert written == {**card, DIGEST: hashlib.sha256((again / ARRAYS).read_bytes()).hexdigest()}
    assert load_model(again, "united")[0] == card


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_not_finite_are_refused_without_a_warning(folder: Path, value: float) -> None:
    with np.load(folder / ARRAYS) as archive:
        arrays = {name: archive[name] for name in archive.files}
    name = next(name for name in sorted(arrays) if name.endswith(".scales"))
    arrays[name] = np.full_like(arrays[name], value)
    with (folder / ARRAYS).open("wb") as stream:
        write_arrays(stream, arrays)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_damaged(folder, "is damaged")
