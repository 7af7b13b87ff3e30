// How far adding pages is, and what could not be read.
import { ask, attempt, el } from "./base.js";

const line = document.getElementById("progress");
const losses = document.getElementById("losses");

async function show() {
  const [progress, lost] = await Promise.all([ask("/api/adding"), ask("/api/losses")]);
  const isBusy = Boolean(progress) && !progress.done;
  line.hidden = !isBusy;
  if (isBusy) showProgress(progress);
  showLosses([...(progress?.messages ?? []), ...lost.losses], lost.count + (progress?.messages.length ?? 0));
}

function showProgress({ pages, inputs, of_inputs, current }) {
  const bar = line.querySelector("progress");
  bar.max = of_inputs;
  if (of_inputs > 1) bar.value = inputs;
  else bar.removeAttribute("value"); // how many pages an input has is not known
  const which = of_inputs > 1 ? ` (${inputs + 1} of ${of_inputs})` : "";
  line.querySelector(".what").textContent = `${pages.toLocaleString("en")} pages added, reading ${current}${which}`;
}

function showLosses(messages, count) {
  losses.hidden = !count;
  losses.querySelector("summary").textContent = `${count.toLocaleString("en")} ${count === 1 ? "part" : "parts"} of the input could not be read`;
  const more = count > messages.length ? [el("li", { class: "quiet" }, `and ${(count - messages.length).toLocaleString("en")} more`)] : [];
  losses.querySelector("ul").replaceChildren(...messages.map((message) => el("li", {}, message)), ...more);
}

document.addEventListener("pages-added", () => attempt(show));
attempt(show);
