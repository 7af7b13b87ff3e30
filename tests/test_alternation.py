"""FindOptimal: literal implementations of figures 2 and 3, the paper's examples, and properties of the results."""

from collections import Counter
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ikeda
from dehusk.base.errors import ConfigError, InputError, ModelError, NotFittedError
from dehusk.sites.alternation import (
    FindOptimal,
    agreement,
    alternation_count,
    correct_string,
    grams,
    range_string,
    ranking,
    strings,
    suffixes,
    surface,
)
from ikeda import site

LETTERS = st.sampled_from(["a", "b", "c", "<p>", "</p> ", " \n", "\t", "漢", "😀", "\ud800", "\x00"])
TEXTS = st.lists(LETTERS, max_size=25).map("".join)
SETS = st.lists(TEXTS, min_size=1, max_size=6)


def fitted(*documents: str, **options: object) -> FindOptimal:
    return FindOptimal(**options).fit(documents)


# The paper's examples


def test_example_1() -> None:
    r = range_string("accbaacbc", {"cb", "ba"})
    assert "".join(map(str, r)) == "110001001"
    assert alternation_count(r) == 4


def test_the_example_of_section_2_1_by_hashes_of_bigrams() -> None:
    table = np.unique(np.concatenate([grams.gram_hashes(strings.code_points(v), 2) for v in ("cb", "ba")]))
    starts = np.flatnonzero(grams.is_in(grams.gram_hashes(strings.code_points("accbaacbc"), 2), table))
    assert grams.covered(starts, np.full(len(starts), 2)).tolist() == [[2, 5], [6, 8]]


def test_and_and_exclusive_or_of_section_2_1() -> None:
    x, y = (np.array(list(map(int, bits))) for bits in ("01101", "11100"))
    counts = agreement(x, y)
    assert counts.size - counts.both == 3  # [x & y]_0
    assert round(counts.size * (1 - counts.accuracy)) == 2  # [x ^ y]_1
    assert (counts.recall, counts.precision) == (2 / 3, 2 / 3)


# The oracle


TIES = st.sampled_from(ranking.TIES)
BOUNDS = st.sampled_from(["", "<>.?", "a c"])


@given(SETS, TIES, st.integers(1, 3), BOUNDS)
def test_the_surface_is_figure_2s(texts: list[str], ties: str, least: int, bounds: str) -> None:
    oracle = ikeda.Oracle(ikeda.documents_of(texts), ties, least, bounds)
    finder = FindOptimal("printed", ties=ties, t=least, bounds=bounds)
    surface_ = finder.surface(texts, range(1, 9), range(0, 101, 3))
    for row, n in enumerate(surface_.lengths):
        counts = dict(ikeda.countsort(oracle.documents, n, ties, bounds))
        for column, a in enumerate(surface_.percents):
            w = oracle.useless(n, a)
            assert surface_.alternation[row, column] == ikeda.boundaries(oracle.documents, w, n, bounds)
            highest = max(counts.values(), default=0)
            rarest = min((counts[gram] for gram in w), default=max(least, highest + 1))
            assert surface_.threshold[row, column] == rarest


def check_path(oracle: ikeda.Oracle, start: tuple[int, int], longest: int) -> FindOptimal:
    options = {"ties": oracle.ties, "t": oracle.least, "bounds": oracle.bounds}
    cut = fitted(*oracle.documents, search="printed", start=start, longest=longest, **options)
    assert [point[:2] for point in cut.path_] == oracle.path(start, longest)
    counts = [point.alternation for point in cut.path_]
    assert counts == [oracle.alternation(n, a) for n, a, _, _ in cut.path_]
    assert counts == sorted(set(counts), reverse=True)
    assert (cut.n_, cut.a_, cut.t_) == cut.path_[-1][:3]
    w = oracle.useless(cut.n_, int(cut.a_))
    assert len(cut.grams_) == len(w)
    for x in oracle.documents:
        assert cut.range_string(x).tolist() == ikeda.ranges(x, w, cut.n_, oracle.bounds)
    assert sum(alternation_count(cut.range_string(x)) for x in oracle.documents) == counts[-1]
    return cut


