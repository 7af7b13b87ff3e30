"""Check the reasons of blocks: do the parts sum to the log-odds, and is what the sentences quote true of the page?

    python bench/reasons.py DATA [--blocks N]

Blocks are taken from the pages of wcxb-dev at equal distances, of every tenth page. Each quotation is checked by loops
over the page that share no code with those that made it; words and words in links are counted as blocks count them. The
time of `clean(explain=True)` is beside that of `clean`.
"""

import argparse
import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

import numpy as np

from clock import cpu
from dehusk import Document, clean
from dehusk.blocks.units.decisions import decision_groups
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from sets import set_path, write_results

NEAR, LONG = 5, 20
MOST_OFF, MOST_SHARE = 0.02, 0.02  # of a sum: log-odds, and their share
HEADINGS = {f"h{level}" for level in range(1, 7)}
PLACES = {
    "a navigation": {"nav"},
    "an aside": {"aside"},
    "a footer": {"footer"},
    "a header": {"header"},
    "a form": {"form"},
    "a button": {"button"},
    "a menu": {"menu"},
    "a paragraph": {"p"},
    "a quotation": {"blockquote"},
    "preformatted text": {"pre"},
    "code": {"code"},
    "a caption": {"figcaption"},
    "a cell of a table": {"td", "th"},
    "an item of a list": {"li"},
    "a list of definitions": {"dd", "dt"},
    "a heading": HEADINGS,
}
NEVER = {"object", "embed", "applet", "select", "option", "textarea", "frame", "audio", "video", "canvas"}


class Checked:
    """A page as a reader would look it through, one block at a time."""

    def __init__(self, document: Document) -> None:
        self.document, self.blocks, self.page = document, document.labels.blocks, document.page
        self.words, self.linked = self.blocks.words.tolist(), self.blocks.link_words.tolist()
        self.texts = [" ".join(text.split()) for text in self.blocks.texts]
        self.count = len(self.texts)

    @cached_property
    def around(self) -> list[list[int]]:
        """Of each block: the elements around all of it, the innermost first."""
        found = []
        for first, last in zip(self.blocks.first.tolist(), self.blocks.last.tolist(), strict=True):
            above, node = [], int(self.page.parent[first])
            while node >= 0:
                if self.page.end[node] > last:
                    above.append(node)
                node = int(self.page.parent[node])
            found.append(above)
        return found

    @cached_property
    def inside(self) -> dict[int, list[int]]:
        """Element -> the blocks that start in it."""
        found: dict[int, list[int]] = {}
        for block, first in enumerate(self.blocks.first.tolist()):
            node = int(self.page.parent[first])
            while node >= 0:
                found.setdefault(node, []).append(block)
                node = int(self.page.parent[node])
        return found

    @cached_property
    def headings(self) -> list[int]:
        """Blocks that start in a heading."""
        of_headings = [blocks for node, blocks in self.inside.items() if self.page.tag_name(node) in HEADINGS]
        return sorted({block for blocks in of_headings for block in blocks})

    def tags(self, block: int) -> set[str]:
        """Return the tags around a block."""
        return {self.page.tag_name(node) for node in self.around[block] if node}

    def path(self, block: int) -> list[tuple[str, str]]:
        """Return the tags and classes around a block."""
        return [(self.page.tag_name(node), self.page.attribute(node, "class") or "") for node in self.around[block]]

    def is_link(self, block: int) -> bool:
        """Return whether all words of a block are in links."""
        return 0 < self.words[block] <= self.linked[block]

    def is_long(self, block: int) -> bool:
        """Return whether a block is a long text."""
        return bool(self.words[block] - self.linked[block] >= LONG)

    def is_quoted(self, shown: str, node: int) -> bool:
        """Return whether a start tag is that of an element."""
        match = re.fullmatch(r'<([^ >]+)(?: (class|id)="(.*)")?>', shown, re.DOTALL)
        if not match or match[1] != self.page.tag_name(node):
            return False
        if match[2] is None:
            return not any((self.page.attribute(node, name) or "").strip() for name in ("class", "id"))
        value, wanted = (self.page.attribute(node, match[2]) or "").split(), match[3].removesuffix("…").split()
        whole = wanted[:-1] if match[3].endswith("…") else wanted
        return set(whole) <= set(value) and (whole == wanted or any(each.startswith(wanted[-1]) for each in value))

    def is_text(self, shown: str, block: int) -> bool:
        """Return whether a quotation is the text of a block, or its start."""
        text = self.texts[block]
        return text.startswith(shown.removesuffix("…")) if shown.endswith("…") else text == shown

    def sums(self, blocks: list[int]) -> tuple[int, int, int]:
        """Return of some blocks the words, the words in links, and how many are links."""
        words, linked = (sum(column[block] for block in blocks) for column in (self.words, self.linked))
        return words, linked, sum(map(self.is_link, blocks))

    def near(self, block: int) -> list[int]:
        """Return the blocks on either side."""
        return [other for other in range(block - NEAR, block + NEAR + 1) if 0 <= other < self.count and other != block]

    def is_true(self, says: str, node: int, block: int) -> bool:
        """Return whether a fact about a block is true; raises ValueError if nothing can check it."""
        for pattern, check in CHECKS:
            if match := re.fullmatch(pattern, says, re.DOTALL):
                return check(self, match, node, block)
        raise ValueError(f"no check for: {says}")


