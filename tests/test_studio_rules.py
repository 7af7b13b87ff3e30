"""Rules in the studio: proposed from blocks, shown with what they change, written to a file that people write too."""

from pathlib import Path

import numpy as np
import pytest

from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from dehusk.base.errors import ConfigError
from dehusk.label.rules import Rule, Rules
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.opened import ViewSettings
from dehusk.studio.proposing import is_stable, propose
from dehusk.studio.rule_editing import (
    add_rule,
    add_rules,
    change_rule,
    delete_rule,
    redo_rules,
    remove_rule,
    replace_rule,
    rules_text,
    steps,
    undo_rules,
)
from dehusk.studio.rule_effects import effects, reach_of_rules, with_changes
from dehusk.studio.rule_pages import RulePages

__all__ = ["browser"]

HOST = "tea.example"
PROSE = "The water should be hot but not boiling, and the leaves need three minutes to give all that they have. "
PAGE = """<!DOCTYPE html><html><head><title>Tea {n}</title><link rel="canonical" href="https://tea.example/{n}"></head>
<body class="page-{n}"><nav><a href="/">Home</a> <a href="/about">About</a></nav>
<main class="story css-1x2y3z" id="post-10{n}"><h1>Tea number {n}</h1>
<p class="text">{prose}First of {n}.</p>
<p class="promo">Our shop has a kettle that keeps the water as hot as green tea {n} needs, for a small price indeed.</p>
<p class="text">{prose}Second of {n}.</p>
<p class="text">{prose}Third of {n}.</p></main><footer>All about tea</footer></body></html>
"""
FILE = """# our rules
["Tea.example"]   # the shop
keep = ["article .note"]
drop = [
    ".share",  # sharing
    "#news"    # letters
]

# everywhere
["*"]
drop = [".cookie"]
"""


def pages_in(folder: Path, count: int = 5) -> list[str]:
    folder.mkdir(parents=True)
    for number in range(1, count + 1):
        (folder / f"tea-{number}.html").write_text(PAGE.format(n=number, prose=PROSE), "utf-8")
    return [str(folder)]


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    with served(folder / "project", pages_in(folder / "pages")) as running:
        yield running


@pytest.fixture
def pages(studio: Served):
    studio.studio.project.rules.unlink(missing_ok=True)
    with studio.studio.project.writing() as connection:
        for statement in ("DELETE FROM rule_edit", "DELETE FROM change", "DELETE FROM labelling", "DELETE FROM body"):
            connection.execute(statement)
    return RulePages(studio.studio.project, studio.studio.opened, lambda: ViewSettings(rules=False))


def block_with(pages: RulePages, page: int, words: str) -> int:
    return next(block for block, text in enumerate(pages.page(page).blocks.texts) if words in text)


@pytest.mark.parametrize("name", ["share", "post-title", "article__body", "newsBox", "col-left", "h2o"])
def test_names_of_a_design_are_stable(name: str) -> None:
    assert is_stable(name)


@pytest.mark.parametrize("name", ["css-1x2y3z", "post-10234", "sc-bdVaJa", "a8f3c2e1", "active", "jsx-219", "x y"])
def test_generated_names_are_not(name: str) -> None:
    assert not is_stable(name)


def test_an_id_with_a_number_is_of_one_page() -> None:
    assert is_stable("comment-7")
    assert not is_stable("comment-7", of_one=True)


def test_the_narrowest_stable_selector_is_proposed(pages: RulePages) -> None:
    promo = block_with(pages, 1, "kettle")
    first = propose(pages, 1, [promo], [], keep=False)[0]
    assert first["selectors"] == [".promo"]
    assert first["covered"] == [promo]
    assert (first["elsewhere"], first["pages"], first["of"], first["against"]) == (4, 4, 4, 0)


def test_unclicked_kept_text_counts_against_a_selector(pages: RulePages) -> None:
    text = block_with(pages, 1, "First of 1")
    first, *others = propose(pages, 1, [text], [], keep=False)
    assert first["covered"] == [text]
    wide = next(each for each in others if each["selectors"] == [".text"])
    assert wide["against"] > first["against"]


