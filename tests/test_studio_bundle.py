"""Bundles: a project's rules, models and labels as one file, by which pages are cleaned as by the project."""

import hashlib
import json
import shutil
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")

from dehusk.base.errors import InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import Annotation
from dehusk.cli import main
from dehusk.label.registry import MODELS
from dehusk.read import parse
from dehusk.studio.adding import Adding
from dehusk.studio.bundle import open_bundle, write_bundle
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.making import Making
from dehusk.studio.model_list import set_default_model
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources

TEA = Path(__file__).parents[1] / "examples" / "tea-room"
CODES = [0, 2, 4]


@pytest.fixture
def project(tmp_path):
    """The tea pages with a rule, a model of their own, and labels of one page."""
    shutil.copytree(TEA, tmp_path / "pages")
    made = Project(tmp_path / "study")
    Adding(made, find_sources([str(tmp_path / "pages")]), workers=1).run()
    made.rules.write_text('["tea.example"]\ndrop = ["h1"]\n', "utf-8")
    shutil.copytree(MODELS / "web", made.models / "own")
    set_default_model(made, "own")
    data = (tmp_path / "pages" / "matcha.html").read_bytes()
    [page] = made.reading.execute("SELECT id FROM page WHERE name LIKE '%matcha%'").fetchone()
    apply_changes(made, "Ann", [Change(page, len(segment(parse(data))), [0, 1, 2], CODES)], {page: data})
    yield made
    made.close()


@pytest.fixture
def bundle(project, tmp_path) -> Path:
    write_bundle(project, tmp_path / "study.zip")
    return tmp_path / "study.zip"


