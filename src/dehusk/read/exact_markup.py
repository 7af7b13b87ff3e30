"""Markup that tells any tree, for the few trees that the parser's own markup does not tell.

By the rules of HTML, nothing ends a `plaintext`, and what is in a formula is no formula by where it stands. Here all
texts are escaped, all elements have an end tag, and comments are empty. `<!>` starts the content of a template.
"""

from collections.abc import Iterator
from itertools import islice

from turbohtml import Document, DocumentFragment, Element, Text

from dehusk.read.page import Attributes


def markup_of(document: Document, most: int) -> Iterator[str]:
    """Yield the markup of the first nodes of a document in parts; those beyond `most` end it."""
    opened: list[object] = [document]
    for node in islice(document.descendants, most):
        while opened[-1] is not node.parent:
            yield _end(opened.pop())
        if isinstance(node, Text):
            yield _escaped(node.data)
        elif isinstance(node, Element):
            yield f"<{node.tag}{''.join(map(_attribute, attributes_of(node)))}>"
            opened.append(node)
        elif isinstance(node, DocumentFragment):
            yield "<!>"
            opened.append(node)
        else:
            yield "<!-->"
    yield from map(_end, reversed(opened))


def attributes_of(element: Element) -> Attributes:
    """Return the (name, value) pairs of an element; `attrs` splits classes and the like, which `attr` does not."""
    pairs = element.attrs.items()
    return tuple((name, (element.attr(name) if isinstance(value, list) else value) or "") for name, value in pairs)


def _attribute(pair: tuple[str, str]) -> str:
    return f' {pair[0]}="{_escaped(pair[1])}"'


def _end(node: object) -> str:
    return f"</{node.tag}>" if isinstance(node, Element) else ""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
