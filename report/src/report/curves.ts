import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { button, h, number, unitText } from "../common/dom";
import { seriesColour } from "../common/theme";
import { drawing, savePng, saveSvg, type Svg } from "./explore/drawing";

export interface Curve {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  hue: number;
  pale: boolean;
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
    private readonly xTitle: string,
    private readonly yTitle: string,
    private readonly curves: Curve[],
    private readonly limits: { x: number | undefined; y: number | undefined },
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
    new ResizeObserver(() => {
      if (this.host.clientWidth === this.width || this.host.clientWidth === 0) return;
      this.width = this.host.clientWidth;
      const svg: Svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"))
        .attr("width", this.width).attr("height", height).attr("viewBox", `0 0 ${this.width} ${height}`).attr("role", "img").attr("aria-label", title);
      this.draw(svg, this.width);
      this.host.replaceChildren(svg.node()!);
    }).observe(this.host);
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
    const x = scaleLinear(ends((curve) => curve.x, this.limits.x), [margin.left, width - margin.right]).nice();
    const y = scaleLinear(ends((curve) => curve.y, this.limits.y), [height - margin.bottom, margin.top]).nice();
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - margin.bottom})`)
      .call(axisBottom(x).ticks(Math.max(3, width / 110)).tickFormat((value) => number(Number(value))));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${margin.left},0)`)
      .call(axisLeft(y).ticks(6).tickFormat((value) => number(Number(value))));
    svg.append("text").attr("class", "title").attr("x", width - margin.right).attr("y", height - 6).attr("text-anchor", "end").text(this.xTitle);
    svg.append("text").attr("class", "title").attr("transform", `translate(13,${margin.top}) rotate(-90)`).attr("text-anchor", "end").text(this.yTitle);
    const line = (x1: number, y1: number, x2: number, y2: number): void => {
      svg.append("line").attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2).attr("stroke", "#d55e00").attr("stroke-dasharray", "6 4");
    };
    for (const sign of [-1, 1]) {
      const atX = x(sign * (this.limits.x ?? Infinity));
      const atY = y(sign * (this.limits.y ?? Infinity));
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

export const axisTitle = (name: string, unit: string): string => `${name} [${unitText(unit)}]`;
