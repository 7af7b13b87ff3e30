// How labels look: each by its colour, its line and its letter; suggestions are outlines with a question mark.
import { counted, el } from "./base.js";
import { addStyle, elementsOf, frameDocument } from "./page_frame.js";
import { on, page, setMark } from "./page_state.js";
import { correct, differs, isSuggested, NONE } from "./correct_state.js";

const LOOKS = { // label -> colour on any ground, line, ground
  header: ["20 80 190", "double 3px", 0.16],
  list: ["0 115 125", "dashed 2px", 0.14],
  paragraph: ["20 120 50", "solid 2px", 0.15],
  continuation: ["115 100 0", "wavy 1.5px", 0.16],
  other: ["175 45 35", "dotted 2px", 0.1],
};

function frameRules() {
  const rules = Object.entries(LOOKS).map(([name, [colour, line, ground]]) => {
    const letter = name[0].toUpperCase();
    const fill = name === "other" ? `repeating-linear-gradient(135deg,rgb(${colour} / .2) 0 2px,rgb(${colour} / .05) 2px 7px)` : `rgb(${colour} / ${ground})`;
    return `
[data-labels] MARK[data-label="${name}"]{background:${fill}!important;text-decoration:underline ${line} rgb(${colour})!important;text-decoration-skip-ink:none!important}
[data-labels] MARK[data-label="${name}-suggested"]{background:none!important;text-decoration:underline dotted 1px rgb(${colour})!important}
[data-labels] MARK[data-first][data-label="${name}"]::before{content:"${letter}"!important;background:rgb(${colour})!important;color:#fff!important}
[data-labels] MARK[data-first][data-label="${name}-suggested"]::before{content:"${letter.toLowerCase()}?"!important;background:#fff!important;color:rgb(${colour})!important}`;
  });
  return `
[data-labels] MARK[data-m]{background:none!important;text-decoration:none!important}
[data-labels] MARK[data-first]{position:relative!important}
[data-labels] MARK[data-first][data-label]::before{position:absolute!important;left:-8px!important;top:-8px!important;padding:0 2px!important;border:1px solid currentColor!important;border-radius:3px!important;
  font:700 8.5px/9px sans-serif!important;letter-spacing:0!important;text-indent:0!important;text-transform:none!important;white-space:nowrap!important;opacity:.92!important;z-index:9!important}
${rules.join("")}
[data-labels] MARK[data-selected]{background-color:rgb(11 87 208 / .2)!important}
[data-labels] MARK[data-gold]{box-shadow:none!important}
[data-labels] MARK[data-differs]{box-shadow:0 0 0 3px rgb(190 20 120)!important}
[data-brush],[data-brush] *{cursor:crosshair!important}`;
}

const nameOf = (block) => {
  if (!correct.isOn) return "";
  const code = correct.codes[block] ?? NONE;
  if (code !== NONE) return correct.labels[code];
  return isSuggested(block) ? `${correct.labels[correct.suggested[block]]}-suggested` : "";
};
const differsNow = (block) => (correct.isOn && correct.source?.startsWith("by:") && differs(block) ? "yes" : "");

function show() {
  const root = frameDocument()?.documentElement;
  if (!root || !document.getElementById("differs-key")) return;
  root.toggleAttribute("data-labels", correct.isOn);
  setMark("label", nameOf);
  setMark("differs", differsNow);
  const count = page.texts.filter((_, block) => differsNow(block)).length;
  document.getElementById("differs-key").hidden = !count;
  document.getElementById("differs-count").textContent = `${counted(count, "block")}`;
}

/** Prepare the frame; once it is open. */
export function openMarks() {
  addStyle(frameRules());
  page.texts.forEach((_, block) => elementsOf(block)[0]?.setAttribute("data-first", ""));
  const legend = document.getElementById("page-legend");
  legend.append(...correct.labels.map((name) => el("span", { class: "key label-key", "data-label": name }, name)),
    el("span", { class: "key label-key", "data-label": "paragraph-suggested" }, "suggested"),
    el("span", { id: "differs-key", class: "key", hidden: true }, el("span", { class: "label-key differs" }, "differs"), " ", el("span", { id: "differs-count", class: "quiet" })));
}

/** The cursor of the brush on the page. */
export const showBrush = (isOn) => frameDocument()?.documentElement.toggleAttribute("data-brush", isOn);

on("labels", show);
on("suggested", show);
on("correct", ({ isOn }) => {
  document.getElementById("page").toggleAttribute("data-labels", isOn);
  show();
});
