"""The evidence of a site by slot: what is template, what is left alone, and sites that say little or nothing."""

import numpy as np
import pytest

import dehusk
import made_sites
from dehusk import ModelError, Site
from dehusk.compiled.site import site_evidence, slot_texts
from dehusk.counts.slots import LONG
from dehusk.counts.terms import page_terms
from dehusk.label.united.evidence import SiteEvidence
from made_sites import article, change_card, words

Texts = list[str]


def slot(html: str) -> int:
    """Return the key of the slot of a page's only block."""
    (key,) = slot_texts(page_terms(dehusk.parse(html))).slot.tolist()
    return key


def evidence(page: str, pages: Texts) -> dict[str, bool]:
    """Return text -> whether it is template, for the blocks of a page of a site."""
    blocks = dehusk.segment(dehusk.parse(page))
    found = site_evidence(blocks, Site().fit(pages))
    assert found is not None
    return dict(zip(blocks.texts, found.template.tolist(), strict=True))


def template(page: str, pages: Texts) -> Texts:
    return [text for text, is_template in evidence(page, pages).items() if is_template]


def test_a_slot_is_the_path_of_tags_and_first_classes() -> None:
    same = [
        "<body><div class='post odd'><p>one",
        "<body class=page-7><h1></h1><div class='post even' id=a7><p>two words",
        "<body><nav></nav><div class=POST></div><div class=' post new'><p>three",
    ]
    assert len({slot(html) for html in same}) == 1
    others = [
        "<body><div class=note><p>one",
        "<body><div><p>one",
        "<body><div class=post><div>one",
        "<body><div class=post><div><p>one",
        "<body><section class=post><p>one",
        "<body><p class=post><span>one",
    ]
    assert len({slot(html) for html in [*same, *others]}) == 1 + len(others)


def test_numbers_and_identifiers_in_classes_do_not_matter() -> None:
    pairs = [("item12", "item7"), ("post-1a2b3c4d5e", "post-99887766ff"), ("c1d2e3", "x4y5z6")]
    for first, second in pairs:
        assert slot(f"<div class={first}><p>a") == slot(f"<div class={second}><p>a")
    assert slot("<div class=item-a><p>a") != slot("<div class=item-b><p>a")


def test_the_same_text_at_another_path_says_nothing() -> None:
    pages = [f"<div class=main><p>{words(n, 9)}</p><p>a teaser</p></div>" for n in range(5)]
    page = "<div class=main><h2>a teaser</h2></div>"
    assert template(page, [*pages, page]) == []


def test_a_text_is_template_if_more_than_half_of_the_pages_with_the_slot_have_it() -> None:
    def pages(count: int, same: int) -> Texts:
        return [
            f"<div><p>{words(n, 9)}</p></div><b>{'a note' if n < same else words(90 + n, 2)}</b>" for n in range(count)
        ]

    assert template(pages(7, 4)[0], pages(7, 4)) == []  # 3 of 6 others
    assert template(pages(7, 5)[0], pages(7, 5)) == ["a note"]  # 4 of 6
    without = [f"<p>{words(200 + n, 9)}" for n in range(20)]
    assert template(pages(7, 5)[0], [*pages(7, 5), *without]) == ["a note"]  # pages without the slot do not count


def thread(seed: int, posts: int) -> str:
    records = "".join(
        f"<div class=post><div class=by><b>Posted by</b> <i>{words(100 * seed + n, 1)}</i></div>"
        f"<div class=text>{words(100 * seed + 50 + n, 20)}</div><a class=reply>Reply</a></div>"
        for n in range(posts)
    )
    return f"<h1>{words(seed, 5)}</h1><div class=thread>{records}</div>"


@pytest.mark.parametrize("count", [2, 3, 12])
def test_the_chrome_of_records_is_template_and_posts_are_not(count: int) -> None:
    pages = [thread(seed, 1 + seed % 4) for seed in range(1, count + 1)]
    for page in pages:
        assert template(page, pages) == ["Reply"]


