// A word diff as rows of lines, in one or two columns; long runs of equal lines are folded.
import { el } from "./base.js";

const AROUND = 1; // equal rows that stay beside a difference
const LEAST_FOLDED = 3;

const emptyRow = (start) => ({ left: [], right: [], both: [], differs: false, start });
const endsLine = (parts) => !parts.length || parts.at(-1)[1].endsWith("\n");

/** Rows of a diff: what each side has of a line, whether it differs, and where it is in the left text. */
function rowsOf(runs) {
  const rows = [];
  let row = emptyRow(0);
  let position = 0;
  const add = (sign, text) => {
    if (!text) return;
    row.both.push([sign, text]);
    if (sign !== "+") row.left.push([sign, text]);
    if (sign !== "-") row.right.push([sign, text]);
    row.differs ||= sign !== "=";
    if (sign !== "+") position += text.length;
  };
  for (const [sign, text] of runs) {
    if (sign !== "=") { add(sign, text); continue; }
    if (row.differs && endsLine(row.left) && endsLine(row.right)) { rows.push(row); row = emptyRow(position); }
    for (const line of text.split(/(?<=\n)/)) {
      add("=", line);
      if (!line.endsWith("\n")) continue;
      rows.push(row);
      row = emptyRow(position);
    }
  }
  if (row.both.length) rows.push(row);
  return rows.filter((each) => each.differs || each.both.some(([, text]) => text.trim()));
}

function cell(parts, name) {
  const tags = { "=": "span", "-": "del", "+": "ins" };
  const shown = parts.map(([sign, text], index) => [sign, index === parts.length - 1 ? text.trimEnd() : text]);
  return el("div", { class: name }, ...shown.map(([sign, text]) => el(tags[sign], {}, text)));
}

function makeRow(row, columns) {
  const made = el("div", { class: `diff-row${row.differs ? " differs" : ""}` }, ...(columns ? [cell(row.left, "left"), cell(row.right, "right")] : [cell(row.both, "both")]));
  made.dataset.start = row.start;
  return made;
}

function folded(rows, columns) {
  const button = el("button", { type: "button", class: "fold" }, `${rows.length} equal lines`);
  button.addEventListener("click", () => button.replaceWith(...rows.map((row) => makeRow(row, columns))));
  return button;
}

/** Fill an element with a comparison; null: nothing. `left` and `right` name the two texts. */
export function fillDiff(root, answer, { columns = false, left = "here", right = "" } = {}) {
  root.classList.toggle("columns", columns);
  if (!answer) { root.replaceChildren(); return; }
  const rows = rowsOf(answer.runs);
  if (!rows.some((row) => row.differs)) { root.replaceChildren(el("p", { class: "quiet pad" }, "No word differs.")); return; }
  const parts = columns ? [el("div", { class: "diff-head" }, el("b", {}, left), el("b", {}, right))] : [];
  for (let index = 0; index < rows.length;) {
    let end = index;
    while (end < rows.length && !rows[end].differs) end += 1;
    const [first, last] = [index ? index + AROUND : 0, end < rows.length ? end - AROUND : end];
    const folds = last - first >= LEAST_FOLDED;
    const shown = folds ? rows.slice(index, first) : rows.slice(index, end);
    parts.push(...shown.map((row) => makeRow(row, columns)));
    if (folds) parts.push(folded(rows.slice(first, last), columns), ...rows.slice(last, end).map((row) => makeRow(row, columns)));
    if (end < rows.length) parts.push(makeRow(rows[end], columns));
    index = end + 1;
  }
  root.replaceChildren(...parts);
}

/** Go to the next or previous difference in an element; returns its row. */
export function stepIn(root, by) {
  const all = [...root.querySelectorAll(".differs")];
  if (!all.length) return null;
  const at = all.findIndex((row) => row.classList.contains("current"));
  all[at]?.classList.remove("current");
  const row = all[(Math.max(at, by > 0 ? -1 : 0) + by + all.length) % all.length];
  row.classList.add("current");
  row.scrollIntoView({ block: "center" });
  return row;
}
