// What the list is filtered by: search, chips of active filters, numbers of pages of each value.
import { ask, attempt, bindKey, el, settled } from "./base.js";
import { makeHistogram } from "./pages_histogram.js";
import { change, CHOICES, clearFilters, isFiltered, list, onChange, query, RANGES, setRange, toggleValue } from "./pages_query.js";
import { statusMark, typeMark } from "./pages_rows.js";

const LABELS = { status: "Status", type: "Type", language: "Language", host: "Site", flag: "Flag", confidence: "Confidence", kept: "Kept share", agreement: "Agreement" };
const NOTHING = { language: "unknown", host: "no site", flag: "no flag" };
const MARKS = { status: statusMark, type: typeMark };
const MOST_SHOWN = 8;

const chips = document.getElementById("chips");
const values = document.getElementById("values");
const search = document.getElementById("search");
const opened = new Set();
const histograms = Object.fromEntries(RANGES.map((name) => [name, makeHistogram(document.getElementById("histograms"), name, LABELS[name])]));

let asking;
let facets = { values: {}, labelled: {} };

/** Count the pages of each value anew. */
export async function countAgain() {
  asking?.abort();
  asking = new AbortController();
  facets = await ask(`/api/facets?${query()}`, { signal: asking.signal });
  for (const name of RANGES) histograms[name](facets.histograms[name], name === "agreement" ? facets.tool : undefined);
  showValues();
}

function nameOf(name, value) {
  return value || NOTHING[name] || "none";
}

function showChips() {
  const made = [];
  if (list.search.trim()) made.push(chip(`“${list.search.trim()}”`, () => change({ search: "" })));
  for (const name of CHOICES) {
    for (const value of list.values[name]) made.push(chip(`${LABELS[name]}: ${nameOf(name, value)}`, () => toggleValue(name, value)));
  }
  for (const [name, [least, most]] of Object.entries(list.ranges)) {
    made.push(chip(`${LABELS[name]}: ${least.toFixed(2)} – ${most.toFixed(2)}`, () => setRange(name, 0, 1)));
  }
  if (list.labelled) made.push(chip(list.labelled === "yes" ? "with labels" : "without labels", () => change({ labelled: "" })));
  if (made.length > 1) made.push(el("button", { type: "button", class: "plain", onclick: clearFilters }, "clear all"));
  chips.replaceChildren(...made);
  chips.hidden = !made.length;
}

function chip(text, remove) {
  return el("button", { type: "button", class: "chip", title: "Remove this filter", "aria-label": `Remove the filter ${text}`, onclick: remove }, text, el("span", { "aria-hidden": "true" }, " ×"));
}

function showValues() {
  const focused = document.activeElement?.dataset?.choice;
  values.replaceChildren(...CHOICES.map(group), labelledGroup());
  if (focused) [...values.querySelectorAll("[data-choice]")].find((box) => box.dataset.choice === focused)?.focus();
}

function group(name) {
  const counts = new Map((facets.values[name] ?? []).map(([value, number]) => [value, number]));
  for (const value of list.values[name]) if (!counts.has(value)) counts.set(value, 0);
  const every = [...counts];
  const shown = opened.has(name) ? every : every.filter(([value], index) => index < MOST_SHOWN || list.values[name].includes(value));
  if (every.length < 2 && !list.values[name].length) return "";
  const more = every.length > shown.length || opened.has(name) ? moreButton(name, every.length) : "";
  return el("fieldset", {}, el("legend", {}, LABELS[name]), ...shown.map(([value, number]) => valueLine(name, value, number)), more);
}

function valueLine(name, value, number) {
  const box = el("input", { type: "checkbox", dataset: { choice: `${name} ${value}` }, onchange: () => toggleValue(name, value) });
  box.checked = list.values[name].includes(value);
  const mark = MARKS[name] ? el("span", { class: "mark", "aria-hidden": "true" }, MARKS[name](value)) : "";
  return el("label", {}, box, mark, el("span", { class: "name", title: value }, nameOf(name, value)), el("span", { class: "number quiet" }, number.toLocaleString("en")));
}

function moreButton(name, number) {
  const isOpen = opened.has(name);
  const turn = () => { if (isOpen) opened.delete(name); else opened.add(name); showValues(); };
  return el("button", { type: "button", class: "plain", "aria-expanded": String(isOpen), onclick: turn }, isOpen ? "fewer" : `${number - MOST_SHOWN} more`);
}

function labelledGroup() {
  const lines = ["yes", "no"].map((which) => {
    const box = el("input", { type: "checkbox", dataset: { choice: `labelled ${which}` }, onchange: () => change({ labelled: list.labelled === which ? "" : which }) });
    box.checked = list.labelled === which;
    const number = facets.labelled?.[which] ?? 0;
    return el("label", {}, box, el("span", { class: "name" }, which === "yes" ? "with labels" : "without labels"), el("span", { class: "number quiet" }, number.toLocaleString("en")));
  });
  return el("fieldset", {}, el("legend", {}, "Annotated"), ...lines);
}

function show() {
  if (document.activeElement !== search) search.value = list.search;
  showChips();
}

search.value = list.search;
const typed = settled(() => change({ search: search.value }, "search"), 150);
search.addEventListener("input", typed);
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter" || event.key === "ArrowDown") document.getElementById("rows").focus();
});
bindKey("/", "search in titles, addresses and texts", () => { search.focus(); search.select(); });
bindKey("x", "remove all filters", () => { if (isFiltered()) clearFilters(); });
onChange(show);
onChange(() => attempt(countAgain));
show();