def run(monkeypatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["dehusk", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_pages_are_cleaned_as_by_the_folder(project, tmp_path, monkeypatch, capsys) -> None:
    """The folder is asked last, so that the bundle has no other files to read than its own."""
    path = tmp_path / "study.zip"
    assert run(monkeypatch, "studio", "--project", project.folder, "--bundle", path) == 0
    assert f"saved {path} with 1 annotation" in capsys.readouterr().err
    project.close()
    folder = project.folder.rename(tmp_path / "moved")
    texts = []
    for made_by in (path, folder):
        assert run(monkeypatch, "clean", "--project", made_by, "-f", "json", tmp_path / "pages") == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) == 6
    assert run(monkeypatch, "clean", "-f", "json", tmp_path / "pages") == 0
    assert capsys.readouterr().out != texts[0]


def test_it_has_rules_models_and_labels_and_is_the_same_each_time(project, bundle, tmp_path) -> None:
    write_bundle(project, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()
    with zipfile.ZipFile(bundle) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("bundle.json"))
        [annotation] = [name for name in names if name.startswith("annotations/Ann/")]
        labels = Annotation.parse(archive.read(annotation))
        sums = {name: hashlib.sha256(archive.read(name)).hexdigest() for name in names if name != "bundle.json"}
    assert manifest["files"] == sums
    assert manifest["format"] == 1
    assert (manifest["method"], manifest["model"]) == ("victor", "own")
    assert {"rules.toml", "models/own/card.json", "models/own/arrays.npz"} < set(names)
    assert not [name for name in names if name.endswith((".db", ".key", ".html"))]
    blocks = segment(parse((tmp_path / "pages" / "matcha.html").read_bytes()))
    assert labels.labels_for(blocks)[:3].tolist() == CODES
    with pytest.raises(InputError, match="exists: name another file"):
        write_bundle(project, bundle)


def test_labels_that_no_annotation_can_express_are_counted(project, tmp_path, monkeypatch, capsys) -> None:
    shutil.rmtree(tmp_path / "pages")
    assert write_bundle(project, tmp_path / "with.zip") == (1, 0), "the project keeps the pages with labels"

    def refuse(*_: object) -> None:
        raise InputError("the text of this page depends on its HTTP headers")

    monkeypatch.setattr("dehusk.studio.bundle.annotation_of", refuse)
    assert run(monkeypatch, "studio", "--project", project.folder, "--bundle", tmp_path / "without.zip") == 1
    assert "with 0 annotations; 1 left out: their pages cannot be read" in capsys.readouterr().err


def test_a_project_without_rules_and_model_is_cleaned_as_dehusk_does(tmp_path) -> None:
    made = Project(tmp_path / "plain")
    write_bundle(made, tmp_path / "plain.zip")
    made.close()
    assert open_bundle(tmp_path / "plain.zip", tmp_path / "out") == Making()
    assert not (tmp_path / "out").exists()


Damage = Callable[[dict[str, bytes]], None]


def rewritten(bundle: Path, change: Damage) -> None:
    with zipfile.ZipFile(bundle) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def with_member(members: dict[str, bytes], name: str, data: bytes) -> None:
    """Add a member that the manifest knows."""
    manifest = json.loads(members["bundle.json"])
    manifest["files"][name] = hashlib.sha256(data).hexdigest()
    members |= {name: data, "bundle.json": json.dumps(manifest).encode()}


def said(members: dict[str, bytes], **values: object) -> None:
    members["bundle.json"] = json.dumps(json.loads(members["bundle.json"]) | values).encode()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda members: members.pop("bundle.json"), "is no bundle of dehusk studio: it has no bundle.json"),
        (lambda members: members.pop("rules.toml"), "'rules.toml' is not what its bundle.json says"),
        (lambda members: members.update({"more": b""}), "'more' is not what its bundle.json says"),
        (
            lambda members: members.update({"rules.toml": b"#"}),
            "rules.toml has other content than its bundle.json says",
        ),
        (lambda members: said(members, format=2, dehusk="9.1"), "was made by a newer dehusk (9.1): upgrade dehusk"),
        (lambda members: said(members, format="x"), "its bundle.json does not say what is in it"),
        (lambda members: said(members, model="../own"), "its bundle.json does not say what is in it"),
        (lambda members: members.update({"bundle.json": b"[" * 99_999}), "its bundle.json does not say what is in it"),
        *(
            (lambda members, name=name: with_member(members, name, b"x"), "leads out of it")
            for name in ("../x", "/x", "models/own/../../../x", "models/own/..\\x", "C:x", "models/own//x")
        ),
    ],
)
def test_what_is_wrong_with_a_bundle_is_said_in_one_line(
    bundle, change, message, tmp_path, monkeypatch, capsys
) -> None:
    rewritten(bundle, change)
    before = sorted(tmp_path.rglob("*"))
    assert run(monkeypatch, "clean", "--project", bundle, tmp_path / "pages" / "water.html") == 2
    [line] = capsys.readouterr().err.splitlines()
    assert f"{bundle} " in line
    assert message in line
    assert sorted(tmp_path.rglob("*")) == before


def test_any_damage_is_noticed(bundle, tmp_path) -> None:
    data = bundle.read_bytes()
    expected = open_bundle(bundle, tmp_path / "whole")
    for place in [*range(0, len(data), 997), len(data) - 10]:
        damaged = tmp_path / "damaged.zip"
        damaged.write_bytes(data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :])
        with suppress(InputError):  # else it is what no reader of zip archives looks at
            found = open_bundle(damaged, tmp_path / f"out{place}")
            assert found.rules == expected.rules
    for junk in (b"", b"PK", data[: len(data) // 2]):
        damaged.write_bytes(junk)
        with pytest.raises(InputError, match="is damaged, or no bundle"):
            open_bundle(damaged, tmp_path / "junk")


def test_a_bundle_too_large_is_refused(bundle, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.bundle._MOST_BYTES", 1_000)
    with pytest.raises(InputError, match="is too large"):
        open_bundle(bundle, tmp_path / "out")


def test_invalid_rules_are_not_bundled(project, tmp_path) -> None:
    project.rules.write_text("drop =", "utf-8")
    with pytest.raises(InputError, match="rules are not applied"):
        write_bundle(project, tmp_path / "x.zip")
    assert not (tmp_path / "x.zip").exists()