@given(SETS, st.sampled_from([1, 2, 7]))
@settings(max_examples=40)
def test_the_surface_in_chunks(texts: list[str], chunk: int) -> None:
    finder = FindOptimal("printed", t=1)
    whole = finder.surface(texts, [3, 1, 9], range(0, 101, 5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(surface, "_CHUNK", chunk)
        surface_ = finder.surface(texts, [3, 1, 9], range(0, 101, 5))
    assert surface_.alternation.tolist() == whole.alternation.tolist()


def test_a_fit_at_a_cut_point_is_the_search_that_ends_there_and_the_surface() -> None:
    documents = site(6)
    found = FindOptimal("printed", look_ahead=2).fit(documents)
    at_end = FindOptimal("printed").fit_at(documents, found.n_, found.a_)
    assert at_end.grams_.tolist() == found.grams_.tolist()
    assert at_end.path_ == found.path_[-1:]
    lengths, percents = (2, 5, 12), (1, 20, 60)
    counts = FindOptimal("printed").surface(documents, lengths, percents).alternation
    for row, n in enumerate(lengths):
        for column, a in enumerate(percents):
            cut = FindOptimal("printed").fit_at(documents, n, a)
            assert counts[row, column] == sum(alternation_count(cut.range_string(text)) for text in documents)
    for n, a, search in ((0, 5, "printed"), (5, 101, "printed"), (5, 5, "df")):
        with pytest.raises(ConfigError):
            FindOptimal(search).fit_at(documents, n, a)


@given(
    st.tuples(st.integers(2, 6), st.integers(0, 50), st.integers(3, 20)),
    st.tuples(st.integers(2, 4), st.integers(1, 40)),
    st.sampled_from([4, 30]),
    TIES,
    BOUNDS,
)
@settings(max_examples=8)
def test_the_path_is_figure_3s(
    site_options: tuple[int, int, int], start: tuple[int, int], longest: int, ties: str, bounds: str
) -> None:
    documents = [ikeda.fold(x) for x in site(*site_options)]
    check_path(ikeda.Oracle(documents, ties, 2, bounds), start, longest)


@given(SETS.map(ikeda.documents_of).filter(bool), st.integers(1, 99), TIES, st.integers(1, 3))
def test_the_path_is_figure_3s_on_any_strings(documents: list[str], a: int, ties: str, least: int) -> None:
    check_path(ikeda.Oracle(documents, ties, least), (2, a), 30)


@pytest.mark.parametrize("ties", ranking.TIES)
def test_paths_that_go_both_ways(ties: str) -> None:
    oracle = ikeda.Oracle([ikeda.fold(x) for x in site(3, 0, 60)], ties)
    path = check_path(oracle, (3, 10), 30).path_
    assert {(later.n - step.n, later.a - step.a) for step, later in pairwise(path)} == {(1, 0), (0, 1)}


def test_without_a_least_count_the_letter_of_figure_2_can_find_everything_useless() -> None:
    letters = np.random.default_rng(1).choice(list("abcdefghijklmnopqrstuvwxyz"), (200, 5))
    documents = [f"<p>{''.join(own)}</p>" for own in letters]
    ends = {t: fitted(*documents, search="printed", ties="first-seen", t=t, start=(3, 30)) for t in (1, 2)}
    assert (ends[1].a_, ends[1].t_) == (100, 1)
    assert not any(ends[1].range_string(x).any() for x in documents)
    assert ends[2].t_ == 2


@given(SETS, st.integers(1, 12), st.integers(2, 3), BOUNDS)
def test_document_frequency(texts: list[str], n: int, t: int, bounds: str) -> None:
    documents = ikeda.documents_of(texts)
    cut = fitted(*texts, n=n, t=t, bounds=bounds)
    w = ikeda.document_frequent(documents, n, t, bounds)
    assert len(cut.grams_) == len(w)
    assert cut.documents_ == len(documents)
    for x in documents:
        assert cut.range_string(x).tolist() == ikeda.ranges(x, w, n, bounds)


@pytest.mark.parametrize("reach", [1, 3])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ties", ["hashed", "join"])
def test_after_look_ahead_no_count_within_reach_is_smaller(reach: int, seed: int, ties: str) -> None:
    oracle = ikeda.Oracle([ikeda.fold(x) for x in site(5, seed)], ties)
    options = {"search": "printed", "ties": ties}
    printed, cut = (fitted(*oracle.documents, look_ahead=k, **options) for k in (0, reach))
    assert cut.path_[: len(printed.path_)] == printed.path_
    n0, a0, _, least = cut.path_[-1]
    for n in range(n0, n0 + reach + 1):
        different: list[set[str]] = []
        for a in range(a0, 101):
            w = oracle.useless(n, a)
            if not w or len(different) > reach:
                break
            different += [w] if w not in different else []
        assert all(ikeda.boundaries(oracle.documents, w, n) >= least for w in different[: reach + 1])


def test_look_ahead_passes_a_plateau() -> None:
    last_points = [
        fitted(*site(5, seed, known=0), search="printed", look_ahead=k).path_[-1] for seed in range(4) for k in (0, 2)
    ]
    pairs = zip(last_points[::2], last_points[1::2], strict=True)
    assert sum(wide.alternation < printed.alternation for printed, wide in pairs) > 1


# Properties


@given(SETS, TEXTS, st.sampled_from([{"n": 3}, {"n": 2, "t": 3}, {"search": "printed", "start": (2, 20)}]))
def test_kept_and_useless_parts_are_the_document(texts: list[str], other: str, options: dict[str, object]) -> None:
    cut = fitted(*texts, **options)
    for document in (*texts, other):
        spans, r = cut.useless(document), cut.range_string(document)
        assert (np.diff(spans.ravel()) > 0).all()
        assert len(r) == len(document)
        assert "".join(x for x, bit in zip(document, r, strict=True) if bit) == "".join(
            document[a:b] for a, b in _complement(spans, len(document))
        )
        assert cut.kept(document).split("\n") == "\n".join(
            document[a:b] for a, b in _complement(spans, len(document))
        ).split("\n")


def _complement(spans: np.ndarray, size: int) -> list[tuple[int, int]]:
    edges = [0, *spans.ravel().tolist(), size]
    return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]


@pytest.mark.parametrize("options", [{}, {"search": "printed", "look_ahead": 2}])
def test_order_and_copies_make_no_difference(options: dict[str, object]) -> None:
    documents = site(6)
    cut = fitted(*documents, **options)
    other = fitted(*documents[::-1], *documents[2:], "  ", "", **options)
    assert (cut.n_, cut.a_, cut.t_, cut.path_) == (other.n_, other.a_, other.t_, other.path_)
    assert cut.grams_.tobytes() == other.grams_.tobytes()


def test_white_space_is_folded_and_spans_are_of_the_document_as_given() -> None:
    documents = site(4)
    cut = fitted(*documents)
    spread = documents[0].replace(" ", " \n\t ")
    parts = [" ".join(spread[a:b].split()) for a, b in cut.useless(spread)]
    assert parts == [" ".join(documents[0][a:b].split()) for a, b in cut.useless(documents[0])]
    assert any(len(part) > 30 for part in parts)


def test_a_new_document() -> None:
    *known, unseen = site(7, known=0)
    for options in ({}, {"search": "printed", "look_ahead": 2}):
        cut = fitted(*known, **options)
        kept = cut.kept(unseen)
        assert "Copyright" not in kept
        assert "Home News" not in kept
        own = unseen.split("<h1>")[1].split("</h1>")[0]
        assert own[5:-5] in kept


def test_thresholds_of_the_document_frequency_rule() -> None:
    documents = [f"the same words for everyone {i % 5} different {i}" * 2 for i in range(10)]
    assert fitted(*documents, n=4).t_ == 2
    assert fitted(*documents, n=4, t="records").t_ == 3
    assert fitted(*documents[:2], n=4, t="records").t_ == 2
    records = fitted(*documents, n=20, t="records")
    assert records.a_ < fitted(*documents, n=20).a_ <= 100


def test_several_sites_in_one_set() -> None:
    english = site(8, known=0)
    chinese = [
        f"<div class=导航>首页 新闻 体育</div><article>{x}</article><footer>版权所有</footer>"
        for x in ("水太热会让茶变苦", "他们在山里住了很久", "冬天的雪落满了屋顶", "书店里有许多旧书")
    ]
    for options in ({"n": 5}, {"search": "printed", "start": (4, 20), "look_ahead": 3}):
        cut = fitted(*english, *chinese, **options)
        assert all(
            "首页" not in cut.kept(x) and own in cut.kept(x)
            for x, own in zip(chinese, ("让茶变", "山里住了", "雪落满", "许多旧书"), strict=True)
        )
        assert all("Copyright" not in cut.kept(x) for x in english)


# n-grams and suffixes


@given(st.lists(st.sampled_from("ab漢"), max_size=60).map("".join), st.integers(1, 40))
def test_hashes_are_equal_where_grams_are(text: str, n: int) -> None:
    hashes = grams.gram_hashes(strings.code_points(text), n).tolist()
    all_grams = [text[i : i + n] for i in range(len(text) - n + 1)]
    assert len(hashes) == len(all_grams)
    assert len(set(zip(hashes, all_grams, strict=True))) == len(set(hashes)) == len(set(all_grams))


@given(TEXTS, st.integers(1, 12), BOUNDS.filter(bool))
def test_grams_with_bounds_have_the_hashes_of_their_lengths(text: str, n: int, bounds: str) -> None:
    points = strings.code_points(text)
    places = grams.gram_places(points, n, bounds)
    rows = list(zip(places.start.tolist(), places.length.tolist(), places.hashes.tolist(), strict=True))
    assert [(i, text[i : i + size]) for i, size, _ in rows] == ikeda.grams_of(text, n, bounds)
    assert all(value == grams.gram_hashes(points, size)[i] for i, size, value in rows)


def test_useless_parts_with_bounds_do_not_go_on_behind_a_tag() -> None:
    documents = [f"<b>Price:</b><i>1{i}</i>" for i in (2, 3, 7)]
    new = "<b>Price:</b><i>15</i><u>new</u>"
    assert fitted(*documents, n=6).kept(new) == "5</i><u>new</u>"
    assert fitted(*documents, n=6, bounds="<>").kept(new) == "15\nu>new</u>"


@given(
    st.lists(st.lists(st.integers(0, 2**64 - 1), max_size=30), max_size=5), st.integers(1, 3), st.sampled_from([4, 99])
)
def test_document_frequency_in_buckets(documents: list[list[int]], t: int, bucket: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grams, "_BUCKET", bucket)
        frequent, distinct = grams.document_frequent([np.unique(np.array(d, dtype=np.uint64)) for d in documents], t)
    counts = Counter(value for d in documents for value in set(d))
    assert frequent.tolist() == sorted(value for value, count in counts.items() if count >= t)
    assert distinct == len(counts)


@given(SETS)
def test_suffixes_are_sorted_and_end_with_their_documents(texts: list[str]) -> None:
    points = [strings.code_points(x) for x in texts]
    array = suffixes.sort_suffixes(points)
    joined = np.concatenate([part for x in points for part in (x.astype(np.int64) + 1, [0])])
    tails = [joined[i:].tolist() for i in array.order]
    assert tails == sorted(tails)
    for common, (left, right) in zip(array.common[:-1].tolist(), pairwise(tails), strict=True):
        same = 0
        while same < min(len(left), len(right)) and left[same] == right[same] != 0:
            same += 1
        assert common == same


def test_an_alphabet_of_more_letters_than_a_byte() -> None:
    documents = ["".join(map(chr, range(0x4E00, 0x4E00 + 400))) + "<p>" + "".join(map(chr, range(0x4F00, 0x5000)))] * 1
    documents += [documents[0][100:300] + "<p>完"]
    surface_ = FindOptimal("printed").surface(documents, [3], [100])
    assert surface_.alternation.tolist() == [[ikeda.Oracle(documents).alternation(3, 100)]]
    assert surface_.threshold.tolist() == [[2]]


# Broken and hostile input


def test_no_documents() -> None:
    for options in ({}, {"search": "printed"}):
        with pytest.raises(InputError, match=r"^no documents to learn from$"):
            FindOptimal(**options).fit([])
    with pytest.raises(InputError, match=r"^no documents to learn from$"):
        FindOptimal("printed").surface([], [2], [1])
    with pytest.raises(TypeError, match=r"^expected several documents, not one str: pass a list$"):
        FindOptimal().fit("one string")
    with pytest.raises(
        TypeError,
        match=r"^a document must be a str, not bytes; for pages use Alternation of dehusk\.",
    ):
        FindOptimal().fit([b"bytes"])


@pytest.mark.parametrize(
    "options", [{}, {"t": "records"}, {"search": "printed"}, {"search": "printed", "look_ahead": 3}]
)
@pytest.mark.parametrize(
    "documents",
    [[""], ["", " \n"], ["x"], ["x", "y"], ["One document. One document only."], ["two equal ones " * 4] * 2],
    ids=["empty", "no text", "a letter", "two letters", "one", "two equal"],
)
def test_everything_is_kept_if_no_gram_can_be_useless(documents: list[str], options: dict[str, object]) -> None:
    cut = fitted(*documents, **options)
    assert len(cut.grams_) == 0
    assert [cut.kept(x) for x in documents] == documents
    assert cut.t_ >= 2


def test_grams_longer_than_a_document() -> None:
    documents = [*site(3), "short", "short too"]
    cut = fitted(*documents, n=16)
    assert cut.kept("short") == "short"
    assert "Copyright" not in cut.kept(documents[0])
    longer = fitted(*documents, n=5000)
    assert [longer.kept(x) for x in documents] == documents


def test_equal_lines() -> None:
    line = "the very same line of text\n"
    documents = [line * 100_000, line * 100 + "and an end of its own"]
    assert "end of its own" in fitted(*documents).kept(documents[1])
    assert len(fitted(*documents).kept(documents[1])) < 100
    searched = fitted(*documents, search="printed", look_ahead=2)
    assert [searched.kept(x) for x in documents] == documents  # a percent of 30 bigrams is none
    wide = fitted(*documents, search="printed", start=(2, 30), longest=16)
    assert wide.path_[-1].alternation <= wide.path_[0].alternation


def test_the_search_stops_at_the_longest_n() -> None:
    random = Random(5)  # noqa: S311 (nothing secret)
    words = ["".join(random.choices("abcdefgh", k=40)) for _ in range(60)]
    documents = ["".join(random.choices(words, k=200)) for _ in range(4)]
    cut = fitted(*documents, search="printed", longest=12, look_ahead=5)
    assert cut.n_ <= 12


def test_too_many_characters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suffixes, "_MOST", 50)
    with pytest.raises(InputError, match="a suffix array takes up to 50 characters, but the documents have"):
        fitted(*site(2), search="printed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "print"}, "unknown search 'print'. Did you mean printed. Known: df, printed"),
        ({"t": 1}, 't must be an integer of 2 or more, or "records", not 1'),
        ({"t": "many"}, "t must be an integer of 2 or more"),
        ({"n": 0}, "n must be an integer from 1 to 65535, not 0"),
        ({"n": 2.5}, "n must be an integer"),
        ({"look_ahead": 2}, "option look_ahead is for search 'printed', not 'df'"),
        ({"search": "printed", "n": 32}, "option n is for search 'df', not 'printed'"),
        ({"search": "printed", "look_ahead": -1}, "look_ahead must be an integer from 0 to 65535, not -1"),
        ({"search": "printed", "start": (2, 100)}, r"start must be a pair .* not \(2, 100\)"),
        ({"search": "printed", "start": [2, 1]}, "start must be a pair"),
        ({"search": "printed", "longest": 1}, "longest must be an integer from 2"),
    ],
)
def test_invalid_options(options: dict[str, object], message: str) -> None:
    finder = FindOptimal(**options)
    with pytest.raises(ConfigError, match=f"^{message}"):
        finder.fit(["text"])
    assert all(getattr(finder, name) == value for name, value in options.items())