def number(text: str) -> int:
    return {"the": 1, "both": 2}.get(text, 0) or int(text)


OF = r"(?:(?:all )?(?P<all>\d+|the|both) texts?|(?P<some>\d+) of the (?P<of>\d+) texts)"


def counts(match: re.Match[str]) -> tuple[int, int]:
    """Return k and n of "k of the n texts" or "all n texts"."""
    every = match["all"]
    return (number(every), number(every)) if every else (int(match["some"]), int(match["of"]))


def links_of(page: Checked, match: re.Match[str], blocks: list[int]) -> bool:
    return counts(match) == (page.sums(blocks)[2], len(blocks))


def words_of(page: Checked, match: re.Match[str], blocks: list[int]) -> bool:
    words, linked, _ = page.sums(blocks)
    told = match.groupdict().get("linked")
    return (int(match["words"]), int(match["count"])) == (words, len(blocks)) and told in (None, str(linked))


def same_path(page: Checked, block: int) -> list[int]:
    own = page.path(block)
    return [other for other in range(page.count) if page.path(other) == own]


def place(page: Checked, match: re.Match[str], node: int, block: int) -> bool:
    where = match.groupdict().get("place")
    return (
        (where is None or bool(PLACES[where] & page.tags(block)))
        and node in page.around[block]
        and page.is_quoted(match["tag"], node)
    )


def no_place(page: Checked, match: re.Match[str], node: int, block: int) -> bool:
    bare = not {"p", "article", "main", *HEADINGS} & page.tags(block)
    return bare and node == page.around[block][0] and page.is_quoted(match["tag"], node)


def named(page: Checked, match: re.Match[str], node: int, block: int) -> bool:
    value = page.page.attribute(node, match["attribute"]) or ""
    return place(page, match, node, block) and match["word"] in value


