"""Method "site": shingles and shares compared with a word-by-word implementation, and its limits on generated sites."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
import made_sites
from dehusk import ConfigError, NotFittedError, Site
from dehusk.blocks import Blocks
from dehusk.counts.shingles import N, covered, prose, share_by_block, shingle_keys
from dehusk.counts.slots import block_slots
from dehusk.counts.terms import Terms, page_terms
from dehusk.label.repetition import SiteRule
from made_sites import article, page, site, words
from strategies import htmls

WORDS = st.sampled_from(["the", "cat", "sat", "on", "a", "mat"])
_text = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)
_block = st.builds(
    str.format,
    st.sampled_from(["<p>{}", "<li><a href=/x>{}</a>", "<p>{} <a href=/y>a link here</a>", "<h1>{}</h1>"]),
    _text,
)
running = st.lists(_block, max_size=5).map("".join)
"""Pages of few distinct words, so that they often share shingles."""


def grams(page_words: Terms) -> list[tuple[str, ...]]:
    strings = page_words.words
    return [tuple(strings[start : start + N]) for start in range(len(strings) - N + 1)]


@given(st.lists(st.one_of(running, htmls), min_size=1, max_size=3))
def test_shingles_are_four_words_in_a_row(texts):
    keys: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for text in texts:
        page_words = page_terms(dehusk.parse(text))
        for gram, key in zip(grams(page_words), shingle_keys(page_words).tolist(), strict=True):
            keys[gram].add(key)
    assert all(len(key) == 1 for key in keys.values())
    assert len(set().union(*keys.values())) == len(keys)


@given(st.lists(st.booleans(), max_size=25), st.integers(0, 3))
def test_covered_words(begins, few):
    size = len(begins) + N - 1 if begins else few
    expected = [any(begins[start] for start in range(max(0, w - N + 1), min(w + 1, len(begins)))) for w in range(size)]
    assert covered(np.array(begins, dtype=np.bool_), size).tolist() == expected


@given(st.one_of(running, htmls), st.randoms(use_true_random=False))
def test_shares_of_blocks(text, chance):
    page_words = page_terms(dehusk.parse(text))
    mask = [chance.random() < 0.5 for _ in range(len(page_words))]
    shares = share_by_block(np.array(mask, dtype=np.bool_), page_words)
    assert len(shares) == len(page_words.blocks)
    for block, share in enumerate(shares.tolist()):
        own = [is_marked for is_marked, of in zip(mask, page_words.block.tolist(), strict=True) if of == block]
        assert share == (sum(own) / len(own) if own else 0)


@given(st.one_of(running, htmls))
def test_shingles_of_running_text(text):
    page_words = page_terms(dehusk.parse(text))
    blocks, expected = page_words.blocks, set()
    for block in range(len(blocks)):
        own = [word for word, of in zip(page_words.words, page_words.block.tolist(), strict=True) if of == block]
        if len(own) >= 20 and blocks.link_words[block] < 0.3 * blocks.words[block]:
            expected |= {tuple(own[start : start + N]) for start in range(len(own) - N + 1)}
    key_of = dict(zip(grams(page_words), shingle_keys(page_words).tolist(), strict=True))
    assert set(prose(page_words, shingle_keys(page_words)).tolist()) == {key_of[gram] for gram in expected}


def main_runs_slowly(blocks: Blocks, text: list[bool], long: list[bool], share: float) -> list[bool]:
    """Compute the main runs block by block."""
    runs: list[list[int]] = [[]]
    for block, is_text in enumerate(text):
        if not is_text:
            runs.append([])
        else:
            runs[-1].append(block)
    sizes = [sum(int(blocks.words[block]) for block in run if long[block]) for run in runs]
    largest = runs[sizes.index(max(sizes))]
    if not max(sizes):
        return [False] * len(text)
    chosen = {block for run, size in zip(runs, sizes, strict=True) if size >= share * max(sizes) for block in run}
    slots = block_slots(blocks).tolist()
    places = {slots[block] for block in largest if long[block]}
    chosen |= {block for block, is_text in enumerate(text) if is_text and slots[block] in places}
    first, last = min(chosen), max(chosen)
    between = {
        block for run, size in zip(runs, sizes, strict=True) if not size for block in run if first < block < last
    }
    page = blocks.page
    heads = [n for n, is_text in enumerate(text) if is_text and in_heading(page, int(blocks.node[n])) and n < first]
    return [block in {*chosen, *between, *heads[-1:]} for block in range(len(text))]


def in_heading(page: dehusk.Page, node: int) -> bool:
    while node >= 0:
        if page.tag_name(node) in ("h1", "h2", "h3", "h4", "h5", "h6"):
            return True
        node = int(page.parent[node])
    return False


def decided_slowly(html: str, pages: list[str], limits: dict[str, float]) -> tuple[list[bool], list[float]]:
    """Compute what the rule keeps from sets of words; for fewer than six pages, which have no near-duplicates."""
    different = {tuple(page_terms(dehusk.parse(one)).words): page_terms(dehusk.parse(one)) for one in pages}
    assert len(different) < 6
    sets = [set(grams(page_words)) for page_words in different.values()]
    least = limits["repeated"] if limits["repeated"] >= 2 else max(2, int(np.ceil(limits["repeated"] * len(sets))))
    page_words = page_terms(dehusk.parse(html))
    here = [sum(gram in page_grams for page_grams in sets) >= least for gram in grams(page_words)]
    blocks, text, long, probability = page_words.blocks, [], [], []
    for block in range(len(blocks)):
        own = [index for index, of in enumerate(page_words.block.tolist()) if of == block]
        on_others = sum(any(here[max(0, index - N + 1) : index + 1]) for index in own)
        share = on_others / len(own) if own else 0
        links, size = blocks.link_words[block] / blocks.words[block], int(blocks.words[block])
        text.append(share < limits["coverage"] and links < limits["link_density"])
        long.append(size >= limits["words"])
        sure = (1 - share / 2 / limits["coverage"], 1 - links / 2 / limits["link_density"])
        probability.append(max(0.0, min((*sure, size / (size + limits["words"])))))
    alone = [a and b for a, b in zip(text, long, strict=True)]
    kept = main_runs_slowly(blocks, text, long, limits["run"]) if limits["run"] else alone
    both = zip(kept, alone, probability, strict=True)
    return kept, [p if by_run == by_itself else 0.5 for by_run, by_itself, p in both]


limits_strategy = st.fixed_dictionaries(
    {
        "repeated": st.sampled_from([2, 3, 0.25, 0.5, 0.9]),
        "coverage": st.sampled_from([0.25, 0.5, 0.6, 1.0]),
        "link_density": st.sampled_from([0.3, 0.5, 1.0]),
        "words": st.sampled_from([1, 4, 8]),
        "run": st.sampled_from([0, 0.25, 0.6, 1.0]),
    }
)


@given(st.lists(running, min_size=1, max_size=5), running, limits_strategy)
@settings(max_examples=60)
def test_the_rule_matches_an_implementation_with_sets_of_words(pages, other, limits):
    rule = SiteRule(Site().fit(pages), **limits)
    for text in (pages[0], other):
        labels = rule.label(rule.segment(dehusk.parse(text)))
        kept, probability = decided_slowly(text, pages, limits)
        assert labels.kept.tolist() == kept
        assert np.allclose(labels.probability, probability, rtol=0, atol=1e-12)


@given(st.lists(st.one_of(running, htmls), min_size=1, max_size=6), limits_strategy)
@settings(max_examples=60)
def test_the_probability_fits_what_is_kept(pages, limits):
    rule = SiteRule(Site().fit(pages), **limits)
    for text in pages:
        labels = rule.label(rule.segment(dehusk.parse(text)), explain=True)
        labels.validate()
        assert (labels.probability[labels.kept] >= 0.5).all()
        assert (labels.probability[~labels.kept] <= 0.5).all()
        assert all(labels.reasons)


def labelled(text: str, model: Site, **limits: float) -> dict[str, tuple[bool, float]]:
    rule = SiteRule(model, **limits)
    labels = rule.label(rule.segment(dehusk.parse(text)))
    return dict(
        zip(labels.blocks.texts, zip(labels.kept.tolist(), labels.probability.tolist(), strict=True), strict=True)
    )


def test_articles_are_kept_menu_and_footer_dropped():
    pages = site(8)
    model = Site().fit(pages)
    for number, text in enumerate([*pages, page(article(99))]):
        doc = dehusk.clean(text, method="site", site=model)
        assert [block.text for block in doc.blocks if block.kept] == article(number if number < 8 else 99)
        assert {block.text for block in doc.blocks if not block.kept} == {*made_sites.MENU, made_sites.FOOTER}
        assert doc.status is dehusk.Status.OK


def test_labels_follow_the_markup():
    long = words(300, 12)
    text = page([], extra=f"<h2>{long} head</h2><ul><li>{long} item</ul><p>{long} text</p>")
    doc = dehusk.clean(text, method=SiteRule(Site().fit([text, *site(2)])))
    assert [(block.text.split()[-1], block.label) for block in doc.blocks if block.kept] == [
        ("head", "header"),
        ("item", "list"),
        ("text", "paragraph"),
    ]
    assert {block.label for block in doc.blocks if not block.kept} == {"other"}


def half_repeated(own: int, shared: int) -> tuple[str, list[str]]:
    """A block of unique words followed by words that another page has, and a site with the two pages."""
    same = words(70, shared)
    text = f"{words(71, own)} {same}"
    return text, [page([text]), page([f"{words(72, own)} {same}"]), *site(3)]


@pytest.mark.parametrize(("own", "shared", "kept"), [(11, 9, True), (10, 10, False), (9, 11, False)])
def test_half_of_the_words(own, shared, kept):
    text, pages = half_repeated(own, shared)
    labels = labelled(pages[0], Site().fit(pages))[text]
    assert labels[0] == kept
    assert labels[1] == pytest.approx(min(1 - shared / 20, 20 / 28))
    assert labelled(pages[0], Site().fit(pages), coverage=0.4)[text][0] == (shared < 8)
    assert labelled(pages[0], Site().fit(pages), coverage=1)[text][0]


@pytest.mark.parametrize(("linked", "kept"), [(4, True), (5, False), (6, False)])
def test_half_of_the_links(linked, kept):
    own = words(73, 10).split()
    text = f"<a href=/x>{' '.join(own[:linked])}</a> {' '.join(own[linked:])}"
    labels = labelled(page([text]), Site().fit(site(3)))[" ".join(own)]
    assert labels == (kept, pytest.approx(min(1 - linked / 10, 10 / 18)))
    assert labelled(page([text]), Site().fit(site(3)), link_density=0.7)[" ".join(own)][0]


@pytest.mark.parametrize(("size", "kept"), [(7, False), (8, True), (9, True)])
def test_eight_words(size, kept):
    text = words(74, size)
    labels = labelled(page([text]), Site().fit(site(3)))[text]
    assert labels == (kept, pytest.approx(size / (size + 8)))
    assert labelled(page([text]), Site().fit(site(3)), words=1)[text][0]
    assert not labelled(page([text]), Site().fit(site(3)), words=10)[text][0]


TEXT = [words(90 + number, 20) for number in range(5)]
LINK = f"<p><a href=/x>{words(95, 6)}</a></p>"
COMMENT = "<div class=comment><p>{}</p></div>"


def kept_texts(html: str, **limits: float) -> list[str]:
    doc = dehusk.clean(html, method=SiteRule(Site().fit([html]), **limits))
    return [block.text for block in doc.blocks if block.kept]


def test_short_blocks_and_the_heading_of_an_article_are_kept_with_it():
    short, name = "A short line", "By a writer"
    story = f"<p>{TEXT[0]}</p><div>{short}</div><p>{TEXT[1]}</p>"
    head, between = f"<h1>Title of it</h1><p class=by>{name}</p>", f"{LINK}<p class=price>12.50</p>{LINK}"
    html = f"{head}{LINK}{story}{between}<p>{TEXT[2]}</p>{LINK}<i>{name}</i>"
    assert kept_texts(html) == ["Title of it", TEXT[0], short, TEXT[1], "12.50", TEXT[2]]
    assert kept_texts(html, run=0) == TEXT[:3]
    assert kept_texts(f"<h1>{name}</h1><p>{short}</p>") == []


def test_teasers_and_comments_are_dropped_if_they_are_far_shorter_than_the_article():
    article_html = "".join(f"<p>{text}</p>" for text in TEXT[:3])
    comments = "".join(LINK + COMMENT.format(words(number, 10)) for number in (101, 102))
    long_comment = LINK + COMMENT.format(TEXT[3])
    assert kept_texts(article_html + comments) == TEXT[:3]
    assert kept_texts(article_html + comments + long_comment) == TEXT[:4]  # a third of the article's words
    assert kept_texts(article_html + long_comment, run=0.4) == TEXT[:3]
    assert len(kept_texts(article_html + comments, run=0)) == 5


def test_reasons_of_runs():
    html = f"<p>{TEXT[0]}</p><div>short</div><p>{TEXT[1]}</p>" + LINK + COMMENT.format(words(104, 9))
    doc = dehusk.clean(html, method=SiteRule(Site().fit([html])), explain=True)
    remarks = [block.reason.partition("; ")[2] for block in doc.blocks]
    assert remarks == ["", "kept with the text around it", "", "", "in a short run"]


def test_posts_of_a_thread_are_kept_however_short():
    html = LINK.join(
        f"<div class=post><p>{text}</p></div>" for text in (TEXT[0], "Thank you", *TEXT[1:3], words(103, 9))
    )
    assert kept_texts(html) == [TEXT[0], "Thank you", *TEXT[1:3], words(103, 9)]


def test_a_higher_limit_keeps_what_repeats_on_record_pages():
    """Each publisher is on three of twelve pages, the footer on all of them."""
    makers = [words(80 + number, 10) for number in range(4)]
    pages = [page([*article(number), makers[number % 4]]) for number in range(12)]
    model = Site().fit(pages)
    assert model.tables.distinct == 12
    for repeated, kept in ((2, False), (3, False), (4, True), (0.25, False), (0.3, True), (0.01, False)):
        labels = labelled(pages[0], model, repeated=repeated)
        assert labels[makers[0]][0] == kept, repeated
        assert not labels[made_sites.FOOTER][0]
    assert [SiteRule(model, repeated=value).threshold for value in (2, 7, 0.01, 0.25, 0.3, 0.99)] == [2, 7, 2, 3, 4, 12]


def test_reasons():
    text, pages = half_repeated(10, 10)
    doc = dehusk.clean(pages[0], method="site", site=Site().fit(pages), explain=True)
    reasons = {block.text: block.reason for block in doc.blocks}
    assert reasons[text] == "50% of its words on 2 or more of 5 pages, 0% in links, 20 words"
    assert reasons[made_sites.MENU[0]] == "100% of its words on 2 or more of 5 pages, 100% in links, 5 words"
    assert {block.reason for block in dehusk.clean(pages[0], method="site", site=Site().fit(pages)).blocks} == {None}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeated": 1}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"repeated": 1.5}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"repeated": 2.5}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"repeated": 0}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"repeated": -3}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"repeated": float("nan")}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"repeated": float("inf")}, "repeated must be an integer of 2 or more, or a share between 0 and 1, not "),
        ({"coverage": 0}, "coverage must be a number above 0 and up to 1, not "),
        ({"coverage": 1.01}, "coverage must be a number above 0 and up to 1, not "),
        ({"coverage": float("nan")}, "coverage must be a number above 0 and up to 1, not "),
        ({"link_density": 0}, "link_density must be a number above 0 and up to 1, not "),
        ({"link_density": 2}, "link_density must be a number above 0 and up to 1, not "),
        ({"words": 0}, "words must be a positive integer, not 0"),
        ({"words": float("nan")}, "words must be a positive integer, not nan"),
        ({"run": 1.1}, "run must be a number from 0 to 1, not 1.1"),
        ({"run": -0.1}, "run must be a number from 0 to 1, not -0.1"),
    ],
)
def test_invalid_limits(options, message):
    with pytest.raises(ConfigError, match=rf"^{message}[^\n]*$"):
        SiteRule(Site(), **options)


def test_options_are_stored_unchanged():
    rule = SiteRule(Site(), repeated=3, coverage=0.4, link_density=0.3, words=5, run=0.5)
    assert (rule.repeated, rule.coverage, rule.link_density, rule.words, rule.run) == (3, 0.4, 0.3, 5, 0.5)


def test_a_site_without_pages():
    with pytest.raises(NotFittedError, match="the site has no pages"):
        SiteRule(Site()).label(dehusk.segment(dehusk.parse("<p>x")))


def test_wrong_types():
    for wrong in ("<p>x", dehusk.parse("<p>x")):
        with pytest.raises(TypeError, match=r"SiteRule.label\(\) takes Blocks, not \w+: pass SiteRule.segment\(page\)"):
            SiteRule(Site().fit(site(2))).label(wrong)


def test_one_page_or_two_equal_pages_repeat_nothing():
    text = site(1)[0]
    for pages in ([text], [text, text]):
        kept = dehusk.clean(text, method="site", site=Site().fit(pages)).text
        assert made_sites.FOOTER in kept
        assert article(0)[0] in kept
        assert made_sites.MENU[0] not in kept  # links are never content


def test_chinese_words():
    notice = "版权所有未经许可不得转载本站任何内容"
    bodies = ["绿茶变苦有两个原因水太热或者茶叶泡得太久", "秋天的山里下了很大的雨我们在屋里看书喝茶"]
    pages = [f"<p>{body}</p><p>{notice}</p>" for body in bodies]
    model = Site().fit(pages)
    for text, body in zip(pages, bodies, strict=True):
        assert dehusk.clean(text, method="site", site=model).text == f"{body}\n"
