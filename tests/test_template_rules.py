"""Rules of templates: learned from pages, written, edited, and used without a model."""

import json
import pickle
import random
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
import made_sites
from command_line import dehusk as run
from dehusk import ConfigError, NotFittedError, Rules, Site
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import Labels, by_markup
from dehusk.counts.slots import block_slots, path_slots, slot_path
from dehusk.counts.templates import MAX_TEMPLATES
from dehusk.label.compiling import learn_templates
from dehusk.label.template_rules import ACTIONS, LONGEST, ElementRule, TemplateRules, label_by_templates, with_edits
from dehusk.read import parse
from oracle.templates import action

PAGES = 12
CONTENT = made_sites.site(PAGES)
ENGINES = sorted(Path(__file__).with_name("engines").glob("*.html"))


@dataclass
class Told:
    """A method that keeps what it is told, and remembers the pages that it was asked for."""

    kept: Sequence[str] = ()
    style: str = "auto"
    asked: int = 0

    def segment(self, page: dehusk.Page) -> Blocks:
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        self.asked += 1
        kept = np.array([text in self.kept for text in blocks.texts], dtype=np.bool_)
        reasons = ["told"] * len(blocks) if explain else []
        likely = np.where(kept, 0.7, 0.3)
        return Labels(blocks, by_markup(blocks, kept), likely, kept, reasons=reasons)


def blocks_of(html: str) -> Blocks:
    return segment(parse(html))


def page_of(lines: Sequence[tuple[str, str]]) -> Blocks:
    return blocks_of("<body>" + "".join(f"<div class={name}>{text}</div>" for name, text in lines))


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Site().fit(CONTENT).compile(CONTENT)


# ---------------------------------------------------------------- paths


@pytest.mark.parametrize("page", ENGINES, ids=lambda path: path.stem)
def test_a_path_names_the_slot_that_it_was_written_for(page: Path) -> None:
    blocks = segment(parse(page.read_bytes()))
    paths = [slot_path(blocks.page, node) for node in blocks.node.tolist()]
    assert path_slots(paths).tolist() == block_slots(blocks).tolist()


def test_a_path_shows_tags_and_first_classes_without_numbers() -> None:
    blocks = blocks_of("<body class=front><div class='post-17 wide'><a.b><p class=w-1/2>Tea</p></a.b></div>")
    assert slot_path(blocks.page, int(blocks.node[0])) == "body > div.post-0 > a.b > p.w-0/0"
    assert path_slots(["body.front > p"]) == path_slots(["body > p"])
    assert path_slots([]).shape == (0,)


# ---------------------------------------------------------------- learning


def test_pages_of_a_template_need_no_model(rules: Rules) -> None:
    [template] = rules.templates["tea.example"]
    assert template.pages == PAGES
    assert {(rule.action, rule.path) for rule in template.elements} == {
        ("drop", "body > ul.menu > li > a"),
        ("keep", "body > div.main > p"),
        ("drop", "body > div.foot > p"),
    }
    method = Told()
    new = made_sites.page(made_sites.article(99))
    document = dehusk.clean(new, rules=rules, method=method)
    assert method.asked == 0
    assert document.text == "\n\n".join(made_sites.article(99)) + "\n"
    assert document.labels.notes == ("labelled by template 1",)


BLOCK = st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([1, 9]), st.booleans())


@given(st.lists(st.lists(BLOCK, min_size=1, max_size=3), min_size=2, max_size=12))
def test_elements_are_decided_as_defined(pages: list[list[tuple[str, int, bool]]]) -> None:
    made = [[(" ".join([letter] * words), words, kept) for letter, words, kept in page] for page in pages]
    kept = iter([[keep for _, _, keep in page] for page in made])

    class Given(Told):
        def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
            assert not explain
            flags = np.array([True, *next(kept)], dtype=np.bool_)  # the paragraph makes pages of one template
            return Labels(blocks, by_markup(blocks, flags), flags * 1.0, flags)

    learned = learn_templates(
        [page_of([("p", "same"), *(("x", text) for text, _, _ in page)]) for page in made], Given()
    )
    [template] = learned
    found = [rule.action for rule in template.elements if rule.path == "body > div.x" and not rule.text]
    assert found == [action(made)]


