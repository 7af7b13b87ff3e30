"""Style sheets of a page, without anything that would load.

The frame's policy blocks what remains; addresses are removed so that a browser has nothing to block and to report.
"""

from __future__ import annotations

import re

_MOST = 2_000_000  # characters of all style sheets of a page
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_AT_LOADS = re.compile(r"@(?:import|charset|namespace)\b[^;{}]*;?", re.IGNORECASE)
_FONT_FACE = re.compile(r"@font-face\s*\{[^{}]*\}", re.IGNORECASE)
_LOADS = re.compile(
    r"(?:url|src|image|(?:-webkit-)?image-set|(?:-webkit-)?cross-fade)\((?:\"[^\"]*\"|'[^']*'|[^()\"']|\([^()]*\))*\)?",
    re.IGNORECASE,
)
_DATA_IMAGE = re.compile(r"url\(\s*[\"']?data:image/(?:png|gif|jpeg|webp)[;,]", re.IGNORECASE)
_ESCAPED = re.compile(
    r"\\\\|\\(?:0000([4-7][0-9a-f]|2d)|0{0,3}([4-7][0-9a-f]|2d)(?![0-9a-f]))(?:\r\n|[ \t\r\n\f])?|\\([g-z-])",
    re.IGNORECASE,
)


def without_loads(css: str) -> str:
    """Return CSS without imports, fonts and addresses; images that are in the CSS itself stay."""
    css = _ESCAPED.sub(_unescaped, _COMMENT.sub(" ", css[:_MOST]))
    css = _FONT_FACE.sub(" ", _AT_LOADS.sub(" ", css))
    css = _LOADS.sub(lambda match: match[0] if _DATA_IMAGE.match(match[0]) else "none", css)
    return css.replace("</", "<\\/").replace("<!--", " ").replace("-->", " ")


def _unescaped(match: re.Match[str]) -> str:
    """Return an escaped letter or hyphen as itself, so that names are seen; other escapes stay."""
    code = match[1] or match[2]
    character = chr(int(code, 16)) if code else match[3] or ""
    return character if character.isalpha() or character == "-" else match[0]
