// Result files: figures as tables, with a plot where they have quality and cost; predictions are judged by the server.
import { ask, at, attempt, bindKey, counted, el, say } from "./base.js";
import { showPlot } from "./report_plot.js";
import { SortedTable } from "./sorted_table.js";

const LARGEST = 400e6; // characters

function show(files) {
  at("no-files").hidden = files.length > 0;
  at("files").replaceChildren(...files.map((file, index) => fileElement(file, index === 0)));
}

function fileElement(file, isOpen) {
  const remove = el("button", { type: "button", title: "Remove it from the project; the file stays", onclick: () => attempt(() => removeFile(file)) }, "Remove");
  return el("details", { open: isOpen, dataset: { file: file.name } },
    el("summary", {}, el("b", {}, file.name), el("span", { class: "quiet" }, ` ${counted(file.tables.length, "table")}, read ${new Date(1000 * file.at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })}`)),
    el("div", { class: "row" }, remove), ...plottedOnce(file.tables));
}

/** Only the first table with quality and cost has plots: the others have the same tools on parts of the pages. */
function plottedOnce(tables) {
  const first = tables.findIndex(({ columns }) => ["tool", "f1", "ms"].every((column) => columns.includes(column)));
  return tables.map((table, index) => tableElement(table, index === first));
}

function tableElement({ name, columns, rows }, isPlotted) {
  const table = el("table");
  const isNumber = columns.map((_, index) => rows.every((row) => row[index] === null || typeof row[index] === "number"));
  const made = new SortedTable(table, columns.map((column, index) => ({ key: String(index), name: column, format: isNumber[index] ? "any" : "text", ascending: !isNumber[index] })), { sort: [null, false] });
  made.show(rows.map((row, id) => Object.fromEntries([["id", id], ...row.map((value, index) => [String(index), typeof value === "boolean" ? String(value) : value])])));
  return el("section", {}, el("h3", {}, name || "figures"), el("div", { class: "scroll" }, table), isPlotted ? plotOf(columns, rows) : null);
}

/** A plot of each group of tools. */
function plotOf(columns, rows) {
  const where = Object.fromEntries(["tool", "group", "f1", "precision", "recall", "low", "high", "ms", "pages"].map((column) => [column, columns.indexOf(column)]));
  const groups = new Map();
  for (const row of rows) {
    const group = where.group < 0 ? "" : row[where.group];
    const point = { name: row[where.tool], ...Object.fromEntries(Object.entries(where).filter(([key]) => key !== "tool" && key !== "group").map(([key, index]) => [key, index < 0 ? null : row[index]])), isTool: !String(row[where.tool]).startsWith("dehusk") };
    groups.set(group, [...(groups.get(group) ?? []), point]);
  }
  const plots = [...groups].slice(0, 12).map(([group, points]) => {
    const root = el("div", { class: "file-plot" });
    showPlot(root, points);
    return el("figure", {}, el("figcaption", {}, group), root);
  });
  return el("div", { class: "file-plots" }, ...plots);
}

async function removeFile(file) {
  show((await ask(`/api/report/files/${file.id}`, { method: "DELETE", body: {} })).files);
}

async function read(file, watch) {
  if (file.size > LARGEST) { say(`${file.name} is larger than ${LARGEST / 1e6} MB`); return; }
  say(`reading ${file.name} …`);
  const answer = await ask("/api/report/files", { method: "POST", body: { name: file.name, content: await file.text() } });
  if (answer.kind === "predictions") { watch(); return; }
  show(answer.files);
  say(`${file.name}: ${counted(answer.tables, "table")}`);
  at("files").scrollIntoView({ block: "start" });
}

/** Show the files of the project, and let others be read; `watch` follows the judging of predictions. */
export async function joinFiles(watch) {
  const chooser = at("file");
  at("open-file").addEventListener("click", () => chooser.click());
  bindKey("f", "open results", () => chooser.click());
  chooser.addEventListener("input", () => attempt(async () => {
    const [file] = chooser.files;
    if (file) await read(file, watch);
    chooser.value = "";
  }));
  show((await ask("/api/report/files")).files);
}
