"""The language of code listings, from the classes and attributes by which pages mark it for a highlighter.

    >>> from dehusk import parse
    >>> code_languages(parse('<div class="highlight-python notranslate"><pre>import os</pre></div>'))
    {2: 'python'}

A listing's own marks count first, then those of the `code` in it, then those of the elements around it that contain
little else: highlighters put the listing into a `div`, a `figure` or the cell of a table with line numbers.
"""

import re

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, numbers
from dehusk.blocks.layout import Nodes, is_holder
from dehusk.read.names import NameWords
from dehusk.read.page import Attributes, Bools, Ints, Page
from dehusk.visible.listing_headers import header_of

_LISTING, _CODE = numbers("pre listing xmp plaintext"), numbers("code")
_BLOCKS = frozenset({"block", "code-block", "codeblock"})
_AS_BLOCK = pattern(r"(?:white-space:\s{0,9}pre|display:\s{0,9}block)(?![\w])", re.IGNORECASE)
_CODE_BLOCK, _CODE_BLOCKS = pattern(r"(?:^|\s)code-?block(?:\s|$)"), NameWords("codeblock code-block")
_AROUND = 8
"""How many elements around a listing may mark its language."""
_OTHER_TEXT = 200
"""Characters that such an element may contain outside of listings: a caption, a button."""
_MAX_CLASS = 1000  # characters of a class attribute to read
_ATTRIBUTES = (
    *("data-lang", "data-language", "data-code-language", "data-code-lang", "data-canonical-lang"),
    *("data-enlighter-language", "data-programming-language", "syntax", "language"),
)
_OF_CONFLUENCE = (
    "data-syntaxhighlighter-params"  # which has what other pages have as a class: "brush: bash; gutter: false"
)
_SAFE = pattern(r"[a-z0-9][a-z0-9+#._-]{0,29}")
_BRUSH = pattern(r"(?:^|[\s;])brush:\s{0,9}([\w+#.-]{1,30})", re.IGNORECASE)
_SCOPE = pattern(r"highlight-(?:source|text)-([\w+#.-]{1,30})", re.IGNORECASE)
_MARKED = pattern(r"(?:code-)?lang(?:uage)?-([\w+#.-]{1,30})", re.IGNORECASE)
_PREFIXED = pattern(r"(?:highlight|code|syntax|brush|sp|sh|src|source)[-_]([\w+#.-]{1,30})", re.IGNORECASE)
_HIGHLIGHTERS = frozenset(
    (
        *("hljs", "sourcecode", "prettyprint", "prettyprinted", "highlight", "chroma", "codehilite", "rouge", "shiki"),
        *(
            "hl",
            "prism",
            "prism-code",
            "code",
            "syntaxhighlighter",
            "dp-highlighter",
            "literal-block",
            "src",
            "programlisting",
        ),
    )
)
"""Classes beside which another class can be the name of a language."""
_NONE = frozenset(
    (
        *("text", "txt", "plain", "plaintext", "plain-text", "none", "nohighlight", "no-highlight", "default", "auto"),
        *("undefined", "null", "unknown", "raw", "output", "nocode", "literal", "other", "generic", "en", "us"),
    )
)
_ALIASES = {
    **dict.fromkeys(("python3", "python2", "ipython", "ipython3", "ipython2", "py3"), "python"),
    **dict.fromkeys(("html-basic", "html-derivative"), "html"),
    **dict.fromkeys(("c-sharp", "c#"), "csharp"),
    **dict.fromkeys(("c++", "c-plus-plus"), "cpp"),
    **dict.fromkeys(("bsh", "shellscript"), "shell"),
    **dict.fromkeys(("js", "mjs", "javascript-source"), "javascript"),
    "ts": "typescript",
    "xml-svg": "xml",
    "objc": "objective-c",
    "gfm": "markdown",
}
_LANGUAGES = (
    "abap actionscript ada apache applescript arduino asciidoc asm asp aspx assembly awk bash basic batch bat "
    "bibtex c c++ c# cfm clojure cmake cmd cobol coffeescript console cpp crystal cs csharp css cuda cypher d dart "
    "delphi diff django dockerfile docker dos elixir elm erb erlang excel f# fortran fsharp gherkin glsl go golang "
    "gradle graphql groovy haml handlebars haskell haxe hcl hlsl html http ini ipython ipython3 java javascript "
    "jinja jinja2 js json json5 jsonc jsp jsx julia kotlin latex lean lean4 less lisp llvm lua make makefile markdown "
    "mathematica matlab md mermaid mips mysql nasm nginx nim nix objc objective-c objectivec ocaml octave pascal "
    "patch perl pgsql php plsql postgresql powershell prolog properties protobuf ps1 puppet purescript py pycon "
    "python python2 python3 q r racket rb reason regex rego rst ruby rust rs sas sass scala scheme scss sh shell "
    "shell-session shellscript smalltalk solidity sparql sql stata styl stylus svelte swift systemverilog tcl "
    "terraform tex toml ts tsql tsx twig typescript vb vb.net vba vbnet vbscript verilog vhdl vim vue wasm x86asm "
    "xml xquery xslt yaml yml zig zsh"
)
_PROMPT = pattern(r"\s*[$>] ")
"""What a session of a shell starts with, which Sphinx marks as Python where its author names no language."""
_KNOWN = frozenset(_LANGUAGES.split())
"""Names that are languages also where nothing else says so."""


