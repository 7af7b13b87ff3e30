"""What `dehusk.compiled.text` reads of data in scripts: the strings, by one expression for the tokens."""

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from dehusk.read.islands.literals import _ENCODED, _LETTER, _NESTED, MAX_TOKENS, Strings, Value, _decoded, _plain_key

# A string in double quotes of JSON and one in backticks may have lines; in a script the others end with theirs.
_STRING = (
    r"(?P<quote>(?P<long>{long})|{short})(?P<text>(?>(?:\\.|(?!(?P=quote))(?(long)[^\\]|[^\\\n]))*))"
    r"(?P<close>(?P=quote)|\Z)?(?P<colon>\s*:)?|(?P<bracket>[][{{}}])"
)
_JSON = re.compile(_STRING.format(long='"', short="(?!)"), re.DOTALL)
_SCRIPT = re.compile(
    _STRING.format(long="`", short="[\"']")
    + r"|(?<=[;,{}(\s])/(?:/[^\n]*|\*.*?(?:\*/|\Z))|(?P<name>[A-Za-z_$][\w$]{0,99})\s*:",
    re.DOTALL,
)


@dataclass
class Found:
    """What is read of an island so far."""

    island: int
    tokens: int
    objects: int
    first_family: int
    values: list[Value] = field(default_factory=list)
    paths: list[tuple[str, ...]] = field(default_factory=list)
    """Those of the strings, each once."""


def family(found: Found, path: tuple[str, ...]) -> int:
    """Return the number of the strings with the same keys above them."""
    if path not in found.paths:
        found.paths.append(path)
    return found.first_family + found.paths.index(path)


def add(found: Found, text: str, path: tuple[str, ...], owners: list[int], level: int) -> None:
    """Add a string with a letter, or the strings of the data in it."""
    if len(text) > 20 and level < 5 and (_NESTED.match(text) or _ENCODED.match(text)):
        read(found, unquote(text) if text[0] == "%" else text, path, level + 1)
    elif len(text) > 1 and _LETTER.search(text):
        around = tuple(dict.fromkeys(owners[:-6:-1]))
        found.values.append(Value(text, path, around, found.island, family(found, path)))


def read(found: Found, source: str, above: tuple[str, ...], level: int, *, is_json: bool = True) -> None:
    """Read data; brackets need not match, and nothing after the last token that may be read is."""
    found.objects += 1
    key, keys, owners = "", list(above), [found.objects]
    for token in (_JSON if is_json else _SCRIPT).finditer(source):
        found.tokens += 1
        if found.tokens > MAX_TOKENS:
            return
        if token["bracket"] in {"[", "{"}:
            found.objects += token["bracket"] == "{"
            owners.append(found.objects if token["bracket"] == "{" else owners[-1])
            keys.append(key)
            key = ""
        elif token["bracket"]:
            del keys[max(len(keys) - 1, len(above)) :], owners[max(len(owners) - 1, 1) :]
            key = ""
        elif name := _decoded(token["text"]) if token["colon"] else token.groupdict().get("name"):
            key = "*" if len(name) > 40 else _plain_key(name)
        elif token["colon"]:
            key = ""
        elif token["close"] is not None:
            path = tuple(filter(None, (*keys[-64:], key)))
            add(found, _decoded(token["text"]).strip(), path, owners, level)


def strings_of(source: str, island: int, is_json: bool, tokens: int, objects: int, families: int) -> Strings:
    """Return the strings of an island; numbers go on from those of the islands before."""
    found = Found(island, tokens, objects, families)
    read(found, source, (), 0, is_json=is_json)
    return Strings(found.values, found.tokens, found.objects, families + len(found.paths))
