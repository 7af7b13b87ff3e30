"""Configurations: valid files are read, invalid ones refused with an error that names the key."""

import re

import pytest

from dehusk.base.errors import ConfigError
from dehusk.label.victor.config import PRESETS, Template, Training, load_config, parse_config
from dehusk.label.victor.method import Victor

SMALL = '[crf]\nfeatures = ["position", "bullet"]\n'

COMPLETE = r"""
[segment]
every-tag = true
alt = true
tag-delete = ["button", "select"]
[containers]
a = ["a"]
bold = ["b", "strong"]
[splits]
br = ["br"]
[regexp]
url = ['://', 'www\.']
date = { patterns = ['\d{4}'], needs = "0123456789", most = 40 }
[lexicon]
menu = ["nav", "menu"]
[bullet]
patterns = ['\d+\.', '-']
[feature-values]
"char.count" = [0, 10, 50.5]
[feature-scale]
position = 4
[crf]
features = ["position", "char.count", "container.bold", "lexicon.menu"]
rows = [-1, 0, 1]
feature-rows = { position = [0] }
joins = [["container.bold", "char.count"], ["regexp.url", "split.br", "position"]]
c1 = 2
c2 = 0.5
iterations = 7
decide = "expected-f1"
"""


def test_a_complete_configuration():
    config = parse_config(COMPLETE, "mine")
    assert (config.name, config.every_tag, config.alt, config.decide) == ("mine", True, True, "expected-f1")
    assert config.tag_delete == ("button", "select")
    settings = config.settings
    assert settings.containers == {"a": ("a",), "bold": ("b", "strong")}
    assert (settings.splits, settings.classes) == ({"br": ("br",)}, {"menu": ("nav", "menu")})
    assert [p.pattern for p in settings.regexp["url"].patterns] == ["://", r"www\."]
    assert all(p.flags & re.IGNORECASE for p in (*settings.regexp["url"].patterns, *settings.bullet))
    assert (settings.regexp["date"].needs, settings.regexp["date"].most) == ("0123456789", 40)
    assert (settings.regexp["url"].needs, settings.regexp["url"].most) == ("", 0)
    assert [p.pattern for p in settings.bullet] == [r"\d+\.", "-"]
    assert (config.values, config.scale) == ({"char.count": (0, 10, 50.5)}, {"position": 4})
    assert config.training == Training(c1=2.0, c2=0.5, iterations=7)
    assert config.source == COMPLETE
    assert config.template.columns() == [
        (("position",), (0,)),
        (("char.count",), (-1, 0, 1)),
        (("container.bold",), (-1, 0, 1)),
        (("lexicon.menu",), (-1, 0, 1)),
        (("container.bold", "char.count"), (0,)),
        (("regexp.url", "split.br", "position"), (0,)),
    ]


def test_what_is_not_said_has_a_default():
    config = parse_config(SMALL)
    assert (config.name, config.every_tag, config.alt, config.tag_delete) == ("custom", False, False, ())
    assert config.template == Template(("position", "bullet"), (0,))
    assert (config.training, config.decide) == (Training(0.0, 1.0, 100), "labels")


def test_the_preset_of_the_thesis():
    config = load_config("cleaneval")
    assert (config.name, config.every_tag, config.alt) == ("cleaneval", True, True)
    assert len(config.template.features) == 46
    assert "cleaneval" in PRESETS
    assert parse_config(config.source, "cleaneval") == config
    Victor(config)


