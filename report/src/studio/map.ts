import "../common/plots/maps.css";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { button, h, number, onResize, said, save, withUnit } from "../common/dom";
import { drawing, savePng, saveSvg, type Svg } from "../common/plots/drawing";
import { arrows, drawAxes, drawRamp, margin as around, markAt } from "../common/plots/load_map";
import type { PlaneAxis } from "../common/plots/plane";
import { rgb, shade } from "../common/plots/ramp";
import { csvOf } from "../common/table";
import { colour, isDark, onTheme } from "../common/theme";
import { fromUnit, inUnit, onUnits, sentenceInUnits, unitName, withoutRounding } from "../common/units";
import { MapCells } from "./map_cells";
import type { State } from "./state";
import type { MapAnswer, MapQuestion, Question, SliderData, StudioData } from "./studio_data";

/** What the map reads of the page, and asks the program for. */
export interface MapSource {
  question: () => Question; // for the design that is shown
  isFree: () => boolean; // whether no design is asked for
  ask: (question: MapQuestion) => Promise<MapAnswer>;
}

const margin = { ...around, right: 22 }; // for the last number of an axis
const mostColumns = 100; // and rows
const cellsAsked = { least: 16, most: 1000 }; // in one question
const pause = 100; // ms without a change, before cells are asked for
const paintedEvery = 100; // ms, while it fills in
const roundedPart = 1e-9; // of the largest value, that is rounding in a bound

const nextFrame = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => done()));

const columnsOf = ({ levels }: SliderData): number => levels?.length ?? mostColumns;

/** Whether it can be along a side of a map. */
const isNumber = ({ of, levels, low, high }: SliderData): boolean => of === "variable" && (levels === undefined ? high > low
  : levels.length > 1 && levels.length <= mostColumns && levels.every((level) => typeof level === "number"));

/** Where the value of a slider lies along its side of a map, in columns. */
const placeOf = (slider: SliderData, value: number): number =>
  slider.levels ? value : ((value - slider.low) / (slider.high - slider.low)) * (mostColumns - 1);

function axisOf(slider: SliderData): PlaneAxis {
  const { name, unit, levels, low, high } = slider;
  const at = (value: number): number => (placeOf(slider, value) + 0.5) / columnsOf(slider);
  const text = (value: number): string => number(value, 6);
  return {
    title: unit === "" ? name : `${name} [${unitName(unit)}]`,
    ticks: (most) => {
      if (levels === undefined)
        return scaleLinear([low, high].map((end) => inUnit(end, unit)), [0, 1]).ticks(most)
          .map((tick) => ({ at: at(fromUnit(tick, unit)), text: text(tick) }));
      const stride = Math.ceil(levels.length / most);
      return levels.flatMap((level, i) => (i % stride === 0 ? [{ at: at(i), text: text(inUnit(level as number, unit)) }] : []));
    },
  };
}

/** A map of the first objective over two variables of the study, which fills in coarse to fine while nothing else is
 * asked for and it is seen. A click, or the arrow keys and enter, take the design of a cell. */
export class DesignMap {
  readonly element: HTMLElement;
  private readonly across = h("select", { "aria-label": "across the map" });
  private readonly up = h("select", { "aria-label": "up the map" });
  private readonly canvas = h("canvas", {});
  private readonly svg: Svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  private readonly exports = h("span", { class: "exports", hidden: true },
    button("SVG", "save the map as SVG", () => saveSvg(this.title, this.figure())),
    button("PNG", "save the map as PNG", () => void savePng(this.title, this.figure())),
    button("CSV", "save the map as CSV", () => save(`${this.title}.csv`, this.csv())));
  private readonly chooser = h("div", { class: "map-chooser" }, h("label", {}, "across ", this.across), h("label", {}, "up ", this.up), this.exports);
  private readonly frame = h("div", { class: "map-frame", tabindex: 0, role: "application", "aria-roledescription": "map" },
    this.canvas, this.svg.node()!);
  private readonly body = h("div", { class: "map-body" }, this.frame);
  private readonly readout = h("p", { class: "map-readout", role: "status" });
  private readonly least = h("p", {});
  private readonly legend = h("div", { class: "map-legend" });
  private readonly told = h("p", { class: "faint", hidden: true }, "While the best springs are shown, a map needs two variables of the geometry that are numbers.");
  private readonly sliders: SliderData[]; // those that can be chosen
  private chosen: SliderData[] = []; // across, up; none where there is no map
  private cells = new MapCells(2, 2, [0, 0]);
  private key = ""; // of what the cells were asked for
  private cursor: number | null = null; // a cell
  private toldOf: number | null = null; // the cell that is pointed at, or the cursor's
  private wrong = ""; // why there is no map
  private seen = false;
  private filling = false;
  private changed = 0; // when a slider moved, in ms
  private painted = 0; // when, in ms
  private width = 0;

