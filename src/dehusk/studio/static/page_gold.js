// With gold: which blocks are missing in the outcome, and which are too much.
import { ask, bindKey, el } from "./base.js";
import { controls } from "./page_settings.js";
import { emit, on, page, setMark } from "./page_state.js";

const OTHER = 4; // index of the label of what is not content
let gold = null;

/** How a block differs from the gold: "missing", "extra", or "". */
function differs(block) {
  const code = gold.codes[block];
  if (code < 0 || !controls.gold.checked) return "";
  const wanted = code !== OTHER, kept = Boolean(page.outcome.blocks.kept[block]);
  return wanted === kept ? "" : wanted ? "missing" : "extra";
}

function update() {
  if (!gold) return;
  setMark("gold", differs);
  const words = { missing: 0, extra: 0 };
  page.words.forEach((number, block) => { const how = differs(block); if (how) words[how] += number; });
  for (const how of ["missing", "extra"]) document.getElementById(`gold-${how}`).textContent = controls.gold.checked ? ` ${words[how]} words` : "";
}

/** Look for the gold of the page; without any, nothing changes. Call it again when labels of the page changed. */
export async function openGold() {
  gold = await ask(`/api/page/${page.id}/gold`);
  if (!gold) return;
  document.getElementById("gold-switch").hidden = false;
  for (const option of document.querySelectorAll('#block-filter [hidden], #compare option[value="gold"]')) option.hidden = false;
  const legend = document.getElementById("page-legend");
  if (!document.getElementById("gold-missing")) {
    legend.append(
      el("span", { class: "key", title: gold.source }, el("span", { class: "gold", "data-gold": "missing" }, "missing"), el("span", { id: "gold-missing", class: "quiet" })),
      el("span", { class: "key", title: gold.source }, el("span", { class: "gold", "data-gold": "extra" }, "too much"), el("span", { id: "gold-extra", class: "quiet" })),
    );
  }
  update();
  emit("gold", { source: gold.source });
}

controls.gold.addEventListener("input", update);
on("outcome", update);
bindKey("g", "gold: what is missing and what is too much", () => {
  if (!gold) return;
  controls.gold.checked = !controls.gold.checked;
  update();
});
