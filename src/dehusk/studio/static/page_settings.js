// How the page is cleaned: every change is applied at once, and stored in the address.
import { ask, attempt, bindKey, el } from "./base.js";
import { showHeat } from "./page_frame.js";
import { emit, page } from "./page_state.js";

const form = document.getElementById("settings");
const NAMES = ["method", "model", "style", "favour", "rules", "site"];
let latest; // the request that is under way
let format = "text"; // that the tab shows; "none" if it shows no text
let asked = ""; // format of the last request

/** Parameters of the settings that the controls show; a control that does not apply has none. */
export function settingsNow() {
  const query = new URLSearchParams();
  for (const name of NAMES) {
    const control = form.elements[name];
    if (!control || control.disabled) continue;
    if (control.type === "checkbox") query.set(name, control.checked ? "yes" : "no");
    else if (control.value) query.set(name, control.value);
  }
  return query;
}

/** Ask for the outcome of the settings and tell everyone; an older request is given up. */
export async function applySettings() {
  latest?.abort();
  latest = new AbortController();
  const settings = settingsNow();
  asked = format;
  const outcome = await ask(`/api/page/${page.id}/outcome?${settings}&format=${format}`, { signal: latest.signal });
  page.outcome = outcome;
  page.settings = settings;
  if (document.getElementById("page").dataset.ready) showAgain();
}

/** Tell everyone about the latest outcome. */
export function showAgain() {
  showFacts(page.outcome);
  emit("outcome", { outcome: page.outcome });
}

/** Show the outcome in another format; "none" asks for no text until one is shown again. */
export async function setFormat(name) {
  format = name;
  if (name === "none" || name === asked) return undefined;
  return applySettings();
}

/** The controls of the settings, for those who offer the same choices elsewhere. */
export const controls = form.elements;

function showFacts(outcome) {
  const { kept } = outcome.blocks;
  const words = page.words.reduce((sum, number, block) => sum + number * kept[block], 0);
  const all = page.words.reduce((sum, number) => sum + number, 0);
  const facts = [
    ["status", outcome.status, outcome.message],
    ["confidence", outcome.confidence.toFixed(2), "how probable it is that the right blocks are kept"],
    ["kept blocks", `${kept.reduce((sum, each) => sum + each, 0)} of ${kept.length}`, `${words} of ${all} words`],
    ["kept words", all ? `${Math.round((100 * words) / all)} %` : "none", `${words} of ${all} words`],
  ];
  if (outcome.notes.length) facts.push(["notes", String(outcome.notes.length), outcome.notes.join("\n")]);
  document.getElementById("facts").replaceChildren(
    ...facts.map(([name, value, more]) => el("div", { title: more }, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** Let controls apply only where the chosen method has them, and models only of this method. */
export function adaptTo({ method, model, style, favour }) {
  const chosen = method.selectedOptions[0].dataset;
  const options = chosen.options.split(" ");
  style.disabled = !options.includes("style");
  favour.disabled = !options.includes("favour");
  const fitting = [...model.options].filter((option) => option.dataset.method === method.value);
  for (const option of model.options) option.hidden = option.disabled = !fitting.includes(option);
  model.disabled = !fitting.length;
  if (fitting.length && !fitting.includes(model.selectedOptions[0])) {
    model.value = (fitting.find((each) => each.value === chosen.model) ?? fitting[0]).value;
  }
}

function adapt() {
  adaptTo(form.elements);
  form.elements.shown.value = Number(form.elements.favour.value).toFixed(2);
}

function remember() {
  const address = new URL(location.href);
  for (const [name, value] of settingsNow()) address.searchParams.set(`with-${name}`, value);
  history.replaceState(null, "", address);
}

/** Set the controls as the address says. */
export function recall() {
  for (const [key, value] of new URL(location.href).searchParams) {
    const control = NAMES.find((name) => key === `with-${name}`) ? form.elements[key.slice(5)] : null;
    if (control?.type === "checkbox") control.checked = value === "yes";
    else if (control) control.value = value;
  }
  for (const select of form.querySelectorAll("select")) if (select.selectedIndex < 0) select.selectedIndex = 0;
  adapt();
}

function nudge(by) {
  const { favour } = form.elements;
  if (favour.disabled) return undefined;
  favour.value = Number(favour.value) + by;
  adapt();
  remember();
  return applySettings();
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target.name === "heat") return showHeat(event.target.checked);
  if (event.target.name === "gold") return undefined;
  adapt();
  remember();
  return attempt(applySettings);
});
form.addEventListener("reset", () => setTimeout(() => {
  adapt();
  showHeat(form.elements.heat.checked);
  remember();
  attempt(applySettings);
}));
bindKey(",", "favour precision", () => nudge(-0.05));
bindKey(".", "favour recall", () => nudge(0.05));
bindKey("H", "heat map of probability", () => {
  form.elements.heat.checked = !form.elements.heat.checked;
  showHeat(form.elements.heat.checked);
});