def test_two_clicks_widen_and_a_negative_click_narrows(pages: RulePages) -> None:
    first, second, third = (block_with(pages, 1, f"{name} of 1") for name in ("First", "Second", "Third"))
    both = propose(pages, 1, [first, second], [], keep=False)[0]
    assert {first, second} <= set(both["covered"])
    for proposal in propose(pages, 1, [first, second], [third], keep=False):
        assert third not in proposal["covered"]


def test_labels_of_people_count_more_than_the_method(pages: RulePages) -> None:
    promo = block_with(pages, 2, "kettle")
    size = len(pages.page(2).blocks)
    change = Change(2, size, [promo], 2)
    apply_changes(pages.project, "Ann", [change], {2: b"x"})
    first = propose(pages, 1, [block_with(pages, 1, "kettle")], [], keep=False)[0]
    assert first["against"] == 1


def test_blocks_that_no_element_contains_alone_are_refused(pages: RulePages) -> None:
    promo = block_with(pages, 1, "kettle")
    with pytest.raises(ConfigError, match="no element contains"):
        propose(pages, 1, [promo], [promo], keep=False)
    with pytest.raises(ConfigError, match="choose blocks"):
        propose(pages, 1, [10_000], [], keep=False)


def all_effects(pages: RulePages, before: Rules, after: Rules) -> list[dict]:
    rows, start = [], 0
    while start is not None:
        answer = effects(pages, HOST, before, after, start)
        rows += answer["rows"]
        start = answer["next"]
    return rows


def test_effects_are_what_cleaning_does(pages: RulePages, studio: Served) -> None:
    before, rule = Rules.parse(""), Rule("drop", ".promo", HOST)
    rows = all_effects(pages, before, with_changes(before, [rule], []))
    assert [row["page"] for row in rows] == [1, 2, 3, 4, 5]
    add_rules(pages.project, [rule])
    for row in rows:
        plain, ruled = (studio.studio.opened.cleaned(row["page"], ViewSettings(rules=rules)) for rules in (False, True))
        changed = np.flatnonzero(plain.labels.kept != ruled.labels.kept).tolist()
        assert changed == [text["block"] for text in row["texts"]]
        assert row["dropped"]["words"] == row["before"] - row["after"] > 0


def test_the_reach_of_rules_names_pages_where_they_match_nothing(pages: RulePages) -> None:
    rules = Rules.parse(f'["{HOST}"]\ndrop = [".promo", ".page-2 .text"]\nkeep = [".gone"]')
    rows = reach_of_rules(pages, HOST, rules, 0)["rows"]
    reach = {
        rule: [r["reach"] for row in rows for r in row["rules"] if r["rule"]["selector"] == rule]
        for rule in (".promo", ".page-2 .text", ".gone")
    }
    assert reach[".promo"] == [2] * len(rows)
    assert reach[".page-2 .text"][:2] == [0, 2]
    assert set(reach[".gone"]) == {0}


def rule(action: str, selector: str, host: str = HOST) -> Rule:
    return Rule(action, selector, host)


def test_a_rule_is_added_in_place() -> None:
    new = add_rule(FILE, rule("drop", '.x[title="q"]'))
    assert new == FILE.replace('    "#news"    # letters\n', '    "#news",    # letters\n    ".x[title=\\"q\\"]",\n')
    assert add_rule(FILE, rule("keep", ".x")) == FILE.replace('note"]', 'note", ".x"]')
    assert add_rule(FILE, rule("keep", ".x", "*")) == FILE.replace('".cookie"]\n', '".cookie"]\nkeep = [".x"]\n')
    assert add_rule(FILE, rule("drop", ".x", "new.example")) == f'{FILE}\n["new.example"]\ndrop = [".x"]\n'
    assert add_rule(FILE, rule("drop", ".share")) == FILE


