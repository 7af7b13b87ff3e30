// The pages of the chosen method, the worst first, and what differs from the gold on one of them.
import { addressOf, ask, at, attempt, bindKey, el, say } from "./base.js";
import { fillDiff, stepIn } from "./diff_rows.js";
import { SortedTable } from "./sorted_table.js";

const MORE = 200;
const COLUMNS = [
  { key: "name", name: "Page", format: "text", about: "title of the page", cell: (row) => el("span", {}, row.name, row.failure ? el("b", { class: "error", title: row.failure }, " ✗ failed") : null) },
  { key: "f1", name: "F1", format: "share", about: "harmonic mean of precision and recall", ascending: true },
  { key: "precision", name: "Precision", format: "share", about: "share of the kept words that belong to the gold", ascending: true },
  { key: "recall", name: "Recall", format: "share", about: "share of the words of the gold that were kept", ascending: true },
  { key: "missing", name: "Missing", format: "count", about: "words of the gold that were not kept" },
  { key: "extra", name: "Too much", format: "count", about: "kept words that are not in the gold" },
  { key: "lead", name: "Best", format: "number", about: "how much higher F1 of the best other method is", cell: (row) => best(row) },
  { key: "ms", name: "ms", format: "ms", about: "CPU time in milliseconds" },
];
let method = null;
let most = MORE;
let current = null; // the page whose diff is shown
let isPicked = false; // by a person: it stays when the method changes
let answer = null;
let latest; // the request for a diff
const table = new SortedTable(at("pages"), COLUMNS, { sort: ["f1", false], onSort: () => attempt(load), onPick: (row) => { isPicked = true; attempt(() => open(row)); }, idOf: (row) => row.page });

function best(row) {
  if (!row.best) return "–";
  const sign = row.lead > 0 ? "+" : row.lead < 0 ? "−" : "±";
  return el("span", { class: row.lead > 0.0005 ? "worse" : "quiet", title: `${row.best.name}: F1 ${row.best.f1.toFixed(3)}` }, `${sign}${Math.abs(row.lead).toFixed(3)}`);
}

/** The method whose pages are shown; null: none. */
export const chosenMethod = () => method;

/** Show the pages of a method; null: none. */
export async function showPages(row) {
  at("failures").hidden = !row?.pages;
  if (!row?.pages) { method = null; return; }
  if (row.setup !== method?.setup) most = MORE;
  method = row;
  await load();
}

async function load() {
  const asked = method;
  const query = new URLSearchParams({ setup: asked.setup, sort: table.key, descending: table.descending ? "yes" : "no", most });
  const { total, pages } = await ask(`/api/report/pages?${query}`);
  if (asked !== method) return;
  table.show(pages);
  const more = total > pages.length ? [" ", el("button", { type: "button", onclick: () => { most *= 4; attempt(load); } }, "Show more")] : [];
  at("pages-title").textContent = table.key === "f1" && !table.descending ? `Worst pages of ${method.name}` : `Pages of ${method.name}`;
  at("pages-about").replaceChildren(total > pages.length ? `the first ${pages.length} of ${total.toLocaleString("en")} pages, ` : `${total.toLocaleString("en")} page${total === 1 ? "" : "s"}, `, `sorted by ${COLUMNS.find(({ key }) => key === table.key).name}`, ...more);
  const again = (isPicked && pages.find((page) => page.page === current?.page)) || pages[0];
  if (again) { table.mark(again.page); await open(again); }
}

async function open(row) {
  current = row;
  at("diff-title").textContent = row.name;
  at("diff-title").title = row.name;
  at("open-page").setAttribute("href", addressOf(`/page/${row.page}${pageQuery()}`));
  latest?.abort();
  latest = new AbortController();
  delete at("diff").dataset.page; // until it is the diff of this page and method
  try {
    answer = await ask(`/api/report/compare/${row.page}`, { method: "POST", body: { setup: method.setup }, signal: latest.signal });
  } catch (error) {
    if (error.name === "AbortError") return;
    answer = null;
    fillDiff(at("diff"), null);
    at("diff-facts").textContent = error.message;
    return;
  }
  showAnswer();
}

function showAnswer() {
  const { words, name, precision, recall, f1 } = answer;
  const figures = [["F1", f1], ["precision", precision], ["recall", recall]].filter(([, value]) => value !== null).map(([figure, value]) => `${figure} ${value.toFixed(3)}`);
  at("diff-facts").replaceChildren(
    current.failure ? el("b", { class: "error" }, `${current.failure} · `) : "", [...figures, `${words.common} words right`].join(" · "), " · ",
    el("del", {}, `${words.left} too much`), " · ", el("ins", {}, `${words.right} missing`), ` · ${name}`);
  fillDiff(at("diff"), answer, { columns: at("diff-columns").checked, left: method.name, right: name });
  at("diff").scrollTop = 0;
  at("diff").dataset.page = current.page;
}

/** The settings of the method, as the view of a page reads them. */
function pageQuery() {
  if (!method.query) return "";
  return `?${new URLSearchParams({ "with-rules": "yes", ...Object.fromEntries(Object.entries(method.query).map(([key, value]) => [`with-${key}`, value])) })}`;
}

at("diff-next").addEventListener("click", () => stepIn(at("diff"), 1));
at("diff-previous").addEventListener("click", () => stepIn(at("diff"), -1));
at("diff-columns").addEventListener("input", () => { if (answer) showAnswer(); });
at("diff-columns").checked = document.body.clientWidth > 1300;

bindKey("j", "next page", () => table.step(1));
bindKey("k", "previous page", () => table.step(-1));
bindKey("ArrowDown", "next page", () => table.step(1));
bindKey("ArrowUp", "previous page", () => table.step(-1));
bindKey("Enter", "open the page", () => { if (current && method) location.assign(at("open-page").href); else say("no page is chosen"); });
bindKey("w", "sort the pages by the next column", () => (method ? say(`pages by ${table.sortByNext()}`) : undefined));
bindKey("W", "sort the pages the other way round", () => (method ? table.sortBy(table.key) : undefined));
bindKey("d", "next difference", () => stepIn(at("diff"), 1));
bindKey("D", "previous difference", () => stepIn(at("diff"), -1));
bindKey("c", "one or two columns", () => { at("diff-columns").checked = !at("diff-columns").checked; if (answer) showAnswer(); });
