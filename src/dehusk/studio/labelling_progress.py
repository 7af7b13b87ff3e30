"""How far an annotator is with the pages of a list, and how long the rest takes."""

from __future__ import annotations

from statistics import median
from typing import Any

from dehusk.studio.page_rows import PageFilter, PageList
from dehusk.studio.project import Project


def count_done(project: Project, chosen: PageFilter, annotator: str) -> dict[str, Any]:
    """Return the progress of an annotator as plain values.

    A page is done if each of its blocks has a label, or if it is flagged.

    Returns:
        pages (of the list), done, median (seconds a page that is done; None before the first), left (seconds).
    """
    listed = set(PageList(project, chosen).ids().tolist())
    rows = project.reading.execute(
        "SELECT page.id, seconds FROM page LEFT JOIN labelling ON page = page.id AND annotator = ? "
        "WHERE labelling.labelled = length(codes) OR flag != ''",
        (annotator,),
    )
    done = [row["seconds"] for row in rows if row["id"] in listed]
    times = [seconds for seconds in done if seconds]
    typical = median(times) if times else None
    left = None if typical is None else typical * max(0, len(listed) - len(done))
    return {"pages": len(listed), "done": len(done), "median": typical, "left": left}