def own_links(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    return (int(match[1]), int(match[2])) == (page.linked[block], page.words[block])


def whole_share(page: Checked, match: re.Match[str], node: int, block: int) -> bool:
    inside = page.inside[node]
    share = round(100 * page.sums(inside)[0] / sum(page.words))
    is_side = (block in inside) == (match["side"] == "inside")
    return is_side and share == int(match["share"]) and page.is_quoted(match["tag"], node)


def beyond_long(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    others = range(block + 1) if match[1] == "before" else range(block, page.count)
    return not any(map(page.is_long, others)) and any(map(page.is_long, range(page.count)))


def under(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    above = [heading for heading in page.headings if heading < block]
    return block not in page.headings and page.is_text(match["text"], above[-1])


def heads(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    following = [heading for heading in page.headings if heading > block]
    section = list(range(block + 1, following[0] if following else page.count))
    return block in page.headings and page.sums(section)[0] == int(match["words"])


def holder(page: Checked, match: re.Match[str], node: int, block: int, check: Callable[..., bool]) -> bool:
    is_around = node in page.around[block] and page.is_quoted(match["tag"], node)
    return is_around and check(page, match, page.inside[node])


def titled(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    title, text = " ".join((page.document.title or "").casefold().split()), page.texts[block].casefold()
    return text == title if match["whole"] else text in title


def grouped(page: Checked, match: re.Match[str], node: int, block: int) -> bool:
    group = decision_groups(page.blocks)
    members = np.flatnonzero(group == group[block]).tolist()
    return (
        len(members) == int(match["others"]) + 1
        and set(members) <= set(page.inside[node])
        and page.is_quoted(match["tag"], node)
    )


def of_site(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    evidence = page.document.blocks[block].evidence or {}
    site = evidence["site"]
    return (int(match["same"]), int(match["pages"])) == (site["same-text"], site["same-path"])  # type: ignore[index]


def of_element(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    element = (page.document.blocks[block].evidence or {})["element"]
    likes = match["looks"] == "look"
    return int(match["pages"]) == element["pages"] and likes == (element["log-odds"] > 0)  # type: ignore[index]


def of_labels(page: Checked, match: re.Match[str], _node: int, block: int) -> bool:
    labels = (page.document.blocks[block].evidence or {})["labels"]
    return int(match["pages"]) == labels["pages"] and (match["verb"] == "keep") == (labels["log-odds"] > 0)  # type: ignore[index]


TAG = r"(?P<tag><.*>)"
CHECKS: list[tuple[str, Callable[[Checked, re.Match[str], int, int], bool]]] = [
    (r"in no paragraph, heading or article, only in " + TAG, no_place),
    ("in " + TAG + r", whose (?P<attribute>class|id) says “(?P<word>.+)”", named),
    (
        "in " + TAG + ", whose text is never content",
        lambda p, m, n, b: p.page.tag_name(n) in NEVER and n in p.around[b] and p.is_quoted(m["tag"], n),
    ),
    (r"(?:in|on) (?:(?P<place>[a-z ]+?)(?:,| in) )?" + TAG, place),
    (r"it has no link", lambda p, _m, _n, b: not p.linked[b]),
    (r"it is a link and nothing else", lambda p, _m, _n, b: p.is_link(b)),
    (r"(\d+) of its (\d+) words (?:is|are) linked", own_links),
    (
        r"“(?P<text>.*)” is on the page (?P<times>\d+) times",
        lambda p, m, _n, b: p.is_text(m["text"], b) and p.blocks.texts.count(p.blocks.texts[b]) == int(m["times"]),
    ),
    (r"it has (\d+) words", lambda p, m, _n, b: p.words[b] == int(m[1])),
    (r"it (?:says only|says|begins) “(?P<text>.*)”", lambda p, m, _n, b: p.is_text(m["text"], b)),
    (OF + r" around it (?:is a link|are links)", lambda p, m, _n, b: links_of(p, m, p.near(b))),
    (
        r"(?:only )?(?P<words>\d+) words? in the (?P<count>\d+) texts around it(?:, (?P<linked>\d+) in links)?",
        lambda p, m, _n, b: words_of(p, m, p.near(b)),
    ),
    (OF + " of its " + TAG + " are links", lambda p, m, n, b: holder(p, m, n, b, links_of)),
    (
        r"(?:only )?(?P<words>\d+) words? in the (?P<count>\d+) texts of its "
        + TAG
        + r"(?:, (?P<linked>\d+) in links)?",
        lambda p, m, n, b: holder(p, m, n, b, words_of),
    ),
    (OF + " with its tags and classes are links", lambda p, m, _n, b: links_of(p, m, same_path(p, b))),
    (
        r"(?:only )?(?P<mean>\d+) words on average of the (?P<count>\d+) texts with its tags and classes",
        lambda p, m, _n, b: (
            (len(same := same_path(p, b)), f"{p.sums(same)[0] / len(same):.0f}") == (int(m["count"]), m["mean"])
        ),
    ),
    (r"(before|after) the (?:first|last) long text of the page", beyond_long),
    (
        r"(?P<side>inside|outside) of "
        + TAG
        + r", which has (?P<share>\d+) % of the page's words(?:, and is not the one around it)?",
        whole_share,
    ),
    (
        r"it is text (\d+) of the page's (\d+)",
        lambda p, m, _n, b: (int(m[1]), int(m[2])) == (b + 1, p.count),
    ),
    (r"under the heading “(?P<text>.*)”", under),
    (r"above the first heading", lambda p, _m, _n, b: bool(p.headings) and b < p.headings[0]),
    (r"it is a heading with (?:only )?(?P<words>\d+) words? under it", heads),
    (
        r"(?P<words>\d+) words? in its " + TAG,
        lambda p, m, n, b: n in p.around[b] and p.sums(p.inside[n])[0] == int(m["words"]) and p.is_quoted(m["tag"], n),
    ),
    (r"it is (?:(?P<whole>the page's title)|part of the page's title)", titled),
    (
        r"on a page with (\d+) of (\d+) words? in texts of \d+ words or more",
        lambda p, m, _n, _b: (
            (int(m[1]), int(m[2])) == (sum(p.words[each] for each in range(p.count) if p.is_long(each)), sum(p.words))
        ),
    ),
    (r"decided as one with (?P<others>\d+) other texts? in " + TAG, grouped),
    (r"the same text(?: at the same path)? on (?P<same>\d+) of (?P<pages>\d+) other pages?", of_site),
    (
        r"on (?P<pages>\d+) pages? of this site, texts in this place (?P<looks>look|do not look) like content",
        of_element,
    ),
    (r"labels on this site drop its element", lambda p, _m, _n, b: not p.document.labels.probability[b]),
    (r"labels on (?P<pages>\d+) pages? of this site (?P<verb>keep|drop) this place", of_labels),
]
"""Every phrase, and what checks it."""


def final_odds(document: Document, block: int) -> float | None:
    """Return the log-odds that decided about a block; None if its element never has content."""
    chance = min(max(float(document.labels.probability[block]), 1e-13), 1 - 1e-13)
    return math.log(chance / (1 - chance)) if document.labels.probability[block] else None


def judged(document: Document, blocks: list[int]) -> Iterator[tuple[str, str]]:
    """Yield what holds of blocks and what does not: a name, and what was found."""
    page = Checked(document)
    for number in blocks:
        record = document.blocks[number].evidence or {}
        if "steps" not in record:
            continue
        yield "blocks", ""
        total = record["base"] + sum(step["adds"] for step in record["steps"])  # type: ignore[operator,attr-defined]
        wanted = final_odds(document, number)
        if wanted is not None:
            is_near = abs(total - wanted) <= max(MOST_OFF, MOST_SHARE * abs(wanted))
            yield ("sums" if is_near else "sums wrong"), f"{total:.3f} for {wanted:.3f}"
            if total * wanted < 0 and abs(wanted) > MOST_OFF:
                yield "opposite sign", f"{total:.3f} for {wanted:.3f}"
        if not record["facts"]:
            yield "without a quotation", str(record["why"])
        for fact in record["facts"]:  # type: ignore[attr-defined]
            is_true = fact["says"] in str(record["why"]) and page.is_true(fact["says"], fact["node"], number)
            yield ("true" if is_true else "untrue"), f"{number}: {fact['says']}"


def errors(document: Document) -> list[float]:
    """Return the standard errors of what the strongest family of each block adds."""
    return [block.evidence["steps"][0]["error"] for block in document.blocks if "steps" in (block.evidence or {})]  # type: ignore[index]


def cleaned(pages: list[bytes], *, explain: bool) -> None:
    for data in pages:
        clean(data, explain=explain)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--blocks", type=int, default=1000, help="How many blocks to check.")
    options = parser.parse_args()
    pages = [sample.data for sample in islice(read_set(set_path(options.data, "wcxb-dev")), 0, None, 10)]
    found, shown, spread = Counter[str](), [], list[float]()
    for number, data in enumerate(pages):
        document = clean(data, explain=True)
        share = min(options.blocks // len(pages) + 2, options.blocks - found["blocks"])
        some = sorted({round(at) for at in np.linspace(0, len(document.blocks) - 1, share)} if document.blocks else ())
        for name, what in judged(document, some):
            found[name] += 1
            if name in ("sums wrong", "untrue", "opposite sign"):
                shown.append(f"- page {10 * number}: {name}: {what}")
        spread += errors(document)
    plain, explained = (cpu(partial(cleaned, pages[:50], explain=explain)) for explain in (False, True))
    values = {
        **{name: found[name] for name in ("blocks", "sums", "sums wrong", "opposite sign", "true", "untrue")},
        "without a quotation": found["without a quotation"],
        "median error of the strongest family": round(float(np.median(spread)), 2),
        "ms a page, clean": round(1000 * plain / 50, 1),
        "ms a page, clean --explain": round(1000 * explained / 50, 1),
    }
    rows = [["", "figure"], *([name, f"{value:,}"] for name, value in values.items())]
    text = (
        f"# Reasons\n\n`python bench/reasons.py DATA`, {dt.date.today()}: blocks of every tenth page of wcxb-dev. A sum is "
        f"right within {MOST_OFF} or {MOST_SHARE:.0%} of the log-odds that decide; blocks whose element never has content "
        f"have none. A quotation is true if loops over the page find the same.\n\n{markdown_table(rows)}\n"
        + "\n".join(shown)
    )
    write_results("reasons", text.rstrip() + "\n", values, judges="shipped")


if __name__ == "__main__":
    main()
