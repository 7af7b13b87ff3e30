// The list of pages: filter, search, sort, go from page to page.
import { ask, attempt, bindKey, counted, el, say, settled, SILENT } from "./base.js";
import { openAdding } from "./pages_add.js";
import { countAgain } from "./pages_filters.js";
import { arrived, current, grid, moveTo, onGrid, pageful, reload, scrolled } from "./pages_grid.js";
import { clearFilters, isFiltered, list, onChange, pageAddress, query, sortBy, toggleValue } from "./pages_query.js";
import "./pages_export.js";
import "./pages_tools.js";
import { openRemark } from "./pages_remarks.js";
import { COLUMNS, nameOf } from "./pages_rows.js";

const rows = document.getElementById("rows");
const empty = document.getElementById("empty");
const head = document.querySelector("#grid .head");
const line = document.getElementById("progress");
const losses = document.getElementById("losses");
let isFirst = true; // whether this is the first load
let lastJump = 0; // the page that `n` led to

function showHead() {
  head.replaceChildren(...COLUMNS.map(([name, label, meaning]) => {
    const isSorted = list.sort === name;
    const arrow = isSorted ? (list.descending ? " ↓" : " ↑") : "";
    const button = el("button", { type: "button", dataset: { sort: name }, title: `Sort by ${meaning}` }, label, el("span", { "aria-hidden": "true" }, arrow));
    return el("div", { role: "columnheader", class: `cell ${name}`, "aria-sort": isSorted ? (list.descending ? "descending" : "ascending") : "none" }, button);
  }));
}

function showCount() {
  const format = (number) => number.toLocaleString("en");
  document.getElementById("count").textContent = `${grid.total === grid.all ? "" : `${format(grid.total)} of `}${counted(grid.all, "page")}`;
}

function showEmpty() {
  empty.hidden = !grid.ready || grid.total > 0;
  document.getElementById("grid").hidden = !empty.hidden;
  if (empty.hidden) return;
  const nothing = isFiltered() && grid.all
    ? [el("h2", {}, "No page passes these filters"), el("p", {}, "Remove a filter above, or show all pages again."), el("button", { type: "button", class: "primary", onclick: clearFilters }, "Show all pages")]
    : [el("h2", {}, "No pages yet"), el("p", {}, "Drop pages here, or files of many: HTML, WARC, Parquet, JSON Lines, zip, tar."),
      el("button", { type: "button", class: "primary", onclick: openAdding }, "Add an address, files, or pasted HTML …"),
      el("p", { class: "quiet" }, "Crawls and large folders are better named at the start: dehusk studio PAGES. Pages stay in the project.")];
  empty.replaceChildren(...nothing);
}

function showFailure(error) {
  empty.hidden = false;
  document.getElementById("grid").hidden = true;
  document.getElementById("details").hidden = true;
  const isGone = error.message === SILENT;
  empty.replaceChildren(
    el("h2", {}, isGone ? "The studio does not answer" : "The list cannot be shown"),
    el("p", {}, isGone ? "Was it ended? Start it again with the same project, and open the address that it prints. Nothing is lost." : error.message),
    el("button", { type: "button", class: "primary", onclick: () => load() }, "Try again"),
  );
}

function showDetails() {
  const row = current(), details = document.getElementById("details");
  details.hidden = !row || !grid.total;
  if (!row) return;
  details.replaceChildren(
    el("div", { class: "line" }, el("strong", {}, nameOf(row)), el("span", { class: "quiet number" }, `${(grid.cursor + 1).toLocaleString("en")} / ${grid.total.toLocaleString("en")}`)),
    el("div", { class: "quiet where" }, [row.url, row.name].filter(Boolean).join(" · ")),
    row.message ? el("p", { class: "error" }, `${row.status}: ${row.message}`) : "",
    row.agreement === null ? "" : el("div", { class: "quiet" }, `agreement with the other tool ${row.agreement.toFixed(2)}`),
    el("p", {}, row.preview || "Nothing of this page is kept."),
    row.flag || row.comment ? el("p", { class: "remark" }, [row.flag && `⚑ ${row.flag}`, row.comment].filter(Boolean).join(" · ")) : "",
  );
}

function remember() {
  const place = { cursor: grid.cursor, top: scrolled() };
  history.replaceState(place, "", location.href);
  sessionStorage.setItem("list", JSON.stringify({ search: location.search, ...place }));
}

/** Return where this list was left: of this entry of the history, or of the latest view of the same list. */
function remembered() {
  if (history.state) return history.state;
  const last = isFirst ? JSON.parse(sessionStorage.getItem("list") ?? "null") : null;
  return last?.search === location.search ? last : null;
}

/** Show the list anew: a new one from its top, one that was shown before from where it was. */
async function load({ keep = false } = {}) {
  const place = keep ? null : remembered();
  isFirst = false;
  try {
    await reload({ keep });
  } catch (error) {
    showFailure(error);
    return;
  }
  if (!place?.cursor) return;
  scrolled(place.top);
  moveTo(place.cursor, { centre: true });
}

async function open(where = "_self") {
  const row = await arrived();
  if (!row) return;
  remember();
  window.open(pageAddress(row.id), where);
}

