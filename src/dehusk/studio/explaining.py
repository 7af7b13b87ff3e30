"""Why a block was kept or dropped: what the reasons of a method say, for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dehusk.base.errors import counted
from dehusk.blocks import segment
from dehusk.compiled.site import site_evidence
from dehusk.counts.model import SiteModel
from dehusk.document import Document
from dehusk.read.xpath import xpaths
from dehusk.studio.outcome import block_outcome, check_block


def why(document: Document, block: int, site: SiteModel | None = None) -> dict[str, Any]:
    """Return what is known about the decision for one common block, as plain values.

    Args:
        document: the page, cleaned with reasons.
        block: number of the common block.
        site: what the pages of its site share, whether the method used it or not.

    Returns:
        words (a sentence), otherwise (which settings decide otherwise, "" if that is not known), site (what the site's
        other pages have there, "" if that is not known), base and of (what the sum of the log-odds begins with, and
        whose mean that is), bars (of each part the name, what it adds, and its standard error), total (the sum), node
        (the element that the sentence quotes, or None), evidence (of the method, without these), hidden (why readers
        do not see the text, or None), path (XPath of the element).

    Raises:
        NoBlockError: there is no such block.
    """
    outcome, labels = block_outcome(document), document.labels
    check_block(block, len(outcome.own))
    own = int(outcome.own[block])
    evidence: dict[str, Any] = dict(labels.evidence[own]) if len(labels.evidence) else {}
    reason = labels.reasons[own].partition(" [log-odds ")[0] if len(labels.reasons) else ""  # the sum has its own place
    steps: list[dict[str, Any]] = evidence.pop("steps", [])
    facts: list[dict[str, Any]] = evidence.pop("facts", [])
    words, otherwise = str(evidence.pop("why", "")), str(evidence.pop("otherwise", ""))
    is_own = bool(words) and reason.startswith(words)  # else a later step decided, such as hidden text
    node, hidden = int(segment(document.page).node[block]), labels.hidden.get(own)
    if "rule" in evidence:
        reason = f"A rule {'keeps' if outcome.kept[block] else 'drops'} it: {evidence['rule']}."
    said = [words if is_own else "" if hidden and reason.startswith("hidden") else reason]
    return {
        "words": " ".join(filter(None, (*said, f"Readers of the page do not see it: {hidden}." if hidden else ""))),
        "otherwise": otherwise if is_own else "",
        "site": _site_words(document, block, evidence, site),
        "base": evidence.pop("base", None),
        "of": evidence.pop("base-of", ""),
        "bars": steps,
        "total": evidence.pop("log-odds", None),
        "node": next((fact["node"] for fact in facts if fact["node"] >= 0), None) if is_own else None,
        "evidence": evidence,
        "hidden": hidden,
        "path": xpaths(document.page, [node])[node],
    }


def _site_words(document: Document, block: int, evidence: Mapping[str, Any], site: SiteModel | None) -> str:
    if "site" in evidence:
        return " ".join([_site_sentence(evidence["site"]), *_element_sentences(evidence)])
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
