"""Measure two tools without any code of dehusk; reading, decoding and F1 are implemented here a second time.

The figures of `dehusk bench` must be within .005 of these.
"""

import datetime as dt
import html
import json
import re
import tarfile
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding
from trafilatura import extract

from sets import data_argument, write_results

PAIRS = (("chaos-a", "trafilatura"), ("dragnet-a", "resiliparse"))
CLEAN = {
    "trafilatura": lambda page: extract(page) or "",
    "resiliparse": lambda page: extract_plain_text(page, main_content=True),
}


def files(path: Path) -> dict[str, bytes]:
    """Return name -> bytes of the files of a set: a folder, or a .tar.xz archive of the same name."""
    if path.is_dir():
        return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with tarfile.open(f"{path}.tar.xz") as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        streams = ((member.name, archive.extractfile(member)) for member in members)
        return {re.sub(r"^(\./)?[^/]+/(?=pages|html/|gold/)", "", name): file.read() for name, file in streams if file}


def f1(predicted: str, gold: str) -> float:
    """Return the word-bag F1: twice the words in common divided by the words of both sides."""
    left, right = (Counter(re.findall(r"\w+", text.lower())) for text in (predicted, gold))
    total = sum(left.values()) + sum(right.values())
    return 2 * sum((left & right).values()) / total if total else 1.0


def main() -> None:
    data = data_argument(__doc__ or "")
    lines, values = [], {}
    for name, tool in PAIRS:
        contents, scores = files(data / name), []
        for page in map(json.loads, contents["pages.jsonl"].decode().splitlines()):
            raw = contents[f"html/{page['id']}.html"]
            text = bytes_to_str(raw, detect_encoding(raw, from_html_meta=True))
            gold = html.unescape(contents[f"gold/{page['id']}.txt"].decode())
            scores.append(f1(CLEAN[tool](text), gold))
        values[f"{tool} {version(tool)} on {name}"] = sum(scores) / len(scores)
        lines.append(f"- {tool} {version(tool)} on {name}: {sum(scores) / len(scores):.4f}, {len(scores)} pages")
    head = f"# Two tools, measured without code of dehusk\n\n`python bench/independent.py DATA`, {dt.date.today()}. Word-bag F1, mean over pages."
    write_results("independent", f"{head}\n\n" + "\n".join(lines) + "\n", values, judges="none")


if __name__ == "__main__":
    main()