def test_a_configuration_is_read_from_a_file(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(SMALL, "utf-8")
    assert load_config(path) == load_config(str(path)) == parse_config(SMALL, "own")


WRONG = {  # content of the file -> part of the error message after the configuration's name
    "x = [": "line 2",  # not TOML
    "x = 1": "unknown key 'x'",
    "[nosuch]": "unknown key 'nosuch'",
    "segment = 1": "segment must be a section",
    "[segment]\nevery_tag = true": "unknown key 'segment.every_tag'",
    "[segment]\nevery-tag = 1": "segment.every-tag must be bool, not 1",
    "[segment]\nalt = 'yes'": "segment.alt must be bool",
    "[segment]\ntag-delete = 'p'": "segment.tag-delete must be list",
    "[segment]\ntag-delete = ['nosuch']": "segment.tag-delete names an unknown tag 'nosuch'",
    "[segment]\ntag-delete = [1]": "segment.tag-delete must be a list of str, but contains 1",
    "[containers]\na = 'a'": "containers.a must be list",
    "[containers]\na = ['aa']": "containers.a names an unknown tag 'aa'",
    "[splits]\nbr = ['brr']": "splits.br names an unknown tag 'brr'",
    "[containers]\na = ['#line']": "containers.a names an unknown tag '#line'",
    "[regexp]\nurl = 'x'": "regexp.url must be a list of regular expressions",
    "[regexp]\nurl = [1]": "regexp.url must be a list of regular expressions",
    "[regexp]\nurl = ['(']": "regexp.url contains an invalid expression '('",
    "[regexp.url]\npattern = ['x']": "unknown key 'regexp.url.pattern'",
    "[regexp.url]\npatterns = ['x']\nneeds = 1": "regexp.url.needs must be",
    "[regexp.url]\npatterns = ['x']\nneeds = 'é'": "regexp.url.needs must be",
    "[regexp.url]\npatterns = ['x']\nmost = -1": "regexp.url.most must be",
    "[regexp.url]\npatterns = ['x']\nmost = true": "regexp.url.most must be",
    "[bullet]\nwhich = 1": "unknown key 'bullet.which'",
    "[bullet]\npatterns = ['[']": "bullet.patterns contains an invalid expression '['",
    "[lexicon]\nad = 'ad'": "lexicon.ad must be list",
    "[lexicon]\nad = [1]": "lexicon.ad must be a list of str, but contains 1",
    "[feature-values]\nposition = [0]": "feature-values.position must be two or more ascending numbers",
    "[feature-values]\nposition = [0, 0]": "feature-values.position must be two or more ascending numbers",
    "[feature-values]\nposition = [2, 1]": "feature-values.position must be two or more ascending numbers",
    "[feature-values]\nposition = [0, 'x']": "feature-values.position must be two or more ascending numbers",
    "[feature-values]\nposition = [0, true]": "feature-values.position must be two or more ascending numbers",
    "[feature-values]\nposition = 3": "feature-values.position must be list",
    "[feature-values]\nnosuch = [0, 1]": "feature-values names an unknown feature 'nosuch'",
    "[feature-scale]\nposition = 1": 'feature-scale."position" must be at least 2',
    "[feature-scale]\nposition = 2.5": "feature-scale.position must be int, not 2.5",
    "[feature-scale]\nposition = true": "feature-scale.position must be int, not True",
    "[feature-scale]\n'container.q' = 2": "feature-scale names an unknown feature 'container.q'",
    "[feature-values]\nposition = [0, 1]\n[feature-scale]\nposition = 2": "both name 'position'",
}
WRONG_CRF = {
    "features = 'position'": "crf.features must be list",
    "features = [1]": "crf.features must be a list of str",
    "features = ['nosuch']": "crf.features names an unknown feature 'nosuch'",
    "features = ['container.p']": "crf.features names an unknown feature 'container.p'",
    "features = ['position', 'position']": "crf.features names 'position' twice",
    "rows = [0]": "crf.features is missing",
    "features = []\nrow = [0]": "unknown key 'crf.row'",
    "features = ['position']\nrows = 0": "crf.rows must be list",
    "features = ['position']\nrows = [0.5]": "crf.rows must be a list of int",
    "features = ['position']\nrows = [true]": "crf.rows must be a list of int",
    "features = ['position']\nfeature-rows = [0]": "crf.feature-rows must be dict",
    "features = ['position']\nfeature-rows = { position = 0 }": "crf.feature-rows.position must be list",
    "features = ['position']\nfeature-rows = { nosuch = [0] }": "crf.feature-rows names an unknown feature 'nosuch'",
    "features = ['position']\njoins = ['position']": "crf.joins must contain lists of two or more features",
    "features = ['position']\njoins = [['position']]": "crf.joins must contain lists of two or more features",
    "features = ['position']\njoins = [['position', 'nosuch']]": "crf.joins names an unknown feature 'nosuch'",
    "features = ['position']\nc1 = 'x'": "crf.c1 must be float",
    "features = ['position']\nc1 = -1": "must be a finite number, not negative",
    "features = ['position']\nc2 = -0.1": "must be a finite number, not negative",
    "features = ['position']\niterations = 0": "crf.iterations must be at least 1",
    "features = ['position']\niterations = 1.5": "crf.iterations must be int",
    "features = ['position']\ndecide = 'best'": "crf.decide must be one of labels, expected-f1, not 'best'",
}
WRONG_UNSEEN = {
    "features = ['position']\njoins = [['position', 1]]": "crf.joins",
    "features = []": "crf.features",
    "features = ['position']\nc1 = nan": "crf.c1",
    "features = ['position']\nc2 = inf": "crf.c2",
}
CASES = [(text + "\n" + SMALL, says) for text, says in WRONG.items()]
CASES += [("[crf]\n" + text, says) for text, says in WRONG_CRF.items()]


@pytest.mark.parametrize(("text", "says"), CASES)
def test_a_wrong_key_or_value_is_named(text, says):
    with pytest.raises(ConfigError, match=re.escape(says)) as error:
        parse_config(text, "mine")
    assert str(error.value).startswith("configuration mine: ")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("text", "says"), WRONG_UNSEEN.items())
def test_a_wrong_value_that_is_easily_overlooked_is_named(text, says):
    with pytest.raises(ConfigError, match=re.escape(says)):
        parse_config("[crf]\n" + text, "mine")


@pytest.mark.parametrize("name", ["nosuch", "no/such.toml"])
def test_a_missing_configuration_is_named(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=f"'{name}'. Known: cleaneval, web; or give the path of a TOML file"):
        load_config(name)
