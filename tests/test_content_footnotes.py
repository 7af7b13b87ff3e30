"""Footnotes: references, notes, and what in the notes only leads back."""

import pytest

from cpu_time import assert_quick
from dehusk import parse
from dehusk.blocks.units.footnotes import find_footnotes
from dehusk.read.addresses import Addresses


def footnotes(source, url=None):
    """Return (text of each reference -> id, text of each note without what is left out -> id)."""
    page = parse(source, url)
    found = find_footnotes(page, Addresses.of(page))
    out = page.within(sorted(found.left_out)) > 0

    def text(node):
        nodes = [each for each in range(node, int(page.end[node])) if page.is_text[each] and not out[each]]
        return " ".join("".join(page.text[page.text_start[each] : page.text_end[each]] for each in nodes).split())

    references = [(text(node), note) for node, note in found.references.items()]
    return references, {note: text(node) for node, note in found.notes.items()}


WIKIPEDIA = """<p>Text<sup id="cite_ref-x_1-0"><a href="#cite_note-x-1"><span>[</span>1<span>]</span></a></sup> and
<sup id="cite_ref-x_1-1"><a href="#cite_note-x-1"><span>[</span>1<span>]</span></a></sup>.</p>
<ol><li id="cite_note-x-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-x_1-0"><sup><i><b>a</b></i></sup></a>
<a href="#cite_ref-x_1-1"><sup>b</sup></a></span> <span class="reference-text">A book.</span></li></ol>"""

