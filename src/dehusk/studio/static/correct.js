// Correct: labels of blocks by key, click and drag. It is built on the view of a page; see page_state.js.
import { attempt, el } from "./base.js";
import { openGold } from "./page_gold.js";
import { revealInFrame } from "./page_frame.js";
import { revealInOutcome } from "./page_outcome.js";
import { emit, on, page } from "./page_state.js";
import { confirm, confirmAll, label, openBrush, seekDifference, seekUnlabelled, selectAlike, selectNarrower, selectWider, toggleBrush, travel, turnOn } from "./correct_actions.js";
import { previewSite } from "./correct_site.js";
import { openBar } from "./correct_bar.js";
import { openKeys } from "./correct_keys.js";
import { openMarks } from "./correct_marks.js";
import { openRubric, toggleRubric } from "./correct_rubric.js";
import { correct, loadLabels, NONE, setLabels, setNote } from "./correct_state.js";
import { openSuggestions } from "./correct_suggest.js";
import { allSent } from "./queue.js";
import { openTime, sendTime } from "./correct_time.js";

const reveal = () => { revealInFrame(page.cursor); revealInOutcome(page.cursor); };

function actions() {
  return {
    ...Object.fromEntries(correct.labels.map((name, code) => [name, () => label(code)])),
    "clear": () => label(NONE),
    "confirm": () => confirm(reveal),
    "confirm-all": confirmAll,
    "next": () => seekUnlabelled(1),
    "previous": () => seekUnlabelled(-1),
    "undo": () => travel("undo"),
    "redo": () => travel("redo"),
    "alike": selectAlike,
    "alike-site": previewSite,
    "wider": selectWider,
    "narrower": selectNarrower,
    "brush": toggleBrush,
    "difference": seekDifference,
    "note": openNote,
    "rubric": toggleRubric,
    "correct": () => turnOn(!correct.isOn),
  };
}

/** Ask for the flag and the comment of the page. */
function openNote() {
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
    if (dialog.returnValue === "save") attempt(() => storeNote(form.elements.flag.value, comment.value, !rest.hidden && empty.checked));
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

async function storeNote(flag, comment, labelsRest) {
  await setNote({ flag, comment });
  const open = page.texts.map((_, block) => block).filter((block) => correct.codes[block] === NONE);
  if (labelsRest && open.length) await setLabels(open, correct.labels.indexOf("other"), "all");
}

function openAnnotator() {
  const input = document.getElementById("annotator");
  input.value = correct.annotator;
  input.addEventListener("change", () => attempt(async () => {
    const name = input.value.trim();
    if (!name || name === correct.annotator) { input.value = correct.annotator; return; }
    sendTime();
    await allSent();
    correct.annotator = name;
    const address = new URL(location.href);
    address.searchParams.set("annotator", name);
    history.replaceState(null, "", address);
    await loadLabels();
    emit("annotator");
  }));
}

async function open() {
  const address = new URL(location.href).searchParams;
  correct.annotator = address.get("annotator") || document.body.dataset.annotator;
  openRubric();
  await loadLabels();
  await openKeys(actions());
  openBar();
  openMarks();
  openBrush();
  openTime();
  openAnnotator();
  openSuggestions();
  on("correct", ({ isOn }) => { if (!isOn) allSent().then(() => attempt(openGold)); });
  if (address.get("correct") === "yes") turnOn(true);
  emit("labels");
  document.getElementById("correct").dataset.ready = "yes";
}

if (document.getElementById("page").dataset.ready) attempt(open);
else on("ready", () => attempt(open));
