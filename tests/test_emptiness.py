"""Pages that say only that there is nothing, and short pages that seem to.

The shelf `empty_pages` has 320 mock-ups of eight kinds in sixteen languages, and 60 short pages that could be taken for
one. The phrases were written with those of even number at hand, and not the others: docs/empty-pages.md has figures.
"""

import json
import re
from functools import cache
from pathlib import Path

import pytest

import dehusk
from dehusk.about.emptiness import kinds
from dehusk.about.phrases import literals_of
from dehusk.cleaning import EMPTINESS, MOST_WORDS

SHELF = Path(__file__).parent / "empty_pages"
NOT_FOUND = "<title>Page not found | Tea Times</title><h1>Sorry</h1><p>The page you are looking for is not here."


@cache
def verdicts(name: str, *, seen: bool) -> list[tuple[str, dehusk.Document]]:
    """Return the kind of each page of a half of the shelf, and its document."""
    pages = [json.loads(line) for line in (SHELF / f"{name}.jsonl").read_text("utf-8").splitlines()]
    return [(page["kind"], dehusk.clean(page["html"])) for page in pages[not seen :: 2]]


def share(*, seen: bool) -> float:
    pages = verdicts("empty", seen=seen)
    return sum(document.status == "no-content" for _, document in pages) / len(pages)


def test_pages_that_were_seen_are_told() -> None:
    assert share(seen=True) >= 0.99
    named = [kind == document.kind for kind, document in verdicts("empty", seen=True)]
    assert sum(named) >= 0.98 * len(named)


def test_most_pages_that_were_not_seen_are_told() -> None:
    assert share(seen=False) >= 0.74


def test_short_pages_that_were_seen_are_ordinary() -> None:
    assert [document.title for _, document in verdicts("ordinary", seen=True) if document.kind] == []


def test_traps_that_were_not_seen() -> None:
    """Half of these titles are phrases of empty pages, so this is the worst case; of real pages 1 in 1,000 is wrong."""
    assert sum(bool(document.kind) for _, document in verdicts("ordinary", seen=False)) <= 8


def test_each_kind_has_a_message() -> None:
    assert [*EMPTINESS] == ["script-shell", *(each.kind for each in kinds())]
    assert max(each.words for each in kinds()) == MOST_WORDS


def test_what_the_page_says_is_kept() -> None:
    document = dehusk.clean(NOT_FOUND)
    assert (document.status, document.kind) == ("no-content", "not-found")
    assert document.message == "the page says that there is no such page"
    assert document.record()["kind"] == "not-found"
    text = dehusk.clean(NOT_FOUND.replace("Page not found", "News"), method="keep-all").text
    assert text == dehusk.clean(NOT_FOUND, method="keep-all").text != ""


@pytest.mark.parametrize("method", ["united", "victor", "keep-all"])
def test_every_method_has_the_verdict(method: str) -> None:
    assert dehusk.clean(NOT_FOUND, method=method).kind == "not-found"


def test_a_long_page_is_ordinary_whatever_its_title() -> None:
    body = "<p>A server answers with this number if it has nothing at an address, and says so in a few words." * 20
    document = dehusk.clean(NOT_FOUND.replace("<h1>", body + "<h1>"), method="keep-all")
    assert (document.status, document.kind) == ("ok", "")


def test_a_log_in_has_a_field_for_a_password() -> None:
    html = "<title>Log in</title><h1>How to log in</h1><p>Press the green button at the top, and wait for the mail.</p>"
    assert dehusk.clean(html, method="keep-all").kind == ""
    assert dehusk.clean(html + "<form><input TYPE=Password></form>", method="keep-all").kind == "log-in"


def test_a_page_in_a_child_has_the_same_verdict() -> None:
    with dehusk.Pool(1) as pool:
        assert pool.clean(NOT_FOUND).kind == "not-found"


@cache
def starts() -> list[str]:
    """Return what the pages of the shelf say first, in lower case."""
    pages = [page for name in ("empty", "ordinary") for seen in (True, False) for page in verdicts(name, seen=seen)]
    return [" ".join(text.lower().split())[:160] for _, page in pages for text in (page.title, page.text)]


def test_a_text_that_matches_a_phrase_has_its_literal() -> None:
    for each in kinds():
        for phrase in each.head:
            matching = list(filter(re.compile(phrase).search, starts()))
            literals = literals_of(phrase)
            assert [text for text in matching if not any(each in text for each in literals)] == [], phrase


def test_literals_of_phrases() -> None:
    found = {"a?bc": ("bc",), "(?:x|yz) page": (" page",), "one|two": ("one", "two"), r"wait…? ?$": ("wait",)}
    found |= {
        r"n\b xy[z]": (" xy",),
        "(?:page|site)? (?:lost|gone)": ("gone", "lost"),
        r"ab+cd|(?:e|ef)gh\b": ("ab", "gh"),
    }
    assert {phrase: literals_of(phrase) for phrase in found} == found
    with pytest.raises(ValueError, match="each phrase must need a text"):
        literals_of("ab{2}c")