PAGES = {
    "wikipedia": (WIKIPEDIA, [("[1]", "1"), ("[1]", "1")], {"1": "A book."}),
    "markdown": (
        (
            '<p>T<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup></p>'
            '<ol><li id="fn:1"><p>Note. <a href="#fnref:1" role="doc-backlink">↩︎</a></p></li></ol>'
        ),
        [("1", "1")],
        {"1": "Note."},
    ),
    "docutils": (
        (
            '<p>T<a href="#id2" id="id1" role="doc-noteref"><span>[</span>1<span>]</span></a></p>'
            '<aside id="id2" role="doc-footnote"><span class=label>[<a role="doc-backlink" href="#id1">1</a>]</span>'
            "<p>Note.</p></aside>"
        ),
        [("[1]", "1")],
        {"1": "Note."},
    ),
    "an old page": (
        (
            "<p>T<a name=r1></a><a href='#n1'><sup>1</sup></a> T<a name=r2></a><a href='#n2'>(*)</a></p>"
            "<p><a name=n1></a><a href='#r1'>1</a> One.</p><p><a name=n2></a><a href='#r2'>*</a> Two.</p>"
        ),
        [("1", "1"), ("(*)", "note-1")],
        {"1": "One.", "note-1": "Two."},
    ),
    "raised, no link back": (
        "<p>T<sup><a href='#n'>a</a></sup></p><p id=n><sup>a</sup> Note.</p>",
        [("a", "a")],
        {"a": "Note."},
    ),
    "to the list of all notes": (
        "<p>T<sup><a href='#notes'>2</a></sup></p><ol id=notes><li>One.<li>Two.</ol>",
        [("2", "2")],
        {"2": "Two."},
    ),
    "a label of several words": (
        (
            "<p>T<sup><a href='#cite_note-1'>[n 1]</a></sup> T<sup><a href='#cite_note-2'>†</a></sup></p>"
            "<ul><li id=cite_note-1>One.<li id=cite_note-2>Two.</ul>"
        ),
        [("[n 1]", "n-1"), ("†", "1")],
        {"n-1": "One.", "1": "Two."},
    ),
    "two articles on a page": (
        (
            "<p>T<sup><a href='#a1'>1</a></sup></p><ol><li id=a1>One.</ol>"
            "<p>T<sup><a href='#b1'>1</a></sup></p><ol><li id=b1>Two.</ol>"
        ),
        [("1", "1"), ("1", "1-2")],
        {"1": "One.", "1-2": "Two."},
    ),
    "epub": (
        "<p>T<a epub:type=noteref href='#n'>see note</a></p><aside id=n epub:type=footnote>Note.</aside>",
        [("see note", "see-note")],
        {"see-note": "Note."},
    ),
    "in a table": (
        "<p>T<a href='#n' id=r>[7]</a></p><table><tr id=n><td><a href='#r'>[7]</a></td><td>Note.</td></tr></table>",
        [("[7]", "7")],
        {"7": "Note."},
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_references_and_notes(name):
    source, references, notes = PAGES[name]
    assert footnotes(source) == (references, notes)


def test_a_reference_may_name_the_address_of_the_page():
    source = "<p>T<sup><a href='/a#n'>1</a></sup><sup><a href='/b#n'>2</a></sup></p><p id=n>Note.</p>"
    assert footnotes(source, "http://x.org/a") == ([("1", "1")], {"1": "Note."})


NO_NOTES = {
    "contents": "<ul><li><a href='#a' id=ta>1</a></li></ul><h2 id=a><a href='#ta'>1</a> Title</h2>",
    "contents of sections": "<ul><li><a href='#a' id=ta>1</a></li></ul>"
    "<section id=a><h2>T</h2><a href='#ta'>up</a></section>",
    "tabs": "<ul><li><a href='#t1'>1</a><li><a href='#t2'>2</a></ul><div id=t1>One</div><div id=t2>Two</div>",
    "a missing target": "<p>T<sup><a href='#n'>1</a></sup></p>",
    "an empty target": "<p>T<sup><a href='#n'>1</a></sup></p><p id=n></p>",
    "a permalink": "<div id=c1><sup><a href='#c1'>1</a></sup> Comment</div>",
    "a link to the paragraph itself": "<p id=n>T<sup><a href='#n'>1</a></sup></p>",
    "notes that cannot be told apart": "<p>T<sup><a href='#n'>1</a></sup><sup><a href='#m'>2</a></sup></p>"
    "<p><a name=n></a>1 One<br><a name=m></a>2 Two</p>",
    "one section for all notes": "<p>T<sup><a href='#n'>1</a></sup><sup><a href='#n'>2</a></sup></p>"
    "<div id=n>1 One 2 Two</div>",
    "a label that is a sentence": "<p>T<sup><a href='#n'>all the details are below</a></sup></p><p id=n>Note.</p>",
    "back to top": "<div id=top>T</div><p>x</p><sup><a href='#top'>↑</a></sup>",
    "another page": "<p>T<sup><a href='other#n'>1</a></sup></p><p id=n>Note.</p>",
    "nothing": "",
}


@pytest.mark.parametrize("name", NO_NOTES)
def test_other_links_stay_links(name):
    assert footnotes(NO_NOTES[name]) == ([], {})


def test_the_first_of_equal_ids_counts():
    assert footnotes("<p>T<sup><a href='#n'>1</a></sup></p><p id=n>One.</p><p id=n>Two.</p>")[1] == {"1": "One."}


def test_a_sup_around_several_references_is_known():
    page = parse("<p>T<sup><a href='#a'>1</a>, <a href='#b'>2</a></sup> x</p><p id=a>One.</p><p id=b>Two.</p>")
    found = find_footnotes(page, Addresses.of(page))
    assert [page.tag_name(node) for node in found.references] == ["a", "a"]
    assert [page.tag_name(node) for node in found.wrappers] == ["sup"]


def test_a_lone_sup_is_part_of_the_reference():
    page = parse(WIKIPEDIA)
    assert [page.tag_name(node) for node in find_footnotes(page, Addresses()).references] == ["sup", "sup"]


HOSTILE = {
    "one paragraph with all references": "<p>"
    + "".join(f"T<sup id=r{i}><a href='#n{i}'>{i % 9999}</a></sup>" for i in range(10_000))
    + "</p><ol>"
    + "".join(f"<li id=n{i}>Note <a href='#r{i}'>^</a>" for i in range(10_000)),
    "one note for all references": "".join(f"<p>T<sup id=r{i}><a href='#n'>1</a></sup>" for i in range(10_000))
    + "<p id=n>Note "
    + "".join(f"<a href='#r{i}'>^</a>" for i in range(10_000)),
    "the same id everywhere": "<p id=n>T<sup id=n><a id=n href='#n'>1</a></sup></p>" * 10_000,
    "deep": "<div id=a>" * 500 + "<sup><a href='#n' id=r>1</a></sup>" + "<div id=n>" * 20 + "<a href='#r'>1</a>Note",
    "in one sup": "<sup>" + "<a href='#n'>1</a>," * 10_000 + "</sup><p id=n>Note",
    "wide labels": "<sup><a href='#n'>" + " " * 10**6 + "1</a></sup><p id=n>Note",
    "wide attributes": f"<sup><a class='{'note-' * 10**5}' role='{' ' * 10**6}' "
    f"href='#{'n' * 10**6}'>1</a></sup><p id=n>x",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_take_little_time(name):
    page = parse(HOSTILE[name])
    assert len(page.attributes) > 0
    found = assert_quick(lambda: find_footnotes(page, Addresses()), 10)
    assert len(set(found.notes.values())) == len(found.notes)
    assert set(found.references.values()) == set(found.notes.values())
