"""Two tools measured without any code of dehusk: reading, decoding and F1 are written here once more.

What `dehusk bench` says of them must be within .005 of this.
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
    """Return name -> bytes of a set, a folder or a .tar.xz beside where the folder would be."""
    if path.is_dir():
        return {one.relative_to(path).as_posix(): one.read_bytes() for one in path.rglob("*") if one.is_file()}
    with tarfile.open(f"{path}.tar.xz") as archive:
        members = [one for one in archive.getmembers() if one.isfile()]
        read = ((one.name, archive.extractfile(one)) for one in members)
        return {re.sub(r"^(\./)?[^/]+/(?=pages|html/|gold/)", "", name): file.read() for name, file in read if file}


def f1(found: str, gold: str) -> float:
    """Return the word-bag F1: twice the words in common over the words of both sides."""
    left, right = (Counter(re.findall(r"\w+", text.lower())) for text in (found, gold))
    both = sum(left.values()) + sum(right.values())
    return 2 * sum((left & right).values()) / both if both else 1.0


def main() -> None:
    data = data_argument(__doc__ or "")
    lines, values = [], {}
    for name, tool in PAIRS:
        held, scores = files(data / name), []
        for page in map(json.loads, held["pages.jsonl"].decode().splitlines()):
            raw = held[f"html/{page['id']}.html"]
            text = bytes_to_str(raw, detect_encoding(raw, from_html_meta=True))
            gold = html.unescape(held[f"gold/{page['id']}.txt"].decode())
            scores.append(f1(CLEAN[tool](text), gold))
        values[f"{tool} {version(tool)} on {name}"] = sum(scores) / len(scores)
        lines.append(f"- {tool} {version(tool)} on {name}: {sum(scores) / len(scores):.4f}, {len(scores)} pages")
    head = f"# Two tools without our code\n\n`python bench/independent.py DATA`, {dt.date.today()}. Word-bag F1, mean over pages."
    write_results("independent", f"{head}\n\n" + "\n".join(lines) + "\n", values)


if __name__ == "__main__":
    main()