async function jump(kind) {
  const row = await arrived();
  const asked = query();
  if (kind === "site" && row) asked.set("page", row.id);
  if (kind === "confidence" && row && row.id === lastJump) asked.set("page", row.id);
  const { page, position } = await ask(`/api/next/${kind}?${asked}`);
  if (page === null) return say(kind === "site" ? "no other page of this site is in the list" : "each page of the list has labels or a flag");
  if (kind === "confidence") lastJump = page;
  return moveTo(position - 1, { centre: true });
}

function clicked(event) {
  const row = event.target.closest(".row");
  if (!row) return;
  moveTo(Number(row.dataset.number));
  const button = event.target.closest("button"), link = event.target.closest("a");
  if (button?.dataset.filter) toggleValue(button.dataset.filter, button.dataset.value);
  else if (button?.dataset.action === "remark") openRemark(current());
  else if (link) remember();
}

function bindKeys() {
  const move = (by) => () => moveTo(grid.cursor + by());
  for (const key of ["j", "ArrowDown"]) bindKey(key, "next row", move(() => 1));
  for (const key of ["k", "ArrowUp"]) bindKey(key, "previous row", move(() => -1));
  bindKey("PageDown", "a screen down", move(() => pageful() - 1));
  bindKey("PageUp", "a screen up", move(() => 1 - pageful()));
  for (const key of ["g", "Home"]) bindKey(key, "first row", () => moveTo(0));
  for (const key of ["G", "End"]) bindKey(key, "last row", () => moveTo(grid.total - 1));
  bindKey("Enter", "open the page", () => open());
  bindKey("o", "open the page in a new tab", () => open("_blank"));
  bindKey("n", "next least confident page without labels", () => jump("confidence"));
  bindKey("s", "next page of the same site", () => jump("site"));
  bindKey("S", "only pages of this site, or of all again", async () => {
    const row = await arrived();
    if (row) toggleValue("host", row.host);
  });
  bindKey("Q", "queue of the least sure units of these pages", () => location.assign(`/queue${location.search}`));
  bindKey("t", "choose a column to sort by (arrows, Enter)", () => (head.querySelector("[aria-sort]:not([aria-sort=none]) button") ?? head.querySelector("button")).focus());
  bindKey("h", "show or hide the filters", toggleFilters);
}

function toggleFilters() {
  const pages = document.getElementById("pages");
  const isShown = getComputedStyle(document.getElementById("filters")).display !== "none";
  pages.dataset.filters = isShown ? "hidden" : "open";
  document.getElementById("show-filters").setAttribute("aria-expanded", String(!isShown));
}

function headKeys(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const buttons = [...head.querySelectorAll("button")].filter((button) => button.offsetParent);
  buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

/** How far adding pages is, and what could not be read. */
async function showProgress() {
  const [progress, lost] = await Promise.all([ask("/api/adding"), ask("/api/losses")]);
  const isBusy = Boolean(progress) && !progress.done;
  line.hidden = !isBusy;
  if (isBusy) showBar(progress);
  showLosses([...(progress?.messages ?? []), ...lost.losses], lost.count + (progress?.messages.length ?? 0));
}

function showBar({ pages, inputs, of_inputs, current }) {
  const bar = line.querySelector("progress");
  bar.max = of_inputs;
  if (of_inputs > 1) bar.value = inputs;
  else bar.removeAttribute("value"); // how many pages an input has is not known
  const which = of_inputs > 1 ? ` (${inputs + 1} of ${of_inputs})` : "";
  line.querySelector(".what").textContent = `${pages.toLocaleString("en")} pages added, reading ${current}${which}`;
}

function showLosses(messages, count) {
  losses.hidden = !count;
  losses.querySelector("summary").textContent = `${counted(count, "part")} of the input could not be read`;
  const more = count > messages.length ? [el("li", { class: "quiet" }, `and ${(count - messages.length).toLocaleString("en")} more`)] : [];
  losses.querySelector("ul").replaceChildren(...messages.map((message) => el("li", {}, message)), ...more);
}

head.addEventListener("keydown", headKeys);
head.addEventListener("click", (event) => {
  const name = event.target.closest("button")?.dataset.sort;
  if (!name) return;
  sortBy(name);
  head.querySelector(`[data-sort="${name}"]`).focus();
});
rows.addEventListener("click", clicked);
rows.addEventListener("dblclick", (event) => { if (!event.target.closest("button, a")) attempt(open); });
document.getElementById("show-filters").addEventListener("click", toggleFilters);
document.getElementById("next-confidence").addEventListener("click", () => attempt(() => jump("confidence")));
document.getElementById("next-site").addEventListener("click", () => attempt(() => jump("site")));
document.addEventListener("pages-added", () => { load({ keep: true }); attempt(countAgain); attempt(showProgress); });
addEventListener("pagehide", remember);
onChange(() => { lastJump = 0; showHead(); load(); });
onGrid(() => { if (!grid.ready) return; showCount(); showEmpty(); showDetails(); });
onGrid(settled(remember, 150));
showHead();
bindKeys();
load();
attempt(countAgain);
attempt(showProgress);
if (!document.activeElement || document.activeElement === document.body) document.getElementById("grid").focus({ preventScroll: true });
