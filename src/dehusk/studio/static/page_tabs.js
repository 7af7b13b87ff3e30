// The tabs beside the page: four formats of the outcome, the list of blocks, the comparison, and what is added.
import { attempt, bindKey, el } from "./base.js";
import { setFormat } from "./page_settings.js";
import { emit } from "./page_state.js";

const list = document.querySelector(".tabs");
const panels = document.querySelector(".side");
let current = "text";

const buttons = () => [...list.querySelectorAll('[role="tab"]')];
const nameOf = (button) => button.id.replace("tab-", "");

/** Name of the tab that is shown. */
export const tabNow = () => current;

/** Show a tab by its name: "text", "markdown", "json", "blocks", "compare", "outline", or one that was added. */
export function showTab(name) {
  current = name;
  const chosen = document.getElementById(`tab-${name}`);
  for (const button of buttons()) {
    button.setAttribute("aria-selected", String(button === chosen));
    button.tabIndex = button === chosen ? 0 : -1;
  }
  const panel = chosen.getAttribute("aria-controls");
  for (const each of panels.querySelectorAll('[role="tabpanel"]')) each.hidden = each.id !== panel;
  if (chosen.dataset.format) document.getElementById(panel).setAttribute("aria-labelledby", chosen.id);
  attempt(() => setFormat(chosen.dataset.format ?? "none"));
  emit("tab", { name });
}

/** Add a tab; returns its panel, to be filled. The event "tab" says when it is shown. */
export function addTab(name, label) {
  const panel = el("div", { id: `panel-${name}`, class: "panel-body column", role: "tabpanel", "aria-labelledby": `tab-${name}` });
  panel.hidden = true;
  list.append(el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": panel.id, "aria-selected": "false", tabindex: -1 }, label));
  document.getElementById("details").before(panel);
  bindNumber(buttons().length - 1);
  return panel;
}

function bindNumber(index) {
  const button = buttons()[index];
  bindKey(String(index + 1), `tab ${button.textContent}`, () => showTab(nameOf(button)));
}

list.addEventListener("click", (event) => {
  const button = event.target.closest('[role="tab"]');
  if (button) showTab(nameOf(button));
});
list.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const all = buttons();
  const next = all[(all.findIndex((each) => nameOf(each) === current) + by + all.length) % all.length];
  showTab(nameOf(next));
  next.focus();
});
buttons().forEach((_, index) => bindNumber(index));