  /** `wished` names the variables that the map begins with, as far as there are such. */
  constructor(private readonly data: StudioData, private readonly state: State, private readonly source: MapSource, private readonly wished: string[]) {
    const rank = ({ name, levels }: SliderData): number => (data.sized.includes(name) ? 2 : 0) + (levels ? 1 : 0);
    this.sliders = data.sliders.filter(isNumber).sort((a, b) => rank(a) - rank(b));
    this.svg.attr("aria-hidden", "true");
    this.element = h("section", { class: "panel where", "aria-label": "Where to mount" }, h("h2", {}, "Where to mount"),
      h("div", { class: "maps" },
        this.chooser, this.told, this.body));
    this.element.hidden = this.sliders.length < 2;
    this.body.append(this.readout, this.least, this.legend);
    this.across.addEventListener("change", () => this.choose(this.across.value, this.up.value === this.across.value ? this.chosen[0]!.name : this.up.value));
    this.up.addEventListener("change", () => this.choose(this.across.value === this.up.value ? this.chosen[1]!.name : this.across.value, this.up.value));
    this.frame.addEventListener("click", (event) => this.take(this.under(event)));
    this.frame.addEventListener("pointermove", (event) => this.tell(this.under(event)));
    this.frame.addEventListener("pointerleave", () => this.tell(this.cursor));
    this.frame.addEventListener("keydown", (event) => this.step(event));
    this.frame.addEventListener("blur", () => this.point(null));
    onResize(this.frame, () => {
      if (this.frame.clientWidth !== this.width) this.draw();
    });
    onTheme(() => this.draw());
    onUnits(() => this.draw());
    new IntersectionObserver((entries) => {
      this.seen = entries.at(-1)!.isIntersecting;
      void this.fill();
    }).observe(this.element);
  }

  /** To be called when something else is asked for. Begins anew unless only what the map goes over has moved. */
  update(): void {
    this.changed = performance.now();
    const allowed = this.allowed();
    const names = this.axes.filter((name) => allowed.some((one) => one.name === name));
    const [across, up] = [...names, ...allowed.map(({ name }) => name).filter((name) => !names.includes(name))];
    this.choose(across ?? "", up ?? "");
  }

  /** The names of the variables that it goes over: across, up. */
  get axes(): string[] {
    return this.chosen.length > 0 ? this.chosen.map(({ name }) => name) : this.wished;
  }

  /** What tests read. */
  get found(): object {
    const { columns, rows, cells, isWhole, done } = this.cells;
    return { across: this.chosen[0]?.name, up: this.chosen[1]?.name, columns, rows, done, whole: isWhole, told: this.readout.textContent,
      values: cells.map((cell) => cell?.value ?? null), reasons: cells.map((cell) => cell?.reason ?? "") };
  }

  private allowed(): SliderData[] {
    const { size } = this.source.question();
    return this.sliders.filter(({ name }) => !size || !this.data.sized.includes(name));
  }

  private choose(across: string, up: string): void {
    const allowed = this.allowed();
    this.chosen = [across, up].flatMap((name) => allowed.find((one) => one.name === name) ?? []);
    if (this.chosen.length < 2) this.chosen = [];
    for (const [i, picker] of [this.across, this.up].entries()) {
      picker.replaceChildren(...allowed.map(({ name }) => h("option", { value: name }, name)));
      picker.value = this.chosen[i]?.name ?? "";
    }
    this.begin();
  }

