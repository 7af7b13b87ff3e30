// What the list shows, as the address says it: so Back works, and an address can be kept and shared.

import { addressOf } from "./base.js";

/** Columns that are filtered by value; an empty value is one too. */
export const CHOICES = ["status", "type", "language", "host", "flag"];
/** Columns that are filtered by a range from 0 to 1. */
export const RANGES = ["confidence", "kept", "agreement"];

const KNOWN = [...CHOICES, ...RANGES, "search", "labelled", "sort", "descending"];
const listeners = [];

export const list = read();

function read() {
  const given = new URLSearchParams(location.search);
  const values = Object.fromEntries(CHOICES.map((name) => [name, given.getAll(name)]));
  const ranges = {};
  for (const name of RANGES) {
    const [least, most] = (given.get(name) ?? "").split(",").map(Number.parseFloat);
    if (least >= 0 && most <= 1 && least <= most) ranges[name] = [least, most];
  }
  return {
    search: given.get("search") ?? "",
    labelled: given.get("labelled") ?? "",
    sort: given.get("sort") ?? "id",
    descending: given.get("descending") === "yes",
    values,
    ranges,
  };
}

/** Return the query of the list, without what is usual. */
export function query() {
  const made = new URLSearchParams();
  if (list.search.trim()) made.set("search", list.search);
  for (const name of CHOICES) for (const value of list.values[name]) made.append(name, value);
  for (const name of RANGES) if (list.ranges[name]) made.set(name, list.ranges[name].map((v) => +v.toFixed(4)).join(","));
  if (list.labelled) made.set("labelled", list.labelled);
  if (list.sort !== "id") made.set("sort", list.sort);
  if (list.descending) made.set("descending", "yes");
  return made;
}

/** Return the address of a page that knows this list. */
export function pageAddress(id) {
  const made = query().toString();
  return addressOf(`/page/${id}${made ? `?${made}` : ""}`);
}

/** Return whether anything is filtered out. */
export function isFiltered() {
  return [...query().keys()].some((name) => !["sort", "descending"].includes(name));
}

let lastGesture = "";

/** Change what the list shows. Changes of one gesture, such as a drag or a text being typed, are one step for Back. */
export function change(changes, gesture = "") {
  Object.assign(list, changes);
  const made = query().toString();
  const search = made ? `?${made}` : "";
  if (search !== location.search) {
    if (gesture && gesture === lastGesture) history.replaceState(null, "", addressOf(`/${search}`));
    else history.pushState(null, "", addressOf(`/${search}`));
  }
  lastGesture = gesture;
  tell();
}

/** Filter a column by one more value, or no longer by it. */
export function toggleValue(name, value) {
  const own = list.values[name];
  const next = own.includes(value) ? own.filter((one) => one !== value) : [...own, value];
  change({ values: { ...list.values, [name]: next } });
}

/** Filter a column by a range; all of it: no filter. */
export function setRange(name, least, most, gesture = "") {
  const ranges = { ...list.ranges };
  if (least <= 0 && most >= 1) delete ranges[name];
  else ranges[name] = [least, most];
  change({ ranges }, gesture);
}

/** Show all pages again, in the same order. */
export function clearFilters() {
  change({ search: "", labelled: "", values: Object.fromEntries(CHOICES.map((name) => [name, []])), ranges: {} });
}

/** Sort by a column; by the same one again: the other way round. */
export function sortBy(name) {
  change(list.sort === name ? { descending: !list.descending } : { sort: name, descending: false });
}

/** Be told of each change. */
export function onChange(action) {
  listeners.push(action);
}

function tell() {
  for (const action of listeners) action();
}

addEventListener("popstate", () => {
  Object.assign(list, read());
  tell();
});
for (const name of new URLSearchParams(location.search).keys()) {
  if (!KNOWN.includes(name)) history.replaceState(history.state, "", addressOf(`/?${query()}`));
}
