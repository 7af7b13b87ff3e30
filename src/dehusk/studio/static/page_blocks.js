// All blocks in the order of the page, also those that the page hides or shows nowhere; only rows in view exist.
import { el, settled } from "./base.js";
import { isOnPage } from "./page_frame.js";
import { hover, on, page, pick, point, VERDICTS, verdictOf } from "./page_state.js";
import { tabNow } from "./page_tabs.js";

const HEIGHT = 28; // of a row, as in page.css
const list = document.getElementById("block-list");
const spacer = list.firstElementChild;
const filter = document.getElementById("block-filter");
let shown = []; // blocks that the filter lets through
let rows = new Map(); // block -> its element, while it is in view

const TESTS = {
  all: () => true,
  keep: (block) => verdictOf(block).startsWith("keep"),
  drop: (block) => verdictOf(block).startsWith("drop"),
  unsure: (block) => verdictOf(block).endsWith("unsure"),
  nowhere: (block) => !isOnPage(block),
  hidden: (block) => block in page.outcome.hidden,
  missing: (block) => page.marks.get("gold")?.(block) === "missing",
  extra: (block) => page.marks.get("gold")?.(block) === "extra",
};

function update() {
  if (tabNow() !== "blocks" || !page.outcome || !page.texts.length) return;
  const words = filter.elements.words.value.trim().toLowerCase();
  const test = TESTS[filter.elements.which.value];
  shown = page.texts.map((_, block) => block).filter((block) => (!words || page.texts[block].toLowerCase().includes(words)) && test(block));
  spacer.style.height = `${shown.length * HEIGHT}px`;
  document.getElementById("block-count").textContent = `${shown.length} of ${page.texts.length}`;
  for (const row of rows.values()) row.remove();
  rows = new Map();
  draw();
}

function draw() {
  const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 10);
  const last = Math.min(shown.length, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + 10);
  const wanted = new Set(shown.slice(first, last));
  for (const [block, row] of rows) if (!wanted.has(block)) { row.remove(); rows.delete(block); }
  for (let index = first; index < last; index += 1) {
    if (rows.has(shown[index])) continue;
    const row = makeRow(shown[index], index);
    rows.set(shown[index], row);
    spacer.append(row);
  }
}

function makeRow(block, index) {
  const verdict = verdictOf(block);
  const { label, probability } = page.outcome.blocks;
  const why = page.outcome.hidden[block];
  const row = el("div", { class: "block-row", role: "option", id: `row-${block}`, "data-b": block, "aria-selected": String(page.selected.has(block)), "aria-setsize": shown.length, "aria-posinset": index + 1 },
    el("span", { class: "number quiet" }, block),
    el("span", { class: "verdict", "data-m": verdict }, VERDICTS[verdict]),
    el("span", { class: "number" }, probability[block].toFixed(2)),
    el("span", { class: "kind" }, label[block]),
    why ? el("span", { class: "flag", title: `readers do not see it: ${why}` }, "hidden") : null,
    !why && !isOnPage(block) ? el("span", { class: "flag", title: "the page shows no place for it" }, "no place") : null,
    el("span", { class: "excerpt", dir: "auto" }, page.texts[block].slice(0, 300)));
  row.style.top = `${index * HEIGHT}px`;
  row.classList.toggle("hovered", page.hovered === block);
  for (const [name, valueOf] of page.marks) if (valueOf(block)) row.setAttribute(`data-${name}`, valueOf(block));
  return row;
}

function reveal(block) {
  const index = shown.indexOf(block);
  if (index < 0) return;
  const top = index * HEIGHT;
  if (top < list.scrollTop || top + HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
  list.setAttribute("aria-activedescendant", `row-${block}`);
}

const blockAt = (event) => Number(event.target.closest?.("[data-b]")?.dataset.b ?? -1);
list.addEventListener("scroll", draw, { passive: true });
list.addEventListener("mouseover", (event) => point(event, blockAt(event), "blocks"));
list.addEventListener("mouseleave", () => hover(-1, "blocks"));
list.addEventListener("mousedown", (event) => {
  const block = blockAt(event);
  if (block < 0 || event.button) return;
  if (event.shiftKey) event.preventDefault();
  pick(block, { add: event.ctrlKey || event.metaKey, extend: event.shiftKey, from: "blocks" });
});
filter.addEventListener("submit", (event) => event.preventDefault());
filter.addEventListener("input", settled(update, 60));
new ResizeObserver(draw).observe(list);

on("outcome", update);
on("mark", update);
on("tab", () => { update(); if (page.cursor >= 0) reveal(page.cursor); });
on("select", ({ selected, cursor, from }) => {
  for (const [block, row] of rows) row.setAttribute("aria-selected", String(selected.has(block)));
  if (from !== "blocks" && cursor >= 0) reveal(cursor);
});
on("hover", ({ block }) => { for (const [own, row] of rows) row.classList.toggle("hovered", own === block); });
