"""A paper in a package of its own, of one module, that declares its counts: every command offers it.

Spark does in `test_s3.py`, whose start of a cluster it shares.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import made_sites
import warcs
from dehusk import clean
from toy_package import NAME, install

HERE = Path(__file__).parent
PAGES = 8


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages, as pip leaves it."""
    return install(tmp_path_factory.mktemp("packages"))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the pages of a site."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for number, page in enumerate(made_sites.site(PAGES)):
        (pages / f"{number}.html").write_text(page)
    return pages


def run(installed: Path, *arguments: object) -> str:
    """Return what a command prints."""
    return python(installed, "-m", "dehusk", *arguments)


def python(installed: Path, *arguments: object) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(installed), str(HERE)])}
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows_of(folder: Path) -> list[dict[str, Any]]:
    texts = [file.read_text() for file in sorted(folder.glob("pages/*"))]
    return [json.loads(line) for text in texts for line in text.splitlines()]


def test_clean_uses_it(installed: Path, site: Path) -> None:
    found = run(installed, "clean", "--method", NAME, "--site", site, "-q", site / "0.html")
    paragraphs = made_sites.article(0)
    assert [paragraph in found for paragraph in paragraphs] == [True, True]
    assert made_sites.FOOTER not in found
    assert made_sites.FOOTER in run(
        installed, "clean", "--method", NAME, "--set", "share=2", "--site", site, "-q", site / "0.html"
    )


def test_a_corpus_adds_its_counts_up_and_writes_what_it_finds(installed: Path, site: Path, tmp_path: Path) -> None:
    pytest.importorskip("fastwarc", reason="the extra corpus is not installed")
    warcs.write(tmp_path / "given/0.warc.gz", warcs.page_records(PAGES // 2))
    warcs.write(tmp_path / "given/1.warc.gz", warcs.page_records(PAGES - PAGES // 2, first=PAGES // 2))
    run(
        installed, "corpus", tmp_path / "given", "-o", tmp_path / "out", "-f", "jsonl", "--method", NAME, "--find", NAME
    )
    rows = rows_of(tmp_path / "out")
    assert [row["method"] for row in rows] == [NAME] * PAGES
    for number, row in enumerate(rows):
        assert row["text"].split() == " ".join(made_sites.article(number)).split()
        assert row["findings"][NAME]["rare"] >= 2
    alone = run(
        installed, "clean", "--method", NAME, "--site", tmp_path / "out/sites/tea.example", "-q", site / "0.html"
    )
    assert alone == rows[0]["text"]


def test_benches_and_the_studio_offer_it(installed: Path, tmp_path: Path) -> None:
    assert f"dehusk-{NAME}" in python(
        installed, "-c", "from dehusk.lab.evaluate.tools import known_tools; print(*known_tools())"
    )
    code = (
        "from pathlib import Path; from dehusk.studio.project import Project; from dehusk.studio.setups import "
        "offered_methods; import sys; print(*(row['method'] for row in offered_methods(Project(Path(sys.argv[1])))))"
    )
    pytest.importorskip("starlette", reason="the extra studio is not installed")
    assert NAME in python(installed, "-c", code, tmp_path / "project")


def test_without_the_package_nobody_knows_it(site: Path) -> None:
    document = clean((site / "0.html").read_bytes())
    assert document.model.startswith("united")
    done = subprocess.run(
        [sys.executable, "-m", "dehusk", "clean", "--method", NAME, site / "0.html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, f"unknown method '{NAME}'" in done.stderr) == (2, True)