  /** Begins with other cells, if others are to be shown. */
  private begin(): void {
    const { motion, size } = this.source.question();
    const [across, up] = this.chosen;
    const names = this.chosen.map(({ name }) => name);
    const free = [...names, ...(size ? this.data.sized : [])];
    const key = JSON.stringify([motion, size, names, this.data.sliders.filter(({ name }) => !free.includes(name)).map(({ name }) => this.state.of(name))]);
    if (key === this.key) return this.drawMarks();
    this.key = key;
    this.wrong = "";
    this.cursor = this.toldOf = null;
    if (across !== undefined && up !== undefined)
      this.cells = new MapCells(columnsOf(across), columnsOf(up), this.place());
    this.told.hidden = across !== undefined;
    this.body.hidden = this.chooser.hidden = across === undefined;
    this.frame.setAttribute("aria-label", `Map over ${names.join(" and ")}; arrows move over its cells, with shift by ten, and enter takes one`);
    this.draw();
    void this.fill();
  }

  /** The design that is shown, as a column and a row. */
  private place(): [number, number] {
    return this.chosen.map((slider) => placeOf(slider, this.state.of(slider.name))) as [number, number];
  }

  /** Asks for cells while nothing else is asked for. */
  private async fill(): Promise<void> {
    if (this.filling) return;
    this.filling = true;
    let most = cellsAsked.least;
    while (this.seen && this.chosen.length > 0 && this.wrong === "" && !this.cells.isWhole) {
      if (!this.source.isFree() || performance.now() - this.changed < pause) {
        await nextFrame();
        continue;
      }
      const cells = this.cells, key = this.key;
      const next = cells.order.slice(cells.done, cells.done + most);
      try {
        const answer = await this.source.ask({ ...this.source.question(), across: this.chosen[0]!.name, up: this.chosen[1]!.name,
          columns: cells.columns, rows: cells.rows, cells: next });
        if (key !== this.key) continue;
        if ("refused" in answer) this.wrong = answer.refused;
        else {
          cells.take(answer);
          most = Math.min(Math.max(2 * answer.cells.length, cellsAsked.least), cellsAsked.most);
        }
      } catch (error) {
        if (key === this.key) this.wrong = error instanceof TypeError ? "The program does not answer." : String((error as Error).message);
      }
      if (performance.now() - this.painted > paintedEvery || this.wrong !== "" || cells.isWhole) this.paint();
    }
    this.filling = false;
  }

  private get inner(): [number, number] {
    return [Math.max(this.width - margin.left - margin.right, 10), this.height - margin.top - margin.bottom];
  }
  private get height(): number {
    return Math.min(Math.max(Math.round(0.8 * this.width), 190), 380);
  }

  private draw(): void {
    this.width = this.frame.clientWidth;
    const [across, up] = this.chosen;
    if (across === undefined || up === undefined || this.width === 0) return;
    const [width, height] = this.inner;
    this.frame.style.height = `${this.height}px`;
    Object.assign(this.canvas.style, { left: `${margin.left}px`, top: `${margin.top}px`, width: `${width}px`, height: `${height}px` });
    this.svg.attr("width", this.width).attr("height", this.height);
    this.svg.selectChildren().remove();
    drawAxes(this.svg, { x: axisOf(across), y: axisOf(up) }, width, height);
    for (const mark of ["worst", "now", "cursor"]) this.svg.append("g").attr("class", mark);
    this.paint();
  }

  /** Draws what is known of the cells. */
  private paint(): void {
    this.painted = performance.now();
    if (this.chosen.length === 0 || this.width === 0) return;
    this.cells.paint(this.canvas, ...this.inner, devicePixelRatio, isDark(), rgb(isDark() ? colour("text-faint") : "#5a6675"));
    this.drawMarks();
    this.drawLegend();
    this.tell(this.toldOf);
  }

