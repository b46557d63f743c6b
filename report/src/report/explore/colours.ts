import type { Svg } from "../../common/plots/drawing";
import { colour, isDark } from "../../common/theme";
import type { AxisScale } from "./axes";

/** Colours from the least to the greatest number, of even steps in lightness, also for the
 * colour-blind; both ends differ from the panel behind them. */
const ramps = {
  light: ["#d9a300", "#2c9a80", "#3a2a8c"],
  dark: ["#5a63e0", "#35c0a0", "#f4e36a"],
};
export const shades = 64;

type Rgb = [number, number, number];
const rgb = (text: string): Rgb => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) as Rgb;

/** The colour of a shade, 0 to shades - 1. */
function shade(at: number): Rgb {
  const stops = ramps[isDark() ? "dark" : "light"].map(rgb);
  const place = (at / (shades - 1)) * (stops.length - 1);
  const from = Math.min(Math.floor(place), stops.length - 2);
  const part = place - from;
  return [0, 1, 2].map((c) => Math.round(stops[from]![c]! * (1 - part) + stops[from + 1]![c]! * part)) as Rgb;
}

/** The colours of designs that fail, of all feasible ones, and of those that filters let through. */
export const inkColours = (): Record<"failed" | "context" | "through", Rgb> =>
  ({ failed: rgb(colour("report-failed")), context: rgb(colour("report-context")), through: rgb(colour("accent")) });

const css = (colour: Rgb): string => `rgb(${colour.join(" ")})`;

/** Draws the taken rows as points of three pixels, each in the mean shade of all rows at its pixel. */
export function paintByColumn(
  image: ImageData, xs: Uint16Array, ys: Uint16Array, of: Uint16Array,
  x: Uint16Array, y: Uint16Array, c: Uint16Array, taken: Uint8Array,
): void {
  const { width, height } = image;
  const count = new Uint32Array(width * height);
  const sum = new Float32Array(width * height);
  const rows = Math.min(x.length, y.length, taken.length);
  for (let row = 0; row < rows; ++row) {
    if (taken[row] !== 1) continue;
    const [px, py, tint] = [xs[x[row]!]!, ys[y[row]!]!, row < c.length ? of[c[row]!]! : shades];
    if (px >= width || py >= height || tint >= shades) continue;
    const at = (height - 1 - py) * width + px;
    ++count[at]!;
    sum[at]! += tint;
  }
  const colours = Array.from({ length: shades }, (_, i) => shade(i));
  const pixels = new Uint32Array(image.data.buffer); // little-endian: alpha, blue, green, red
  const most = new Uint32Array(width * height);
  for (let row = 0; row < height; ++row)
    for (let column = 0; column < width; ++column) {
      const own = count[row * width + column]!;
      if (own === 0) continue;
      const [red, green, blue] = colours[Math.round(sum[row * width + column]! / own)]!;
      const ink = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
      for (let down = Math.max(row - 1, 0); down <= Math.min(row + 1, height - 1); ++down)
        for (let right = Math.max(column - 1, 0); right <= Math.min(column + 1, width - 1); ++right) {
          const at = down * width + right;
          if (most[at]! >= own) continue;
          most[at] = own;
          pixels[at] = ink;
        }
    }
}

/** A bar of all shades between the numbers of its ends, behind the name of the column. */
export function drawLegend(svg: Svg, axis: AxisScale, right: number, top: number): void {
  const [low, high] = axis.ends.map((end) => axis.label(end)) as [string, string];
  const wide = 84;
  const left = right - wide - 10 - 6.4 * high.length;
  const legend = svg.append("g").attr("class", "legend-of-colour").attr("transform", `translate(0,${top})`);
  legend.append("text").attr("x", left + wide + 6).attr("y", 9).text(high);
  legend.append("text").attr("x", left - 6).attr("y", 9).attr("text-anchor", "end").text(`${axis.title}  ${low}`);
  for (let i = 0; i < 24; ++i)
    legend.append("rect").attr("x", left + (i * wide) / 24).attr("width", wide / 24 + 0.5).attr("height", 10)
      .attr("fill", css(shade(Math.round((i * (shades - 1)) / 23))));
}
