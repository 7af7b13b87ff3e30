"""Templates in the studio: learned from pages and labels, shown with what they change, written, edited, undone."""

from pathlib import Path

import pytest

from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from dehusk.base.errors import ConfigError
from dehusk.blocks.labels import OTHER
from dehusk.label.rules import Rules
from dehusk.label.template_rules import ElementRule, TemplateRules
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.opened import ViewSettings
from dehusk.studio.rule_editing import add_rule, remove_rule, rules_text, undo_rules, with_templates
from dehusk.studio.rule_effects import effects
from dehusk.studio.rule_pages import RulePages
from dehusk.studio.template_learning import LearnedTemplates, change_row, rows, summary, with_learned
from test_studio_rules import FILE, HOST, Rule, block_with, pages_in

__all__ = ["browser"]

COUNT = 6
MADE = TemplateRules("1", 3, (ElementRule("drop", "body > p", 3, 0.1), ElementRule("ask", "body > div", 2, 0.5)))
OTHERS = '[["b.example".templates]]\nname = "1"\npages = 2\nelements = [\n    { keep = "body > p" },  # ours\n]\n'


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("templates")
    with served(folder / "project", pages_in(folder / "pages", COUNT)) as running:
        yield running


@pytest.fixture
def pages(studio: Served) -> RulePages:
    studio.studio.project.rules.unlink(missing_ok=True)
    with studio.studio.project.writing() as connection:
        for statement in ("DELETE FROM rule_edit", "DELETE FROM change", "DELETE FROM labelling", "DELETE FROM body"):
            connection.execute(statement)
    return RulePages(studio.studio.project, studio.studio.opened, lambda: ViewSettings(rules=False))


def drop_the_promo(studio: Served, pages: RulePages, page: int) -> None:
    known = pages.page(page)
    change = Change(page, len(known.blocks), [block_with(pages, page, "kettle")], OTHER)
    apply_changes(pages.project, "Ann", [change], {page: studio.studio.opened.body(page).data})


# ---------------------------------------------------------------- the text of the file


def test_templates_are_written_beside_what_people_wrote() -> None:
    text = with_templates(FILE + OTHERS, HOST, [MADE])
    assert text.startswith(FILE + OTHERS.rstrip())
    read = Rules.parse(text)
    assert read.templates[HOST] == (MADE,)
    assert read.templates["b.example"] == Rules.parse(OTHERS).templates["b.example"]
    assert with_templates(text, HOST, [MADE]) == text
    assert with_templates(text, HOST, []) == FILE + OTHERS
    assert with_templates(with_templates("", HOST, [MADE]), HOST, []) == ""


def test_selectors_are_edited_beside_templates() -> None:
    text = with_templates(FILE, HOST, [MADE])
    rule = Rule("drop", ".promo", HOST)
    more = add_rule(text, rule)
    assert Rules.parse(more).templates[HOST] == (MADE,)
    assert Rules.parse(remove_rule(more, rule)).text() == Rules.parse(text).text()
    alone = with_templates("", HOST, [MADE])
    assert Rules.parse(add_rule(alone, rule)).templates[HOST] == (MADE,)


# ---------------------------------------------------------------- learning


def test_what_templates_would_change_is_known_before_they_are_written(studio: Served, pages: RulePages) -> None:
    for page in (1, 2, 3, 4):
        drop_the_promo(studio, pages, page)
    templates = LearnedTemplates(pages).learn(HOST)
    [template] = templates
    assert template.pages == COUNT
    assert summary(template)["rules"] == len(rows(template)) == len(template.elements)
    before = Rules({})
    found = effects(pages, HOST, before, with_learned(before, HOST, templates), 0)
    assert found["looked_at"] == found["total"] == COUNT
    promos = [any("kettle" in each["text"] and not each["keep"] for each in row["texts"]) for row in found["rows"]]
    kept = [bool(pages.page(page).kept[block_with(pages, page, "kettle")]) for page in range(1, COUNT + 1)]
    assert promos == kept
    assert sum(row["mended"] for row in found["rows"]) == sum(kept[:4])
    assert all(row["against"] == 0 for row in found["rows"])
    assert rules_text(pages.project) == ""


def test_templates_are_written_edited_and_undone(pages: RulePages) -> None:
    learned = LearnedTemplates(pages)
    learned.learn(HOST)
    learned.write(HOST)
    written = rules_text(pages.project)
    [template] = Rules.parse(written).templates[HOST]
    [title] = [row for row in rows(template) if row["path"].endswith("h1")]
    assert title["action"] == "keep"
    wanted = {"template": template.name, "path": title["path"], "text": "", "action": "drop"}
    change_row(pages, HOST, wanted)
    [changed] = Rules.parse(rules_text(pages.project)).templates[HOST]
    assert [row["action"] for row in rows(changed) if row["path"] == title["path"]] == ["drop"]
    assert undo_rules(pages.project) == f"drop {title['path']} in a template of {HOST}"
    assert rules_text(pages.project) == written
    for wrong in ({"action": "hide"}, {"path": "body > nowhere"}, {"template": "9"}):
        with pytest.raises(ConfigError):
            change_row(pages, HOST, wanted | wrong)
    assert undo_rules(pages.project) == f"learn the templates of {HOST}"
    assert rules_text(pages.project) == ""


def test_a_host_without_two_pages_alike_has_no_templates(pages: RulePages) -> None:
    with pytest.raises(ConfigError, match=r"no two pages of a\.example are built alike"):
        LearnedTemplates(pages).learn("a.example")


# ---------------------------------------------------------------- in the browser


def test_templates_are_learned_shown_and_written(studio: Served, browser, pages: RulePages, tmp_path: Path) -> None:
    for page in (1, 2, 3, 4, 5):
        drop_the_promo(studio, pages, page)
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/rules"))
        view.get_by_label("Host of the templates").fill(HOST)
        view.get_by_role("button", name="Learn templates").click()
        view.get_by_text(f"Template 1: {COUNT} pages").wait_for()
        view.locator("#template-counts", has_text=f"of {COUNT} pages").wait_for()
        assert rules_text(pages.project) == ""
        view.screenshot(path=tmp_path / "learned.png", full_page=True)
        view.get_by_role("button", name="Write to the rules file").click()
        section = view.locator(f'[id="host-{HOST}"]')
        section.locator("summary", has_text="Template 1").click()
        row = section.locator("tr", has_text="body > main.story > h1")
        assert row.locator("select").input_value() == "keep"
        row.locator("select").select_option("drop")
        section.locator("summary", has_text="Template 1").click()
        section.locator("tr", has_text="body > main.story > h1").locator("select.drop").wait_for()
        view.screenshot(path=tmp_path / "written.png", full_page=True)
        [template] = Rules.parse(rules_text(pages.project)).templates[HOST]
        assert ("drop", "body > main.story > h1") in {(rule.action, rule.path) for rule in template.elements}
        section.get_by_role("button", name=f"Delete the templates of {HOST}").click()
        view.get_by_text("There are no rules yet").wait_for()
        view.locator("#undo").click()
        section.locator("summary", has_text="Template 1").wait_for()


def test_a_host_without_templates_says_so(studio: Served, browser, pages: RulePages) -> None:
    assert rules_text(pages.project) == ""
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url("/rules"))
        shown.allow("400")
        view.get_by_label("Host of the templates").fill("nowhere.example")
        view.get_by_role("button", name="Learn templates").click()
        view.get_by_text("no two pages of nowhere.example are built alike").wait_for()
