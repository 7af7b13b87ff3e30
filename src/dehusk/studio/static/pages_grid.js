// The list itself: only the rows in view are in the document; rows come from the server as one scrolls.
import { ask, attempt, el } from "./base.js";
import { list, query } from "./pages_query.js";
import { makeRow } from "./pages_rows.js";

const CHUNK = 100;
const MOST_CHUNKS = 60; // that stay in memory
const MOST_PIXELS = 8_000_000; // of scrolling, which browsers are sure to have
const OVER = 6; // rows beyond the view

const view = document.getElementById("rows");
const space = document.getElementById("space");
const listeners = [];

export const grid = { total: 0, cursor: 0, rows: new Map(), ready: false };

let height = 56;
let generation = 0;
let stale = false; // whether the rows are those of another list
let waiting = new Map(); // chunk -> promise of its rows
let drawn = new Map(); // number -> [row, element]

function visible() {
  return Math.max(1, Math.floor(view.clientHeight / height));
}

function scale() {
  const own = grid.total * height;
  return own > MOST_PIXELS ? (own - view.clientHeight) / (MOST_PIXELS - view.clientHeight) : 1;
}

function first() {
  return Math.max(0, Math.min((view.scrollTop * scale()) / height, grid.total - visible()));
}

/** Draw the rows in view; ask for those that are not there yet. */
function draw() {
  if (!view.clientHeight) return; // hidden, such as by what says why there is no list
  const start = Math.max(0, Math.floor(first()) - OVER);
  const end = Math.min(grid.total, Math.ceil(first()) + visible() + OVER);
  for (let chunk = Math.floor(start / CHUNK); chunk * CHUNK < end; chunk += 1) attempt(() => fetchChunk(chunk));
  const before = drawn;
  drawn = new Map();
  for (let number = start; number < end; number += 1) drawn.set(number, drawRow(number, before.get(number)));
  const shown = [...drawn.values()].map(([, element]) => element);
  for (const [number, [, element]] of before) if (drawn.get(number)?.[1] !== element) element.remove();
  shown.forEach((element, index) => { if (space.children[index] !== element) space.insertBefore(element, space.children[index] ?? null); });
  view.parentElement.setAttribute("aria-activedescendant", `row-${grid.cursor}`);
}

function drawRow(number, before) {
  const row = grid.rows.get(number);
  const element = before && before[0] === row ? before[1] : makeRow(row, number);
  const top = scale() === 1 ? number * height : view.scrollTop + (number - first()) * height;
  element.style.top = `${top}px`;
  const isCurrent = number === grid.cursor;
  if (isCurrent) element.setAttribute("aria-selected", "true");
  else element.removeAttribute("aria-selected");
  element.querySelector("a")?.setAttribute("tabindex", isCurrent ? "0" : "-1"); // a region that scrolls has one to tab to
  return [row, element];
}

let drawing = 0;
function drawSoon() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
}

function fetchChunk(chunk) {
  if (!waiting.has(chunk)) {
    const loaded = loadChunk(chunk, generation);
    waiting.set(chunk, loaded);
    loaded.catch(() => waiting.delete(chunk));
    if (waiting.size > MOST_CHUNKS) forget(waiting.keys().next().value);
  }
  return waiting.get(chunk);
}

function forget(chunk) {
  waiting.delete(chunk);
  for (let number = chunk * CHUNK; number < (chunk + 1) * CHUNK; number += 1) grid.rows.delete(number);
}

async function loadChunk(chunk, own) {
  const asked = query();
  asked.set("start", chunk * CHUNK);
  asked.set("count", CHUNK);
  const answer = await ask(`/api/pages?${asked}`);
  if (own !== generation) return;
  if (stale) grid.rows.clear();
  stale = false;
  answer.rows.forEach((row, index) => grid.rows.set(chunk * CHUNK + index, row));
  setTotal(answer.count, answer.all);
  drawSoon();
  tell();
}

function setTotal(count, all) {
  grid.total = count;
  grid.all = all;
  grid.ready = true;
  grid.cursor = Math.max(0, Math.min(grid.cursor, count - 1));
  space.style.height = `${Math.min(count * height, MOST_PIXELS)}px`;
  view.parentElement.setAttribute("aria-rowcount", count + 1);
}

/** Ask for the rows again: another filter or order starts at the top, new pages leave all where it is. */
export async function reload({ keep = false } = {}) {
  generation += 1;
  waiting = new Map();
  if (!keep) {
    grid.cursor = 0;
    view.scrollTop = 0;
  }
  stale = !keep;
  await fetchChunk(Math.floor((keep ? first() : 0) / CHUNK));
}

/** Make a row the current one, and show it. */
export function moveTo(number, { centre = false } = {}) {
  if (!grid.ready) return;
  grid.cursor = Math.max(0, Math.min(number, grid.total - 1));
  const top = Math.floor(view.clientHeight / 2 - height / 2);
  const above = grid.cursor < Math.ceil(first()), below = grid.cursor >= Math.floor(first() + view.clientHeight / height);
  if (centre && (above || below)) view.scrollTop = (grid.cursor * height - top) / scale();
  else if (above) view.scrollTop = (grid.cursor * height) / scale();
  else if (below) view.scrollTop = ((grid.cursor + 1) * height - view.clientHeight) / scale();
  drawSoon();
  tell();
}

/** Return the row of the cursor; undefined if there is none, or it is still on its way. */
export function current() {
  return grid.rows.get(grid.cursor);
}

/** Return the row of the cursor once it is there, for what a key does to it; undefined if there is none. */
export async function arrived() {
  const number = grid.cursor;
  if (number < grid.total && !grid.rows.has(number)) await fetchChunk(Math.floor(number / CHUNK));
  return grid.rows.get(number);
}

/** Return how many rows are in view. */
export function pageful() {
  return visible();
}

/** Change what is known of a page's row, without asking again. */
export function patch(id, changes) {
  for (const [number, row] of grid.rows) if (row.id === id) grid.rows.set(number, { ...row, ...changes });
  drawSoon();
  tell();
}

/** Return and set how far the list is scrolled. */
export function scrolled(top) {
  if (top !== undefined) view.scrollTop = top;
  return view.scrollTop;
}

/** Be told when rows came or the cursor moved. */
export function onGrid(action) {
  listeners.push(action);
}

function tell() {
  for (const action of listeners) action(list);
}

function measure() {
  const probe = makeRow(undefined, 0);
  space.append(probe);
  height = probe.getBoundingClientRect().height || height;
  probe.remove();
}

measure();
view.addEventListener("scroll", drawSoon, { passive: true });
new ResizeObserver(drawSoon).observe(view);
