"""The rules file of a project: edited by the studio and by hand, and what the studio changed can be undone."""

from __future__ import annotations

import json
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dehusk.base.atomic import write_text
from dehusk.base.errors import ConfigError, InputError, explaining
from dehusk.counts.grouping import site_name
from dehusk.label.rules import ACTIONS, ANY_HOST, Rule, Rules
from dehusk.label.template_rules import TemplateRules
from dehusk.studio.project import Project

# ---------------------------------------------------------------- rules text
# The text of a rules file, edited in place: comments, other sections and the layout stay as people wrote them.
#
# The text is read as statements with their places, so that only what changes is touched. What was edited is read again
# by `Rules.parse`; if it does not have exactly the rules that it should, the file is written in a way that is not
# understood here, and it is left alone.

_TOKEN = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')'
    r"|(?P<newline>\r?\n)|(?P<space>[ \t]+)|(?P<mark>[\[\]{}=,.])|(?P<bare>[^\s\[\]{}=,.\#\"']+)|(?P<other>.)",
    re.DOTALL,
)
_INDENT = "    "


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def value(self) -> str:
        """The value of a string or a bare key."""
        return str(tomllib.loads(f"x = {self.text}")["x"]) if self.kind == "string" else self.text


@dataclass
class _Selectors:
    """The statement `keep = […]` or `drop = […]`."""

    start: int
    opening: int = 0
    """Offset after the opening bracket."""
    closing: int = 0
    """Offset of the closing bracket."""
    items: list[_Token] = field(default_factory=list)
    commas: list[int] = field(default_factory=list)
    """Offsets of the commas."""


@dataclass
class _Section:
    start: int
    """Offset of its header."""
    body: int
    """Offset after its header."""
    selectors: dict[str, _Selectors] = field(default_factory=dict)


def add_rule(text: str, rule: Rule) -> str:
    """Return the text of a rules file with one more rule, the last of its host and action.

    Raises:
        ConfigError: the file or the rule is invalid, or the file is written in a way that cannot be edited here.
    """
    quoted, newline = _quoted(rule.selector), "\r\n" if "\r\n" in text else "\n"
    sections = _sections(text)
    if rule in set(Rules.parse(text)):
        return text
    section = sections.get(rule.host)
    if section is None:
        gap = "" if not text.strip() else newline if text.endswith("\n") else 2 * newline
        new = f"{text}{gap}[{_quoted(rule.host)}]{newline}{rule.action} = [{quoted}]{newline}"
    elif rule.action in section.selectors:
        new = _with_item(text, section.selectors[rule.action], quoted, newline)
    else:
        at = max([section.body, *(known.closing + 1 for known in section.selectors.values())])
        end = _line_end(text, at)
        new = f"{text[:end]}{newline}{rule.action} = [{quoted}]{text[end:]}"
    return _checked(text, new, add=rule)


def remove_rule(text: str, rule: Rule) -> str:
    """Return the text of a rules file without a rule; a section that becomes empty goes with it.

    Raises:
        ConfigError: there is no such rule, or the file is written in a way that cannot be edited here.
    """
    section = _sections(text).get(rule.host)
    known = section.selectors.get(rule.action) if section else None
    if rule not in set(Rules.parse(text)):
        raise ConfigError(f"the rules file has no rule {rule}")
    new = text
    while known is not None:  # a selector may stand there twice
        index = next((i for i, item in enumerate(known.items) if item.value == rule.selector), None)
        if index is None:
            break
        new = _without_item(new, known, index)
        section = _sections(new).get(rule.host)
        known = section.selectors.get(rule.action) if section else None
    if section is not None:
        new = _without_empty(new, section)
    return _checked(text, new, remove=rule)


def replace_rule(text: str, old: Rule, new: Rule) -> str:
    """Return the text of a rules file with one rule instead of another, at its place if host and action are the same.

    Raises:
        ConfigError: as `add_rule` and `remove_rule`.
    """
    if old == new:
        return text
    section = _sections(text).get(old.host)
    known = section.selectors.get(old.action) if section else None
    places = [item for item in known.items if item.value == old.selector] if known else []
    if (old.host, old.action) != (new.host, new.action) or len(places) != 1 or new in set(Rules.parse(text)):
        return remove_rule(add_rule(text, new), old)
    edited = text[: places[0].start] + _quoted(new.selector) + text[places[0].end :]
    return _checked(text, edited, add=new, remove=old)


