// What is to say about the page as a whole: a flag and a comment.
import { attempt, el } from "./base.js";
import { page } from "./page_state.js";
import { correct, NONE, setLabels, setNote } from "./correct_state.js";

/** Ask for the flag and the comment of the page. */
export function openNote() {
  const empty = el("input", { type: "checkbox", checked: true });
  const rest = el("label", { class: "indent" }, empty, " and label the other blocks “other”");
  const choices = ["", ...correct.flags].map((flag, index) => el("label", {},
    el("input", { type: "radio", name: "flag", value: flag, checked: flag === correct.flag, oninput: () => { rest.hidden = flag !== "no content"; } }),
    " ", el("kbd", {}, index), ` ${flag || "no flag"}`));
  rest.hidden = correct.flag !== "no content";
  const comment = el("textarea", { name: "comment", rows: 4, maxlength: 5000, "aria-label": "Comment" }, correct.comment);
  const form = el("form", { method: "dialog" }, el("h2", { id: "note-title" }, "Flag and comment"),
    el("fieldset", {}, el("legend", {}, "Flag"), ...choices, rest),
    ...Object.entries(correct.flagsOfOthers).map(([name, flag]) => el("p", { class: "quiet" }, `${name}: ${flag}`)),
    el("label", { class: "column" }, "Comment", comment),
    el("div", { class: "group" }, el("span", { class: "quiet grow" }, el("kbd", {}, "Ctrl"), " ", el("kbd", {}, "Enter"), " saves"), el("button", { value: "cancel", formnovalidate: true }, "Cancel"), el("button", { class: "primary", value: "save" }, "Save")));
  const dialog = el("dialog", { class: "wide", "aria-labelledby": "note-title" }, form);
  dialog.addEventListener("keydown", (event) => chooseByKey(event, form));
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "save") attempt(() => store(form.elements.flag.value, comment.value, !rest.hidden && empty.checked));
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("input:checked")?.focus();
}

function chooseByKey(event, form) {
  if (event.target.nodeName === "TEXTAREA") {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit(form.querySelector(".primary"));
    return;
  }
  const choice = form.querySelectorAll("[name=flag]")[Number(event.key)];
  if (/^\d$/.test(event.key) && choice) {
    choice.checked = true;
    choice.focus();
    choice.dispatchEvent(new Event("input"));
  } else if (event.key === "Enter" && event.target.nodeName !== "BUTTON") {
    event.preventDefault();
    form.requestSubmit(form.querySelector(".primary"));
  }
}

async function store(flag, comment, labelsRest) {
  await setNote({ flag, comment });
  const open = page.texts.map((_, block) => block).filter((block) => correct.codes[block] === NONE);
  if (labelsRest && open.length) await setLabels(open, correct.labels.indexOf("other"));
}
