import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { number } from "../dom";
import { markDash, type PlotSource, titleOf } from "./plot";
import { range } from "../run";
import { seriesColour, seriesDash } from "../theme";

const width = 720;
const height = 360;
const margin = { top: 34, right: 150, bottom: 40, left: 66 };
const namespace = "http://www.w3.org/2000/svg";

/** A plot as a drawing that stands alone; its numbers are in the units that are shown. */
export function svgOf({ title, unit, along, lines, marks = [] }: PlotSource): string {
  const places = along.values;
  const svg = document.createElementNS(namespace, "svg");
  const inner = { right: width - margin.right, bottom: height - margin.bottom };
  const [first, last] = range(places);
  const [low, high] = range(lines.flatMap((line) => range(line.values)).filter(Number.isFinite));
  const x = scaleLinear([first, last], [margin.left, inner.right]);
  const y = scaleLinear([low, high], [inner.bottom, margin.top]).nice();
  const root = select(svg)
    .attr("xmlns", namespace).attr("viewBox", `0 0 ${width} ${height}`)
    .attr("font-family", "sans-serif").attr("font-size", 11);
  root.append("rect").attr("width", width).attr("height", height).attr("fill", "white");
  root.append("text").attr("x", margin.left).attr("y", 20).attr("font-size", 13)
    .text(`${title} [${unit}]`);
  root.append("g").attr("transform", `translate(0,${inner.bottom})`)
    .call(axisBottom(x).ticks(8).tickFormat((value) => (along.unit === "" ? String(value) : number(Number(value), 5))));
  root.append("g").attr("transform", `translate(${margin.left},0)`)
    .call(axisLeft(y).ticks(6).tickFormat((value) => number(Number(value))));
  root.append("text").attr("x", inner.right).attr("y", height - 8).attr("text-anchor", "end").text(titleOf(along));
  for (const mark of marks)
    root.append("path").attr("class", "mark").attr("d", `M${x(mark).toFixed(2)},${margin.top}V${inner.bottom}`)
      .attr("stroke", "#5a6675").attr("stroke-dasharray", markDash.join(" "));
  lines.forEach((line, i) => {
    let path = "";
    let pen = "M";
    for (let k = 0; k < places.length; ++k) {
      const value = line.values[k]!;
      if (!Number.isFinite(value)) {
        pen = "M";
        continue;
      }
      path += `${pen}${x(places[k]!).toFixed(2)},${y(value).toFixed(2)}`;
      pen = "L";
    }
    const dash = line.pale ? [4, 4] : seriesDash(line.hue);
    const stroke = seriesColour(line.hue);
    root.append("path").attr("d", path).attr("fill", "none").attr("stroke", stroke)
      .attr("stroke-width", 1.5).attr("stroke-dasharray", dash.join(" ") || null);
    const at = margin.top + 15 * i;
    root.append("line").attr("x1", inner.right + 12).attr("x2", inner.right + 32)
      .attr("y1", at).attr("y2", at).attr("stroke", stroke).attr("stroke-width", 2)
      .attr("stroke-dasharray", dash.join(" ") || null);
    root.append("text").attr("x", inner.right + 38).attr("y", at + 4).text(line.name);
  });
  return new XMLSerializer().serializeToString(svg);
}
