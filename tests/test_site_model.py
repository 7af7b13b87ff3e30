"""Site models: the same bytes for any order and split of the pages, and clear errors for models that cannot be used."""

import gc
import random
import tempfile
import weakref
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
import made_sites
from dehusk import ConfigError, InputError, ModelError, NotFittedError, Site
from dehusk.blocks import segment
from dehusk.counts import counting
from dehusk.counts.entropy import TermCounter, TermEntropy
from dehusk.counts.terms import page_terms
from dehusk.label import load_method
from dehusk.read import parse
from dehusk.sites.structure_tree import CompressedStructureTree
from made_sites import HOST, article, change_arrays, change_card, folder_bytes, page, site
from strategies import htmls

POOL = [
    *site(6),
    page(article(0), extra="<p>the article of page 0 once more"),
    site(1)[0],  # the same page twice
    page([], host=""),
    page(article(9), host=""),
    "",
    "<p>",
    "<p>word",
    "<pre>one\ttwo\nthree four</pre><p>&#0;a\u2028b",
    "<p>绿茶变苦有两个原因:水太热,或者茶叶泡得太久。" * 2,
    "<p>" + "the same words again and again " * 20,
    "<p>" + "The SAME words again and again " * 20,
]
WRITTEN = [f"<p>{text}</p><div><p>two</div>" for text in ("a note on tea", "A note on tea!", "“A Note” – on tea")]
"""The same words: for the counts, one page with one text of three to show."""
pages_strategy = st.lists(st.one_of(st.sampled_from(POOL), st.sampled_from(WRITTEN), htmls), min_size=1, max_size=7)


def saved(model: Site, complete: bool) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        model.save(folder, complete=complete)
        return folder_bytes(Path(folder))


def both(model: Site) -> tuple[dict[str, bytes], dict[str, bytes]]:
    return saved(model, True), saved(model, False)


def merged(parts: list[Site], chance: random.Random) -> Site:
    """Merge models in any grouping, two at a time."""
    while len(parts) > 1:
        parts.append(parts.pop(chance.randrange(len(parts))).merge(parts.pop(chance.randrange(len(parts)))))
    return parts[0]


@given(pages_strategy, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=20)
def test_any_order_and_any_split_give_the_same_bytes(pages, chance, structure):
    expected = both(Site(structure=structure).fit(pages))
    shuffled = chance.sample(pages, len(pages))
    one_by_one = Site(structure=structure)
    for text in shuffled:
        one_by_one.add(text)
        if chance.random() < 0.3:
            assert one_by_one.tables.seen == one_by_one.pages  # reading adds up the pending rows
    assert both(one_by_one) == expected
    group = [chance.randrange(3) for _ in shuffled]
    parts = [Site(structure=structure) for _ in range(3)]
    for number, text in zip(group, shuffled, strict=True):
        parts[number].add(text)
    assert both(merged(parts, chance)) == expected


def test_the_structure_is_optional():
    with_it, without = Site().fit(site(4)), Site(structure=False).fit(site(4))
    assert without.tables.structure is None
    assert with_it.tables.shingles.keys.tolist() == without.tables.shingles.keys.tolist()
    with pytest.raises(InputError, match="learned without"):
        with_it.merge(without)
    with pytest.raises(ConfigError, match="needs the structure of a site"):
        load_method("cst", site=without)
    with tempfile.TemporaryDirectory() as folder:
        without.save(folder)
        assert saved(Site.load(folder), False) == saved(without, False)


