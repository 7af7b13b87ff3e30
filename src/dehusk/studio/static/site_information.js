// WISDOM (Kao, Ho & Chen): the information coverage tree of a page, its TOC blocks and articles.
import { attempt, counted, el, settled } from "./base.js";
import { askPage, caption, decimals, meter, percent, sym } from "./site_state.js";
import { Tree } from "./site_tree.js";

const SETTINGS = [
  ["k", "k", "blocks that the search returns", 1, 50, 1],
  ["st", "ST", "a block needs an SII above this", 0, 1, 0.05],
  ["tc_article", "TC_article", "an article block has CII ≥ 1 − TC_article", 0, 1, 0.05],
  ["tc_toc", "TC_TOC", "a TOC block has at least this API per link", 0, 50, 0.25],
  ["cstm", "CSTM", "merge the siblings of this ancestor; 0: do not", 0, 9, 1],
];
const given = {}; // settings that a person changed
let preset = "recommended";
let shown = null;
let stage = null;
let tree = null;
let selected = -1;
let under = null; // entry of the tree -> blocks
const at = {};

export const information = {
  name: "information",
  label: "WISDOM",
  async show(on) {
    stage = on;
    selected = -1;
    await load();
  },
  hover: (block) => stage.frame.flag("hover", block < 0 ? [] : [block]),
  select(block) {
    selected = block;
    stage.frame.flag("chosen", []);
    stage.frame.flag("selected", block < 0 ? [] : [block]);
    if (block < 0) return;
    stage.frame.reveal(block);
    const entry = shown.nodes.findIndex((node) => node.block === block);
    if (entry >= 0) tree.reveal(entry);
  },
  step(by) {
    const next = selected < 0 ? (by > 0 ? 0 : shown.texts.length - 1) : selected + by;
    if (shown.texts[next] !== undefined) this.select(next);
  },
};

async function load() {
  const on = stage;
  const answer = await askPage(`information?${new URLSearchParams({ preset, ...given })}`);
  if (!on.isCurrent()) return;
  shown = answer;
  under = blocksUnder();
  tree = new Tree(shown.nodes.map((node) => node.parent ?? -1), {
    label: "Information coverage tree", content: rowOf, select: chooseEntry,
    hover: (index) => stage.frame.flag("hover", index < 0 ? [] : under[index]),
  });
  const scroll = stage.panel.scrollTop;
  const focused = document.activeElement?.name;
  stage.panel.replaceChildren(figure(), controls(), found(), tree.element);
  unfold();
  stage.panel.scrollTop = scroll;
  if (focused) stage.panel.querySelector(`[name="${focused}"]`)?.focus();
  paint();
}

function blocksUnder() {
  const sets = shown.nodes.map(() => new Set());
  shown.nodes.forEach((node, index) => {
    if (!(node.block >= 0)) return;
    for (let up = index; up !== null && up !== undefined; up = shown.nodes[up].parent) sets[up].add(node.block);
  });
  return sets.map((set) => [...set]);
}

/** Open the tree down to the roots of its blocks. */
function unfold() {
  const roots = shown.nodes.map((node, index) => (node.marks ? index : -1)).filter((index) => index >= 0);
  for (const index of roots.slice(0, 40)) {
    const above = [];
    for (let up = shown.nodes[index].parent; up !== null && up !== undefined; up = shown.nodes[up].parent) above.unshift(up);
    above.forEach((each) => tree.open(each));
  }
}

function paint() {
  stage.frame.inner.documentElement.dataset.scale = "weight";
  stage.frame.mark("m", (block) => shown.types[block]);
  stage.frame.mark("h", (block) => (at.heat.checked ? Math.round(10 * shown.weight[block]) : ""));
  stage.legend.replaceChildren(
    el("span", { class: "key article" }, "article block"), el("span", { class: "key toc" }, "TOC block"),
    el("span", { class: "key" }, "words on all pages", el("i", { class: "scale weight" }), "words of this page (W = 1 − EN)"),
  );
}

