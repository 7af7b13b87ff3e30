// A tree that folds: rows are made when their parent opens, so that trees of any size open at once.
import { attempt, el } from "./base.js";

const MOST = 200; // children shown at a time
const indent = (level) => Math.min(level, 9) + Math.min(25, Math.max(0, level - 9)) / 5; // deep levels less, so that rows stay wide

export class Tree {
  /** options: label; kind, a class; content(index) gives the nodes of a row; hover(index), -1 for none; select(index) */
  constructor(parent, options) {
    this.options = options;
    this.children = new Map([[-1, []]]);
    this.parent = parent;
    parent.forEach((above, index) => {
      if (!this.children.has(above)) this.children.set(above, []);
      this.children.get(above).push(index);
    });
    this.rows = new Map(); // index -> its row
    this.element = el("div", { class: `tree ${options.kind ?? ""}`, role: "tree", "aria-label": options.label });
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("mouseover", (event) => options.hover?.(indexOf(event.target)));
    this.element.addEventListener("mouseleave", () => options.hover?.(-1));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.append(...this.#make(-1, 0));
    for (const root of this.childrenOf(-1)) this.open(root);
    this.element.firstElementChild?.setAttribute("tabindex", "0");
  }

  childrenOf(index) {
    return this.children.get(index) ?? [];
  }

  #make(above, level, from = 0) {
    const all = this.childrenOf(above);
    const rows = all.slice(from, from + MOST).map((index) => this.#row(index, level));
    const left = all.length - from - MOST;
    if (left > 0) rows.push(this.#rest(above, level, from + MOST, left));
    return rows;
  }

  #row(index, level) {
    const folds = this.childrenOf(index).length > 0;
    const row = el("div", {
      class: "tree-row", role: "treeitem", "aria-level": level + 1, tabindex: "-1", dataset: { index },
      "aria-expanded": folds ? "false" : null, "aria-selected": "false",
    }, el("span", { class: "twisty", "aria-hidden": "true" }), ...this.options.content(index));
    row.style.setProperty("--level", indent(level));
    this.rows.set(index, row);
    return row;
  }

  #rest(above, level, from, left) {
    const button = el("button", { type: "button", class: "plain tree-rest" }, `… ${left.toLocaleString("en")} more`);
    button.dataset.above = above;
    button.dataset.from = from;
    button.setAttribute("aria-level", level + 1);
    button.style.setProperty("--level", indent(level));
    return button;
  }

  #more(button) {
    const rows = this.#make(Number(button.dataset.above), Number(button.getAttribute("aria-level")) - 1, Number(button.dataset.from));
    button.replaceWith(...rows);
  }

  isOpen(index) {
    return this.rows.get(index)?.getAttribute("aria-expanded") === "true";
  }

  /** Open a row, and below it rows that are only children. */
  open(index) {
    const row = this.rows.get(index);
    if (!row || row.getAttribute("aria-expanded") !== "false") return;
    row.setAttribute("aria-expanded", "true");
    row.after(...this.#make(index, Number(row.getAttribute("aria-level"))));
    const [only, ...others] = this.childrenOf(index);
    if (!others.length) this.open(only);
  }

  close(index) {
    const row = this.rows.get(index);
    if (!this.isOpen(index)) return;
    row.setAttribute("aria-expanded", "false");
    const level = Number(row.getAttribute("aria-level"));
    while (Number(row.nextElementSibling?.getAttribute("aria-level")) > level) {
      this.rows.delete(Number(row.nextElementSibling.dataset.index ?? -2));
      row.nextElementSibling.remove();
    }
  }

  /** Open rows, those with the largest value first, until there are so many; rows of value 0 stay closed. */
  openLargest(valueOf, rows) {
    while (this.rows.size < rows) {
      const closed = [...this.rows.keys()].filter((index) => valueOf(index) > 0 && this.rows.get(index).getAttribute("aria-expanded") === "false");
      if (!closed.length) return;
      this.open(closed.reduce((best, index) => (valueOf(index) > valueOf(best) ? index : best)));
    }
  }

  /** Open everything above an index and select it. */
  reveal(index) {
    const above = [];
    for (let at = this.parent[index]; at >= 0; at = this.parent[at]) above.unshift(at);
    for (const at of above) {
      this.#expose(at);
      this.open(at);
    }
    this.#expose(index);
    this.#mark(index);
    this.rows.get(index)?.scrollIntoView({ block: "nearest" });
  }

  /** Show a row that is among those that "… more" stands for. */
  #expose(index) {
    for (let tries = 0; !this.rows.has(index) && tries < 500; tries += 1) {
      const rest = this.element.querySelector(`.tree-rest[data-above="${this.parent[index]}"]`);
      if (!rest) return;
      this.#more(rest);
    }
  }

  #mark(index) {
    this.element.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    this.element.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    const row = this.rows.get(index);
    row?.setAttribute("aria-selected", "true");
    row?.setAttribute("tabindex", "0");
  }

  #click(event) {
    const rest = event.target.closest(".tree-rest");
    if (rest) return this.#more(rest);
    const index = indexOf(event.target);
    if (index < 0) return undefined;
    if (event.target.closest(".twisty")) return this.isOpen(index) ? this.close(index) : this.open(index);
    this.#mark(index);
    return attempt(async () => this.options.select?.(index));
  }

  #key(event) {
    const index = indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const rows = [...this.element.querySelectorAll(".tree-row")];
    const at = rows.indexOf(this.rows.get(index));
    const actions = {
      ArrowDown: () => this.#focus(rows[at + 1]),
      ArrowUp: () => this.#focus(rows[at - 1]),
      Home: () => this.#focus(rows[0]),
      End: () => this.#focus(rows[rows.length - 1]),
      ArrowRight: () => (this.isOpen(index) ? this.#focus(rows[at + 1]) : this.open(index)),
      ArrowLeft: () => (this.isOpen(index) ? this.close(index) : this.#focus(this.rows.get(this.parent[index]))),
      Enter: () => { this.#mark(index); attempt(async () => this.options.select?.(index)); },
      " ": () => (this.isOpen(index) ? this.close(index) : this.open(index)),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  #focus(row) {
    if (!row) return;
    this.element.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    row.setAttribute("tabindex", "0");
    row.focus();
    this.options.hover?.(indexOf(row));
  }
}

const indexOf = (target) => Number(target.closest?.(".tree-row")?.dataset.index ?? -1);
