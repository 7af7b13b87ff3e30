"""The pages whose labels would teach most: the least sure ones, unlike what is labelled, on new sites.

Each page is a vector: what the table says of it, and a sketch of the words of its start. Pages are chosen one after
another, each by its doubt and its distance from all that is labelled or chosen, so that two pages of one template do
not follow each other. Of many pages, the least sure ones and the least sure one of each site are considered.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import Row
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.studio.page_facts import TYPES
from dehusk.studio.project import Project
from dehusk.studio.rule_pages import heading

_CONSIDERED = 1_500  # pages of each kind
_LABELLED = 2_000
_SKETCH = 48
_WORD = re.compile(r"[^\W\d_]{3,}")
_UNSURE, _UNLIKE, _NEW = 1.0, 0.8, 0.35  # weights; that of a site falls with its labelled pages
_EMPTY = 0.4  # of the doubt about pages of which nothing is kept: most of them are rightly empty
_COLUMNS = "id, title, name, url, host, input, type, confidence, kept, words, blocks, language, preview"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _PagePool:
    rows: Sequence[Row]
    vectors: Floats


def next_pages(project: Project, count: int = 20) -> list[dict[str, Any]]:
    """Return the pages to label next, the most instructive first, each with its reasons in words.

    Args:
        project: the project.
        count: number of pages.
    """
    pool, labelled = _pool(_candidates(project)), _pool(_labelled(project))
    if not len(pool.rows):
        return []
    doubt = np.array([(1.0 - row["confidence"]) * (1.0 if row["words"] else _EMPTY) for row in pool.rows])
    distance = _distances(pool.vectors, labelled.vectors) if len(labelled.rows) else np.ones(len(pool.rows))
    known = Counter(row["host"] for row in labelled.rows)
    typical = float(np.median(distance))
    left = np.ones(len(pool.rows), dtype=np.bool_)
    found: list[dict[str, Any]] = []
    while left.any() and len(found) < count:
        novelty = np.array([bool(row["host"]) / (1 + known[row["host"]]) for row in pool.rows])
        score = np.where(left, _UNSURE * doubt + _UNLIKE * distance + _NEW * novelty, -np.inf)
        best = int(np.argmax(score))
        row, unlike = pool.rows[best], float(distance[best])
        reasons = _reasons(row, is_new=bool(novelty[best] == 1), is_unlike=bool(labelled.rows) and unlike > typical)
        found.append(heading(row) | {"host": row["host"], "score": round(float(score[best]), 3), "reasons": reasons})
        known[row["host"]] += 1
        left[best] = False
        distance = np.minimum(distance, _distances(pool.vectors, pool.vectors[best : best + 1]))
    return found


def _candidates(project: Project) -> list[Row]:
    wanted = "labelled = 0 AND flag = '' AND blocks > 0"
    unsure = f"SELECT id FROM page WHERE {wanted} ORDER BY confidence, id LIMIT ?"  # noqa: S608 (constants)
    of_sites = f"SELECT id, min(confidence) FROM page WHERE {wanted} AND host <> '' GROUP BY host LIMIT ?"  # noqa: S608
    chosen = f"SELECT id FROM ({unsure}) UNION SELECT id FROM ({of_sites})"  # noqa: S608
    query = f"SELECT {_COLUMNS} FROM page WHERE id IN ({chosen}) ORDER BY id"  # noqa: S608
    return project.reading.execute(query, (_CONSIDERED, _CONSIDERED)).fetchall()


def _labelled(project: Project) -> list[Row]:
    query = f"SELECT {_COLUMNS} FROM page WHERE labelled > 0 ORDER BY id LIMIT ?"  # noqa: S608
    return project.reading.execute(query, (_LABELLED,)).fetchall()


def _pool(rows: Sequence[Row]) -> _PagePool:
    vectors = np.array([_vector(row) for row in rows]) if rows else np.zeros((0, len(TYPES) + 4 + _SKETCH))
    return _PagePool(rows, vectors)


def _vector(row: Row) -> Floats:
    """Return what is known of a page as numbers, in two parts of about the same length."""
    kind = [0.5 * (row["type"] == name) for name in TYPES]
    sizes = [np.log1p(row["words"]) / 9, np.log1p(row["blocks"]) / 7, row["kept"], row["confidence"]]
    sketch = np.zeros(_SKETCH)
    for word in _WORD.findall(row["preview"].lower()):
        sketch[zlib.crc32(word.encode("utf-8", "replace")) % _SKETCH] += 1
    size = float(np.linalg.norm(sketch))
    return np.concatenate([kind, sizes, 0.5 * sketch / size if size else sketch])


def _distances(vectors: Floats, others: Floats) -> Floats:
    """Return the distance of each vector to the nearest of some others, shape (n,)."""
    squares = (vectors**2).sum(axis=1)[:, None] + (others**2).sum(axis=1)[None, :] - 2 * vectors @ others.T
    nearest: Floats = np.sqrt(np.maximum(squares, 0).min(axis=1))
    return nearest


def _reasons(row: Row, *, is_new: bool, is_unlike: bool) -> list[str]:
    reasons = [f"confidence {row['confidence']:.2f}"]
    if is_new:
        reasons.append("first page of its site")
    if is_unlike:
        language = f" in {row['language']}" if row["language"] else ""
        reasons.append(f"unlike what is labelled: {row['type']}{language}, {row['words']:,} words")
    return reasons
