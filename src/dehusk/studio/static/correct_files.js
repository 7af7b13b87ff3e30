// Labels as files: what is in the project as annotation and CLEANEVAL text, and those of other tools read in.
import { ask, attempt, el } from "./base.js";
import { page } from "./page_state.js";
import { correct, loadLabels } from "./correct_state.js";

/** Show where the files are, and read others. */
export function importFiles() {
  const result = el("div", { role: "status" });
  const chooser = el("input", { type: "file", multiple: true, accept: ".json,.txt", "aria-label": "Annotations and texts", oninput: () => attempt(() => read({ files: chooser.files }, result)) });
  const own = `annotator=${encodeURIComponent(correct.annotator)}`;
  const dialog = el("dialog", { class: "wide", "aria-labelledby": "files-title" },
    el("h2", { id: "files-title" }, "Labels as files"),
    el("p", {}, "The labels are saved in ", el("code", {}, correct.file), ", with the page beside it, and a CLEANEVAL text once all blocks have a label. ", el("code", {}, "dehusk train"), " and ", el("code", {}, "dehusk eval"), " take this folder."),
    el("p", {}, el("a", { href: `/api/page/${page.id}/annotation?${own}`, download: true }, "Annotation of this page"), " · ", el("a", { href: `/api/page/${page.id}/cleaneval?${own}`, download: true }, "CLEANEVAL text of this page")),
    el("h2", {}, "Read labels"),
    el("p", {}, "Annotations (*.anno.json) find their page by its hash, CLEANEVAL texts by its name. Blocks that have a label keep it."),
    el("div", { class: "group" }, chooser, el("button", { type: "button", onclick: () => attempt(() => read({ beside: true }, result)) }, "Read those beside the pages")),
    result,
    el("form", { method: "dialog", class: "group" }, el("button", { class: "primary" }, "Close")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

async function read({ files = [], beside = false }, result) {
  result.replaceChildren("reading …");
  const contents = await Promise.all([...files].map(async (file) => ({ name: file.name, content: await file.text() })));
  try {
    const report = await ask("/api/label-files", { method: "POST", body: { annotator: correct.annotator, files: contents, beside } });
    result.replaceChildren(
      el("p", {}, `${report.labels} labels on ${report.pages} pages${report.unchanged ? `; ${report.unchanged} files say nothing new` : ""}.`),
      el("ul", { class: "error" }, ...report.messages.slice(0, 50).map((message) => el("li", {}, message))));
    await loadLabels();
  } catch (error) {
    result.replaceChildren(el("p", { class: "error" }, error.message));
  }
}