  /** Marks the design that is shown, the cell of the least value and the one that keys have come to. */
  private drawMarks(): void {
    if (this.chosen.length === 0 || this.width === 0) return;
    const [width, height] = this.inner;
    const { columns, rows, least } = this.cells;
    const lines: [string, string] = [colour("panel"), colour("text")];
    const marks = { worst: this.svg.select<SVGGElement>(".worst"), now: this.svg.select<SVGGElement>(".now"), cursor: this.svg.select<SVGGElement>(".cursor") };
    for (const mark of Object.values(marks)) mark.selectChildren().remove();
    if (least !== null) markAt(marks.worst, "worst", ...this.at(this.columnAndRow(least), width, height), lines);
    markAt(marks.now, "now", ...this.at(this.place(), width, height), lines);
    if (this.cursor !== null) {
      const [x, y] = this.at(this.columnAndRow(this.cursor), width, height);
      const [a, b] = [Math.max(width / columns, 9), Math.max(height / rows, 9)];
      for (const [stroke, thick] of [[lines[0], 4.5], [lines[1], 2]] as const)
        marks.cursor.append("rect").attr("x", x - a / 2).attr("y", y - b / 2).attr("width", a).attr("height", b)
          .attr("fill", "none").attr("stroke", stroke).attr("stroke-width", thick);
    }
  }

  private columnAndRow(cell: number): [number, number] {
    return [cell % this.cells.columns, Math.floor(cell / this.cells.columns)];
  }

  private get title(): string {
    return `${this.cells.part?.objective ?? ""} over ${this.axes.join(" and ")}`;
  }

  /** The map as a drawing that stands alone. */
  private figure(): Svg {
    const [across, up] = this.chosen as [SliderData, SliderData];
    const { part, range, least, isWhole, done, order } = this.cells;
    const [width, height] = [480, 360], top = 26, lines: [string, string] = ["#ffffff", "#1c2530"];
    const svg = drawing(width + margin.left + margin.right, top + height + margin.top + margin.bottom + 74, `${this.title} [${unitName(part!.unit)}]`);
    const canvas = document.createElement("canvas");
    this.cells.paint(canvas, width, height, 2, false, rgb("#5a6675"));
    const map = svg.append("g").attr("transform", `translate(0,${top})`);
    map.append("image").attr("x", margin.left).attr("y", margin.top).attr("width", width).attr("height", height)
      .attr("preserveAspectRatio", "none").attr("href", canvas.toDataURL());
    drawAxes(map, { x: axisOf(across), y: axisOf(up) }, width, height);
    markAt(map.append("g"), "now", ...this.at(this.place(), width, height), lines);
    if (least !== null) markAt(map.append("g"), "worst", ...this.at(this.columnAndRow(least), width, height), lines);
    const below = svg.append("g").attr("transform", `translate(${margin.left},${top + height + margin.top + margin.bottom + 10})`);
    const [low, high] = range!.map((value) => withUnit(value, part!.unit));
    drawRamp(below, low!, high!);
    below.append("text").attr("y", 42).text(`least${isWhole ? "" : ` of ${done} of ${order.length} cells`}: ${low} at ${this.placeText(least!)}`);
    return svg;
  }

  /** What is known of the cells, in SI. */
  private csv(): Blob {
    const { part, cells } = this.cells;
    const [across, up] = this.chosen as [SliderData, SliderData];
    const rows = cells.flatMap((cell, i) => {
      if (cell === undefined) return [];
      const [column, row] = this.columnAndRow(i);
      return [[part!.across[column]!, part!.up[row]!, cell.value, cell.bound ?? null, cell.reason ?? ""]];
    });
    return new Blob([csvOf([across, up, { name: part!.objective, unit: part!.unit }, { name: "bound", unit: part!.unit }, { name: "reason" }], rows)],
      { type: "text/csv" });
  }

  /** The middle of a cell, as a column and a row, on a map of this size. */
  private at([x, y]: [number, number], width: number, height: number): [number, number] {
    const { columns, rows } = this.cells;
    return [margin.left + ((x + 0.5) / columns) * width, margin.top + (1 - (y + 0.5) / rows) * height];
  }

