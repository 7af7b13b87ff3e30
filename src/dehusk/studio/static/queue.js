// Changes that people make: kept in this browser until the studio has confirmed them, whatever ends meanwhile, the tab,
// the browser or the studio. Every view of the project sends them, in order, one tab at a time; each has an id, so that
// one whose confirmation was lost is not made twice.
//
// A change is {page, kind, body}. The event "queue" of the document has {failure, change, answer}: why the latest try failed
// (an Error; null: it did not), and the change that is settled now, if one is; isOurs: it was made in this tab, and its answer
// came to it.
import { ask, el } from "./base.js";

const { project, command } = document.body.dataset;
const PREFIX = `dehusk ${project} `;
const METHODS = { labels: "POST", "labels/undo": "POST", "labels/redo": "POST", note: "PUT" };
const REFUSED = [400, 404, 413]; // what is wrong with the change itself
const [PAUSE, LONG_PAUSE] = [500, 2000]; // milliseconds until the next try
const notice = document.getElementById("unsaved");
const callers = new Map(); // key -> {resolve, reject} of who waits for the answer
const unstored = new Map(); // key -> change that the browser has no room for
let latest = 0;
let isSending = false;
let failed = null;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const keys = () => [...Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)), ...unstored.keys()].sort();

function parse(text) {
  try {
    const change = JSON.parse(text);
    return METHODS[change.kind] && Number.isInteger(change.page) && change.body ? change : null;
  } catch {
    return null;
  }
}

const read = (key) => unstored.get(key) ?? parse(localStorage.getItem(key));

/** The changes that the studio has not confirmed, in order. */
export const pending = () => keys().map(read).filter(Boolean);

/** Send a change. Returns the answer, once there is one, or null if another tab got it; throws if the studio refuses it. */
export function send(page, kind, body) {
  latest = Math.max(latest + 1, Date.now());
  const key = `${PREFIX}${latest.toString(36).padStart(10, "0")}-${crypto.randomUUID()}`;
  const change = { page, kind, body };
  try {
    localStorage.setItem(key, JSON.stringify(change));
  } catch {
    unstored.set(key, change);
  }
  return new Promise((resolve, reject) => {
    callers.set(key, { resolve, reject });
    drain();
  });
}

/** Wait until the studio has everything, or says why it cannot have it now; only while nobody answers, that may be long. */
export async function allSent() {
  while (callers.size && !(failed?.status > 404 && failed.status !== 421)) {
    await new Promise((resolve) => document.addEventListener("queue", resolve, { once: true }));
  }
}

async function drain() {
  if (isSending) return;
  isSending = true;
  while (keys().length) {
    failed = await navigator.locks.request(PREFIX, sendAll);
    tell();
    if (failed) await sleep(failed.status ? LONG_PAUSE : PAUSE);
  }
  isSending = false;
}

/** Send what there is; returns the error that keeps something from being stored now, or null. */
async function sendAll() {
  const stuck = new Map(); // page -> error; the changes of other pages do not wait
  for (;;) {
    const key = keys().find((each) => !stuck.has(read(each)?.page));
    if (!key) return [...stuck.values()][0] ?? null;
    const change = read(key);
    if (!change) { settle(key, null, null); continue; } // damaged
    try {
      const body = { ...change.body, project, id: key.slice(PREFIX.length) };
      settle(key, change, await ask(`/api/page/${change.page}/${change.kind}`, { method: METHODS[change.kind], body, signal: AbortSignal.timeout(60_000) }));
    } catch (error) {
      if (REFUSED.includes(error.status)) refuse(key, change, error);
      else if (!error.status || [401, 403, 421].includes(error.status)) return error;
      else stuck.set(change.page, error);
    }
  }
}

/** Forget a change that the studio has. */
function settle(key, change, answer) {
  localStorage.removeItem(key);
  unstored.delete(key);
  const isOurs = callers.has(key);
  callers.get(key)?.resolve(answer);
  callers.delete(key);
  tell({ change, answer, isOurs });
}

function refuse(key, change, error) {
  const count = change.body.blocks ? `${change.body.blocks.length} labels` : change.kind;
  document.body.append(el("dialog", { id: "refused", "aria-labelledby": "refused-title", onclose: (event) => event.target.remove() },
    el("h2", { id: "refused-title" }, "The studio refused a change"), el("p", {}, `Page ${change.page}, ${count}: ${error.message}. It was taken back.`),
    el("form", { method: "dialog" }, el("button", { class: "primary" }, "Close"))));
  document.body.lastElementChild.showModal();
  callers.get(key)?.reject(error);
  callers.delete(key);
  settle(key, change, null);
}

function tell({ change = null, answer = null, isOurs = false } = {}) {
  document.dispatchEvent(new CustomEvent("queue", { detail: { failure: failed, change, answer, isOurs } }));
  if (failed) show();
  else if (!notice.hidden) notice.hidden = true;
}

/** What a failure means, and what to do; from words and a command. */
function advice({ status, message }) {
  if (!status) return ["The studio does not answer. As soon as it does, they are saved. If it has ended, start it again:", command];
  if ([401, 403].includes(status)) return ["The studio has another key now. Open the address that it prints in a tab of this browser; then this tab goes on. To see the address:", command];
  if (status === 421) return ["The studio of another project answers here. End it, and start this one:", command];
  return [`${message[0].toUpperCase()}${message.slice(1)}. They are tried again until it works.`];
}

function show() {
  const count = keys().length;
  const [words, line] = advice(failed);
  const text = `${count} change${count === 1 ? " is" : "s are"} not saved, but kept in this browser. ${words} `;
  if (!notice.hidden && notice.firstChild?.textContent === text) return; // screen readers would say it again
  notice.replaceChildren(text, ...(line ? [el("code", {}, line), " ", el("button", { type: "button", onclick: () => navigator.clipboard.writeText(line) }, "Copy")] : []));
  notice.hidden = false;
}

addEventListener("storage", ({ key, oldValue, newValue }) => {
  if (!key?.startsWith(PREFIX)) return;
  if (newValue) { setTimeout(drain, LONG_PAUSE); return; } // if the tab that made it ends before
  callers.get(key)?.resolve(null);
  callers.delete(key);
  tell({ change: parse(oldValue) });
});
addEventListener("beforeunload", (event) => { if (unstored.size) event.preventDefault(); });
drain();
