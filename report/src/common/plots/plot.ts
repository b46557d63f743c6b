import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { button, h, number, onResize, said, save } from "../dom";
import { svgOf } from "./plot_svg";
import type { Along } from "../run";
import { colour, onTheme, seriesColour, seriesDash } from "../theme";
import { inUnit, onUnits, unitName } from "../units";

export interface PlotLine {
  name: string;
  values: ArrayLike<number>;
  hue: number; // index of its colour; lines with the same hue belong together
  pale?: boolean; // of a design to compare with
}

export interface PlotSource {
  title: string;
  unit: string; // SI, of all values
  along: Along;
  lines: PlotLine[];
  marks?: number[]; // places along, in SI, with a light line across the plot
}

const height = 190;
/** Of marks across a plot, in pixels. */
export const markDash = [1, 3];

/** From where to where an axis reaches: about 0 where all numbers are 0, which have no size. */
function rangeOf(low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [null, null] as unknown as uPlot.Range.MinMax;
  return low === 0 && high === 0 ? [-1, 1] : uPlot.rangeNum(low, high, 0.1, true);
}

/** What a plot runs along, with the unit that is shown. */
export const titleOf = ({ name, unit }: Along): string => (unit === "" ? name : `${name} [${unitName(unit)}]`);

/** Lines over time, or poses, whose cursor is the time line: dragging in the plot moves it, and the legend shows the values at
 * that instant. */
export class Plot {
  readonly element: HTMLElement;
  private readonly shown: boolean[];
  private readonly canvas = h("div", { class: "plot-canvas" });
  private readonly values: HTMLElement[] = [];
  private readonly unit = h("span", { class: "unit" });
  private shownLines: PlotLine[] = []; // in the units of the page, as are the next
  private shownAlong: ArrayLike<number> = [];
  private chart: uPlot | null = null;
  private sample = 0;

  constructor(
    readonly source: PlotSource,
    private readonly seek: (sample: number) => void,
  ) {
    this.shown = source.lines.map(() => true);
    const legend = h("div", { class: "legend" });
    source.lines.forEach((line, i) => legend.append(this.entry(line, i)));
    this.element = h("figure", { class: "plot" },
      h("figcaption", {}, source.title, this.unit,
        h("span", { class: "exports" },
          button("SVG", `save ${source.title} as SVG`, () => this.saveSvg()),
          button("PNG", `save ${source.title} as PNG`, () => this.savePng()))),
      this.canvas, legend);
    onResize(this.canvas, () => this.fit());
    onTheme(() => this.build());
    onUnits(() => this.takeUnits());
    this.takeUnits();
    this.canvas.addEventListener("pointerdown", (event) => this.drag(event));
    this.canvas.addEventListener("pointermove", (event) => event.buttons === 1 && this.drag(event));
  }

  /** Puts the cursor at a sample. */
  show(sample: number): void {
    this.sample = sample;
    this.shownLines.forEach((line, i) => {
      this.values[i]!.textContent = number(line.values[sample] ?? NaN);
    });
    this.chart?.redraw(false, false);
  }

  /** Shows other values of the same lines. */
  change(along: Along, values: ArrayLike<number>[]): void {
    this.source.along = along;
    this.source.lines.forEach((line, i) => (line.values = values[i]!));
    this.convert();
    if (this.chart === null) this.build();
    else this.chart.setData(this.drawnData());
    this.show(Math.min(this.sample, along.values.length - 1));
  }

  private takeUnits(): void {
    this.unit.textContent = ` ${unitName(this.source.unit)}`;
    this.convert();
    this.build();
    this.show(this.sample);
  }
  private convert(): void {
    const { unit, lines, along } = this.source;
    this.shownLines = lines.map((line) => ({ ...line, values: Array.from(line.values, (value) => inUnit(value, unit)) }));
    this.shownAlong = Array.from(along.values, (value) => inUnit(value, along.unit));
  }
  /** Numbers that are not known leave gaps. */
  private drawnData(): uPlot.AlignedData {
    const gaps = (values: ArrayLike<number>): (number | null)[] =>
      Array.from(values, (value) => (Number.isNaN(value) ? null : value));
    return [this.shownAlong, ...this.shownLines.map((line) => gaps(line.values))] as unknown as uPlot.AlignedData;
  }

  isShown(index: number): boolean {
    return this.shown[index] ?? false;
  }

