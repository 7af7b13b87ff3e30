// The pages of the site to choose from: some of them at a time, around the one that is shown, or those with some words.
import { ask, attempt, bindKey, counted, el, say, settled } from "./base.js";
import { site, siteAddress } from "./site_state.js";

const FEW = 20; // pages that need no search
const chooser = document.getElementById("pages");
const search = document.getElementById("find-page");
let list = [];
let show = () => {};

/** Show the page that the address names, or else the first one; onChange is called whenever another one is chosen. */
export async function openPages(onChange) {
  show = onChange;
  take({ list: site.facts.list, found: site.facts.pages });
  search.hidden = site.facts.pages <= FEW;
  const wanted = Number(new URLSearchParams(location.search).get("page"));
  if (wanted && !has(wanted)) await look({ around: wanted });
  site.page = has(wanted) ? wanted : (list[0] ?? site.facts.list[0]).id;
}

const has = (page) => list.some(({ id }) => id === page);

/** Let the chooser name the page that is shown. */
export function nameCurrent() {
  chooser.value = String(site.page);
}

function take({ list: found, found: count }) {
  list = found;
  chooser.replaceChildren(...list.map((page) => el("option", { value: page.id }, page.title || page.name || page.url)));
  chooser.title = count > list.length ? `${list.length} of ${counted(count, "page")}` : counted(count, "page");
  nameCurrent();
}

async function look(query) {
  const asked = new URLSearchParams(query);
  if (search.value.trim()) asked.set("search", search.value);
  const answer = await ask(siteAddress(`/pages?${asked}`));
  if (answer.list.length) take(answer);
  return answer.found;
}

async function find() {
  const found = await look(search.value.trim() ? {} : { around: site.page });
  if (!found) { say("no page of the site has these words"); return; }
  if (has(site.page)) return;
  site.page = list[0].id;
  await show();
}

/** Go to the next page of the list, or by -1 to the previous one. */
export async function goPage(by) {
  const neighbour = () => list[list.findIndex(({ id }) => id === site.page) + by];
  if (!neighbour()) await look({ around: site.page });
  const page = neighbour();
  if (!page) { say(by > 0 ? "This is the last page of the site." : "This is the first page of the site."); return; }
  site.page = page.id;
  await show();
}

chooser.addEventListener("change", () => {
  site.page = Number(chooser.value);
  attempt(show);
});
search.addEventListener("input", settled(() => attempt(find), 150));
bindKey("/", "find a page of the site", () => (search.hidden ? chooser : search).focus());
bindKey("[", "previous page of the site", () => goPage(-1));
bindKey("]", "next page of the site", () => goPage(1));
document.getElementById("previous").addEventListener("click", () => attempt(() => goPage(-1)));
document.getElementById("next").addEventListener("click", () => attempt(() => goPage(1)));
