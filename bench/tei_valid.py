"""Measure how many pages are valid TEI, beside trafilatura's, and whether dehusk's have all kept text in order.

The schema is that of all of TEI P5 (tests/tei). trafilatura extracts its own choice of text.
"""

import argparse
import datetime as dt
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path

import trafilatura
from lxml import etree

from dehusk import Document, clean
from dehusk.blocks import segment
from dehusk.lab.gold.datasets import Sample
from dehusk.read import parse
from dehusk.write import to_html
from markdown_back import sampled
from sets import write_results

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from tei_schema import body_text, schema_of

PAGES = 300


def parsed(xml: str) -> etree._Element | None:
    try:
        return etree.fromstring(xml.encode())
    except etree.XMLSyntaxError:
        return None


def fault(root: etree._Element | None) -> str:
    """Return why a document is not valid TEI, "" if it is."""
    if root is None:
        return "not well-formed"
    return "" if (schema := schema_of(root)).validate(root) else schema.error_log.last_error.message


def ink(text: str) -> str:
    """Return a text without spaces, and with raised characters as plain ones, of which HTML has only the plain ones."""
    return "".join(unicodedata.normalize("NFKC", "".join(text.split())).replace("\N{MINUS SIGN}", "-").split())


def kept_ink(document: Document) -> str:
    return ink("".join(segment(parse(to_html(document.labels))).texts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--pages", type=int, default=PAGES, help="number of pages")
    arguments = parser.parse_args()
    faults: dict[str, Counter[str]] = {"dehusk": Counter(), "trafilatura": Counter()}
    count, whole, seconds = 0, 0, {"text": 0.0, "metadata": 0.0, "tei": 0.0}
    for sample in sampled(arguments.data, arguments.pages):
        document = clean(sample.bare, url=sample.url)
        for name in seconds:
            start = time.process_time()
            _ = document.render(name) if name != "metadata" else document.metadata
            seconds[name] += time.process_time() - start
        root = parsed(document.render("tei"))
        faults["dehusk"][fault(root)] += 1
        same = root is not None and ink(body_text(root)) == kept_ink(document)
        if not same:
            print(f"{sample.set}/{sample.id}: another text than that of the kept nodes", file=sys.stderr)
        count, whole = count + 1, whole + same
        other = from_trafilatura(sample)
        if other is not None:
            faults["trafilatura"][fault(parsed(other))] += 1
    report(count, whole, seconds, faults)


def from_trafilatura(sample: Sample) -> str | None:
    return trafilatura.extract(sample.bare, url=sample.url, output_format="xmltei", include_links=True)


def report(count: int, whole: int, seconds: dict[str, float], faults: dict[str, Counter[str]]) -> None:
    lines = [f"| {tool} | {found.total()} | {found['']} |" for tool, found in faults.items()]
    common = [f"- {tool}: {text} ({n})" for tool, found in faults.items() for text, n in found.most_common(6) if text]
    text = (
        f"# TEI\n\n`python bench/tei_valid.py DATA`, {dt.date.today()}: {count} pages of all open sets. Valid by the RELAX NG schema of all "
        "of TEI P5 4.3.0.\n\n| tool | documents | valid |\n| --- | --- | --- |\n"
        + "\n".join(lines)
        + f"\n\nThe body has the text of the kept nodes, in order, on {whole} of {count} pages.\n"
        + f"Seconds: text {seconds['text']:.2f}, metadata {seconds['metadata']:.2f}, TEI after both {seconds['tei']:.2f}.\n\n"
        + "First faults of documents that are not valid:\n\n"
        + "\n".join(common)
        + "\n"
    )
    write_results("tei_valid", text, {"pages": count, "whole": whole, "faults": faults}, judges="shipped")


if __name__ == "__main__":
    main()
