// FindOptimal (Ikeda, Yamada & Hirokawa 2001): the surface with the path of the search, and the page in grey.
import { ask, attempt, counted, el, settled } from "./base.js";
import { askPage, caption, percent, siteAddress, sym } from "./site_state.js";
import { Surface } from "./site_surface.js";

const LONG = 120; // characters of a part that are shown at each end, if long parts are shortened
let stage = null;
let surface = null; // drawn
let data = null; // the latest surface
let cut = null; // the cut point that is shown; null: that of the method
let path = 1; // which path the slider walks on
let asked = 0;
const at = {}; // parts of the panel

export const grey = {
  name: "grey",
  label: "FindOptimal",
  async show(on) {
    const answer = await ask(siteAddress("/surface"));
    if (!on.isCurrent()) return;
    [stage, data] = [on, answer];
    path = data.paths.length - 1;
    const [n, a] = data.paths[path].points.at(-1);
    surface = new Surface(data, { choose: (column, row) => attempt(() => apply([data.lengths[column], data.percents[row]])) });
    makePanel();
    await apply([n, a]);
  },
  hover: (block) => stage.frame.flag("hover", block < 0 ? [] : [block]),
  select: (block) => {
    stage.frame.flag("selected", block < 0 ? [] : [block]);

  },
};

function makePanel() {
  at.n = number("n", data.lengths);
  at.a = number("a", data.percents);
  at.steps = el("input", { type: "range", min: 0, step: 1, "aria-label": "Step of the search", oninput: walk });
  at.path = el("select", { "aria-label": "Search", onchange: () => { path = Number(at.path.value); restart(); } },
    ...data.paths.map(({ name, points }, index) => el("option", { value: index }, `the search ${name}: ends at (${points.at(-1)[0]}, ${points.at(-1)[1]})`)));
  at.path.value = path;
  at.facts = el("p", { class: "detail", role: "status" });
  at.shorten = el("input", { type: "checkbox", checked: true, onchange: () => showDocument() });
  at.document = el("pre", { class: "grey-page", tabindex: 0, "aria-label": "The document, useless parts in grey" });
  at.steps.max = data.paths[path].points.length - 1;
  at.steps.value = at.steps.max;
  stage.panel.replaceChildren(
    el("figure", {}, el("h2", {}, "Surface of alternation counts"), surface.element,
      el("div", { class: "controls" }, at.path, el("label", {}, "step ", at.steps)),
      el("div", { class: "controls" }, el("label", {}, sym("n"), " ", at.n), el("label", {}, sym("a"), " ", at.a, " %"),
        el("button", { type: "button", title: "n-grams of 32 characters on at least two pages", onclick: () => attempt(() => apply(null)) }, "cut of the method")),
      surfaceCaption()),
    at.facts,
    el("figure", {}, el("h2", {}, "The document, useless parts in grey"),
      el("label", {}, at.shorten, " shorten long parts, as figure 4 does"), at.document,
      caption("Figures 4 and 5.", ["Tags and text of the page as the method compares them: grey and struck through what an occurrence of a useless n-gram in ",
        sym("W"), " covers (range string 0), in the colour of text what is kept (1). The page beside it shows the same."],
      ["docs/alternation-paper.md", "FindOptimal, from paper to code"])),
  );
  stage.legend.replaceChildren(el("span", { class: "key useless" }, "useless"), el("span", { class: "key" }, "kept"));
}

function surfaceCaption() {
  return caption("Surface.", [
    "For each length ", sym("n"), " and share ", sym("a"), ": ", sym("A_D(n, a)"), ", how often the documents ", sym("D"),
    " change between useless and kept if the ", sym("a"), " % most frequent of the distinct ", sym("n"),
    "-grams are useless. The stronger the colour, the more alternations, on a scale of powers of ten; empty: no n-gram is frequent. The search begins at the ring, (2, 1), ",
    "and goes where the count falls, to the dot: the cut point. Click a cell to colour the page by it. ",
    `${counted(data.documents, "document")} with ${counted(data.characters, "character")}.`,
  ], ["docs/alternation-paper.md", "FindOptimal, from paper to code"]);
}

function number(name, values) {
  const apply_ = settled(() => attempt(() => apply([Number(at.n.value), Number(at.a.value)])), 200);
  return el("input", { type: "number", min: values[0], max: values.at(-1), "aria-label": name, oninput: apply_ });
}

const walk = settled(() => attempt(() => apply(data.paths[path].points[Number(at.steps.value)].slice(0, 2))), 80);

function restart() {
  at.steps.max = data.paths[path].points.length - 1;
  at.steps.value = at.steps.max;
  walk();
}

async function apply(wanted) {
  const now = ++asked;
  const query = wanted ? `?${new URLSearchParams({ n: wanted[0], a: wanted[1] })}` : "";
  const answer = await askPage(`grey${query}`);
  if (now !== asked || !stage.isCurrent()) return;
  cut = { wanted, ...answer };
  if (wanted) [at.n.value, at.a.value] = wanted;
  surface.mark(wanted);
  stage.frame.highlight(answer.texts);
  describe(answer, wanted);
  showDocument();
}

function describe(answer, wanted) {
  const total = wanted ? surface.countAt(wanted) : null;
  at.facts.replaceChildren(
    el("b", {}, wanted ? `Cut point (${answer.n}, ${Math.round(answer.a)}): ` : `The method's own: ${answer.n}-grams on ${answer.t} pages or more: `),
    total === null ? "" : `${total.toLocaleString("en")} alternations in all documents, `,
    `${counted(answer.alternations, "alternation")} in this one; ${percent(answer.share)} of it is useless`,
    wanted ? `; useless n-grams occur ${answer.t.toLocaleString("en")} times or more.` : ".",
    answer.warning ? el("span", { class: "quiet" }, ` ${answer.warning}.`) : "",
  );
}

function showDocument() {
  const { document: text, useless } = cut;
  const edges = [0, ...useless, text.length];
  const parts = [];
  for (let index = 0; index + 1 < edges.length; index += 1) {
    const part = text.slice(edges[index], edges[index + 1]);
    if (!part) continue;
    const shownPart = at.shorten.checked ? shortened(part) : part;
    parts.push(index % 2 ? el("i", { class: "useless" }, shownPart) : shownPart);
  }
  at.document.replaceChildren(...parts);
}

const shortened = (text) => (text.length <= 2 * LONG ? text
  : `${text.slice(0, LONG)}□□□${text.length - 2 * LONG}□□□${text.slice(-LONG)}`);
