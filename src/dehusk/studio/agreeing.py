"""How well two annotators agree, and where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks.annotation import UNLABELLED, Codes
from dehusk.blocks.labels import LABELS
from dehusk.measures.agreement import ContentAgreement, cohens_kappa, content_agreement
from dehusk.studio.labelling import independent_labels
from dehusk.studio.project import Project


def list_annotators(project: Project) -> list[dict[str, Any]]:
    """Return the name of each annotator and the number of pages that have labels of them."""
    rows = project.reading.execute(
        "SELECT annotator AS name, count(*) AS pages FROM labelling WHERE labelled > 0 GROUP BY annotator ORDER BY 1"
    )
    return [dict(row) for row in rows]


def agreement_report(project: Project, first: str, second: str) -> dict[str, Any]:
    """Return how well two annotators agree on the blocks that both labelled, as plain values.

    What they settled counts as they labelled it before.

    Returns:
        kappa and observed (of all labels), content (kappa, F1, observed), labels (for each label its kappa against all
        others, and how often both, only the first and only the second gave it), confusion ([i][j]: label i of the
        first, j of the second), and pages, those with most differences first.
    """
    confusion = np.zeros((len(LABELS), len(LABELS)), dtype=np.int64)
    content = ContentAgreement()
    pages = []
    for row, left, right in _both(project, first, second):
        table = _table(left, right)
        confusion += table
        content += content_agreement(left, right)
        blocks, same = int(table.sum()), int(np.trace(table))
        pages.append(row | {"blocks": blocks, "differences": blocks - same, "kappa": cohens_kappa(table.tolist())})
    items = int(confusion.sum())
    return {
        "blocks": items,
        "kappa": cohens_kappa(confusion.tolist()),
        "observed": float(np.trace(confusion) / items) if items else 1.0,
        "content": {"kappa": content.kappa, "f1": content.f1, "observed": content.observed},
        "labels": [_of_label(confusion, label) for label in range(len(LABELS))],
        "confusion": confusion.tolist(),
        "pages": sorted(pages, key=lambda page: (-page["differences"], page["page"])),
    }


def _both(project: Project, first: str, second: str) -> Iterator[tuple[dict[str, Any], Codes, Codes]]:
    """Yield the pages that two annotators labelled, and their labels."""
    rows = project.reading.execute(
        "SELECT page.id, title, name, url, a.codes AS left, b.codes AS right FROM labelling AS a "
        "JOIN labelling AS b ON b.page = a.page JOIN page ON page.id = a.page "
        "WHERE a.annotator = ? AND b.annotator = ? AND a.labelled > 0 AND b.labelled > 0 ORDER BY page.id",
        (first, second),
    )
    for row in rows:
        left, right = (
            independent_labels(project, row["id"], name, np.frombuffer(row[side], dtype=np.int8))
            for name, side in ((first, "left"), (second, "right"))
        )
        if len(left) == len(right):
            yield {"page": row["id"], "title": row["title"] or row["name"] or row["url"]}, left, right


def _table(left: Codes, right: Codes) -> npt.NDArray[np.int64]:
    labelled = (left != UNLABELLED) & (right != UNLABELLED)
    size = len(LABELS)
    cells = left[labelled].astype(np.int64) * size + right[labelled]
    return np.bincount(cells, minlength=size * size).reshape(size, size).astype(np.int64)


def _of_label(confusion: npt.NDArray[np.int64], label: int) -> dict[str, Any]:
    """Return how well annotators agree on whether blocks have a label."""
    both = int(confusion[label, label])
    only_first, only_second = int(confusion[label].sum()) - both, int(confusion[:, label].sum()) - both
    neither = int(confusion.sum()) - both - only_first - only_second
    return {
        "label": LABELS[label],
        "kappa": cohens_kappa([[both, only_first], [only_second, neither]]),
        "both": both,
        "first": only_first,
        "second": only_second,
    }