def test_a_removed_rule_leaves_comments_and_no_empty_section() -> None:
    assert remove_rule(FILE, rule("drop", ".share")) == FILE.replace('".share",  # sharing', "# sharing")
    assert remove_rule(FILE, rule("keep", "article .note")) == FILE.replace('keep = ["article .note"]\n', "")
    without = remove_rule(FILE, rule("drop", ".cookie", "*"))
    assert '["*"]' not in without
    assert "# everywhere" in without
    with pytest.raises(ConfigError, match="has no rule"):
        remove_rule(FILE, rule("drop", ".other"))


def test_a_changed_rule_keeps_its_place() -> None:
    assert replace_rule(FILE, rule("drop", ".share"), rule("drop", ".shares")) == FILE.replace(".share", ".shares")
    moved = replace_rule(FILE, rule("drop", ".share"), rule("keep", ".share"))
    assert set(Rules.parse(moved)) == set(Rules.parse(FILE)) - {rule("drop", ".share")} | {rule("keep", ".share")}


@pytest.mark.parametrize(
    "text",
    [
        '"tea.example" = {drop = [".a"]}\n',
        '"tea.example".drop = [".a"]\n',
        "['TEA.example']\r\ndrop = [\r\n  '.a'] # x\r\n",
        '["tea.example"]\ndrop = ["""\\\n  .a"""]',
        '["tea.example"]\ndrop = [\n".a"\n,\n]\n[\'*\']\nkeep=[]',
    ],
)
def test_unusual_files_are_edited_right_or_left_alone(text: str) -> None:
    messages = []
    for edit, change in (
        (add_rule, rule("drop", ".b")),
        (remove_rule, rule("drop", ".a")),
        (add_rule, rule("keep", ".c")),
    ):
        wanted = {*Rules.parse(text)} ^ {change}
        try:
            edited = edit(text, change)
        except ConfigError as error:
            messages.append(str(error))
        else:
            assert {*Rules.parse(edited)} == wanted
    assert all("by hand" in message for message in messages)


def test_edits_are_undone_and_redone_but_never_over_other_edits(pages: RulePages) -> None:
    project = pages.project
    project.rules.write_text(FILE, "utf-8")
    add_rules(project, [rule("drop", ".promo")])
    change_rule(project, rule("drop", ".promo"), rule("drop", ".promos"))
    delete_rule(project, rule("drop", ".share"))
    assert steps(project) == ("delete drop '.share' for tea.example", None)
    for _ in range(3):
        undo_rules(project)
    assert rules_text(project) == FILE
    assert redo_rules(project) == "add drop '.promo' for tea.example"
    project.rules.write_text(rules_text(project) + "# by hand\n", "utf-8")
    with pytest.raises(ConfigError, match="by hand since"):
        undo_rules(project)
    with pytest.raises(ConfigError, match="invalid CSS"):
        add_rules(project, [rule("drop", "p:::q")])
    assert rules_text(project).endswith("# by hand\n")


def test_a_rule_is_made_by_clicks_and_written(studio: Served, browser, pages: RulePages) -> None:
    promo, text = block_with(pages, 1, "kettle"), block_with(pages, 1, "First of 1")
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/page/1"))
        view.wait_for_selector("#page[data-ready]")
        view.frame_locator("#frame").locator(f'dh-b[data-b="{promo}"]').click()
        view.keyboard.press("R")
        view.wait_for_selector("#make[data-ready]")
        view.locator("#proposals .selector", has_text=".promo").first.wait_for()
        assert view.locator("#rule [name=selector]").input_value() == ".promo"
        assert view.locator("#rule [name=host]").input_value() == HOST
        view.locator("#effects .effect").nth(4).wait_for()
        assert "5 of 5 pages" in view.locator("#effect-counts").inner_text()
        block = view.frame_locator("#frame").locator
        assert block(f'dh-b[data-b="{promo}"][data-changed]').count() == 1
        block(f'dh-b[data-b="{text}"]').click()
        view.wait_for_function("() => document.querySelector('#rule [name=selector]').value !== '.promo'")
        block(f'dh-b[data-b="{text}"]').click()
        view.wait_for_function("() => document.querySelector('#rule [name=selector]').value === '.promo'")
        assert block(f'dh-b[data-b="{text}"][data-unwanted]').count() == 1
        view.reload()
        view.wait_for_selector("#make[data-ready]")
        view.wait_for_function("() => document.querySelector('#rule [name=selector]').value === '.promo'")
        view.keyboard.press("Enter")
        view.locator("tr[data-rule='drop .promo']").wait_for()
    assert rules_text(pages.project) == f'["{HOST}"]\ndrop = [".promo"]\n'


