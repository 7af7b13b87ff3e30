// The rubric beside the page. It is Markdown of our own: headings, lists, tables, paragraphs; no text becomes HTML.
import { attempt, el } from "./base.js";
import { on } from "./page_state.js";
import { addTab, showTab, tabNow } from "./page_tabs.js";

const END = "## How the labels were made";
let before = "text";

/** Add the tab of the rubric. */
export function openRubric() {
  const panel = addTab("rubric", "Rubric");
  const place = el("div", { class: "rubric", tabindex: 0 });
  panel.append(place);
  on("tab", ({ name }) => { if (name === "rubric" && !place.childNodes.length) attempt(() => load(place)); });
}

/** Show the rubric, or again what was shown before. */
export function toggleRubric() {
  if (tabNow() === "rubric") { showTab(before); return; }
  before = tabNow();
  showTab("rubric");
}

async function load(place) {
  const answer = await fetch(new URL("rubric.md", import.meta.url));
  const text = await answer.text();
  place.replaceChildren(...parts(text.split(END)[0]));
}

/** Elements for a Markdown text. */
function parts(text) {
  return text.split(/\n{2,}/).filter((part) => part.trim()).map((part) => {
    const heading = /^(#{1,3}) (.*)$/.exec(part);
    if (heading) return el(`h${heading[1].length}`, {}, ...spans(heading[2]));
    if (part.startsWith("|")) return table(part.trim().split("\n"));
    if (/^(\d+\.|-) /.test(part)) return list(part);
    return el("p", {}, ...spans(part));
  });
}

function list(part) {
  const items = part.split(/\n(?=\d+\. |- )/).map((item) => el("li", {}, ...spans(item.replace(/^(\d+\.|-) /, ""))));
  return el(part.startsWith("-") ? "ul" : "ol", {}, ...items);
}

function table(lines) {
  const cells = (line, name) => line.replace(/^\||\|$/g, "").split("|").map((cell) => el(name, {}, ...spans(cell.trim())));
  return el("table", {}, el("thead", {}, el("tr", {}, ...cells(lines[0], "th"))), el("tbody", {}, ...lines.slice(2).map((line) => el("tr", {}, ...cells(line, "td")))));
}

/** Bold, italic, code; of links the text. */
function spans(text) {
  const plain = text.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return plain.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).filter(Boolean).map((part) => {
    if (part.startsWith("**")) return el("b", {}, part.slice(2, -2));
    if (part.startsWith("*")) return el("i", {}, part.slice(1, -1));
    return part.startsWith("`") ? el("code", {}, part.slice(1, -1)) : part;
  });
}
