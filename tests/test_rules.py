"""Rules for hosts: which blocks they affect, which notes they give, and the errors of invalid files."""

import json
from pathlib import Path

import numpy as np
import pytest
import turbohtml
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_quick
from dehusk.base.errors import ConfigError
from dehusk.blocks import segment
from dehusk.blocks.labels import CONTINUATION, HEADER, LIST, OTHER, PARAGRAPH, Labels
from dehusk.cleaning import apply_rules
from dehusk.cli import command
from dehusk.label.rules import Reach, Rule, Rules
from dehusk.read import parse

PAGE = """<html class="shop"><head><title>T</title></head><body><nav><ul><li>Home</li><li>News</li></ul></nav>
<article><h2>Tea</h2><p>Green <b>tea</b> is <a class="share" href="/s">share</a> bitter.</p>
<p class="share">Share this</p></article><footer>Imprint</footer><script class="ad"></script></body></html>"""
HOME, NEWS, TEA, GREEN, SHARE, IMPRINT = range(6)


def match_rules(toml: str, url: str | None = "https://example.org/a", page: str = PAGE):
    return Rules.parse(toml).match(segment(parse(page, url)))


def kept_and_dropped(toml: str, url: str | None = "https://example.org/a") -> tuple[list[int], list[int]]:
    matches = match_rules(toml, url)
    return np.flatnonzero(matches.keep).tolist(), np.flatnonzero(matches.drop).tolist()


def test_a_rule_applies_to_the_blocks_in_matching_elements():
    toml = '["example.org"]\nkeep = ["nav li:first-child"]\ndrop = ["article > .share", "html.shop footer"]'
    assert kept_and_dropped(toml) == ([HOME], [SHARE, IMPRINT])


@pytest.mark.parametrize(
    ("url", "dropped"),
    [
        ("https://www.example.org/", [TEA, IMPRINT]),
        ("https://EXAMPLE.org:8080/", [TEA, IMPRINT]),
        ("https://news.example.org/", [TEA, IMPRINT]),
        ("https://a.own.example.org/", [SHARE, IMPRINT]),
        ("https://example.com/", [IMPRINT]),
        ("https://notexample.org/", [IMPRINT]),
        ("https://web.archive.org/web/20200101000000/http://example.org/", [TEA, IMPRINT]),
        (None, [IMPRINT]),
    ],
)
def test_rules_apply_to_a_host_and_its_subdomains(url, dropped):
    toml = '["example.org"]\ndrop = ["h2"]\n["own.example.org"]\ndrop = ["p.share"]\n["*"]\ndrop = ["footer"]'
    assert kept_and_dropped(toml, url) == ([], dropped)


def test_spellings_of_a_host_are_equivalent():
    toml = '["www.BÜCHER.example"]\ndrop = ["h2"]'
    assert kept_and_dropped(toml, "https://xn--bcher-kva.example/x") == ([], [TEA])


def test_an_unknown_host_is_noted_if_it_matters():
    toml = '["*"]\ndrop = ["footer"]\n'
    assert match_rules(toml, None).notes == ()
    notes = match_rules(toml + '["example.org"]\ndrop = ["h2"]', None).notes
    assert notes == ("the page's host is unknown: only the rules for every host apply",)


def test_notes_distinguish_no_match_from_no_complete_block():
    matches = match_rules('["example.org"]\nkeep = ["h3"]\ndrop = ["a.share", ".ad", "head title", "footer"]')
    reach = {rule.selector: reached for rule, reached in matches.reach.items()}
    parts = dict.fromkeys(("a.share", ".ad", "head title"), Reach.PARTS)
    assert reach == {"h3": Reach.NOTHING, "footer": Reach.BLOCKS, **parts}
    assert matches.notes[0] == "rule keep 'h3' for example.org matched nothing"
    assert matches.notes[1] == "rule drop 'a.share' for example.org matched no complete block"
    assert len(matches.notes) == 4


