"""HTML files for people that load nothing and run nothing, and the sandboxed frame that shows one in a notebook."""

from collections.abc import Mapping, Sequence
from html import escape

from dehusk.base.errors import encodable

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;margin:0;color:light-dark(#1a1a1a,#e8e6e1);background:light-dark(#fff,#17181a)}
a{color:light-dark(#036,#8ab4f8)}
.top{padding:.6rem 1rem;border-bottom:1px solid light-dark(#ccc,#444)}
.top h1{font-size:1.1rem;margin:0 0 .3rem}
.top dl{display:flex;flex-wrap:wrap;gap:.1rem 1.5rem;margin:0}
.top dl div{display:flex;gap:.4rem}
.top dt{font-weight:600}.top dd{margin:0}
.top ul{margin:.3rem 0;padding-left:1.2rem}
.keep{background:rgba(35,150,70,var(--a,.3))}
.drop{background:rgba(170,80,70,var(--a,.3));color:light-dark(#444,#c9c5be)}
"""
_FRAME_HEIGHT = "32rem"


def to_text(value: str) -> str:
    """Return a text as HTML on one line; lone surrogates, which cannot be encoded, become question marks."""
    return escape(" ".join(encodable(value).split()))


def to_file(
    title: str,
    body: str,
    *,
    style: str = "",
    facts: Mapping[str, str] | None = None,
    notes: Sequence[str] = (),
    top: str = "",
) -> str:
    """Return a complete HTML document: title, facts and notes, then a body.

    Args:
        title: text.
        body: HTML that loads nothing.
        style: CSS besides that of the head; `.keep` and `.drop` are the colours of what is kept and dropped.
        facts: name -> value; empty values are left out.
        notes: lines below the facts.
        top: HTML below the notes.
    """
    fact_items = "".join(
        f"<div><dt>{to_text(name)}</dt><dd>{to_text(value)}</dd></div>"
        for name, value in (facts or {}).items()
        if value
    )
    note_items = "".join(f"<li>{to_text(note)}</li>" for note in notes)
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n'
        f"<title>{to_text(title)}: explained</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n"
        f'<div class="top"><h1>{to_text(title)}</h1><dl>{fact_items}</dl>'
        f"{f'<ul>{note_items}</ul>' if note_items else ''}{top}</div>\n{body}</body>\n</html>\n"
    )


def to_frame(document: str) -> str:
    """Return an HTML document as an element to embed in another page, such as a notebook.

    The frame is sandboxed: it runs no scripts, opens nothing and cannot reach the page around it.
    """
    # links to "#b1" are resolved against the page around the frame unless a base says otherwise
    document = document.replace("<head>", '<head>\n<base href="about:srcdoc">', 1)
    return (
        f'<iframe sandbox srcdoc="{escape(document)}" title="shown by dehusk" '
        f'style="width:100%;height:{_FRAME_HEIGHT};border:1px solid #8888"></iframe>'
    )
