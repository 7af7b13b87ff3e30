// A page of the site in its frame: marks of its blocks, and which of them the pointer is on.
import { addressOf } from "./base.js";
import { addFrameStyle, blockAt, elementsByBlock, holdStill, showWhole } from "./framed_page.js";

// Marks on any ground that a page may have: each scale by its colour, each kind also by its line.
const KEEP = "20 130 60", DROP = "190 60 45", TOC = "30 90 200", FOCUS = "11 87 208";
const SCALES = { template: "215 110 0", importance: "20 130 60", weight: "150 90 0" };

const heat = Object.entries(SCALES).map(([name, colour]) => Array.from({ length: 11 }, (_, level) =>
  `[data-scale="${name}"] MARK[data-h="${level}"]{background:rgb(${colour} / ${(level * 0.055).toFixed(3)})!important}`).join("\n")).join("\n");
const line = (style) => `text-decoration:underline ${style}!important;text-decoration-skip-ink:none!important;text-underline-offset:.18em!important`;

const frameStyle = `
html{cursor:default!important;scroll-behavior:auto!important}
a,button,summary,label,select,input{cursor:default!important}
MARK{cursor:pointer!important;box-decoration-break:clone;-webkit-box-decoration-break:clone;border-radius:2px}
${heat}
MARK[data-m="template"]{${line("dotted 2px rgb(190 90 0)")}}
MARK[data-m="below"]{${line("dotted 2px rgb(190 60 45 / .8)")}}
MARK[data-m="article"]{${line(`solid 3px rgb(${KEEP})`)}}
MARK[data-m="toc"]{${line(`double 4px rgb(${TOC})`)}}
MARK[data-m="keep"]{background:rgb(${KEEP} / .2)!important;${line(`solid 2px rgb(${KEEP})`)}}
MARK[data-m="drop"]{background:repeating-linear-gradient(135deg,rgb(${DROP} / .25) 0 2px,rgb(${DROP} / .07) 2px 6px)!important;${line(`dotted 2px rgb(${DROP} / .8)`)}}
MARK[data-chosen]{outline:2px dashed rgb(${FOCUS} / .8)!important;outline-offset:1px}
MARK[data-hover]{outline:2px solid rgb(${FOCUS} / .7)!important;outline-offset:1px}
MARK[data-selected]{outline:3px solid rgb(${FOCUS})!important;outline-offset:1px}
::highlight(useless){color:#8a8a8a;background-color:rgb(128 128 128 / .16);text-decoration:line-through 1px rgb(128 128 128 / .8)}
`;

export class SiteFrame {
  /** listeners: hover(block) with -1 for none, select(block), scroll() */
  constructor(frame, listeners = {}) {
    this.frame = frame;
    this.listeners = listeners;
    this.page = null;
    this.elements = new Map(); // block -> its elements
    this.flags = new Map(); // name -> Set of blocks
  }

  get inner() {
    return this.frame.contentDocument;
  }

  /** Show a page; false if another one was asked for meanwhile. */
  async open(page) {
    if (this.page === page) return this.opened;
    this.page = page;
    this.opened = this.#load(page);
    return this.opened;
  }

  async #load(page) {
    const loaded = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
    this.frame.src = addressOf(`/frame/${page}`);
    await loaded;
    if (this.page !== page || !this.inner) return false;
    this.elements = elementsByBlock(this.inner);
    this.flags = new Map();
    this.addStyle(frameStyle);
    showWhole(this.inner);
    this.#listen();
    return true;
  }

  addStyle(css) {
    addFrameStyle(this.inner, css);
  }

  #listen() {
    holdStill(this.inner);
    this.inner.addEventListener("mouseover", (event) => this.listeners.hover?.(blockAt(event)));
    this.inner.documentElement.addEventListener("mouseleave", () => this.listeners.hover?.(-1));
    this.inner.addEventListener("click", (event) => {
      const block = blockAt(event);
      if (block >= 0) this.listeners.select?.(block);
    });
    this.inner.addEventListener("scroll", () => this.listeners.scroll?.(this), { passive: true });
    this.inner.addEventListener("wheel", () => this.listeners.lead?.(this), { passive: true });
    this.inner.addEventListener("pointerdown", () => this.listeners.lead?.(this), { passive: true });
    this.inner.addEventListener("keydown", () => this.listeners.lead?.(this));
  }

  elementsOf(block) {
    return this.elements.get(block) ?? [];
  }

  /** Give each block a value of the attribute data-<name>; none for undefined. */
  mark(name, valueOf) {
    for (const [block, own] of this.elements) {
      const value = valueOf(block);
      for (const element of own) {
        if (value === undefined || value === null || value === "") element.removeAttribute(`data-${name}`);
        else element.setAttribute(`data-${name}`, value);
      }
    }
  }

  /** Set an attribute on some blocks only. */
  flag(name, blocks) {
    const before = this.flags.get(name) ?? new Set(), after = new Set(blocks);
    for (const block of before) if (!after.has(block)) this.elementsOf(block).forEach((each) => each.removeAttribute(`data-${name}`));
    for (const block of after) if (!before.has(block)) this.elementsOf(block).forEach((each) => each.setAttribute(`data-${name}`, ""));
    this.flags.set(name, after);
  }

  /** Remove all marks, so that another view can begin. */
  clear() {
    for (const name of ["h", "m", "scale"]) this.mark(name, () => undefined);
    for (const name of [...this.flags.keys()]) this.flag(name, []);
    this.inner?.documentElement.removeAttribute("data-scale");
    this.highlight([]);
  }

  /** Show parts of the texts as useless: rows of [block, length, start, end, start, end, …] for each text node. */
  highlight(rows) {
    const own = this.frame.contentWindow;
    if (!own?.CSS?.highlights) return;
    const next = new Map();
    const ranges = [];
    for (const [block, length, ...edges] of rows) {
      const index = next.get(block) ?? 0;
      const text = this.elementsOf(block)[index]?.firstChild;
      if (text?.data?.length !== length) continue; // text that the frame shows in another way, such as that of options
      next.set(block, index + 1);
      for (let at = 0; at < edges.length; at += 2) {
        const range = this.inner.createRange();
        range.setStart(text, edges[at]);
        range.setEnd(text, edges[at + 1]);
        ranges.push(range);
      }
    }
    own.CSS.highlights.set("useless", new own.Highlight(...ranges.slice(0, 50_000)));
  }

  /** Scroll to a block, if it is not in view; false if it has no place on the page. */
  reveal(block) {
    const element = this.elementsOf(block).find((each) => each.getClientRects().length);
    if (!element) return false;
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 40 || bottom > this.frame.clientHeight - 40) element.scrollIntoView({ block: "center" });
    return true;
  }
}