def test_a_repeated_text_decides_for_itself_and_not_for_its_element() -> None:
    method = Told(kept=[f"the story of page {number} is long enough to be no label" for number in range(9)])
    pages = [page_of([("x", method.kept[number]), ("x", "Advertisement")]) for number in range(9)]
    [template] = learn_templates(pages, method)
    assert [(rule.action, rule.text) for rule in template.elements] == [("keep", ""), ("drop", "Advertisement")]
    asked = Told()
    labels = label_by_templates([template], page_of([("x", "A new one"), ("x", "Advertisement")]), asked)
    assert labels.kept.tolist() == [True, False]
    assert asked.asked == 0


def test_lines_of_code_that_pages_repeat_are_no_template() -> None:
    lines = [[f"let tea = {number};", "pour(tea);"] for number in range(6)]
    pages = [blocks_of("".join(f"<pre>{line}</pre>" for line in page)) for page in lines]
    [template] = learn_templates(pages, Told(kept=[page[0] for page in lines]))
    assert [(rule.action, rule.path, rule.text) for rule in template.elements] == [("keep", "body > pre", "")]


def test_labels_that_a_method_keeps_here_and_drops_there_are_kept_where_most_are() -> None:
    pages = [page_of([("v", f"{number} EUR"), ("n", "Menu")]) for number in range(10)]
    [template] = learn_templates(pages, Told(kept=[f"{number} EUR" for number in range(6)]))
    labels = [label_by_templates([template], page, Told()).kept.tolist() for page in pages]
    assert labels == [[True, False]] * 10


def test_what_was_learned_is_never_as_certain_as_what_people_write() -> None:
    pages = [page_of([("p", f"story {number}"), ("n", "Menu")]) for number in range(2_100)]
    [template] = learn_templates(pages, Told(kept=[f"story {number}" for number in range(2_100)]))
    text = Rules({}, {"a.example": (template,)}).text()
    [read] = Rules.parse(text).templates["a.example"]
    assert [rule.probability for rule in read.elements] == [0.999, 0.001]
    assert not read.decide(pages[0], block_slots(pages[0])).by_people.any()


def test_two_templates_are_told_apart_by_how_their_pages_are_built() -> None:
    shops = [page_of([("price", f"{n} EUR"), ("side", f"also {n}")]) for n in range(5)]
    stories = [page_of([("story", f"story {n}"), ("side", f"also {n}")]) for n in range(4)]
    found = learn_templates([*shops, *stories], Told(kept=[f"{n} EUR" for n in range(5)]))
    assert [(template.name, template.pages) for template in found] == [("1", 5), ("2", 4)]


def test_pages_that_are_unlike_each_other_make_no_template() -> None:
    assert learn_templates([page_of([(f"c{'x' * n}", "text")]) for n in range(5)], Told()) == ()
    assert learn_templates([], Told()) == ()
    assert Site().fit(["<p>one"]).compile(["<p>one"]).templates == {}
    with pytest.raises(NotFittedError):
        Site().compile(CONTENT)


# ---------------------------------------------------------------- pages that changed


def test_a_page_with_new_elements_asks_the_method_and_keeps_what_the_template_knows(rules: Rules) -> None:
    new = "A box of a design that the site did not have before, with words enough that they must not be lost at all"
    html = made_sites.page(made_sites.article(50), extra=f"<section><p>{new}</p></section>")
    method = Told(kept=[new, made_sites.FOOTER])
    document = dehusk.clean(html, rules=rules, method=method)
    assert method.asked == 1
    assert document.text == "\n\n".join([new, *made_sites.article(50)]) + "\n"
    assert document.labels.notes == ("template 1 does not decide 18% of the words: labelled by the method, too",)


def test_few_new_words_are_as_the_block_before(rules: Rules) -> None:
    text = made_sites.words(7, 200)
    method = Told()
    html = made_sites.page([text]).replace("</p></div>", "</p><i>a note</i></div>", 1)
    assert dehusk.clean(html, rules=rules, method=method).text == f"{text}\n\na note\n"
    assert method.asked == 0
    long = made_sites.words(8, LONGEST)
    dehusk.clean(html.replace("a note", long).replace(text, made_sites.words(7, 5_000)), rules=rules, method=method)
    assert method.asked == 1  # no text of twenty words is lost unseen, however long the page


