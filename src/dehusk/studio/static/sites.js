// The list of sites: searched, sorted and counted by the server.
import { ask, attempt, bindKey, counted, el, settled } from "./base.js";

const body = document.querySelector("#sites tbody");
const search = document.getElementById("sites-search");
const more = document.getElementById("sites-more");
const count = document.getElementById("sites-count");
const shown = { sort: "pages", descending: true, rows: 0, request: 0 };

async function load(start = 0) {
  const request = ++shown.request;
  const query = new URLSearchParams({ search: search.value, sort: shown.sort, descending: shown.descending ? "yes" : "no", start });
  const answer = await ask(`/api/sites?${query}`);
  if (request !== shown.request) return; // a later one is under way
  const rows = answer.sites.map((site) => row(site, answer.enough));
  start ? body.append(...rows) : body.replaceChildren(...rows);
  shown.rows = start + rows.length;
  more.hidden = shown.rows >= answer.count;
  count.textContent = `${counted(answer.count, "site")}`;
  if (!answer.count) body.append(el("tr", {}, el("td", { colspan: 5, class: "quiet" }, search.value ? "No host contains this." : "The project has no pages yet.")));
  for (const head of document.querySelectorAll("[data-sort]")) {
    const isSorted = head.dataset.sort === shown.sort;
    head.setAttribute("aria-sort", isSorted ? (shown.descending ? "descending" : "ascending") : "none");
  }
}

function row(site, enough) {
  const link = el("a", { href: `/site/${encodeURIComponent(site.key)}` }, site.host || "(pages without an address)");
  const meter = el("span", { class: "meter", "aria-hidden": "true" });
  meter.style.setProperty("--v", site.confidence);
  return el("tr", {}, el("td", { class: "host" }, link),
    el("td", { class: "number" }, site.pages.toLocaleString("en")),
    el("td", { class: "number" }, site.labelled ? site.labelled.toLocaleString("en") : "–"),
    el("td", { class: "number" }, site.confidence.toFixed(2), meter),
    el("td", {}, modelOf(site, enough)));
}

function modelOf(site, enough) {
  if (site.learned) return el("span", { class: "badge yes" }, `✓ learned from ${site.learned} pages`);
  return el("span", { class: "quiet" }, site.pages < enough ? `needs ${enough} pages` : "not learned");
}

function step(by) {
  const links = [...body.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
}

for (const head of document.querySelectorAll("[data-sort]")) {
  head.querySelector("button").addEventListener("click", () => {
    shown.descending = shown.sort === head.dataset.sort ? !shown.descending : head.dataset.sort !== "host";
    shown.sort = head.dataset.sort;
    attempt(() => load());
  });
}
search.addEventListener("input", settled(() => attempt(() => load()), 150));
more.addEventListener("click", () => attempt(() => load(shown.rows)));
document.addEventListener("pages-added", () => attempt(() => load()));
bindKey("/", "search for a host", () => search.focus());
bindKey("j", "next site", () => step(1));
bindKey("k", "previous site", () => step(-1));
attempt(() => load());
