// The keys of actions: bound, shown on their buttons, and changed in a dialog.
import { ask, attempt, bindKey, el, say } from "./base.js";
import { on } from "./page_state.js";
import { correct } from "./correct_state.js";

let rows = []; // {action, key, usual, words}
let actions = {};
let unbind = [];
const shown = { Enter: "↵", " ": "space" };

/** How a key is written on a button. */
export const keyName = (action) => { const { key } = rows.find((row) => row.action === action); return shown[key] ?? key; };
export const wordsOf = (action) => rows.find((row) => row.action === action).words;

/** Bind the keys of the project to actions: name -> function. Only the key that turns labelling on is always bound. */
export async function openKeys(given) {
  actions = given;
  rows = await ask("/api/label-keys");
  bind();
  on("correct", bind);
}

function bind() {
  for (const undo of unbind.reverse()) undo();
  const bound = rows.filter(({ action }) => correct.isOn || action === "correct");
  unbind = bound.map(({ action, key, words }) => bindKey(key, words, actions[action], { own: true }));
  const fixed = [["ctrl+z", "undo"], ["ctrl+Z", "redo"], ["ctrl+y", "redo"]];
  if (correct.isOn) unbind.push(...fixed.map(([key, action]) => bindKey(key, action, actions[action])));
  for (const button of document.querySelectorAll("[data-action]")) {
    button.querySelector("kbd").textContent = keyName(button.dataset.action);
  }
}

/** Make the button of an action. */
export function actionButton(action, label, attributes = {}) {
  return el("button", { type: "button", "data-action": action, title: wordsOf(action), onclick: () => attempt(actions[action]), ...attributes },
    ...(Array.isArray(label) ? label : [label]), el("kbd", {}, keyName(action)));
}

/** Let people choose other keys. */
export function changeKeys() {
  const list = el("dl", { class: "keys" });
  const dialog = el("dialog", { class: "wide", "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, "Keys of labels"),
    el("p", { class: "quiet" }, "Click a key, then press another one."),
    list,
    el("form", { method: "dialog", class: "group" }, el("button", { type: "button", onclick: () => attempt(() => store(Object.fromEntries(rows.map((row) => [row.action, row.usual])), list)) }, "Usual keys"), el("button", { class: "primary" }, "Close")));
  fill(list);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function fill(list) {
  list.replaceChildren(...rows.flatMap((row) => {
    const button = el("button", { type: "button", "data-key-of": row.action, onclick: () => wait(button, row, list) }, el("kbd", {}, shown[row.key] ?? row.key));
    return [el("dt", {}, button), el("dd", {}, row.words)];
  }));
}

function wait(button, row, list) {
  button.replaceChildren("press a key …");
  button.addEventListener("keydown", (event) => {
    if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") fill(list);
    else attempt(() => store({ [row.action]: event.key }, list));
  });
}

async function store(keys, list) {
  try {
    const stored = await ask("/api/label-keys", { method: "PUT", body: keys });
    for (const row of rows) row.key = stored[row.action];
    bind();
  } catch (error) {
    say(error.message);
  }
  fill(list);
}
