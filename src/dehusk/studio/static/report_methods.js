// The results of methods as a table and as a plot; one of them is chosen, in the address too.
import { ask, at, attempt, bindKey, el, say } from "./base.js";
import { showPlot } from "./report_plot.js";
import { SortedTable } from "./sorted_table.js";

const interval = (row) => (row.low === null ? "–" : `${row.low.toFixed(3)}–${row.high.toFixed(3)}`);
const COLUMNS = [
  { key: "name", name: "Method", about: "the method, its model and its settings", format: "text", cell: (row) => el("span", {}, row.name, row.isTool ? el("span", { class: "quiet" }, " (other tool)") : null) },
  { key: "f1", name: "F1", about: "harmonic mean of a page's precision and recall; 1 is perfect", format: "share" },
  { key: "low", name: "95 %", about: "confidence interval of F1 (bootstrap over sites); differences within it are not significant", format: "number", cell: interval },
  { key: "precision", name: "Precision", about: "share of the kept words that belong to the gold", format: "share" },
  { key: "recall", name: "Recall", about: "share of the words of the gold that were kept", format: "share" },
  { key: "ms", name: "ms", about: "CPU time from the bytes of a page to its text, in milliseconds", format: "ms", ascending: true },
  { key: "pages", name: "Pages", about: "pages with gold that were judged", format: "count", cell: (row) => pagesCell(row) },
  { key: "failures", name: "Failed", about: "pages that could not be cleaned", format: "count" },
  { key: "lost", name: "Lost", about: "pages with gold of which no word was kept, without a failure", format: "count" },
];
let all = 0; // pages with gold
let chosen = new URL(location.href).searchParams.get("setup");
let listener = () => {};
const table = new SortedTable(at("methods"), COLUMNS, { sort: ["f1", true], onPick: choose, idOf: (row) => row.setup });

function pagesCell(row) {
  const words = [row.pages < all ? `${all - row.pages} of the pages with gold are not judged` : "", row.outdated ? `${row.outdated} judgements are out of date: the gold, the rules or dehusk has changed` : ""].filter(Boolean);
  return el("span", { title: words.join("; ") }, row.pages < all ? `${row.pages.toLocaleString("en")}/${all.toLocaleString("en")}` : row.pages.toLocaleString("en"), row.outdated ? " ⟳" : "");
}

/** Show results; `onChoose(row)` is called for the chosen one, also now. */
export function showMethods({ rows, gold }, onChoose) {
  listener = onChoose;
  all = gold.pages;
  const shown = rows.map((row) => ({ ...row, id: row.setup, isTool: row.query === null }));
  at("results").hidden = !shown.length;
  table.show(shown);
  if (!shown.length) { chosen = null; listener(null); return; }
  const row = shown.find((each) => each.setup === chosen) ?? table.rows[0];
  table.mark(row.setup);
  chosen = row.setup;
  plot();
  listener(row);
}

function plot() {
  showPlot(at("plot"), table.rows, { quality: at("quality").value, chosen, onPick: (row) => { table.pick(row); at("plot").querySelector(".point.chosen")?.focus(); } });
}

function choose(row) {
  chosen = row.setup;
  const address = new URL(location.href);
  address.searchParams.set("setup", chosen);
  history.replaceState(null, "", address);
  plot();
  listener(row);
}

/** Remove the results of the chosen method; `show` gets what is left. */
async function remove(show) {
  const row = table.rows.find((each) => each.setup === chosen);
  if (!row) { say("there are no results"); return; }
  show(await ask("/api/report/remove", { method: "POST", body: { setup: row.setup } }));
  say(`the results of ${row.name} are removed; Measure computes them again`);
}

/** Bind the keys and buttons of the table and the plot. */
export function bindMethods(show) {
  at("quality").addEventListener("input", plot);
  at("remove").addEventListener("click", () => attempt(() => remove(show)));
  bindKey("J", "next method", () => table.step(1));
  bindKey("K", "previous method", () => table.step(-1));
  bindKey("s", "sort the methods by the next column", () => say(`methods by ${table.sortByNext()}`));
  bindKey("S", "sort the methods the other way round", () => table.sortBy(table.key));
  bindKey("x", "remove the results of the method", () => remove(show));
  bindKey("y", "plot F1, precision or recall", () => {
    const select = at("quality");
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    plot();
  });
}
