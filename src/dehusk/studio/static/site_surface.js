// The surface A_D(n, a) as a map, with the paths of the searches over it.
import { el } from "./base.js";
import { svg } from "./site_state.js";

const LEFT = 40, TOP = 8, WIDTH = 460, HEIGHT = 260, LEVELS = 20;
const MARKS = 12; // numbers on an axis

export class Surface {
  /** listeners: choose(column, row) */
  constructor(data, listeners) {
    this.data = data;
    this.listeners = listeners;
    this.cell = [WIDTH / data.lengths.length, HEIGHT / data.percents.length];
    this.chosen = svg("rect", { class: "chosen", width: this.cell[0], height: this.cell[1], visibility: "hidden" });
    this.readout = el("p", { class: "quiet readout" }, "Point at a cell.");
    const map = svg("g", { class: "map", onclick: (event) => this.#click(event), onpointermove: (event) => this.#point(event) },
      svg("rect", { class: "ground", x: LEFT, y: TOP, width: WIDTH, height: HEIGHT }), ...this.#cells());
    this.picture = svg("svg", {
      viewBox: `0 0 ${LEFT + WIDTH + 84} ${TOP + HEIGHT + 62}`, class: "chart surface", role: "img",
      "aria-label": "Map of alternation counts over the length n and the share a, with the paths of the search",
    }, map, ...this.#axes(), ...this.#scale(), ...this.#paths(), this.chosen);
    this.element = el("div", {}, this.picture, this.readout);
  }

  /** The alternation count at a cut point, null outside of the map. */
  countAt([n, a]) {
    const column = this.data.lengths.indexOf(n), row = this.data.percents.indexOf(a);
    return column < 0 || row < 0 ? null : this.data.alternation[column][row];
  }

  /** Show which cut point the page is coloured by; null for none. */
  mark(cut) {
    const column = cut ? this.data.lengths.indexOf(cut[0]) : -1, row = cut ? this.data.percents.indexOf(cut[1]) : -1;
    this.chosen.setAttribute("visibility", column < 0 || row < 0 ? "hidden" : "visible");
    if (column >= 0) this.chosen.setAttribute("x", LEFT + column * this.cell[0]);
    if (row >= 0) this.chosen.setAttribute("y", TOP + row * this.cell[1]);
  }

  /** One path of rectangles for each level of colour: thousands of cells in some twenty elements. */
  #cells() {
    const counts = this.data.alternation.flat().filter((count) => count > 0);
    const [low, high] = [Math.log10(Math.min(...counts)), Math.log10(Math.max(...counts))];
    this.range = counts.length ? [low, high] : [0, 0];
    const paths = Array.from({ length: LEVELS }, () => []);
    const [width, height] = this.cell;
    this.data.alternation.forEach((column, index) => column.forEach((count, row) => {
      if (count <= 0) return;
      const level = Math.min(LEVELS - 1, Math.floor((LEVELS * (Math.log10(count) - low)) / Math.max(high - low, 1e-9)));
      paths[level].push(`M${(LEFT + index * width).toFixed(2)} ${(TOP + row * height).toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h-${width.toFixed(2)}z`);
    }));
    return paths.map((parts, level) => svg("path", { class: "cell", "shape-rendering": "crispEdges", d: parts.join(""), "fill-opacity": opacity(level) }));
  }

  #axes() {
    const { lengths, percents } = this.data;
    const [width, height] = this.cell;
    const across = every(lengths).map((index) => svg("text", { x: LEFT + (index + 0.5) * width, y: TOP + HEIGHT + 14, "text-anchor": "middle" }, String(lengths[index])));
    const down = every(percents).map((index) => svg("text", { x: LEFT - 5, y: TOP + (index + 0.5) * height + 4, "text-anchor": "end" }, String(percents[index])));
    return [...across, ...down,
      svg("text", { x: LEFT + WIDTH / 2, y: TOP + HEIGHT + 30, "text-anchor": "middle" }, "n, characters of an n-gram"),
      svg("text", { x: 10, y: TOP + HEIGHT / 2, "text-anchor": "middle", transform: `rotate(-90 10 ${TOP + HEIGHT / 2})` }, "a, percent")];
  }

  #scale() {
    const x = LEFT + WIDTH + 14;
    const steps = Array.from({ length: LEVELS }, (_, level) => svg("rect", {
      class: "cell", x, y: TOP + ((LEVELS - 1 - level) * 140) / LEVELS, width: 12, height: 140 / LEVELS + 0.3, "fill-opacity": opacity(level) }));
    return [...steps, ...[[this.range[1], 10], [this.range[0], 140]].map(([power, y]) =>
      svg("text", { x: x + 16, y: TOP + y }, Math.round(10 ** power).toLocaleString("en")))];
  }

  #paths() {
    const { lengths, percents, paths } = this.data;
    return paths.flatMap(({ name, points }, number) => {
      const dots = points.map(([n, a]) => [lengths.indexOf(n), percents.indexOf(a)]).filter(([column, row]) => column >= 0 && row >= 0)
        .map(([column, row]) => [LEFT + (column + 0.5) * this.cell[0], TOP + (row + 0.5) * this.cell[1]]);
      if (!dots.length) return [];
      const y = TOP + HEIGHT + 46, x = LEFT + number * 200;
      return [svg("g", { class: `path path-${number}` }, svg("title", {}, `the search ${name}`),
        svg("polyline", { points: dots.map((dot) => dot.map((value) => value.toFixed(1)).join(",")).join(" ") }),
        svg("circle", { cx: dots[0][0], cy: dots[0][1], r: 5, class: "start" }), svg("circle", { cx: dots.at(-1)[0], cy: dots.at(-1)[1], r: 4.5, class: "end" }),
        svg("polyline", { points: `${x},${y} ${x + 24},${y}` }), svg("text", { x: x + 30, y: y + 4 }, `the search ${name}`))];
    });
  }

  #at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.picture.getScreenCTM().inverse());
    const column = Math.floor((point.x - LEFT) / this.cell[0]), row = Math.floor((point.y - TOP) / this.cell[1]);
    const isInside = column >= 0 && row >= 0 && column < this.data.lengths.length && row < this.data.percents.length;
    return isInside ? [column, row] : null;
  }

  #click(event) {
    const cell = this.#at(event);
    if (cell) this.listeners.choose(...cell);
  }

  #point(event) {
    const cell = this.#at(event);
    if (!cell) return;
    const [n, a, count] = [this.data.lengths[cell[0]], this.data.percents[cell[1]], this.data.alternation[cell[0]][cell[1]]];
    const least = this.data.threshold[cell[0]][cell[1]];
    this.readout.textContent = count
      ? `(n, a) = (${n}, ${a}): A = ${count.toLocaleString("en")}; useless n-grams occur ${least.toLocaleString("en")} times or more`
      : `(n, a) = (${n}, ${a}): no n-gram is frequent`;
  }
}

const opacity = (level) => (0.06 + (0.94 * level) / (LEVELS - 1)).toFixed(3);

function every(values) {
  const step = Math.ceil(values.length / MARKS);
  return values.map((_, index) => index).filter((index) => index % step === 0);
}
