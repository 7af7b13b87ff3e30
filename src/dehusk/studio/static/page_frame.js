// The page itself: marks of its blocks, and what the pointer and the keys do in it.
import { addFrameStyle, blockAt, elementsByBlock, holdStill, loadedPage, showWhole } from "./framed_page.js";
import { frameStyle } from "./page_frame_style.js";
import { hover, on, page, pick, point, select, verdictOf } from "./page_state.js";

export const frame = document.getElementById("frame");
let elements = []; // block -> its elements
let shown = []; // block -> "verdict heat", as it is marked now
let dragFrom = -1;

/** The document of the page, or null while it loads. */
export const frameDocument = () => (frame.contentDocument?.URL === "about:blank" ? null : frame.contentDocument);

/** The elements of a block in the frame; empty for text that the page does not show as elements. */
export const elementsOf = (block) => elements[block] ?? [];

/** Whether some text of a block has a place on the page. */
export const isOnPage = (block) => elementsOf(block).some((element) => element.getClientRects().length > 0);

/** Add CSS to the frame; `MARK` in it is an element of a block. */
export function addStyle(css) {
  addFrameStyle(frameDocument(), css);
}

/** Wait for the page, find its blocks and listen to it. */
export async function openFrame() {
  const inner = await loadedPage(frame);
  const found = elementsByBlock(inner);
  elements = page.texts.map((_, block) => found.get(block) ?? []);
  addStyle(frameStyle);
  showWhole(inner);
  listen(inner);
}

function listen(inner) {
  holdStill(inner);
  inner.addEventListener("mouseover", (event) => {
    const block = blockAt(event);
    point(event, block, "frame");
    if (dragFrom >= 0 && block >= 0 && event.buttons & 1) pick(block, { extend: true, from: "frame" });
  });
  inner.documentElement.addEventListener("mouseleave", () => hover(-1, "frame"));
  inner.addEventListener("mousedown", (event) => {
    if (event.button) return;
    const block = blockAt(event);
    event.preventDefault(); // no selection of text
    frame.contentWindow.focus();
    dragFrom = block;
    if (block >= 0) pick(block, { add: event.ctrlKey || event.metaKey, extend: event.shiftKey, from: "frame" });
    else if (!event.ctrlKey && !event.shiftKey && event.target.nodeName !== "HTML") select([], { from: "frame" });
  });
  inner.addEventListener("mouseup", () => { dragFrom = -1; });
}

/** Mark the blocks by the latest outcome; only what changed is touched. */
function showOutcome() {
  const { probability } = page.outcome.blocks;
  elements.forEach((own, block) => {
    const verdict = verdictOf(block);
    const heat = Math.round(10 * probability[block]);
    const now = `${verdict} ${heat}`;
    if (shown[block] === now) return;
    shown[block] = now;
    for (const element of own) {
      element.dataset.m = verdict;
      element.dataset.h = heat;
    }
  });
}

function setFlag(name, before, after) {
  for (const block of before) if (!after.has(block)) elementsOf(block).forEach((element) => element.removeAttribute(name));
  for (const block of after) if (!before.has(block)) elementsOf(block).forEach((element) => element.setAttribute(name, ""));
}

/** Show one colour scale instead of kept and dropped. */
export function showHeat(isOn) {
  frameDocument()?.documentElement.toggleAttribute("data-heat", isOn);
}

/** Scroll to a block, if it is on the page. */
export function revealInFrame(block) {
  const element = elementsOf(block).find((each) => each.getClientRects().length);
  if (!element) return false;
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 40 || bottom > frame.clientHeight - 40) element.scrollIntoView({ block: "center" });
  return true;
}

let selectedBefore = new Set();
let hoveredBefore = new Set();
on("outcome", showOutcome);
on("select", ({ selected, cursor, from }) => {
  setFlag("data-selected", selectedBefore, selected);
  selectedBefore = new Set(selected);
  if (from !== "frame" && cursor >= 0) revealInFrame(cursor);
});
on("hover", ({ block }) => {
  const now = new Set(block >= 0 ? [block] : []);
  setFlag("data-hover", hoveredBefore, now);
  hoveredBefore = now;
});
on("mark", ({ name, valueOf }) => {
  elements.forEach((own, block) => {
    const value = valueOf(block);
    for (const element of own) {
      if ((element.dataset[name] ?? "") === value) continue;
      value ? element.setAttribute(`data-${name}`, value) : element.removeAttribute(`data-${name}`);
    }
  });
});
