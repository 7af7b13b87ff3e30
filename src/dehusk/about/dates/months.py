"""The names of months in some eighty languages, from Unicode CLDR (`months.toml`)."""

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

UNKNOWN = -1
"""A name that means different months in different languages, in a language that is not among them."""
_WORDS = frozenset(("pro", "gen", "set", "out", "led", "lip", "sty", "mag", "lug"))
"""Short names of months that are words of English; on pages in English they are no months, and on those of unknown
language only between a day and a year."""
_ANY = "und"  # the BCP 47 tag of a language that is not known
_PEOPLE = frozenset(("marco",))
"""Names of months without their accents that are names of people."""
_HEBREW_IN = "ב"
"""What stands before the name of a month in a Hebrew date; no name starts with it."""
_UNACCENTED = 4  # letters from which on a name is also read without its accents; "lun" is Monday, "lún" August
_ACCENTS = range(0x0300, 0x0370), range(0x0653, 0x0656)
"""Latin and Greek accents, and the hamza and madda of Arabic letters; vowels of Indian scripts stay."""


def month_of(name: str, language: str = "", *, is_dated: bool = False) -> int:
    """Return the number of a month by its name or abbreviation; 0 if it is none, `UNKNOWN` if it may be several.

    Args:
        name: the name, with or without its accents.
        language: the language of the text as a BCP 47 tag; it decides about names that mean different months.
        is_dated: whether a day and a year are beside the name.
    """
    base = language.lower().replace("_", "-").partition("-")[0]
    return _month(name.lower(), base or ("" if not is_dated else _ANY))


@lru_cache(maxsize=4096)
def _month(name: str, language: str) -> int:
    names, ambiguous = _names()
    if name in _WORDS and language in ("", "en"):
        return 0
    if name not in names and name[:1] == _HEBREW_IN:
        name = name[1:]
    if name not in names and name not in ambiguous and len(name) >= _UNACCENTED:
        name = _without_accents(name)
    return ambiguous[name].get(language, UNKNOWN) if name in ambiguous else names.get(name, 0)


@cache
def _names() -> tuple[Mapping[str, int], Mapping[str, Mapping[str, int]]]:
    """Return name -> month, and ambiguous name -> language -> month."""
    table = tomllib.loads(resources.files(__package__).joinpath("months.toml").read_text("utf-8"))
    ambiguous: Mapping[str, Mapping[str, int]] = table["ambiguous"]
    names = {name: int(month) for month, listed in table["names"].items() for name in listed.split()}
    plain: dict[str, set[int]] = {}
    for name, month in names.items():
        if len(name) >= _UNACCENTED:
            plain.setdefault(_without_accents(name), set()).add(month)
    refused = _PEOPLE | ambiguous.keys()
    unaccented = {name: month for name, (month, *others) in plain.items() if not others and name not in refused}
    return unaccented | names, ambiguous


def _without_accents(name: str) -> str:
    """Return a name without accents, and with a dot on every i."""
    if name.isascii():
        return name
    letters = unicodedata.normalize("NFD", name.replace("ı", "i").replace("ł", "l"))
    return "".join(letter for letter in letters if not any(ord(letter) in accents for accents in _ACCENTS))
