"""The keys of actions on labels, which people can change; a project stores those that differ from the usual ones."""

from __future__ import annotations

from collections.abc import Mapping

from dehusk.base.errors import ConfigError, unknown
from dehusk.studio.project import Project

ACTIONS = {
    "header": ("h", "header: a title or heading"),
    "list": ("l", "list: the start of a list item"),
    "paragraph": ("p", "paragraph: the start of a paragraph"),
    "continuation": ("c", "continuation: goes on with the block above"),
    "other": ("o", "other: text to remove"),
    "clear": ("x", "remove the label"),
    "confirm": ("Enter", "confirm the suggestion"),
    "confirm-all": ("a", "confirm all suggestions of the page"),
    "next": ("n", "next block without a label"),
    "previous": ("N", "previous block without a label"),
    "undo": ("u", "undo"),
    "redo": ("U", "redo"),
    "alike": ("t", "select all like this on the page"),
    "alike-site": ("T", "label all like this on the site"),
    "wider": ("e", "select the unit around: item, list, record, table, section"),
    "narrower": ("E", "select what was selected before the unit"),
    "brush": ("b", "brush: choose a label, then click or drag over many blocks"),
    "difference": ("v", "next difference from the suggestion"),
    "note": ("f", "flag the page, or write a comment"),
    "rubric": ("r", "the rubric"),
    "correct": ("m", "correct labels: on or off"),
}
"""Action -> its usual key, and what it does. Ctrl+Z and Ctrl+Shift+Z always undo and redo."""

_SETTING = "label-keys"
_TAKEN = frozenset("jkJKHRdDgsSwWyYP[],.?0123456789") | {"Escape", "Home", "End", "Tab"}  # of the view of a page


def keys_of_actions(project: Project) -> dict[str, str]:
    """Return the key of each action."""
    own = project.setting(_SETTING, {})
    return {action: own.get(action, usual) for action, (usual, _) in ACTIONS.items()}


def set_label_keys(project: Project, keys: Mapping[str, str]) -> dict[str, str]:
    """Store keys of actions; the others keep theirs. Return all keys.

    Raises:
        ConfigError: an unknown action, a key that is taken, or two actions with the same key.
    """
    chosen = keys_of_actions(project) | dict(keys)
    for action, key in keys.items():
        if action not in ACTIONS:
            raise ConfigError(unknown("action", action, ACTIONS))
        if not isinstance(key, str) or not 1 <= len(key) <= 20:
            raise ConfigError(f"{action}: a key is a character or a name such as Enter")
        if key in _TAKEN:
            raise ConfigError(f"{key} is a key of the view itself")
        if same := [other for other, its in chosen.items() if its == key and other != action]:
            raise ConfigError(f"{key} is the key of: {ACTIONS[same[0]][1]}")
    project.set_setting(_SETTING, {name: key for name, key in chosen.items() if key != ACTIONS[name][0]})
    return chosen
