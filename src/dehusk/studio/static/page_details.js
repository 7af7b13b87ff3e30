// The block under the pointer, or else the one that the cursor is on: what was decided about it, and why.
import { ask, attempt, counted, el, settled } from "./base.js";
import { isOnPage, outline } from "./page_frame.js";
import { on, page, VERDICTS, verdictOf } from "./page_state.js";

const place = document.getElementById("details");
const reasons = new Map(); // settings and block -> answer
let shown = -1;

function showBlock() {
  const block = page.hovered >= 0 ? page.hovered : page.cursor;
  if (!page.outcome || block === shown) return;
  shown = block;
  outline(null);
  if (block < 0) { place.replaceChildren(el("p", { class: "quiet" }, "Point at a text, or move with j and k, to see why it is kept or dropped.")); return; }
  place.replaceChildren(...head(block), el("p", { class: "quiet" }, "…"));
  const known = reasons.get(`${page.settings} ${block}`);
  if (known) showReason(block, known);
  else fetchReason(block);
}

const fetchReason = settled((block) => attempt(async () => {
  if (block !== shown) return;
  const key = `${page.settings} ${block}`;
  const answer = await ask(`/api/page/${page.id}/reason/${block}?${page.settings}`);
  if (reasons.size > 2000) reasons.clear();
  if (answer.final) reasons.set(key, answer); // else the site is still being learned
  if (block !== shown) return;
  showReason(block, answer);
  if (!answer.final) setTimeout(() => { if (block === shown) fetchReason(block); }, 800);
}), 40);

function head(block) {
  const { probability, label } = page.outcome.blocks;
  const verdict = verdictOf(block);
  const text = page.texts[block];
  return [
    el("div", { class: "row" },
      el("span", { class: "badge", "data-m": verdict }, VERDICTS[verdict]),
      el("span", { class: "meter", "data-p": "", role: "img", "aria-label": `probability ${probability[block].toFixed(2)}` }, meter(probability[block])),
      el("b", { class: "number" }, probability[block].toFixed(2)),
      el("span", {}, label[block]),
      el("span", { class: "quiet grow" }, `block ${block} · ${counted(page.words[block], "word")}`),
    ),
    el("p", { class: "excerpt", dir: "auto" }, text.length > 160 ? `${text.slice(0, 159)}…` : text),
  ];
}

function meter(probability) {
  const bar = el("i");
  bar.style.width = `${100 * probability}%`;
  return bar;
}

let isUnfolded = false; // the sum

function showReason(block, answer) {
  const site = answer.site ? el("p", {}, el("b", {}, "Site: "), answer.site) : answer.final ? null : el("p", { class: "quiet" }, "Site: its pages are being read …");
  place.replaceChildren(
    ...head(block),
    el("p", { class: "why" }, answer.words),
    ...(answer.otherwise ? [el("p", { class: "quiet" }, answer.otherwise)] : []),
    ...(labelledOtherwise(block) ? [el("p", {}, `You labelled it ${page.marks.get("label")(block)}. Labels are gold: a rule (R) or training lets pages follow them.`)] : []),
    ...(isOnPage(block) ? [] : [el("p", {}, "The page shows no place for it: see the list of blocks.")]),
    ...(site ? [site] : []),
    el("details", { open: isUnfolded, ontoggle: (event) => { isUnfolded = event.target.open; } },
      el("summary", { class: "quiet" }, answer.bars.length ? `what adds up to log-odds of ${signed(answer.total)}` : "more"),
      ...(answer.bars.length ? [bars(answer)] : [values(answer.evidence)]),
      el("p", { class: "quiet small path", title: "XPath of its element" }, answer.path)),
  );
  outline(block === page.cursor ? answer.node : null);
}

/** Whether a person says of a block what the outcome does not. */
function labelledOtherwise(block) {
  const given = page.marks.get("label")?.(block);
  return Boolean(given) && !given.endsWith("-suggested") && (given !== "other") !== Boolean(page.outcome.blocks.kept[block]);
}

const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(1)}`;

/** The sum as bars: what it begins with, each part that is worth one with its standard error, and the rest. */
function bars({ base, of, bars: steps, total }) {
  const shown = steps.filter(({ adds }) => Math.abs(adds) >= 0.05);
  const rest = total - base - shown.reduce((sum, { adds }) => sum + adds, 0);
  const most = Math.max(1, ...shown.map(({ adds }) => Math.abs(adds)));
  const row = (name, number, bar, error) => [el("dt", {}, name), el("dd", {}, el("span", { class: "scale" }, bar), el("span", { class: "number", title: error ? `± ${error.toFixed(1)}, the standard error` : "" }, number))];
  const bar = (adds) => {
    const own = el("i", { class: adds < 0 ? "against" : "for" });
    own.style.width = `${(50 * Math.abs(adds)) / most}%`;
    return own;
  };
  return el("dl", { class: "bars", "aria-label": "What adds up to the log-odds" },
    ...row(of ? `${of}, on average` : "to begin with", signed(base), ""),
    ...shown.flatMap(({ name, adds, error }) => row(name, `${signed(adds)}${error >= 0.05 ? ` ±${error.toFixed(1)}` : ""}`, bar(adds), error)),
    ...(Math.abs(rest) >= 0.005 ? row("the rest", signed(rest), bar(rest)) : []),
    ...row("in all", signed(total), ""));
}

function values(evidence) {
  const rows = Object.entries(evidence).map(([name, value]) => [el("dt", {}, name), el("dd", {}, typeof value === "object" ? JSON.stringify(value) : String(value))]);
  return el("dl", { class: "values" }, ...rows.flat());
}

on("hover", showBlock);
on("select", ({ cursor }) => { if (cursor === shown) shown = -2; showBlock(); }); // what is selected is outlined
on("outcome", () => { shown = -2; showBlock(); });
