// The outcome compared, word by word, with that of other settings, with the text of another tool, given or run here, or with the gold.
import { ask, attempt, bindKey, say, settled } from "./base.js";
import { fillDiff, stepIn } from "./diff_rows.js";
import { adaptTo, controls } from "./page_settings.js";
import { on, page, pick } from "./page_state.js";
import { tabNow } from "./page_tabs.js";

const MOST = 2_000_000; // characters of a text, as on the server
const form = document.getElementById("compare");
const facts = document.getElementById("diff-facts");
const root = document.getElementById("diff");
let places = []; // of the blocks in the comparison
let latest;
let answer = null;
const others = new Map(); // settings -> what they keep

function otherSettings() {
  const chosen = Object.fromEntries(page.settings);
  for (const name of ["method", "model", "style", "favour"]) {
    const control = form.elements[name];
    if (control.disabled || !control.value) delete chosen[name];
    else chosen[name] = control.value;
  }
  return chosen;
}

async function compare() {
  if (tabNow() !== "compare" || !page.outcome) return;
  const kind = form.elements.with.value;
  const body = { with: kind, settings: Object.fromEntries(page.settings) };
  if (kind === "settings") body.other = otherSettings();
  if (kind === "text") {
    body.text = form.elements.text.value;
    if (!body.text.trim()) { answer = null; facts.textContent = "Paste a text, or choose a file."; showDiff(null); return; }
  }
  if (kind.startsWith("tool:")) { answer = null; facts.textContent = ""; showDiff(null); } // it may fail on this page
  latest?.abort();
  latest = new AbortController();
  answer = await ask(`/api/page/${page.id}/compare`, { method: "POST", body, signal: latest.signal });
  show(kind);
}

/** What the comparison keeps if it is open (null where it says nothing), or else the site the other way; null: neither is there. */
export async function otherKept() {
  if (tabNow() === "compare" && answer?.kept) return answer.kept;
  if (!controls.site || tabNow() === "compare") return null;
  const settings = new URLSearchParams(page.settings);
  settings.set("site", settings.get("site") === "yes" ? "no" : "yes");
  if (!others.has(String(settings))) others.set(String(settings), (await ask(`/api/page/${page.id}/outcome?${settings}&format=none`)).blocks.kept);
  return others.get(String(settings));
}

function show(kind) {
  const { words, name } = answer;
  const isTool = kind.startsWith("tool:");
  const right = kind === "settings" ? "the other" : kind === "gold" || isTool ? name : "the text";
  const figures = kind === "settings" || isTool ? [] : [["precision", answer.precision], ["recall", answer.recall], ["F1", answer.f1]].filter(([, value]) => value !== null).map(([figure, value]) => `${figure} ${value.toFixed(3)}`);
  facts.textContent = [`${words.common} words in both`, `${words.left} only here`, `${words.right} only in ${right}`, ...figures].join(" · ");
  showDiff(answer, { columns: form.elements.columns.checked, right });
}

/** Show a comparison; null: nothing. */
function showDiff(answer, options) {
  places = answer?.places ?? [];
  fillDiff(root, answer, options);
}

/** Go to the next or previous difference. */
function stepDiff(by) {
  const row = stepIn(root, by);
  if (row) selectAt(Number(row.dataset.start), "script");
}

function selectAt(start, from) {
  const place = places.find(([, end]) => end > start);
  if (place && place[2] < page.texts.length) pick(place[2], { from });
}

function adapt() {
  const kind = form.elements.with.value;
  for (const part of form.querySelectorAll(".choices")) part.hidden = part.dataset.for !== kind;
  adaptTo(form.elements);
}

async function readFile(file) {
  if (file.size > 4 * MOST) { say(`${file.name} is larger than ${(4 * MOST) / 1e6} MB`); return; }
  form.elements.text.value = (await file.text()).slice(0, MOST);
  await compare();
}

for (const name of ["method", "model", "style"]) {
  form.elements[name].append(...[...controls[name].options].map((option) => option.cloneNode(true)));
  form.elements[name].value = controls[name].value;
}
const victor = form.elements.method.querySelector('option[value="victor"]');
if (victor) victor.selected = true;
form.elements.columns.checked = document.querySelector(".side").clientWidth > 520;
adapt();

const soon = settled(() => attempt(compare), 120);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target.name === "file") { if (event.target.files[0]) attempt(() => readFile(event.target.files[0])); return; }
  adapt();
  if (event.target.name === "columns") { if (answer) show(form.elements.with.value); return; }
  soon();
});
on("outcome", () => { places = []; others.clear(); soon(); });
on("tab", ({ name }) => { if (name === "compare") attempt(compare); });
on("gold", () => { form.elements.with.value = "gold"; adapt(); soon(); });
bindKey("d", "next difference", () => stepDiff(1));
bindKey("D", "previous difference", () => stepDiff(-1));
root.addEventListener("click", (event) => {
  const row = event.target.closest(".diff-row");
  if (row) selectAt(Number(row.dataset.start), "diff");
});
