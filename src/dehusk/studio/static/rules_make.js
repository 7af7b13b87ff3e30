// A rule is made from blocks of a page: clicks narrow a selector, its effects on the site are shown, then it is written.
import { ask, attempt, bindKey, counted, el, say, settled } from "./base.js";
import { showEffects, stopWalk } from "./rules_effects.js";
import { moveCursor, openFrame, reveal } from "./rules_frame.js";
import { emit, making, newRules, on, remember, toggle } from "./rules_state.js";

const form = document.getElementById("rule");
const list = document.getElementById("proposals");
const note = document.getElementById("selector-note");
const accept = document.getElementById("accept");
let proposals = [];
let latest; // number of the request for proposals that counts

async function open() {
  const known = await ask(`/api/rules/page/${making.page}`);
  Object.assign(making, { texts: known.texts, words: known.words, kept: known.kept, corrections: known.corrections });
  for (const name of ["wanted", "unwanted"]) making[name] = new Set([...making[name]].filter((block) => block < known.texts.length));
  form.elements.host.replaceChildren(...known.hosts.map((host) => el("option", { value: host }, host === "*" ? "every host" : host)));
  making.host = known.hosts.includes(making.host) ? making.host : known.hosts[0];
  form.elements.host.value = making.host;
  offerCorrections();
  if (!making.wanted.size && !making.unwanted.size) takeCorrections(making.corrections.drop.length ? "drop" : "keep");
  setAction(making.action ?? likelyAction());
  await openFrame();
  if (making.wanted.size) reveal(Math.min(...making.wanted));
  await findProposals(); // before anything is typed, which they would replace
  document.getElementById("make").dataset.ready = "";
}

/** Blocks that are kept should likely be dropped, and the other way round. */
function likelyAction() {
  const kept = [...making.wanted].filter((block) => making.kept[block]).length;
  return !making.wanted.size || 2 * kept >= making.wanted.size ? "drop" : "keep";
}

function offerCorrections() {
  const place = document.getElementById("corrections");
  const offers = ["drop", "keep"].filter((action) => making.corrections[action].length);
  place.hidden = !offers.length;
  place.replaceChildren(el("span", { class: "quiet" }, "Your corrections:"), ...offers.map((action) => {
    const count = making.corrections[action].length;
    return el("button", { type: "button", dataset: { action }, onclick: () => { takeCorrections(action); emit("clicks"); } },
      `${action} ${counted(count, "block")}`);
  }));
}

function takeCorrections(action) {
  if (!making.corrections[action].length) return;
  making.wanted = new Set(making.corrections[action]);
  making.unwanted.clear();
  setAction(action);
}

function setAction(action) {
  making.action = action;
  form.elements.action.value = action;
}

async function findProposals() {
  remember();
  const own = (latest = {});
  if (!making.wanted.size) return showProposals([], "Click a text of the page that the rule should cover.");
  const body = { page: making.page, action: making.action, wanted: [...making.wanted], unwanted: [...making.unwanted] };
  try {
    const answer = await ask("/api/rules/propose", { method: "POST", body });
    if (own === latest) showProposals(answer.proposals, "");
  } catch (error) {
    if (own === latest) showProposals([], error.message);
  }
  return undefined;
}

function showProposals(found, message) {
  proposals = found;
  list.replaceChildren(...(found.length ? found.map(proposalRow) : [el("p", { class: "quiet" }, message)]));
  choose(found[0]?.selectors ?? [], found[0]?.covered ?? []);
}

