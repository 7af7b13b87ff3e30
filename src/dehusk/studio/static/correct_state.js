// Labels of the page that an annotator gives: shown at once, sent in order, and sent again until the studio has them.
//
// State: correct.codes (label of each block, -1 for none), correct.suggested (the same, not yet confirmed), correct.arriving
// (a promise: suggestions are on their way), correct.labels (names), correct.annotator, correct.isOn. Events of page_state.on: "labels" {}, "saving" {waiting, failed}, "correct" {isOn}.
import { ask, say } from "./base.js";
import { emit, holdLeaving, page } from "./page_state.js";

export const NONE = -1;

export const correct = {
  isOn: false, annotator: "", labels: [], codes: [], suggested: [], arriving: Promise.resolve(),
  canUndo: false, canRedo: false, seconds: 0, flag: "", flagsOfOthers: {}, comment: "", flags: [], annotators: [], file: "",
};
let waiting = 0;
let pending = []; // {blocks, labels} that the studio has not confirmed
let last = Promise.resolve();

export const labelled = () => correct.codes.reduce((sum, code) => sum + (code !== NONE), 0);
export const isSuggested = (block) => correct.codes[block] === NONE && (correct.suggested[block] ?? NONE) !== NONE;
export const differs = (block) => correct.codes[block] !== NONE && (correct.suggested[block] ?? NONE) !== NONE && correct.codes[block] !== correct.suggested[block];
export const isDone = () => correct.codes.length > 0 && !correct.codes.includes(NONE);

const path = (rest) => `/api/page/${page.id}/${rest}`;
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Ask for the annotator's labels. */
export async function loadLabels() {
  const state = await ask(path(`labels?annotator=${encodeURIComponent(correct.annotator)}`));
  Object.assign(correct, { labels: state.labels, flags: state.flags, comment: state.comment, annotators: state.annotators, file: state.file });
  take(state);
}

function take({ codes, undo, redo, seconds, failure, flag, flags_of_others: flagsOfOthers }) {
  for (const { blocks, labels } of pending) blocks.forEach((block, index) => { codes[block] = labels[index]; }); // given since it was asked
  Object.assign(correct, { codes, canUndo: undo || pending.length > 0, canRedo: redo && !pending.length, seconds: Math.max(seconds, 0), flag, flagsOfOthers });
  emit("labels");
  emit("saving", { waiting, failed: failure });
}

/** Do one request after the other; one that the studio does not hear is sent until it does. */
function inOrder(request) {
  waiting += 1;
  emit("saving", { waiting, failed: "" });
  const done = last.then(async () => {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // the studio refused it
        emit("saving", { waiting, failed: "the studio does not answer" });
        await sleep(500);
      }
    }
  });
  const settle = () => { waiting -= 1; };
  last = done.then(settle, settle);
  return last.then(() => done); // so that nothing waits any more when the caller goes on
}

/** Give blocks labels: one for all, or one for each. Shown at once; what the studio refuses is taken back. */
export async function setLabels(blocks, given) {
  const annotator = correct.annotator;
  const labels = blocks.map((_, index) => (Array.isArray(given) ? given[index] : given));
  blocks.forEach((block, index) => { correct.codes[block] = labels[index]; });
  const change = { blocks, labels };
  pending.push(change);
  const settle = () => { pending = pending.filter((each) => each !== change); };
  Object.assign(correct, { canUndo: true, canRedo: false });
  emit("labels");
  try {
    const send = () => ask(path("labels"), { method: "POST", body: { annotator, ...change } });
    const { failure } = await inOrder(async () => { const answer = await send(); settle(); return answer; });
    emit("saving", { waiting, failed: failure });
  } catch (error) {
    settle();
    say(error.message);
    await loadLabels();
  }
}

/** Undo or redo; returns the blocks whose labels changed. */
export async function step(name) {
  const before = [...correct.codes];
  const flag = correct.flag;
  const answer = await inOrder(() => ask(path(`labels/${name}`), { method: "POST", body: { annotator: correct.annotator } }));
  take(answer);
  if (!answer.pages.length) say(`there is nothing to ${name}`);
  if (answer.pages.length > 1) say(`${name === "undo" ? "undone" : "redone"} on ${answer.pages.length} pages`);
  if (answer.flag !== flag) say(answer.flag ? `flagged: ${answer.flag}` : "no flag");
  return answer.codes.flatMap((code, block) => (code === before[block] ? [] : [block]));
}

/** Store the flag, which can be undone, or the comment, or both. */
export async function setNote(note) {
  const annotator = correct.annotator;
  Object.assign(correct, note);
  take(await inOrder(() => ask(path("note"), { method: "PUT", body: { annotator, ...note } })));
}

/** Whether everything has arrived. */
export const allSent = () => last;
holdLeaving(async () => { await correct.arriving; await allSent(); }); // also for what waits for suggestions, and is sent then

window.addEventListener("beforeunload", (event) => { if (waiting) event.preventDefault(); });
