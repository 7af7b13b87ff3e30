// All like the selected blocks on the other pages of the site: found page by page, shown, and labelled as one action.
import { ask, attempt, counted, el, say } from "./base.js";
import { page } from "./page_state.js";
import { chosen } from "./correct_actions.js";
import { correct, isSuggested, loadLabels, NONE } from "./correct_state.js";
import { allSent } from "./queue.js";

const AT_ONCE = 20; // pages of a request
const format = (number) => number.toLocaleString("en");

/** Show what is like the selected blocks on the other pages of the site, to be given a label. */
export async function previewSite() {
  const blocks = chosen();
  if (!blocks.length) return;
  const { pages } = await ask(`/api/page/${page.id}/site-pages`);
  if (!pages.length) { say("the project has no other page of this site"); return; }
  new SiteDialog(blocks, labelOf(blocks), pages).open();
}

/** The label that the blocks have, or that is suggested for all of them; NONE if there is not one. */
function labelOf(blocks) {
  const codes = new Set(blocks.map((block) => (isSuggested(block) ? correct.suggested[block] : correct.codes[block])));
  return codes.size === 1 ? [...codes][0] : NONE;
}

class SiteDialog {
  constructor(blocks, code, pages) {
    Object.assign(this, { blocks, pages, rows: [], seen: 0, reading: null });
    this.list = el("div", { class: "preview", role: "group", "aria-label": "Pages", tabindex: 0 });
    this.status = el("p", { role: "status" });
    this.bar = el("progress", { max: pages.length, value: 0, "aria-label": "Pages of the site that were read" });
    this.stop = el("button", { type: "button", title: "Label only what was found up to here", onclick: () => this.end() }, "Stop reading");
    this.label = el("select", { "aria-label": "Label", oninput: () => this.count() },
      el("option", { value: NONE }, "choose a label"), ...correct.labels.map((name, index) => el("option", { value: index, selected: index === code }, name)));
    this.sameText = el("input", { type: "checkbox", id: "same-text", oninput: () => attempt(() => this.find()) });
    this.replace = el("input", { type: "checkbox", id: "replace-labels", oninput: () => this.count() });
    this.apply = el("button", { type: "button", class: "primary", disabled: true, onclick: () => attempt(() => this.give()) }, "Label them");
    this.dialog = this.make();
  }

  make() {
    const texts = this.blocks.slice(0, 3).map((block) => el("q", {}, page.texts[block].slice(0, 60)));
    const more = this.blocks.length > texts.length ? ` and ${this.blocks.length - texts.length} more` : "";
    return el("dialog", { class: "wide", "aria-labelledby": "site-title" },
      el("h2", { id: "site-title" }, "All like this on the site"),
      el("p", { class: "quiet" }, ...texts.flatMap((text, index) => (index ? [", ", text] : [text])), more),
      el("p", {}, "They get the label ", this.label, ". Nothing changes until you press “Label them”. Then it runs to its end; one undo takes it back on all pages."),
      el("div", { class: "group" }, el("label", {}, this.sameText, " only with the same text"), el("label", {}, this.replace, " replace other labels that I gave")),
      el("div", { class: "group" }, this.bar, this.stop), this.status, this.list,
      el("form", { method: "dialog", class: "group" }, el("button", {}, "Cancel"), this.apply));
  }

  get code() {
    return Number(this.label.value);
  }

  open() {
    this.dialog.addEventListener("close", () => { this.reading?.abort(); this.dialog.remove(); });
    document.body.append(this.dialog);
    this.dialog.showModal();
    if (this.code === NONE) this.label.focus();
    attempt(() => this.find());
  }

