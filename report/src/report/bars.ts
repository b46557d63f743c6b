import { axisBottom } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { button, h, number, onResize } from "../common/dom";
import { drawing, savePng, saveSvg, type Svg } from "../common/plots/drawing";
import { select } from "d3-selection";

export interface Bar {
  label: string;
  from: number;
  to: number;
  mark?: number; // a value on the bar
  text: string; // behind the bar
  pale?: boolean;
}

const row = 20;
const textRoom = (bars: Bar[]): number => 20 + 6 * Math.max(...bars.map((bar) => bar.text.length));

/** Bars from one value to another, a line each. */
export function barFigure(title: string, unit: string, bars: Bar[], origin: number): HTMLElement {
  const host = h("div", { class: "bars" });
  const values = bars.flatMap((bar) => [bar.from, bar.to, bar.mark ?? bar.from, origin]).filter(Number.isFinite);
  const domain: [number, number] = [Math.min(...values), Math.max(...values)];
  const draw = (svg: Svg, width: number, top: number): void => {
    const longest = Math.max(...bars.map((bar) => bar.label.length));
    const left = Math.min(14 + 6.4 * longest, width * 0.4);
    const x = scaleLinear(domain[1] > domain[0] ? domain : [domain[0] - 1, domain[0] + 1], [left, Math.max(left + 40, width - textRoom(bars))]);
    bars.forEach((bar, i) => {
      const y = top + i * row;
      const [from, to] = [x(Math.min(bar.from, bar.to)), x(Math.max(bar.from, bar.to))];
      const short = bar.label.length > left / 6.2 ? `${[...bar.label].slice(0, Math.floor(left / 6.2) - 1).join("")}…` : bar.label;
      svg.append("text").attr("x", left - 8).attr("y", y + 13).attr("text-anchor", "end").text(short).append("title").text(bar.label);
      svg.append("rect").attr("x", from).attr("y", y + 3).attr("width", Math.max(to - from, 1)).attr("height", row - 7)
        .attr("fill", bar.pale ? "#8fb8d6" : "#3a82b5");
      if (bar.mark !== undefined && Number.isFinite(bar.mark))
        svg.append("line").attr("x1", x(bar.mark)).attr("x2", x(bar.mark)).attr("y1", y).attr("y2", y + row - 2)
          .attr("stroke", "#d55e00").attr("stroke-width", 2.5);
      svg.append("text").attr("x", Math.max(to, Number.isFinite(bar.mark) ? x(bar.mark!) : to) + 6).attr("y", y + 13).text(bar.text);
    });
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${top + bars.length * row + 2})`)
      .call(axisBottom(x).ticks(Math.max(2, width / 140)).tickFormat((value) => number(Number(value))));
  };
  const build = (): void => {
    const width = host.clientWidth;
    if (width === 0) return;
    const svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"))
      .attr("width", width).attr("height", bars.length * row + 26).attr("viewBox", `0 0 ${width} ${bars.length * row + 26}`).attr("role", "img").attr("aria-label", title);
    draw(svg, width, 0);
    host.replaceChildren(svg.node()!);
  };
  let before = 0;
  onResize(host, () => {
    if (host.clientWidth === before) return;
    before = host.clientWidth;
    build();
  });
  const figure = (): Svg => {
    const svg = drawing(760, bars.length * row + 60, unit === "" ? title : `${title} [${unit}]`);
    draw(svg, 760, 30);
    return svg;
  };
  return h("figure", { class: "plot" },
    h("figcaption", {}, h("bdi", {}, title), h("span", { class: "unit" }, ` ${unit}`),
      h("span", { class: "exports" },
        button("SVG", `save ${title} as SVG`, () => saveSvg(title, figure())),
        button("PNG", `save ${title} as PNG`, () => void savePng(title, figure())))),
    host);
}
