import { axisBottom, axisLeft } from "d3-axis";
import { brush as brushBoth } from "d3-brush";
import { select } from "d3-selection";
import { button, h, onResize } from "../../common/dom";
import { drawing, savePng, saveSvg, type Svg } from "../../common/plots/drawing";
import { onTheme, seriesColour } from "../../common/theme";
import { onUnits } from "../../common/units";
import { noCode } from "../cases";
import type { AxisScale } from "./axes";
import type { Beside } from "./baselines";
import { drawLegend, inkColours, paintByColumn, shades } from "./colours";
import { addPoints, type Ink, mixed, widen } from "./density";
import { frontOf, kneeOf } from "./front";
import type { HoverBox } from "./hover";
import type { Selection } from "./selection";

const height = 340;
const margin = { left: 66, right: 14, top: 24, bottom: 44 };

/** Two columns against each other, with the front of the designs that are let through. */
export class ScatterPlot {
  readonly element: HTMLElement;
  front: number[] = []; // rows
  knee: number | null = null; // row
  hovered: number | null = null; // row
  private x: AxisScale;
  private y: AxisScale;
  private colour: AxisScale | null = null;
  private readonly canvas = h("canvas", {});
  private readonly svg: Svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  private readonly frame = h("div", { class: "frame", tabindex: 0, role: "group", "aria-label": "two columns: the arrows go along the front, enter chooses" }, this.canvas, this.svg.node()!);
  private readonly told = h("output", { class: "faint" });
  private places: [Uint16Array, Uint16Array] | null = null;
  private context: Float32Array | null = null; // all feasible designs
  private buffers: { points: Float32Array; failed: Float32Array; through: Float32Array; image: ImageData } | null = null;
  private colours = inkColours();
  private width = 0;
  private moving = false;
  private readonly choosers: Record<"x" | "y" | "colour", HTMLSelectElement>;

  constructor(
    private readonly axes: AxisScale[],
    first: string,
    second: string,
    private readonly box: HoverBox, // beside the pointer
    private readonly besides: Beside[],
    private readonly selection: Selection,
    private readonly brushed: () => void,
    private readonly arranged: () => void, // other columns are shown
  ) {
    this.x = this.find(first);
    this.y = this.find(second);
    this.frame.append(this.box.element);
    this.choosers = { x: this.chooser(this.x), y: this.chooser(this.y), colour: this.chooser(null) };
    const labelled = (label: "x" | "y" | "colour"): HTMLElement => {
      this.choosers[label].setAttribute("aria-label", label);
      return h("label", {}, `${label} `, this.choosers[label]);
    };
    this.element = h("figure", { class: "plot scatter" },
      h("figcaption", {}, "Two columns", labelled("x"), labelled("y"), labelled("colour"),
        h("span", { class: "exports" },
          button("SVG", "save the scatter as SVG", () => saveSvg("scatter", this.figure())),
          button("PNG", "save the scatter as PNG", () => void savePng("scatter", this.figure())))),
      this.frame, this.told);
    this.svg.attr("height", height).attr("aria-hidden", "true");
    onResize(this.frame, () => {
      if (this.frame.clientWidth !== 0 && this.frame.clientWidth !== this.width) this.build();
    });
    this.frame.addEventListener("pointermove", (event) => this.hover(event.buttons === 0 ? this.nearest(event) : null));
    this.frame.addEventListener("pointerleave", () => this.hover(null));
    this.frame.addEventListener("blur", () => this.hover(null));
    this.frame.addEventListener("keydown", (event) => this.key(event));
    selection.onChange(() => this.paint());
    selection.onChoice(() => this.drawMarks(this.svg));
    onTheme(() => this.build());
    onUnits(() => this.takeUnits());
    this.findFront();
  }

  private find(name: string): AxisScale {
    return this.axes.find((axis) => axis.name === name) ?? this.axes[0]!;
  }
  private chooser(own: AxisScale | null): HTMLSelectElement {
    const choice = h("select", {}, own === null && h("option", { value: "" }, "number of designs"));
    for (const axis of this.axes) choice.append(h("option", { value: axis.name, selected: axis === own }, axis.title));
    choice.addEventListener("change", () => this.show(this.choosers.x.value, this.choosers.y.value, this.choosers.colour.value));
    return choice;
  }
  private takeUnits(): void {
    for (const choice of Object.values(this.choosers))
      for (const option of choice.options) if (option.value !== "") option.textContent = this.find(option.value).title;
    this.build();
  }

