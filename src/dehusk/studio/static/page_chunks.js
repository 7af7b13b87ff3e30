// A long text in parts: the browser lays out only those that are seen, and a new text replaces only those that differ.
import { el } from "./base.js";

const SHIFT = 5; // blocks of a part: 32

/**
 * Cut a text into parts at line ends.
 * Returns [{key, start, end, places}]: a part ends where the line ends before a place of a block of another group of 32.
 */
export function cut(text, places) {
  const parts = [];
  let part = { key: "", start: 0, places: [] };
  let last = 0;
  for (const place of places) {
    const group = place[2] >> SHIFT;
    const line = part.places.length && group !== part.group ? text.indexOf("\n", last) + 1 : 0;
    if (line && line <= place[0]) {
      parts.push({ ...part, end: line });
      part = { start: line, places: [] };
    }
    if (!part.places.length) part.group = group;
    part.places.push(place);
    last = place[1];
  }
  parts.push({ ...part, end: text.length });
  return parts;
}

/** Shows texts in an element, part by part; spanOf(text, place) makes the element of a place. */
export class ChunkedText {
  constructor(root, spanOf) {
    this.root = root;
    this.spanOf = spanOf;
    this.shown = []; // {signature, node, spans: [[block, element]]}
    this.spans = new Map(); // block -> its elements
  }

  /** Show a text; signatureOf(block) names all that spanOf looks at besides the text. */
  show(text, places, signatureOf) {
    const old = new Map(this.shown.map((chunk) => [chunk.signature, chunk]));
    this.shown = cut(text, places).map((part) => {
      const own = text.slice(part.start, part.end);
      const signature = `${part.places.map(([start, , block]) => `${start - part.start} ${block}${signatureOf(block)}`).join()}|${own}`;
      const known = old.get(signature);
      old.delete(signature);
      return known ?? { signature, ...this.make(own, part) };
    });
    this.place();
    this.spans.clear();
    for (const { spans } of this.shown) {
      for (const [block, span] of spans) this.spans.has(block) ? this.spans.get(block).push(span) : this.spans.set(block, [span]);
    }
  }

  make(own, part) {
    const node = el("div", { class: "chunk" });
    node.style.containIntrinsicBlockSize = `auto ${Math.ceil(22 * (own.split("\n").length + own.length / 90))}px`;
    const spans = [];
    let position = 0;
    for (const [start, end, block] of part.places) {
      const [first, last] = [start - part.start, end - part.start];
      if (first > position) node.append(own.slice(position, first));
      const span = this.spanOf(own.slice(first, last), block);
      node.append(span);
      spans.push([block, span]);
      position = last;
    }
    node.append(own.slice(position));
    return { node, spans };
  }

  place() {
    let next = this.root.firstChild;
    for (const { node } of this.shown) {
      if (node === next) next = next.nextSibling;
      else this.root.insertBefore(node, next);
    }
    while (next) {
      const after = next.nextSibling;
      next.remove();
      next = after;
    }
  }

  /** Show one line that is not of the page. */
  say(line) {
    this.shown = [];
    this.spans.clear();
    this.root.replaceChildren(el("span", { class: "quiet" }, line));
  }
}
