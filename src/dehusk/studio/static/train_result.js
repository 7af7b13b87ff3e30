// Before and after: a sentence that says which is better, and the figures by set, site and page.
import { el } from "./base.js";

const NAMES = { before: "now", after: "new model", shipped: "as shipped", taught: "taught site" };
const section = document.getElementById("result");
let by = "page";
let shown = null;

/** Show the result of a training that waits for a decision, or nothing. */
export function showResult(result, current) {
  section.hidden = !result;
  if (!result || shown?.at === result.at) { shown = result; return; }
  shown = result;
  const { all } = result.figures;
  const change = all.after.f1 - all.before.f1;
  const words = Math.abs(change) < 0.0005 ? "as good as" : change > 0 ? "better than" : "worse than";
  document.getElementById("verdict").replaceChildren(
    `${result.method}, trained on ${result.pages - result.aside} pages in ${result.seconds} s, is `,
    el("span", { class: change > 0 ? "better" : change < 0 ? "worse" : "" }, words),
    ` what the studio cleans by now (${current}): F1 of words ${figure(all.after.f1)} against ${figure(all.before.f1)}, on ${result.figures.page.length} pages of ${result.aside_sites} site${result.aside_sites === 1 ? "" : "s"} that it was not trained on.`,
  );
  const isBetter = change > 0.0005; // what is not better is never the main button
  document.getElementById("accept").classList.toggle("primary", isBetter);
  document.getElementById("discard").classList.toggle("primary", !isBetter);
  if (all.taught && all.taught.f1 > Math.max(all.after.f1, all.before.f1) + 0.0005) {
    document.getElementById("verdict").append(` The labels do more for the other pages of their own sites: F1 ${figure(all.taught.f1)} with “site” switched on beside the outcome of a page, or by dehusk site learn --gold.`);
  }
  document.getElementById("result-notes").replaceChildren(...result.notes.map((note) => el("li", {}, note)));
  showFigures();
}

function showFigures() {
  for (const button of section.querySelectorAll("[data-by]")) button.setAttribute("aria-pressed", String(button.dataset.by === by));
  const { sides } = shown.figures;
  const head = [by === "page" ? "Page" : by === "site" ? "Site" : "Set", ...(by === "page" ? [] : ["Pages"]), ...sides.map((side) => `F1 ${NAMES[side]}`), "Change", "Precision", "Recall"];
  document.querySelector("#figures thead").replaceChildren(el("tr", {}, ...head.map((text, index) => el("th", { scope: "col", class: index ? "number" : "" }, text))));
  const rows = [...shown.figures[by]].sort((a, b) => a.after.f1 - a.before.f1 - (b.after.f1 - b.before.f1));
  const total = { name: `all ${shown.figures.page.length} pages`, pages: shown.figures.page.length, ...shown.figures.all };
  document.querySelector("#figures tbody").replaceChildren(...rows.map((row) => figureRow(row, sides)), figureRow(total, sides, "total"));
}

function figureRow(row, sides, kind = "") {
  const change = row.after.f1 - row.before.f1;
  const name = row.page ? el("a", { href: `/page/${row.page}` }, row.name) : row.name;
  const arrow = (what) => `${figure(row.before[what])} → ${figure(row.after[what])}`;
  return el("tr", { class: kind },
    el("td", { title: row.name }, name),
    by === "page" ? null : el("td", { class: "number" }, row.pages),
    ...sides.map((side) => el("td", { class: "number" }, figure(row[side].f1))),
    el("td", { class: `number ${change > 0.0005 ? "better" : change < -0.0005 ? "worse" : "quiet"}` }, `${change > 0.0005 ? "▲ +" : change < -0.0005 ? "▼ −" : ""}${figure(Math.abs(change))}`),
    el("td", { class: "number quiet" }, arrow("precision")),
    el("td", { class: "number quiet" }, arrow("recall")));
}

const figure = (share) => share.toFixed(3);

section.addEventListener("click", (event) => {
  const button = event.target.closest("[data-by]");
  if (!button || !shown) return;
  by = button.dataset.by;
  showFigures();
});
