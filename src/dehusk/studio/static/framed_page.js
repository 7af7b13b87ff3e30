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

/** Show a frame as wide as a page is made for, in pixels of the page, scaled down to its box where that is narrower. */
export function scaleInto(box, frame, width) {
  const fit = () => {
    const scale = Math.min(1, box.clientWidth / width) || 1;
    frame.style.width = `${box.clientWidth / scale}px`;
    frame.style.height = `${box.clientHeight / scale}px`;
    frame.style.transform = `scale(${scale})`;
  };
  fit();
  new ResizeObserver(fit).observe(box);
}

/** Add CSS to the page; `MARK` in it is an element of a block. */
export function addFrameStyle(inner, css) {
  const style = inner.createElement("style");
  style.dataset.own = "";
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

const PLAIN = `
[data-plain] :not(dh-b){position:static!important;float:none!important;transform:none!important;opacity:1!important;visibility:visible!important;
  width:auto!important;min-width:0!important;height:auto!important;max-height:none!important;overflow:visible!important;columns:auto!important}
[data-plain] :is([hidden],[style*="none"]):not(dh-b){display:block!important}
[data-plain] body{max-width:60rem;margin:1rem auto!important;padding:0 1rem!important;font:16px/1.5 sans-serif;background:#fff!important;color:#111!important}
`;

/** Show the page without its own style sheets, in which nothing covers anything, or as it looked. */
export function showPlain(inner, isPlain) {
  for (const sheet of inner.styleSheets) if (!("own" in sheet.ownerNode.dataset)) sheet.disabled = isPlain;
  if (!inner.querySelector("style[data-plain-style]")) {
    addFrameStyle(inner, PLAIN);
    [...inner.querySelectorAll("style")].at(-1).dataset.plainStyle = "";
  }
  inner.documentElement.toggleAttribute("data-plain", isPlain);
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