  private entry(line: PlotLine, index: number): HTMLElement {
    const value = h("output", {});
    this.values.push(value);
    const swatch = h("span", { class: "swatch", "aria-hidden": "true" });
    const paint = (): void => {
      swatch.style.borderTopColor = seriesColour(line.hue);
      swatch.style.borderTopStyle = line.pale || seriesDash(line.hue).length ? "dashed" : "solid";
      swatch.style.opacity = line.pale ? "0.6" : "1";
    };
    paint();
    onTheme(paint);
    const entry = h("button", { type: "button", class: "entry", "aria-pressed": "true" }, swatch,
      said(line.name), value);
    entry.addEventListener("click", () => {
      this.shown[index] = !this.shown[index];
      entry.setAttribute("aria-pressed", String(this.shown[index]));
      this.chart?.setSeries(index + 1, { show: this.shown[index]! });
    });
    return entry;
  }

  /** Makes the plot as wide as there is room. */
  fit(): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    if (this.chart === null) this.build();
    else if (this.chart.width !== width) this.chart.setSize({ width, height });
  }

  private build(): void {
    const width = this.canvas.clientWidth;
    this.chart?.destroy();
    this.chart = null;
    if (width === 0) return;
    const { along } = this.source;
    const lines = this.shownLines;
    const axis = {
      stroke: colour("text-faint"), font: "11px system-ui, sans-serif", grid: { stroke: colour("plot-grid"), width: 1 },
      ticks: { stroke: colour("plot-grid"), width: 1, size: 4 },
    };
    this.chart = new uPlot(
      {
        width, height,
        padding: [8, along.unit === "" ? 26 : 10, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_, low, high) => rangeOf(low, high) } },
        axes: [
          { ...axis, size: 26, values: (_, splits) => splits.map((at) => (along.unit === "" ? String(at) : number(at, 5))),
            ...(along.unit === "s" ? {} : { label: titleOf(along), labelFont: axis.font, labelSize: 16, labelGap: -2 }) },
          { ...axis, size: 54, values: (_, splits) => splits.map((at) => number(at)) },
        ],
        series: [
          {},
          ...lines.map((line, i) => ({
            label: line.name,
            stroke: seriesColour(line.hue),
            width: line.pale ? 1.1 : 1.6,
            alpha: line.pale ? 0.6 : 1,
            dash: line.pale ? [4, 4] : seriesDash(line.hue),
            points: { show: false },
            show: this.shown[i]!,
          })),
        ],
        hooks: { drawAxes: [(chart) => this.drawMarks(chart)], draw: [(chart) => this.drawCursor(chart)] },
      },
      this.drawnData(),
      this.canvas,
    );
  }

  private drawMarks({ ctx, bbox, valToPos }: uPlot): void {
    const { marks = [], along } = this.source;
    ctx.save();
    ctx.strokeStyle = colour("text-faint");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash(markDash.map((length) => length * devicePixelRatio));
    ctx.beginPath();
    for (const mark of marks) {
      const x = Math.round(valToPos(inUnit(mark, along.unit), "x", true)) + 0.5;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
    }
    ctx.stroke();
    ctx.restore();
  }

  private drawCursor(chart: uPlot): void {
    const { ctx, bbox } = chart;
    const x = chart.valToPos(this.shownAlong[this.sample] ?? 0, "x", true);
    ctx.save();
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colour("accent");
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillStyle = colour("accent");
    this.shownLines.forEach((line, i) => {
      const value = line.values[this.sample] ?? NaN;
      if (!this.shown[i] || !Number.isFinite(value)) return;
      ctx.beginPath();
      ctx.arc(x, chart.valToPos(value, "y", true), 2.4 * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fill();
    });
    ctx.restore();
  }

  private drag(event: PointerEvent): void {
    if (this.chart === null) return;
    const box = this.chart.over.getBoundingClientRect();
    this.seek(this.chart.posToIdx(Math.min(Math.max(event.clientX - box.left, 0), box.width)));
    event.preventDefault();
  }

  private saveSvg(): void {
    save(`${this.source.title}.svg`, new Blob([this.svg()], { type: "image/svg+xml" }));
  }
  /** The plot as a drawing of its own, with axes and legend. */
  svg(): string {
    const lines = this.shownLines.filter((_, i) => this.shown[i]);
    const { unit, along, marks } = this.source;
    return svgOf({ ...this.source, unit: unitName(unit), lines, along: { ...along, values: this.shownAlong },
      marks: (marks ?? []).map((mark) => inUnit(mark, along.unit)) });
  }
  private savePng(): void {
    this.chart?.ctx.canvas.toBlob((blob) => blob && save(`${this.source.title}.png`, blob));
  }
}
