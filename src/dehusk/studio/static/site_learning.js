// The site's model: whether there is one, how its learning goes on, and what to do if there are too few pages.
import { ask, attempt, bindKey, counted, say } from "./base.js";
import { decimals, site, siteAddress } from "./site_state.js";

const POLL = 400; // ms
const learn = document.getElementById("learn");
const cancel = document.getElementById("cancel");
const bar = document.getElementById("progress");
const words = document.getElementById("learned");
const notice = document.getElementById("notice");

async function refresh() {
  site.facts = await ask(siteAddress());
  const { pages, labelled, confidence, learned, few } = site.facts;
  document.getElementById("facts").textContent =
    `${counted(pages, "page")} · ${labelled ? labelled.toLocaleString("en") : "none"} labelled · mean confidence ${decimals(confidence)}`;
  words.textContent = learned ? learnedWords(learned, pages) : "";
  words.title = learned?.notes.join("\n") ?? "";
  learn.hidden = Boolean(few);
  learn.textContent = learned ? "Learn again" : "Learn the site";
  learn.classList.toggle("primary", !learned);
  showNotice();
}

/** Say what people must know to read the views: that there is no model, what was left out, that a page is not in it. */
export function showNotice() {
  const { pages, learned, few } = site.facts;
  const parts = learned ? learned.notes.slice(0, 3) : [noticeWords(few, pages)];
  if (learned && site.page && !learned.pages.includes(site.page)) {
    parts.push("The site was not learned from this page: words and elements that only this page has count as new, and counts of other pages can be one too low.");
  }
  notice.hidden = !parts.length;
  notice.textContent = parts.join(" · ");
}

function learnedWords(learned, pages) {
  const newer = pages > learned.of_pages ? `; ${counted(pages - learned.of_pages, "page")} came later` : "";
  const copies = learned.distinct < learned.pages.length ? `, ${learned.distinct} not counting copies` : "";
  return `✓ learned from ${learned.pages.length} of ${counted(pages, "page")}${copies}${newer}`;
}

function noticeWords(few, pages) {
  if (few) return `Too few pages: ${few}.`;
  return `This site is not learned yet. “Learn the site” (L) compares up to 100 of its ${pages.toLocaleString("en")} pages, in the background; that takes some seconds.`;
}

function showProgress(progress) {
  const isWaiting = progress?.state === "waiting", isRunning = isWaiting || progress?.state === "running";
  cancel.hidden = !isRunning;
  bar.hidden = !isRunning || isWaiting;
  learn.disabled = isRunning;
  if (!isRunning) return;
  bar.max = progress.of;
  bar.value = progress.done;
  words.textContent = progress.step;
}

const isUnderWay = (progress) => ["running", "waiting"].includes(progress?.state);

async function watch(onLearned) {
  for (;;) {
    const progress = await ask(siteAddress("/learning"));
    showProgress(progress);
    if (!isUnderWay(progress)) return finish(progress, onLearned);
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}

async function finish(progress, onLearned) {
  await refresh();
  if (progress?.state === "failed") say(`Not learned: ${progress.message}`);
  else if (progress?.state === "cancelled") say("Cancelled; what was learned before stays.");
  else if (progress) await onLearned();
}

async function start(onLearned) {
  if (learn.hidden || learn.disabled) return;
  showProgress(await ask(siteAddress("/learning"), { method: "POST", body: {} }));
  await watch(onLearned);
}

/** Show the state of the site; call back when it has been learned. */
export async function joinLearning(onLearned) {
  learn.addEventListener("click", () => attempt(() => start(onLearned)));
  cancel.addEventListener("click", () => attempt(() => ask(siteAddress("/learning"), { method: "DELETE", body: {} })));
  bindKey("L", "learn the site", () => start(onLearned));
  await refresh();
  const progress = await ask(siteAddress("/learning"));
  if (isUnderWay(progress)) attempt(() => watch(onLearned)); // started before this view was opened
}
