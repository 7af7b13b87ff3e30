// The word diff beside a page: a click on a row, or a step to it, selects its block.
import { fillDiff, stepIn } from "./diff_rows.js";
import { on, page, pick } from "./page_state.js";

const root = document.getElementById("diff");
let places = [];

/** Show a comparison; null: nothing. */
export function showDiff(answer, options) {
  places = answer?.places ?? [];
  fillDiff(root, answer, options);
}

/** Go to the next or previous difference. */
export function stepDiff(by) {
  const row = stepIn(root, by);
  if (row) selectAt(Number(row.dataset.start), "script");
}

function selectAt(start, from) {
  const place = places.find(([, end]) => end > start);
  if (place && place[2] < page.texts.length) pick(place[2], { from });
}

root.addEventListener("click", (event) => {
  const row = event.target.closest(".diff-row");
  if (row) selectAt(Number(row.dataset.start), "diff");
});
on("outcome", () => { places = []; });
