// How long the page was worked on, how far the list of pages is, and how long the rest takes.
import { ask, attempt } from "./base.js";
import { frameDocument } from "./page_frame.js";
import { on, page } from "./page_state.js";
import { correct, isDone } from "./correct_state.js";

const IDLE = 30; // seconds without a key or a movement after which nobody works on the page
const EVERY = 5; // seconds between reports
let lastMove = performance.now();
let unsent = 0; // seconds
let wasDone = false;

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
const roughly = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`);

function note() {
  const now = performance.now();
  if (correct.isOn && document.visibilityState === "visible") unsent += Math.min((now - lastMove) / 1000, IDLE);
  lastMove = now;
}

function show() {
  document.getElementById("label-time").textContent = clock(correct.seconds + unsent);
}

/** Send the time that was not sent yet. */
export function sendTime() {
  if (unsent < 0.05) return;
  const seconds = unsent;
  unsent = 0;
  correct.seconds += seconds;
  const body = { annotator: correct.annotator, seconds, project: document.body.dataset.project };
  ask(`/api/page/${page.id}/seconds`, { method: "POST", body, keepalive: true })
    .catch(({ status }) => { if (!status) { unsent += seconds; correct.seconds -= seconds; } }); // nobody answered
}

async function showProgress() {
  const list = new URLSearchParams(location.search);
  list.set("annotator", correct.annotator);
  const { pages, done, median, left } = await ask(`/api/labelling?${list}`);
  const rest = median === null ? "" : ` · ${roughly(median)} a page, about ${roughly(left)} left`;
  document.getElementById("label-progress").textContent = `${done} of ${pages} pages done${done < pages ? rest : ""}`;
}

/** Start the clock; once the page is open. */
export function openTime() {
  for (const each of [document, frameDocument()]) {
    for (const name of ["keydown", "mousemove", "mousedown", "wheel"]) each.addEventListener(name, note, { passive: true, capture: true });
  }
  setInterval(show, 1000);
  setInterval(() => { if (unsent >= 1) sendTime(); }, EVERY * 1000);
  window.addEventListener("pagehide", () => { note(); sendTime(); });
  on("correct", ({ isOn }) => { lastMove = performance.now(); if (isOn) attempt(showProgress); });
  on("labels", () => {
    const done = isDone();
    if (done !== wasDone && correct.isOn) { note(); sendTime(); setTimeout(() => attempt(showProgress), 300); }
    wasDone = done;
  });
  wasDone = isDone();
}