def test_bounds_of_the_surface() -> None:
    for lengths, percents in (([0], [1]), ([65_536], [1]), ([2], [101]), ([2], [-1])):
        with pytest.raises(ConfigError, match="lengths must be integers from 1 to 65535, percents integers"):
            FindOptimal("printed").surface(["text"], lengths, percents)
    assert FindOptimal("printed").surface(["", "t"], [2], [50]).alternation.tolist() == [[0]]


# Model folders and correct strings


def test_use_before_fit(tmp_path) -> None:
    for use in (
        lambda c: c.useless("x"),
        lambda c: c.kept("x"),
        lambda c: c.range_string("x"),
        lambda c: c.save(tmp_path),
    ):
        with pytest.raises(NotFittedError, match=r"^this FindOptimal is not fitted: call fit or load first"):
            use(FindOptimal())


@pytest.mark.parametrize("options", [{"t": "records", "n": 9}, {"search": "printed", "look_ahead": 1, "start": (3, 2)}])
def test_model_folders(tmp_path, options: dict[str, object]) -> None:
    documents = site(5)
    cut = fitted(*documents, **options)
    cut.save(tmp_path / "cut")
    loaded = FindOptimal.load(tmp_path / "cut")
    assert {name: vars(loaded)[name] for name in vars(loaded) if name != "grams_"} == {
        name: vars(cut)[name] for name in vars(cut) if name != "grams_"
    }
    assert type(loaded.a_) is type(cut.a_)
    assert [loaded.kept(x) for x in documents] == [cut.kept(x) for x in documents]
    loaded.save(tmp_path / "again")
    for name in ("card.json", "arrays.npz"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "cut" / name).read_bytes()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"n_": 9', '"n_": 0'),
        ('"n_"', '"m_"'),
        ('"search": "df"', '"search": "x"'),
        ('"t": 2', '"t": 1'),
        ('"options"', '"o"'),
    ],
)
def test_a_damaged_card_is_refused(tmp_path, old: str, new: str) -> None:
    fitted(*site(3), n=9, t=2).save(tmp_path)
    card = tmp_path / "card.json"
    text = card.read_text("utf-8")
    assert old in text
    card.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(ModelError, match="damaged"):
        FindOptimal.load(tmp_path)


