// What the modules of a site share: the site, its pages, and how to ask about them.
import { ask, el } from "./base.js";

export const site = {
  key: document.getElementById("site").dataset.key,
  facts: null, // the latest answer of /api/site/<key>
  page: 0, // number of the page that is shown
};

export const siteAddress = (path = "") => `/api/site/${encodeURIComponent(site.key)}${path}`;

/** Ask about the page that is shown. */
export const askPage = (path, options) => ask(siteAddress(`/page/${site.page}/${path}`), options);

/** A symbol of a paper; what follows an underscore is its index. */
export const sym = (text) => el("i", { class: "symbol" }, ...text.split(/_(\w+)/).map((part, index) => (index % 2 ? el("sub", {}, part) : part)));

/** The caption of a figure: what it shows, in the paper's symbols, and which page of the documentation says more. */
export function caption(title, parts, docs) {
  const [file, words] = docs;
  return el("figcaption", { class: "caption" }, el("b", {}, title), " ", ...parts, " ",
    el("span", { class: "quiet" }, `More: ${words} (${file}).`));
}

/** A bar for a value from 0 to 1. */
export function meter(value, name = "") {
  const bar = el("span", { class: `meter ${name}`, "aria-hidden": "true" });
  bar.style.setProperty("--v", Math.min(1, Math.max(0, value ?? 0)));
  return bar;
}

export const percent = (value) => `${Math.round(100 * value)} %`;
export const decimals = (value, digits = 2) => (value === null || value === undefined ? "–" : value.toFixed(digits));
export { svg } from "./drawing.js";
