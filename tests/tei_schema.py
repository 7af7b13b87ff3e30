"""Check TEI documents with the schema of all of TEI P5, and read their text."""

import gzip
from functools import cache
from pathlib import Path

from lxml import etree

NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
INLINE = {"hi", "ref", "code", "term", "formula", "figure", "graphic", "figDesc"}


@cache
def schema() -> etree.RelaxNG:
    """Return the schema; compiling it takes seconds."""
    return etree.RelaxNG(etree.fromstring(gzip.decompress((Path(__file__).parent / "tei/tei_all.rng.gz").read_bytes())))


def valid(xml: str) -> etree._Element:
    """Return the root of a TEI document; the error says what is not well-formed or valid."""
    root = etree.fromstring(xml.encode(), etree.XMLParser(resolve_entities=False))
    assert schema().validate(root), f"{schema().error_log}\n{xml}"
    return root


def body_text(root: etree._Element) -> str:
    """Return the text of the body, without descriptions of images; elements other than inline ones separate words."""
    parts: list[str] = []
    for event, element in etree.iterwalk(root.find(f"{NAMESPACE}text"), events=("start", "end")):
        name = element.tag.removeprefix(NAMESPACE)
        if name not in INLINE:
            parts.append(" ")
        if event == "start":
            parts.append(element.text or "" if name != "figDesc" else "")
        else:
            parts.append(element.tail or "")
    return "".join(parts)