def test_the_innermost_element_decides_and_a_tie_keeps_the_block():
    toml = '["example.org"]\nkeep = ["article", "h2"]\ndrop = ["p", "h2", "body"]'
    assert kept_and_dropped(toml) == ([TEA], [HOME, NEWS, GREEN, SHARE, IMPRINT])
    notes = match_rules(toml).notes
    assert len(notes) == 2
    assert "keep 'article' for example.org and drop 'p' for example.org contradict" in notes[0]
    assert notes[0].endswith("blocks kept: 0, dropped: 2")
    assert "keep 'h2' for example.org and drop 'h2' for example.org contradict" in notes[1]
    assert notes[1].endswith("blocks kept: 1, dropped: 0")


def test_rules_work_on_a_page_that_has_released_its_tree():
    page = parse(PAGE, "https://example.org/")
    page.release()
    matches = Rules.parse('["example.org"]\ndrop = ["footer"]').match(segment(page))
    assert np.flatnonzero(matches.drop).tolist() == [IMPRINT]


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", "<p hidden>", "<frameset><frame></frameset>", "\0" * 200])
def test_rules_do_nothing_on_pages_without_text(data):
    document = dehusk.clean(data, method="keep-all", rules=Rules.parse('["*"]\nkeep = ["*"]\ndrop = ["html"]'))
    assert document.blocks == []


