// One page: how it looked, with its blocks marked, and the outcome beside it.
import { addressOf, ask, attempt, bindKey, el, say } from "./base.js";
import "./page_blocks.js";
import { otherKept } from "./page_compare.js";
import "./page_details.js";
import { openFrame, revealFirstKept, revealInFrame, setPlain } from "./page_frame.js";
import { revealInOutcome } from "./page_outcome.js";
import { openGold } from "./page_gold.js";
import { joinScrolling } from "./page_scroll.js";
import { applySettings, recall, showAgain } from "./page_settings.js";
import { clearSelection, emit, leave, move, on, page, pick, UNSURE, VERDICTS, verdictOf } from "./page_state.js";
import { showTab } from "./page_tabs.js";
import { showNeighbours } from "./page_turn.js";

async function open() {
  recall();
  const loading = applySettings(); // all three at once
  showTab("text");
  const blocks = await ask(`/api/page/${page.id}/blocks`);
  Object.assign(page, { row: blocks.page, texts: blocks.texts, words: blocks.words, kinds: blocks.kinds });
  const shown = loading.then(showAgain); // the text does not wait for the page
  await Promise.all([openFrame(), shown]);
  showAgain();
  joinScrolling();
  const [, named] = location.hash.match(/^#block-(\d+)$/) ?? [];
  if (named < page.texts.length) {
    pick(Number(named));
    revealInFrame(page.cursor);
  } else if (!revealFirstKept()) {
    showPlainLayout(true);
    say("something on the page covers its text: it is shown in a plain layout (P)");
  }
  document.getElementById("page").dataset.ready = Math.round(performance.now());
  emit("ready");
  attempt(openGold);
}

const UNSURE_TITLE = `unsure: a probability between ${UNSURE[0]} and ${UNSURE[1]}`;

function showLegend() {
  document.getElementById("page-legend").replaceChildren(
    ...Object.entries(VERDICTS).map(([verdict, words]) => el("span", { class: "key verdict", "data-m": verdict, title: UNSURE_TITLE }, words)),
    el("button", { type: "button", id: "plain", "aria-pressed": "false", title: "Without the style sheets of the page, so that nothing covers its text ( P )", onclick: () => showPlainLayout() }, "plain layout"),
    el("span", { class: "key heat" }, "0", el("i", { class: "scale" }), "1 probability"),
  );
}

/** Show the page with or without its own layout; without a word, the other way than now. */
function showPlainLayout(isPlain = document.getElementById("plain").getAttribute("aria-pressed") !== "true") {
  document.getElementById("plain").setAttribute("aria-pressed", String(isPlain));
  setPlain(isPlain);
  if (page.cursor < 0) revealFirstKept();
  else revealInFrame(page.cursor);
}

/** Go to the next block of a kind, or the previous one. */
function step(by, isWanted, what) {
  let block = page.cursor < 0 && by < 0 ? page.texts.length : page.cursor;
  do block += by; while (block >= 0 && block < page.texts.length && !isWanted(block));
  if (block >= 0 && block < page.texts.length) pick(block, { from: "keys" });
  else say(`no ${what} ${by > 0 ? "after" : "before"} this`);
}

async function stepOtherwise(by) {
  const kept = await otherKept();
  if (!kept) return say("nothing to compare with: open Compare, or a page with others of its site");
  return step(by, (block) => kept[block] !== null && Boolean(kept[block]) !== Boolean(page.outcome.blocks.kept[block]), "block that is decided otherwise");
}

function bindKeys() {
  for (const [key, by, way] of [["s", 1, "next"], ["S", -1, "previous"]]) bindKey(key, `${way} unsure block`, () => step(by, (block) => verdictOf(block).endsWith("unsure"), "unsure block"));
  for (const [key, by, way] of [["w", 1, "next"], ["W", -1, "previous"]]) bindKey(key, `${way} kept block`, () => step(by, (block) => page.outcome.blocks.kept[block], "kept block"));
  for (const [key, by, way] of [["y", 1, "next"], ["Y", -1, "previous"]]) bindKey(key, `${way} block that the comparison, or else the site, decides otherwise`, () => stepOtherwise(by));
  bindKey("P", "plain layout", () => showPlainLayout());
  for (const [key, by, words] of [["j", 1, "next block"], ["k", -1, "previous block"]]) {
    bindKey(key, words, () => move(by));
    bindKey(key.toUpperCase(), `${words}, selected as well`, () => move(by, true));
  }
  bindKey("ArrowDown", "next block", () => move(1));
  bindKey("ArrowUp", "previous block", () => move(-1));
  bindKey("shift+ArrowDown", "next block, selected as well", () => move(1, true));
  bindKey("shift+ArrowUp", "previous block, selected as well", () => move(-1, true));
  bindKey("Home", "first block", () => pick(0, { from: "keys" }));
  bindKey("End", "last block", () => pick(page.texts.length - 1, { from: "keys" }));
  bindKey("Enter", "show the block on both sides", () => { revealInFrame(page.cursor); revealInOutcome(page.cursor); });
  bindKey("Escape", "select nothing", clearSelection);
}

/** Tell screen readers what the keys are at. */
function speak({ selected, cursor, from }) {
  if (from !== "keys" || cursor < 0 || !page.outcome) return;
  const { probability, label } = page.outcome.blocks, given = page.marks.get("label")?.(cursor);
  const many = selected.size > 1 ? `${selected.size} blocks selected; ` : "";
  document.getElementById("spoken").textContent = `${many}${VERDICTS[verdictOf(cursor)]}, ${probability[cursor].toFixed(2).replace("0.", ".")}, ${label[cursor]}${given ? `, labelled ${given.replace("-", ", ")}` : ""}: ${page.texts[cursor].slice(0, 200)}`;
}

const splitter = document.getElementById("splitter");
const panes = splitter.parentElement;
const STORED = "dehusk-page-split";

function setShare(share) {
  const rounded = Math.min(80, Math.max(20, Math.round(share)));
  panes.style.setProperty("--split", `${rounded}%`);
  splitter.setAttribute("aria-valuenow", String(rounded));
  localStorage.setItem(STORED, String(rounded));
}

/** The line between the page and what is beside it: drag it, or move it by arrow keys. */
function joinSplitter() {
  const stored = Number(localStorage.getItem(STORED));
  if (stored) setShare(stored);
  splitter.addEventListener("pointerdown", (event) => {
    splitter.setPointerCapture(event.pointerId);
    panes.classList.add("dragging");
  });
  splitter.addEventListener("pointermove", (event) => {
    if (!splitter.hasPointerCapture(event.pointerId)) return;
    const box = panes.getBoundingClientRect();
    setShare((100 * (event.clientX - box.left)) / box.width);
  });
  splitter.addEventListener("pointerup", () => panes.classList.remove("dragging"));
  splitter.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -2, ArrowRight: 2 }[event.key];
    if (by) { event.preventDefault(); event.stopPropagation(); setShare(Number(splitter.getAttribute("aria-valuenow")) + by); }
  });
}

/** From a page to a rule: of the selected blocks, or else of those that were corrected. */
function makeRule() {
  const query = new URLSearchParams({ page: page.id });
  if (page.selected.size) query.set("blocks", [...page.selected].sort((a, b) => a - b).join(","));
  return leave(`/rules?${query}`);
}

const saved = el("a", { id: "save-page", download: "", title: "Save the page as one file to mail, with its blocks marked and their reasons" }, "Save as a file");
on("outcome", () => saved.setAttribute("href", addressOf(`/api/page/${page.id}/overlay?${page.settings}`)));
document.getElementById("page-tools").append(
  saved,
  el("button", { type: "button", id: "make-rule", title: "Make a rule for the host of the selected blocks, or of the corrections ( R )", onclick: () => attempt(makeRule) }, "Make a rule"),
);
bindKey("R", "make a rule of the selected blocks, or of the corrections", makeRule);
on("select", speak);
showLegend();
bindKeys();
joinSplitter();
attempt(async () => {
  try {
    await open();
  } catch (error) { // such as a file that has changed: said where the outcome would be, not only for a moment
    document.getElementById("outcome").textContent = error.message;
    throw error;
  }
});
attempt(showNeighbours);