def test_values_that_repeat_in_varied_slots_are_left_alone() -> None:
    def listing(seed: int) -> str:
        rows = (
            f"<li><b>{words(40 * seed + n, 3)}</b><div class=stock>{'In stock' if n % 2 else f'{n + seed} left'}</div>"
            f"<div class=brand>{'Acme' if n % 3 == 0 else words(40 * seed + n, 1)}</div><div class=price>9.99</div>"
            for n in range(12)
        )
        return f"<ul>{''.join(rows)}</ul><p>Call us"

    pages = [listing(seed) for seed in range(6)]
    assert template(pages[0], pages) == ["Call us"]


def test_tables_with_equal_cells_stay_whole() -> None:
    def table(seed: int) -> str:
        names = ("Weight", "Colour", "Warranty", "Cable")
        values = (words(seed, 2), words(seed + 50, 1), "Yes", "Yes")
        rows = "".join(f"<tr><th>{name}<td>{value}" for name, value in zip(names, values, strict=True))
        items = "".join(f"<dt>{name}<dd>{value}" for name, value in zip(names, values, strict=True))
        return f"<p>Sold by us</p><table>{rows}</table><dl>{items}</dl>"

    pages = [table(seed) for seed in range(6)]
    assert template(pages[0], pages) == ["Sold by us"]


def test_a_table_that_is_the_same_on_all_pages_is_template() -> None:
    table = "<table><tr><td>Mondays<td>closed<tr><td>Sundays<td>from noon</table>"
    pages = [f"<p>{words(seed, 9)}</p>{table}" for seed in range(4)]
    assert template(pages[0], pages) == ["Mondays", "closed", "Sundays", "from noon"]


def test_a_long_text_among_others_needs_three_other_pages() -> None:
    def pages(same: int) -> Texts:
        extra = f"<p>{words(7, LONG)}"
        return [f"<p>{words(n, 20)}<p>{words(n + 9, 20)}{extra if n - 20 < same else ''}" for n in range(20, 25)]

    assert template(pages(5)[0], pages(5)) == [words(7, LONG)]
    assert template(pages(3)[0], pages(3)) == []
    assert template(pages(3)[0], pages(3)[:3]) == [words(7, LONG)]  # all other pages are enough


def test_a_text_of_twenty_words_is_template_wherever_it_stands() -> None:
    def pages(size: int, same: int) -> Texts:
        imprint = words(7, size)
        return [f"<p>{words(n, 30)}</p>{'<div>' * n}{imprint if n < same else words(50 + n, 30)}" for n in range(7)]

    assert template(pages(20, 5)[0], pages(20, 5)) == [words(7, 20)]
    assert template(pages(20, 4)[0], pages(20, 4)) == []  # 3 of 6 others
    assert template(pages(19, 5)[0], pages(19, 5)) == []
    assert template(pages(20, 3)[0], pages(20, 3)[:3]) == []  # 2 others are too few


def test_numbers_do_not_make_a_long_text_another() -> None:
    def page(number: int, label: str) -> str:
        return f"<p>{words(number, 30)}</p><div class=a>{number} {label}</div><div class=b>{number % 2}</div>"

    long, short = words(1, LONG), words(1, LONG - 1)
    pages = [page(number, long) for number in range(3, 8)]
    assert template(pages[0], pages) == [f"3 {long}"]
    pages = [page(number, short) for number in range(3, 8)]
    assert template(pages[0], pages) == []


def test_numbers_alone_are_never_template() -> None:
    pages = [f"<p>{words(n, 9)}</p><div>2024</div><div>10.30</div><h2>Top 10</h2>" for n in range(5)]
    assert template(pages[0], pages) == ["Top 10"]


def test_each_type_of_page_has_its_own_template() -> None:
    articles = [f"<div class=article><p>{words(n, 20)}</p><em>Read next</em></div>" for n in range(5)]
    lists = [f"<ul class=hits><li>{words(50 + n, 4)}</ul><em>Refine your search</em>" for n in range(3)]
    pages = articles + lists
    assert template(articles[0], pages) == ["Read next"]
    assert template(lists[0], pages) == ["Refine your search"]


