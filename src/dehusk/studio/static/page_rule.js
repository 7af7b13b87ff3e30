// From a page to a rule: of the selected blocks, or else of those that were corrected.
import { attempt, bindKey, el } from "./base.js";
import { leave, page } from "./page_state.js";

function makeRule() {
  const query = new URLSearchParams({ page: page.id });
  if (page.selected.size) query.set("blocks", [...page.selected].sort((a, b) => a - b).join(","));
  return leave(`/rules?${query}`);
}

document.getElementById("page-tools").append(
  el("button", { type: "button", id: "make-rule", title: "Make a rule for the host of the selected blocks, or of the corrections ( R )", onclick: () => attempt(makeRule) }, "Make a rule"),
);
bindKey("R", "make a rule of the selected blocks, or of the corrections", makeRule);
