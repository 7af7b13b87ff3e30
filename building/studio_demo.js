// What answers the front end where no studio is: recordings of studio_demo.py. Labels, flags and comments stay in the
// browser. What the recordings do not have is refused in one sentence, as a studio refuses what it cannot do.
"use strict";
{
  const CHANGES = "This is a demo, without a studio behind it: it cannot do that. To try it with your own pages: pip install 'dehusk[studio]', then dehusk studio.";
  const SETTINGS = "The demo has recorded only some settings: change one at a time, or press Reset.";
  const NOWHERE = "#not-in-the-demo";
  const OWN = "dehusk-demo "; // before names in the storage
  const BUCKETS = 40;
  const files = new Map(); // name -> promise of a file of answers

  /** Where a view is; the same rule as `_place` of studio_demo.py. */
  function at(path) {
    if (!path.startsWith("/")) return path;
    const { pathname, search, hash, searchParams } = new URL(path, "http://demo");
    const overlay = pathname.match(/^\/api\/page\/(\d+)\/overlay$/);
    if (overlay && document.querySelector("#settings") && isUsual(searchParams)) return `overlay-${overlay[1]}.html`;
    if (pathname.startsWith("/api/") || (pathname === "/rules" && search)) return NOWHERE;
    return `${pathname.slice(1).replaceAll("/", "-") || "index"}.html${search}${hash}`;
  }

  const isUsual = (settings) => [...document.querySelectorAll("#settings [name]")].every((control) => {
    if (!settings.has(control.name)) return true;
    if (control.type === "checkbox") return (settings.get(control.name) === "yes") === control.defaultChecked;
    const usual = control.options ? ([...control.options].find((option) => option.defaultSelected) ?? control.options[0]).value : control.defaultValue;
    return settings.get(control.name) === usual;
  });

  async function recorded(file) {
    if (!files.has(file)) files.set(file, fetch(`answers/${file}.json`).then((answer) => answer.json()));
    return files.get(file);
  }

  const sorted = (value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value);

  /** The answer that was recorded; undefined if there is none. Each caller gets its own. */
  async function find(path, query, body = null) {
    const [, , first, second] = path.split("/");
    const { answers, values } = await recorded(["page", "site"].includes(first) ? `${first}-${decodeURIComponent(second)}` : "studio");
    const number = answers[JSON.stringify([path, sorted(query), sorted(body)])];
    return number === undefined ? undefined : structuredClone(values[number]);
  }

  const refuse = (line, status = 400) => { throw Object.assign(new Error(line), { status }); };

  async function answer(address, method, body = null) {
    const { pathname: path, searchParams } = new URL(address, "http://demo");
    for (const [pattern, own] of OWN_ANSWERS) {
      const match = path.match(pattern);
      if (match) return own(searchParams, method === "GET" ? null : body, ...match.slice(1));
    }
    const found = await find(path, Object.fromEntries(searchParams), body);
    if (found?.error) refuse(found.error, 409);
    if (found !== undefined) return found;
    const isOfSettings = /\/(?:compare|suggestions|grey|information)$/.test(path) && body?.with !== "text";
    return refuse(isOfSettings ? SETTINGS : CHANGES);
  }

  // ------------------------------------------------------------------ labels, flags and comments

  const stored = (name, otherwise) => JSON.parse(localStorage.getItem(OWN + name) ?? "null") ?? otherwise;
  const store = (name, value) => localStorage.setItem(OWN + name, JSON.stringify(value));
  const nameOf = (page, annotator) => `page ${page} ${annotator}`;

  /** What an annotator did to a page: labels of now, those before and after each step, flag. */
  async function workOn(page, annotator) {
    const about = await find(`/api/page/${page}/labels`, { annotator: "me" });
    return { about, work: { codes: about.codes, before: [], after: [], flag: "", ...stored(nameOf(page, annotator)) } };
  }

  const stateOf = ({ codes, before, after, flag }) =>
    ({ codes, undo: before.length > 0, redo: after.length > 0, seconds: 0, flag, flags_of_others: {}, failure: "" });

  async function labels(query, body, page) {
    const annotator = body?.annotator ?? query.get("annotator");
    const { about, work } = await workOn(page, annotator);
    const comment = stored(`comment ${page}`, "");
    if (!body) return { ...about, ...stateOf(work), comment, annotators: [annotator], file: "this browser" };
    work.before = [...work.before, [...work.codes]].slice(-100);
    work.after = [];
    body.blocks.forEach((block, index) => { work.codes[block] = body.labels[index]; });
    store(nameOf(page, annotator), work);
    return { labelled: work.codes.filter((code) => code >= 0).length, failure: "" };
  }

  async function step(_, { annotator }, page, name) {
    const { work } = await workOn(page, annotator);
    const [from, to] = name === "undo" ? [work.before, work.after] : [work.after, work.before];
    const codes = from.pop();
    if (codes) { to.push(work.codes); work.codes = codes; }
    store(nameOf(page, annotator), work);
    return { pages: codes ? [Number(page)] : [], ...stateOf(work) };
  }

  async function note(_, { annotator, flag, comment }, page) {
    const { work } = await workOn(page, annotator);
    if (flag !== undefined) store(nameOf(page, annotator), Object.assign(work, { flag }));
    if (comment !== undefined) store(`comment ${page}`, comment);
    return stateOf(work);
  }

  // ------------------------------------------------------------------ the list

  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const CHOICES = ["status", "type", "language", "host", "flag"], RANGES = ["confidence", "kept"];

  async function allRows() {
    const { rows } = await find("/api/pages", { count: "500" });
    for (const row of rows) {
      const work = Object.keys(localStorage).filter((key) => key.startsWith(`${OWN}page ${row.id} `)).map((key) => JSON.parse(localStorage.getItem(key)));
      row.labelled = Math.max(0, ...work.map(({ codes }) => codes.filter((code) => code >= 0).length));
      row.flag = work.map(({ flag }) => flag).find(Boolean) ?? "";
      row.comment = stored(`comment ${row.id}`, "");
    }
    return rows;
  }

  /** The filters of a query: name -> test of a row. */
  async function filters(query) {
    const tests = {};
    for (const name of CHOICES) if (query.has(name)) tests[name] = (row) => query.getAll(name).includes(row[name]);
    for (const name of RANGES) {
      const [least, most] = (query.get(name) ?? "").split(",").map(Number);
      if (query.get(name)) tests[name] = (row) => row[name] >= least && row[name] <= most;
    }
    if (query.get("labelled")) tests.labelled = (row) => (row.labelled > 0) === (query.get("labelled") === "yes");
    const wanted = fold(query.get("search") ?? "");
    if (wanted.length) {
      const texts = await find("/texts", {});
      const has = (words, word, index) => words.some((own) => (index === wanted.length - 1 ? own.startsWith(word) : own === word));
      tests.search = ({ id }) => wanted.every((word, index) => has(texts[id], word, index));
    }
    return (row, without = "") => Object.entries(tests).every(([name, test]) => name === without || test(row));
  }

  function inOrder(rows, query) {
    const name = query.get("sort") ?? "id";
    const found = rows.toSorted((one, other) => (one[name] < other[name] ? -1 : one[name] > other[name] ? 1 : one.id - other.id));
    return query.get("descending") === "yes" ? found.reverse() : found;
  }

  async function pages(query) {
    const [rows, passes] = [await allRows(), await filters(query)];
    const found = inOrder(rows.filter((row) => passes(row)), query);
    const start = Number(query.get("start") ?? 0);
    return { rows: found.slice(start, start + Number(query.get("count") ?? 100)), count: found.length, all: rows.length };
  }

  async function facets(query) {
    const [rows, passes] = [await allRows(), await filters(query)];
    const of = (name) => rows.filter((row) => passes(row, name));
    const tally = (name) => Object.entries(Object.groupBy(of(name), (row) => row[name])).map(([value, own]) => [value, own.length])
      .sort(([one, many], [other, few]) => few - many || (one < other ? -1 : 1));
    const bars = (name) => of(name).reduce((counts, row) => { counts[Math.min(BUCKETS - 1, Math.floor(row[name] * BUCKETS + 1e-4))] += 1; return counts; }, Array(BUCKETS).fill(0));
    const labelled = of("labelled").filter((row) => row.labelled > 0).length;
    return {
      values: Object.fromEntries(CHOICES.map((name) => [name, tally(name)])),
      histograms: { ...Object.fromEntries(RANGES.map((name) => [name, bars(name)])), agreement: [] },
      tool: "", // no other one cleaned these pages
      labelled: { yes: labelled, no: of("labelled").length - labelled },
    };
  }

  async function neighbours(query, _, page) {
    const [rows, passes] = [inOrder(await allRows(), query), await filters(query)];
    const place = rows.findIndex(({ id }) => id === Number(page));
    const before = rows.slice(0, place).filter((row) => passes(row)), after = rows.slice(place + 1).filter((row) => passes(row));
    const own = Number(passes(rows[place]));
    return { previous: before.at(-1)?.id ?? null, next: after[0]?.id ?? null, position: before.length + own, total: before.length + own + after.length };
  }

  async function next(query, _, kind) {
    const [rows, passes] = [await allRows(), await filters(query)], page = Number(query.get("page"));
    const host = rows.find(({ id }) => id === page)?.host;
    const order = kind === "site" ? rows : inOrder(rows, new URLSearchParams({ sort: "confidence" }));
    const isWanted = kind === "site" ? (row) => row.host === host : (row) => !row.labelled && !row.flag && row.blocks;
    const found = order.filter((row) => row.id !== page && passes(row) && isWanted(row)), ids = order.map(({ id }) => id);
    const chosen = found.find(({ id }) => ids.indexOf(id) > ids.indexOf(page)) ?? found[0];
    return chosen ? { page: chosen.id, position: (await neighbours(query, null, chosen.id)).position } : { page: null };
  }

  async function progress(query) {
    const [rows, passes] = [await allRows(), await filters(query)];
    const listed = rows.filter((row) => passes(row));
    return { pages: listed.length, done: listed.filter((row) => row.flag || row.labelled === row.blocks).length, median: null, left: null };
  }

  async function sites(query) {
    const { sites: every, ...rest } = await find("/api/sites", { search: "", sort: "pages", descending: "yes", start: "0" });
    const found = every.filter(({ host }) => host.includes(query.get("search").trim().toLowerCase()));
    const ordered = inOrder(found.map((site) => ({ ...site, id: 0 })), query);
    return { ...rest, sites: ordered, count: found.length };
  }

  // ------------------------------------------------------------------ the page

  async function outcome(query, _, page) {
    const asked = { ...Object.fromEntries(query), ...(query.get("format") === "none" ? { format: "text" } : {}) };
    return await find(`/api/page/${page}/outcome`, asked) ?? refuse(SETTINGS);
  }

  /** Reasons are recorded for the settings that a page opens with. */
  async function reason(query, _, page, block) {
    const unknown = { words: "The demo has the reasons only for the settings that the page opens with: press Reset.", otherwise: "", site: "", final: true, bars: [], evidence: {}, path: "", node: null };
    return await find(`/api/page/${page}/reason/${block}`, Object.fromEntries(query)) ?? unknown;
  }

  const OWN_ANSWERS = [
    [/^\/api\/pages$/, pages],
    [/^\/api\/facets$/, facets],
    [/^\/api\/sites$/, sites],
    [/^\/api\/labelling$/, progress],
    [/^\/api\/next\/(\w+)$/, next],
    [/^\/api\/page\/(\d+)\/neighbours$/, neighbours],
    [/^\/api\/page\/(\d+)\/labels$/, labels],
    [/^\/api\/page\/(\d+)\/labels\/(undo|redo)$/, step],
    [/^\/api\/page\/(\d+)\/note$/, note],
    [/^\/api\/page\/(\d+)\/outcome$/, outcome],
    [/^\/api\/page\/(\d+)\/reason\/(\d+)$/, reason],
    [/^\/api\/page\/\d+\/(?:seconds|ahead)$/, async () => null],
  ];

  /** What leads nowhere says so. */
  function explain(event) {
    const isLink = event.type === "click";
    if (isLink ? !event.target.closest?.(`a[href="${NOWHERE}"]`) : location.hash !== NOWHERE) return;
    if (isLink) event.preventDefault();
    else history.replaceState(history.state, "", location.pathname + location.search);
    const line = document.getElementById("toast");
    line.textContent = CHANGES;
    setTimeout(() => { line.textContent = ""; }, 8000);
  }

  addEventListener("click", explain, { capture: true });
  addEventListener("hashchange", explain);
  globalThis.studioCopy = { at, answer };
}
