// How well methods do on the pages with gold: what to measure, its progress, and the results.
import { ask, at, attempt, bindKey, counted, el, say } from "./base.js";
import { joinFiles } from "./report_files.js";
import { bindMethods, showMethods } from "./report_methods.js";
import { showPages } from "./report_pages.js";
import "./report_save.js";

const POLL = 300; // ms
const form = at("start");
let watching = false;

function show(state) {
  const { gold, rows, progress } = state;
  at("gold").textContent = goldWords(gold);
  at("no-gold").hidden = gold.pages > 0;
  at("no-results").hidden = rows.length > 0 || !gold.pages || progress?.state === "running";
  at("no-results").textContent = `Nothing is measured yet. Choose methods above, and press Measure (m): they clean the ${counted(gold.pages, "page")} with gold in the background.`;
  showProgress(progress, gold.pages);
  showMethods(state, (row) => attempt(() => showPages(row)));
  at("report").dataset.state = progress?.state ?? "none";
}


function goldWords({ pages, labelled, files, flagged }) {
  if (!pages) return "";
  const from = [labelled ? `${labelled.toLocaleString("en")} labelled here` : "", files ? `${files.toLocaleString("en")} with a file beside ${files === 1 ? "it" : "them"}` : ""].filter(Boolean).join(", ");
  return `${counted(pages, "page")} with gold (${from})${flagged ? `; ${flagged} flagged ones are left out` : ""}`;
}

function showProgress(progress, pages = 1) {
  const running = progress?.state === "running";
  at("progress").hidden = at("cancel").hidden = !running;
  form.querySelector(".primary").disabled = running || !pages;
  at("failure").hidden = progress?.state !== "failed";
  at("notes").replaceChildren(...(progress?.notes ?? []).map((note) => el("li", {}, note)));
  if (!progress) return;
  at("failure").textContent = `It failed: ${progress.message}`;
  at("progress").querySelector("progress").value = progress.of ? progress.done / progress.of : 0;
  const left = progress.left > 2 ? `, about ${progress.left < 90 ? `${Math.round(progress.left)} s` : `${Math.round(progress.left / 60)} min`} left` : "";
  at("progress-text").textContent = `${progress.step} (${progress.done} of ${progress.of}${left})`;
}

async function load(anew = false) {
  const state = await ask(`/api/report${anew ? "?anew=yes" : ""}`);
  show(state);
  if (state.progress?.state === "running") attempt(watch);
}

/** Follow the progress; results are shown again when a method is done. */
async function watch() {
  if (watching) return;
  watching = true;
  try {
    for (let method = null;;) {
      const progress = await ask("/api/report/progress");
      showProgress(progress);
      at("report").dataset.state = progress.state;
      if (progress.state !== "running") { finish(progress); break; }
      const now = progress.step.split(":")[0];
      if (method !== null && now !== method) show(await ask("/api/report"));
      method = now;
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  } finally {
    watching = false;
  }
  await load();
}

function finish(progress) {
  if (progress.state === "cancelled") say("Cancelled; what was judged stays.");
  else if (progress.state === "done") say(progress.of ? `${progress.done} outcomes judged` : "All of it was measured already.");
}

function setups() {
  const { style, site, rules } = form.elements;
  return [...form.querySelectorAll('[name="setup"]:checked')].map(({ dataset }) => {
    if (dataset.tool) return { tool: dataset.tool };
    const query = { method: dataset.method };
    if (dataset.model) query.model = dataset.model;
    if (style.value && dataset.options.split(" ").includes("style")) query.style = style.value;
    if (site.checked && dataset.site === "optional") query.site = "yes";
    if (rules && !rules.checked) query.rules = "no";
    return query;
  });
}

async function measure() {
  if (form.querySelector(".primary").disabled) return;
  const most = Number(form.elements.most.value) || null;
  await ask("/api/report", { method: "POST", body: { setups: setups(), most, again: form.elements.again.checked } });
  await watch();
}

const cancel = () => (at("cancel").hidden ? undefined : ask("/api/report/cancel", { method: "POST", body: {} }));

form.addEventListener("submit", (event) => { event.preventDefault(); attempt(measure); });
at("cancel").addEventListener("click", () => attempt(cancel));
bindKey("m", "measure", measure);
bindKey("Escape", "cancel", cancel);
bindKey("e", "choose methods", () => form.querySelector('[name="setup"]:enabled')?.focus());
bindMethods(show);
attempt(() => load(true));
attempt(() => joinFiles(() => attempt(watch)));
