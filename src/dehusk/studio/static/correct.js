// Correct: labels of blocks by key, click and drag. It is built on the view of a page; see page_state.js.
import { attempt } from "./base.js";
import { openGold } from "./page_gold.js";
import { revealInFrame } from "./page_frame.js";
import { revealInOutcome } from "./page_outcome.js";
import { emit, on, page } from "./page_state.js";
import { confirm, confirmAll, label, openBrush, seekDifference, seekUnlabelled, selectAlike, selectNarrower, selectWider, toggleBrush, travel, turnOn } from "./correct_actions.js";
import { previewSite } from "./correct_site.js";
import { openBar } from "./correct_bar.js";
import { openKeys } from "./correct_keys.js";
import { openMarks } from "./correct_marks.js";
import { openNote } from "./correct_note.js";
import { openRubric, toggleRubric } from "./correct_rubric.js";
import { correct, loadLabels, NONE } from "./correct_state.js";
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
