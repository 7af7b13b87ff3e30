// Training: started, watched, cancelled, accepted or discarded; all of it is the server's, so that a reload loses nothing.
import { ask, at, attempt, bindKey, el, say } from "./base.js";
import { showResult } from "./train_result.js";

const start = at("start");
let watching;

function show(state) {
  const { plan, progress } = state;
  const running = progress?.state === "running";
  showPlan(plan);
  start.querySelector(".primary").disabled = running || Boolean(plan.problem);
  at("cancel").hidden = !running;
  showProgress(progress, running);
  showDefault(state);
  showResult(state.result, state.default);
  at("train").dataset.state = progress?.state ?? "none";
  clearTimeout(watching);
  if (running) watching = setTimeout(() => attempt(load), 300);
  if (state.done) say(state.done);
}

function showPlan(plan) {
  const facts = [["labelled pages", plan.pages], ["sites", plan.sites], ["to train on", plan.pages - plan.aside], ["kept aside", plan.aside ? `${plan.aside} of ${plan.aside_sites} site${plan.aside_sites === 1 ? "" : "s"}` : 0]];
  at("plan").replaceChildren(...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  at("problem").hidden = !plan.problem;
  at("problem").textContent = plan.problem;
  at("notes").replaceChildren(...plan.notes.map((note) => el("li", {}, note)));
}

function showProgress(progress, running) {
  at("progress").hidden = !running;
  at("failure").hidden = !(progress?.state === "failed" || progress?.state === "cancelled");
  if (!progress) return;
  at("progress").querySelector("progress").value = progress.done / progress.of;
  at("progress-text").textContent = progress.step;
  at("failure").textContent = progress.state === "cancelled" ? "Training was cancelled." : `Training failed: ${progress.message}`;
}

function showDefault(state) {
  const options = [["", "dehusk's default method"], ...state.models.map(({ name, method }) => [name, `${name} (${method})`])];
  at("default").replaceChildren(...options.map(([value, label]) => el("option", { value, selected: value === state.default }, label)));
}

let changes = 0; // made by this window; what was asked before one may be answered after it

async function load() {
  const before = changes;
  const state = await ask("/api/training");
  if (before === changes) show(state);
}

async function post(path, body = {}) {
  const state = await ask(`/api/training${path}`, { method: "POST", body });
  changes += 1;
  show(state);
  document.dispatchEvent(new CustomEvent("made-otherwise"));
}

const train = () => {
  if (start.querySelector(".primary").disabled) return undefined;
  return post("", { method: start.elements.method.value, fill: start.elements.fill.checked, one_by_one: start.elements.one_by_one.checked });
};
const decide = (name) => (at("result").hidden ? say("there is no trained model") : post(`/${name}`));

async function loadNext() {
  const { pages } = await ask("/api/next-pages");
  const list = at("next-pages");
  if (!pages.length) { list.replaceChildren(el("p", { class: "quiet" }, "Every page is labelled or flagged.")); return; }
  list.replaceChildren(...pages.map((page) => el("li", {},
    el("a", { href: `/page/${page.page}`, title: page.url }, page.title || page.url),
    el("span", { class: "reasons" }, ...[page.host, ...page.reasons].filter(Boolean).map((reason) => el("span", {}, reason))))));
}

start.addEventListener("submit", (event) => { event.preventDefault(); attempt(train); });
at("cancel").addEventListener("click", () => attempt(() => post("/cancel")));
for (const name of ["accept", "discard"]) at(name).addEventListener("click", () => attempt(() => decide(name)));
at("default").addEventListener("change", (event) => attempt(() => post("/default", { model: event.target.value })));
bindKey("t", "train", train);
bindKey("Escape", "cancel the training", () => (at("cancel").hidden ? undefined : post("/cancel")));
bindKey("A", "accept the trained model", () => decide("accept"));
bindKey("D", "discard the trained model", () => decide("discard"));
bindKey("n", "open the next page to label", () => at("next-pages").querySelector("a")?.click());
attempt(load);
attempt(loadNext);