def with_templates(text: str, host: str, templates: Sequence[TemplateRules]) -> str:
    """Return the text of a rules file with other templates of a host, at its end; all else stays as it is.

    Raises:
        ConfigError: the file is invalid, or is written in a way that cannot be edited here.
    """
    before = Rules.parse(text)
    new, cut_from = "", 0
    for start, end in _template_places(text, host):
        new, cut_from = new + text[cut_from:start], end
    new = (new + text[cut_from:]).rstrip()
    newline = "\r\n" if "\r\n" in text else "\n"
    added = Rules({}, {host: tuple(templates)}).text().replace("\n", newline) if templates else ""
    new = f"{new}{2 * newline if new and added else newline if new else ''}{added}"
    after = Rules.parse(new)
    wanted = Rules({}, {**before.templates, host: tuple(templates)})
    if {*after} != {*before} or set(_texts(after)) != set(_texts(wanted)):
        raise ConfigError("the rules file is written in a way that only its author can edit: change it by hand")
    return new


def _texts(rules: Rules) -> Iterator[tuple[str, str]]:
    """Yield the host and the text of each template."""
    for host, templates in rules.templates.items():
        yield from ((host, template.text()) for template in templates)


def _template_places(text: str, host: str) -> Iterator[tuple[int, int]]:
    """Yield where the templates of a host start and end in the text of a rules file."""
    start: int | None = None
    for statement in _statements(text):
        if statement[0].text != "[":
            continue
        if start is not None:
            yield start, statement[0].start
        of_templates = [token.text for token in statement[:2]] == ["[", "["]
        is_of_host = of_templates and (statement[2].value == host or site_name(statement[2].value) == host)
        start = statement[0].start if is_of_host else None
    if start is not None:
        yield start, len(text)


def _checked(before: str, after: str, *, add: Rule | None = None, remove: Rule | None = None) -> str:
    """Return an edited text if it has exactly the rules that it should."""
    wanted = ({*Rules.parse(before)} - {remove}) | ({add} if add else set())
    try:
        is_right = {*Rules.parse(after)} == wanted
    except ConfigError as error:
        if add is not None and add.selector in str(error):
            raise
        is_right = False
    if not is_right:
        rule = add or remove
        raise ConfigError(f"the rules file is written in a way that only its author can edit: change {rule} by hand")
    return after


def _sections(text: str) -> dict[str, _Section]:
    """Return host -> the section of a rules file.

    Raises:
        ConfigError: the file is invalid.
    """
    Rules.parse(text)
    sections: dict[str, _Section] = {}
    current: _Section | None = None
    for statement in _statements(text):
        marks = [token.text for token in statement]
        if marks[:2] == ["[", "["]:  # templates, which are not edited as text
            current = None
        elif marks[0] == "[":
            key = statement[1].value
            host = ANY_HOST if key == ANY_HOST else site_name(key)
            current = sections[host] = _Section(statement[0].start, statement[-1].end)
        elif current is not None and marks[1:3] == ["=", "["] and statement[0].value in ("keep", "drop"):
            current.selectors[statement[0].value] = _selectors(statement)
    return sections


def _selectors(statement: list[_Token]) -> _Selectors:
    inner = statement[3:-1]
    return _Selectors(
        start=statement[0].start,
        opening=statement[2].end,
        closing=statement[-1].start,
        items=[token for token in inner if token.kind == "string"],
        commas=[token.start for token in inner if token.text == ","],
    )


def _statements(text: str) -> Iterator[list[_Token]]:
    """Yield the headers and the assignments of a valid TOML text, without comments and white space."""
    statement: list[_Token] = []
    depth = 0
    for match in _TOKEN.finditer(text):
        token = _Token(match.lastgroup or "other", match[0], match.start())
        if token.kind == "mark":
            depth += token.text in "[{"
            depth -= token.text in "]}"
        if token.kind == "newline" and depth == 0:
            if statement:
                yield statement
            statement = []
        elif token.kind not in ("newline", "space", "comment"):
            statement.append(token)
    if statement:
        yield statement


