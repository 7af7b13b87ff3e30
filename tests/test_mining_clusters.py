"""Clusters of unit vectors: numbers, silhouettes, words, agreement with labels."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics import silhouette_samples

from dehusk.base.errors import InputError
from dehusk.sites.mining.clusters import KMeansPlan, agreement, cluster_pages, fewer, v_measure
from dehusk.sites.mining.unit_vectors import idf_of, site_idf_rows, unit_rows, vectors_for, word_rows
from dehusk.sites.structure_tree.vectors import PageVectors, SparseRows, to_scipy

WORDS = tuple("abcdefgh")


def rows(matrix):
    sparse = csr_matrix(np.array(matrix, dtype=float))
    return SparseRows(sparse.data, sparse.indices, sparse.indptr.astype(np.int64), sparse.shape)


def groups(sizes, *, seed=0):
    """Return unit vectors in groups: group i has mostly words 2i and 2i + 1."""
    random = np.random.default_rng(seed)
    matrix = random.random((sum(sizes), len(WORDS))) * 0.2
    for row, group in enumerate(np.repeat(range(len(sizes)), sizes)):
        matrix[row, 2 * group : 2 * group + 2] += 1 + random.random(2)
    return unit_rows(rows(matrix))


def test_clusters_are_numbered_by_size_then_by_first_page():
    found = cluster_pages(groups([3, 5, 3]), WORDS, KMeansPlan(3))
    assert found.cluster.tolist() == [2] * 3 + [1] * 5 + [3] * 3
    assert found.sizes == [5, 3, 3]
    assert [set(words[:2]) for words in found.words] == [{"c", "d"}, {"a", "b"}, {"e", "f"}]
    assert [found.cluster[page] for page in found.centres] == [1, 2, 3]


def test_silhouettes_are_those_of_all_pairs_of_pages():
    vectors = groups([4, 7, 1, 6], seed=3)
    found = cluster_pages(vectors, WORDS, KMeansPlan(4))
    expected = silhouette_samples(to_scipy(vectors), found.cluster, metric="cosine")
    assert np.allclose(found.silhouette, expected, atol=1e-12)
    assert found.silhouette[11] == 0  # alone in its cluster


def test_equal_seeds_give_equal_clusters_and_each_start_counts():
    vectors = groups([4, 7, 5], seed=1)
    one, two = (cluster_pages(vectors, WORDS, KMeansPlan(5, starts=4, seed=7, init="random")) for _ in range(2))
    assert one.cluster.tolist() == two.cluster.tolist()
    assert len(one.runs) == 4
    later = cluster_pages(vectors, WORDS, KMeansPlan(5, starts=3, seed=8, init="random"))
    assert [run.tolist() for run in later.runs] == [run.tolist() for run in one.runs[1:]]


def test_pages_without_words_are_in_no_cluster():
    vectors = rows([[1, 0], [0, 0], [0, 1], [1, 0]])
    found = cluster_pages(vectors, WORDS[:2], KMeansPlan(2))
    assert found.cluster.tolist() == [1, 0, 2, 1]
    assert np.isnan(found.silhouette[1])
    judged = agreement(found, ["x", "x", "y", "x"])
    assert judged.f == pytest.approx((2 * 2 / 5 + 1) / 2)  # the page in no cluster is missed
    with pytest.raises(InputError, match="4 clusters need 4 pages or more with words that weigh anything, not 3"):
        cluster_pages(vectors, WORDS[:2], KMeansPlan(4))


def test_copies_give_fewer_clusters():
    plan = KMeansPlan(3)
    found = cluster_pages(rows([[1, 0], [1, 0], [0, 1], [0, 1]]), WORDS[:2], plan)
    assert found.cluster.tolist() == [1, 1, 2, 2]
    assert fewer(found, plan) == "only 2 clusters: the pages have no 3 different vectors"
    assert fewer(cluster_pages(groups([2, 2]), WORDS, KMeansPlan(2)), KMeansPlan(2)) == ""


def test_agreement_with_labels():
    found = cluster_pages(groups([4, 4]), WORDS, KMeansPlan(2, starts=3))
    perfect = agreement(found, ["x"] * 4 + [None] * 2 + ["y"] * 2)
    assert (perfect.f, perfect.purity, perfect.v_measure) == (1, 1, 1)
    assert perfect.f_of_starts == (1, 1, 1)
    mixed = agreement(found, ["x", "y", "y", "y", "y", "y", "y", "y"])
    assert mixed.purity == 7 / 8
    assert mixed.f == pytest.approx((2 / 5 + 2 * 4 / 11) / 2)
    assert agreement(found, [None] * 8) is None
    assert v_measure(found, ["s"] * 4 + ["t"] * 4) == 1


def test_idf_of_a_site_counts_the_pages_of_that_site():
    counts = rows([[2, 1, 0], [1, 0, 1], [0, 3, 4], [0, 0, 5]])
    found = to_scipy(site_idf_rows(counts, ["a", "a", "a", "b"])).toarray()
    idf = np.log([3 / 2, 3 / 2, 3 / 2])
    expected = np.array([[2, 1, 0], [1, 0, 1], [0, 3, 4]]) * idf
    assert np.allclose(found[:3], expected / np.linalg.norm(expected, axis=1, keepdims=True))
    assert found[3].tolist() == [0, 0, 1]  # the only page of its site
    alike = to_scipy(site_idf_rows(rows([[1, 1], [1, 1]]), ["a", "a"]))
    assert alike.nnz == 0  # on all pages of the site


def test_unit_vectors_before_and_after_weighting():
    vectors = PageVectors(
        ("a", "b", "c"),
        np.array([0, 2, 3, 4]),
        np.array([0, 1, 0, 2], dtype=np.int32),
        np.array([0.0, 2.0, 3.0, 0.0]),
        np.array([3, 4, 2, 1]),
        np.ones(3, dtype=np.bool_),
    )
    before = to_scipy(vectors_for(vectors, by_tree=False, idf=False)).toarray()
    assert np.allclose(before, [[0.6, 0.8, 0], [1, 0, 0], [0, 0, 1]])
    after = to_scipy(vectors_for(vectors, by_tree=True, idf=False)).toarray()
    assert np.allclose(after, [[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    counts = word_rows(vectors, by_tree=False)
    assert np.allclose(idf_of(counts), np.log([3 / 2, 3, 3]))
    weighted = to_scipy(unit_rows(counts, idf_of(counts))).toarray()[0]
    assert weighted[1] / weighted[0] == pytest.approx(4 * np.log(3) / (3 * np.log(1.5)))


def test_a_word_on_every_page_has_no_idf_and_leaves_no_vector():
    matrix = rows([[1, 0], [1, 0]])
    assert to_scipy(unit_rows(matrix, idf_of(matrix))).nnz == 0
