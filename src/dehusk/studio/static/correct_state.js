// Labels of the page that an annotator gives: shown at once, and sent by queue.js until the studio has them.
//
// State: correct.codes (label of each block, -1 for none), correct.suggested (the same, not yet confirmed), correct.arriving
// (a promise: suggestions are on their way), correct.labels (names), correct.annotator, correct.isOn. Events of page_state.on: "labels" {}, "saving" {waiting, failed}, "correct" {isOn}.
import { ask, attempt, say } from "./base.js";
import { emit, holdLeaving, page } from "./page_state.js";
import { allSent, pending, send } from "./queue.js";

export const NONE = -1;

export const correct = {
  isOn: false, annotator: "", labels: [], codes: [], suggested: [], arriving: Promise.resolve(),
  canUndo: false, canRedo: false, seconds: 0, flag: "", flagsOfOthers: {}, comment: "", flags: [], annotators: [], file: "",
};
let stored = 0; // labels that the studio has, of this page and annotator
let failure = ""; // why their files could not be written

export const labelled = () => correct.codes.reduce((sum, code) => sum + (code !== NONE), 0);
export const isSuggested = (block) => correct.codes[block] === NONE && (correct.suggested[block] ?? NONE) !== NONE;
export const differs = (block) => correct.codes[block] !== NONE && (correct.suggested[block] ?? NONE) !== NONE && correct.codes[block] !== correct.suggested[block];
export const isDone = () => correct.codes.length > 0 && !correct.codes.includes(NONE);

const isOwn = (change) => change.page === page.id && change.body.annotator === correct.annotator;
const ownPending = () => pending().filter(isOwn);
let isOutdated = false; // another tab labels this page, too
let problem = null; // why the latest try to send something failed
let heard = 0; // changes of this page that the studio has confirmed

/** Ask for the annotator's labels; again if some arrived meanwhile. */
export async function loadLabels() {
  for (;;) {
    const before = heard;
    const state = await ask(`/api/page/${page.id}/labels?annotator=${encodeURIComponent(correct.annotator)}`);
    if (before !== heard) continue;
    isOutdated = false;
    Object.assign(correct, { labels: state.labels, flags: state.flags, comment: state.comment, annotators: state.annotators, file: state.file });
    take(state);
    return;
  }
}

function take({ codes, undo, redo, seconds, failure: failed, flag, flags_of_others: flagsOfOthers }) {
  stored = codes.filter((code) => code !== NONE).length;
  failure = failed;
  const open = ownPending().filter(({ kind }) => kind === "labels");
  for (const { blocks, labels } of open.map(({ body }) => body)) blocks.forEach((block, index) => { codes[block] = labels[index]; }); // given since it was asked
  Object.assign(correct, { codes, canUndo: undo || open.length > 0, canRedo: redo && !open.length, seconds: Math.max(seconds, 0), flag, flagsOfOthers });
  emit("labels");
  tellSaving();
}

/** "Saved" is said only if nothing is under way, and the studio has as many labels as the screen. */
function tellSaving() {
  const waiting = ownPending().length > 0;
  emit("saving", { waiting: waiting || isOutdated || stored !== labelled(), failed: (waiting && problem) || failure });
}

document.addEventListener("queue", ({ detail: { failure: error, change, answer, isOurs } }) => {
  if (change && isOwn(change)) {
    heard += 1;
    if (answer?.labelled !== undefined) { stored = answer.labelled; failure = answer.failure; }
    isOutdated ||= !isOurs || (change.kind === "labels" && !ownPending().length && stored !== labelled());
    if (isOutdated && !ownPending().length) attempt(loadLabels);
  }
  problem = error && (error.status ? error.message : "the studio does not answer");
  if (correct.labels.length) tellSaving();
});

/** Give blocks labels: one for all, or one for each; `source` says how. Shown at once; what the studio refuses is taken back. */
export async function setLabels(blocks, given, source = "given") {
  const labels = blocks.map((_, index) => (Array.isArray(given) ? given[index] : given));
  blocks.forEach((block, index) => { correct.codes[block] = labels[index]; });
  Object.assign(correct, { canUndo: true, canRedo: false });
  const sent = send(page.id, "labels", { annotator: correct.annotator, blocks, labels, source });
  emit("labels");
  tellSaving();
  await sent.catch(loadLabels); // what was refused has been told
}

/** Undo or redo; returns the blocks whose labels changed. */
export async function step(name) {
  const before = [...correct.codes];
  const flag = correct.flag;
  const answer = await send(page.id, `labels/${name}`, { annotator: correct.annotator });
  if (!answer) return []; // another tab heard it
  take(answer);
  if (!answer.pages.length) say(`there is nothing to ${name}`);
  if (answer.pages.length > 1) say(`${name === "undo" ? "undone" : "redone"} on ${answer.pages.length} pages`);
  if (answer.flag !== flag) say(answer.flag ? `flagged: ${answer.flag}` : "no flag");
  return answer.codes.flatMap((code, block) => (code === before[block] ? [] : [block]));
}

/** Store the flag, which can be undone, or the comment, or both. */
export async function setNote(note) {
  Object.assign(correct, note);
  const answer = await send(page.id, "note", { annotator: correct.annotator, ...note });
  if (answer) take(answer);
}

holdLeaving(async () => { await correct.arriving; await allSent(); }); // also for what waits for suggestions, and is sent then
