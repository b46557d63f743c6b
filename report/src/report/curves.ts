import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { button, h, number, onResize } from "../common/dom";
import { drawing, savePng, saveSvg, type Svg } from "../common/plots/drawing";
import { seriesColour } from "../common/theme";
import { inUnit, onUnits, unitName } from "../common/units";

export interface Curve {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  hue: number;
  pale: boolean;
}

/** What runs along an axis, with its SI unit, and the limit of its size. */
export interface CurveAxis {
  name: string;
  unit: string;
  limit: number | undefined;
}

const height = 240;
const margin = { left: 58, right: 24, top: 10, bottom: 40 };

/** A quantity against another one over a motion, with a point at the instant shown. */
export class CurvePlot {
  readonly element: HTMLElement;
  private readonly host = h("div", { class: "curves" });
  private sample = 0;
  private width = 0;
  private point: ((sample: number) => void) | null = null;

  constructor(
    private readonly title: string,
    private readonly x: CurveAxis,
    private readonly y: CurveAxis,
    private readonly curves: Curve[],
  ) {
    const legend = h("div", { class: "legend" });
    for (const curve of curves) {
      const swatch = h("span", { class: "swatch" });
      swatch.style.borderTopColor = seriesColour(curve.hue);
      swatch.style.borderTopStyle = curve.pale ? "dashed" : "solid";
      legend.append(h("span", { class: "entry" }, swatch, h("bdi", {}, curve.name)));
    }
    this.element = h("figure", { class: "plot" },
      h("figcaption", {}, h("bdi", {}, title),
        h("span", { class: "exports" },
          button("SVG", `save ${title} as SVG`, () => saveSvg(title, this.figure())),
          button("PNG", `save ${title} as PNG`, () => void savePng(title, this.figure())))),
      this.host, legend);
    onUnits(() => this.build());
    onResize(this.host, () => {
      if (this.host.clientWidth !== this.width) this.build();
    });
  }

  private build(): void {
    this.width = this.host.clientWidth;
    if (this.width === 0) return;
    const svg: Svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"))
      .attr("width", this.width).attr("height", height).attr("viewBox", `0 0 ${this.width} ${height}`).attr("role", "img").attr("aria-label", this.title);
    this.draw(svg, this.width);
    this.host.replaceChildren(svg.node()!);
  }

  show(sample: number): void {
    this.sample = sample;
    this.point?.(sample);
  }

  private draw(svg: Svg, width: number): void {
    const ends = (pick: (curve: Curve) => ArrayLike<number>, limit: number | undefined): [number, number] => {
      let [low, high] = [0, 0];
      for (const curve of this.curves)
        for (const value of Array.from(pick(curve))) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
      const near = limit !== undefined && limit < 2 * Math.max(-low, high);
      return near ? [Math.min(low, -limit), Math.max(high, limit)] : [low, high];
    };
    const inUnits = ([low, high]: [number, number], { unit }: CurveAxis): [number, number] => [inUnit(low, unit), inUnit(high, unit)];
    const alongX = scaleLinear(inUnits(ends((curve) => curve.x, this.x.limit), this.x), [margin.left, width - margin.right]).nice();
    const alongY = scaleLinear(inUnits(ends((curve) => curve.y, this.y.limit), this.y), [height - margin.bottom, margin.top]).nice();
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
      .call(axisBottom(alongX).ticks(Math.max(3, width / 110)).tickFormat((value) => number(Number(value))));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
      .call(axisLeft(alongY).ticks(6).tickFormat((value) => number(Number(value))));
    svg.append("text").attr("class", "title").attr("x", width - margin.right).attr("y", height - 6).attr("text-anchor", "end").text(axisTitle(this.x));
    svg.append("text").attr("class", "title").attr("transform", `translate(13,${margin.top}) rotate(-90)`).attr("text-anchor", "end").text(axisTitle(this.y));
    const x = (value: number): number => alongX(inUnit(value, this.x.unit));
    const y = (value: number): number => alongY(inUnit(value, this.y.unit));
    const line = (x1: number, y1: number, x2: number, y2: number): void => {
      svg.append("line").attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2).attr("stroke", "#d55e00").attr("stroke-dasharray", "6 4");
    };
    for (const sign of [-1, 1]) {
      const atX = x(sign * (this.x.limit ?? Infinity));
      const atY = y(sign * (this.y.limit ?? Infinity));
      if (atX >= margin.left && atX <= width - margin.right) line(atX, margin.top, atX, height - margin.bottom);
      if (atY >= margin.top && atY <= height - margin.bottom) line(margin.left, atY, width - margin.right, atY);
    }
    for (const curve of [...this.curves].reverse()) {
      let path = "";
      for (let k = 0; k < curve.x.length; ++k) path += `${k === 0 ? "M" : "L"}${x(curve.x[k]!).toFixed(1)},${y(curve.y[k]!).toFixed(1)}`;
      svg.append("path").attr("d", path).attr("fill", "none").attr("stroke", seriesColour(curve.hue))
        .attr("stroke-width", curve.pale ? 1.1 : 1.6).attr("stroke-dasharray", curve.pale ? "4 4" : null);
    }
    const own = this.curves[0]!;
    const dot = svg.append("circle").attr("r", 4.5).attr("fill", seriesColour(own.hue)).attr("stroke", "#ffffff");
    this.point = (sample) => dot.attr("cx", x(own.x[sample] ?? 0)).attr("cy", y(own.y[sample] ?? 0));
    this.point(this.sample);
  }

  figure(): Svg {
    const kept = this.point;
    const svg = drawing(640, height + 24, this.title);
    this.draw(svg.append("g").attr("transform", "translate(0,24)") as unknown as Svg, 640);
    this.point = kept;
    return svg;
  }
}

const axisTitle = ({ name, unit }: CurveAxis): string => `${name} [${unitName(unit)}]`;