def test_keys_alone_make_a_rule(studio: Served, browser) -> None:
    with window(browser, width=900, dark=True) as shown:
        view = shown.page
        view.goto(studio.url("/"))
        view.goto(f"{studio.address}/rules?page=1")
        view.wait_for_selector("#make[data-ready]")
        for key in ("j", "j", "j", " "):
            view.keyboard.press(key)
        view.locator("#proposals input").first.wait_for()
        before = view.locator("#rule [name=selector]").input_value()
        view.keyboard.press("n")
        assert view.locator("#rule [name=selector]").input_value() != before
        view.keyboard.press("p")
        view.wait_for_function("() => document.querySelector('#rule [name=action]:checked').value === 'keep'")
        view.keyboard.press("Escape")
        view.get_by_text("Click a text of the page").wait_for()


def test_a_typed_selector_is_checked_and_shown(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/"))
        view.goto(f"{studio.address}/rules?page=1")
        view.wait_for_selector("#make[data-ready]")
        view.locator("#rule [name=selector]").fill(".text")
        view.frame_locator("#frame").locator("dh-b[data-covered]").nth(2).wait_for()
        shown.allow("400")  # the browser names requests that were refused
        view.locator("#rule [name=selector]").fill("p:::q")
        view.locator("#selector-note.error").wait_for()
        assert view.locator("#accept").is_disabled()


def test_corrections_are_where_a_rule_begins(studio: Served, browser, pages: RulePages) -> None:
    promo = block_with(pages, 3, "kettle")
    body = studio.studio.opened.body(3).data
    apply_changes(pages.project, "Ann", [Change(3, len(pages.page(3).blocks), [promo], 4)], {3: body})
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/"))
        view.goto(f"{studio.address}/rules?page=3")
        view.locator("#corrections button", has_text="drop 1 block").wait_for()
        view.wait_for_function("() => document.querySelector('#rule [name=selector]').value === '.promo'")


def test_rules_are_listed_edited_deleted_and_undone(studio: Served, browser, pages: RulePages) -> None:
    pages.project.rules.write_text(f'["{HOST}"]\ndrop = [".promo", ".gone"]\n', "utf-8")
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/rules"))
        row = view.locator("tr[data-rule='drop .gone']")
        row.locator("summary", has_text="5 pages").wait_for()
        assert "5 of 5 pages" in view.locator("tr[data-rule='drop .promo']").inner_text()
        row.get_by_role("button", name="Edit").click()
        view.locator("form input[aria-label=Selector]").last.fill("footer")
        view.keyboard.press("Enter")
        view.locator("tr[data-rule='drop footer']").wait_for()
        view.locator("tr[data-rule='drop footer']").get_by_role("button", name="Delete").click()
        view.locator("tr[data-rule='drop footer']").wait_for(state="detached")
        view.keyboard.press("u")
        view.locator("tr[data-rule='drop footer']").wait_for()
        view.keyboard.press("U")
        view.locator("tr[data-rule='drop footer']").wait_for(state="detached")
        view.locator("#new-rule [name=selector]").fill("nav")
        view.locator("#new-rule [name=host]").fill("*")
        view.locator("#new-rule button").click()
        view.locator("tr[data-rule='drop nav']").wait_for()
        assert set(Rules.parse(rules_text(pages.project))) == {rule("drop", ".promo"), rule("drop", "nav", "*")}


def test_a_broken_file_says_why(studio: Served, browser, pages: RulePages) -> None:
    pages.project.rules.write_text('["tea.example"]\ndrop = "x"\n', "utf-8")
    with window(browser) as shown:
        shown.page.goto(studio.url("/rules"))
        shown.page.locator("#problem", has_text="must be a list of CSS selectors").wait_for()
