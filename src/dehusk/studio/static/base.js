// What every view needs: requests, messages, keys. A view imports what it uses from here.

let answers = JSON.parse(document.getElementById("answers").textContent); // path -> what came with the page, until a change
const copy = globalThis.studioCopy; // of a studio, without a server: its addresses and answers (building/studio_demo.js)

/** Where a view or a file of the studio is, such as "/page/1?x". */
export const addressOf = (path) => copy?.at(path) ?? path;

/** The message of a request that nobody answers; only such an error, and one that was given up, has no `status`. */
export const SILENT = `the studio does not answer: if it was ended, start it again (${document.body.dataset.command})`;

/** Ask the server; returns the JSON of the answer, or throws an Error with the server's one-line message. */
export async function ask(path, { method = "GET", body, signal, keepalive } = {}) {
  if (copy) return copy.answer(path, method, body);
  if (method !== "GET") answers = {};
  const { [path]: known, ...others } = answers;
  answers = others;
  if (known !== undefined) return known;
  const options = { method, signal, keepalive, headers: {} };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  const answer = await (method === "GET" ? fetchAgain(path, options) : fetch(path, options)).catch((error) => {
    throw error instanceof TypeError ? new Error(SILENT) : error; // browsers say "Failed to fetch"
  });
  if (answer.ok) return answer.json(); // an answer that was cut off, as by a newer request, is none
  const value = await answer.json().catch(() => null);
  throw Object.assign(new Error(value?.error ?? `${answer.status} ${answer.statusText}`), { status: answer.status });
}