def test_a_method_that_is_sure_of_a_long_text_decides(rules: Rules) -> None:
    sure = made_sites.words(9, 12)

    class Sure(Told):
        def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
            labels = super().label(blocks, explain=explain)
            return replace(labels, probability=np.where(labels.kept, 0.9, 0.4))

    html = made_sites.page([sure], extra=f"<ul class=menu><li><a>{sure}</a></li></ul><b>{made_sites.words(3, 30)}</b>")
    assert dehusk.clean(html, rules=rules, method=Sure(kept=[sure])).text.count(sure) == 2
    assert dehusk.clean(html, rules=rules, method=Told(kept=[sure])).text.count(sure) == 1


def test_a_byline_is_kept_although_other_pages_have_something_else_there() -> None:
    pages = [made_sites.page(made_sites.article(n), extra=f"<h1>Tea {n}</h1><i>x {n}</i>") for n in range(9)]
    kept = [text for n in range(9) for text in (f"Tea {n}", *made_sites.article(n))]
    rules = Rules({}, {"tea.example": learn_templates(map(blocks_of, pages), Told(kept=kept))})
    byline = "By Ann Smith, 3 May 2021"
    page = made_sites.page(made_sites.article(50), extra=f"<h1>Tea</h1><i>{byline}</i>")
    document = dehusk.clean(page, rules=rules)
    assert document.labels.by_template == "looked-up"
    assert byline in document.text
    assert byline not in dehusk.clean(page, rules=rules, method=Told()).text  # which does not fill slots
    lines = rules.text().splitlines()
    edited = "\n".join('    { drop = "body > i" },' if '"body > i"' in line else line for line in lines)
    assert byline not in dehusk.clean(page, rules=Rules.parse(edited)).text


def test_a_page_like_none_is_left_to_the_method(rules: Rules) -> None:
    method = Told(kept=["only this"])
    html = "<link rel=canonical href=https://tea.example/x><table><tr><td>only this<td>not this</table>"
    document = dehusk.clean(html, rules=rules, method=method)
    assert (document.text, method.asked) == ("only this\n", 1)
    assert document.labels.notes == ("like none of its site's templates: labelled by the method",)


def test_another_style_than_that_of_the_templates_is_left_to_the_method(rules: Rules) -> None:
    method = Told(style="article")
    document = dehusk.clean(CONTENT[0], rules=rules, method=method)
    assert method.asked == 1
    assert document.labels.notes[0] == "its site's templates are not of style article: labelled by the method"
    own = Site().fit(CONTENT).compile(CONTENT, style="article")
    assert dehusk.clean(CONTENT[0], rules=own, method=method).labels.notes == ("labelled by template 1",)


def test_templates_are_for_their_host_and_for_pages_that_name_none(rules: Rules) -> None:
    asked = []
    for host in ("tea.example", "shop.tea.example", "", "coffee.example"):
        method = Told()
        dehusk.clean(made_sites.page(made_sites.article(3), host=host), rules=rules, method=method)
        asked.append(method.asked)
    assert asked == [0, 0, 0, 1]


def test_templates_of_a_section_are_for_its_host() -> None:
    pages = [page.replace("tea.example/", "tea.example/green/") for page in CONTENT]
    assert [*Site(by="section").fit(pages).compile(pages).templates] == ["tea.example"]


@pytest.mark.parametrize("page", ["", "<p>", "%PDF-1.4", "<p>word"])
def test_any_page_gives_a_named_outcome(rules: Rules, page: str) -> None:
    assert dehusk.clean(page, rules=rules).status == dehusk.clean(page).status


def test_the_rules_of_people_win(rules: Rules) -> None:
    own = Rules.parse('["tea.example"]\nkeep = [".foot"]\ndrop = [".main"]\n' + rules.text())
    assert dehusk.clean(CONTENT[0], rules=own).text == made_sites.FOOTER + "\n"


def test_explanations_name_template_pages_and_probability(rules: Rules) -> None:
    labels = dehusk.clean(CONTENT[0], rules=rules, explain=True).labels
    assert {re.sub("; the method alone: (Kept|Dropped): .*", "", reason) for reason in labels.reasons} == {
        f"the element is kept in template 1 ({PAGES} pages; 0.96)",
        f"the element is dropped in template 1 ({PAGES} pages; 0.04)",
    }
    drop = {"drop": "body > ul.menu > li > a", "pages": PAGES, "probability": 0.038}
    assert labels.evidence[0]["template"] == {"name": "1", **drop}
    labels.validate()
    assert labels.kept.tolist() == dehusk.clean(CONTENT[0], rules=rules).labels.kept.tolist()


