"""Vectors of pages by the formulas of Yi & Liu (2003), section 3, without dehusk; all attributes are for display."""

import re
from collections import Counter
from itertools import count, product
from math import log

from lxml import html


class Node:
    def __init__(self, element, vector, places):
        self.vector, self.place, self.children = vector, next(places), [Node(e, vector, places) for e in element]
        self.r, self.style = (element.tag, frozenset(element.items())), tuple(child.r for child in self.children)
        self.own = re.findall(r"[^\W_]+", " ".join(element.xpath("text()")).lower())
        self.words = self.own + [word for child in self.children for word in child.words]
        self.kind = "inner" if any(child.children for child in self.children) else "leaf"  # one level below, or none


def merged(places, words, *thresholds):  # step 3: groups with equal words, then each with the first similar one
    groups = list(places.values())
    for least in (1.0, thresholds[1]) if thresholds else ():
        at = 0
        while at < len(groups):
            dfs = [Counter(word for tag in tags for word in set(getattr(tag, words))) for tags in groups]
            sets = [{a for a in df if df[a] / len(tags) >= thresholds[0]} for df, tags in zip(dfs, groups, strict=True)]
            near = (o for o, s in enumerate(sets) if o != at and groups[o][0].r == groups[at][0].r and s & sets[at])
            partner = next((o for o in near if len(sets[o] & sets[at]) / len(sets[o] | sets[at]) >= least), None)
            if partner is not None:
                groups[min(at, partner)] += groups.pop(max(at, partner))
            at = at + 1 if partner is None else min(at, partner)
    return groups


def weigh(tags, kind, rest, *options):  # E.TAGs; rest: the product of 1 - NodeImp over all elements above E
    m, texts, children, styles = len(tags), {}, {}, Counter(tag.style for tag in tags)
    if kind == "inner":
        rest *= 1 + sum(n / m * log(n / m, m) for n in styles.values()) if m > 1 else 0  # 1
        for tag in sorted(tags, key=lambda tag: tag.place):
            _ = tag.own and texts.setdefault(options and tag.style, []).append(tag)
            for i, child in enumerate(tag.children):
                place = (tag.style, i) if options else (child.r, tag.style[:i].count(child.r))
                children.setdefault(place, []).append(child)
        for group in merged(texts, "own", *options):
            weigh(group, "own", rest, *options)
        for group, part in product(merged(children, "words", *options), ("leaf", "inner")):
            weigh([tag for tag in group if tag.kind == part], part, rest, *options)
        return
    f = [Counter(tag.own if kind == "own" else tag.words) for tag in tags]
    total = sum(f, Counter())
    h = {a: -sum(n[a] / total[a] * log(n[a] / total[a], m) for n in f if n[a]) if m > 1 else 0 for a in total}  # 3
    path_imp = 1 - rest * (sum(h.values()) / len(h) if h else 1)  # 2 and 4
    for tag, a, n in ((tag, a, n) for tag, counts in zip(tags, f, strict=True) for a, n in counts.items()):
        tag.vector[a] += path_imp * (1 - h[a]) * n  # 5


def page_vectors(pages, *gamma_and_lambda):  # mode "style" with both, mode "ordinal" without
    vectors, places, roots = [Counter() for _ in pages], count(), map(html.document_fromstring, pages)
    weigh([Node(*root, places) for root in zip(roots, vectors, strict=True)], "inner", 1, *gamma_and_lambda)
    return vectors
