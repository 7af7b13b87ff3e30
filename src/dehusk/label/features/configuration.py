"""Read feature settings from TOML; every error names the key."""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Self

from dehusk.base.errors import ConfigError, unknown
from dehusk.base.tags import TAG_NUMBER
from dehusk.label.features.family import LINE, Expressions, FeatureSettings

SECTIONS: Mapping[str, frozenset[str] | None] = {
    "containers": None,
    "splits": None,
    "regexp": None,
    "lexicon": None,
    "bullet": frozenset({"patterns"}),
    "sentences": frozenset({"language"}),
}
"""Section of feature settings -> its keys; None if the user chooses the keys."""

_LARGEST = 1e300  # numbers; integers may be too large for a float


class ConfigReader:
    """Reads typed values from a TOML document.

    Args:
        name: the name of the configuration in error messages.
        document: the parsed document.

    Every method raises `ConfigError`, naming the key, for a value of the wrong type.
    """

    def __init__(self, name: str, document: Mapping[str, Any]) -> None:
        self.name = name
        self.document = document

    @classmethod
    def parse(cls, name: str, text: str) -> Self:
        """Parse TOML text; raises `ConfigError` if it is not valid TOML."""
        import tomllib  # noqa: PLC0415 (the default method has its settings in Python)

        try:
            return cls(name, tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"configuration {name}: {error}") from error

    def error(self, message: str) -> ConfigError:
        """Return the error that names this configuration."""
        return ConfigError(f"configuration {self.name}: {message}")

    def check_keys(self, sections: Mapping[str, frozenset[str] | None]) -> None:
        """Refuse sections and keys that do not exist."""
        for section, content in self.document.items():
            if section not in sections:
                raise self.error(unknown("key", section, sections))
            if not isinstance(content, dict):
                raise self.error(f"{section} must be a section")
            allowed = sections[section]
            for key in content:
                if allowed is not None and key not in allowed:
                    raise self.error(unknown("key", f"{section}.{key}", sorted(allowed)))

    def get(self, section: str, key: str, expected: type[Any], *, default: Any) -> Any:
        """Return a value of the given type; an int is accepted where a float is expected."""
        value = self.document.get(section, {}).get(key, default)
        if expected is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST:
            return float(value)
        if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
            raise self.error(f"{section}.{key} must be {expected.__name__}, not {value!r}")
        return value

    def values(self, section: str, key: str, expected: type[Any]) -> tuple[Any, ...]:
        """Return a list of values of the given type."""
        values = self.get(section, key, list, default=[])
        for value in values:
            if not isinstance(value, expected) or isinstance(value, bool):
                raise self.error(f"{section}.{key} must be a list of {expected.__name__}, but contains {value!r}")
        return tuple(values)

    def ascending(self, section: str, key: str) -> tuple[float, ...]:
        """Return a list of two or more ascending numbers."""
        values = self.get(section, key, list, default=[])
        numeric = all(isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < _LARGEST for v in values)
        if len(values) < 2 or not numeric or any(a >= b for a, b in pairwise(values)):
            raise self.error(f"{section}.{key} must be two or more ascending numbers")
        return tuple(float(value) for value in values)

    def tags(self, section: str, key: str, *, others: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return a list of HTML tags and of other names."""
        names: tuple[str, ...] = self.values(section, key, str)
        for name in names:
            if name not in TAG_NUMBER and name not in others:
                raise self.error(f"{section}.{key} names an unknown tag {name!r}")
        return names

    def choice(self, section: str, key: str, choices: tuple[str, ...]) -> str:
        """Return one of the choices, the first by default."""
        value = str(self.get(section, key, str, default=choices[0]))
        if value not in choices:
            raise self.error(f"{section}.{key} must be one of {', '.join(choices)}, not {value!r}")
        return value

    def patterns(self, section: str, key: str, expressions: object) -> tuple[re.Pattern[str], ...]:
        """Return compiled regular expressions that ignore case."""
        if not isinstance(expressions, list) or not all(isinstance(e, str) for e in expressions):
            raise self.error(f"{section}.{key} must be a list of regular expressions")
        try:
            return tuple(re.compile(expression, re.IGNORECASE) for expression in expressions)
        except (re.error, OverflowError, RecursionError) as error:
            which = getattr(error, "pattern", "")
            raise self.error(f"{section}.{key} contains an invalid expression {which!r}: {error}") from error

    def feature_settings(self) -> FeatureSettings:
        """Return the feature settings in the document: its `SECTIONS`."""

        def section(name: str, value: Callable[[str, str], Any]) -> dict[str, Any]:
            return {key: value(name, key) for key in self.document.get(name, {})}

        bullets = self.document.get("bullet", {}).get("patterns", [])
        return FeatureSettings(
            containers=section("containers", self.tags),
            splits=section("splits", lambda name, key: self.tags(name, key, others=(LINE,))),
            regexp={key: self._expressions(key, value) for key, value in self.document.get("regexp", {}).items()},
            bullet=self.patterns("bullet", "patterns", bullets),
            classes=section("lexicon", lambda name, key: self.values(name, key, str)),
            language=self._language(),
        )

    def _language(self) -> str:
        code = str(self.get("sentences", "language", str, default=""))
        if code and not re.fullmatch(r"[a-z]{2,3}", code):
            raise self.error(f"sentences.language must be a code of two or three letters such as en, not {code!r}")
        return code

    def _expressions(self, key: str, value: object) -> Expressions:
        table = value if isinstance(value, dict) else {"patterns": value}
        for inner in table:
            if inner not in ("patterns", "needs", "most"):
                raise self.error(unknown("key", f"regexp.{key}.{inner}", ("most", "needs", "patterns")))
        needs, most = table.get("needs", ""), table.get("most", 0)
        if not isinstance(needs, str) or not needs.isascii():
            raise self.error(f"regexp.{key}.needs must be a string of ASCII characters")
        if not isinstance(most, int) or isinstance(most, bool) or most < 0:
            raise self.error(f"regexp.{key}.most must be a number of characters, or 0 for no bound")
        return Expressions(self.patterns("regexp", key, table.get("patterns", [])), needs, most)