  get columns(): [string, string] {
    return [this.x.name, this.y.name];
  }
  get colouredBy(): string {
    return this.colour?.name ?? "";
  }
  show(x: string, y: string, colour = ""): void {
    [this.x, this.y] = [this.find(x), this.find(y)];
    this.colour = colour === "" ? null : this.find(colour);
    Object.assign(this.choosers.x, { value: this.x.name });
    Object.assign(this.choosers.y, { value: this.y.name });
    Object.assign(this.choosers.colour, { value: this.colouredBy });
    this.build();
    this.arranged();
  }

  private get inner(): { width: number; height: number } {
    return { width: Math.max(this.width - margin.left - margin.right, 10), height: height - margin.top - margin.bottom };
  }
  /** From end to end of an axis: all designs with room around them, and the baseline where it is near. */
  private ends(axis: AxisScale): [number, number] {
    const marked = this.besides.find((one) => one.isBaseline && one.of(this.x) !== null && one.of(this.y) !== null);
    return axis.roomyEnds(marked?.of(axis) ?? null);
  }
  private xScale() {
    return this.x.scale([margin.left, margin.left + this.inner.width - 1], this.ends(this.x));
  }
  private yScale() {
    return this.y.scale([margin.top + this.inner.height - 1, margin.top], this.ends(this.y));
  }

  build(): void {
    this.hover(null);
    this.width = this.frame.clientWidth;
    if (this.width === 0) return;
    const { width, height: tall } = this.inner;
    this.canvas.width = width;
    this.canvas.height = tall;
    this.canvas.style.left = `${margin.left}px`;
    this.canvas.style.top = `${margin.top}px`;
    this.svg.attr("width", this.width);
    this.context = null;
    const pixels = (): Float32Array => new Float32Array(width * tall);
    this.buffers = { points: pixels(), failed: pixels(), through: pixels(), image: new ImageData(width, tall) };
    this.colours = inkColours();
    this.places = [this.x.bins(width, this.ends(this.x)), this.y.bins(tall, this.ends(this.y))];
    this.svg.selectChildren().remove();
    this.drawAxes(this.svg);
    if (this.colour !== null) drawLegend(this.svg, this.colour, this.width - margin.right, 4);
    this.svg.append("g").attr("class", "marks");
    this.svg.append("g").attr("class", "hovered");
    const behaviour = brushBoth<unknown>()
      .extent([[margin.left, margin.top], [margin.left + width, margin.top + tall]])
      .on("brush end", (event: { selection: [[number, number], [number, number]] | null; sourceEvent: Event | null }) => {
        if (!this.moving) this.take(event.selection);
      });
    const group = this.svg.append("g").attr("class", "brush").call(behaviour);
    group.on("click", (event: MouseEvent) => {
      const row = this.nearest(event);
      if (row !== null) this.selection.choose(row);
    });
    this.clearBrush = () => {
      this.moving = true;
      group.call((own) => behaviour.move(own, null));
      this.moving = false;
    };
    this.paint();
  }
  /** Takes the rectangle away; the filter is not its business. */
  clearBrush: () => void = () => undefined;

  private take(area: [[number, number], [number, number]] | null): void {
    const x = this.xScale();
    const y = this.yScale();
    const ranges = area && {
      x: this.x.codes(x.invert(area[0][0]), x.invert(area[1][0])) ?? [1, 0] as [number, number],
      y: this.y.codes(y.invert(area[1][1]), y.invert(area[0][1])) ?? [1, 0] as [number, number],
    };
    this.selection.brush(this.x.name, ranges && ranges.x);
    this.selection.brush(this.y.name, ranges && ranges.y);
    this.brushed();
  }

