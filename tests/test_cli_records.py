"""`dehusk records` as a user types it."""

import csv
import json
from pathlib import Path

import pytest
from pyarrow import parquet

from command_line import dehusk as run
from product_pages import ROWS, catalogue, product, products


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pages of products, of lists, of both, and odd ones; and a model of the products."""
    root = tmp_path_factory.mktemp("records")
    lists = [catalogue(page) for page in range(3)]
    for name, pages in {
        "products": products(),
        "lists": lists,
        "both": [*products(4), *lists],
        "one": [product(0)],
    }.items():
        (root / name).mkdir()
        for number, page in enumerate(pages):
            (root / name / f"{number}.html").write_text(page, "utf-8")
    (root / "copies").mkdir()
    for number in range(3):
        (root / "copies" / f"{number}.html").write_text(product(0), "utf-8")
    (root / "void").mkdir()
    (root / "void" / "0.html").write_text("<p></p>", "utf-8")
    (root / "letter.html").write_text(
        "<main><article><section><p>Dear Sir or Madam</p></section></article></main>", "utf-8"
    )
    done = run("records", "products", "--save", "model", "-q", "-o", "all.jsonl", cwd=root)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    return root


def test_a_row_per_page(folder: Path) -> None:
    done = run("records", "products", cwd=folder)
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0
    assert [(row["page"], row["title"], row["Published"], row["price"]) for row in rows] == [
        (f"products/{number}.html", title, year, float(price))
        for number, (title, _, _, year, _, price, _) in enumerate(ROWS)
    ]
    assert len({tuple(row) for row in rows}) == 1
    assert done.stderr.decode() == "dehusk: records: 8 rows of 8 pages\n"


def test_all_formats_have_the_same_values(folder: Path) -> None:
    for name in ("t.csv", "t.parquet", "t.jsonl"):
        assert run("records", "products", "-o", name, cwd=folder).returncode == 0
    jsonl = [json.loads(line) for line in (folder / "t.jsonl").read_text("utf-8").splitlines()]
    assert parquet.read_table(folder / "t.parquet").to_pylist() == jsonl
    with (folder / "t.csv").open(encoding="utf-8", newline="") as stream:
        written = list(csv.DictReader(stream))
    assert [row["Publisher"] for row in written] == [row["Publisher"] for row in jsonl]
    assert written[2]["Tags"] == "black | China | smoked"


def test_a_model_reads_new_pages_with_the_same_columns(folder: Path) -> None:
    done = run("records", "--model", "model", "one/0.html", "products/7.html", "-q", cwd=folder)
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    learned = [json.loads(line) for line in (folder / "all.jsonl").read_text("utf-8").splitlines()]
    assert [row | {"page": ""} for row in rows] == [learned[0] | {"page": ""}, learned[7] | {"page": ""}]


def test_columns_are_learned_from_the_site_and_read_from_pages(folder: Path) -> None:
    done = run("records", "--site", "products", "one/0.html", "-q", cwd=folder)
    assert json.loads(done.stdout)["Code"] == ROWS[0][4]


def test_a_row_per_record_of_lists(folder: Path) -> None:
    rows = [json.loads(line) for line in run("records", "lists", "-q", cwd=folder).stdout.decode().splitlines()]
    assert len(rows) == 18
    assert [rows[7][name] for name in ("page", "record", "Author", "Year", "Price")] == [
        "lists/1.html",
        2,
        ROWS[2][1],
        1998,
        8.75,
    ]


def test_rows_of_two_templates_are_told_apart(folder: Path) -> None:
    done = run("records", "both", cwd=folder)
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert [row["template"] for row in rows] == ["1"] * 4 + ["2"] * 18
    assert "2 templates (4, 3 pages)" in done.stderr.decode()


def test_what_is_known_of_columns(folder: Path) -> None:
    assert run("records", "products", "-q", "--columns", "c.json", "-o", "t.csv", cwd=folder).returncode == 0
    (template,) = json.loads((folder / "c.json").read_text("utf-8"))
    (published,) = [column for column in template["columns"] if column["name"] == "Published"]
    assert published == {
        "name": "Published", "type": "number", "list": False, "share": 1.0, "records": 8, "evidence": "label",
        "example": "2004", "xpath": "/html/body/table[1]/tbody[1]/tr[1]/td[1]",
    }  # fmt: skip


def test_places(folder: Path) -> None:
    done = run("records", "--model", "model", "one/0.html", "-q", "--places", cwd=folder)
    assert json.loads(done.stdout)["places"]["title"] == "/html/body/h1[1]"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "name a PAGE, a --list or a --site"),
        (("one",), 2, "one page does not show what varies"),
        (("copies",), 2, "one page does not show what varies, and the others are copies of it or have no text: name"),
        (("missing.html",), 2, "no pages to learn from"),
        (("void",), 2, "no page has text"),
        (("products", "-o", "t.xlsx"), 2, "no format has this suffix"),
        (("products", "-f", "parquet"), 2, "needs a file"),
        (("products", "-o", "no/t.csv"), 2, "folder no does not exist"),
        (("products", "--model", "products"), 2, "no card.json"),
        (("products", "--model", "model", "--save", "x"), 2, "leave out --save"),
        (("products", "--site", "model"), 2, "use it as --model"),
        (("--model", "model", "letter.html"), 3, "letter.html: no row: like no page"),
        (("--model", "model", "one", "missing.html"), 1, "missing.html: error: cannot be read"),
        (("products", "--rows", "pages"), 2, "page"),
    ],
)
def test_bad_input_is_one_line(folder: Path, arguments: tuple[str, ...], code: int, message: str) -> None:
    done = run("records", *arguments, cwd=folder)
    lines = [line for line in done.stderr.decode().splitlines() if message in line]
    assert (done.returncode, len(lines)) == (code, 1)
    assert b"Traceback" not in done.stderr


def test_learning_from_some_pages_is_said(folder: Path) -> None:
    done = run("records", "products", "--learn-from", "6", "-o", "t.csv", cwd=folder)
    assert "the columns are learned from 6 of 8 pages" in done.stderr.decode()
    assert (folder / "t.csv").read_text("utf-8").count("\n") == 9


def test_the_documented_example(tmp_path: Path) -> None:
    root = Path(__file__).parents[1]
    text = (root / "docs" / "records.md").read_text("utf-8")
    done = run("records", str(root / "examples/tea-room"), "-o", "posts.csv", cwd=tmp_path)
    assert done.stderr.decode() in text
    with (tmp_path / "posts.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            assert f"\n{row['title']} | {row['By']} | {row['date']} | {row['text'][:40]}\n" in text
