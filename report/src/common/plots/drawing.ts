import { select, type Selection as Picked } from "d3-selection";
import { save } from "../dom";

const namespace = "http://www.w3.org/2000/svg";
export type Svg = Picked<SVGSVGElement, unknown, null, undefined>;

/** A drawing that stands alone, with a title. */
export function drawing(width: number, height: number, title: string): Svg {
  const svg = select(document.createElementNS(namespace, "svg"))
    .attr("xmlns", namespace).attr("width", width).attr("height", height)
    .attr("viewBox", `0 0 ${width} ${height}`).attr("font-family", "sans-serif").attr("font-size", 11)
    .attr("fill", "#1c2530");
  svg.append("rect").attr("width", width).attr("height", height).attr("fill", "#ffffff");
  svg.append("text").attr("x", 10).attr("y", 18).attr("font-size", 13).text(title);
  return svg;
}

export const textOf = (svg: Svg): string => new XMLSerializer().serializeToString(svg.node()!);

export function saveSvg(name: string, svg: Svg): void {
  save(`${name}.svg`, new Blob([textOf(svg)], { type: "image/svg+xml" }));
}

/** The drawing in twice its size, for screens and paper. */
export async function png(svg: Svg): Promise<Blob | null> {
  const text = new TextEncoder().encode(textOf(svg));
  let binary = "";
  for (let at = 0; at < text.length; at += 8192) binary += String.fromCharCode(...text.subarray(at, at + 8192));
  const picture = new Image();
  picture.src = `data:image/svg+xml;base64,${btoa(binary)}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * picture.naturalWidth;
  canvas.height = 2 * picture.naturalHeight;
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done));
}

export async function savePng(name: string, svg: Svg): Promise<void> {
  const blob = await png(svg);
  if (blob !== null) save(`${name}.png`, blob);
}