@given(st.lists(st.sampled_from(["p", "div", "b", "div div", "p ~ p", ":not(p)", "body", "#x"]), max_size=5), st.data())
def test_each_block_has_at_most_one_deciding_rule(selectors, data):
    kinds = [data.draw(st.sampled_from(["keep", "drop"])) for _ in selectors]
    rules = tuple(Rule(action, selector, "*") for action, selector in zip(kinds, selectors, strict=True))
    page = "<div>a<div id=x>b<p>c <b>d</b><p>e</div><b>f</b></div>g"
    matches = Rules({"*": rules}).match(segment(parse(page)))
    assert not (matches.keep & matches.drop).any()
    for keep, drop, rule in zip(matches.keep, matches.drop, matches.rule, strict=True):
        assert (rule.action if rule else "") == ("keep" if keep else "drop" if drop else "")


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("x = = 3", "rules r.toml: "),
        ("[example.org]\nkeep = ['a']", 'quote the host of a section: ["example.org"]'),
        ("keep = ['a']", "keep must be a section"),
        ("['a.org']\nkeeps = ['a']", "a.org: unknown key 'keeps'. Did you mean keep? Known: keep, drop"),
        ("['a.org']\nkeep = 'a'", "a.org: keep must be a list of CSS selectors, not 'a'"),
        ("['a.org']\ndrop = ['a', 3]", "a.org: drop must be a list of CSS selectors"),
        ("['a.org']\ndrop = ['p', 'a[']", "a.org: drop 'a[': invalid CSS selector"),
        ("['a.org']\ndrop = ['']", "a.org: drop '': invalid CSS selector"),
        ("['a.org']\ndrop = ['''a\n[''']", "a.org: drop 'a\\n[': invalid CSS selector"),
        ("['a.org']\ndrop = ['p:nonsense']", "unknown pseudo-class"),
        ("['https://a.org/x']\ndrop = ['p']", "'https://a.org/x' is not a host name, e.g. example.org"),
        ("['*.a.org']\ndrop = ['p']", "'*.a.org' is not a host name, e.g. example.org"),
        ("['']\ndrop = ['p']", "'' is not a host name, e.g. example.org"),
        ("['a.org']\n['www.A.org']", "two sections for the host a.org"),
        ("[['a.org'.templates]]\n[['www.A.org'.templates]]", "a.org"),
        ("x = " + "[" * 5000, "rules r.toml: "),
    ],
)
def test_invalid_files_are_one_line_errors(toml, message):
    with pytest.raises(ConfigError) as caught:
        Rules.parse(toml, "r.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("rules r.toml: ")
    assert "\n" not in str(caught.value)


def test_unreadable_files_are_errors(tmp_path: Path):
    (tmp_path / "latin.toml").write_bytes(b'["*"]\ndrop = [".caf\xe9"]')
    for name in ("missing.toml", "latin.toml", "a\0b", "."):
        with pytest.raises(ConfigError, match=r"^rules "):
            Rules.load(tmp_path / name)
    with pytest.raises(TypeError, match="rules must be Rules"):
        dehusk.clean(PAGE, method="keep-all", rules=3)


def test_a_file_that_changed_is_read_again(tmp_path: Path):
    path = tmp_path / "r.toml"
    path.write_text('["*"]\ndrop = ["footer"]')
    assert Rules.load(path) is Rules.load(path)
    assert "Imprint" not in dehusk.clean(PAGE, method="keep-all", rules=path).text
    path.write_text('["*"]\ndrop = ["article"]')
    assert "Imprint" in dehusk.clean(PAGE, method="keep-all", rules=str(path)).text


def labelled(labels: list[int], *, reasons: bool = True) -> Labels:
    blocks, label = segment(parse(PAGE, "https://example.org/")), np.array(labels, dtype=np.uint8)
    texts = [f"because {n}" for n in range(len(blocks))] if reasons else []
    evidence = [{"n": n} for n in range(len(blocks))] if reasons else []
    return Labels(blocks, label, np.full(len(blocks), 0.4), label != OTHER, texts, evidence, ("a note",))


def test_rules_override_any_labels():
    rules = Rules.parse('["example.org"]\nkeep = ["nav li", "h2"]\ndrop = ["footer"]')
    labels = apply_rules(labelled([OTHER, OTHER, OTHER, PARAGRAPH, CONTINUATION, PARAGRAPH]), rules)
    labels.validate()
    assert labels.kept.tolist() == [True, True, True, True, True, False]
    assert labels.label.tolist() == [LIST, LIST, HEADER, PARAGRAPH, CONTINUATION, OTHER]
    assert labels.probability.tolist() == [1, 1, 1, 0.4, 0.4, 0]
    assert labels.reasons[0] == "rule: keep 'nav li' for example.org"
    assert labels.reasons[3] == "because 3"
    assert labels.evidence[5] == {"rule": "drop 'footer' for example.org"}
    assert labels.notes == ("a note",)


def test_without_explain_there_are_no_reasons():
    labels = apply_rules(labelled([PARAGRAPH] * 6, reasons=False), Rules.parse('["*"]\ndrop = ["footer"]'))
    assert (list(labels.reasons), list(labels.evidence)) == ([], [])


@pytest.mark.parametrize(
    ("rule", "label"),
    [('drop = ["article > p:nth-of-type(1)"]', PARAGRAPH), ('keep = ["h2"]', CONTINUATION), ("", CONTINUATION)],
)
def test_a_continuation_of_a_dropped_block_gets_its_own_label(rule, label):
    relabelled = apply_rules(
        labelled([OTHER, OTHER, OTHER, PARAGRAPH, CONTINUATION, OTHER]), Rules.parse(f'["example.org"]\n{rule}')
    )
    assert relabelled.label[SHARE] == label


def test_rules_do_not_modify_the_labels_passed_in():
    given_labels = labelled([PARAGRAPH] * 6)
    apply_rules(given_labels, Rules.parse('["*"]\ndrop = ["body"]'))
    assert given_labels.kept.all()
    assert (given_labels.probability == 0.4).all()


@pytest.mark.parametrize("method", ["victor", "keep-all"])
def test_rules_work_with_any_method(method):
    rules = Rules.parse('["*"]\nkeep = ["footer"]\ndrop = ["article", "nav"]')
    document = dehusk.clean(PAGE, method=method, rules=rules, explain=True)
    assert document.text == "Imprint\n"
    assert dehusk.clean(PAGE, method=method, rules=Rules.parse('["*"]\ndrop = ["body"]')).status == "no-content"
    assert "rule drop '.gone' for every host matched nothing" in (
        dehusk.clean(PAGE, method=method, rules=Rules.parse('["*"]\ndrop = [".gone"]')).notes
    )


def run(*arguments: str):
    return CliRunner().invoke(command, ["clean", "--method", "keep-all", *arguments], standalone_mode=False)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_command_reports_rules_without_effect(tmp_path: Path, workers):
    (tmp_path / "r.toml").write_text('["*"]\ndrop = ["#one", "#two", "#three", "b"]\n["else.org"]\nkeep = ["p"]')
    (tmp_path / "1.html").write_text("<p id=one>first</p><p>text <b>bold</b></p>")
    (tmp_path / "2.html").write_text("<p id=two>second</p><p>words</p>")
    pages = [str(tmp_path / "1.html"), str(tmp_path / "2.html")]
    done = run("--rules", str(tmp_path / "r.toml"), "--workers", workers, *pages)
    assert done.return_value == 0
    assert "first" not in done.stdout
    assert "second" not in done.stdout
    assert done.stderr.splitlines() == [
        "dehusk: 2 pages: 2 ok",
        "dehusk: rule drop '#three' for every host matched nothing on any page",
        "dehusk: rule drop 'b' for every host matched no complete block on any page",
        "dehusk: rule keep 'p' for else.org matched nothing on any page",
    ]
    assert run("--rules", str(tmp_path / "r.toml"), "-q", *pages).stderr == ""


def test_the_command_rejects_invalid_rules_before_any_work(tmp_path: Path):
    (tmp_path / "r.toml").write_text('["a.org"]\ndrop = ["p["]')
    (tmp_path / "1.html").write_text("<p>text</p>")
    done = run("--rules", str(tmp_path / "r.toml"), "-o", str(tmp_path / "out.txt"), str(tmp_path / "1.html"))
    assert isinstance(done.exception, ConfigError)
    assert not (tmp_path / "out.txt").exists()


SELECTORS_WITH_HAS = [
    "div:has(p)",
    "div:has(ul li) p",
    "p:has(b):has(i) ~ p",
    "p:is(:has(b), :HAS(i))",
    "div:not(:has(div)) > p",
    "div:has(> p:has(b)) i",
    "div:has(/* ) */ b) b",
    "p:has(+ p) b, div:has(li) > p",
    "p[title=':has(:has('] b",
    "div:has(p[title=')']) b",
]


@pytest.mark.parametrize("selector", SELECTORS_WITH_HAS)
def test_has_selects_what_the_parser_selects(selector: str) -> None:
    text = (
        "<p dehusk-has-0>0</p><div><p>1 <b>x</b><i>y</i><p title=')'>2<b>z</b><ul><li>3</ul>"
        "<div><p title=':has(:has('>4 <b>v</b><p>5<i>6</i></div></div>"
    )
    elements = parse(text).elements
    before = elements.attributes()
    expected = [element.text for element in turbohtml.parse(text).select(selector)]
    assert [element.text for element in elements.select(selector)] == expected != []
    assert elements.attributes() == before  # the marks are gone


@pytest.mark.parametrize("selector", ["div:ha\\\\73(p) p", "div:has(p:\\\\6eot(b))"])
def test_a_pseudo_class_with_a_backslash_is_refused(selector: str) -> None:
    with pytest.raises(ConfigError, match="a pseudo-class has a backslash in its name: write :has"):
        Rules.parse(f'["*"]\ndrop = ["{selector}"]')


def test_has_is_quick_on_a_deep_page() -> None:
    page = parse("<i>x</i>" + "<div>" * 400 + "<p>text of the page" * 3000)
    selectors = ["div:has(p span)", "p:has(~ span)", "div:has(i) p", "div:has(div:has(div:has(i))) p"]
    rules = Rules.parse(f'["*"]\ndrop = {json.dumps(selectors)}')
    assert_quick(lambda: rules.match(segment(page)), 0.5)