  /** Read the pages of the site, until all are read or somebody stops it. */
  async find() {
    this.reading?.abort();
    const reading = this.reading = new AbortController();
    this.rows = [];
    this.list.replaceChildren();
    this.stop.hidden = this.bar.hidden = false;
    for (let start = 0; start < this.pages.length && !reading.signal.aborted; start += AT_ONCE) {
      const body = { annotator: correct.annotator, blocks: this.blocks, same_text: this.sameText.checked, pages: this.pages.slice(start, start + AT_ONCE) };
      const found = await ask(`/api/page/${page.id}/site-preview`, { method: "POST", body, signal: reading.signal });
      for (const row of found) this.add(row);
      this.count(Math.min(start + AT_ONCE, this.pages.length));
    }
    if (!reading.signal.aborted) this.end();
  }

  /** End reading; what was found stays. */
  end() {
    this.reading?.abort();
    this.reading = null;
    this.stop.hidden = this.bar.hidden = true;
    this.count();
  }

  add(row) {
    if (row.error) { this.list.append(el("p", { class: "error" }, `${row.title}: ${row.error}`)); return; }
    const box = el("input", { type: "checkbox", checked: true, oninput: () => this.count() });
    this.rows.push({ ...row, box });
    this.list.append(el("details", {}, el("summary", {}, box, " ", el("a", { href: `/page/${row.page}`, target: "_blank" }, row.title), ` · ${row.blocks.length}: `, el("q", {}, row.texts[0])),
      el("ul", {}, ...row.texts.slice(0, 50).map((text, index) => el("li", {}, text, row.codes[index] === NONE ? null : el("span", { class: "label-key", "data-label": correct.labels[row.codes[index]] }, correct.labels[row.codes[index]])))),
      row.texts.length > 50 ? el("p", { class: "quiet" }, `and ${row.texts.length - 50} more`) : null));
  }

  /** The blocks to label: page -> blocks. */
  wanted() {
    const pages = {};
    for (const { page: number, blocks, codes, box } of this.rows) {
      const own = blocks.filter((_, index) => codes[index] === NONE || (this.replace.checked && codes[index] !== this.code));
      if (box.checked && own.length) pages[number] = own;
    }
    return pages;
  }

  count(seen = this.seen) {
    this.seen = this.bar.value = seen;
    const pages = Object.values(this.wanted());
    const blocks = pages.reduce((sum, own) => sum + own.length, 0);
    const all = this.rows.reduce((sum, row) => sum + row.blocks.length, 0);
    const read = seen < this.pages.length ? `${format(seen)} of ${format(this.pages.length)} pages of the site were read` : `all ${format(seen)} other pages of the site were read`;
    this.status.textContent = `${counted(blocks, "block")} on ${counted(pages.length, "page")} get the label; ${format(all - blocks)} like this keep what they have. ${read[0].toUpperCase()}${read.slice(1)}.`;
    this.apply.disabled = !blocks || this.reading !== null || this.code === NONE;
    this.apply.title = this.reading ? "wait until the pages are read, or stop reading" : this.code === NONE ? "choose a label first" : "";
  }

  async give() {
    this.apply.disabled = true;
    await allSent();
    const pages = this.wanted();
    this.status.textContent = `labelling ${counted(Object.keys(pages).length, "page")} …`;
    const own = this.blocks, isNew = own.some((block) => correct.codes[block] !== this.code); // this page is part of the action, so that it can be undone from here
    const body = { annotator: correct.annotator, label: this.code, pages: { ...pages, [page.id]: own } };
    const text = JSON.stringify(body);
    if (this.text !== text) Object.assign(this, { text, id: crypto.randomUUID() });
    let labels;
    try {
      ({ labels } = await ask("/api/site-labels", { method: "POST", body: { ...body, id: this.id, project: document.body.dataset.project } }));
    } catch (error) {
      this.status.textContent = `Nothing is known to be labelled: ${error.status ? error.message : "the studio does not answer"}. Try again; it is done only once.`;
      this.apply.disabled = false;
      return;
    }
    this.dialog.close();
    await loadLabels();
    say(`${counted(labels, "block")} on ${counted(Object.keys(pages).length + isNew, "page")} labelled; undo takes all of it back`);
  }
}
