// The outcome beside the page: a text whose places belong to blocks.
import { el } from "./base.js";
import { ChunkedText } from "./page_chunks.js";
import { hover, on, page, pick, point, verdictOf } from "./page_state.js";

export const pane = document.getElementById("panel-outcome");
const root = document.getElementById("outcome");
const text = new ChunkedText(root, (own, block) => el("span", { class: "b", "data-b": block, "data-m": verdictOf(block) }, own));
let dragging = false;

/** The elements of a block in the outcome. */
export const placesOf = (block) => text.spans.get(block) ?? [];

function show() {
  const { outcome } = page;
  if (outcome.text === null) return; // another tab is shown
  const top = pane.scrollTop;
  if (outcome.text.trim()) text.show(outcome.text, outcome.places, verdictOf);
  else text.say(outcome.message ? `Nothing is kept (${outcome.status}): ${outcome.message}.` : "Nothing is kept.");
  pane.scrollTop = top;
  for (const [name, valueOf] of page.marks) mark(name, valueOf);
  flag("selected", page.selected);
}

function mark(name, valueOf) {
  for (const [block, spans] of text.spans) {
    const value = valueOf(block);
    for (const span of spans) {
      if ((span.dataset[name] ?? "") === value) continue;
      value ? span.setAttribute(`data-${name}`, value) : span.removeAttribute(`data-${name}`);
    }
  }
}

function flag(name, blocks) {
  for (const span of [...root.getElementsByClassName(name)]) span.classList.remove(name);
  for (const block of blocks) for (const span of placesOf(block)) span.classList.add(name);
}

/** Scroll to the place of a block; whether it has one. */
export function revealInOutcome(block) {
  const [span] = placesOf(block);
  if (!span || pane.hidden) return false;
  const box = span.getBoundingClientRect();
  const around = pane.getBoundingClientRect();
  if (box.top >= around.top + 20 && box.top <= around.bottom - 40) return true;
  for (let round = 0; round < 2; round += 1) { // parts on the way get their real height only when they are seen
    pane.scrollTop += span.getBoundingClientRect().top - around.top - pane.clientHeight / 3;
  }
  return true;
}

const blockAt = (event) => Number(event.target.closest?.("[data-b]")?.dataset.b ?? -1);

root.addEventListener("mouseover", (event) => {
  const block = blockAt(event);
  point(event, block, "outcome");
  if (dragging && block >= 0 && event.buttons & 1) pick(block, { extend: true, from: "outcome" });
});
root.addEventListener("mouseleave", () => hover(-1, "outcome"));
root.addEventListener("mousedown", (event) => {
  const block = blockAt(event);
  if (block < 0 || event.button || event.altKey) return; // with alt, text is selected as usual
  event.preventDefault();
  pane.focus({ preventScroll: true });
  dragging = true;
  pick(block, { add: event.ctrlKey || event.metaKey, extend: event.shiftKey, from: "outcome" });
});
document.addEventListener("mouseup", () => { dragging = false; });

on("outcome", show);
on("mark", ({ name, valueOf }) => mark(name, valueOf));
on("select", ({ selected, cursor, from }) => {
  flag("selected", selected);
  if (from !== "outcome" && cursor >= 0) revealInOutcome(cursor);
});
on("hover", ({ block }) => flag("hovered", block >= 0 ? [block] : []));
