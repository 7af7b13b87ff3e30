// The bar above the page: buttons with their keys, counts, and whether everything is saved.
import { attempt, el } from "./base.js";
import { on, page } from "./page_state.js";
import { actionButton, changeKeys } from "./correct_keys.js";
import { importFiles } from "./correct_files.js";
import { correct, labelled } from "./correct_state.js";

const at = (id) => document.getElementById(id);

/** Make the buttons; once the keys are known. */
export function openBar() {
  at("label-buttons").append(
    ...correct.labels.map((name) => actionButton(name, el("span", { class: "label-key", "data-label": name }, name))),
    actionButton("clear", "none"));
  at("confirm-buttons").append(actionButton("confirm", "confirm"), actionButton("confirm-all", ["all ", el("span", { id: "suggested-count", class: "number" })]));
  at("step-buttons").append(actionButton("undo", "undo"), actionButton("redo", "redo"));
  at("alike-buttons").append(actionButton("alike", "like this"), actionButton("alike-site", "on the site"), actionButton("wider", "unit"), actionButton("brush", "brush", { "aria-pressed": "false" }));
  at("more-buttons").append(
    actionButton("note", ["flag ", el("b", { id: "flag-shown" })]),
    actionButton("rubric", "rubric"),
    el("button", { type: "button", onclick: changeKeys, title: "Choose other keys" }, "Keys…"),
    el("button", { type: "button", onclick: importFiles, title: "Annotations and CLEANEVAL texts, in and out" }, "Files…"));
  const toggle = actionButton("correct", "Correct", { "aria-pressed": String(correct.isOn) });
  at("page-tools").append(toggle);
  on("correct", ({ isOn }) => {
    at("correct").hidden = !isOn;
    toggle.setAttribute("aria-pressed", String(isOn));
  });
}

function showCounts() {
  const count = labelled();
  const size = correct.codes.length;
  at("label-count").textContent = `${count} of ${size} blocks`;
  at("label-meter").value = size ? count / size : 1;
  const open = correct.suggested.reduce((sum, code, block) => sum + (code >= 0 && correct.codes[block] < 0), 0);
  if (at("suggested-count")) at("suggested-count").textContent = open || "";
  if (at("flag-shown")) at("flag-shown").textContent = `${correct.flag}${correct.comment ? " ✎" : ""}`;
  for (const [action, can] of [["undo", correct.canUndo], ["redo", correct.canRedo], ["confirm-all", open], ["confirm", open]]) {
    const button = document.querySelector(`#correct [data-action="${action}"]`);
    if (button) button.disabled = !can;
  }
}

function showSaved({ waiting, failed }) {
  const line = at("label-saved");
  line.classList.toggle("error", Boolean(failed));
  line.textContent = failed ? `not saved: ${failed}` : waiting ? "saving …" : "saved";
  line.title = `In the project at once, and a moment later in ${correct.file}`;
}

on("labels", showCounts);
on("suggested", showCounts);
on("saving", showSaved);
on("brush", ({ code }) => {
  const isOn = code !== null;
  document.querySelector('#correct [data-action="brush"]').setAttribute("aria-pressed", String(isOn));
  correct.labels.forEach((name, index) => document.querySelector(`#label-buttons [data-action="${name}"]`).setAttribute("aria-pressed", String(code === index)));
});