def test_a_page_that_the_site_was_not_learned_from() -> None:
    pages = made_sites.site(6)
    new = made_sites.page(article(40))
    assert template(new, pages) == [*made_sites.MENU, made_sites.FOOTER]
    blocks = dehusk.segment(dehusk.parse(new))
    found = site_evidence(blocks, Site().fit(pages))
    assert found is not None
    assert found.same_text.max() == 5


def test_a_site_of_one_page_or_of_its_copies_has_no_evidence() -> None:
    page = made_sites.page(article(1))
    for pages in ([page], [page] * 3):
        assert site_evidence(dehusk.segment(dehusk.parse(page)), Site().fit(pages)) is None


def test_copies_count_once() -> None:
    pages = [*made_sites.site(6), made_sites.page(article(0), extra=f"<p>{words(900, 2)}")]
    site = Site().fit(pages)
    assert (site.pages, site.tables.distinct) == (7, 6)
    blocks = dehusk.segment(dehusk.parse(pages[0]))
    found = site_evidence(blocks, site)
    assert found is not None
    own = np.array([text in article(0) for text in blocks.texts])
    assert found.same_text[own].tolist() == [0, 0]
    assert found.same_text[~own].tolist() == [5] * 5


@pytest.mark.parametrize("empty", ["", "<p>", "<p>...</p><p>—", "<img alt=x>"])
def test_pages_without_words(empty: str) -> None:
    pages = [empty, *made_sites.site(3)]
    found = site_evidence(dehusk.segment(dehusk.parse(empty)), Site().fit(pages))
    assert found is not None
    assert not found.template.any()
    assert template(pages[1], pages) == [*made_sites.MENU, made_sites.FOOTER]
    assert site_evidence(dehusk.segment(dehusk.parse(pages[1])), Site().fit([empty, empty])) is None


def test_saving_changes_no_evidence(tmp_path) -> None:
    pages = [*made_sites.site(5), *(thread(seed, 3) for seed in range(1, 5))]
    model = Site(mixed=True).fit(pages)
    for complete in (True, False):
        model.save(tmp_path, complete=complete)
        loaded = Site.load(tmp_path)
        for page in pages:
            blocks = dehusk.segment(dehusk.parse(page))
            one, other = site_evidence(blocks, model), site_evidence(blocks, loaded)
            assert one is not None
            assert other is not None
            for name in ("same_slot", "same_text", "template"):
                assert getattr(one, name).tolist() == getattr(other, name).tolist()


def test_a_model_with_other_counts_is_refused(tmp_path) -> None:
    Site().fit(made_sites.site(3)).save(tmp_path)
    change_card(tmp_path, counts=1)
    with pytest.raises(ModelError, match=r"^site model [^\n]* is of another version of dehusk: learn the site again$"):
        Site.load(tmp_path)


def test_reasons_in_words() -> None:
    no = np.zeros(6, dtype=np.bool_)
    moved = np.array([False] * 5 + [True])
    found = SiteEvidence(np.array([13, 13, 1, 1, 0, 9]), np.array([12, 0, 1, 0, 0, 8]), no, moved)
    assert [found.reason(block) for block in range(6)] == [
        "the same text at the same path on 12 of 13 other pages",
        "other text there on 13 other pages",
        "the same text at the same path on 1 of 1 other page",
        "other text there on 1 other page",
        "no other page has text at the same path",
        "the same text on 8 of 9 other pages",
    ]


def test_many_equal_blocks_and_deep_paths_take_linear_time() -> None:
    rows = "".join(f"<tr><td>{n % 7}<td>yes" for n in range(20_000))
    deep = "<div class=a>" * 400 + "deep text"
    pages = [f"<p>{words(n, 5)}</p><table>{rows}</table>{deep}" for n in range(2)]
    assert template(pages[0], pages) == ["yes", "deep text"]
