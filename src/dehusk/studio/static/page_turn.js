// The pages before and after this one in the list that it was opened from; the address says which list.
import { addressOf, ask, attempt, bindKey, say } from "./base.js";
import { leave, on, page } from "./page_state.js";

const links = { previous: document.getElementById("previous"), next: document.getElementById("next") };

let arriving = null; // a promise: the neighbours are on their way

/** Let the links lead to the neighbours; the address keeps the list and the settings. */
export function showNeighbours() {
  arriving = findNeighbours();
  return arriving;
}

async function findNeighbours() {
  const list = new URLSearchParams(location.search);
  for (const key of [...list.keys()]) if (key.startsWith("with-")) list.delete(key);
  const found = await ask(`/api/page/${page.id}/neighbours?${list}`);
  for (const [name, link] of Object.entries(links)) {
    if (found[name] === null) link.removeAttribute("href");
    else link.setAttribute("href", addressOf(`/page/${found[name]}${location.search}`));
  }
  document.getElementById("position").textContent = `${found.position} / ${found.total}`;
}

/** Let the studio prepare the next page, so that it is there at once. */
async function prepareNext() {
  await arriving;
  const next = links.next.getAttribute("href")?.split("?")[0];
  if (next) await ask(`/api${next}/ahead?${page.settings}`);
}

async function turn(name) {
  await arriving;
  const target = links[name].getAttribute("href");
  if (target) await leave(`${target.split("?")[0]}${location.search}`); // the settings of now
  else say(`there is no ${name} page in this list`);
}

for (const [name, link] of Object.entries(links)) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    attempt(() => turn(name));
  });
}
bindKey("[", "previous page of the list", () => turn("previous"));
bindKey("]", "next page of the list", () => turn("next"));
on("ready", () => setTimeout(() => prepareNext().catch(() => {}), 100)); // it is only to save time
