"""Check TEI documents with the schema of all of TEI P5, and read their text."""

import gzip
from functools import cache
from pathlib import Path

from lxml import etree

NAMESPACE = "{http://www.tei-c.org/ns/1.0}"
INLINE = {"hi", "ref", "code", "term", "formula", "figure", "graphic", "figDesc"}


_FILE = Path(__file__).parent / "tei/tei_all.rng.gz"
_PATTERNS = "{http://relaxng.org/ns/structure/1.0}"
_names: set[str] = set()
"""The elements of the documents so far."""


@cache
def _schema(_known: int) -> etree.RelaxNG:
    """Return the schema without the elements that no document has had, which takes seconds to compile with them.

    What these patterns match is in none of the documents, so that all of them are as valid as by the whole schema.
    """
    root = etree.fromstring(gzip.decompress(_FILE.read_bytes()))
    for element in list(root.iter(f"{_PATTERNS}element")):
        if element.get("name", "") not in _names | {""}:  # those of any name stay
            element.getparent().replace(element, etree.Element(f"{_PATTERNS}notAllowed"))
    return etree.RelaxNG(root)


def schema_of(root: etree._Element) -> etree.RelaxNG:
    """Return the schema with which a document can be validated."""
    _names.update(etree.QName(element).localname for element in root.iter("*"))
    return _schema(len(_names))


def valid(xml: str) -> etree._Element:
    """Return the root of a TEI document; the error says what is not well-formed or valid."""
    root = etree.fromstring(xml.encode(), etree.XMLParser(resolve_entities=False))
    schema = schema_of(root)
    assert schema.validate(root), f"{schema.error_log}\n{xml}"
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