/** Fetch, and try again for two seconds if nobody answers: a page that ends the server's process makes it start again. */
async function fetchAgain(path, options) {
  for (let tries = 4; ; tries -= 1) {
    try {
      return await fetch(path, options);
    } catch (error) {
      if (error.name === "AbortError" || !tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

let toastTimer;
/** Show one line for a few seconds. */
export function say(text) {
  const toast = document.getElementById("toast");
  toast.hidePopover();
  toast.showPopover(); // above the dialogs that are open now
  toast.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.textContent = ""; toast.hidePopover(); }, 5000);
}

/** Run an action; show its error instead of losing it. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (error.name !== "AbortError") say(error.message);
    return undefined;
  }
}

/** The element of the page with an id. */
export const at = (id) => document.getElementById(id);

/** Make an element: el("a", {href: "/", class: "x", onclick: f}, "text", child). Text is never parsed as HTML. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(key, value === true ? "" : key === "href" ? addressOf(value) : String(value));
  }
  element.append(...children.filter((child) => child !== undefined && child !== null).map((c) => (c instanceof Node ? c : String(c))));
  return element;
}

/** A number with its noun: "1 page", "2,000 pages". */
export const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** Wait until calls stop coming for some milliseconds, then run the last one. */
export function settled(action, milliseconds) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

const bindings = new Map(); // key -> [description, action, usual key; "" if people cannot change it here]
const CHOSEN = `dehusk-keys ${document.body.dataset.view}`; // in the storage: usual key -> key
const chosen = chosenKeys();

function chosenKeys() {
  try {
    return JSON.parse(localStorage.getItem(CHOSEN)) ?? {};
  } catch {
    return {}; // damaged: the usual keys
  }
}

/** Bind a key of a view, such as "j" or "ctrl+z", or the one that people chose instead; `?` shows all of them. Returns what
 * undoes it: the earlier binding is back. Keys that are chosen elsewhere, as those of labels, are `own`. */
export function bindKey(usual, description, action, { own = false } = {}) {
  const key = own ? usual : chosen[usual] ?? usual;
  const earlier = bindings.get(key);
  bindings.set(key, [description, action, own || usual.length > 1 || usual === "?" ? "" : usual]);
  return () => { if (earlier) bindings.set(key, earlier); else bindings.delete(key); };
}

/** Let another key do what a key does; returns why it cannot. */
function changeKey(key, other) {
  if (bindings.has(other)) return `${keyName(other)} is taken: ${bindings.get(other)[0]}`;
  const usual = bindings.get(key)[2];
  chosen[usual] = other;
  localStorage.setItem(CHOSEN, JSON.stringify(chosen));
  for (const shown of document.querySelectorAll("kbd[data-usual]")) if (shown.dataset.usual === usual) shown.textContent = keyName(other);
  bindings.set(other, bindings.get(key));
  bindings.delete(key);
  return "";
}

let underWay = 0; // actions of keys

/** Run the action of a key; `data-busy` of the body tells that one is under way, to who waits for what it does. */
async function act(action, event) {
  underWay += 1;
  document.body.toggleAttribute("data-busy", true);
  await attempt(() => action(event));
  underWay -= 1;
  document.body.toggleAttribute("data-busy", underWay > 0);
}

const LETTERS = "dehusk-letters"; // in the storage: "off" if keys act only with Ctrl or Alt, or have a name, such as Enter

/** Handle a key press, also one that a frame received. */
export function onKey(event) {
  const target = event.target;
  if (event.key === "k" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); openPalette(); return; }
  const typing = target?.matches?.("input:not([type=range]):not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
  if (typing && event.key !== "Escape") return;
  if (event.key === "Escape" && typing) { if (!target.closest("dialog")) target.blur(); return; } // a dialog closes
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  if (event.key === "Enter" && target?.closest?.("button, a[href], summary, label, input")) return; // it acts by itself
  const key = `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${event.altKey ? "alt+" : ""}${event.shiftKey && event.key.length > 1 ? "shift+" : ""}${event.key}`;
  const bound = bindings.get(key);
  if (!bound || (key.length === 1 && localStorage.getItem(LETTERS) === "off")) return;
  event.preventDefault();
  act(bound[1], event);
}

const NAMES = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", PageUp: "Page Up", PageDown: "Page Down", Escape: "Esc", " ": "Space", ctrl: "Ctrl", shift: "Shift", alt: "Alt" };

/** How people write a key: "ctrl+Z" is Ctrl+Shift+Z. */
function keyName(key) {
  const parts = key.length > 1 ? key.split("+") : [key];
  const last = parts.pop();
  if (parts.includes("ctrl") && /^[A-Z]$/.test(last)) parts.push("shift");
  return [...parts, parts.length ? last.replace(/^[a-z]$/, (letter) => letter.toUpperCase()) : last].map((part) => NAMES[part] ?? part).join("+");
}

/** The key of a button, by its usual one: what people choose instead is shown at once. */
export function keyOfButton(usual) {
  return el("kbd", { "data-usual": usual }, keyName(chosen[usual] ?? usual));
}

/** What the bound keys do: description -> its keys, in the order in which they were bound. */
function keysByAction() {
  const found = new Map();
  for (const [key, [description]] of bindings) found.set(description, [...(found.get(description) ?? []), key]);
  return found;
}

/** A key of the list of keys; a click lets another one be pressed. */
function shownKey(key) {
  const shown = el("kbd", {}, keyName(key));
  if (!bindings.get(key)[2]) return shown;
  const button = el("button", { type: "button", class: "changeable", title: "Change this key", onclick: () => button.replaceChildren("press a key"), onblur: () => button.replaceChildren(shown) }, shown);
  button.addEventListener("keydown", (event) => {
    if (button.contains(shown) || event.key.length > 1) return; // not asked for another, or Shift, or Escape
    event.preventDefault();
    event.stopPropagation();
    const taken = changeKey(key, event.key);
    showHelp();
    document.getElementById("keys-changed").textContent = taken || `${keyName(key)} is ${keyName(event.key)} now, in this browser`;
    const now = keyName(taken ? key : event.key);
    [...document.querySelectorAll("#help .changeable")].find((each) => each.textContent === now)?.focus();
  });
  return button;
}

function showHelp() {
  const dialog = document.getElementById("help");
  dialog.querySelector("dl").replaceChildren(
    ...[...keysByAction()].map(([description, keys]) => el("div", {},
      el("dt", {}, ...keys.flatMap((key, index) => (index ? [" ", shownKey(key)] : [shownKey(key)]))), el("dd", {}, description))),
  );
  document.getElementById("keys-changed").textContent = "Click a key with a frame to choose another one.";
  letters.checked = localStorage.getItem(LETTERS) !== "off";
  if (!dialog.open) dialog.showModal();
  document.getElementById("close-keys").focus();
  dialog.scrollTop = 0; // the button is at the end
}

/** A dialog with all that can be done in this view, found by its words; Enter or a click does it. */
function openPalette() {
  if (document.querySelector("dialog[open]")) return;
  const links = [...document.querySelectorAll(".bar a[href]")].map((link) => [link.title || `go to ${link.textContent}`, "", () => link.click()]);
  const all = [...keysByAction()].map(([words, keys]) => [words, keys.map(keyName).join(", "), [...bindings.values()].find(([own]) => own === words)[1]]);
  const list = el("div", { id: "palette-list", role: "listbox", "aria-label": "Actions" });
  const input = el("input", { type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "palette-list", "aria-label": "Find an action", placeholder: "Find an action", autocomplete: "off" });
  const dialog = el("dialog", { id: "palette", "aria-label": "Actions of this view", onclose: (event) => event.target.remove() }, input, list);
  const before = document.activeElement;
  const options = [...all, ...links].map(([words, keys, action], index) => el("div", { role: "option", id: `palette-${index}`, onclick: () => run(action) }, words, el("kbd", {}, keys)));
  const run = (action) => { dialog.close(); before?.focus?.(); act(action); };
  const choose = (option) => {
    list.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option?.id ?? "");
  };
  const find = () => {
    const words = input.value.toLowerCase().split(" ");
    const place = (option) => option.textContent.toLowerCase().indexOf(words[0]); // what begins with the word comes first
    const found = options.filter((option) => words.every((word) => option.textContent.toLowerCase().includes(word)));
    list.replaceChildren(...(input.value ? found.sort((one, other) => place(one) - place(other)) : found));
    choose(list.firstElementChild);
  };
  input.addEventListener("input", find);
  input.addEventListener("keydown", (event) => {
    const now = list.querySelector("[aria-selected]");
    if (event.key === "Enter") now?.click();
    else if (event.key === "ArrowDown") choose(now?.nextElementSibling ?? now);
    else if (event.key === "ArrowUp") choose(now?.previousElementSibling ?? now);
    else return;
    event.preventDefault();
  });
  document.body.append(dialog);
  find();
  dialog.showModal();
}

async function watchAdding() {
  const progress = await ask("/api/adding").catch(() => null);
  const line = document.getElementById("adding");
  if (!progress || progress.done) {
    if (!line.hidden) document.dispatchEvent(new CustomEvent("pages-added"));
    line.hidden = true;
    return;
  }
  line.hidden = false;
  line.textContent = `adding ${progress.current}: ${counted(progress.pages, "page")}`;
  document.dispatchEvent(new CustomEvent("pages-added"));
  setTimeout(watchAdding, 1500);
}

/** Let the links to the list lead to it as it was shown last. */
function linkList() {
  const last = sessionStorage.getItem("list");
  if (!last || document.body.dataset.view === "pages") return;
  for (const link of document.querySelectorAll(`.bar a[href="${addressOf("/")}"]`)) link.setAttribute("href", addressOf(`/${JSON.parse(last).search}`));
}

linkList();
document.addEventListener("keydown", onKey);
document.getElementById("keys").addEventListener("click", showHelp);
const letters = document.getElementById("letters");
document.getElementById("usual-keys").addEventListener("click", () => { localStorage.removeItem(CHOSEN); location.reload(); });
letters.addEventListener("input", () => localStorage.setItem(LETTERS, letters.checked ? "on" : "off"));
bindKey("?", "show these keys", showHelp);
bindKey("ctrl+k", "find an action by its words", openPalette);
watchAdding();
