// The block under the pointer, or else the one that the cursor is on: what was decided about it, and why.
import { ask, attempt, el, settled } from "./base.js";
import { isOnPage } from "./page_frame.js";
import { on, page, VERDICTS, verdictOf } from "./page_state.js";

const place = document.getElementById("details");
const reasons = new Map(); // settings and block -> answer
let shown = -1;

function showBlock() {
  const block = page.hovered >= 0 ? page.hovered : page.cursor;
  if (!page.outcome || block === shown) return;
  shown = block;
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
      el("span", { class: "quiet grow" }, `block ${block} · ${page.words[block]} word${page.words[block] === 1 ? "" : "s"}`),
    ),
    el("p", { class: "excerpt", dir: "auto" }, text.length > 160 ? `${text.slice(0, 159)}…` : text),
  ];
}

function meter(probability) {
  const bar = el("i");
  bar.style.width = `${100 * probability}%`;
  return bar;
}

function showReason(block, answer) {
  const notes = [...answer.words];
  const site = answer.site ? el("p", {}, el("b", {}, "Site: "), answer.site) : answer.final ? null : el("p", { class: "quiet" }, "Site: its pages are being read …");
  if (!isOnPage(block)) notes.push("The page shows no place for it: see the list of blocks.");
  const parts = [
    ...head(block),
    notes.length ? el("p", {}, notes.join(" ")) : null,
    site,
    bars(answer.bars.filter(({ adds }) => Math.abs(adds) >= 0.05)),
    el("p", { class: "quiet small" }, answer.reason),
    answer.evidence.families ? null : values(answer.evidence),
    el("p", { class: "quiet small path", title: "XPath of its element" }, answer.path),
  ];
  place.replaceChildren(...parts.filter((part) => part !== null));
}

function bars(rows) {
  if (!rows.length) return null;
  const most = Math.max(1, ...rows.map((row) => Math.abs(row.adds)));
  return el("dl", { class: "bars", "aria-label": "What speaks for it and against it, in log-odds" },
    ...rows.flatMap(({ name, adds }) => {
      const bar = el("i", { class: adds < 0 ? "against" : "for" });
      bar.style.width = `${(50 * Math.abs(adds)) / most}%`;
      return [el("dt", {}, name), el("dd", {}, el("span", { class: "scale" }, bar), el("span", { class: "number" }, `${adds > 0 ? "+" : "−"}${Math.abs(adds).toFixed(1)}`))];
    }));
}

function values(evidence) {
  const rows = Object.entries(evidence).map(([name, value]) => [el("dt", {}, name), el("dd", {}, typeof value === "object" ? JSON.stringify(value) : String(value))]);
  return rows.length ? el("dl", { class: "values" }, ...rows.flat()) : null;
}

on("hover", showBlock);
on("select", showBlock);
on("outcome", () => { shown = -2; showBlock(); });
