// Quality against cost: a point for each method, with the interval of its F1; the table beside it has the same figures.
import { el } from "./base.js";
import { svg } from "./drawing.js";
import { FORMATS } from "./sorted_table.js";

const WIDTH = 560, HEIGHT = 330, LEFT = 54, RIGHT = 14, TOP = 12, BOTTOM = 40;
const NAMES = { f1: "F1", precision: "precision", recall: "recall" };
const LABEL = 15; // pixels between the middles of two labels

/** Show points; rows: name, ms, f1, precision, recall, low, high, isTool. onPick(row) is optional. */
export function showPlot(root, rows, { quality = "f1", chosen = null, onPick } = {}) {
  const placed = rows.filter((row) => row.ms > 0 && typeof row[quality] === "number");
  const without = rows.filter((row) => !placed.includes(row) && typeof row[quality] === "number");
  const note = without.length ? el("p", { class: "quiet" }, `Without a known time: ${without.map((row) => `${row.name} (${NAMES[quality]} ${FORMATS.share(row[quality])})`).join(", ")}.`) : null;
  if (!placed.length) { root.replaceChildren(el("p", { class: "quiet" }, "No method with known times yet."), ...(note ? [note] : [])); return; }
  const scale = scaleOf(placed, quality);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "group", "aria-label": `${NAMES[quality]} against milliseconds of CPU time a page; the table of results has the same figures` },
    ...axes(scale, quality), frontier(placed, scale, quality), ...points(placed, scale, { quality, chosen, onPick }));
  root.replaceChildren(picture, el("p", { class: "quiet" }, "The dashed line joins the methods that no other one beats in both."), ...(note ? [note] : []));
}

function scaleOf(rows, quality) {
  const times = rows.map((row) => Math.log10(row.ms));
  const [first, last] = [Math.min(...times) - 0.12, Math.max(...times) + 0.35];
  const least = Math.min(...rows.map((row) => (quality === "f1" ? row.low ?? row.f1 : row[quality])));
  const low = Math.max(0, Math.floor((least - 0.02) * 20) / 20);
  return {
    low, first, last,
    x: (ms) => LEFT + ((Math.log10(ms) - first) / (last - first)) * (WIDTH - LEFT - RIGHT),
    y: (value) => TOP + ((1 - value) / (1 - low)) * (HEIGHT - TOP - BOTTOM),
  };
}

function axes({ low, first, last, x, y }, quality) {
  const step = 1 - low > 0.5 ? 0.2 : 1 - low > 0.2 ? 0.1 : 0.05;
  const levels = Array.from({ length: Math.floor((1 - low) / step + 1e-9) + 1 }, (_, index) => 1 - index * step);
  const marks = [];
  for (let power = Math.floor(first); power <= last; power += 1) {
    for (const digit of last - first > 2 ? [1] : [1, 2, 5]) {
      const at = power + Math.log10(digit);
      if (at >= first && at <= last) marks.push(digit * 10 ** power);
    }
  }
  return [
    ...levels.flatMap((level) => [
      svg("line", { class: "grid-line", x1: LEFT, x2: WIDTH - RIGHT, y1: y(level), y2: y(level) }),
      svg("text", { x: LEFT - 6, y: y(level) + 4, "text-anchor": "end" }, level.toFixed(2))]),
    ...marks.flatMap((ms) => [
      svg("line", { class: "grid-line", x1: x(ms), x2: x(ms), y1: TOP, y2: HEIGHT - BOTTOM }),
      svg("text", { x: x(ms), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, Number(ms.toPrecision(2)).toLocaleString("en"))]),
    svg("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, "CPU milliseconds a page"),
    svg("text", { x: 11, y: (TOP + HEIGHT - BOTTOM) / 2, "text-anchor": "middle", transform: `rotate(-90 11 ${(TOP + HEIGHT - BOTTOM) / 2})` }, NAMES[quality]),
  ];
}

function frontier(rows, { x, y }, quality) {
  let best = -1;
  const line = [...rows].sort((a, b) => a.ms - b.ms || b[quality] - a[quality]).filter((row) => row[quality] > best && ((best = row[quality]), true));
  return svg("polyline", { class: "frontier", points: line.map((row) => `${x(row.ms).toFixed(1)},${y(row[quality]).toFixed(1)}`).join(" ") });
}

/** The points from the top down, with labels that do not cover each other. */
function points(rows, scale, { quality, chosen, onPick }) {
  const order = [...rows].sort((a, b) => b[quality] - a[quality]);
  const labels = []; // [left, right, middle] of those that have a place
  return order.map((row) => {
    const x = scale.x(row.ms), y = scale.y(row[quality]);
    const size = 7 * row.name.length, toLeft = x + 12 + size > WIDTH;
    const [start, end] = toLeft ? [x - 12 - size, x - 12] : [x + 12, x + 12 + size];
    let middle = y;
    for (let tries = 0; tries < 20; tries += 1) {
      if (!labels.some(([left, right, other]) => left < end && start < right && Math.abs(other - middle) < LABEL)) break;
      middle += LABEL;
    }
    labels.push([start, end, middle]);
    return point(row, { x, y, middle, toLeft, scale, quality, isChosen: row.id !== undefined && row.id === chosen, onPick });
  });
}

function point(row, { x, y, middle, toLeft, scale, quality, isChosen, onPick }) {
  const words = `${row.name}: ${NAMES[quality]} ${FORMATS.share(row[quality])}${quality === "f1" && row.low !== null && row.low !== undefined ? ` (${FORMATS.share(row.low)} to ${FORMATS.share(row.high)})` : ""}, ${FORMATS.ms(row.ms)} ms a page, ${row.pages} pages`;
  const shape = row.isTool ? svg("rect", { class: "dot", x: x - 5, y: y - 5, width: 10, height: 10 }) : svg("circle", { class: "dot", cx: x, cy: y, r: 5.5 });
  const hasInterval = quality === "f1" && typeof row.low === "number";
  const pick = onPick ? () => onPick(row) : null;
  return svg("g", {
    class: `point${isChosen ? " chosen" : ""}`, tabindex: onPick ? 0 : undefined, role: onPick ? "button" : "img", "aria-label": words, "aria-pressed": onPick ? String(isChosen) : undefined,
    onclick: () => pick?.(), onkeydown: (event) => { if (pick && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); event.stopPropagation(); pick(); } },
  },
  svg("title", {}, words),
  ...(hasInterval ? [svg("line", { class: "interval", x1: x, x2: x, y1: scale.y(row.low), y2: scale.y(row.high) })] : []),
  ...(middle === y ? [] : [svg("line", { class: "leader", x1: x, y1: y, x2: toLeft ? x - 10 : x + 10, y2: middle })]),
  shape, svg("text", { x: toLeft ? x - 12 : x + 12, y: middle + 4, "text-anchor": toLeft ? "end" : "start" }, row.name));
}