def test_damaged_grams_are_refused(tmp_path) -> None:
    cut = fitted(*site(3))
    cut.grams_ = cut.grams_[::-1]
    cut.save(tmp_path)
    with pytest.raises(ModelError, match="not sorted hashes"):
        FindOptimal.load(tmp_path)


def test_correct_strings() -> None:
    document = "x<b>one</b>y<b>two</b><b>z<i>three</i>"
    between = ["one", "two", "three"]
    c = correct_string(document, [("<b>", "</b>"), ("<i>", "</i>")])
    assert "".join(letter for letter, bit in zip(document, c, strict=True) if bit) == "".join(between)
    assert correct_string("no delimiters", [("<b>", "</b>")]).tolist() == [0] * 13
    assert correct_string("<b>" * 50_000, [("<b>", "</b>")]).sum() == 0
    with pytest.raises(ValueError, match="delimiters must not be empty"):
        correct_string("x", [("", "y")])
    with pytest.raises(ValueError, match="substrings must not be empty"):
        range_string("x", {""})


def test_agreements_add_up() -> None:
    c, r = np.array([1, 1, 0, 0, 0]), np.array([1, 0, 1, 0, 0])
    total = agreement(c, r) + agreement(np.zeros(5), np.ones(5))
    assert (total.both, total.correct, total.kept, total.size) == (1, 2, 7, 10)
    assert (total.accuracy, total.recall, total.precision) == (1 - 7 / 10, 1 / 2, 1 / 7)
    nothing = agreement(np.zeros(0), np.zeros(0))
    assert (nothing.accuracy, nothing.recall, nothing.precision) == (1, 1, 1)
    with pytest.raises(ValueError, match="the correct string has 2 characters, the range string 3"):
        agreement(np.zeros(2), np.zeros(3))


def test_the_surface_is_a_row_for_each_length() -> None:
    points = [strings.fold(x).points for x in site(5)]
    rows = surface.SurfaceRows(suffixes.sort_suffixes(points), "hashed", 1)
    for n in (2, 7, 200, 3):
        row = rows.row(n)
        assert row.distinct == len({tuple(x[i : i + n]) for x in points for i in range(len(x) - n + 1)})
        assert (row.sizes[0], row.alternations[0]) == (0, 0)
        assert row.thresholds[0] > row.thresholds[1]
        assert (row.sizes[100], row.alternations[100], row.thresholds[100]) == (row.distinct, 0, 1)