def code_languages(page: Page) -> dict[int, str]:
    """Return the language of each listing of a page whose language is marked.

    Listings are `pre`, `listing`, `xmp`, `plaintext`, the outermost `code` around one, and `other_listings`. A language
    is a word for the info string of a fenced code block in Markdown: lower case, at most 30 of `a-z`, `0-9` and
    `+#._-`. Listings that are marked as plain text are missing, as are those without a mark.
    """
    listings = page.nodes_of(_LISTING)
    languages = {
        node: language for node in other_listings(page) if (language := _language(page, node, is_listing=True))
    }
    if not len(listings):
        return languages
    inner, outer = _codes(page, listings), _wrappers(page, listings)
    read: dict[int, str | None] = {}
    for listing, code in zip(listings.tolist(), inner, strict=True):
        marks = [listing, *code, *_around(page, listing, outer)]
        for node in marks:
            if node not in read:
                read[node] = _language(page, node, is_listing=node == listing or node in code)
            if (found := read[node]) is not None:
                break
        else:
            found = _name(header_of(page, listing)[1])
            found = found if found in _KNOWN else ""
        if found == "python" and _PROMPT.match(page.text, int(page.text_start[listing])):
            found = "console"
        if found:
            languages[_outer_code(page, listing)] = languages[listing] = found
    return languages


def _outer_code(page: Page, listing: int) -> int:
    """Return the outermost `code` around a listing, or the listing."""
    outer = node = listing
    for _ in range(_AROUND):
        node = int(page.parent[node])
        if node <= 0:
            break
        outer = node if page.tag[node] == TAG_NUMBER["code"] else outer
    return outer


@cached_per_object
def other_listings(page: Page) -> frozenset[int]:
    """Return the elements that are listings by a class or style: `code` outside of `pre`, blocks with a language."""
    codes = page.nodes_of(_CODE)
    codes = codes[page.within_at(page.nodes_of(_LISTING), codes) == 0] if len(codes) else codes
    shown = zip(codes.tolist(), page.elements.values(codes, "style"), strict=True)
    blocks = [node for node, style in shown if _is_block(page.class_names[page.class_code[node]], style or "")]
    holder = page.nearest(is_holder(page)) if blocks else page.parent
    found = {node for node in blocks if _is_alone(page, node, holder)}
    named = [code for code in page.classes.having(_CODE_BLOCKS) if _CODE_BLOCK.search(page.class_names[code])]
    for node in page.has_class(named).nonzero()[0].tolist() if named else ():
        given = dict(page.attributes_of(node))
        has_language = any(given.get(name) for name in _ATTRIBUTES)
        if has_language and page.end[node] == node + 2 and page.is_text[node + 1]:
            found.add(node)
    return frozenset(found)


def _is_block(classes: str, style: str) -> bool:
    """Return whether the classes or the style of a `code` make it a block."""
    return not _BLOCKS.isdisjoint(classes[:_MAX_CLASS].split()) or bool(_AS_BLOCK.search(style))