function proposalRow(proposal, index) {
  const facts = [`${proposal.covered.length} here`];
  if (proposal.of) facts.push(`${proposal.elsewhere} on ${proposal.pages} of ${proposal.of} other pages`);
  if (proposal.fragile) facts.push("counts elements: a change of the design makes it miss");
  if (proposal.uncovered) facts.push(`misses ${proposal.uncovered}`);
  return el("label", { class: "proposal" },
    el("input", { type: "radio", name: "proposal", value: index, checked: index === 0, onchange: () => choose(proposal.selectors, proposal.covered) }),
    el("span", { class: "mono selector" }, proposal.selectors.join(", ")),
    el("span", { class: "quiet facts" }, facts.join(" · ")),
    proposal.against ? el("span", { class: "warn", title: "Blocks that nobody clicked and that would be decided otherwise" }, `⚠ ${proposal.against} not clicked`) : null);
}

function choose(selectors, covered) {
  making.selectors = selectors;
  making.covered = new Set(covered);
  making.changed = new Set();
  form.elements.selector.value = selectors.join(", ");
  note.textContent = "";
  note.classList.remove("error");
  accept.disabled = !selectors.length;
  emit("covered");
  emit("rule");
}

const typed = settled(() => attempt(async () => {
  const text = form.elements.selector.value.trim();
  if (!text) return choose([], []);
  try {
    const { covered } = await ask("/api/rules/covered", { method: "POST", body: { page: making.page, selectors: [text] } });
    for (const radio of list.querySelectorAll("input")) radio.checked = false;
    choose([text], covered[0]);
    form.elements.selector.value = text;
  } catch (error) {
    note.textContent = error.message;
    note.classList.add("error");
    accept.disabled = true;
  }
  return undefined;
}), 250);

function findEffects() {
  const places = { list: document.getElementById("effects"), counts: document.getElementById("effect-counts") };
  document.getElementById("counts").textContent = making.covered.size ? `covers ${making.covered.size} here` : "";
  stopWalk();
  if (!making.selectors.length) { places.list.replaceChildren(); places.counts.replaceChildren(); return; }
  const onPage = (row) => {
    making.changed = new Set([...making.covered].filter((block) => Boolean(making.kept[block]) !== (making.action === "keep")));
    emit("effects");
    return row;
  };
  attempt(() => showEffects({ host: making.host, add: newRules() }, { ...places, page: making.page, onPage }));
}

async function write() {
  if (accept.disabled) return;
  const rules = newRules();
  await ask("/api/rules", { method: "POST", body: { add: rules } });
  sessionStorage.setItem("rules-said", `written: ${rules.map((rule) => `${rule.action} ${rule.selector}`).join("; ")}`);
  location.assign(`/rules#${encodeURIComponent(making.host)}`);
}

function clear() {
  making.wanted.clear();
  making.unwanted.clear();
  emit("clicks");
}

function cycle(by) {
  if (!proposals.length) return;
  const radios = [...list.querySelectorAll("input")];
  const at = radios.findIndex((radio) => radio.checked);
  const next = radios[(at + by + radios.length) % radios.length];
  next.checked = true;
  next.dispatchEvent(new Event("change"));
  next.focus();
}

form.addEventListener("submit", (event) => { event.preventDefault(); attempt(write); });
form.addEventListener("change", (event) => {
  if (event.target.name === "action") { setAction(event.target.value); emit("clicks"); }
  if (event.target.name === "host") { making.host = event.target.value; remember(); emit("rule"); }
});
form.elements.selector.addEventListener("input", typed);
document.getElementById("clear").addEventListener("click", clear);
on("clicks", settled(() => attempt(findProposals), 60));
on("rule", findEffects);
const act = (name) => { setAction(name); emit("clicks"); };
bindKey("j", "next block", () => moveCursor(1));
bindKey("k", "previous block", () => moveCursor(-1));
bindKey(" ", "want the block, or not", () => (making.cursor >= 0 ? toggle(making.cursor) : say("move to a block with j and k")));
bindKey("n", "next selector", () => cycle(1));
bindKey("N", "previous selector", () => cycle(-1));
bindKey("d", "the rule drops", () => act("drop"));
bindKey("p", "the rule keeps", () => act("keep"));
bindKey("Enter", "write the rule", write);
bindKey("Escape", "start again", clear);
attempt(open);
