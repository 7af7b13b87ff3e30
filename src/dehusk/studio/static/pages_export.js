// Write the list, as it is filtered and sorted, to a file; and the command that does it again.
import { ask, attempt, bindKey, counted, el, say } from "./base.js";
import { grid } from "./pages_grid.js";
import { query } from "./pages_query.js";

const dialog = document.getElementById("export");
const form = dialog.querySelector("form");
const { suffix, content } = form.elements;
const outcome = form.querySelector("[role=status]");
const format = (number) => number.toLocaleString("en");
let watching;

function open() {
  if (!grid.total) return say("the list has no pages");
  form.querySelector("p").textContent = `${counted(grid.total, "page")}, in the order of the list, cleaned as the project cleans pages now.`;
  outcome.replaceChildren();
  return dialog.showModal();
}

async function start() {
  const body = { suffix: suffix.value, content: content.value, annotator: document.body.dataset.annotator };
  const { command } = await ask(`/api/export?${query()}`, { method: "POST", body });
  await watch(command);
}

async function watch(command) {
  clearTimeout(watching);
  const progress = await ask("/api/export");
  form.toggleAttribute("data-running", progress.state === "running");
  outcome.replaceChildren(...{ running, done, cancelled, failed }[progress.state](progress), el("p", { class: "quiet" }, "The same from the command line:"), el("pre", { tabindex: "0" }, command));
  if (progress.state === "running") watching = setTimeout(() => attempt(() => watch(command)), 300);
  else outcome.querySelector("a")?.focus();
}

function running(progress) {
  return [el("progress", { value: progress.done, max: Math.max(progress.of, 1), "aria-label": "Pages written" }), ` ${format(progress.done)} of ${format(progress.of)} `,
    el("button", { type: "button", onclick: () => attempt(() => ask("/api/export", { method: "DELETE", body: {} })) }, "Cancel")];
}

function done({ name, of, failed: lost }) {
  const kind = content.value === "labels" ? "without labels" : "failed";
  return [el("p", {}, el("a", { href: "/api/export/file", download: name }, `Save ${name}`), ` (${counted(of, "page")}${lost ? `, ${format(lost)} ${kind}` : ""})`)];
}

const cancelled = (progress) => [el("p", {}, `Cancelled after ${counted(progress.done, "page")}: nothing is written.`)];
const failed = ({ message }) => [el("p", { class: "error" }, `The file cannot be written: ${message}`)];

function choose() {
  if (content.value === "labels") suffix.value = ".zip";
  for (const option of suffix.options) option.disabled = content.value === "labels" && option.value !== ".zip";
}

content.addEventListener("change", choose);
form.addEventListener("submit", (event) => {
  if (event.submitter?.value === "cancel") return;
  event.preventDefault();
  attempt(start);
});
dialog.addEventListener("close", () => { clearTimeout(watching); document.getElementById("rows").focus(); });
document.getElementById("export-list").addEventListener("click", open);
bindKey("E", "export this list", open);
