// The template map: how often each block of a page occurs on the site's other pages, as heat over the page.
import { bindKey, counted, el } from "./base.js";
import { askPage, caption, meter, percent, svg, sym } from "./site_state.js";

const BARS = 10;
let shown = null; // the latest answer
let stage = null;
let selected = -1;
let detail = null;
let anywhere = false; // whether a text counts at any place

const shareOf = (block) => (shown.others ? (anywhere ? shown.anywhere : shown.same)[block] / shown.others : 0);

export const template = {
  name: "template",
  label: "Template map",
  async show(on) {
    const answer = await askPage("template");
    if (!on.isCurrent()) return;
    [shown, stage, selected] = [answer, on, -1];
    detail = el("div", { class: "detail stays", role: "status" });
    stage.panel.replaceChildren(figure(), detail, repeated());
    paint();
    describe(-1);
  },
  hover(block) {
    stage.frame.flag("hover", block < 0 ? [] : [block]);
    describe(block < 0 ? selected : block);
  },
  select(block) {
    selected = block;
    stage.frame.flag("selected", block < 0 ? [] : [block]);
    if (block < 0) stage.frame.flag("chosen", []);
    else stage.frame.reveal(block);
    describe(block);
  },
  step(by) {
    const next = selected < 0 ? (by > 0 ? 0 : shown.texts.length - 1) : selected + by;
    if (shown.texts[next] !== undefined) this.select(next);
  },
};

bindKey("a", "template map: count texts in the same place, or anywhere", () => {
  document.getElementById("template-anywhere")?.click();
});

function paint() {
  stage.frame.inner.documentElement.dataset.scale = "template";
  stage.frame.mark("h", (block) => Math.round(10 * shareOf(block)));
  stage.frame.mark("m", (block) => (shown.template[block] ? "template" : ""));
  stage.legend.replaceChildren(
    el("span", { class: "key" }, "0", el("i", { class: "scale template" }), "all other pages have the text"),
    el("span", { class: "key template" }, "template for the default method"),
  );
}

function figure() {
  const template = shown.template.filter(Boolean).length;
  const box = el("label", {}, el("input", { type: "checkbox", id: "template-anywhere", checked: anywhere, onchange: (event) => {
    anywhere = event.target.checked;
    chart.replaceChildren(histogram());
    paint();
    describe(selected);
  } }), " count texts at any place of the pages");
  const chart = el("div", {}, histogram());
  return el("figure", {},
    el("h2", {}, `${template} of ${counted(shown.texts.length, "block")} are template`),
    chart, box,
    caption("Template map.", [
      "The stronger the colour, the more of the site's ", sym("p − 1"), ` = ${shown.others} other pages have the text of a block in the same place: `,
      "the path of tags and classes above it. A text is template if more than half of the other pages that have the place have the text there, ",
      "and most texts in this place are like it. Copies of a page count once.",
    ], ["docs/site-evidence.md", "texts that the site repeats"]),
  );
}

/** How many blocks there are at each share; a click chooses them. */
function histogram() {
  const counts = Array.from({ length: BARS + 1 }, () => []);
  shown.texts.forEach((_, block) => counts[Math.round(BARS * shareOf(block))].push(block));
  const most = Math.max(1, ...counts.map((blocks) => blocks.length));
  const bars = counts.flatMap((blocks, index) => {
    const height = blocks.length ? Math.max(3, (70 * blocks.length) / most) : 0;
    const choose = () => {
      stage.frame.flag("chosen", blocks);
      if (blocks.length) stage.frame.reveal(blocks[0]);
    };
    const words = `${counted(blocks.length, "block")} on about ${index * BARS} % of the other pages`;
    const bar = svg("g", { class: "bar-of", tabindex: 0, role: "button", "aria-label": words, onclick: choose,
      onkeydown: (event) => { if (["Enter", " "].includes(event.key)) choose(); } },
    svg("title", {}, words),
    svg("rect", { x: index * 30, y: 0, width: 28, height: 90, class: "ground" }),
    svg("rect", { x: index * 30, y: 75 - height, width: 28, height, class: "ink", "fill-opacity": 0.25 + 0.075 * index }),
    svg("text", { x: index * 30 + 14, y: 88, "text-anchor": "middle" }, String(index * 10)));
    return blocks.length ? [bar, svg("text", { x: index * 30 + 14, y: 70 - height, "text-anchor": "middle", class: "value" }, String(blocks.length))] : [bar];
  });
  return svg("svg", { viewBox: "0 -14 330 122", class: "chart histogram", role: "group", "aria-label": "Blocks by the share of other pages that have them" },
    ...bars, svg("text", { x: 165, y: 102, "text-anchor": "middle" }, "percent of the other pages that have the text"));
}

function describe(block) {
  if (block < 0) return detail.replaceChildren(el("p", { class: "quiet" }, "Point at a block of the page, or walk over them by j and k."));
  const { others } = shown;
  const [place, same, any] = [shown.place[block], shown.same[block], shown.anywhere[block]];
  const rows = [["same text in this place", same, others], ["some text in this place", place, others], ["same text anywhere", any, others]];
  return detail.replaceChildren(
    el("p", { class: "quoted" }, shown.texts[block] || "(no text)"),
    el("dl", { class: "values" }, ...rows.flatMap(([name, value, of]) => [
      el("dt", {}, name), el("dd", {}, `${value} of ${of}`, meter(of ? value / of : 0, "template"))])),
    el("p", {}, verdict(block)),
  );
}

function verdict(block) {
  if (!shown.template[block]) return "Not template: the default method leaves it as the page alone says.";
  const where = shown.moved[block] ? "at whatever place it stands" : "in this place";
  return `Template ${where}: the default method lowers its probability.`;
}

function repeated() {
  const onPage = new Map(shown.texts.map((text, block) => [text.slice(0, 190).trim(), block]));
  return el("section", {}, el("h2", {}, "Most repeated texts of the site"),
    el("ol", { class: "repeated" }, ...shown.repeated.map(({ pages, text }) => {
      const block = onPage.get(text.slice(0, 190).trim());
      const words = block === undefined ? el("span", {}, text) : el("button", { type: "button", class: "plain", title: "Show it on the page", onclick: () => template.select(block) }, text);
      return el("li", {}, el("span", { class: "number quiet", title: "pages that have it" }, pages), words);
    })),
    el("p", { class: "quiet" }, `${percent(shown.template.filter(Boolean).length / Math.max(1, shown.texts.length))} of this page's blocks are template. Texts with a button are on this page.`));
}
