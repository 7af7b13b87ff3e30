// The queue: the least sure unit of all pages with its surroundings, one key, then the next one, which is there already.
import { ask, at, attempt, bindKey, el, keyOfButton, say } from "./base.js";
import { allSent, send } from "./queue.js";

const { annotator } = document.body.dataset;
const AHEAD = 4; // units that are there before they are needed
const FEW = 10; // units known of; if there are fewer, more are asked for
const TEN = 10; // decisions after which the queue says what they were worth
const IDLE = 30; // seconds after which nobody thinks about a unit
const PAUSE = 2000; // milliseconds until the next try
const SHARE = "dehusk-second-readings"; // in the storage
const TURNS = { unsure: "Unsure", rest: "Rather sure", second: "Second reading", disagreement: "Disagreement" };

const lanes = { unsure: [], second: [] };
const seen = new Set(); // units that were taken from the lanes
const decided = []; // {unit, kept}; kept is null if it was skipped
const ahead = []; // units to come: {row, loaded: a promise of all that is shown}
const unshown = []; // why units were passed over
let left = {};
let now = null; // the unit that is shown
let shows = 0; // counts what is shown: what was under way before comes too late
let due = 0; // of a second reading
let since = 0; // when the unit was shown

const keyOf = ({ page, first, turn }) => `${page}-${first}-${turn === "disagreement"}`; // which comes after another turn
const likely = (probability) => probability.toFixed(2).replace("0.", ".");
const stateOf = ({ kept, probability }) => (probability >= 0.25 && probability <= 0.75 ? "unsure" : kept ? "kept" : "dropped");
const unsureOnes = () => decided.filter(({ unit, kept }) => unit.turn === "unsure" && kept !== null);

/** Ask which units are next; with the decisions to judge, also what they were worth, and how well annotators agree. */
async function refill(judged = null) {
  const query = new URLSearchParams(location.search);
  query.set("annotator", annotator);
  query.set("count", 3 * FEW + ahead.length + decided.filter(({ kept }) => kept === null).length);
  if (judged) query.set("corrected", judged.map(({ unit, kept }) => Number(kept !== unit.kept)).join(""));
  const found = await ask(`/api/queue?${query}`);
  for (const lane of ["unsure", "second"]) lanes[lane] = found[lane].filter((row) => !seen.has(keyOf(row)));
  left = found.left;
  showLeft();
  if (judged) showWorth(found);
  prepare();
}

/** Take the next row: a second reading as often as is wanted, and when nothing else is left. */
function take() {
  const share = Number(at("second").value);
  due = Math.min(due + share, 1);
  const isSecond = share > 0 && lanes.second.length > 0 && (due > 0.99 || !lanes.unsure.length);
  if (isSecond) due = 0;
  const row = (isSecond ? lanes.second : lanes.unsure).shift();
  if (row) seen.add(keyOf(row));
  return row;
}

function load(row) {
  const query = new URLSearchParams({ first: row.first, stop: row.stop, annotator });
  const loaded = ask(`/api/page/${row.page}/unit?${query}`).then((unit) => ({ ...row, ...unit }));
  loaded.catch(() => {}); // `next` hears of it
  return loaded;
}

function prepare() {
  for (let row; ahead.length < AHEAD && (row = take());) ahead.push({ row, loaded: load(row) });
}

/** Show the next unit, however long the studio takes. */
async function next(said = "") {
  now = null;
  shows += 1;
  at("unit").setAttribute("aria-busy", "true");
  for (const own = shows; own === shows;) {
    try {
      if (!ahead.length) await refill(decided.length ? null : []);
      const unit = await ahead[0]?.loaded;
      if (own !== shows) return;
      ahead.shift();
      show(unit ?? null, said);
      prepare();
      if (lanes.unsure.length + lanes.second.length < FEW) refill().catch(() => {});
      return;
    } catch (error) {
      await getOver(error);
    }
  }
}

/** Pass over a page that cannot be read; wait for a studio that does not answer. */
async function getOver(error) {
  if (error.status && ahead.length) { say(`${error.message}: its unit is passed over`); unshown.push(error.message); ahead.shift(); return; }
  const why = error.status ? error.message : "the studio does not answer";
  showUnit(false);
  at("empty").textContent = `${why[0].toUpperCase()}${why.slice(1)}. What was decided is kept in this browser; the queue goes on as soon as it can.`;
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  if (ahead.length) ahead[0].loaded = load(ahead[0].row);
}

/** Keep or drop the unit that is shown; a key that is held down decides one. */
function decide(kept, event) {
  if (!now || event?.repeat) return;
  const unit = now, { page, blocks, turn } = unit;
  decided.push({ unit, kept });
  left[turn] -= 1;
  const judged = turn === "unsure" && unsureOnes().length % TEN === 0 ? unsureOnes() : [];
  const source = turn === "disagreement" ? "settled" : "single";
  const body = { annotator, seconds: Math.min((performance.now() - since) / 1000, IDLE), project: document.body.dataset.project };
  const sent = send(page, "labels", { annotator, blocks, labels: unit[kept ? "keep" : "drop"], source });
  sent.then(() => ask(`/api/page/${page}/seconds`, { method: "POST", body, keepalive: true })).catch(() => {}); // time is an estimate
  sent.then(() => (turn === "second" || turn === "disagreement" || judged.length ? refill(judged) : null)).catch(() => {}); // what is refused, the queue of changes tells
  next(kept ? "kept" : "dropped");
}

