// The report as one file to mail: its tables, its plot, and the worst pages of the chosen method with their word diffs.
import { ask, attempt, bindKey, el, say } from "./base.js";
import { fillDiff } from "./diff_rows.js";
import { chosenMethod } from "./report_pages.js";

const WORST = 20;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** A copy of an element in which nothing can be pressed. */
function copyOf(id) {
  const copy = document.getElementById(id).cloneNode(true);
  for (const button of copy.querySelectorAll("button")) button.replaceWith(...button.childNodes);
  for (const each of copy.querySelectorAll("[tabindex]")) each.removeAttribute("tabindex");
  return copy;
}

async function worstPages(method) {
  const { pages } = await ask(`/api/report/pages?${new URLSearchParams({ setup: method.setup, most: WORST })}`);
  const shown = [];
  for (const page of pages) {
    const diff = el("div", { class: "diff" });
    const answer = await ask(`/api/report/compare/${page.page}`, { method: "POST", body: { setup: method.setup } });
    fillDiff(diff, answer);
    for (const fold of diff.querySelectorAll(".fold")) fold.click();
    const figures = `F1 ${page.f1.toFixed(3)}, precision ${page.precision.toFixed(3)}, recall ${page.recall.toFixed(3)}`;
    shown.push(el("details", {}, el("summary", {}, `${page.name} · ${figures}${page.failure ? ` · ${page.failure}` : ""}`), diff));
  }
  return shown;
}

async function styles() {
  const sheets = [...document.querySelectorAll('link[rel="stylesheet"]')].map((link) => fetch(link.href).then((answer) => answer.text()));
  return [...await Promise.all(sheets), "html, body, main { height: auto; overflow: visible; } body { display: block; } details { margin: .4rem 0; } th { position: static; } .diff-row { content-visibility: visible; cursor: auto; }"].join("\n");
}

async function save() {
  const method = chosenMethod();
  if (!method) return say("nothing is measured yet");
  const worst = await worstPages(method);
  const project = document.getElementById("copy").textContent.replace(/\s*⤓$/, "");
  const root = el("html", { lang: "en" },
    el("head", {}, el("meta", { charset: "utf-8" }), el("meta", { "http-equiv": "Content-Security-Policy", content: POLICY }), el("meta", { name: "viewport", content: "width=device-width" }), el("meta", { name: "color-scheme", content: "light dark" }),
      el("title", {}, `Report · ${project}`), el("style", {}, await styles())),
    el("body", {}, el("main", { class: "pad" }, el("h1", {}, `How well methods do on the pages with gold of ${project}`), el("p", { class: "quiet" }, document.getElementById("gold").textContent),
      copyOf("methods"), copyOf("plot"), el("h2", {}, `Worst pages of ${method.name}`), el("p", { class: "quiet" }, "Struck out: kept, but not in the gold. Underlined: missing."), ...worst)));
  const address = URL.createObjectURL(new Blob(["<!DOCTYPE html>\n", root.outerHTML], { type: "text/html" }));
  el("a", { href: address, download: `report-${project}.html` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

document.getElementById("save-report").addEventListener("click", () => attempt(save));
bindKey("H", "save the report as one file", save);
