// A table that is sorted by the buttons in its head; a row can be chosen.
import { el } from "./base.js";

const share = (value) => value.toFixed(3);
export const FORMATS = {
  text: (value) => value,
  count: (value) => value.toLocaleString("en"),
  share,
  ms: (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en")),
  any: (value) => (typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)).toString() : String(value)),
};

export class SortedTable {
  /**
   * columns: [{key, name, about, format, ascending, cell}]; cell(row) gives what is shown instead of the value.
   * sort: [key, descending]. onSort: sorts elsewhere, and calls `show`. onPick(row): rows can be chosen. nameOf(row): the button's label.
   */
  constructor(table, columns, { sort, onSort, onPick, idOf = (row) => row.id, about = "" }) {
    Object.assign(this, { table, columns, onSort, onPick, idOf });
    [this.key, this.descending] = sort ?? [columns[0].key, false];
    this.rows = [];
    this.chosen = null;
    if (about) table.append(el("caption", { class: "quiet" }, about));
    this.head = el("tr");
    this.body = el("tbody");
    table.append(el("thead", {}, this.head), this.body);
    this.#showHead();
    table.addEventListener("click", (event) => this.#click(event));
  }

  /** Show rows, sorted here unless the table has `onSort`. */
  show(rows) {
    this.rows = rows;
    this.#showHead();
    if (!this.onSort) this.rows = [...rows].sort((a, b) => this.#compare(a, b));
    this.body.replaceChildren(...this.rows.map((row) => this.#row(row)));
    this.mark(this.chosen);
  }

  /** Sort by a column; by the same one again, the other way round. */
  sortBy(key) {
    const column = this.columns.find((each) => each.key === key);
    this.descending = key === this.key ? !this.descending : !(column.ascending ?? column.format === "text");
    this.key = key;
    if (this.onSort) this.onSort();
    else this.show(this.rows);
  }

  /** Sort by the next column. */
  sortByNext() {
    const at = this.columns.findIndex((each) => each.key === this.key);
    this.sortBy(this.columns[(at + 1) % this.columns.length].key);
    return this.columns.find((each) => each.key === this.key).name;
  }

  /** Mark the row with an id as chosen. */
  mark(id) {
    this.chosen = id;
    for (const [index, row] of [...this.body.rows].entries()) {
      const isChosen = this.idOf(this.rows[index]) === id;
      row.classList.toggle("chosen", isChosen);
      row.querySelector(".pick")?.setAttribute("aria-pressed", String(isChosen));
    }
  }

  /** Choose the row after or before the chosen one. */
  step(by) {
    if (!this.rows.length) return;
    const at = this.rows.findIndex((row) => this.idOf(row) === this.chosen);
    this.pick(this.rows[Math.min(Math.max(at + by, 0), this.rows.length - 1)]);
  }

  pick(row) {
    this.mark(this.idOf(row));
    this.body.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
    this.onPick(row);
  }

  #compare(a, b) {
    const [left, right] = [a[this.key], b[this.key]];
    if (left === null || left === undefined || right === null || right === undefined) return (left ?? null) === null ? ((right ?? null) === null ? 0 : 1) : -1;
    const order = typeof left === "number" && typeof right === "number" ? left - right : String(left).localeCompare(String(right), "en", { numeric: true });
    return this.descending ? -order : order;
  }

  #showHead() {
    this.head.replaceChildren(...this.columns.map(({ key, name, about, format }) => {
      const isKey = key === this.key;
      const order = isKey ? (this.descending ? "descending" : "ascending") : null;
      return el("th", { scope: "col", "aria-sort": order, class: format === "text" ? null : "number" },
        el("button", { type: "button", class: "sort", dataset: { key }, title: about }, name || " ", el("span", { class: "arrow", "aria-hidden": "true" }, isKey ? (this.descending ? "▼" : "▲") : "")));
    }));
  }

  #row(row) {
    const cells = this.columns.map(({ key, format, cell }, index) => {
      const value = row[key];
      const shown = cell ? cell(row) : value === null || value === undefined ? "–" : FORMATS[format](value);
      const inside = index === 0 && this.onPick ? el("button", { type: "button", class: "pick", "aria-pressed": "false", title: String(value) }, shown) : shown;
      const made = el(index ? "td" : "th", { scope: index ? null : "row", class: format === "text" ? (index ? null : "name") : `number${format === "share" ? " share" : ""}` }, inside);
      if (format === "share" && typeof value === "number") made.style.setProperty("--v", `${Math.round(100 * Math.min(1, Math.max(0, value)))}%`);
      return made;
    });
    return el("tr", { class: this.onPick ? "pickable" : null }, ...cells);
  }

  #click(event) {
    const sort = event.target.closest(".sort");
    if (sort) {
      const { key } = sort.dataset;
      this.sortBy(key);
      this.head.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
      return;
    }
    const row = event.target.closest("tbody tr");
    if (row && this.onPick && !event.target.closest("a")) this.pick(this.rows[[...this.body.rows].indexOf(row)]);
  }
}
