// What rules change on the pages of a host: asked for part by part, shown as it comes.
import { ask, attempt, counted, el } from "./base.js";

const BAR = 60; // pages that are looked at before people are asked whether to go on
let latest; // the walk that is under way

/** Walk over the pages of a host; `each` gets every answer. Returns whether all pages were looked at. */
export async function walk(path, body, each, { from = 0, most = Infinity } = {}) {
  const own = new AbortController();
  latest?.abort();
  latest = own;
  let start = from;
  for (let seen = 0; start !== null && seen < most;) {
    const answer = await ask(path, { method: "POST", body: { ...body, start }, signal: own.signal });
    seen += answer.looked_at;
    start = answer.next;
    each(answer);
  }
  return start;
}

/** Give up the walk that is under way. */
export const stopWalk = () => latest?.abort();

/** Show the effects of new rules, and how many pages they change; tells `onPage` what happens to one page, and `onAnswer` all. */
export async function showEffects(body, { list, counts, page, onPage, path = "/api/rules/effects", onAnswer = () => {} }) {
  const sums = { looked: 0, total: 0, changed: 0, keep: [0, 0], drop: [0, 0], against: 0, mended: 0, reach: {} };
  list.replaceChildren();
  const each = (answer) => {
    add(sums, answer);
    onAnswer(answer);
    for (const row of answer.rows) {
      if (row.page === page) onPage(row);
      if (row.error || row.kept.blocks || row.dropped.blocks) list.append(effectRow(row, row.page === page));
    }
    counts.replaceChildren(...summary(sums));
  };
  const go = async (from) => {
    const rest = await walk(path, body, each, { from, most: BAR });
    if (rest === null) { if (!list.childElementCount) list.append(el("p", { class: "quiet" }, "No page changes.")); return; }
    const more = el("button", { type: "button", onclick: () => { more.remove(); return attempt(() => go(rest)); } },
      `Look at more pages (${sums.total - rest} left)`);
    list.append(more);
  };
  await go(0);
}

function add(sums, answer) {
  sums.looked += answer.looked_at;
  sums.total = answer.total;
  for (const row of answer.rows) {
    if (row.error) continue;
    sums.changed += Boolean(row.kept.blocks || row.dropped.blocks);
    for (const [name, part] of [["keep", row.kept], ["drop", row.dropped]]) {
      sums[name][0] += part.blocks;
      sums[name][1] += part.words;
    }
    sums.against += row.against;
    sums.mended += row.mended;
  }
  for (const [rule, reached] of Object.entries(answer.reach)) {
    sums.reach[rule] ??= { blocks: 0, nothing: 0, parts: 0 };
    for (const key of Object.keys(reached)) sums.reach[rule][key] += reached[key];
  }
}

function summary(sums) {
  const parts = [`${sums.changed} of ${counted(sums.looked, "page")}`];
  if (sums.drop[0]) parts.push(`drops ${counted(sums.drop[0], "block")}, ${counted(sums.drop[1], "word")} more`);
  if (sums.keep[0]) parts.push(`keeps ${counted(sums.keep[0], "block")}, ${counted(sums.keep[1], "word")} more`);
  const nothing = Object.values(sums.reach).reduce((sum, each) => sum + each.nothing + each.parts, 0);
  if (nothing) parts.push(`covers no block on ${counted(nothing, "page")}`);
  const words = [el("span", {}, parts.join(" · "))];
  if (sums.mended) words.push(el("strong", {}, ` · agrees with ${sums.mended} more ${sums.mended === 1 ? "label" : "labels"} of people`));
  if (sums.against) words.push(el("strong", { class: "error" }, ` · against ${counted(sums.against, "label")} of people`));
  return words;
}

function effectRow(row, isOwn) {
  const head = [el("a", { href: `/page/${row.page}` }, row.title || row.url)];
  if (row.error) return el("article", { class: "effect" }, el("header", {}, ...head), el("p", { class: "error" }, row.error));
  const change = row.after - row.before;
  return el("article", { class: `effect${isOwn ? " own" : ""}`, dataset: { page: row.page } },
    el("header", {}, ...head, isOwn ? el("span", { class: "tag" }, "this page") : null, el("span", { class: "grow" }),
      el("span", { class: "number", title: "words kept before and after" }, `${row.before} → ${row.after} words (${change > 0 ? "+" : change < 0 ? "−" : ""}${Math.abs(change)})`)),
    row.against ? el("p", { class: "error" }, `against ${counted(row.against, "label")}`) : null,
    el("ul", {}, ...row.texts.map(({ keep, text }) => el("li", { class: keep ? "keeps" : "drops" }, el("span", { class: "sign", "aria-label": keep ? "kept" : "dropped" }, keep ? "+" : "−"), text))),
    row.more ? el("p", { class: "quiet" }, `and ${counted(row.more, "block")} more`) : null);
}
