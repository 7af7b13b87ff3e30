// Both sides scroll together: what is at the same height of both panes belongs to the same blocks.
import { elementsOf, frame, frameDocument } from "./page_frame.js";
import { pane, placesOf } from "./page_outcome.js";
import { on, page } from "./page_state.js";

const EYE = 0.3; // height of the pane at which the two agree
let anchors = null; // [height in the frame, block] of blocks that both sides have, in the order of the outcome
let leader = null; // the side that a person scrolls

/** The anchors; what a page shows out of its order is left out, so that the other side does not jump. */
function measure() {
  const above = frameDocument().scrollingElement.scrollTop;
  const found = [];
  for (let block = 0; block < page.texts.length; block += 1) {
    const box = placesOf(block).length ? elementsOf(block)[0]?.getClientRects()[0] : null;
    if (box && box.top + above >= (found.at(-1)?.[0] ?? 0)) found.push([box.top + above, block]);
  }
  return found;
}

const outcomeTop = (index) => placesOf(anchors[index][1])[0].getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
const frameTop = (index) => anchors[index][0];

/** The height on the other side, between the two anchors around a height on this one. */
function across(height, here, there) {
  let low = -1, high = anchors.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (here(middle) <= height) low = middle; else high = middle - 1;
  }
  const last = low + 1 >= anchors.length;
  const [fromTop, toTop] = low < 0 ? [0, 0] : [here(low), there(low)];
  if (last) return toTop + (height - fromTop);
  const share = (height - fromTop) / Math.max(1, here(low + 1) - fromTop);
  return toTop + Math.min(1, share) * (there(low + 1) - toTop);
}

function follow(side) {
  if (leader !== side || pane.hidden) return;
  anchors ??= measure();
  if (!anchors.length) return;
  const root = frameDocument().scrollingElement;
  if (side === "frame") pane.scrollTop = across(root.scrollTop + EYE * frame.clientHeight, frameTop, outcomeTop) - EYE * pane.clientHeight;
  else root.scrollTop = across(pane.scrollTop + EYE * pane.clientHeight, outcomeTop, frameTop) - EYE * frame.clientHeight;
}

function lead(target, side) {
  for (const name of ["wheel", "pointerdown", "touchstart", "keydown"]) {
    target.addEventListener(name, () => { leader = side; }, { passive: true, capture: true });
  }
}

/** Call an action at most once per frame of the screen. */
function paced(action) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; action(); });
  };
}

/** Join the two sides; the frame must be loaded. */
export function joinScrolling() {
  const inner = frameDocument();
  lead(inner, "frame");
  lead(pane, "outcome");
  inner.addEventListener("scroll", paced(() => follow("frame")), { passive: true });
  pane.addEventListener("scroll", paced(() => follow("outcome")), { passive: true });
  for (const resized of [pane, frame]) new ResizeObserver(() => { anchors = null; }).observe(resized);
}

on("outcome", () => { anchors = null; });
on("select", () => { leader = null; }); // a jump to a block moves both sides by itself
