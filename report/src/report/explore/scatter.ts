import { axisBottom, axisLeft } from "d3-axis";
import { brush as brushBoth } from "d3-brush";
import { select } from "d3-selection";
import { button, h } from "../../common/dom";
import { onTheme, seriesColour } from "../../common/theme";
import { noCode } from "../cases";
import type { AxisScale } from "./axes";
import { addPoints, type Ink, mixed, widen } from "./density";
import { drawing, inkColours, savePng, saveSvg, type Svg } from "./drawing";
import { frontOf, kneeOf } from "./front";
import type { Selection } from "./selection";

const height = 320;
const margin = { left: 66, right: 14, top: 10, bottom: 44 };

/** Two columns against each other, with the front of the designs that are let through. */
export class ScatterPlot {
  readonly element: HTMLElement;
  front: number[] = []; // rows
  knee: number | null = null; // row
  private x: AxisScale;
  private y: AxisScale;
  private readonly canvas = h("canvas", {});
  private readonly svg: Svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  private readonly frame = h("div", { class: "frame" }, this.canvas, this.svg.node()!);
  private readonly told = h("output", { class: "faint" });
  private places: [Uint16Array, Uint16Array] | null = null;
  private context: Float32Array | null = null; // all feasible designs
  private buffers: { points: Float32Array; failed: Float32Array; through: Float32Array; image: ImageData } | null = null;
  private colours = inkColours();
  private width = 0;
  private moving = false;

  constructor(
    axes: AxisScale[],
    first: string,
    second: string,
    private readonly selection: Selection,
    private readonly brushed: () => void,
  ) {
    const find = (name: string): AxisScale => axes.find((axis) => axis.name === name) ?? axes[0]!;
    this.x = find(first);
    this.y = find(second);
    const chooser = (label: string, own: AxisScale, set: (axis: AxisScale) => void): HTMLElement => {
      const choice = h("select", { "aria-label": label });
      for (const axis of axes) choice.append(h("option", { value: axis.name, selected: axis === own }, axis.title));
      choice.addEventListener("change", () => {
        set(find(choice.value));
        this.build();
      });
      return h("label", {}, `${label} `, choice);
    };
    this.element = h("figure", { class: "plot scatter" },
      h("figcaption", {}, "Two columns",
        chooser("x", this.x, (axis) => (this.x = axis)), chooser("y", this.y, (axis) => (this.y = axis)),
        h("span", { class: "exports" },
          button("SVG", "save the scatter as SVG", () => saveSvg("scatter", this.figure())),
          button("PNG", "save the scatter as PNG", () => void savePng("scatter", this.figure())))),
      this.frame, this.told);
    this.svg.attr("height", height).attr("aria-hidden", "true");
    new ResizeObserver(() => this.frame.clientWidth !== 0 && this.frame.clientWidth !== this.width && this.build())
      .observe(this.frame);
    selection.onChange(() => this.paint());
    selection.onChoice(() => this.drawMarks(this.svg));
    onTheme(() => this.build());
    this.findFront();
  }

  get columns(): [string, string] {
    return [this.x.name, this.y.name];
  }
  show(x: string, y: string): void {
    const selects = this.element.querySelectorAll("select");
    [x, y].forEach((name, i) => {
      selects[i]!.value = name;
      selects[i]!.dispatchEvent(new Event("change"));
    });
  }

  private get inner(): { width: number; height: number } {
    return { width: Math.max(this.width - margin.left - margin.right, 10), height: height - margin.top - margin.bottom };
  }
  private xScale() {
    return this.x.scale([margin.left, margin.left + this.inner.width - 1]);
  }
  private yScale() {
    return this.y.scale([margin.top + this.inner.height - 1, margin.top]);
  }

