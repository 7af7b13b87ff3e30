"""WISDOM as a method: its contract, terms, links, counts that add up, the informative structure, hostile sites."""

import json
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

import dehusk
from dehusk.base.errors import ConfigError, InputError, MissingExtraError, ModelError, NotFittedError
from dehusk.base.hashing import text_keys
from dehusk.blocks import segment
from dehusk.compiled.text import text_key
from dehusk.counts.terms import page_terms
from dehusk.label.base import PageMethod
from dehusk.read import parse
from dehusk.sites.outline import outline_html, outline_json, outline_text
from dehusk.sites.wisdom import PAPER, RECOMMENDED, InformativeStructure, Settings, Wisdom, WisdomCounts
from dehusk.sites.wisdom.link_targets import address, own_addresses
from dehusk.sites.wisdom.term_selection import terms_of
from dehusk.write.safety import ATTRIBUTES
from made_sites import change_arrays, change_card, folder_bytes
from strategies import htmls
from test_wisdom import STORIES, bodies, by_id, site

PRESETS = ("paper", "recommended")


def test_contract():
    method = Wisdom(k=2, preset="paper")
    assert isinstance(method, PageMethod)
    given_options = {"preset": "paper", "k": 2}
    assert {name: value for name, value in method.get_params().items() if value is not None} == given_options
    assert clone(method).get_params() == method.get_params()
    assert method.set_params(cstm=0, k=None).settings == Settings(**{**vars(PAPER), "cstm": 0})
    for use in (lambda: method.blocks(parse("x")), lambda: method.label(segment(parse("x")))):
        with pytest.raises(NotFittedError, match=r"this Wisdom is not fitted: call fit\(pages\)"):
            use()
    assert method.fit(site(*STORIES)) is method
    assert method.pages_ == 3
    with pytest.raises(ConfigError, match="fit it again"):
        method.set_params(preset="recommended").blocks(parse("x"))
    with pytest.raises(ConfigError, match=r"unknown option 'gamma'.*Known: preset, k"):
        method.set_params(gamma=1)


def test_presets_by_name():
    """Sections 4.2 and 4.4: k = 1, ST = .8, TC = (.8, 1.25), DSTM, 1-CSTM; stop words, stems, no numbers."""
    assert Wisdom(preset="paper").settings == PAPER
    assert Wisdom().settings == RECOMMENDED
    assert (PAPER.k, PAPER.st, PAPER.tc_article, PAPER.tc_toc, PAPER.toc) == (1, 0.8, 0.8, 1.25, "api")
    assert (PAPER.dstm, PAPER.cstm, PAPER.condense, PAPER.search) == (True, 1, True, "mib")
    assert (PAPER.stemmer, PAPER.stop_words, PAPER.numbers) == ("english", "english", False)
    assert (PAPER.relative, PAPER.climb, PAPER.own_text, PAPER.cjk) == (None, False, False, False)