  private drawLegend(): void {
    const { part, range, isWhole, least, done, order, cells } = this.cells;
    this.exports.hidden = range === null;
    if (part === null || range === null || least === null) {
      this.legend.replaceChildren();
      this.least.textContent = isWhole ? "No design of this map is feasible." : "";
      return;
    }
    const bar = h("canvas", { class: "map-ramp", width: 128, height: 1, "aria-hidden": "true" });
    const context = bar.getContext("2d")!;
    for (let i = 0; i < 128; ++i) {
      context.fillStyle = `rgb(${shade(i / 127, isDark()).join(" ")})`;
      context.fillRect(i, 0, 1, 1);
    }
    const key = (kind: string, words: string): HTMLElement => h("span", { class: "map-key" },
      h("span", { class: `key-${kind}`, "aria-hidden": "true" }), words);
    const [low, high] = range.map((value) => withUnit(value, part.unit));
    this.legend.replaceChildren(
      h("span", { class: "map-key" }, h("span", {}, said(part.objective), `: ${low}`), h("span", { class: "map-bar" }, bar), high!),
      key("now", "the design that is shown"), key("worst", "the least"), ...(cells.some((cell) => cell?.value === null) ? [key("left", "no feasible design")] : []),
      ...(isWhole ? [] : [h("span", {}, `${done} of ${order.length} cells`)]));
    this.least.replaceChildren(isWhole ? "least: " : "least so far: ", h("b", {}, low!), " at ",
      button(this.placeText(least), "go to the least value of the map", () => this.take(least)));
  }

  /** Where a cell is, in words. */
  private placeText(cell: number): string {
    const { across, up } = this.cells.part!;
    const [column, row] = this.columnAndRow(cell);
    return this.chosen.map(({ name, unit }, i) => `${name} ${withUnit(i === 0 ? across[column]! : up[row]!, unit)}`).join(", ");
  }

  /** Says what is known of a cell, or why there is no map. */
  private tell(cell: number | null): void {
    this.toldOf = cell;
    const { part, cells, range } = this.cells;
    if (this.wrong !== "" || cell === null || part === null) {
      this.readout.textContent = this.wrong !== "" ? sentenceInUnits(this.wrong) : "Point at a cell to read it, click to move the sliders there.";
      return;
    }
    const found = cells[cell];
    const words = [this.placeText(cell), ": "];
    if (found === undefined) words.push("not computed yet");
    else if (found.value === null) words.push(sentenceInUnits(found.reason ?? ""));
    else words.push(`${part.objective} ${withUnit(found.value, part.unit)}`);
    if (found?.bound !== undefined)
      words.push(`; no ${this.data.sized_are} do better than ${withUnit(withoutRounding(found.bound, range![1], roundedPart), part.unit)} there`);
    this.readout.textContent = words.join("");
  }

  private under(event: MouseEvent): number | null {
    const box = this.frame.getBoundingClientRect();
    const [width, height] = this.inner;
    const { columns, rows } = this.cells;
    const column = Math.floor(((event.clientX - box.left - margin.left) / width) * columns);
    const row = Math.floor((1 - (event.clientY - box.top - margin.top) / height) * rows);
    return column < 0 || column >= columns || row < 0 || row >= rows ? null : row * columns + column;
  }

  /** Moves the sliders to a cell, as one change. */
  private take(cell: number | null): void {
    const { part } = this.cells;
    if (part === null || cell === null) return;
    const place = this.columnAndRow(cell);
    this.state.begin();
    this.state.set(Object.fromEntries(this.chosen.map(({ name, levels }, i) =>
      [name, levels ? place[i]! : (i === 0 ? part.across : part.up)[place[i]!]!])));
  }

  private step(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || this.chosen.length === 0) return;
    const { columns, rows } = this.cells;
    const direction = arrows[event.key];
    if (direction !== undefined) {
      const far = event.shiftKey ? 10 : 1;
      const from = this.cursor === null ? this.place().map(Math.round) : this.columnAndRow(this.cursor);
      const [x, y] = [columns, rows].map((count, i) => Math.min(Math.max(from[i]! + far * direction[i]!, 0), count - 1)) as [number, number];
      this.point(y * columns + x);
    } else if (event.key === "Enter" && this.cursor !== null) this.take(this.cursor);
    else return;
    event.preventDefault();
  }

  private point(cell: number | null): void {
    this.cursor = cell;
    this.drawMarks();
    this.tell(cell);
  }
}
