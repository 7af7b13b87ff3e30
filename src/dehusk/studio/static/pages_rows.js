// One row of the list, made of what the server says about a page.
import { el } from "./base.js";
import { list, pageAddress } from "./pages_query.js";

/** Columns of the list: name to sort by, heading, what it means. */
export const COLUMNS = [
  ["title", "Page", "title, address and beginning of the kept text"],
  ["host", "Site", "site"],
  ["type", "Type", "what most kept words are in"],
  ["status", "Status", "outcome of cleaning"],
  ["language", "Lang", "language"],
  ["confidence", "Confid.", "confidence: how sure the default method is"],
  ["kept", "Kept", "share of the words that is kept"],
  ["words", "Words", "words kept"],
  ["blocks", "Blocks", "blocks of the page"],
  ["labelled", "Labels", "blocks labelled by hand"],
  ["flag", "Flag", "flag and comment"],
];

const TYPES = { article: "¶", thread: "❝", table: "▦", code: "⌨", list: "☰", none: "∅" };
const STATUSES = { ok: "✓", partial: "◐", "no-content": "∅", truncated: "✂", limit: "▲", error: "✕", "not-html": "⊘", undecodable: "⊘" };

/** Return the texts of the cells that have only a text. */
export function typeMark(type) {
  return TYPES[type] ?? "·";
}

/** Return a mark for a status. */
export function statusMark(status) {
  return STATUSES[status] ?? "!";
}

/** Return a text with the words that were searched for marked. */
export function marked(text, search = list.search) {
  const words = search.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (!words.length) return [text];
  const found = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join("|")})`, "giu");
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(found)) {
    parts.push(text.slice(end, match.index), el("mark", {}, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts;
}

function cell(name, attributes, ...children) {
  return el("div", { role: "gridcell", class: `cell ${name}`, ...attributes }, ...children);
}

function meter(name, value) {
  const bar = el("i");
  bar.style.width = `${Math.round(100 * value)}%`;
  return cell(`${name} number`, { title: `${name} ${value}` }, el("span", { class: "meter", "aria-hidden": "true" }, bar), value.toFixed(2));
}

/** Return the shown name of a page. */
export function nameOf(row) {
  return row.title || row.url || row.name;
}

function titleCell(row) {
  return cell(
    "title",
    {},
    el("a", { href: pageAddress(row.id), tabindex: "-1", draggable: "false", dir: "auto" }, ...marked(nameOf(row))),
    el("span", { class: "quiet where" }, ...marked(row.url || row.name)),
    el("p", { class: "quiet preview", dir: "auto" }, ...(row.preview ? marked(row.preview) : [row.message || "nothing is kept"])),
  );
}

function flagCell(row) {
  const text = row.flag || (row.comment ? "comment" : "flag");
  const title = [row.flag, row.comment].filter(Boolean).join(": ") || "Flag or comment ( f )";
  const set = row.flag || row.comment ? "set" : "";
  const button = el("button", { type: "button", tabindex: "-1", class: set, title, dataset: { action: "remark" } });
  button.append(row.flag ? "⚑ " : row.comment ? "✎ " : "⚐ ", el("span", {}, text));
  return cell("flag", {}, button, row.flag && row.comment ? el("span", { title: row.comment }, " ✎") : "");
}

function labelledCell(row) {
  const text = row.labelled ? `✓ ${row.labelled}` : "–";
  return cell("labelled number", { title: row.labelled ? `${row.labelled} of ${row.blocks} blocks labelled` : "no labels" }, text);
}

/** Return a row. `number` counts from 0; `row` is undefined until the server answered. */
export function makeRow(row, number) {
  const attributes = { role: "row", class: "row", id: `row-${number}`, "aria-rowindex": number + 2, dataset: { number } };
  if (!row) return el("div", { ...attributes, "aria-busy": "true" }, cell("title", {}, el("span", { class: "waiting" })));
  return el(
    "div",
    { ...attributes, dataset: { number, page: row.id } },
    titleCell(row),
    cell("host", { title: row.host }, el("button", { type: "button", tabindex: "-1", dataset: { filter: "host", value: row.host }, title: `Only ${row.host || "pages without a site"}` }, row.host || "–")),
    cell("type", {}, el("span", { "aria-hidden": "true" }, typeMark(row.type)), ` ${row.type}`),
    cell(`status ${row.status === "ok" ? "" : "bad"}`, { title: row.message || row.status }, el("span", { "aria-hidden": "true" }, statusMark(row.status)), ` ${row.status}`),
    cell("language", {}, row.language || "–"),
    meter("confidence", row.confidence),
    meter("kept", row.kept),
    cell("words number", {}, row.words.toLocaleString("en")),
    cell("blocks number", {}, row.blocks.toLocaleString("en")),
    labelledCell(row),
    flagCell(row),
  );
}