  /** The design that is let through nearest to the pointer, if one is near. */
  private nearest(event: MouseEvent): number | null {
    if (this.places === null) return null;
    const box = this.frame.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left - margin.left, event.clientY - box.top - margin.top];
    const [xs, ys] = this.places;
    const { mask, cases } = this.selection;
    let nearest = 12 * 12;
    let found: number | null = null;
    for (let row = 0; row < cases.feasible; ++row) {
      if (mask[row] !== 1) continue;
      const dx = xs[this.x.column.codes[row]!]! - px;
      const dy = this.inner.height - 1 - ys[this.y.column.codes[row]!]! - py;
      const away = dx * dx + dy * dy;
      if (away >= nearest) continue;
      nearest = away;
      found = row;
    }
    return found;
  }

  private hover(row: number | null): void {
    if (row === this.hovered) return;
    this.hovered = row;
    const marks = this.svg.select(".hovered");
    marks.selectAll("*").remove();
    if (row === null) return this.box.hide();
    const [x, y] = this.place(row);
    marks.append("circle").attr("cx", x).attr("cy", y).attr("r", 4.5).attr("fill", "none").attr("stroke", "#d55e00").attr("stroke-width", 2);
    this.box.show(row, [...this.columns, this.colouredBy], x, y, { width: this.width, height });
  }

  private key(event: KeyboardEvent): void {
    const { front } = this;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined && front.length > 0) {
      const at = this.hovered === null ? -1 : front.indexOf(this.hovered);
      const next = at < 0 ? (by > 0 ? 0 : front.length - 1) : Math.min(Math.max(at + by, 0), front.length - 1);
      this.hover(front[next]!);
    } else if (event.key === "Enter" && this.hovered !== null) this.selection.choose(this.hovered);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the time line would step
  }

  private paint(): void {
    this.findFront();
    if (this.places === null || this.buffers === null) return;
    const { selection, canvas } = this;
    const { points, failed, through, image } = this.buffers;
    const [xs, ys] = this.places;
    const [x, y] = [this.x.column.codes, this.y.column.codes];
    const { feasible } = selection.cases;
    const density = (taken: Uint8Array, first: number, wide: Float32Array): Float32Array => {
      points.fill(0);
      addPoints(points, canvas.width, canvas.height, xs, ys, x, y, taken, first);
      widen(points, canvas.width, canvas.height, wide);
      return wide;
    };
    const inks: Ink[] = [];
    const { colours } = this;
    if (selection.countFailed > 0)
      inks.push({ density: density(selection.maskFailed, feasible, failed), colour: colours.failed, least: 0.25, most: 0.6 });
    if (selection.filtered)
      inks.push({ density: this.context ??= density(new Uint8Array(feasible).fill(1), 0, new Float32Array(points.length)), colour: colours.context, least: 0.25, most: 0.5 });
    if (this.colour === null) inks.push({ density: density(selection.mask, 0, through), colour: colours.through, least: 0.4, most: 1 });
    mixed(image, inks);
    if (this.colour !== null)
      paintByColumn(image, xs, ys, this.colour.bins(shades), x, y, this.colour.column.codes, selection.mask);
    canvas.getContext("2d")!.putImageData(image, 0, 0);
    this.drawMarks(this.svg);
  }

  private findFront(): void {
    const both = [this.x.column, this.y.column] as const;
    const judged = both.every((column) => column.role !== "variable") && this.x !== this.y;
    this.front = judged ? frontOf(both[0], both[1], this.selection.mask) : [];
    this.knee = kneeOf(both[0], both[1], this.front, this.selection.cases.ids);
    const words = judged
      ? `front of ${this.front.length} designs, less of both is better${this.knee === null ? "" : `; knee: case ${this.selection.cases.ids[this.knee]!}`}`
      : "a front needs two different objectives or metrics";
    const unmarked = this.besides.filter((one) => one.isBaseline && (one.of(this.x) === null || one.of(this.y) === null));
    this.told.textContent = unmarked.length === 0 ? words
      : `${words}; ${unmarked.map((one) => one.label).join(" and ")}: no number in one of these columns`;
  }

  private drawAxes(svg: Svg): void {
    const bottom = margin.top + this.inner.height;
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${bottom})`)
      .call(axisBottom(this.xScale()).tickValues(this.x.ticks(Math.max(3, this.inner.width / 90), this.ends(this.x))).tickFormat((v) => this.x.label(Number(v))));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
      .call(axisLeft(this.yScale()).tickValues(this.y.ticks(7, this.ends(this.y))).tickFormat((v) => this.y.label(Number(v))));
    svg.append("text").attr("class", "title").attr("x", this.width - margin.right).attr("y", bottom + 36)
      .attr("text-anchor", "end").text(this.x.title);
    svg.append("text").attr("class", "title").attr("transform", `translate(14,${margin.top}) rotate(-90)`)
      .attr("text-anchor", "end").text(this.y.title);
  }

  private place(row: number): [number, number] {
    return [this.xScale()(this.x.column.value(row)), this.yScale()(this.y.column.value(row))];
  }

  private drawMarks(svg: Svg): void {
    const marks = svg.select(".marks");
    marks.selectAll("*").remove();
    if (this.front.length > 1) {
      let path = "";
      this.front.forEach((row, i) => {
        const [x, y] = this.place(row);
        path += i === 0 ? `M${x.toFixed(1)},${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`;
      });
      marks.append("path").attr("d", path).attr("fill", "none").attr("stroke", "#d55e00").attr("stroke-width", 1.6);
    }
    if (this.knee !== null) {
      const [x, y] = this.place(this.knee);
      marks.append("path").attr("d", `M${x},${y - 7}l7,7l-7,7l-7,-7z`).attr("fill", "#d55e00").attr("stroke", "#ffffff");
    }
    for (const one of this.besides) this.drawBeside(marks as unknown as Svg, one);
    this.selection.chosen.forEach((row, i) => {
      if (this.x.column.code(row) === noCode || this.y.column.code(row) === noCode) return;
      const [x, y] = this.place(row);
      marks.append("circle").attr("cx", x).attr("cy", y).attr("r", 6).attr("fill", "none")
        .attr("stroke", seriesColour(i + 1)).attr("stroke-width", 2.4);
    });
  }

  /** A cross at a robot that designs are compared with; at the edge, with an arrow, where it is beyond. */
  private drawBeside(marks: Svg, one: Beside): void {
    const [own, other] = [one.of(this.x), one.of(this.y)];
    if (own === null || other === null) return;
    const inside = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);
    const [toX, toY] = [this.xScale()(own), this.yScale()(other)];
    if (!Number.isFinite(toX) || !Number.isFinite(toY)) return;
    const x = inside(toX, margin.left + 6, margin.left + this.inner.width - 6);
    const y = inside(toY, margin.top + 6, margin.top + this.inner.height - 6);
    const arrow = `${toX > x + 6 ? " →" : toX < x - 6 ? " ←" : ""}${toY > y + 6 ? " ↓" : toY < y - 6 ? " ↑" : ""}`;
    const left = x > margin.left + this.inner.width / 2;
    const mark = marks.append("g").attr("class", one.isBaseline ? "baseline" : "without-springs");
    mark.append("path").attr("fill", "none").attr("stroke", "#1c2530").attr("stroke-width", 2).attr("d", one.isBaseline ? `M${x - 6},${y - 6}l12,12m0,-12l-12,12` : `M${x - 7},${y}h14m-7,-7v14`);
    mark.append("text").attr("x", x + (left ? -10 : 10)).attr("y", y + 4).attr("text-anchor", left ? "end" : "start").text(`${one.label}${arrow}`);
  }

  figure(): Svg {
    const svg = drawing(this.width, height + 24, `${this.y.name} against ${this.x.name}`);
    const inner = svg.append("g").attr("transform", "translate(0,24)");
    inner.append("image").attr("href", this.canvas.toDataURL()).attr("x", margin.left).attr("y", margin.top)
      .attr("width", this.inner.width).attr("height", this.inner.height);
    this.drawAxes(inner as unknown as Svg);
    if (this.colour !== null) drawLegend(inner as unknown as Svg, this.colour, this.width - margin.right, 4);
    inner.append("g").attr("class", "marks");
    this.drawMarks(inner as unknown as Svg);
    return svg;
  }
}
