// The bar above the page: buttons with their keys, counts, and whether everything is saved.
import { ask, at, attempt, counted, el } from "./base.js";
import { on, page } from "./page_state.js";
import { actionButton, changeKeys } from "./correct_keys.js";
import { correct, labelled, loadLabels } from "./correct_state.js";


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

/** Show where the files are, and read others. */
function importFiles() {
  const result = el("div", { role: "status" });
  const chooser = el("input", { type: "file", multiple: true, accept: ".json,.txt", "aria-label": "Annotations and texts", oninput: () => attempt(() => read({ files: chooser.files }, result)) });
  const own = `annotator=${encodeURIComponent(correct.annotator)}`;
  const dialog = el("dialog", { class: "wide", "aria-labelledby": "files-title" },
    el("h2", { id: "files-title" }, "Labels as files"),
    el("p", {}, "The labels are saved in ", el("code", {}, correct.file), ", with the page beside it, and a CLEANEVAL text once all blocks have a label. ", el("code", {}, "dehusk train"), " and ", el("code", {}, "dehusk eval"), " take this folder."),
    el("p", {}, el("a", { href: `/api/page/${page.id}/annotation?${own}`, download: true }, "Annotation of this page"), " · ", el("a", { href: `/api/page/${page.id}/cleaneval?${own}`, download: true }, "CLEANEVAL text of this page")),
    el("h2", {}, "Read labels"),
    el("p", {}, "Annotations (*.anno.json) find their page by its hash, CLEANEVAL texts by its name. Blocks that have a label keep it."),
    el("div", { class: "group" }, chooser, el("button", { type: "button", onclick: () => attempt(() => read({ beside: true }, result)) }, "Read those beside the pages")),
    result,
    el("form", { method: "dialog", class: "group" }, el("button", { class: "primary" }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function read({ files = [], beside = false }, result) {
  result.replaceChildren("reading …");
  const contents = await Promise.all([...files].map(async (file) => ({ name: file.name, content: await file.text() })));
  try {
    const report = await ask("/api/label-files", { method: "POST", body: { annotator: correct.annotator, files: contents, beside } });
    result.replaceChildren(
      el("p", {}, `${counted(report.labels, "label")} on ${counted(report.pages, "page")}${report.unchanged ? `; ${report.unchanged} files say nothing new` : ""}.`),
      el("ul", { class: "error" }, ...report.messages.slice(0, 50).map((message) => el("li", {}, message))));
    await loadLabels();
  } catch (error) {
    result.replaceChildren(el("p", { class: "error" }, error.message));
  }
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
