// The rules of the project by host: what each changes, where it covers nothing; edited, deleted, undone.
import { ask, attempt, bindKey, counted, el, say } from "./base.js";
import { walk } from "./rules_effects.js";
import { learnTemplates, templatesPart } from "./rules_templates.js";

const MOST = 200; // pages of a host that are looked at unasked
const place = document.getElementById("hosts-list");
const form = document.getElementById("new-rule");
const buttons = { undo: document.getElementById("undo"), redo: document.getElementById("redo") };
const keyOf = (rule) => `${rule.action} ${rule.selector}`;
let round = 0; // the list that is shown; walks of older ones stop

function show(listed) {
  const own = (round += 1);
  for (const [name, button] of Object.entries(buttons)) {
    button.disabled = !listed[name];
    button.title = listed[name] ? `${name}: ${listed[name]} ( ${name === "undo" ? "u" : "U"} )` : `nothing to ${name}`;
  }
  const problem = document.getElementById("problem");
  problem.hidden = !listed.problem;
  problem.textContent = listed.problem;
  const unknown = document.getElementById("no-address");
  unknown.hidden = !listed.without_address;
  unknown.textContent = `${listed.without_address} ${listed.without_address === 1 ? "page has" : "pages have"} no known address: rules of a host pass over them, rules for every host (*) do not.`;
  document.getElementById("hosts").replaceChildren(...listed.hosts.map(({ host }) => el("option", { value: host })));
  place.replaceChildren(...(listed.hosts.length || listed.problem ? listed.hosts.map(hostSection) : [empty()]));
  const named = listed.hosts.find(({ host }) => location.hash === `#${encodeURIComponent(host)}`);
  if (named) document.getElementById(`host-${named.host}`)?.scrollIntoView();
  attempt(() => measureAll(listed.hosts, own));
}

function empty() {
  return el("div", { class: "panel empty" },
    el("p", {}, "There are no rules yet. A rule keeps or drops what a CSS selector matches on all pages of a host, whatever the method decides."),
    el("p", {}, "Open a page, select what is wrong, and press ", el("kbd", {}, "R"), " to make a rule of it; or write one above."),
    el("p", {}, el("a", { href: "/" }, "Pages")));
}

function hostSection(listed) {
  const { host, rules, pages } = listed;
  return el("section", { class: "panel host", id: `host-${host}` },
    el("header", { class: "row" }, el("h2", {}, host === "*" ? "every host" : host),
      el("span", { class: "quiet grow", dataset: { looked: "" }, role: "status" }, counted(pages, "page"))),
    rules.length ? rulesTable(rules) : null, templatesPart(listed, shown));
}

function shown(answer) {
  show(answer);
  document.dispatchEvent(new CustomEvent("made-otherwise"));
}