WRONG = [
    ({"preset": "printed"}, "unknown preset 'printed'. Known: paper, recommended"),
    ({"k": 0}, "k must be a positive integer or infinity, not 0"),
    ({"k": "2"}, "k must be a positive integer or infinity, not '2'"),
    ({"k": 1.5}, "k must be a positive integer"),
    ({"st": 1.1}, "st must be a number from 0 to 1, not 1.1"),
    ({"st": float("nan")}, "st must be a number"),
    ({"tc_article": -1}, "tc_article must be a number from 0 to 1"),
    ({"cstm": True}, "cstm must be a non-negative integer, not True"),
    ({"toc": "alan"}, "unknown toc 'alan'. Did you mean alen. Known: api, alen, auto, estimated"),
    ({"preset": 3}, "preset must be one of paper, recommended or Settings, not 3"),
    ({"preset": Settings(tc_toc=-1)}, "tc_toc"),
    ({"preset": Settings(tc_alen=2)}, "tc_alen"),
    ({"preset": Settings(relative=-1)}, "relative"),
    ({"preset": Settings(search="M1")}, "unknown search 'M1'. "),
    ({"preset": Settings(zero_api=2)}, "zero_api"),
    ({"preset": Settings(link_share=2)}, "link_share must be a number from 0 to 1"),
    ({"preset": Settings(stop_words="klingon")}, "stop_words"),
    ({"preset": Settings(stemmer="klingon")}, "unknown stemmer 'klingon'.* Known: .*english"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        Wisdom(**options).fit([parse("word")])


def words_of(html, **options):
    page = parse(html)
    selected = terms_of(page_terms(page), Settings(**options))
    names = {
        text_key(word): word
        for word in [*page_terms(page).words, "river", "run", "北京", "大学", "日本語", "文章", "です"]
    }
    return [names.get(key, "?") for key in selected.key.tolist()], selected


TERMS = [
    ("The river runs in 12 B2 rivers", {"stemmer": "english"}, "the river run in 12 b2 river"),
    ("The river runs in 12 B2 rivers", {"stop_words": "english"}, "river runs 12 b2 rivers"),
    ("The river runs in 12 B2 rivers", {"numbers": False}, "the river runs in b2 rivers"),
    ("The river runs", {"stop_words": frozenset({"River", "x"})}, "the runs"),
    ("It's not 7", {"stop_words": "english", "numbers": False}, ""),
    ("北京大学 tea", {}, "北 京 大 学 tea"),
    ("😀北京<b>大</b>学 tea 日本語の文章です。", {"cjk": True}, "北京 大学 tea 日本語 の 文章 です"),
    ("<p>北</p><p>京</p>", {"cjk": True}, "北 京"),
    ("no such text", {"cjk": True}, "no such text"),
    ("", {"cjk": True, "stemmer": "english", "stop_words": "english", "numbers": False}, ""),
]


@pytest.mark.parametrize(("html", "options", "expected"), TERMS)
def test_terms(html, options, expected):
    assert words_of(html, **options)[0] == expected.split()


@given(htmls)
def test_terms_stand_where_their_words_do(html):
    whole = page_terms(parse(html))
    selected = terms_of(whole, Settings(stemmer="english", stop_words="english", numbers=False, cjk=True))
    starts = dict(zip(whole.start.tolist(), zip(whole.block.tolist(), whole.node.tolist(), strict=True), strict=True))
    for start, end, block, node in zip(selected.start, selected.end, selected.block, selected.node, strict=True):
        assert starts[int(start)] == (block, node)
        assert start < end <= whole.blocks.end[block]
    assert (selected.start[1:] >= selected.end[:-1]).all()
    assert len(selected.before) == len(selected.blocks.page) + 1
    assert selected.before[-1] == len(selected)


def test_keys_of_texts():
    texts = ["", "word", "日本", "", "😀x"]
    assert text_keys(texts).tolist() == [text_key(text) for text in texts]
    assert len(text_keys([])) == 0


@pytest.mark.parametrize(
    ("library", "option"), [("snowballstemmer", {"stemmer": "dutch"}), ("icu4py.breakers", {"cjk": True})]
)
def test_a_missing_library_is_named(monkeypatch, library, option):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtraError, match=r"needs .*, which is not installed: pip install 'dehusk\[words\]'"):
        Wisdom(preset=Settings(**option)).fit([parse("北京大学 en zo")])


ADDRESSES = [
    ("http://www.a.example/x/", "a.example/x"),
    ("https://A.example:80/x?q=1#part", "a.example/x?q=1"),
    ("http://a.example", "a.example"),
    ("http://a.example/%7Eme", "a.example/~me"),
    ("mailto:me@a.example", ""),
    ("http://[broken/", ""),
    ("javascript:x()", ""),
    ("", ""),
]


@pytest.mark.parametrize(("url", "known"), ADDRESSES)
def test_addresses(url, known):
    assert address(url) == known
    assert address("../z?u", "http://a.example/x/y") == "a.example/z?u"


def test_a_page_is_known_by_its_url_and_its_canonical_one():
    html = "<head><link rel=canonical href=/tea></head><body>x"
    assert own_addresses(parse(html, url="http://a.example/?p=3")) == ["a.example?p=3", "a.example/tea"]
    assert own_addresses(parse(html)) == []


def test_api_by_hand():
    index = (
        "<ul><li><a href=/1>River flood</a><li><a href=/2>Painter of rivers</a><li><a href=/9>gone</a>"
        "<li><a href=#top>index of all</a><li><a href=http://other.example/>other river</a><li><a>river</a></ul>"
    )
    pages = [
        parse(html, url=f"http://a.example/{i}") for i, html in enumerate([index, "<p>river flood flood", "<p>painter"])
    ]
    method = Wisdom(preset=Settings(toc="api")).fit(pages)
    features = method.features(pages[0])
    # flood is once on the index and twice on its page; river three times and once; painter once and once; of 3 pages
    entropy = method.entropy_.entropy(text_keys(["flood", "river", "painter", "all"])).tolist()
    expected = [1 / entropy[0] + 1 / entropy[1], 1 / entropy[2], 0, 0, 0]
    assert features.api == pytest.approx(np.array(expected), abs=1e-5)
    assert entropy[3] == 0
    assert features.links.loaded(features.anchors).tolist() == [True, True, False, False, False]
    assert features.anchors.in_site.tolist() == [True, True, True, False, False]
    assert features.loaded == pytest.approx(2 / 3)
    assert features.zero_api == pytest.approx(2 / 4)  # "gone" is too short to be meaningful
    informative = method.blocks(pages[0])
    assert informative.toc.feature == "API"
    assert (informative.zero_api, informative.loaded) == (features.zero_api, features.loaded)


def test_least_entropy_bounds_api():
    many = "<p>" + "tea " * 999
    pages = [parse("<a href=/1>tea</a>", url="http://a.example/0"), parse(many, url="http://a.example/1")]
    features = Wisdom().fit(pages).features(pages[0])
    assert features.api.tolist() == [20]


def test_alen_takes_the_place_of_api_where_that_says_nothing():
    unknown = "<ul>" + "".join(f"<li><a href=/x{i}>A longer title, number {i}</a>" for i in range(4)) + "</ul>"
    pages = [*site(*STORIES), parse(unknown, url="http://news.example/list")]
    method = Wisdom(toc="auto").fit(pages)
    informative = method.blocks(pages[3])
    assert (informative.zero_api, informative.loaded, informative.toc.feature) == (1, 0, "ALEN")
    assert [pages[3].tag_name(node) for node in informative.toc.nodes.tolist()] == ["ul"]
    assert method.set_params(toc="api").blocks(pages[3]).toc.feature == "API"
    assert len(method.blocks(pages[3]).toc) == 0


def test_counts_add_up():
    pages = [*site(*STORIES), parse(STORIES[0], url="http://news.example/0")]
    method = Wisdom()
    whole = method.count(pages)
    parts = [method.count(pages[:1]), method.count(pages[1:3]), method.count(pages[3:])]
    for counts in (parts[2] + (parts[0] + parts[1]), WisdomCounts.from_arrays(whole.arrays())):
        assert {name: value.tobytes() for name, value in counts.arrays().items()} == {
            name: value.tobytes() for name, value in whole.arrays().items()
        }
    by_pages, by_counts = Wisdom().fit(pages), Wisdom().fit_counts(whole)
    for page in pages:
        assert by_pages.label(segment(page)).probability.tolist() == by_counts.label(segment(page)).probability.tolist()
    with pytest.raises(ValueError, match="cannot add counts of 2 definitions of terms"):
        parts[0] + Wisdom(preset="paper").count(pages)
    with pytest.raises(ValueError, match="cannot add counts of 0 definitions"):
        WisdomCounts.total([])
    with pytest.raises(ConfigError, match="the method uses terms with stemmer=english"):
        Wisdom(preset="paper").fit_counts(whole)
    for damage in (
        {},
        {**whole.arrays(), "linked_keys": np.zeros((2, 2))},
        {**whole.arrays(), "linked_keys": np.zeros(0)},
        {**whole.arrays(), "anchored_keys": whole.arrays()["anchored_keys"][:, :2]},
        {name: array for name, array in whole.arrays().items() if name != "anchored_counts"},
    ):
        with pytest.raises(ValueError, match="not the arrays of"):
            WisdomCounts.from_arrays(damage)


def test_learned_pages_let_go_of_the_parsers_tree():
    pages = site(*STORIES)
    Wisdom().fit(pages)
    assert [page.elements.nodes for page in pages] == [None] * 3


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("pages", [[], iter(())])
def test_an_empty_set(preset, pages):
    with pytest.raises(InputError, match=r"^no pages to learn from$"):
        Wisdom(preset=preset).fit(pages)


def test_pages_can_be_html_files_pages_and_blocks(tmp_path):
    pages = site(*STORIES)
    file = tmp_path / "page.html"
    file.write_text(STORIES[1])
    mixed = Wisdom().fit(source for source in (STORIES[0].encode(), file, segment(pages[2])))
    expected = Wisdom().fit([parse(story) for story in STORIES]).blocks(pages[1]).article
    for source in (STORIES[1], file, pages[1], segment(pages[1])):
        assert mixed.blocks(source).article.cii.tolist() == expected.cii.tolist()


WRONG_TYPES = [
    (lambda method: method.fit(STORIES[0]), "expected several pages, not one str"),
    (lambda method: method.fit([1]), "int"),
    (lambda method: method.fit(None), "NoneType"),
    (lambda method: method.blocks(1), "int"),
    (lambda method: method.fit_counts({}), r"Wisdom.fit_counts\(\) takes WisdomCounts, not dict"),
    (lambda method: InformativeStructure.of(method.blocks(STORIES[0])), "takes BlockSet, not InformativeBlocks"),
    (lambda method: method.label(STORIES[0]), r"Wisdom.label\(\) takes Blocks, not str: pass Wisdom.segment\(page\)"),
    (lambda method: method.label(site(*STORIES)[0]), r"takes Blocks, not Page"),
]


@pytest.mark.parametrize(("use", "message"), WRONG_TYPES)
def test_wrong_types(use, message):
    with pytest.raises(TypeError, match=message) as caught:
        use(Wisdom().fit(site(*STORIES)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("preset", PRESETS)
def test_one_page_alone(preset):
    """All terms weigh 1: only the structure decides."""
    page = site(STORIES[0])[0]
    article = Wisdom(preset=preset).fit([page]).blocks(page).article
    assert article.cii[article.nodes].tolist() == [1] * len(article)
    assert by_id(page, "story") in article.skeleton.tolist()


def test_equal_pages():
    """All terms weigh 0: no blocks with the paper's bound; with a relative bound, only the structure decides."""
    pages = site(STORIES[0], STORIES[0])
    assert len(Wisdom(preset="paper").fit(pages).blocks(pages[0]).article) == 0
    article = Wisdom().fit(pages).blocks(pages[0]).article
    assert article.skeleton.tolist() == [by_id(pages[0], "story")]
    assert article.cii[article.nodes].tolist() == [0] * len(article)


EMPTY = ("", " ", "<p></p>", "<img src=x><br>", "<script>x()</script>", "<p>.,;</p>", b"\x89PNG\r\n\x1a\n\x00\x00")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("html", EMPTY)
def test_pages_without_words(preset, html):
    page = parse(html)
    for method in (Wisdom(preset=preset).fit([page, page]), Wisdom(preset=preset).fit(site(*STORIES))):
        informative = method.blocks(page)
        assert len(informative.article) == len(informative.toc) == 0
        assert informative.article.texts == informative.article.xpaths == []
        labels = method.label(segment(page), explain=True)
        labels.validate()
        assert not labels.kept.any()
        structure = InformativeStructure.of(informative.article, informative.toc)
        assert outline_text(structure) == outline_html(structure) == ""
        assert json.loads(outline_json(structure)) == {"url": None, "nodes": []}


@pytest.mark.parametrize(("preset", "search"), [("paper", "mib"), ("recommended", "mib"), ("recommended", "m1")])
def test_a_page_of_equal_items(preset, search):
    """100,000 items: comparing siblings with each other would take hours."""
    items = "<li><b>an item</b></li>" * 99_999
    chosen = Settings(
        **{**vars(Wisdom(preset=preset).settings), "search": search, "k": float("inf"), "cstm": 2, "st": 1.0}
    )
    page = parse(f"<ul>{items}<li>the longest item of all</li></ul>")
    method = Wisdom(preset=chosen).fit([page, parse("<p>something else")])
    article = method.blocks(page).article
    assert len(article) >= 1
    assert method.label(segment(page)).kept.all()


def test_a_deep_page():
    page = parse("<div>word " * 20_000)
    method = Wisdom(k=3).fit([page, parse("<p>other")])
    informative = method.blocks(page)
    structure = InformativeStructure.of(informative.article, informative.toc)
    assert len(outline_text(structure)) < 100 * len(page)
    assert len(json.loads(outline_json(structure))["nodes"]) == len(structure.nodes)
    assert outline_html(structure).count("<div") == outline_html(structure).count("</div>")


@given(st.lists(st.one_of(bodies, htmls), min_size=1, max_size=3), st.sampled_from(PRESETS))
def test_laws_of_block_sets(pages, preset):
    parsed = site(*pages)
    method = Wisdom(preset=preset, k=2).fit(parsed)
    for page in parsed:
        blocks = segment(page)
        labels = method.label(blocks, explain=True)
        labels.validate()
        assert len(labels.reasons) == len(blocks)
        informative = method.blocks(page)
        for block_set in (informative.article, informative.toc):
            assert len(block_set.skeleton) <= 2
            spans = [(node, int(page.end[node])) for node in block_set.nodes.tolist()]
            assert all(a_end <= b for (_, a_end), (b, _) in pairwise(spans))  # none is within another
            parts = [*block_set.skeleton.tolist(), *block_set.removed.tolist()]
            assert all(any(a <= node < b for a, b in spans) for node in parts)
            assert not set(block_set.removed.tolist()) & set(block_set.skeleton.tolist())
            assert (block_set.tree.f[block_set.nodes] > 0).all()
            kept = "".join(c for c, inside in zip(blocks.text, block_set.chars.tolist(), strict=True) if inside)
            assert "".join("".join(block_set.texts).split()) == "".join(kept.split())
        inside = informative.article.share >= 0.5
        assert not (labels.kept & ~inside).any()
        assert preset == "recommended" or (labels.kept == inside).all()


LONG_STORY = "Rivers rose over night and flooded two villages near the coast. " * 3
BESIDE = (
    f"<div><p>{LONG_STORY}</p><p>{LONG_STORY}</p><p><a href=/more>All that we know about rivers in seven parts</a></p>"
    "<p>An unrelated teaser of nine words stands below here.</p></div>"
)


def test_cleaning_drops_links_and_short_runs_in_an_article_block():
    page = parse(BESIDE)
    method = Wisdom().fit([page, parse("<p>other")])
    labels = method.label(segment(page), explain=True)
    assert (method.blocks(page).article.share == 1).all()
    assert labels.kept.tolist() == [True, True, False, True]  # the slot of the teaser is that of the story
    assert labels.reasons[2].endswith("CII 1.00; mostly links")
    assert labels.probability.tolist() == [1, 1, 0.5, 1]
    other = parse(BESIDE.replace("<p>An", "<p class=teaser>An"))
    labels = method.label(segment(other), explain=True)
    assert labels.kept.tolist() == [True, True, False, False]
    assert labels.reasons[3].endswith("; in a short run")
    assert Wisdom(run=0.0).fit([page]).label(segment(other)).kept.tolist() == [True, True, False, True]
    everything = replace(RECOMMENDED, link_density=None, run=0.0)
    assert Wisdom(preset=everything).fit([page]).label(segment(other)).kept.all()


def test_an_article_of_short_blocks_is_kept():
    page = parse("<ul><li>Water at noon<li>Tea at four<li>Soup at seven</ul>")
    assert Wisdom().fit([page]).label(segment(page)).kept.all()


def test_st_sets_both_types_of_blocks_unless_article_blocks_have_their_own():
    assert (Wisdom(st=0.7).settings.st, Wisdom(st=0.7).settings.st_article) == (0.7, None)
    assert (Wisdom(st_article=0.7).settings.st, Wisdom(st_article=0.7).settings.st_article) == (0.8, 0.7)
    pages = site(*STORIES)
    skeletons = [
        Wisdom(**options).fit(pages).blocks(pages[0]).article.skeleton.tolist()
        for options in ({"st": 0.4}, {"st_article": 0.4}, {"st": 0.9, "st_article": 0.4}, {"st": 0.9})
    ]
    assert skeletons[0] == skeletons[1] == skeletons[2] != skeletons[3]


class Reader(HTMLParser):
    """Collects text, tags and addresses of HTML."""

    def __init__(self):
        super().__init__()
        self.texts, self.hrefs, self.marks, self.depth = [], [], [], 0

    def handle_starttag(self, tag, attrs):
        assert {name for name, _ in attrs} <= {"data-block"}.union(*ATTRIBUTES.values())
        assert tag not in ("script", "style", "iframe", "textarea", "form", "o:p")
        self.hrefs += [value for name, value in attrs if name == "href"]
        self.marks += [value for name, value in attrs if name == "data-block"]
        self.depth += tag not in ("br", "hr")

    def handle_endtag(self, tag):  # noqa: ARG002 (the parser's signature)
        self.depth -= 1

    def handle_data(self, data):
        self.texts.append(data)


@given(st.one_of(bodies, htmls), st.sampled_from(PRESETS))
def test_forms_of_the_structure(html, preset):
    page = site(html)[0]
    informative = Wisdom(preset=preset).fit([page]).blocks(page)
    structure = InformativeStructure.of(informative.article, informative.toc)
    kept = informative.article.inside | informative.toc.inside
    assert set(np.flatnonzero(kept).tolist()) <= set(structure.nodes.tolist())
    assert not page.is_text[structure.nodes][~kept[structure.nodes]].any()
    entries = json.loads(outline_json(structure))["nodes"]
    assert [entry["node"] for entry in entries] == structure.nodes.tolist()
    for entry in entries:
        node, parent = entry["node"], entry["parent"]
        assert parent is None if node == 0 else entries[parent]["node"] == page.parent[node]
    roots = {entry["node"]: entry["blocks"] for entry in entries if "blocks" in entry}
    assert {node for node, own in roots.items() if "article" in [b["type"] for b in own]} == set(
        informative.article.nodes.tolist()
    )
    reader = Reader()
    reader.feed(outline_html(structure))
    reader.close()
    assert reader.depth == 0
    assert len(reader.marks) == len(roots)
    text = "".join(entry.get("text", "") for entry in entries)
    assert "".join("".join(reader.texts).split()) == "".join(text.split())
    lines = [line.strip() for line in outline_text(structure).splitlines()]
    assert "".join(line[1:-1] for line in lines if line.startswith('"')).replace(" ", "") == "".join(text.split())


def test_the_structure_of_a_story():
    pages = site(*STORIES)
    informative = Wisdom().fit(pages).blocks(pages[1])
    structure = InformativeStructure.of(informative.article)
    assert outline_text(structure).splitlines() == [
        "body",
        f"  div [article CLEN={informative.article.scores[0]:g}]",
        "    p",
        '      "A painter sold her first large canvas yesterday."',
        "    p",
        '      "Three galleries had refused to show any picture."',
    ]
    assert outline_html(structure).startswith('<div><div data-block="article"><p>A painter')
    with pytest.raises(ValueError, match="of the same page"):
        InformativeStructure.of(informative.article, Wisdom().fit(pages).blocks(pages[0]).toc)
    with pytest.raises(ValueError, match="of the same page"):
        InformativeStructure.of()


def test_html_is_safe():
    addresses = ("javascript:x()", " JavaScript:x()", "java\nscript:x()", "data:text/html,x", "http://[", "", "/ok?a&b")
    links = "".join(f"<a href='{address}'>a link to run</a> " for address in addresses)
    page = parse(f"<p>{links}</p><textarea><b onclick=x>text of it</textarea><o:p>other</o:p><form>a form</form>")
    informative = Wisdom(preset=Settings(search="m2")).fit([page]).blocks(page)
    written = outline_html(InformativeStructure.of(informative.article, informative.toc))
    reader = Reader()
    reader.feed(written)
    assert reader.hrefs == ["/ok?a&b"]
    assert "<pre data-block=" in written
    assert "&lt;b onclick" in written


def test_clean_takes_the_method():
    method = Wisdom().fit(site(*STORIES))
    cleaned = dehusk.clean(STORIES[2], method=method)
    assert cleaned.text.splitlines() == [
        "Engineers opened the longest tunnel under ice.",
        "",
        "Trains cross below glaciers within twelve minutes.",
    ]


def test_a_site_model_does_not_count_stems():
    model = dehusk.Site().fit(STORIES)
    assert dehusk.clean(STORIES[2], method="wisdom", site=model).text.startswith("Engineers")
    with pytest.raises(ConfigError, match=r"a site model counts all words, but.* stemmer=english"):
        dehusk.load_method("wisdom", site=model, options={"preset": "paper"})


@pytest.mark.parametrize(
    "options",
    [{}, {"preset": "paper", "k": 2}, {"k": float("inf")}, {"preset": Settings(stop_words=frozenset({"ice", "the"}))}],
)
def test_a_model_folder_gives_the_same_blocks(tmp_path, options):
    pages = site(*STORIES)
    fitted = Wisdom(**options).fit(pages)
    fitted.save(tmp_path / "model")
    loaded = Wisdom.load(tmp_path / "model")
    assert loaded.settings == fitted.settings
    assert loaded.pages_ == 3
    for page in pages:
        ours, theirs = loaded.blocks(page), fitted.blocks(page)
        assert ours.article.texts == theirs.article.texts
        assert (ours.toc.xpaths, ours.zero_api) == (theirs.toc.xpaths, theirs.zero_api)
    Wisdom(**options).fit(pages[::-1]).save(tmp_path / "again")
    assert folder_bytes(tmp_path / "again") == folder_bytes(tmp_path / "model")


def test_a_model_folder_serves_clean_with_other_options(tmp_path):
    Wisdom(preset="paper").fit(STORIES).save(tmp_path)
    paper = Wisdom(preset="paper", k=3, st=0.5).fit(STORIES)
    built = dehusk.load_method("wisdom", site=tmp_path, options={"k": 3, "st": 0.5})
    assert built.settings == paper.settings
    assert dehusk.clean(STORIES[2], method=built).text == dehusk.clean(STORIES[2], method=paper).text
    with pytest.raises(ConfigError, match=r"counts terms with stemmer=english.*`dehusk site learn"):
        dehusk.load_method("wisdom", site=tmp_path, options={"preset": "recommended"})


def test_a_damaged_model_is_refused(tmp_path):
    with pytest.raises(NotFittedError):
        Wisdom().save(tmp_path / "none")
    Wisdom().fit(STORIES).save(tmp_path)
    values = json.loads((tmp_path / "card.json").read_text())["settings"]
    for changes, message in [
        ({"version": 0}, "another version"),
        ({"method": "site"}, "belongs to method 'site'"),
        ({"hash": "0"}, "the card and the arrays disagree"),
        ({"settings": None}, "damaged"),
        ({"settings": {**values, "k": 0}}, "k must be"),
        ({"settings": {**values, "numbers": False}}, "different terms"),
        ({"settings": {"k": 1}}, "missing or unknown: .*climb"),
    ]:
        Wisdom().fit(STORIES).save(tmp_path)
        change_card(tmp_path, **changes)
        with pytest.raises(ModelError, match=message):
            Wisdom.load(tmp_path)
    Wisdom().fit(STORIES).save(tmp_path)
    change_arrays(tmp_path, linked_keys=None)
    with pytest.raises(ModelError, match="damaged"):
        Wisdom.load(tmp_path)