# ---------------------------------------------------------------- odd sites


def test_a_site_of_copies_is_cleaned_as_its_page() -> None:
    copies = [CONTENT[0]] * 8
    own = Site().fit(copies).compile(copies)
    document = dehusk.clean(CONTENT[0], rules=own)
    assert document.labels.by_template == "looked-up"
    assert document.text == dehusk.clean(CONTENT[0]).text


def test_a_site_of_many_designs_has_few_templates() -> None:
    names = [chr(97 + number % 26) * (number // 26 + 1) for number in range(1_500)]
    designs = [page_of([(f"{name}-{part}", "some text") for part in "xyz"]) for name in names]
    assert len(learn_templates(designs, Told())) <= MAX_TEMPLATES


def test_pages_that_were_relaunched_are_a_template_of_their_own() -> None:
    new = [made_sites.page(made_sites.article(n)).replace("div", "section") for n in range(20, 28)]
    both = Site().fit([*CONTENT, *new]).compile([*CONTENT, *new])
    assert [template.pages for template in both.templates["tea.example"]] == [len(CONTENT), len(new)]
    for number, page in ((0, CONTENT[0]), (20, new[0])):
        assert dehusk.clean(page, rules=both).text == "\n\n".join(made_sites.article(number)) + "\n"


def test_threads_share_rules(rules: Rules) -> None:
    shared = Rules.parse(rules.text() + "\n")  # whose columns nobody has computed
    pages = [made_sites.page(made_sites.article(number)) for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda page: dehusk.clean(page, rules=shared).text, pages))
    assert texts == [dehusk.clean(page, rules=rules).text for page in pages]


def test_rules_are_sent_to_a_child_process(rules: Rules) -> None:
    with dehusk.Pool(1) as pool:
        assert pool.clean(CONTENT[0], rules=rules).text == dehusk.clean(CONTENT[0], rules=rules).text
    assert pickle.loads(pickle.dumps(rules)).text() == rules.text()  # noqa: S301 (made here)


# ---------------------------------------------------------------- files


def test_a_file_says_all_that_was_learned(rules: Rules) -> None:
    text = rules.text()
    again = Rules.parse(text)
    assert again.text() == text
    for page in CONTENT:
        assert dehusk.clean(page, rules=again).text == dehusk.clean(page, rules=rules).text
    assert '{ keep = "body > div.main > p", kind = "paragraph", pages = 12, probability = 0.962 }' in text


def test_an_edited_row_decides(rules: Rules) -> None:
    text = rules.text().replace('drop = "body > div.foot', 'keep = "body > div.foot')
    assert made_sites.FOOTER in dehusk.clean(CONTENT[0], rules=Rules.parse(text)).text
    heading = text.replace('kind = "paragraph"', 'kind = "header"')
    assert dehusk.clean(CONTENT[0], rules=Rules.parse(heading)).markdown.startswith("#")


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(
    st.lists(st.tuples(st.sampled_from(ACTIONS), NAMES, st.text(st.characters(exclude_categories=["Cs"]), max_size=20)))
)
def test_any_paths_and_texts_are_read_as_written(rows: list[tuple[str, str, str]]) -> None:
    elements = tuple(ElementRule(each, path, text=text) for each, path, text in rows)  # type: ignore[arg-type]
    made = Rules({}, {"a.example": (TemplateRules("one", 3, elements),)})
    [read] = Rules.parse(made.text()).templates["a.example"]
    assert [(rule.action, rule.path, rule.text) for rule in read.elements] == rows


HEAD = '[["a.example".templates]]\nname = "1"\npages = 3\n'


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ('["a.example"]\ntemplates = 3', 'write templates as [["a.example".templates]]'),
        ('["a.example"]\ntemplates = [3]', "template 1: 3 is not a table"),
        ('[["a.example".templates]]\nname = "1"\nelements = []', "template 1: pages is missing"),
        (HEAD.replace("3", "0") + "elements = []", "template 1: pages must be at least 1"),
        (HEAD + 'elements = []\nstyle = "autos"', "unknown style 'autos'"),
        (HEAD + 'elements = []\ncolour = "red"', "unknown key 'colour'"),
        (HEAD + "elements = [{}]", "element 1: an element needs one of keep, drop, ask"),
        (HEAD + 'elements = [{ keep = "body", drop = "body" }]', "element 1: an element needs one of keep, drop, ask"),
        (HEAD + 'elements = [{ keep = "body" }, { kept = "body" }]', "element 2: unknown key 'kept'"),
        (HEAD + "elements = [{ keep = 3 }]", "element 1: keep has a wrong type: 3"),
        (HEAD + 'elements = [{ keep = "" }]', "element 1: a path has 1 to 1000 characters"),
        (HEAD + 'elements = [{ keep = "body", kind = "other" }]', "element 1: unknown kind 'other'"),
        (HEAD + 'elements = [{ keep = "body", pages = true }]', "element 1: pages has a wrong type: True"),
        (HEAD + 'elements = [{ keep = "body", probability = 2 }]', "probability between 0 and 1"),
        (HEAD + 'elements = [{ keep = "body", probability = nan }]', "probability between 0 and 1"),
        (HEAD + 'elements = [{ keep = "bo', "rules"),
    ],
)
def test_invalid_templates_are_one_line_errors(toml: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        Rules.parse(toml)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------- commands


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("templates")
    made_sites.write(root / "pages", CONTENT)
    return root


def content(line: bytes) -> object:
    return json.loads(line)["text"]


def test_site_learn_compiles_and_clean_uses_it(folder: Path) -> None:
    done = run("site", "learn", "pages", "-o", "a.site", "--compile", "a.toml", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr.decode().splitlines()[-1] == "dehusk: a.toml: 1 template with 3 rules, from 12 pages"
    cleaned = run("clean", "--rules", "a.toml", "--no-sites", "pages", cwd=folder)
    assert cleaned.returncode == 0
    assert cleaned.stderr.decode().splitlines()[-1] == "dehusk: 12 of 12 pages labelled by templates"
    by_site = run("clean", "--site", "a.site", "pages", cwd=folder)
    assert [*map(content, cleaned.stdout.splitlines())] == [*map(content, by_site.stdout.splitlines())]
    again = run("clean", "--rules", "a.toml", "--no-sites", "--workers", "2", "pages", cwd=folder)
    assert (again.stdout, again.stderr) == (cleaned.stdout, cleaned.stderr)


def test_the_folder_of_a_site_has_the_rules_of_its_templates(folder: Path, tmp_path: Path) -> None:
    model = tmp_path / "a.site"
    run("site", "learn", "pages", "-o", str(model), cwd=folder)
    page = made_sites.page(made_sites.article(40))
    labels = dehusk.clean(page, site=model).labels
    assert labels.by_template == "looked-up"
    assert dehusk.clean(page, site=Site.load(model)).labels.by_template == ""  # which knows its counts only
    assert dehusk.clean(page, site=model, method="wisdom").labels.by_template == ""
    assert dehusk.clean(page, site=model, style="article").labels.by_template == "other-style"
    file = model / "templates.toml"
    file.write_text(file.read_text("utf-8").replace('drop = "body > div.foot', 'keep = "body > div.foot'), "utf-8")
    assert made_sites.FOOTER in dehusk.clean(page, site=model).text
    own = Rules.parse('["tea.example"]\ndrop = [".foot"]')
    assert made_sites.FOOTER not in dehusk.clean(page, site=model, rules=own).text
    file.write_text("cut of", "utf-8")
    with pytest.raises(ConfigError, match=r"templates\.toml"):
        dehusk.clean(page, site=model)
    Site().fit(CONTENT).save(model)  # a new model has nothing to do with the templates of the one before
    assert not file.exists()
    run("site", "learn", "pages", "-o", str(model), "--style", "article", cwd=folder)
    assert dehusk.clean(page, site=model, style="article").labels.by_template == "looked-up"


def test_a_folder_of_pages_as_site_is_as_its_model(folder: Path, tmp_path: Path) -> None:
    run("site", "learn", "pages", "-o", str(tmp_path / "a.site"), cwd=folder)
    by_folder = run("clean", "--site", "pages", "--explain", "pages/page3.html", cwd=folder)
    by_model = run("clean", "--site", str(tmp_path / "a.site"), "--explain", "pages/page3.html", cwd=folder)
    assert by_folder.stdout == by_model.stdout
    assert b"labelled by template 1" in by_model.stdout


def test_compiling_again_keeps_the_rules_of_people(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('["tea.example"]\nkeep = [".foot"]\n', "utf-8")
    for said in ("", "; against the file before: the same rules"):
        done = run("site", "learn", "pages", "-o", str(tmp_path / "a"), "--compile", str(file), cwd=folder)
        assert done.returncode == 0, done.stderr
        assert done.stderr.decode().splitlines()[-1] == f"dehusk: {file}: 1 template with 3 rules, from 12 pages{said}"
    learned = Rules.load(file)
    assert [str(rule) for rule in learned] == ["keep '.foot' for tea.example"]
    assert len(learned.templates["tea.example"]) == 1


def test_what_changed_since_the_file_before_is_reported(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    command = ("site", "learn", "pages", "-o", str(tmp_path / "a"), "--compile", str(file))
    run(*command, cwd=folder)
    text = (
        file.read_text("utf-8")
        .replace("div.foot", "div.feet")
        .replace('keep = "body > div.main', 'drop = "body > div.main')
    )
    file.write_text(text, "utf-8")
    changes = "against the file before: 1 new, 1 gone; 1 rule of people kept"
    assert run(*command, cwd=folder).stderr.decode().strip().endswith(changes)
    assert 'drop = "body > div.main' in file.read_text("utf-8")
    assert run(*command, cwd=folder).stderr.decode().strip().endswith("the same rules; 1 rule of people kept")


def test_rules_of_people_stay_in_the_template_they_are_of(rules: Rules) -> None:
    [(template,)] = rules.templates.values()
    own = (ElementRule("drop", "body > aside", probability=0.0), ElementRule("keep", "body > p", text="Imprint"))
    before = replace(template, elements=(*template.elements, *own))
    other = TemplateRules("2", 3, (ElementRule("keep", "body > table > tr > td", 3, 0.9),))
    assert with_edits((template, other), (before,)) == (replace(template, elements=before.elements), other)
    assert with_edits((template,), (replace(before, style="whole"),)) == (template,)
    assert with_edits((template,), ()) == (template,)
    first, *rest = template.elements
    changed = replace(first, action={"keep": "drop", "drop": "keep"}[first.action])
    [again] = with_edits((template,), (replace(template, elements=(changed, *rest)),))
    assert again.elements == (*rest, changed)


def test_a_changed_site_is_reported(folder: Path, tmp_path: Path) -> None:
    run("site", "learn", "pages", "-o", str(tmp_path / "a"), "--compile", str(tmp_path / "a.toml"), cwd=folder)
    new = "<section>" + made_sites.words(5, 40) + "</section>"
    relaunched = ["<table><tr><td>" + made_sites.words(n, 40) + "</table>" for n in range(2)]
    made_sites.write(
        tmp_path / "new",
        [CONTENT[0], *(made_sites.page(made_sites.article(n), extra=new) for n in range(3)), *relaunched],
    )
    done = run("clean", "--rules", "a.toml", "--no-sites", "new", cwd=tmp_path)
    assert done.stderr.decode().splitlines()[-1] == (
        "dehusk: 1 of 6 pages labelled by templates; by the method, too: 3 with new elements, 2 like no template"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--compile", "x.toml", "--method", "wisdom"), "--gold and --compile require --method site"),
        (("--compile", "bad.toml"), "rules bad.toml"),
    ],
)
def test_what_cannot_be_compiled_is_a_usage_error(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    (folder / "bad.toml").write_text("not toml", "utf-8")
    done = run("site", "learn", "pages", "-o", "b.site", *arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr.decode()


def test_pages_without_a_common_design_are_an_error(tmp_path: Path) -> None:
    made_sites.write(tmp_path / "odd", ["<p>one", "<table><tr><td>two</table>"])
    done = run("site", "learn", "odd", "-o", "a.site", "--compile", "a.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "no two of the pages are built alike: there is no template to write to a.toml" in done.stderr.decode()
    assert not (tmp_path / "a.toml").exists()


def test_a_folder_s_templates_decide_without_asking(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311 (nothing secret)
    made_sites.write(tmp_path / "saved", [made_sites.page(made_sites.article(n)) for n in chance.sample(range(99), 8)])
    done = run("clean", "saved", cwd=tmp_path)
    assert done.stderr.decode().splitlines()[-1] == "dehusk: 8 of 8 pages labelled by templates"
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(made_sites.FOOTER not in record["text"] for record in records)
    assert b"templates" not in run("clean", "--no-sites", "saved", cwd=tmp_path).stderr
