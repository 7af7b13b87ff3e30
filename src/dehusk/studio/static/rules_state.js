// What the modules of the making of a rule share: what is wanted, what is not, and what the rule covers.
// Events, by `on(name, listener)`: "clicks" (what is wanted changed), "rule" (the rule itself changed), "covered",
// "effects" (which blocks of this page change).

const events = new EventTarget();
const given = new URLSearchParams(location.search);
const numbers = (name) => (given.get(name) ?? "").split(",").filter((part) => /^\d+$/.test(part)).map(Number);

export const making = {
  page: Number(document.getElementById("make").dataset.page),
  texts: [], words: [], kept: [], corrections: { drop: [], keep: [] },
  wanted: new Set(numbers("blocks")),
  unwanted: new Set(numbers("not")),
  action: ["keep", "drop"].includes(given.get("action")) ? given.get("action") : null,
  host: given.get("host"),
  selectors: [], // of the rule, each a rule of its own
  covered: new Set(),
  changed: new Set(),
  cursor: -1,
};

export const on = (name, listener) => events.addEventListener(name, (event) => listener(event.detail));
export const emit = (name, detail = {}) => events.dispatchEvent(new CustomEvent(name, { detail }));

/** The rules that would be written. */
export const newRules = () => making.selectors.map((selector) => ({ action: making.action, selector, host: making.host }));

/** Keep what is chosen in the address, so that a reload shows it again. */
export function remember() {
  const query = new URLSearchParams({ page: making.page, action: making.action ?? "drop" });
  if (making.wanted.size) query.set("blocks", [...making.wanted].join(","));
  if (making.unwanted.size) query.set("not", [...making.unwanted].join(","));
  if (making.host) query.set("host", making.host);
  history.replaceState(null, "", `?${query}`);
}

/** A click on a block: what the rule should cover, or should not, or neither. */
export function toggle(block) {
  const { wanted, unwanted, covered } = making;
  if (wanted.has(block)) {
    wanted.delete(block);
    if (covered.has(block) && wanted.size) unwanted.add(block);
  } else if (unwanted.has(block)) unwanted.delete(block);
  else if (covered.has(block)) unwanted.add(block);
  else wanted.add(block);
  emit("clicks");
}