function skip(event) {
  if (!now || event?.repeat) return;
  decided.push({ unit: now, kept: null });
  next("skipped");
}

/** Show the unit again that was decided or skipped last, without its label. */
function undo() {
  const last = decided.pop();
  if (!last) { say("there is nothing to undo"); return; }
  if (now) ahead.unshift({ row: now, loaded: Promise.resolve(now) });
  shows += 1;
  if (last.kept !== null) {
    send(last.unit.page, "labels/undo", { annotator, blocks: last.unit.blocks })
      .then((answer) => { if (answer && !answer.pages.length) say("The page has newer labels from elsewhere: undo this one there."); })
      .catch(() => {});
    left[last.unit.turn] += 1;
  }
  show(last.unit, "undone");
}

function open() {
  if (now) window.open(addressOf(now), "_blank");
}

const addressOf = ({ page, first }) => `/page/${page}?${new URLSearchParams({ correct: "yes", annotator })}#block-${first}`;

function showUnit(isThere) {
  at("unit").hidden = !isThere;
  at("unit").setAttribute("aria-busy", "false");
  for (const button of document.querySelectorAll("[data-needs-unit]")) button.disabled = !isThere;
}

function show(unit, said) {
  now = unit;
  since = performance.now();
  showUnit(Boolean(unit));
  at("empty").textContent = unit ? "" : nothingLeft();
  showLeft();
  if (!unit) return;
  const verdict = `${unit.kept ? "kept" : "dropped"} by the tool, ${likely(unit.probability)}`;
  at("turn").textContent = TURNS[unit.turn];
  at("verdict").textContent = verdict;
  at("where").replaceChildren(el("a", { href: addressOf(unit), target: "_blank" }, unit.title), unit.site ? ` · ${unit.site}` : "");
  at("told").textContent = unit.turn === "disagreement" ? `${unit.labels.map(({ name, decision }) => `${name}: ${decision}`).join(" · ")}. Which is right?` : "";
  const more = unit.more ? [el("p", {}, `and ${unit.more} more blocks`)] : [];
  at("lines").replaceChildren(...unit.headings.map((text) => el("p", { class: "heading" }, text)), ...unit.before.map(line),
    el("div", { id: "own", role: "group", "aria-label": "The unit" }, ...unit.unit.map(line), ...more), ...unit.after.map(line));
  at("reason").textContent = unit.reason;
  at("own").scrollIntoView({ block: "nearest" });
  const words = unit.unit.map(({ text }) => text).join(" ").slice(0, 300);
  at("spoken").textContent = `${said ? `${said}; ` : ""}${TURNS[unit.turn]}, ${verdict}. ${at("told").textContent} ${words}`;
}

/** Say that no unit comes, and why if some could not be shown. */
function nothingLeft() {
  if (!unshown.length) return "Nothing is left to decide in these pages.";
  return `${unshown.length === 1 ? "One unit" : `${unshown.length} units`} cannot be shown: ${unshown.at(-1)}. Nothing else is left to decide in these pages.`;
}

function line(row) {
  return el("p", { class: stateOf(row) }, el("span", {}, row.text), el("span", { class: "quiet number" }, `${row.kept ? "kept" : "dropped"} ${likely(row.probability)}`));
}

function showLeft() {
  const words = { unsure: "unsure", second: "to read again", disagreement: "in disagreement" };
  at("left").textContent = Object.entries(words).filter(([turn]) => left[turn] > 0 || turn === "unsure").map(([turn, word]) => `${Math.max(0, left[turn] ?? 0).toLocaleString("en")} ${word}`).join(" · ");
}

function showWorth({ gain, agreement }) {
  if (gain) at("gain").textContent = gain;
  at("agreement").replaceChildren(...agreement.flatMap(({ name, kappa, blocks }) => [
    el("a", { href: `/agreement?${new URLSearchParams({ first: annotator, second: name })}` }, `Agreement with ${name}`), `: κ ${kappa.toFixed(2)} on ${blocks} block${blocks === 1 ? "" : "s"}. `]));
}

/** Put back what is not decided yet, and take it anew. */
function choose() {
  localStorage.setItem(SHARE, at("second").value);
  for (const row of [...ahead.splice(0).map((each) => each.row), ...(now ? [now] : [])]) seen.delete(keyOf(row));
  due = 1;
  next();
}

const ACTIONS = [
  ["Keep", "keep the unit: content", ["k", "Enter"], (event) => decide(true, event)],
  ["Drop", "drop the unit: other", ["d", "Delete"], (event) => decide(false, event)],
  ["Skip", "skip the unit", ["s"], skip],
  ["Open the page", "open the page of the unit in a new tab", ["o"], open],
  ["Undo", "undo", ["u", "ctrl+z"], undo],
];

function start() {
  at("decisions").append(...ACTIONS.map(([label, title, [key], action]) => el("button", { type: "button", title, "data-needs-unit": label !== "Undo", onclick: () => attempt(action) }, label, " ", keyOfButton(key))));
  for (const [, words, keys, action] of ACTIONS) for (const key of keys) bindKey(key, words, action);
  const share = localStorage.getItem(SHARE);
  if ([...at("second").options].some(({ value }) => value === share)) at("second").value = share;
  at("second").addEventListener("input", choose);
  at("annotator").addEventListener("change", () => attempt(async () => {
    const address = new URL(location.href);
    address.searchParams.set("annotator", at("annotator").value.trim() || annotator);
    await allSent();
    location.assign(address);
  }));
  document.addEventListener("pages-added", () => { if (!now) next(); });
  next();
}

start();
