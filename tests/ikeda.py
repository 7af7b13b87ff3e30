"""Figures 2 and 3 of the paper, transcribed literally, with the decisions of the package's docstring.

The searches come to the same grams, counts and cut points again and again, so these are kept.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

Path = list[tuple[int, int, int, int]]


def fold(text: str) -> str:
    out = ""
    for letter in text:
        folded = " " if letter in " \t\n\x0b\x0c\r" else letter
        out += "" if folded == " " and out.endswith(" ") else folded
    return out


def documents_of(texts: list[str]) -> list[str]:
    """Return D, a set of documents that contain text."""
    return list(dict.fromkeys(fold(text) for text in texts if text.strip()))


@lru_cache(maxsize=128)
def grams_of(x: str, n: int, bounds: str = "") -> list[tuple[int, str]]:
    """Return the n-grams of a document with their positions, in order.

    Delimiters are at their ends only. A stretch from a delimiter to the next is a gram, too, if it is shorter than n.
    """
    found = []
    for i in range(len(x)):
        gram = x[i : i + n]
        if len(gram) == n and not set(gram[1:-1]) & set(bounds):
            found.append((i, gram))
        following = [j for j in range(i + 1, len(x)) if x[j] in bounds]
        if x[i] in bounds and following and following[0] + 1 - i < n:
            found.append((i, x[i : following[0] + 1]))
    return found


def countsort(documents: list[str], n: int, ties: str = "join", bounds: str = "") -> list[tuple[str, int]]:
    """Return O: the n-grams with their counts, by falling count, and in the given order where counts are equal."""
    counts = Counter(gram for x in documents for _, gram in grams_of(x, n, bounds))
    grams = sorted(counts)  # by code points
    if ties == "hashed":
        grams = [grams[i] for i in sorted(range(len(grams)), key=place_hash)]
    elif ties == "first-seen":
        grams = list(counts)
    return sorted(((gram, counts[gram]) for gram in grams), key=lambda item: -item[1])


def place_hash(place: int) -> int:
    mixed = (place + 1) * 0x9E3779B97F4A7C15 % 2**64
    mixed ^= mixed >> 32
    return mixed * 0xD6E8FEB86659FD93 % 2**64 >> 48


def frequent(ordered: list[tuple[str, int]], a: int, least: int = 2, ties: str = "join") -> set[str]:
    """Return the first a percent without grams that occur fewer than `least` times.

    With ties="join", all that are as frequent as the last of them are in, too.
    """
    k = len(ordered) * a // 100
    if k == 0:
        return set()
    if ties == "join":
        return {gram for gram, count in ordered if count >= max(ordered[k - 1][1], least)}
    return {gram for gram, count in ordered[:k] if count >= least}


def ranges(x: str, w: set[str], n: int, bounds: str = "") -> list[int]:
    r = [1] * len(x)
    for i, gram in grams_of(x, n, bounds):
        if gram in w:
            r[i : i + len(gram)] = [0] * len(gram)
    return r


def boundaries(documents: list[str], w: set[str], n: int, bounds: str = "") -> int:
    strings = [ranges(x, w, n, bounds) for x in documents]
    return sum(r[j] != r[j - 1] for r in strings for j in range(1, len(r)))


@dataclass(frozen=True)
class Oracle:
    """FindOptimal over some documents."""

    documents: list[str]
    ties: str = "hashed"
    least: int = 2
    bounds: str = ""
    ordered: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    counted: dict[tuple[int, int], int] = field(default_factory=dict)

    def useless(self, n: int, a: int) -> set[str]:
        """Return W."""
        if n not in self.ordered:
            self.ordered[n] = countsort(self.documents, n, self.ties, self.bounds)
        return frequent(self.ordered[n], a, self.least, self.ties)

    def alternation(self, n: int, a: int) -> int:
        if (n, a) not in self.counted:
            self.counted[n, a] = boundaries(self.documents, self.useless(n, a), n, self.bounds)
        return self.counted[n, a]

    def candidate(self, n: int, a: int) -> float:
        """Return the value of a step; no step may lead to a cut point without useless grams."""
        return self.alternation(n, a) if self.useless(n, a) else float("inf")

    def path(self, start: tuple[int, int], longest: int) -> list[tuple[int, int]]:
        """Follow figure 3 from (2, 1) or any other start; return the path."""
        n, a = start
        val0: float = self.alternation(n, a)
        path = [(n, a)]
        while n <= max(len(x) for x in self.documents) and a < 100:
            val1 = self.candidate(n, a + 1)
            val2 = self.candidate(n + 1, a) if n < longest else float("inf")
            if val0 <= val1 and val0 <= val2:
                break
            if val0 > val1 and val1 < val2:
                a, val0 = a + 1, val1
            elif val0 > val2 and val2 <= val1:
                n, val0 = n + 1, val2
            path.append((n, a))
        return path


def document_frequent(documents: list[str], n: int, t: int, bounds: str = "") -> set[str]:
    counts = Counter(gram for x in documents for gram, _ in countsort([x], n, bounds=bounds))
    return {gram for gram, count in counts.items() if count >= t}


def site(pages: int, seed: int = 0, words: int = 12, known: int = 80) -> list[str]:
    """Return pages of one template around random words.

    The words come from a vocabulary of `known` words with falling frequencies; with 0, every word is new.
    """
    random = Random(seed)  # noqa: S311 (nothing secret)

    def word() -> str:
        return "".join(random.choices("abcdefghijklmnop", k=random.randint(2, 8)))

    vocabulary = [word() for _ in range(known)]

    def text() -> str:
        weights = [1 / (i + 1) for i in range(known)]
        return " ".join(random.choices(vocabulary, weights, k=words) if known else [word() for _ in range(words)])

    head, foot = "<html><body><div class=nav>Home News Sport</div>\n<h1>", "</p><div>Copyright, all rights</div></html>"
    return [f"{head}{text()}</h1>\n<p>{text()}</p>\n<p class=text>{text()}{foot}" for _ in range(pages)]