def _is_alone(page: Page, node: int, holder: Ints) -> bool:
    """Return whether no text stands beside an element in its line, and the line is no paragraph."""
    before, after = node - 1, int(page.end[node])
    while holder[before] == holder[node] and page.is_text[before] and not page.text_of(before).strip():
        before -= 1
    while (
        after < len(page) and holder[after] == holder[node] and page.is_text[after] and not page.text_of(after).strip()
    ):
        after += 1
    starts = before == holder[node] or holder[before] != holder[node]
    ends = after >= len(page) or holder[after] != holder[node]
    return bool(starts and ends) and page.tag[holder[node]] != TAG_NUMBER["p"]


def language_of(classes: str, attributes: Attributes = (), *, is_listing: bool = True) -> str | None:
    """Return the language that an element marks; "" if it marks plain text, None if it marks nothing.

    Args:
        classes: the class attribute.
        attributes: all its attributes.
        is_listing: whether the element is the listing or the `code` in it, rather than an element around it.
    """
    given = dict(attributes)
    for name in _ATTRIBUTES:
        if given.get(name) and (found := _name(given[name])) is not None:
            return found
    if is_listing and given.get("lang", "").strip().lower() in _KNOWN:
        return _name(given["lang"])
    classes = classes[:_MAX_CLASS]
    if brush := _BRUSH.search(classes) or _BRUSH.search(given.get(_OF_CONFLUENCE, "")[:_MAX_CLASS]):
        return _name(brush[1])
    tokens = classes.split()
    for expression in (_SCOPE, _MARKED):
        for match in filter(None, map(expression.fullmatch, tokens)):
            if (found := _name(match[1])) is not None:
                return found
    return _bare(tokens, is_listing=is_listing, is_code=given.get("name") == "code")


def _bare(tokens: list[str], *, is_listing: bool, is_code: bool) -> str | None:
    """Return a known language among classes that may mean something else."""
    lower = [token.lower() for token in tokens]
    for match in filter(None, map(_PREFIXED.fullmatch, lower)):
        if match[1] in _KNOWN:
            return _name(match[1])
        if match[1] in _NONE and "notranslate" in lower:  # Sphinx
            return ""
    if is_listing or is_code or not _HIGHLIGHTERS.isdisjoint(lower):
        return next((_name(token) for token in lower if token in _KNOWN), None)
    return None


def _name(value: str) -> str | None:
    """Return a language as an info string, "" for plain text, None for something else."""
    name = value[:100].strip().strip(".").lower()
    name = name.removeprefix("language-").removeprefix("lang-").removeprefix("source.")
    if name in _NONE:
        return ""
    name = _ALIASES.get(name, name)
    return name if _SAFE.fullmatch(name) else None


def _language(page: Page, node: int, *, is_listing: bool) -> str | None:
    return language_of(page.class_names[page.class_code[node]], page.attributes_of(node), is_listing=is_listing)


def _codes(page: Page, listings: Nodes) -> list[list[int]]:
    """Return for each listing its first `code`, if it has one."""
    codes = np.append(page.nodes_of(_CODE), len(page))
    first = codes[codes.searchsorted(listings)]
    inside = first < page.end[listings]
    return [[code] if has else [] for code, has in zip(first.tolist(), inside.tolist(), strict=True)]


def _wrappers(page: Page, listings: Nodes) -> Bools:
    """Return which elements, shape (n,), contain little text outside of listings."""
    in_listing = page.is_text & (page.within(listings) > 0)
    before = np.append(0, np.where(in_listing, page.text_end - page.text_start, 0).cumsum())
    listed = before[page.end] - before[:-1]
    other = (page.text_end - page.text_start) - listed
    wraps: Bools = (other <= _OTHER_TEXT) & (page.tag != TAG_NUMBER["body"])
    return wraps


def _around(page: Page, listing: int, wraps: Bools) -> list[int]:
    """Return the elements around a listing that may mark its language, the innermost first."""
    around: list[int] = []
    node = int(page.parent[listing])
    while node > 0 and wraps[node] and len(around) < _AROUND:
        around.append(node)
        node = int(page.parent[node])
    return around
