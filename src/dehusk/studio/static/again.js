// Rows that were made by another model or other rules than those of now: how many there are, and cleaning them again.
// A view that wants it has an element #again; the event "made-otherwise" of the document says that model or rules changed.
import { ask, attempt, bindKey, counted, el, say } from "./base.js";

const place = document.getElementById("again");
const format = (number) => number.toLocaleString("en");
let state = null;
let watching;

function show(answer) {
  const ended = state?.progress?.state === "running" && answer.progress?.state !== "running";
  state = answer;
  const { outdated, progress } = answer;
  const isRunning = progress?.state === "running";
  place.hidden = !outdated && !isRunning && !progress?.unread;
  place.replaceChildren(...(isRunning ? running(progress) : offer(outdated, progress)));
  clearTimeout(watching);
  if (isRunning) watching = setTimeout(() => attempt(look), 400);
  if (ended) tell(progress);
}

function running({ done, of }) {
  return [el("progress", { value: done, max: Math.max(of, 1), "aria-label": "Pages cleaned again" }), el("span", {}, `${format(done)} of ${counted(of, "page")} cleaned again`),
    el("button", { type: "button", title: "What is done stays ( C )", onclick: () => attempt(cancel) }, "Cancel")];
}

function offer(outdated, progress) {
  const line = outdated ? `The figures of ${counted(outdated, "page")} in the table are out of date: the model, the rules or dehusk have changed since.` : "";
  const unread = progress?.unread ? [el("details", {}, el("summary", {}, `${counted(progress.unread, "page")} could not be read again`), el("ul", {}, ...progress.messages.map((message) => el("li", {}, message))))] : [];
  const button = outdated ? el("button", { type: "button", title: "In the background; labels stay as they are ( C )", onclick: () => attempt(start) }, "Clean all again") : null;
  return [el("span", {}, line), ...(button ? [button] : []), ...unread];
}

function tell({ state: how, done, of, unread, message }) {
  if (how === "failed") say(`Cleaning again failed: ${message}`);
  else say(how === "cancelled" ? `cancelled: ${format(done)} of ${counted(of, "page")} are done` : `${counted(done - unread, "page")} cleaned again`);
  document.dispatchEvent(new CustomEvent("pages-added"));
}

const look = async () => show(await ask("/api/clean-again"));
const start = async () => show(await ask("/api/clean-again", { method: "POST", body: {} }));
const cancel = async () => show(await ask("/api/clean-again", { method: "DELETE", body: {} }));

function toggle() {
  if (state?.progress?.state === "running") return cancel();
  return state?.outdated ? start() : say("all rows are up to date");
}

document.addEventListener("made-otherwise", () => attempt(look));
bindKey("C", "clean again what is out of date, or cancel that", toggle);
attempt(look);
