"""Why a block was kept or dropped, in words and as bars: what the reasons of a method say, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dehusk.base.errors import counted
from dehusk.blocks import segment
from dehusk.compiled.site import site_evidence
from dehusk.counts.model import SiteModel
from dehusk.document import Document
from dehusk.read.xpath import xpaths
from dehusk.studio.outcome import block_outcome

_LEAST = 0.3  # log-odds worth a word
_SHOWN = 0.05  # log-odds worth a bar
_NAMED = 3


def why(document: Document, block: int, site: SiteModel | None = None) -> dict[str, Any]:
    """Return what is known about the decision for one common block, as plain values.

    Args:
        document: the page, cleaned with reasons.
        block: number of the common block.
        site: what the pages of its site share, whether the method used it or not.

    Returns:
        words (sentences), site (what the site's other pages have there, "" if that is not known), bars (name and what
        it adds in log-odds, signed), reason (as the method words it), evidence (of the method), hidden (why readers do
        not see the text, or None), path (XPath of the element).

    Raises:
        KeyError: there is no such block.
    """
    outcome, labels = block_outcome(document), document.labels
    if not 0 <= block < len(outcome.own):
        raise KeyError(block)
    own = int(outcome.own[block])
    evidence = labels.evidence[own] if len(labels.evidence) else {}
    node = int(segment(document.page).node[block])
    kept, hidden = bool(outcome.kept[block]), labels.hidden.get(own)
    return {
        "words": _words(evidence, hidden, kept=kept),
        "site": _site_words(document, block, evidence, site),
        "bars": _bars(evidence),
        "reason": labels.reasons[own] if len(labels.reasons) else "",
        "evidence": evidence,
        "hidden": hidden,
        "path": xpaths(document.page, [node])[node],
    }


def _bars(evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what shifts the log-odds, the strongest first; then the site and the unit."""
    families = evidence.get("families", ())
    bars = [{"name": row["name"], "adds": row["adds"]} for row in families if abs(row["adds"]) >= _SHOWN]
    if "site" in evidence:
        bars.append({"name": "the site's other pages", "adds": evidence["site"]["adds"]})
    if evidence.get("element", {}).get("adds"):
        bars.append({"name": "its element on other pages", "adds": evidence["element"]["adds"]})
    if evidence.get("unit-adds"):
        bars.append({"name": "its unit", "adds": evidence["unit-adds"]})
    return bars


def _words(evidence: Mapping[str, Any], hidden: str | None, *, kept: bool) -> list[str]:
    sentences = []
    if "rule" in evidence:
        sentences.append(f"A rule {'keeps' if kept else 'drops'} it: {evidence['rule']}.")
    families = evidence.get("families", ())
    for verdict, sign in (("For it", 1), ("Against it", -1)):
        named = [row["name"] for row in families if sign * row["adds"] >= _LEAST][:_NAMED]
        if named:
            sentences.append(f"{verdict}: {_listed(named)}.")
    if families and not sentences:
        sentences.append("All that is known of it agrees: no single part changes much.")
    shift = float(evidence.get("unit-adds") or 0)
    if abs(shift) >= _LEAST:
        sentences.append(f"Its list, table or record speaks {'for' if shift > 0 else 'against'} it.")
    if hidden:
        sentences.append(f"Readers of the page do not see it: {hidden}.")
    return sentences


def _site_words(document: Document, block: int, evidence: Mapping[str, Any], site: SiteModel | None) -> str:
    if "site" in evidence:
        return " ".join(filter(None, (_site_sentence(evidence["site"]), *_element_sentences(evidence))))
    found = None if site is None else site_evidence(segment(document.page), site)
    if found is None:
        return ""
    columns = {"same-path": found.same_slot, "same-text": found.same_text, "template": found.template}
    return _site_sentence({name: column[block] for name, column in columns.items()})


def _element_sentences(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the site's pages, and labels on them, say of the block's element."""
    for name, who in (("element", "On the {} with this element"), ("labels", "By labels on {}")):
        found = evidence.get(name) or {}
        if found.get("pages"):
            verdict = "content" if found["log-odds"] > 0 else "noise"
            odds = f"{found['log-odds']:+.1f}".replace("-", "−")
            yield f"{who.format(counted(found['pages'], 'page'))} it is rather {verdict} ({odds})."


def _site_sentence(site: Mapping[str, Any]) -> str:
    same, others = site["same-text"], site["same-path"]
    if not others:
        return "No other page of the site has text in this place."
    pages = f"{others} other page{'' if others == 1 else 's'} of the site"
    if not same:
        return f"{pages[0].upper()}{pages[1:]} ha{'s' if others == 1 else 've'} other text in this place."
    template = "; it is template" if site["template"] else ""
    return f"The same text is on {same} of {pages}{template}."


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
