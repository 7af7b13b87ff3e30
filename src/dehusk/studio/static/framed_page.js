// What all views with a page in a frame share: its blocks, a style of the studio's own, and nothing that the page does itself.
import { onKey } from "./base.js";

const MARK = ":is(dh-b,#dh#dh#dh)"; // as specific as three ids, so that style sheets of the page do not win

/** Wait until a frame shows a page; returns the document of the page. */
export async function loadedPage(frame) {
  const { contentDocument: inner } = frame;
  if (inner?.readyState !== "complete" || inner.URL === "about:blank") {
    await new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  }
  return frame.contentDocument;
}

/** Add CSS to the page; `MARK` in it is an element of a block. */
export function addFrameStyle(inner, css) {
  const style = inner.createElement("style");
  style.textContent = css.replaceAll("MARK", MARK);
  (inner.head ?? inner.documentElement).append(style);
}

/** The elements of each block: block -> its elements, in their order. */
export function elementsByBlock(inner) {
  const found = new Map();
  for (const element of inner.querySelectorAll("dh-b")) {
    const block = Number(element.dataset.b);
    if (found.has(block)) found.get(block).push(element);
    else found.set(block, [element]);
  }
  return found;
}

/** The block that an event of the page is about; -1 for none. */
export const blockAt = (event) => Number(event.target.closest?.("dh-b")?.dataset.b ?? -1);

/** Let the page do nothing by itself, and the studio hear its keys. */
export function holdStill(inner) {
  inner.addEventListener("keydown", onKey);
  for (const name of ["click", "auxclick", "submit", "dragstart", "dblclick"]) {
    inner.addEventListener(name, (event) => event.preventDefault(), true);
  }
}

/** Undo what hides a whole page until one of its scripts runs. */
export function showWhole(inner) {
  const visible = { display: ["none", "block"], visibility: ["hidden", "visible"], opacity: ["0", "1"] };
  for (const element of [inner.documentElement, inner.body]) {
    if (!element) continue;
    element.style.setProperty("animation", "none", "important");
    const style = inner.defaultView.getComputedStyle(element);
    for (const [name, [hidden, shown]] of Object.entries(visible)) {
      if (style[name] === hidden) element.style.setProperty(name, shown, "important");
    }
  }
}
