// What the modules of the page view share, and the hooks for views that are built on it, such as labelling.
//
// State (read it, change it only by the functions below):
//   page.id, page.row          number of the page, and its row of the table
//   page.texts, page.words     of the common blocks, in document order; a block is its index
//   page.kinds                 names of all labels
//   page.outcome               the latest answer of /api/page/<id>/outcome: blocks.kept, .label, .probability, hidden, text
//                              (null while the tab shows none)
//   page.settings              parameters of that answer, as URLSearchParams
//   page.selected              Set of blocks;  page.cursor: the block that keys act on, -1 for none;  page.hovered
// Events, by `on(name, listener)`; a listener is called with the detail:
//   "ready"     {}                texts are known, and the frame is marked for the first time
//   "outcome"   {outcome}         a new outcome, also after a setting changed
//   "select"    {selected, cursor, from}   from: "frame", "outcome", "blocks", "keys" or "script"
//   "hover"     {block, from}     -1: none
//   "tab"       {name}            the tab beside the page
//   "gold"      {source}          the page has gold; page.marks.get("gold")(block) is "missing", "extra" or ""
//   "mark"      {name, valueOf}
// Hooks:
//   setMark(name, valueOf)     a further mark: valueOf(block) gives "" or a short name; it becomes the attribute
//                              `data-<name>` of the block's elements in the frame, of its row in the list and of its
//                              places in the outcome. Call it again when values change. page_frame.addStyle(css)
//                              styles it in the frame (write selectors with MARK instead of dh-b), page.css elsewhere.
//   #page-tools                toolbar at the top right: append buttons
//   #page-legend               legend below the frame: append `el("span", {class: "key …"}, …)`
//   page_tabs.addTab(name, label)  a further tab beside the page; returns its panel
//   page_gold.openGold()       look for the gold again, after labels of the page changed
//   holdLeaving(until)         `leave(address)`, which turns pages, waits for what `until()` returns
//   page_settings.applySettings()  ask for the outcome again, after rules changed
// Keys that the view binds: j k J K ArrowUp ArrowDown (shift+ extends) Home End Enter Escape [ ] , . s S w W y Y H P g d D 1-6; all
// others, such as the letters of labels, are free.

import { addressOf, say } from "./base.js";

const events = new EventTarget();

export const page = {
  id: Number(document.getElementById("page").dataset.page),
  row: null, texts: [], words: [], kinds: [],
  outcome: null, settings: new URLSearchParams(),
  selected: new Set(), cursor: -1, hovered: -1,
  marks: new Map(),
};
let anchor = -1;

export function on(name, listener) {
  events.addEventListener(name, (event) => listener(event.detail));
}

export function emit(name, detail = {}) {
  events.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Select blocks and put the cursor on one of them. */
export function select(blocks, { cursor, from = "script" } = {}) {
  page.selected = new Set(blocks);
  page.cursor = cursor ?? (page.selected.size ? Math.max(...page.selected) : -1);
  if (from !== "drag" && page.selected.size === 1) anchor = page.cursor;
  if (from === "keys") hover(-1, from); // what the keys are at is shown, not what the pointer rests on
  emit("select", { selected: page.selected, cursor: page.cursor, from });
}

/** Select as a click does: alone, with ctrl added or removed, with shift everything from the last one. */
export function pick(block, { add = false, extend = false, from = "script" } = {}) {
  if (extend && anchor >= 0) return select(between(anchor, block), { cursor: block, from });
  if (!add) { anchor = block; return select([block], { cursor: block, from }); }
  anchor = block;
  const selected = new Set(page.selected);
  if (!selected.delete(block)) selected.add(block);
  return select(selected, { cursor: block, from });
}

/** Move the cursor by some blocks. */
export function move(by, extend = false) {
  if (!page.texts.length) return;
  const first = Math.max(page.outcome?.blocks.kept.findIndex(Boolean) ?? 0, 0); // where the page opened
  const start = page.cursor < 0 ? first - (by > 0 ? by : 0) : page.cursor;
  pick(Math.min(Math.max(start + by, 0), page.texts.length - 1), { extend, from: "keys" });
}

export function clearSelection() {
  anchor = -1;
  select([]);
}

let pointer = "";

/** Hover where the pointer is, if it moved: a page that is scrolled by keys under a resting pointer is not pointed at. */
export function point(event, block, from) {
  const place = `${event.screenX} ${event.screenY}`;
  if (place === pointer) return;
  pointer = place;
  hover(block, from);
}

export function hover(block, from) {
  if (block === page.hovered) return;
  page.hovered = block;
  emit("hover", { block, from });
}

/** Set a further mark of blocks; see the head of this module. */
export function setMark(name, valueOf) {
  page.marks.set(name, valueOf);
  emit("mark", { name, valueOf });
}

/** How a block is marked: kept or dropped, and whether that is unsure. */
export function verdictOf(block) {
  const { kept, probability } = page.outcome.blocks;
  const unsure = probability[block] > UNSURE[0] && probability[block] < UNSURE[1];
  return `${kept[block] ? "keep" : "drop"}${unsure ? "-unsure" : ""}`;
}

export const UNSURE = [0.25, 0.75];
export const VERDICTS = { "keep": "kept", "keep-unsure": "kept, unsure", "drop-unsure": "dropped, unsure", "drop": "dropped" };

const holds = [];

/** Let `leave` wait for what a function returns, such as for labels on their way. */
export function holdLeaving(until) {
  holds.push(until);
}

/** Go to another address, once nothing of this page is under way; what somebody does here meanwhile lets the page stay. */
export async function leave(address) {
  const slow = setTimeout(() => say("this page stays open until its labels are saved"), 1000);
  const goesOn = new AbortController();
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, () => goesOn.abort(), { capture: true, signal: goesOn.signal });
  await Promise.all(holds.map((until) => until()));
  clearTimeout(slow);
  if (goesOn.signal.aborted) return;
  goesOn.abort();
  location.assign(addressOf(address));
}

function between(a, b) {
  const [first, last] = a < b ? [a, b] : [b, a];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