def _with_item(text: str, known: _Selectors, quoted: str, newline: str) -> str:
    """Return the text with a further item at the end of an array, on a line of its own if the others are."""
    if not known.items:
        return f"{text[: known.opening]}{quoted}{text[known.opening :]}"
    last = known.items[-1]
    has_comma = any(comma > last.start for comma in known.commas)
    if "\n" not in text[known.opening : known.closing]:
        at = max([last.end, *(comma + 1 for comma in known.commas)])
        return f"{text[:at]}{' ' if has_comma else ', '}{quoted}{text[at:]}"
    line = _line_start(text, last.start)
    before = text[line : last.start]
    indent = _INDENT if before.strip() else before
    at = _line_start(text, known.closing)
    if text[at : known.closing].strip():  # the bracket follows the last item on its line
        at = known.closing
        return f"{text[:at]}{'' if has_comma else ','}{newline}{indent}{quoted}{text[at:]}"
    comma = "" if has_comma else ","
    return f"{text[: last.end]}{comma}{text[last.end : at]}{indent}{quoted},{newline}{text[at:]}"


def _without_item(text: str, known: _Selectors, index: int) -> str:
    """Return the text without an item of an array; a comment beside it stays."""
    item = known.items[index]
    start, end = item.start, item.end
    following = [comma for comma in known.commas if comma >= end]
    preceding = [comma for comma in known.commas if comma < start]
    comma = following[0] if following else preceding[-1] if preceding else None
    if comma is not None and "\n" not in text[min(start, comma) : max(end, comma)]:
        start, end = min(start, comma), max(end, comma + 1)
    elif comma is not None and comma > end:
        text = text[:comma] + text[comma + 1 :]
    line, stop = _line_start(text, start), _line_end(text, end)
    if not text[line:start].strip() and not text[end:stop].strip() and line:
        return text[:line] + text[min(stop + _newline_length(text, stop), len(text)) :]
    while end < len(text) and text[end] == " " and index == 0:
        end += 1
    return text[:start] + text[end:]


def _without_empty(text: str, section: _Section) -> str:
    """Return the text without the empty arrays of a section that hold no comment, and without an empty section."""
    for known in sorted(section.selectors.values(), key=lambda each: -each.start):
        if not known.items and not text[known.opening : known.closing].strip(" ,\r\n\t"):
            stop = _line_end(text, known.closing)
            if not text[known.closing + 1 : stop].strip():
                text = text[: _line_start(text, known.start)] + text[stop + _newline_length(text, stop) :]
    following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, section.body)
    end = following.start() if following else len(text)
    if text[section.body : end].strip():
        return text
    return (text[: section.start] + text[end:]).rstrip("\r\n") + (
        "\n" if text[: section.start].strip() or following else ""
    )


