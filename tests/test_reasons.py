"""Reasons: the parts sum to the log-odds that decide, what is quoted is on the page, what favour would change is so."""

import re
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

import dehusk
from dehusk.label.united.columns import FAMILIES
from dehusk.label.united.quotes import Quotes
from dehusk.label.united.reasons import FAVOURS

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

from reasons import CHECKS, Checked, judged  # noqa: E402

TEXT = "Green tea turns bitter for two reasons: the water was too hot, or the leaves stayed in it for far too long. "
ITEM = "<li><a href=/{0}>Tea number {0}</a></li>"
LINKS = "".join(map(ITEM.format, range(8)))
PAGE = f"""<title>How to brew green tea - The Tea Room</title>
<header><nav id="topNav"><ul>{LINKS}</ul></nav><a href=/>The Tea Room</a></header>
<article class="post entry">
<h1>How to brew green tea</h1><p class="byline">By Ann Example, 3 May 2024</p>
<p>{TEXT * 2}</p><p>{TEXT}<a href=/cups>cups</a></p>
<h2>What you need</h2><ul class="ingredients"><li>a pot of iron<li>leaves<li>water of 80 degrees</ul>
<table><tr><th>Tea<th>Minutes<tr><td>Sencha<td>2<tr><td>Gyokuro<td>3</table>
<pre><code>heat(80)
wait(2)</code></pre><blockquote>{TEXT}</blockquote>
<h2>Related stories</h2><div class="related-posts"><a href=/1>Black tea</a> <div><a href=/2>White tea</a></div></div>
</article>
<aside class="sidebar widget"><h3>Popular</h3><ul>{LINKS}</ul><p>{TEXT}</p></aside>
<div class="share"><button>Share</button><div><a href=/s>Share</a></div><form><label>Mail</label>
<textarea>Write to us</textarea></form></div>
<footer><p>All rights reserved by the people of the tea room</p><p>Imprint</p></footer>"""
SHELF = "".join(
    f"<div class=c><a href=/{n}><h3>Pot {n}</h3></a><span class=price>{n}.50 EUR</span><a href=/b>Buy</a></div>"
    for n in range(1, 9)
)
PAGES = {
    "made": PAGE,
    "shelf": f"<title>Pots</title><h1>Pots</h1>{SHELF}<div id=footer>{LINKS}</div>",
    "one text": "<p>Tea.",
    "no headings": "".join(f"<div>{TEXT}</div>" for _ in range(3)) + "<div>© Tea</div>",
    "spaces": f"<div class='  a\tb '>  {TEXT}\n  </div><pre>  two\n    four</pre>",
    "Japanese": "<h1>緑茶の入れ方</h1><p>" + "お茶は熱すぎると苦くなります。" * 5 + "<nav><a href=/>戻る</a></nav>",
}
EXAMPLES = sorted((ROOT / "examples").rglob("*.html"))[:40]


def findings(document: dehusk.Document) -> Counter[str]:
    counted = Counter(name for name, _ in judged(document, list(range(len(document.blocks)))))
    wrong = [one for one in judged(document, list(range(len(document.blocks)))) if one[0] in WRONG]
    assert not wrong
    return counted


WRONG = {"sums wrong", "opposite sign", "untrue"}


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("style", ["auto", "body"])
def test_sums_and_quotations_of_made_pages(name: str, style: str) -> None:
    document = dehusk.clean(PAGES[name], explain=True, style=style)
    found = findings(document)
    assert found["blocks"] == len(document.blocks)
    assert found["true"]


def test_sums_and_quotations_of_the_examples() -> None:
    found = Counter[str]()
    documents = [dehusk.clean(path.read_bytes(), explain=True) for path in EXAMPLES]
    documents += [dehusk.clean(page, explain=True, favour=favour) for page in PAGES.values() for favour in (0.1, 0.9)]
    for document in documents:
        found += findings(document)
    assert found["blocks"] > 500
    assert found["without a quotation"] < 0.05 * found["blocks"]