  build(): void {
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
    this.places = [this.x.bins(width), this.y.bins(tall)];
    this.svg.selectChildren().remove();
    this.drawAxes(this.svg);
    this.svg.append("g").attr("class", "marks");
    const behaviour = brushBoth<unknown>()
      .extent([[margin.left, margin.top], [margin.left + width, margin.top + tall]])
      .on("brush end", (event: { selection: [[number, number], [number, number]] | null; sourceEvent: Event | null }) => {
        if (!this.moving) this.take(event.selection);
      });
    const group = this.svg.append("g").attr("class", "brush").call(behaviour);
    group.on("click", (event: MouseEvent) => this.pick(event));
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

  /** Chooses the design nearest to where the user clicked. */
  private pick(event: MouseEvent): void {
    const box = this.frame.getBoundingClientRect();
    const [px, py] = [event.clientX - box.left - margin.left, event.clientY - box.top - margin.top];
    const [xs, ys] = this.places!;
    const { mask, cases } = this.selection;
    let nearest = 12 * 12;
    let found = -1;
    for (let row = 0; row < cases.feasible; ++row) {
      if (mask[row] !== 1) continue;
      const dx = xs[this.x.column.codes[row]!]! - px;
      const dy = this.inner.height - 1 - ys[this.y.column.codes[row]!]! - py;
      const away = dx * dx + dy * dy;
      if (away >= nearest) continue;
      nearest = away;
      found = row;
    }
    if (found >= 0) this.selection.choose(found);
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
    inks.push({ density: density(selection.mask, 0, through), colour: colours.through, least: 0.4, most: 1 });
    mixed(image, inks);
    canvas.getContext("2d")!.putImageData(image, 0, 0);
    this.drawMarks(this.svg);
  }

  private findFront(): void {
    const both = [this.x.column, this.y.column] as const;
    const judged = both.every((column) => column.role !== "variable") && this.x !== this.y;
    this.front = judged ? frontOf(both[0], both[1], this.selection.mask) : [];
    this.knee = kneeOf(both[0], both[1], this.front, this.selection.cases.ids);
    this.told.textContent = judged
      ? `front of ${this.front.length} designs, less of both is better${this.knee === null ? "" : `; knee: case ${this.selection.cases.ids[this.knee]!}`}`
      : "a front needs two different objectives or metrics";
  }

  private drawAxes(svg: Svg): void {
    const bottom = margin.top + this.inner.height;
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${bottom})`)
      .call(axisBottom(this.xScale()).tickValues(this.x.ticks(Math.max(3, this.inner.width / 90))).tickFormat((v) => this.x.label(Number(v))));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
      .call(axisLeft(this.yScale()).tickValues(this.y.ticks(7)).tickFormat((v) => this.y.label(Number(v))));
    svg.append("text").attr("class", "title").attr("x", this.width - margin.right).attr("y", bottom + 36)
      .attr("text-anchor", "end").text(this.x.title);
    svg.append("text").attr("class", "title").attr("transform", `translate(14,${margin.top}) rotate(-90)`)
      .attr("text-anchor", "end").text(this.y.title);
  }

  private drawMarks(svg: Svg): void {
    const marks = svg.select(".marks");
    marks.selectAll("*").remove();
    const [xScale, yScale] = [this.xScale(), this.yScale()];
    const place = (row: number): [number, number] => [xScale(this.x.column.value(row)), yScale(this.y.column.value(row))];
    if (this.front.length > 1) {
      let path = "";
      this.front.forEach((row, i) => {
        const [x, y] = place(row);
        path += i === 0 ? `M${x.toFixed(1)},${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`;
      });
      marks.append("path").attr("d", path).attr("fill", "none").attr("stroke", "#d55e00").attr("stroke-width", 1.6);
    }
    if (this.knee !== null) {
      const [x, y] = place(this.knee);
      marks.append("path").attr("d", `M${x},${y - 7}l7,7l-7,7l-7,-7z`).attr("fill", "#d55e00").attr("stroke", "#ffffff");
    }
    this.selection.chosen.forEach((row, i) => {
      if (this.x.column.code(row) === noCode || this.y.column.code(row) === noCode) return;
      const [x, y] = place(row);
      marks.append("circle").attr("cx", x).attr("cy", y).attr("r", 6).attr("fill", "none")
        .attr("stroke", seriesColour(i + 1)).attr("stroke-width", 2.4);
    });
  }

  figure(): Svg {
    const svg = drawing(this.width, height + 24, `${this.y.name} against ${this.x.name}`);
    const inner = svg.append("g").attr("transform", "translate(0,24)");
    inner.append("image").attr("href", this.canvas.toDataURL()).attr("x", margin.left).attr("y", margin.top)
      .attr("width", this.inner.width).attr("height", this.inner.height);
    this.drawAxes(inner as unknown as Svg);
    inner.append("g").attr("class", "marks");
    this.drawMarks(inner as unknown as Svg);
    return svg;
  }
}