function rulesTable(rules) {
  return el("table", {}, el("thead", {}, el("tr", {}, ...["Action", "Selector", "Changes", "Covers blocks on", "No block on", "Change"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...rules.map(ruleRow)));
}

function ruleRow(rule) {
  const row = el("tr", { dataset: { rule: keyOf(rule) } },
    el("td", {}, el("span", { class: `badge ${rule.action}` }, rule.action === "keep" ? "+ keep" : "− drop")),
    el("td", { class: "mono selector" }, rule.selector),
    el("td", { dataset: { changes: "" } }, "…"), el("td", { dataset: { covers: "" } }, "…"), el("td", { dataset: { nothing: "" } }, "…"),
    el("td", { class: "actions" },
      el("button", { type: "button", onclick: () => edit(row, rule), "aria-label": `Edit ${keyOf(rule)}` }, "Edit"),
      el("button", { type: "button", onclick: () => attempt(() => change("DELETE", { rule })), "aria-label": `Delete ${keyOf(rule)}` }, "Delete")));
  return row;
}

function edit(row, rule) {
  const input = el("input", { class: "mono grow", value: rule.selector, "aria-label": "Selector", spellcheck: "false" });
  const action = el("select", { "aria-label": "What it does" }, ...["drop", "keep"].map((name) => el("option", { selected: name === rule.action }, name)));
  const save = (event) => {
    event.preventDefault();
    return attempt(() => change("PUT", { old: rule, new: { ...rule, action: action.value, selector: input.value } }));
  };
  const again = () => row.replaceWith(ruleRow(rule));
  const line = el("form", { class: "row", onsubmit: save, onkeydown: (event) => event.key === "Escape" && again() },
    action, input, el("button", { class: "primary" }, "Save"), el("button", { type: "button", onclick: again }, "Cancel"));
  row.replaceChildren(el("td", { colspan: 6 }, line));
  input.focus();
}

async function change(method, body) {
  shown(await ask("/api/rules", { method, body }));
}

async function step(name) {
  const listed = await ask(`/api/rules/${name}`, { method: "POST", body: {} });
  show(listed);
  say(listed.done);
  document.dispatchEvent(new CustomEvent("made-otherwise"));
}

async function measureAll(hosts, own) {
  for (const { host } of hosts) {
    if (own !== round) return;
    await measure(host, 0, own, { looked: 0, rules: new Map() });
  }
}

async function measure(host, from, own, sums) {
  const section = document.getElementById(`host-${host}`);
  const each = (answer) => {
    if (own !== round) return;
    sums.looked += answer.looked_at;
    for (const row of answer.rows) for (const found of row.rules ?? []) addRule(sums, found, row);
    showSums(section, sums, answer);
  };
  const rest = await walk("/api/rules/reach", { host }, each, { from, most: MOST });
  if (rest === null || own !== round) return;
  const more = el("button", { type: "button", onclick: () => { more.remove(); attempt(() => measure(host, rest, own, sums)); } }, "Look at more pages");
  section.querySelector("header").append(more);
}

function addRule(sums, found, row) {
  const key = keyOf(found.rule);
  if (!sums.rules.has(key)) sums.rules.set(key, { blocks: 0, words: 0, pages: 0, covers: 0, without: [] });
  const sum = sums.rules.get(key);
  sum.blocks += found.blocks;
  sum.words += found.words;
  sum.pages += Boolean(found.blocks);
  if (found.reach === 2) sum.covers += 1;
  else sum.without.push({ ...row, parts: found.reach === 1 });
}

function showSums(section, sums, answer) {
  const of = answer.next === null ? "" : `, of ${answer.total}`;
  section.querySelector("[data-looked]").textContent = `${counted(sums.looked, "page")} looked at${of}`;
  for (const row of section.querySelectorAll("tr[data-rule]")) {
    const sum = sums.rules.get(row.dataset.rule);
    if (!sum || !row.querySelector("[data-changes]")) continue;
    row.querySelector("[data-changes]").textContent = sum.blocks ? `${sum.blocks} blocks, ${sum.words} words on ${sum.pages} pages` : "nothing";
    row.querySelector("[data-covers]").textContent = `${sum.covers} of ${sums.looked} pages`;
    row.querySelector("[data-nothing]").replaceChildren(without(sum));
    row.classList.toggle("idle", !sum.covers);
  }
}

function without(sum) {
  if (!sum.without.length) return el("span", { class: "quiet" }, "none");
  return el("details", {}, el("summary", {}, `${sum.without.length} pages`),
    el("ul", {}, ...sum.without.slice(0, 100).map((page) => el("li", {}, el("a", { href: `/page/${page.page}` }, page.title || page.url), page.parts ? " (matches only parts of blocks)" : ""))));
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const rule = { action: form.elements.action.value, selector: form.elements.selector.value, host: form.elements.host.value };
  attempt(async () => { await change("POST", { add: [rule] }); form.elements.selector.value = ""; });
});
document.getElementById("learn-templates").addEventListener("submit", (event) => {
  event.preventDefault();
  const host = event.target.elements.host.value.trim();
  attempt(() => learnTemplates(host, document.getElementById("learned"), shown));
});
for (const [name, button] of Object.entries(buttons)) button.addEventListener("click", () => attempt(() => step(name)));
bindKey("u", "undo", () => step("undo"));
bindKey("U", "redo", () => step("redo"));
bindKey("n", "write a new rule", () => form.elements.selector.focus());
attempt(async () => {
  show(await ask("/api/rules"));
  const said = sessionStorage.getItem("rules-said");
  sessionStorage.removeItem("rules-said");
  if (said) say(said);
});