def test_all_that_could_be_quoted_is_true() -> None:
    """Whatever the net finds strongest: every family, for and against every block."""
    said = set()
    for source in (*PAGES.values(), *(path.read_bytes() for path in EXAMPLES)):
        document = dehusk.clean(source)
        page, quotes = Checked(document), Quotes(document.labels.blocks)
        for family, block, sign in product(FAMILIES, range(len(document.blocks)), (1, -1)):
            fact = quotes.about(family, block, sign)
            assert fact is None or page.is_true(fact.says, fact.node, block), (fact, block)
            said.update(pattern for pattern, _ in CHECKS if fact and re.fullmatch(pattern, fact.says, re.DOTALL))
    elsewhere = {"never content", "decided", "site", "same text"}
    assert {pattern for pattern, _ in CHECKS if not any(word in pattern for word in elsewhere)} <= said


def test_the_check_of_quotations_can_fail() -> None:
    document = dehusk.clean(PAGE, explain=True)
    page = Checked(document)
    facts = [(number, fact) for number, block in enumerate(document.blocks) for fact in block.evidence["facts"]]
    changed = 0
    for number, fact in facts:
        if digits := re.search(r"\d+", fact["says"]):
            wrong = fact["says"].replace(digits[0], str(int(digits[0]) + 1), 1)
            changed += 1
            assert not page.is_true(wrong, fact["node"], number), wrong
        if "<" in fact["says"]:
            changed += 1
            assert not page.is_true(fact["says"], 0, number)
    assert changed > 50
    with pytest.raises(ValueError, match="no check"):
        page.is_true("it is nice", -1, 0)


def test_reasons_are_the_same_in_every_run() -> None:
    first, second = (dehusk.clean(PAGE, explain=True) for _ in range(2))
    assert first.record(evidence=True) == second.record(evidence=True)


def test_what_is_explained_is_what_is_decided() -> None:
    for page in PAGES.values():
        plain, explained = dehusk.clean(page), dehusk.clean(page, explain=True)
        assert [block.kept for block in plain.blocks] == [block.kept for block in explained.blocks]
        assert plain.labels.probability.tolist() == explained.labels.probability.tolist()
        for block in explained.blocks:
            assert block.reason.startswith("Kept" if block.kept else "Dropped")


@pytest.mark.parametrize("now", [0.5, 0.33, 0.0, 1.0])
def test_what_favour_would_change_is_so(now: float) -> None:
    seen = set()
    for page in PAGES.values():
        kept = {favour: [block.kept for block in dehusk.clean(page, favour=favour).blocks] for favour in FAVOURS}
        for number, block in enumerate(dehusk.clean(page, explain=True, favour=now).blocks):
            row = {favour: each[number] for favour, each in kept.items()}
            says = block.evidence["otherwise"]
            seen.add(re.sub(r"[\d.]+", "#", says))
            at = float(found[0]) if (found := re.search(r"\d(?:\.\d\d)?", says)) else None
            if at is None:
                assert set(row.values()) == {says.startswith("Every")} == {block.kept}
            else:
                assert row[at] == says.startswith("Kept") != block.kept
            if says.endswith(" on."):
                assert {each for favour, each in row.items() if favour >= at} == {True}
                assert not row[max(favour for favour in FAVOURS if favour < at)]
            if says.endswith(" down."):
                assert {each for favour, each in row.items() if favour <= at} == {False}
                assert row[min(favour for favour in FAVOURS if favour > at)]
    assert len(seen) >= 3


def test_the_sentence_quotes_what_a_reader_sees() -> None:
    document = dehusk.clean(PAGE, explain=True)
    why = {block.text: block.evidence["why"] for block in document.blocks}
    assert '<aside class="sidebar widget">' in why["Popular"]
    assert "<textarea>, whose text is never content" in why["Write to us"]
    assert "<footer>" in why["Imprint"]
    assert 'id="topNav"' in why["Tea number 3"] or "links" in why["Tea number 3"]


def test_sites_are_quoted_and_summed() -> None:
    frame = "<div class=top>{0}</div><h1>Tea {1}</h1><p class=text>" + TEXT + "{1}</p><div class=foot>{0}</div>"
    pages = [frame.format("Come and see our shop of teas in the old town", number) for number in range(6)]
    site = dehusk.Site().fit(pages)
    site.teach(dehusk.segment(dehusk.parse(pages[1])), [2, 0, 2, 4])
    document = dehusk.clean(pages[0], site=site, explain=True)
    findings(document)
    whole = " ".join(str(block.reason) for block in document.blocks)
    assert "labels on 1 page of this site" in whole
    assert "on the site" in whole
