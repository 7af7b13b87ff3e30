// A histogram from 0 to 1 that filters: drag over it, or move its two ends by keyboard.
import { el } from "./base.js";
import { list, onChange, setRange } from "./pages_query.js";

const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -4, PageUp: 4 };
let gestures = 0;

/** Make the histogram of a column in an element; returns a function that shows numbers of pages. */
export function makeHistogram(holder, name, label) {
  const bars = el("div", { class: "bars", "aria-hidden": "true" });
  const ends = ["least", "most"].map((end) => el("div", { class: `end ${end}`, role: "slider", tabindex: "0", "aria-label": `${label}: ${end}`, "aria-valuemin": 0, "aria-valuemax": 1 }));
  const shown = el("output", { class: "number" });
  const plot = el("div", { class: "plot", title: "Drag to filter; double-click for all" }, bars, ...ends);
  const all = el("button", { type: "button", class: "plain", onclick: () => setRange(name, 0, 1) }, "all");
  const caption = el("div", { class: "caption" }, el("h3", {}, label), shown, all);
  holder.append(caption, plot);
  const part = { name, plot, bars, ends, shown, all, counts: [] };
  joinDragging(part);
  ends.forEach((end, index) => joinKeys(part, end, index));
  onChange(() => showRange(part));
  showRange(part);
  return (counts, ofWhat) => { // ofWhat: "" if nothing is known of the column, and so nothing is shown
    caption.hidden = plot.hidden = ofWhat === "";
    caption.title = ofWhat ? `Word F1 of what ${ofWhat} keeps of a page, and of what is kept here` : "";
    part.counts = counts;
    showBars(part);
    showRange(part);
  };
}

function rangeOf(part) {
  return list.ranges[part.name] ?? [0, 1];
}

function showBars({ bars, counts }) {
  const most = Math.sqrt(Math.max(1, ...counts));
  bars.replaceChildren(
    ...counts.map((count, index) => {
      const bar = el("i", { title: `${(index / counts.length).toFixed(2)} to ${((index + 1) / counts.length).toFixed(2)}: ${count.toLocaleString("en")} pages` });
      bar.style.height = count ? `${Math.max(4, (100 * Math.sqrt(count)) / most)}%` : "0";
      return bar;
    }),
  );
}

function showRange(part) {
  const [least, most] = rangeOf(part);
  [...part.bars.children].forEach((bar, index, { length }) => {
    bar.classList.toggle("out", index / length < least - 1e-9 || (index + 1) / length > most + 1e-9);
  });
  [least, most].forEach((value, index) => {
    part.ends[index].style.left = `${100 * value}%`;
    part.ends[index].setAttribute("aria-valuenow", value);
    part.ends[index].setAttribute("aria-valuetext", value.toFixed(2));
  });
  part.shown.textContent = `${least.toFixed(2)} – ${most.toFixed(2)}`;
  part.all.hidden = least <= 0 && most >= 1;
}

function rounded(value, part) {
  const steps = part.counts.length || 40;
  return Math.max(0, Math.min(1, Math.round(value * steps) / steps));
}

function joinDragging(part) {
  let start = -1, gesture = "";
  const at = (event) => {
    const box = part.plot.getBoundingClientRect();
    return (event.clientX - box.left) / box.width;
  };
  part.plot.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const end = part.ends.indexOf(event.target);
    start = end < 0 ? rounded(at(event), part) : rangeOf(part)[1 - end]; // from the other end
    gesture = `drag ${(gestures += 1)}`;
    part.plot.setPointerCapture(event.pointerId);
  });
  part.plot.addEventListener("pointermove", (event) => {
    if (start < 0 || !(event.buttons & 1)) return;
    const here = rounded(at(event), part);
    const [least, most] = [Math.min(start, here), Math.max(start, here)];
    const [before, after] = rangeOf(part);
    if (least < most && (least !== before || most !== after)) setRange(part.name, least, most, gesture);
  });
  for (const name of ["pointerup", "pointercancel"]) part.plot.addEventListener(name, () => { start = -1; });
  part.plot.addEventListener("dblclick", () => setRange(part.name, 0, 1));
}

function joinKeys(part, end, index) {
  end.addEventListener("keydown", (event) => {
    const range = [...rangeOf(part)], step = 1 / (part.counts.length || 40);
    if (event.key in STEPS) range[index] += STEPS[event.key] * step;
    else if (event.key === "Home") range[index] = index ? range[0] + step : 0;
    else if (event.key === "End") range[index] = index ? 1 : range[1] - step;
    else return;
    event.preventDefault();
    event.stopPropagation();
    range[index] = index ? Math.max(range[index], range[0] + step) : Math.min(range[index], range[1] - step);
    setRange(part.name, rounded(range[0], part), rounded(range[1], part), `keys ${part.name}`);
  });
}
