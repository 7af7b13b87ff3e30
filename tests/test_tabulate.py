"""Numbers become finitely many values (the thesis, section 3.4), and joins number the tuples of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dehusk.label.victor.config import parse_config
from dehusk.label.victor.tabulation import Tabulation

JOINED = """
[containers]
bold = ["b"]
[splits]
br = ["br"]
[regexp]
url = ["://"]
[feature-values]
"char.count" = [0, 10, 50.5]
[feature-scale]
position = 4
[crf]
features = ["position", "char.count", "container.bold", "bullet"]
rows = [-1, 0, 1]
joins = [["container.bold", "char.count"], ["regexp.url", "split.br", "position"]]
"""


def tabulated(lines: str, columns: dict[str, list], *, features: str = '"char.count"', crf: str = "") -> list:
    config = parse_config(f"[containers]\na = ['a']\n{lines}\n[crf]\nfeatures = [{features}]\n{crf}")
    return Tabulation(config).table({name: np.array(column) for name, column in columns.items()}).tolist()


def test_a_number_becomes_the_largest_value_that_is_less_or_equal():
    lines = '[feature-values]\n"char.count" = [0, 1, 5, 10.5]'
    table = tabulated(lines, {"char.count": [-3, 0, 0.99, 1, 4, 5, 10, 10.5, 11, 1e9]})
    assert table == [[0], [0], [0], [1], [1], [2], [2], [3], [3], [3]]


def test_a_value_below_the_grid_takes_its_first():
    assert tabulated('[feature-values]\n"char.count" = [3, 5]', {"char.count": [0, 3, 4, 5]}) == [[0], [0], [0], [1]]


def test_a_scale_cuts_shares_into_equal_steps():
    config = parse_config("[feature-scale]\nposition = 4\n" + "[crf]\nfeatures = ['position', 'bullet']")
    assert config.grid("position") == (0, 0.25, 0.5, 0.75)
    table = tabulated(
        "[feature-scale]\nposition = 4", {"position": [0, 0.24, 0.25, 0.6, 0.75, 1]}, features="'position'"
    )
    assert table == [[0], [0], [1], [2], [3], [3]]


def test_a_feature_without_configured_values_has_two():
    assert parse_config("[crf]\nfeatures = ['position', 'bullet']").grid("bullet") == (0, 1)
    assert tabulated("", {"char.count": [0, 0.5, 1, 7]}) == [[0], [0], [1], [1]]
    assert tabulated("", {"container.a": [False, True]}, features="'container.a'") == [[0], [1]]


def test_joins_number_the_pairs_of_values():
    lines = '[feature-values]\n"char.count" = [0, 1, 2]'
    columns = {"container.a": [False, True, True], "char.count": [2, 0, 1]}
    crf = "joins = [['container.a', 'char.count'], ['char.count', 'container.a']]"
    table = tabulated(lines, columns, features="'container.a', 'char.count'", crf=crf)
    assert table == [[0, 2, 2, 4], [1, 0, 3, 1], [1, 1, 4, 3]]


def test_sizes_offsets_and_names_of_columns():
    table = Tabulation(parse_config(JOINED))
    assert table.names[3:] == ["bullet", "container.bold*char.count", "regexp.url*split.br*position"]
    assert table.sizes == [4, 3, 2, 2, 6, 2 * 2 * 4]
    assert table.offsets.tolist() == [0, 4, 7, 9, 11, 17]
    assert table == Tabulation(parse_config(JOINED.replace("[crf]", "[crf]\nc1 = 3")))
    assert table != Tabulation(parse_config(JOINED.replace("50.5", "51")))
    assert table != Tabulation(parse_config(JOINED.replace("rows = [-1", "rows = [-2")))


def test_a_boolean_is_looked_up_on_its_grid_as_any_other_number():
    assert tabulated("[feature-values]\n'container.a' = [0, 2]", {"container.a": [True]}, features="'container.a'") == [
        [0]
    ]


rising = st.lists(st.integers(-20, 20), min_size=2, max_size=8, unique=True).map(sorted)


@given(rising, st.lists(st.integers(-30, 30), min_size=1, max_size=20))
def test_largest_less_or_equal_against_a_loop(grid, numbers):
    table = tabulated(f'[feature-values]\n"char.count" = {grid}', {"char.count": numbers})
    assert table == [[max([i for i, value in enumerate(grid) if value <= number], default=0)] for number in numbers]
