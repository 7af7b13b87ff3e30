// Two annotators: how well they agree, by label and by page, and the way to where they differ.
import { ask, at, attempt, bindKey, el } from "./base.js";

const form = document.getElementById("names");
const figure = (value) => value.toFixed(3);
const isGiven = (row) => row.both + row.first + row.second > 0;
const names = () => [form.elements.first.value, form.elements.second.value];

async function show() {
  const [first, second] = names();
  const query = new URLSearchParams({ first, second });
  history.replaceState(null, "", `?${query}`);
  const report = await ask(`/api/agreement?${query}`);
  showSummary(report);
  showLabels(report, first, second);
  showConfusion(report, first, second);
  showPages(report, first, second);
}

function showSummary({ blocks, kappa, observed, content, pages }) {
  at("summary").replaceChildren(
    ...(blocks ? [
      el("b", {}, `κ ${figure(kappa)}`), ` over all labels, the same label for ${(100 * observed).toFixed(1)} % of ${blocks} blocks of ${pages.length} page${pages.length === 1 ? "" : "s"}. Content or not: `,
      el("b", {}, `κ ${figure(content.kappa)}`), `, F1 ${figure(content.f1)}.`,
    ] : ["No block has labels of both."]));
}

function table(head, rows) {
  return el("table", {}, el("thead", {}, el("tr", {}, ...head.map((text, index) => el("th", { scope: "col", class: index ? "number" : null }, text)))), el("tbody", {}, ...rows));
}

function showLabels({ labels }, first, second) {
  at("labels").replaceChildren(table(["label", "κ", "both", `only ${first}`, `only ${second}`], labels.map((row) => el("tr", {},
    el("th", { scope: "row" }, row.label), el("td", { class: "number", title: isGiven(row) ? null : "nobody gave this label" }, isGiven(row) ? figure(row.kappa) : "–"),
    ...[row.both, row.first, row.second].map((value) => el("td", { class: "number" }, value))))));
}

function showConfusion({ confusion, labels }, first, second) {
  const most = Math.max(1, ...confusion.flat());
  const rows = confusion.map((row, index) => el("tr", {}, el("th", { scope: "row" }, labels[index].label), ...row.map((count, other) => {
    const cell = el("td", { class: `number ${index === other ? "same" : "differs"}` }, count);
    cell.style.setProperty("--share", `${Math.round(100 * Math.sqrt(count / most))}%`);
    return cell;
  })));
  at("confusion").replaceChildren(el("p", { class: "quiet" }, `rows: ${first}, columns: ${second}`), table(["", ...labels.map((row) => row.label)], rows));
}

function showPages({ pages }, first, second) {
  const query = new URLSearchParams({ annotator: first, suggest: `by:${second}`, correct: "yes" });
  at("differences").replaceChildren(table(["page", "blocks", "differences", "κ"], pages.map((row) => el("tr", {},
    el("th", { scope: "row" }, el("a", { href: `/page/${row.page}?${query}` }, row.title)),
    ...[row.blocks, row.differences, figure(row.kappa)].map((value) => el("td", { class: "number" }, value))))));
}

function recall() {
  const address = new URL(location.href).searchParams;
  for (const side of ["first", "second"]) {
    const wanted = address.get(side);
    if ([...form.elements[side].options].some((option) => option.value === wanted)) form.elements[side].value = wanted;
  }
}

if (form) {
  recall();
  form.addEventListener("input", () => attempt(show));
  bindKey("s", "swap the two annotators", () => {
    const [first, second] = names();
    form.elements.first.value = second;
    form.elements.second.value = first;
    return show();
  });
  bindKey("Enter", "open the page with most differences", () => { const link = document.querySelector("#differences a"); if (link) location.assign(link.href); });
  attempt(show);
}
