"""Pages elsewhere that are open in the same browser as the studio: they change nothing and learn nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from dehusk.label.rules import Rule
from dehusk.studio.rule_editing import add_rules
from studio_server import Served, browser, served
from studio_trap import Trap, trap, trapped

__all__ = ["browser", "trap", "trapped"]
PAGE = "<title>Tea</title><h1>Tea</h1><p>" + "Good leaves give three cups, says Ann. " * 9
ATTACK = """<!DOCTYPE html><title>attack</title><script>
const body = JSON.stringify({ annotator: "Mallory", blocks: [0], label: 2 });
const learned = [], tries = [];
async function attack(studio) {
  const path = "/api/page/1/labels";
  for (const mode of ["cors", "no-cors"]) for (const credentials of ["include", "omit"]) {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
      tries.push(fetch(studio + path, { method: "POST", mode, credentials, body, headers: { "Content-Type": type } }));
    }
    for (const read of ["/", "/api/pages", "/frame/1", "/static/base.js", "/page/1"]) {
      const answered = fetch(studio + read, { mode, credentials }).then((answer) => answer.text());
      tries.push(answered.then((text) => text && learned.push(`${mode} ${read}`)));
    }
    tries.push(fetch(studio + "/api/rules/undo", { method: "POST", mode, credentials }));
    tries.push(fetch(studio + "/api/page/1/note", { method: "PUT", mode, credentials, body }));
  }
  for (const [name, attribute, read] of [["script", "src", "/api/pages"], ["script", "src", "/static/base.js"],
    ["img", "src", "/static/icon.svg"], ["link", "href", "/static/base.css"], ["iframe", "src", "/page/1"],
    ["iframe", "src", "/frame/1"], ["object", "data", "/frame/1"], ["embed", "src", "/page/1"]]) {
    const element = document.createElement(name);
    if (name === "link") element.rel = "stylesheet";
    tries.push(new Promise((resolve) => {
      element.onload = () => {
        let shown = !["iframe", "object", "embed"].includes(name); // of a refused frame, an error page is loaded
        try { shown ||= Boolean(element.contentWindow?.document); } catch { /* another origin */ }
        if (shown) learned.push(`${name} ${read}`);
        resolve();
      };
      element.onerror = resolve;
      setTimeout(resolve, 700);
    }));
    element[attribute] = studio + read;
    document.body.append(element);
  }
  for (const kind of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    const frame = document.createElement("iframe");
    frame.name = kind;
    const form = document.createElement("form");
    Object.assign(form, { action: studio + path, method: "post", enctype: kind, target: kind });
    form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1) + ',"x":"', value: '"}' }));
    document.body.append(frame, form);
    form.submit();
  }
  navigator.sendBeacon(studio + path, body);
  try { new WebSocket(studio.replace("http", "ws") + "/"); } catch { /* refused */ }
  const opened = open(studio + "/page/1");
  tries.push(new Promise((resolve) => setTimeout(resolve, 900)).then(() => {
    if (!opened) return;
    opened.postMessage({ block: 0 }, "*");
    try { if (opened.document?.body?.textContent) learned.push("opened window"); } catch { /* another origin */ }
    if (opened.length) learned.push("frames of an opened window");
    opened.close();
  }));
  await Promise.allSettled(tries);
  return learned;
}
</script><body></body>"""


@pytest.fixture(scope="module")
def studio(tmp_path_factory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("others")
    (folder / "tea.html").write_text(PAGE, "utf-8")
    with served(folder / "project", [str(folder / "tea.html")]) as running:
        add_rules(running.studio.project, [Rule("drop", ".nothing", "*")])  # something to undo
        yield running


def state(studio: Served) -> list[tuple[object, ...]]:
    read = studio.studio.project.reading.execute
    tables = ("change", "labelling", "rule_edit", "setting")
    counts = [tuple(read(f"SELECT count(*) FROM {table}").fetchone()) for table in tables]  # noqa: S608
    rules = tuple(read("SELECT what, undone FROM rule_edit").fetchone())
    return [*counts, rules, *map(tuple, read("SELECT flag, comment FROM page"))]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:{port}", "localhost:{port}"])
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_a_page_elsewhere_changes_and_learns_nothing(trapped, trap: Trap, studio: Served, host: str, name: str) -> None:
    """Another port of this machine is another origin, but the same site: its requests carry the cookie."""
    trap.pages["/attack"] = ATTACK.replace("/static/", f"{studio.studio.static}/").encode()  # as if it knew the path
    before = state(studio)
    context = trapped.new_context()
    own = context.new_page()
    own.goto(studio.url("/").replace("127.0.0.1", name))
    own.locator(".row[data-page]").first.wait_for()
    page = context.new_page()
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.goto(f"http://{host.format(port=trap.server_port)}/attack")
    assert page.evaluate("(studio) => attack(studio)", f"http://{name}:{studio.port}") == []
    assert [frame.url for frame in page.frames if frame.url.startswith(f"http://{name}:{studio.port}/")] == []
    own.reload()
    own.locator(".row[data-page]").first.wait_for()
    context.close()
    assert state(studio) == before


def test_a_name_that_resolves_to_this_machine_is_not_the_studio(trapped, studio: Served) -> None:
    """DNS rebinding: the name is another origin for the browser, and another host for the studio."""
    context = trapped.new_context()
    own = context.new_page()
    own.goto(studio.url("/"))
    page = context.new_page()
    answer = page.goto(f"http://rebound.example:{studio.port}/")
    assert answer.status == 421
    asked = "['/', '/api/pages', '/frame/1'].map((path) => fetch(path).then((answer) => answer.status))"
    statuses = page.evaluate(f"() => Promise.all({asked})")
    assert statuses == [421] * 3
    context.close()


@pytest.mark.parametrize("host", ["evil.example", "localhost:{port}", "127.0.0.1:{port}"])
def test_a_link_with_the_secret_leads_to_the_studio(trapped, trap: Trap, studio: Served, host: str) -> None:
    """Such as in a terminal in the browser; the secret stays neither in the address nor in the history."""
    trap.pages["/terminal"] = f'<a href="{studio.url("/page/1")}">here</a>'.encode()
    context = trapped.new_context()
    page = context.new_page()
    page.goto(f"http://{host.format(port=trap.server_port)}/terminal")
    page.get_by_role("link").click()
    page.locator("#outcome").get_by_text("Good leaves").first.wait_for()
    assert page.url == f"{studio.address}/page/1"
    assert page.evaluate("document.referrer") == ""
    history = context.new_cdp_session(page).send("Page.getNavigationHistory")["entries"]
    assert [entry["url"] for entry in history if "key=" in entry["url"]] == []
    context.close()
