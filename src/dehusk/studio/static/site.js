// What the pages of a site share: five views of one page of it, and the learning that they need.
import { addressOf, attempt, bindKey, el } from "./base.js";
import { SiteFrame } from "./site_frame.js";
import { joinLearning, showNotice } from "./site_learning.js";
import { nameCurrent, openPages } from "./site_pages.js";
import { site } from "./site_state.js";
import { grey } from "./site_grey.js";
import { information } from "./site_information.js";
import { methods } from "./site_methods.js";
import { structure } from "./site_structure.js";
import { template } from "./site_template.js";

const VIEWS = [template, structure, grey, information, methods];
const tabs = document.querySelector(".tabs");
const panes = document.getElementById("panes");
const panel = document.getElementById("panel");
const wide = document.getElementById("wide");
const legend = document.getElementById("legend");
const frame = new SiteFrame(document.getElementById("frame"), {
  hover: (block) => view.hover?.(block),
  select: (block) => attempt(async () => view.select?.(block)),
});
let view = VIEWS[0];
let turn = 0; // counts what was asked for; an answer to an earlier question is dropped

async function show() {
  const now = ++turn;
  remember();
  for (const tab of tabs.children) {
    const isShown = tab.dataset.view === view.name;
    tab.setAttribute("aria-selected", String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
  }
  panel.setAttribute("aria-labelledby", `tab-${view.name}`);
  document.getElementById("open-page").href = addressOf(`/page/${site.page}`);
  nameCurrent();
  showNotice();
  document.getElementById("site").removeAttribute("data-ready");
  const isCurrent = () => now === turn;
  if (!site.facts.learned) {
    panes.hidden = wide.hidden = true;
    return;
  }
  panes.hidden = view.isWide ?? false;
  wide.hidden = !view.isWide;
  if (view.isWide) await view.show({ root: wide, isCurrent });
  else if (await frame.open(site.page) && isCurrent()) {
    frame.clear();
    legend.replaceChildren();
    await view.show({ frame, panel, legend, isCurrent });
  }
  if (isCurrent()) document.getElementById("site").dataset.ready = view.name;
}

function remember() {
  const query = new URLSearchParams({ page: site.page, view: view.name });
  history.replaceState(null, "", `${location.pathname}?${query}`);
}

function choose(name) {
  view.leave?.();
  view = VIEWS.find((each) => each.name === name) ?? VIEWS[0];
  return attempt(show);
}

function makeTabs() {
  tabs.append(...VIEWS.map((each, index) => el("button", {
    type: "button", role: "tab", id: `tab-${each.name}`, "aria-selected": "false", "aria-controls": each.isWide ? "wide" : "panel",
    dataset: { view: each.name }, title: `${each.label} (${index + 1})`, onclick: () => choose(each.name),
  }, each.label)));
  tabs.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = VIEWS[(VIEWS.indexOf(view) + by + VIEWS.length) % VIEWS.length];
    choose(next.name);
    document.getElementById(`tab-${next.name}`).focus();
  });
}

function bindKeys() {
  VIEWS.forEach((each, index) => bindKey(String(index + 1), each.label, () => choose(each.name)));
  bindKey("j", "next block, or next difference between methods", () => view.step?.(1));
  bindKey("k", "previous block, or previous difference between methods", () => view.step?.(-1));
  bindKey("Escape", "select nothing", () => view.select?.(-1));
}

makeTabs();
bindKeys();
view = VIEWS.find((each) => each.name === new URLSearchParams(location.search).get("view")) ?? VIEWS[0];
attempt(async () => {
  await joinLearning(() => attempt(show));
  await openPages(show);
  await show();
});
