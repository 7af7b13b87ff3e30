// The compressed structure tree (Yi & Liu 2003): the site's elements with their importance, linked to the page.
import { ask, counted, el } from "./base.js";
import { askPage, caption, decimals, meter, siteAddress, site, sym } from "./site_state.js";
import { Tree } from "./site_tree.js";

const ROWS = 22; // that are open at first
let shown = null;
let stage = null;
let tree = null;
let detail = null;
let selected = -1;
let under = null; // element -> the page's blocks in it

export const structure = {
  name: "structure",
  label: "Structure tree",
  async show(on) {
    const answer = await askPage("structure");
    if (!on.isCurrent()) return;
    [shown, stage, selected] = [answer, on, -1];
    under = blocksUnder();
    tree = new Tree(shown.parent, {
      label: "Compressed structure tree", kind: "columns", content: rowOf, select: chooseElement,
      hover: (index) => stage.frame.flag("hover", index < 0 ? [] : under[index]),
    });
    tree.openLargest((index) => under[index].length, ROWS);
    detail = el("div", { class: "detail stays", role: "status" }, el("p", { class: "quiet" }, "Choose an element to see its blocks on the page, or a block to see its element."));
    stage.panel.replaceChildren(figure(), detail, head(), tree.element);
    paint();
  },
  hover: (block) => stage.frame.flag("hover", block < 0 ? [] : [block]),
  select(block) {
    selected = block;
    stage.frame.flag("chosen", []);
    stage.frame.flag("selected", block < 0 ? [] : [block]);
    if (block < 0) return undefined;
    stage.frame.reveal(block);
    if (shown.element[block] >= 0) tree.reveal(shown.element[block]);
    return describeBlock(block);
  },
  step(by) {
    const next = selected < 0 ? (by > 0 ? 0 : shown.texts.length - 1) : selected + by;
    return shown.texts[next] === undefined ? undefined : this.select(next);
  },
};

function blocksUnder() {
  const found = shown.parent.map(() => []);
  shown.element.forEach((element, block) => {
    for (let at = element; at >= 0; at = shown.parent[at]) found[at].push(block);
  });
  return found;
}

function paint() {
  stage.frame.inner.documentElement.dataset.scale = "importance";
  stage.frame.mark("h", (block) => Math.round(10 * shown.importance[block]));
  stage.frame.mark("m", (block) => (shown.importance[block] < shown.threshold ? "below" : ""));
  stage.legend.replaceChildren(
    el("span", { class: "key" }, "0 same everywhere", el("i", { class: "scale importance" }), "1 differs from page to page"),
    el("span", { class: "key below" }, `below ${shown.threshold}: method cst drops it`),
  );
}

function figure() {
  return el("figure", {},
    el("h2", {}, `${counted(shown.elements, "element")} that two pages or more share, of ${counted(shown.pages, "page")}`),
    caption("Compressed structure tree.", [
      "The pages are laid over each other from the root down; an element ", sym("E"), " stands for the ", sym("m"),
      " tag nodes that are merged into it. ", sym("NodeImp(E)"), " is the entropy of its presentation styles, or for a leaf 1 − the mean entropy ",
      sym("H"), " of its words ", sym("aᵢ"), " over the tag nodes; ", sym("PathImp(E)"), " = 1 − Π(1 − ", sym("NodeImp"),
      ") over all elements above it. What is the same on all pages has importance 0 and is noise; what differs is content.",
    ], ["docs/structure-tree.md", "the compressed structure tree"]),
  );
}

const head = () => el("div", { class: "tree-head", "aria-hidden": "true" },
  ...["element", "m", "NodeImp", "PathImp"].map((words) => el("span", {}, words)));

function rowOf(index) {
  const size = shown.kind[index] === "inner" ? counted(shown.styles[index], "style") : counted(shown.words[index], "word");
  const words = `${shown.name[index]}: m = ${shown.m[index]}, ${size}, NodeImp ${decimals(shown.node[index])}, PathImp ${decimals(shown.path[index])}`;
  const here = under[index].length ? `${under[index].length} here` : shown.here[index] ? "" : "not here";
  return [
    el("span", { class: "tree-name", title: words }, el("code", { class: shown.kind[index] }, shown.name[index]), el("small", { class: "quiet" }, ` ${size}`), here ? el("small", { class: under[index].length ? "here" : "quiet" }, ` · ${here}`) : null),
    el("span", { class: "number m" }, shown.m[index]),
    el("span", { class: "number" }, decimals(shown.node[index]), meter(shown.node[index], "importance")),
    el("span", { class: "number" }, decimals(shown.path[index]), meter(shown.path[index], "importance")),
  ];
}

function chooseElement(index) {
  const blocks = under[index];
  stage.frame.flag("selected", []);
  stage.frame.flag("chosen", blocks);
  if (blocks.length) stage.frame.reveal(blocks[0]);
  const inner = shown.kind[index] === "inner";
  detail.replaceChildren(
    el("p", {}, el("code", {}, shown.name[index])),
    el("p", {}, inner
      ? `${counted(shown.m[index], "tag node")} with ${counted(shown.styles[index], "presentation style")}: ${shown.styles[index] > 1 ? "their children differ" : "their children are the same everywhere"}.`
      : `A leaf of ${counted(shown.m[index], "tag node")} with ${counted(shown.words[index], "distinct word")}.`),
    el("p", { class: "quiet" }, blocks.length ? `${counted(blocks.length, "block")} of this page are in it.` : "No block of this page is in it."),
  );
}

async function describeBlock(block) {
  const words = await ask(siteAddress(`/page/${site.page}/structure/${block}`));
  if (block !== selected) return;
  const least = Math.min(...words.map((word) => word.weight)), most = Math.max(...words.map((word) => word.weight));
  detail.replaceChildren(
    el("p", { class: "words" }, ...words.slice(0, 300).flatMap(({ word, entropy, weight }) => [
      el("span", { class: `w${Math.round(5 * weight)}`, title: `H = ${decimals(entropy)}, W = ${decimals(weight)}` }, word), " "])),
    el("p", {}, `Mean NodeImp ${decimals(shown.importance[block])}, mean weight `, sym("W_E(a)"), ` = PathImp(E) · (1 − H_E(a)) of ${decimals(shown.weight[block])}`,
      words.length ? ` (${decimals(least)} to ${decimals(most)}; the stronger the shade of a word, the more it weighs).` : "."),
    shown.element[block] < 0 ? el("p", { class: "quiet" }, "No other page has this element, so it counts as content.") : "",
  );
}

