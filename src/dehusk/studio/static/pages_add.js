// Add pages: by an address, as pasted text, as files that are chosen or dropped anywhere on the list.
import { ask, attempt, bindKey, el, say } from "./base.js";

const PAGES = /\.(html?|xhtml|shtml|php|aspx?|warc(\.gz|\.zst)?|parquet|(jsonl|ndjson)(\.gz|\.zst)?|zip|tar(\.\w+)?|tgz)$/i;
const dialog = document.getElementById("add");
const form = dialog.querySelector("form");
const outcome = form.querySelector("[role=status]");

const send = (body) => ask("/api/add", { method: "POST", body });

/** Do what adds pages, and show the page if it is one; errors stay in the dialog. */
async function add(what, steps) {
  if (!dialog.open) dialog.showModal();
  outcome.replaceChildren(`adding ${what} …`);
  form.toggleAttribute("data-running", true);
  const lost = [], pages = [];
  for (const step of steps) {
    try {
      pages.push((await step()).page);
    } catch (error) {
      lost.push(el("p", { class: "error" }, error.message));
    }
  }
  form.toggleAttribute("data-running", false);
  outcome.replaceChildren(...lost);
  document.dispatchEvent(new CustomEvent("pages-added"));
  if (lost.length) return;
  if (pages.length === 1 && pages[0] !== null) location.assign(`/page/${pages[0]}`);
  else if (pages.includes(null)) location.reload(); // which watches how far a file of many is
  else dialog.close();
}

function read(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.slice(reader.result.indexOf(",") + 1)));
    reader.addEventListener("error", () => reject(new Error(`${file.name} cannot be read`)));
    reader.readAsDataURL(file);
  });
}

function addFiles(list) {
  const files = [...list].filter((file) => PAGES.test(file.name));
  const others = list.length - files.length;
  if (!files.length) { dialog.open || dialog.showModal(); return outcome.replaceChildren(el("p", { class: "error" }, "There are no pages among these files, and no files of pages.")); }
  if (others) say(`${others === 1 ? "one file is" : `${others} files are`} neither a page nor a file of pages: left out`);
  const what = files.length === 1 ? files[0].name : `${files.length} files`;
  return add(what, files.map((file) => async () => send({ name: file.name, data: await read(file) })));
}

function submit() {
  const address = form.elements.address.value.trim(), html = form.elements.html.value;
  if (html.trim()) return add("the page", [() => send({ html, url: address })]);
  if (address) return add(address, [() => send({ address })]);
  outcome.replaceChildren(el("p", { class: "error" }, "Name an address, paste a page, or choose files."));
  return form.elements.address.focus();
}

export function openAdding() {
  outcome.replaceChildren();
  dialog.showModal();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(submit);
});
form.querySelector(".close").addEventListener("click", () => dialog.close());
for (const chooser of form.querySelectorAll("input[type=file]")) chooser.addEventListener("change", () => attempt(() => addFiles(chooser.files)));
document.addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  attempt(() => addFiles(event.dataTransfer.files));
});
document.getElementById("add-pages").addEventListener("click", openAdding);
bindKey("A", "add pages: an address, files, pasted HTML", openAdding);
