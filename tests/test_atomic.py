"""Files and folders appear completely or not at all."""

from pathlib import Path

import pytest

from dehusk.base.atomic import remove, replacing, write_text


def test_a_file_replaces_another_at_once(tmp_path: Path) -> None:
    target = tmp_path / "new folder" / "a.txt"
    write_text(target, "one\r\n")
    write_text(target, "two\n")
    assert target.read_bytes() == b"two\n"
    assert [path.name for path in target.parent.iterdir()] == ["a.txt"]


def test_a_failure_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    write_text(target, "old")

    def fail() -> None:
        with replacing(target, owner="me") as temporary:
            temporary.write_text("half", "utf-8")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert target.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_folder_replaces_another(tmp_path: Path) -> None:
    target = tmp_path / "folder"
    for name in ("old", "new"):
        with replacing(target) as temporary:
            temporary.mkdir()
            (temporary / name).touch()
    assert [path.name for path in target.iterdir()] == ["new"]
    assert list(tmp_path.iterdir()) == [target]


def test_nothing_written_changes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "a"
    with replacing(target):
        pass
    assert not target.exists()
    remove(target)
