// One page: how it looked, with its blocks marked, and the outcome beside it.
import { ask, attempt, bindKey, el } from "./base.js";
import "./page_blocks.js";
import "./page_compare.js";
import "./page_details.js";
import { openFrame, revealInFrame } from "./page_frame.js";
import { revealInOutcome } from "./page_outcome.js";
import { openGold } from "./page_gold.js";
import { joinScrolling } from "./page_scroll.js";
import { applySettings, recall, showAgain } from "./page_settings.js";
import { clearSelection, emit, move, page, pick, UNSURE, VERDICTS } from "./page_state.js";
import { joinSplitter } from "./page_splitter.js";
import { showTab } from "./page_tabs.js";
import { showNeighbours } from "./page_turn.js";

async function open() {
  recall();
  showTab("text");
  const loading = applySettings(); // all three at once
  const blocks = await ask(`/api/page/${page.id}/blocks`);
  Object.assign(page, { row: blocks.page, texts: blocks.texts, words: blocks.words, kinds: blocks.kinds });
  await Promise.all([openFrame(), loading]);
  showAgain();
  joinScrolling();
  document.getElementById("page").dataset.ready = Math.round(performance.now());
  emit("ready");
  attempt(openGold);
}

const UNSURE_TITLE = `unsure: a probability between ${UNSURE[0]} and ${UNSURE[1]}`;

function showLegend() {
  document.getElementById("page-legend").replaceChildren(
    ...Object.entries(VERDICTS).map(([verdict, words]) => el("span", { class: "key verdict", "data-m": verdict, title: UNSURE_TITLE }, words)),
    el("span", { class: "key heat" }, "0", el("i", { class: "scale" }), "1 probability"),
  );
}

function bindKeys() {
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
