// What keys and buttons do to labels.
import { ask, say } from "./base.js";
import { clearSelection, emit, on, page, pick, select } from "./page_state.js";
import { frameDocument } from "./page_frame.js";
import { showBrush } from "./correct_marks.js";
import { correct, differs, isDone, isSuggested, NONE, setLabels, step } from "./correct_state.js";

const OFF = -2;
let brush = OFF;
let painting = false; // blocks were selected by the pointer, which is still down

/** Whether labels can be corrected now; the address keeps it while pages are turned. */
export function turnOn(isOn) {
  if (correct.isOn === isOn) return;
  correct.isOn = isOn;
  const address = new URL(location.href);
  if (isOn) address.searchParams.set("correct", "yes");
  else address.searchParams.delete("correct");
  history.replaceState(null, "", address);
  if (!isOn) setBrush(OFF);
  emit("correct", { isOn });
}

/** The blocks that an action is for. */
export function chosen() {
  if (page.selected.size) return [...page.selected].sort((a, b) => a - b);
  if (page.cursor >= 0) return [page.cursor];
  say("select a block first: click it, or press j");
  return [];
}

/** Go on to the next block without a label, or else to the next one. */
function goOn(after) {
  const next = correct.codes.findIndex((code, block) => block > after && code === NONE);
  pick(next >= 0 ? next : Math.min(after + 1, page.texts.length - 1), { from: "keys" });
  if (isDone()) say("all blocks of this page have a label: ] turns to the next page");
}

/** Give what is selected a label; with the brush, choose its label. */
export function label(code) {
  if (brush !== OFF) { setBrush(code); return undefined; }
  const blocks = chosen();
  if (!blocks.length) return undefined;
  const sent = setLabels(blocks, code);
  if (code !== NONE) goOn(blocks.at(-1));
  return sent;
}

function confirmThese(blocks, source) {
  const open = blocks.filter(isSuggested);
  if (!open.length) return null;
  return setLabels(open, open.map((block) => correct.suggested[block]), source);
}

/** Confirm the suggestions of what is selected, once they are there; without any, do what the key does otherwise. */
export async function confirm(otherwise) {
  const blocks = chosen();
  await correct.arriving;
  const sent = confirmThese(blocks, "confirmed");
  if (!sent) return otherwise();
  goOn(blocks.at(-1));
  return sent;
}

export async function confirmAll() {
  await correct.arriving;
  const sent = confirmThese(page.texts.map((_, block) => block), "all");
  if (!sent) say("there is no suggestion to confirm");
  else if (isDone()) say("all blocks of this page have a label: ] turns to the next page");
  return sent;
}

/** Move to the next block (by -1: the previous one) that passes a test; around the end. */
function seek(by, test, none) {
  const size = page.texts.length;
  const from = page.cursor < 0 && by < 0 ? 0 : page.cursor;
  for (let offset = 1; offset <= size; offset += 1) {
    const block = (from + by * offset + 2 * size) % size;
    if (test(block)) { pick(block, { from: "keys" }); return; }
  }
  say(none);
}

export const seekUnlabelled = (by) => seek(by, (block) => correct.codes[block] === NONE, "all blocks have a label");

export async function seekDifference() {
  await correct.arriving;
  seek(1, differs, "no label differs from its suggestion");
}

let shownLast = NONE; // where `travel` put the cursor

/** Undo or redo, and show what changed; who has moved on before the answer stays there. */
export async function travel(name) {
  const from = page.cursor;
  const changed = await step(name);
  if (!changed.length || ![from, shownLast].includes(page.cursor)) return;
  shownLast = changed[0];
  select(changed, { cursor: shownLast, from: "keys" });
}

/** Turn the brush on or off: a label is chosen once, then clicks and drags give it. */
export function toggleBrush() {
  setBrush(brush === OFF ? NONE : OFF);
  if (brush !== OFF) say("brush: press the key of a label, then click or drag over blocks; the same key ends it");
}

function setBrush(code) {
  brush = code;
  if (code !== OFF) clearSelection();
  showBrush(code !== OFF);
  emit("brush", { code: code === OFF ? null : code });
}

function paint() {
  if (painting && brush !== OFF && page.selected.size) setLabels([...page.selected].sort((a, b) => a - b), brush);
  painting = false;
}

/** Listen to the pointer on the page; once it is open. */
export function openBrush() {
  on("select", ({ from }) => { if (["frame", "outcome", "blocks"].includes(from)) painting = true; });
  for (const each of [document, frameDocument()]) each.addEventListener("mouseup", paint);
}

let narrower = []; // selections before they were widened

const likeThese = (blocks) => ask(`/api/page/${page.id}/alike?blocks=${blocks.join()}`);

/** Select all blocks of the page at the same places, or in the same fields of records. */
export async function selectAlike() {
  const blocks = chosen();
  if (!blocks.length) return;
  const { blocks: found } = await likeThese(blocks);
  narrower.push(blocks);
  select(found, { cursor: page.cursor, from: "keys" });
  say(`${found.length} like ${blocks.length === 1 ? "this" : "these"} on the page`);
}

/** Select the smallest unit around what is selected. */
export async function selectWider() {
  const blocks = chosen();
  if (!blocks.length) return;
  const [unit] = (await likeThese(blocks)).units;
  if (!unit) { say("no unit is around this"); return; }
  narrower.push(blocks);
  select(Array.from({ length: unit.end - unit.first }, (_, index) => unit.first + index), { cursor: page.cursor, from: "keys" });
  say(`${unit.kind}: ${unit.end - unit.first} blocks`);
}

export function selectNarrower() {
  const blocks = narrower.pop();
  if (blocks) select(blocks, { cursor: page.cursor, from: "keys" });
  else say("nothing was widened");
}

on("labels", () => { narrower = narrower.slice(-50); });
