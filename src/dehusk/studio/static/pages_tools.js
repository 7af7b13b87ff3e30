// Compare all pages with a tool of others; the list can then be filtered by how far the two agree.
import { ask, attempt, bindKey, counted, el } from "./base.js";

const dialog = document.getElementById("tools");
const form = dialog.querySelector("form");
const outcome = form.querySelector("[role=status]");
const format = (number) => number.toLocaleString("en");
let watching;

async function watch(asked = ask("/api/tool-agreement")) {
  clearTimeout(watching);
  const progress = await asked;
  form.toggleAttribute("data-running", progress?.state === "running");
  if (!progress) return;
  outcome.replaceChildren(...says[progress.state](progress));
  if (progress.state === "running") watching = setTimeout(() => attempt(watch), 300);
  else document.dispatchEvent(new CustomEvent("pages-added")); // the list counts its pages anew
}

const says = {
  running: ({ done, of }) => [el("progress", { value: done, max: Math.max(of, 1), "aria-label": "Pages compared" }), ` ${format(done)} of ${format(of)} `,
    el("button", { type: "button", onclick: () => attempt(() => watch(ask("/api/tool-agreement", { method: "DELETE", body: {} }))) }, "Cancel")],
  done: ({ tool, of, failed }) => [el("p", {}, `${counted(of, "page")} compared with ${tool}${failed ? `; on ${format(failed)} it fails, or they cannot be read` : ""}. Drag over the histogram “Agreement” to see where the two differ.`)],
  cancelled: ({ done, of }) => [el("p", {}, `Cancelled: ${format(done)} of ${counted(of, "page")} are compared.`)],
  failed: ({ message }) => [el("p", { class: "error" }, `The pages cannot be compared: ${message}`)],
};

function open() {
  outcome.replaceChildren();
  dialog.showModal();
  attempt(watch);
}

form.addEventListener("submit", (event) => {
  if (event.submitter?.value === "cancel") return;
  event.preventDefault();
  attempt(() => watch(ask("/api/tool-agreement", { method: "POST", body: { tool: form.elements.tool.value } })));
});
dialog.addEventListener("close", () => { clearTimeout(watching); document.getElementById("rows").focus(); });
document.getElementById("compare-pages").addEventListener("click", open);
bindKey("D", "compare all pages with a tool of others", open);