@given(pages_strategy, st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_models_of_files_merge_to_the_same_bytes(pages, chance):
    expected = both(Site().fit(pages))
    half = len(pages) // 2
    shuffled = chance.sample(pages, len(pages))
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for number, part in enumerate([shuffled[:half], shuffled[half:]]):
            if part:
                Site().fit(part).save(f"{folder}/{number}", complete=True)
                parts.append(Site.load(f"{folder}/{number}"))
        assert both(merged(parts, chance)) == expected


@given(pages_strategy)
@settings(max_examples=30)
def test_saving_and_loading_change_nothing(pages):
    model = Site().fit(pages)
    for complete, written in zip((True, False), both(model), strict=True):
        with tempfile.TemporaryDirectory() as folder:
            model.save(folder, complete=complete)
            loaded = Site.load(folder)
        assert saved(loaded, complete) == written
        assert saved(loaded, False) == both(model)[1]
        assert (loaded.pages, loaded.hosts, loaded.warning) == (model.pages, model.hosts, model.warning)
        assert loaded.tables.repeated == model.tables.repeated


@given(pages_strategy, st.sampled_from(["site", "cst"]))
@settings(max_examples=30)
def test_scores_are_the_same_from_memory_and_from_files(pages, name):
    model = Site().fit(pages)
    with tempfile.TemporaryDirectory() as folder:
        loaded = []
        for complete in (True, False):
            model.save(f"{folder}/{complete}", complete=complete)
            loaded.append(Site.load(f"{folder}/{complete}"))
            loaded.append(f"{folder}/{complete}")
        methods = [load_method(name, site=each) for each in (model, *loaded)]
    for text in [*pages, POOL[0], page(article(77))]:
        blocks = dehusk.segment(dehusk.parse(text))
        all_labels = [method.label(blocks) for method in methods]
        for labels in all_labels[1:]:
            assert np.array_equal(labels.kept, all_labels[0].kept)
            assert np.allclose(labels.probability, all_labels[0].probability, rtol=0, atol=1e-12)


@given(pages_strategy)
@settings(max_examples=30)
def test_shared_counts_weigh_words_as_complete_counts_do(texts):
    pages = [dehusk.parse(text) for text in texts]
    shared = load_method("cst", site=Site().fit(pages))
    whole = CompressedStructureTree().fit(pages, sites=["one site"] * len(pages))
    for each in pages:
        blocks = dehusk.segment(each)
        assert np.allclose(shared.label(blocks).probability, whole.label(blocks).probability, rtol=0, atol=1e-12)
        assert np.allclose(shared.weigh(each).weight, whole.weigh(each).weight, rtol=0, atol=1e-12)


@given(pages_strategy)
@settings(max_examples=30)
def test_shared_counts_give_the_entropies_of_complete_counts(texts):
    counter, all_words = TermCounter(), [page_terms(dehusk.parse(text)) for text in texts]
    for words in all_words:
        counter.add(words.key)
    whole = TermEntropy.of(counter.counts())
    shared = TermEntropy.of(Site().fit(texts).tables.term_counts)
    assert shared.n == whole.n == len(texts)
    for words in all_words:
        assert np.array_equal(shared.entropy(words.key), whole.entropy(words.key))


def test_only_integers_are_stored(tmp_path):
    Site().fit(POOL).save(tmp_path, complete=True)
    with np.load(tmp_path / "arrays.npz") as arrays:
        kinds = {name: arrays[name].dtype for name in arrays.files}
        assert all(kind.kind in "iu" for kind in kinds.values()), kinds
        assert all((arrays[name] > 0).all() for name in arrays.files if name.endswith("_counts"))


def test_a_site_saved_without_its_counts_cannot_learn_more(tmp_path):
    model = Site().fit(site(6))
    model.save(tmp_path)
    loaded = Site.load(tmp_path)
    for use in (
        lambda: loaded.add(POOL[0]),
        lambda: loaded.merge(Site().fit(site(1))),
        lambda: Site().fit(site(1)).merge(loaded),
        lambda: loaded.save(tmp_path / "x", complete=True),
    ):
        with pytest.raises(
            InputError, match=r"^cannot [^\n]* saved without its counts: save it with complete=True \(--complete\)$"
        ):
            use()
    assert not (tmp_path / "x").exists()
    assert loaded.pages == 6
    assert loaded.fit(site(2)).add(site(3)[2]).pages == 3  # fit starts afresh


def test_adding_after_loading(tmp_path):
    Site().fit(site(4)).save(tmp_path, complete=True)
    assert both(Site.load(tmp_path).add(site(5)[4])) == both(Site().fit(site(5)))


def test_reading_the_tables_does_not_affect_what_is_learned_later():
    model = Site()
    for text in site(6):
        model.add(text)
        load_method("site", site=model).label(dehusk.segment(dehusk.parse(text)))
    assert both(model) == both(Site().fit(site(6)))
    other = Site().fit(site(3, first=6))
    before = both(other)
    model.merge(other)
    assert both(other) == before  # merging leaves the other model unchanged
    assert both(model) == both(Site().fit(site(9)))


def test_fit_forgets_what_was_learned_before():
    fresh = Site(by="domain", mixed=True).fit(site(5))
    used = Site(by="domain", mixed=True).fit([*site(7, host="other.example"), "<p>more"])
    used.cut = (9, 2)
    assert both(used.fit(site(5))) == both(fresh)
    assert used.hosts == [HOST]
    assert used.cut is None


def test_every_form_of_a_page_is_learned_alike(tmp_path):
    texts = site(6)
    made_sites.write(tmp_path / "pages", texts)
    expected = both(Site().fit(texts))
    parsed = [dehusk.parse(text) for text in texts]
    forms = [
        [text.encode() for text in texts],
        [tmp_path / "pages" / f"page{number}.html" for number in range(6)],
        parsed,
        [dehusk.segment(page) for page in parsed],
        (text for text in texts),
        [texts[0], texts[1].encode(), tmp_path / "pages" / "page2.html", *parsed[3:]],
    ]
    for form in forms:
        assert both(Site().fit(form)) == expected


def test_add_accepts_the_address_of_a_page():
    model = Site().add("<p>x", url="https://www.tea.example:8080/a").add(b"<p>y", url="http://tea.example/b")
    assert model.hosts == ["tea.example"]


def test_a_site_of_few_pages_has_a_warning():
    pages = site(6)
    assert Site().fit(pages[:1]).warning == "the site has 1 page: a single page shares nothing"
    assert (
        Site().fit(pages[:1] * 2).warning
        == "the site has 2 pages, only 1 of them distinct: a single page shares nothing"
    )
    assert Site().fit(pages[:2]).warning == "the site has 2 pages: use at least 5"
    assert Site().fit([*pages[:3], pages[0]]).warning == "the site has 4 pages, only 3 of them distinct: use at least 5"
    assert not Site().fit(pages[:5]).warning


def test_pages_of_two_sites_are_refused():
    two = [*site(2), *site(2, host="www.coffee.example")]
    with pytest.raises(InputError, match=r"^pages of two sites, tea\.example and coffee\.example: [^\n]*$"):
        Site().fit(two)
    first, second = Site().fit(two[:2]), Site().fit(two[2:])
    before = both(first)
    with pytest.raises(InputError, match=r"tea\.example and coffee\.example"):
        first.merge(second)
    assert both(first) == before  # rejected pages are not counted
    with pytest.raises(InputError, match=r"tea\.example and coffee\.example"):
        first.add(two[2])
    assert both(first) == before
    mixed = Site(mixed=True).fit(two)
    assert mixed.hosts == ["coffee.example", "tea.example"]
    assert both(Site(mixed=True).fit(two[:2]).merge(second)) == both(mixed)


def test_only_mixed_models_merge_models_of_several_sites(tmp_path):
    mixed = Site(mixed=True).fit([*site(1), *site(1, host="coffee.example")])
    with pytest.raises(InputError, match=r"pages of two sites, coffee\.example and tea\.example"):
        Site().merge(mixed)
    mixed.save(tmp_path, complete=True)
    loaded = Site.load(tmp_path)
    assert loaded.mixed
    assert loaded.add(site(1, host="milk.example")[0]).hosts == ["coffee.example", "milk.example", "tea.example"]


def test_pages_that_name_no_site_are_accepted():
    pages = [*site(2), *site(2, first=2, host="")]
    assert Site().fit(pages).hosts == [HOST]
    assert Site().fit(pages[2:]).merge(Site().fit(pages[:2])).hosts == [HOST]
    assert Site().fit(pages[2:]).hosts == []


def test_by_decides_what_makes_a_site():
    hosts = [*site(1, host="news.tea.example"), *site(1, host="tea.example")]
    with pytest.raises(InputError, match="pages of two sites"):
        Site().fit(hosts)
    assert Site(by="domain").fit(hosts).hosts == ["tea.example"]
    sections = [page(article(number), name=name) for number, name in enumerate(["blog/a", "blog/b", "shop/a"])]
    assert Site().fit(sections).hosts == ["tea.example"]
    assert Site(by="section").fit(sections[:2]).hosts == ["tea.example/blog"]
    with pytest.raises(InputError, match=r"tea\.example/blog and tea\.example/shop"):
        Site(by="section").fit(sections)
    with pytest.raises(ConfigError, match=r"^unknown site grouping 'page'\..* Known: host, domain, section$"):
        Site(by="page")


def test_no_pages():
    with pytest.raises(InputError, match=r"^no pages to learn a site from$"):
        Site().fit([])
    empty = Site()
    assert (empty.pages, empty.hosts) == (0, [])
    for use in (
        lambda: empty.tables,
        lambda: empty.warning,
        lambda: empty.save("/nowhere"),
        lambda: load_method("site", site=empty),
        lambda: dehusk.clean("<p>x", site=empty),
    ):
        with pytest.raises(NotFittedError, match="the site has no pages"):
            use()
    assert both(Site().merge(Site()).fit(site(2)).merge(empty)) == both(Site().fit(site(2)))


@pytest.mark.parametrize("text", ["", "<p>", "<img alt=x>", "<script>s</script>", "%PDF-1.4 "])
def test_pages_without_words(text):
    model = Site().fit([text, text, *site(1)])
    assert (model.pages, model.tables.distinct) == (3, 2)
    only = Site().fit([text] * 3)
    assert only.warning.startswith("the site has 3 pages, only 1 of them distinct")
    for name in ("site", "cst"):
        assert not dehusk.clean(text, method=load_method(name, site=only)).labels.kept.any()


def test_sources_that_are_not_pages_are_errors(tmp_path):
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(InputError, match=r"^[^\n]*nowhere.html: cannot be read: No such file or directory$"):
        Site().fit([tmp_path / "nowhere.html"])
    with pytest.raises(InputError, match=r"^[^\n]*folder.html: cannot be read: Is a directory$"):
        Site().add(tmp_path / "folder.html")
    with pytest.raises(TypeError, match="bytes, str, Path, Page or Blocks"):
        Site().fit([42])
    for single in ("<p>one page", b"<p>one page", tmp_path, parse("<p>one page"), segment(parse("<p>one page"))):
        with pytest.raises(TypeError, match="several pages, not one"):
            Site().fit(single)


def test_one_page_shares_nothing():
    model = Site().fit(site(1))
    assert (len(model.tables.shingles), len(model.tables.texts), len(model.tables.terms)) == (0, 0, 0)
    assert not model.tables.repeated


def test_repeated_texts_are_sorted_by_frequency():
    pages = [*site(5), page(article(5), extra="<p>a note</p><p>a longer note")]
    pages[0] = page(article(0), extra="<p>A note</p><p>a longer note!")
    repeated = Site().fit(pages).tables.repeated
    assert repeated[: len(made_sites.MENU) + 1] == sorted(
        ((6, text) for text in (made_sites.FOOTER, *made_sites.MENU)), key=long_first
    )
    assert repeated[len(made_sites.MENU) + 1 :] == [(2, "a longer note"), (2, "A note")]


def long_first(row: tuple[int, str]) -> tuple[int, str]:
    return -len(row[1]), row[1]


def test_long_texts_are_cut_only_when_shown():
    long = "very " * 100
    repeated = Site().fit([page(article(number), extra=f"<p>{long}{number}") for number in (1, 1, 2)]).tables.repeated
    assert max(len(text) for _, text in repeated) <= counting.MAX_TEXT
    assert sum(text.startswith("very") for _, text in repeated) == 0  # they differ only after what is kept


@pytest.mark.parametrize("complete", [True, False])
def test_a_site_of_another_version_or_method(tmp_path, complete):
    Site().fit(site(6)).save(tmp_path, complete=complete)
    change_card(tmp_path, format=2)
    with pytest.raises(ModelError, match=r"^model [^\n]* is not in format 1$"):
        Site.load(tmp_path)
    change_card(tmp_path, format=1, method="victor")
    with pytest.raises(ModelError, match=r"^model [^\n]* belongs to method 'victor', not 'site'$"):
        Site.load(tmp_path)
    with pytest.raises(ModelError, match=r"is not a site model: make one with `dehusk site learn PAGES"):
        load_method("site", site=tmp_path)


def cards(**changes):
    return lambda folder: change_card(folder, **changes)


def arrays(**changes):
    return lambda folder: change_arrays(folder, **changes)


def file(name: str, data: bytes | None):
    def change(folder: Path) -> None:
        (folder / name).unlink()
        if data is not None:
            (folder / name).write_bytes(data)

    return change


DAMAGES = {
    "no card": file("card.json", None),
    "no arrays": file("arrays.npz", None),
    "empty arrays": file("arrays.npz", b""),
    "arrays of other bytes": file("arrays.npz", b"PK\x03\x04 and nothing else"),
    "a single array": file("arrays.npz", b"\x93NUMPY\x01\x00"),
    "unknown by": cards(by="page"),
    "by is a list": cards(by=[]),
    "no by": cards(by=None),
    "no mixed": cards(mixed=None),
    "no complete": cards(complete=None),
    "a cut that is none": cards(cut=5),
    "a cut of one": cards(cut=[5]),
    "a cut of words": cards(cut=["n", "t"]),
    "no shingles": arrays(shingles_keys=None),
    "no slots": arrays(slots_keys=None),
    "no pages of slots": arrays(slots_pages=None),
    "fewer pages of slots": arrays(slots_pages=lambda a: a[:-1]),
    "pages of slots in words": arrays(slots_pages=lambda a: a.astype(float)),
    "fewer texts in slots": arrays(slot_texts_counts=lambda a: a[:-1]),
    "of another version": cards(counts=None),
    "no counts": arrays(terms_counts=None),
    "no names of sites": arrays(hosts=None),
    "one key more": arrays(texts_keys=lambda a: a[:-1]),
    "keys of other shape": arrays(terms_keys=lambda a: a[:, :1]),
    "keys in one row": arrays(terms_keys=lambda a: a.ravel()),
    "keys that are not integers": arrays(shingles_keys=lambda a: a.astype(float)),
    "keys out of order": arrays(shingles_keys=lambda a: a[::-1]),
    "keys twice": arrays(terms_keys=lambda a: np.concatenate([a[:1], a[:-1]])),
    "counts that are not integers": arrays(terms_counts=lambda a: a / 2),
    "counts of other shape": arrays(terms_counts=lambda a: a[:, None]),
    "counts of none": arrays(shingles_counts=lambda a: a * 0),
    "negative counts": arrays(shingles_counts=lambda a: -a.astype(np.int64)),
    "counts as objects": arrays(shingles_counts=lambda a: a.astype(object)),
    "texts that are not text": arrays(strings_texts=lambda a: np.full_like(a, 255)),
    "fewer texts": arrays(strings_texts=lambda a: a[:50]),
    "fewer sites": arrays(hosts_counts=lambda a: a[:0]),
    "no elements": arrays(structure_elements_keys=None),
    "fewer elements": arrays(structure_elements_counts=lambda a: a[:-1]),
}
FINISHED_ONLY = {
    "no pages": cards(pages=None),
    "pages in words": cards(pages="many"),
    "no number of different pages": cards(distinct=None),
    "more different pages than pages": cards(distinct=99),
    "no different page": cards(distinct=0),
}
COMPLETE_ONLY = {
    "pages that are not there": arrays(slots_pages=lambda a: a + 6),
    "pages before the first": arrays(slots_pages=lambda a: a.astype(np.int64) - 1),
    "no page": arrays(pages_keys=lambda a: a[:0], pages_counts=lambda a: a[:0]),
}


@pytest.mark.parametrize(
    ("complete", "what"),
    [(True, what) for what in DAMAGES | COMPLETE_ONLY] + [(False, what) for what in DAMAGES | FINISHED_ONLY],
)
def test_a_damaged_site_is_a_one_line_error(tmp_path, complete, what):
    model = Site().fit(site(6))
    model.cut = (9, 2)
    model.save(tmp_path, complete=complete)
    assert Site.load(tmp_path).cut == (9, 2)
    (DAMAGES | FINISHED_ONLY | COMPLETE_ONLY)[what](tmp_path)
    with pytest.raises(ModelError, match=rf"^(site )?model {tmp_path}[^\n]*$"):
        Site.load(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelError, match="cannot be written"):
        Site().fit(site(2)).save(tmp_path / "file")


def test_a_site_no_longer_in_use_is_freed():
    """The methods that `clean` builds from a site do not keep its tables in memory."""
    for name in ("site", "cst"):
        model = Site().fit(site(2))
        dehusk.clean(site(1)[0], site=model, method=name)
        tables = weakref.ref(model.tables)
        del model
        gc.collect()
        assert tables() is None, name


def test_a_method_sees_the_pages_added_to_its_site():
    model = Site().fit(site(1))
    text = site(1)[0]
    assert made_sites.FOOTER in dehusk.clean(text, method="site", site=model).text
    model.add(site(2)[1])
    assert made_sites.FOOTER not in dehusk.clean(text, method="site", site=model).text


def test_a_folder_that_changed_is_read_again(tmp_path):
    text = site(1)[0]
    Site().fit(site(1)).save(tmp_path)
    assert made_sites.FOOTER in dehusk.clean(text, method="site", site=tmp_path).text
    Site().fit(site(6)).save(tmp_path)
    assert made_sites.FOOTER not in dehusk.clean(text, method="site", site=str(tmp_path)).text


def test_100000_equal_list_items():
    text = "<ul>" + "<li>the same item of the list" * 100_000 + "</ul>"
    model = Site().fit([text, text + "<p>and another paragraph", text + "<p>a third page"])
    assert model.tables.repeated[0] == (3, "the same item of the list")
    doc = dehusk.clean(text, site=model)
    assert doc.status is dehusk.Status.NO_CONTENT
    assert len(doc.labels) == 100_000


def test_session_ids_do_not_matter():
    def pages(seed: int) -> list[str]:
        chance = random.Random(seed)  # noqa: S311 (nothing secret)
        tag = "<a href='/x?s={0}' data-s={0} id=i{0}>A link of the menu with a name</a>"
        return [
            page(
                article(number), extra=f"<div id=b{chance.getrandbits(64):x}>{tag.format(chance.getrandbits(64))}</div>"
            )
            for number in range(6)
        ]

    for name in ("site", "cst"):
        texts = [dehusk.clean(html, site=Site().fit(pages(0)), method=name).text for html in pages(0)]
        other = [dehusk.clean(html, site=Site().fit(pages(1)), method=name).text for html in pages(1)]
        assert texts == other
        assert "A link of the menu" not in texts[0]
        assert article(0)[0] in texts[0]


def test_the_repr_of_a_site_is_one_line_that_says_which_and_how(tmp_path):
    assert repr(Site()) == "<Site unnamed: 0 pages, by host, with structure>"
    model = Site(by="domain").fit(site(3))
    assert repr(model) == "<Site tea.example: 3 pages, by domain, with structure>"
    model.save(tmp_path)
    assert repr(Site.load(tmp_path)) == (
        "<Site tea.example: 3 pages, by domain, with structure, without counts: cannot learn more>"
    )
    pages = [site(1, host=f"{name}.example")[0] for name in "abcde"]
    assert repr(Site(mixed=True, structure=False).fit(pages)) == (
        "<Site a.example, b.example, c.example and 2 more: 5 pages, by host, mixed, without structure>"
    )
