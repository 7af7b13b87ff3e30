// The rules of a host's templates: learned from its pages, shown with what they would change, edited row by row.
import { ask, attempt, counted, el, say } from "./base.js";
import { showEffects } from "./rules_effects.js";

const PATH = "/api/rules/templates";
const MOST = 300; // rows of a template that are shown
const SIGNS = { keep: "+ keep", drop: "− drop", ask: "? ask" };

/** Learn the templates of a host, and show in `place` what they would change, before anything is written. */
export async function learnTemplates(host, place, written) {
  const title = el("h2", {}, `Templates of ${host}`);
  const about = el("p", { class: "quiet", role: "status" }, "Reading its pages…");
  const counts = el("p", { id: "template-counts", role: "status" });
  const list = el("div", { class: "effects", tabindex: 0, "aria-label": "Pages that the templates change" });
  const apply = el("button", { type: "button", class: "primary", disabled: true, onclick: () => attempt(write) }, "Write to the rules file");
  const close = () => place.replaceChildren();
  const write = async () => {
    written(await ask(PATH, { method: "POST", body: { host } }));
    close();
    say(`written: the templates of ${host}`);
  };
  place.replaceChildren(el("section", { class: "panel learned", "aria-label": `Templates of ${host}` },
    el("header", { class: "row" }, title, el("span", { class: "grow" }), apply, el("button", { type: "button", onclick: close }, "Discard")),
    about, counts, list));
  title.scrollIntoView({ block: "nearest" });
  const onAnswer = ({ templates }) => {
    about.textContent = templates.map((each) => `Template ${each.name}: ${counted(each.pages, "page")}, ${saysOf(each)}`).join(" · ");
    apply.disabled = false;
  };
  try {
    await showEffects({ host }, { list, counts, path: `${PATH}/effects`, onPage: () => {}, onAnswer });
  } catch (error) {
    about.textContent = error.message;
    about.classList.add("error");
  }
}

const saysOf = ({ keep, drop, ask: asked }) => `keeps ${keep}, drops ${drop}, asks the method about ${asked} of its elements`;

/** Return the part of a host's section that shows its templates. */
export function templatesPart({ host, templates }, changed) {
  if (!templates.length) return null;
  const remove = async () => changed(await ask(PATH, { method: "DELETE", body: { host } }));
  return el("div", { class: "templates" },
    el("div", { class: "row" }, el("h3", { class: "grow" }, "Templates"),
      el("button", { type: "button", onclick: () => attempt(remove), "aria-label": `Delete the templates of ${host}` }, "Delete")),
    ...templates.map((template) => templateRows(host, template, changed)));
}

function templateRows(host, template, changed) {
  const place = el("div", {});
  const fill = async () => {
    const { templates } = await ask(`${PATH}?host=${encodeURIComponent(host)}`);
    const { rows } = templates.find(({ name }) => name === template.name);
    place.replaceChildren(rowsTable(host, template.name, rows, changed));
  };
  return el("details", { ontoggle: (event) => event.target.open && !place.childElementCount && attempt(fill) },
    el("summary", {}, `Template ${template.name}: ${counted(template.pages, "page")}, ${saysOf(template)}`), place);
}

function rowsTable(host, template, rows, changed) {
  const body = el("tbody", {}, ...rows.slice(0, MOST).map((row) => elementRow(host, template, row, changed)));
  const table = el("table", { class: "elements" },
    el("thead", {}, el("tr", {}, ...["", "Element", "Pages", "Probability"].map((text) => el("th", { scope: "col" }, text)))), body);
  if (rows.length <= MOST) return table;
  return el("div", {}, table, el("p", { class: "quiet" }, `and ${counted(rows.length - MOST, "rule")} more in the file`));
}

function elementRow(host, template, row, changed) {
  const { action, path, text } = row;
  const choose = async (event) => {
    const body = { host, template, path, text, action: event.target.value };
    changed(await ask(PATH, { method: "PUT", body }), `#${encodeURIComponent(host)}`);
  };
  const select = el("select", { class: action, "aria-label": `What is done with ${path}${text ? ` “${text}”` : ""}`, onchange: (event) => attempt(() => choose(event)) },
    ...Object.entries(SIGNS).map(([name, sign]) => el("option", { value: name, selected: name === action }, sign)));
  return el("tr", {}, el("td", {}, select), el("td", { class: "mono selector" }, path, text ? el("span", { class: "text" }, ` “${text}”`) : null),
    el("td", { class: "number" }, row.pages.toLocaleString("en")), el("td", { class: "number" }, row.probability.toFixed(2)));
}
