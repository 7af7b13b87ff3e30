// The methods of the papers and the default side by side on one page: kept and dropped in small frames that scroll together.
import { attempt, counted, el } from "./base.js";
import { scaleInto } from "./framed_page.js";
import { SiteFrame } from "./site_frame.js";
import { askPage, caption, meter, percent, site } from "./site_state.js";

const WIDTH = 1000; // of a page in its small frame, in pixels of the page
let columns = []; // of the grid: frame, card
let shown = null;
let detail = null;
let leader = null; // the frame that a person scrolls
let selected = -1; // a block

export const methods = {
  name: "methods",
  label: "Side by side",
  isWide: true,
  async show({ root, isCurrent }) {
    const answer = await askPage("methods");
    if (!isCurrent()) return;
    shown = answer;
    selected = -1;
    if (!columns.length) make(root);
    describe(-1);
    showFigures();
    const opened = await Promise.all(columns.map(({ frame }) => frame.open(site.page)));
    if (!isCurrent() || opened.includes(false)) return;
    columns.forEach(({ frame }, index) => {
      frame.clear();
      frame.mark("m", (block) => (shown.methods[index].kept[block] ? "keep" : "drop"));
    });
  },
  select(block) {
    selected = block;
    for (const { frame } of columns) frame.flag("selected", block < 0 ? [] : [block]);
    describe(block);
  },
  step(by) {
    const { differ } = shown;
    if (!differ.length) return;
    const next = by > 0 ? differ.find((block) => block > selected) : differ.findLast((block) => block < (selected < 0 ? Infinity : selected));
    if (next === undefined) return;
    this.select(next);
    leader = columns[0].frame;
    leader.reveal(next);
    follow(leader);
  },
};

function make(root) {
  detail = el("div", { class: "detail", role: "status" });
  columns = shown.methods.map(({ name, label }) => {
    const iframe = el("iframe", { sandbox: "allow-same-origin", title: `The page by ${label}` });
    const figures = el("div", { class: "quiet figures" });
    const box = el("div", { class: "small-frame scaled" }, iframe);
    const card = el("section", { class: "method", "aria-label": label, dataset: { method: name } }, el("h2", {}, label), figures, box);
    const frame = new SiteFrame(iframe, { hover, select: (block) => methods.select(block), scroll: follow, lead: (own) => { leader = own; } });
    scaleInto(box, iframe, WIDTH);
    return { frame, card, figures };
  });
  root.replaceChildren(
    el("div", { class: "method-grid" }, ...columns.map(({ card }) => card)),
    el("div", { class: "method-foot" }, detail, caption("Five methods, one page.", [
      "Solid line: kept; hatched, dotted line: dropped. The default and Victor know what pages look like; the structure tree, FindOptimal and WISDOM know this site only. ",
      "The frames scroll together; j and k go through the blocks about which the methods do not agree.",
    ], ["docs/site-methods.md", "methods that use only the site"])));
}

function showFigures() {
  columns.forEach(({ figures }, index) => {
    const { words, share, agreement, message } = shown.methods[index];
    figures.replaceChildren(el("p", {}, `keeps ${counted(words, "word")}, ${percent(share)}`, meter(share, "importance")),
      el("p", {}, message || (index ? `agrees with the default on ${percent(agreement)} of the words` : "what dehusk clean does, with the site")));
  });
}

function hover(block) {
  for (const { frame } of columns) frame.flag("hover", block < 0 ? [] : [block]);
  describe(block < 0 ? selected : block);
}

function describe(block) {
  if (block < 0) {
    const of = counted(shown.texts.length, "block");
    return detail.replaceChildren(el("p", { class: "quiet" }, shown.differ.length ? `The methods do not agree about ${shown.differ.length} of ${of}.` : `The methods agree about all ${of}.`));
  }
  return detail.replaceChildren(
    el("p", { class: "quoted" }, shown.texts[block] || "(no text)"),
    el("p", { class: "verdicts" }, ...shown.methods.map(({ label, kept }) =>
      el("span", { class: kept[block] ? "badge yes" : "badge no" }, `${kept[block] ? "✓ kept" : "✗ dropped"} · ${label}`))));
}

/** Scroll the other frames to where the leading one is. */
function follow(own) {
  if (leader !== own) return;
  const { scrollTop, scrollLeft } = own.inner.scrollingElement ?? { scrollTop: 0, scrollLeft: 0 };
  for (const { frame } of columns) {
    if (frame !== own) attempt(async () => frame.inner.scrollingElement?.scrollTo({ top: scrollTop, left: scrollLeft, behavior: "instant" }));
  }
}