def _quoted(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ConfigError("a rule cannot contain half of a surrogate pair") from error
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _line_end(text: str, offset: int) -> int:
    """Return the offset of the line end at or after an offset, the carriage return included."""
    end = text.find("\n", offset)
    if end < 0:
        return len(text)
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def _newline_length(text: str, offset: int) -> int:
    return 2 if text[offset : offset + 2] == "\r\n" else int(text[offset : offset + 1] == "\n")


# ---------------------------------------------------------------- rule editing

MOST_SELECTOR = 2_000
"""Characters of a selector."""


class Steps(NamedTuple):
    """What can be undone and redone, in words; None for nothing."""

    undo: str | None
    redo: str | None


def rules_text(project: Project) -> str:
    """Return the text of a project's rules file; "" if there is none.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with project.rules.open(encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{project.rules} cannot be read: {error}") from error


def checked_rule(action: str, selector: str, host: str) -> Rule:
    """Return a rule whose parts people gave.

    Raises:
        ConfigError: a part is invalid.
    """
    if action not in ACTIONS:
        raise ConfigError(f"a rule must keep or drop, not {action!r}")
    selector = " ".join(selector.split())
    if not selector or len(selector) > MOST_SELECTOR:
        raise ConfigError(f"a selector has 1 to {MOST_SELECTOR} characters")
    name = ANY_HOST if host == ANY_HOST else site_name(host)
    if not is_host(host):
        raise ConfigError(f'{host!r} is not a host name; "{ANY_HOST}" is for every host')
    return Rule(action, selector, name)


def is_host(host: str) -> bool:
    """Return whether rules can be for a host; a page may name anything as its host."""
    return host == ANY_HOST or (bool(site_name(host)) and not any(mark in host for mark in "/?#:\\ \t\r\n\"'"))


def add_rules(project: Project, rules: Sequence[Rule]) -> None:
    """Write further rules to the project's rules file.

    Raises:
        ConfigError: a rule or the file is invalid.
        InputError: the file cannot be read or written.
    """

    def edit(text: str) -> str:
        for rule in rules:
            text = add_rule(text, rule)
        return text

    _edit(project, f"add {'; '.join(map(str, rules))}", edit)


def delete_rule(project: Project, rule: Rule) -> None:
    """Remove a rule from the project's rules file.

    Raises: as `add_rules`.
    """
    _edit(project, f"delete {rule}", lambda text: remove_rule(text, rule))


def change_rule(project: Project, old: Rule, new: Rule) -> None:
    """Write one rule instead of another.

    Raises: as `add_rules`.
    """
    _edit(project, f"change {old} to {new}", lambda text: replace_rule(text, old, new))


def steps(project: Project) -> Steps:
    """Return what can be undone and redone."""
    undo = project.reading.execute("SELECT what FROM rule_edit WHERE undone = 0 ORDER BY id DESC LIMIT 1").fetchone()
    redo = project.reading.execute("SELECT what FROM rule_edit WHERE undone = 1 ORDER BY id LIMIT 1").fetchone()
    return Steps(undo and undo["what"], redo and redo["what"])


def set_templates(project: Project, host: str, templates: Sequence[TemplateRules], what: str) -> None:
    """Write other templates of a host to the project's rules file.

    Args:
        project: the project.
        host: the host.
        templates: its templates; none to remove those that it has.
        what: the edit in words, for who undoes it.

    Raises: as `add_rules`.
    """
    _edit(project, what, lambda text: with_templates(text, host, templates))


def undo_rules(project: Project) -> str:
    """Undo the latest edit; return it in words.

    Raises:
        ConfigError: there is none, or the file was changed by hand since.
    """
    return _step(project, "undone = 0 ORDER BY id DESC", ("after", "before"), undone=1)


def redo_rules(project: Project) -> str:
    """Redo what was undone last; return it in words.

    Raises: as `undo_rules`.
    """
    return _step(project, "undone = 1 ORDER BY id", ("before", "after"), undone=0)


def _edit(project: Project, what: str, edit: Callable[[str], str]) -> None:
    with project.writing() as connection:  # also keeps others from editing the file
        before = rules_text(project)
        after = edit(before)
        if after == before:
            return
        Rules.parse(after)
        connection.execute("DELETE FROM rule_edit WHERE undone = 1")
        values = (time.time(), what, before, after)
        connection.execute("INSERT INTO rule_edit (at, what, before, after) VALUES (?, ?, ?, ?)", values)
        _write(project, after)


def _step(project: Project, which: str, sides: tuple[str, str], *, undone: int) -> str:
    with project.writing() as connection:
        row = connection.execute(f"SELECT * FROM rule_edit WHERE {which} LIMIT 1").fetchone()  # noqa: S608 (constants)
        if row is None:
            raise ConfigError(f"there is nothing to {'undo' if undone else 'redo'}")
        if rules_text(project) != row[sides[0]]:
            raise ConfigError(f"{project.rules.name} was changed by hand since: {row['what']}")
        connection.execute("UPDATE rule_edit SET undone = ? WHERE id = ?", (undone, row["id"]))
        _write(project, row[sides[1]])
    return str(row["what"])


def _write(project: Project, text: str) -> None:
    with explaining(f"{project.rules} cannot be written"):
        write_text(project.rules, text)
