// Flag a page, or comment on it, from its row.
import { attempt, bindKey, say } from "./base.js";
import { arrived, patch } from "./pages_grid.js";
import { nameOf } from "./pages_rows.js";
import { send } from "./queue.js";

const dialog = document.getElementById("remark");
const form = dialog.querySelector("form");
const comment = form.elements.comment;
let page;

/** Show the dialog for a row. */
export function openRemark(row, { onComment = false } = {}) {
  if (!row) return;
  page = row;
  dialog.querySelector("p").textContent = nameOf(row);
  for (const choice of form.elements.flag) choice.checked = choice.value === row.flag;
  comment.value = row.comment;
  dialog.showModal();
  if (onComment) comment.focus();
  else [...form.elements.flag].find((choice) => choice.checked)?.focus();
}

async function save() {
  const remark = { comment: comment.value.trim() };
  const chosen = form.elements.flag.value;
  if (chosen !== page.flag) remark.flag = chosen; // the flag of the row may be that of another annotator
  const answer = await send(page.id, "note", { annotator: document.body.dataset.annotator, ...remark });
  const [[name, stays] = []] = Object.entries(answer?.flags_of_others ?? {});
  patch(page.id, { ...remark, flag: chosen || stays || "" });
  say(!chosen && stays ? `${name} flagged the page as ${stays}: that stays` : chosen ? `flagged: ${chosen}` : "saved");
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.value !== "cancel") attempt(save);
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.target !== comment)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector(".primary"));
  } else if (event.target !== comment && /^[0-9]$/.test(event.key)) {
    const choice = form.elements.flag[Number(event.key)];
    if (choice) { choice.checked = true; choice.focus(); }
  }
});
dialog.addEventListener("close", () => document.getElementById("grid").focus());
bindKey("f", "flag the page, or remove its flag", async () => openRemark(await arrived()));
bindKey("c", "comment on the page", async () => openRemark(await arrived(), { onComment: true }));
