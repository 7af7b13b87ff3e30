// The page itself: marks of its blocks, and what the pointer and the keys do in it.
import { addFrameStyle, blockAt, elementsByBlock, holdStill, loadedPage, scaleInto, showPlain, showWhole } from "./framed_page.js";
import { frameStyle } from "./page_frame_style.js";
import { hover, on, page, pick, point, select, verdictOf } from "./page_state.js";

export const frame = document.getElementById("frame");
let elements = []; // block -> its elements
let shown = []; // block -> "verdict heat", as it is marked now
let dragFrom = -1;
const WIDTH = 1280; // of a desktop, for which most pages are made

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
  scaleInto(frame.parentElement, frame, WIDTH);
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

/** The first part of a block that can be seen, and where it is; null for none. */
function partOf(block) {
  for (const element of elementsOf(block)) {
    if (element.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) === false) continue;
    const box = [...element.getClientRects()].find(({ width, height, right }) => width > 2 && height > 2 && right > 0);
    if (box) return { element, box };
  }
  return null;
}

/** Whether the pointer reaches the part of a block that can be seen, so that nothing covers it or cuts it off. */
function isReached(block) {
  const { element, box } = partOf(block);
  return element.contains(frameDocument().elementFromPoint(Math.max(box.left, 0) + Math.min(box.width, 20) / 2, box.top + box.height / 2));
}

const TRIED = 30; // kept texts that are tried before a page counts as covered

/** Scroll to the first kept text that a person sees, unless it is on the first screen; false if there is none, but kept text. */
export function revealFirstKept() {
  const kept = page.texts.map((_, block) => block).filter((block) => page.outcome.blocks.kept[block]);
  for (const block of kept.filter(partOf).slice(0, TRIED)) {
    const { element, box } = partOf(block);
    if (box.top < 0 || box.bottom > 0.8 * frame.clientHeight) {
      element.scrollIntoView({ block: "start" });
      frame.contentWindow.scrollBy(0, -0.2 * frame.clientHeight);
    }
    if (isReached(block)) return true;
  }
  frame.contentWindow.scrollTo(0, 0);
  return !kept.length;
}

/** Show the page without its own layout, or as it looked. */
export function setPlain(isPlain) {
  showPlain(frameDocument(), isPlain);
}

let deciding = null;
/** Outline an element of the page by its number; null for none. */
export function outline(node) {
  deciding?.removeAttribute("data-deciding");
  deciding = node === null ? null : frameDocument()?.querySelector(`[data-n="${Number(node)}"]`);
  deciding?.setAttribute("data-deciding", "");
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