function figure() {
  return el("figure", {}, el("h2", {}, "Information coverage tree"),
    caption("WISDOM.", [
      sym("EN(t)"), " is the entropy of a term's occurrences over the ", sym("n"), ` = ${shown.learned} pages: 1 for words that all pages have alike; `,
      sym("W = 1 − EN"), ". ", sym("CII(N)"), " is the mean ", sym("W"), " of the terms in a node; ", sym("API"), " of a link the sum of 1 / ", sym("EN"),
      " of the terms it shares with the page it leads to. ", sym("CLEN, ALEN"), " and ", sym("API"), " add up over a subtree; ",
      sym("SII"), " says how evenly the children share such a sum. The search ", sym("k-MIB"), " takes from the root down the ", sym("k"), " nodes with the largest sum whose ",
      sym("SII > ST"), "; merging adds siblings, condensing removes parts.",
    ], ["docs/wisdom.md", "tables of contents and informative blocks"]));
}

function controls() {
  const change = settled((name, value) => attempt(async () => {
    if (value === "") delete given[name]; else given[name] = value;
    await load();
  }), 250);
  const choice = el("select", { name: "preset", "aria-label": "Preset", onchange: (event) => attempt(async () => {
    preset = event.target.value;
    for (const { 0: name } of SETTINGS) delete given[name];
    await load();
  }) }, ...shown.presets.map((name) => el("option", { value: name, selected: name === preset }, name === "paper" ? "as in the paper" : "recommended")));
  at.heat ??= el("input", { type: "checkbox", checked: true, onchange: () => paint() });
  return el("div", { class: "controls" }, el("label", {}, "settings ", choice),
    ...SETTINGS.map(([name, label, words, min, max, step]) => el("label", { title: words }, sym(label), " ", el("input", {
      type: "number", name, min, max, step, value: valueOf(name), oninput: (event) => change(name, event.target.value) }))),
    el("label", {}, at.heat, " shade by ", sym("W")));
}

const valueOf = (name) => {
  const value = name === "st" && shown.settings.st_article !== null && !given.st ? shown.settings.st_article : shown.settings[name];
  return value === "inf" ? "" : value;
};

function found() {
  const rows = shown.sets.flatMap((set) => set.blocks.map((block) => {
    const index = shown.nodes.findIndex((node) => node.node === block.node);
    return el("li", {}, el("button", { type: "button", class: "plain", onclick: () => { tree.reveal(index); chooseEntry(index); } },
      el("span", { class: `mark ${set.type}` }, set.type === "toc" ? "TOC" : "article"),
      ` ${set.feature} ${number(block.score)}, CII ${decimals(block.cii)}, SII ${decimals(block.sii)}${block.merged ? ", merged" : ""} `,
      el("code", {}, block.path)));
  }));
  return el("section", { class: "detail" }, el("h2", {}, counted(rows.length, "block")),
    el("ul", { class: "found" }, ...rows),
    el("p", { class: "quiet" }, `${percent(shown.loaded)} of the links to this host lead to learned pages; ${percent(shown.zero_api)} of the links have an API of 0.`));
}

function rowOf(index) {
  const node = shown.nodes[index];
  if ("text" in node) return [el("span", { class: "tree-text" }, ...shaded(node))];
  const marks = (node.marks ?? []).map((mark) => el("span", { class: `mark ${mark.endsWith("removed") ? "removed" : mark.split(" ")[0]}` }, mark));
  const facts = ["clen", "alen", "api"].filter((name) => node[name]).map((name) =>
    `${name.toUpperCase()} ${number(node[name])}${node.sii[name] ? ` (SII ${decimals(node.sii[name])})` : ""}`);
  return [el("span", { class: "tree-name" }, el("code", {}, node.tag), ...marks),
    el("span", { class: "facts quiet" }, node.cii === null ? "" : el("span", { class: "cii", title: "CII: mean W of the words" }, `CII ${decimals(node.cii)}`, meter(node.cii, "weight")), facts.join(", "))];
}

const number = (value) => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(1).replace(/\.0$/, ""));

/** The words of a text, each shaded by its weight. */
function shaded({ text, terms }) {
  const parts = [];
  const lowered = text.toLowerCase();
  let end = 0;
  for (const [word, entropy] of terms.slice(0, 400)) {
    const start = lowered.indexOf(word, end);
    if (start < 0 || start > end + 2000) continue;
    if (start > end) parts.push(text.slice(end, start));
    parts.push(el("span", { class: `w${Math.round(5 * (1 - entropy))}`, title: `EN ${decimals(entropy)}` }, text.slice(start, start + word.length)));
    end = start + word.length;
  }
  return [...parts, text.slice(end)];
}

function chooseEntry(index) {
  stage.frame.flag("selected", []);
  stage.frame.flag("chosen", under[index]);
  if (under[index].length) stage.frame.reveal(under[index][0]);
}
