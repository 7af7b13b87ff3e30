"""Options for reading files of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dehusk.base.errors import InputError, unknown

_URL = ("url", "uri", "WARC-Target-URI", "warc_target_uri")
_HTML = ("html", "content", "body", "raw_html", "raw_content")
_ID = ("id", "record_id", "WARC-Record-ID", "warc_record_id")


@dataclass(frozen=True)
class Columns:
    """The columns of a table that contain pages, URLs and ids; None: look for the usual names."""

    html: str | None = None
    url: str | None = None
    id: str | None = None

    def present(self, names: Sequence[str]) -> tuple[str | None, ...]:
        """Return the keys of page, URL and id in an object; None for each that it lacks."""
        usual = zip((self.html, self.url, self.id), (_HTML, _URL, _ID), strict=True)
        candidates = [(chosen,) if chosen else names for chosen, names in usual]
        return tuple(next((name for name in some if name in names), None) for some in candidates)

    def among(self, names: Sequence[str]) -> tuple[str, str | None, str | None]:
        """Return the columns of page, URL and id in a table; the last two are optional unless named.

        Raises:
            InputError: a column is missing.
        """
        html = _column(self.html, _HTML, names)
        if html is None:
            raise InputError(f"no column with pages among {', '.join(names)}: choose one with --html-column")
        return html, _column(self.url, _URL, names), _column(self.id, _ID, names)


def _column(chosen: str | None, usual: Sequence[str], names: Sequence[str]) -> str | None:
    if chosen is not None and chosen not in names:
        raise InputError(unknown("column", chosen, names))
    return chosen or next((name for name in usual if name in names), None)


@dataclass(frozen=True)
class ReadOptions:
    """How to read a file of pages."""

    limit: int
    """Maximum number of bytes to read of a page. If a page is longer, readers return at least one byte more, so that
    callers can tell that it was cut."""
    columns: Columns = field(default_factory=Columns)
    """Columns of tables."""
    follow_links: bool = False
    """Whether pages of a folder are read that links lead to outside of it."""
