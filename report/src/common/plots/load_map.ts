import { select, type Selection as Picked } from "d3-selection";
import { button, h, onResize, said, withUnit } from "../dom";
import { drawing, savePng, saveSvg, type Svg } from "./drawing";
import { edgesOf, isBeyond, type LoadLimit, strokeOf } from "./limits";
import { nearest, neighbour, type Plane, rasterOf } from "./plane";
import { ink, rgb, shade } from "./ramp";
import { colour, isDark } from "../theme";
import { unitName } from "../units";
import type { Workspace } from "../workspace";

/** The loads of an actuator of one design in the poses of a workspace. */
export interface MapSource {
  name: string; // of the design
  workspace: Workspace; // its poses, and those that it leaves out
  loads: ArrayLike<number>;
  limits: LoadLimit[]; // of the loads
}

/** Loads over a plane of poses, in colours from 0 to `top`. */
export interface MapPicture extends MapSource {
  actuator: string;
  unit: string; // SI, of the loads
  plane: Plane;
  top: number;
  names: string[]; // of the limits of all maps, which tell their lines apart
  which: string[]; // sentences: which poses are shown, and how they were chosen
}

/** What a map tells and is told: the pose that is gone to, and the one that is pointed at. */
export interface MapActs {
  go: (sample: number) => void;
  point: (sample: number | null) => void;
}

export const margin = { left: 66, right: 12, top: 8, bottom: 38 };
export const hatch = { every: 7, thick: 2 }; // pixels
const shades = 256;

export const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** How far the point of a pose reaches to each side, in pixels. */
const reachOf = (plane: Plane): number => (plane.samples.length > 2000 ? 1.5 : plane.samples.length > 500 ? 2.5 : 3.5);

/** Draws the loads into a canvas of a size in pixels of the screen. */
export function paintLoads(canvas: HTMLCanvasElement, picture: MapPicture, width: number, height: number, scale: number, dark: boolean): void {
  canvas.width = Math.max(Math.round(width * scale), 1);
  canvas.height = Math.max(Math.round(height * scale), 1);
  const image = new ImageData(canvas.width, canvas.height);
  const raster = rasterOf(picture.plane, picture.loads, picture.workspace.leftOut, canvas.width, canvas.height, reachOf(picture.plane) * scale);
  const pixels = new Uint32Array(image.data.buffer);
  const inks = Array.from({ length: shades }, (_, i) => ink(shade(i / (shades - 1), dark)));
  const line = ink(rgb(dark ? colour("text-faint") : "#5a6675"));
  raster.forEach((load, i) => {
    if (load >= 0) pixels[i] = inks[Math.min(Math.round((load / picture.top) * (shades - 1)), shades - 1)]!;
    else if (load < 0 && (Math.floor(i / canvas.width) + (i % canvas.width)) % Math.round(hatch.every * scale) < hatch.thick * scale) pixels[i] = line;
  });
  canvas.getContext("2d")!.putImageData(image, 0, 0);
}

/** The pose with the largest load among those of the plane, or among all; null if they are left out. */
export function worstOf({ plane, loads, workspace }: MapPicture, among: "plane" | "all"): number | null {
  let [found, most]: [number | null, number] = [null, -Infinity];
  const look = (sample: number): void => {
    const load = Math.abs(loads[sample]!);
    if (workspace.leftOut[sample] === 0 && load > most) [found, most] = [sample, load];
  };
  if (among === "plane") plane.samples.forEach(look);
  else for (let sample = 0; sample < workspace.samples; ++sample) look(sample);
  return found;
}

/** A load in words, or that there is none. */
export const loadText = ({ loads, workspace, unit }: MapPicture, sample: number): string =>
  workspace.leftOut[sample] === 1 ? "left out" : withUnit(loads[sample]!, unit);

/** How many poses a workspace has, and whether these are only those that are shown. */
const ofAll = ({ samples, of }: Workspace): string => (samples === of ? String(samples) : `${samples} shown`);

/** A limit in words: "holding_load 4 N·m". */
export const limitText = ({ unit }: { unit: string }, { name, value }: LoadLimit): string => `${name} ${withUnit(value, unit)}`;

/** How many poses are beyond a limit: of the plane, and of all where it is a part of them. */
function beyondText({ plane, workspace, loads }: MapPicture, limit: LoadLimit): string {
  const beyond = (sample: number): number => Number(workspace.leftOut[sample] === 0 && isBeyond(loads[sample]!, limit));
  const here = plane.samples.reduce((sum, sample) => sum + beyond(sample), 0);
  const words = `beyond ${limit.name}: ${here} of ${plane.samples.length} poses`;
  if (plane.samples.length === workspace.samples) return words;
  let all = 0;
  for (let sample = 0; sample < workspace.samples; ++sample) all += beyond(sample);
  return `${words} here, ${all} of all ${ofAll(workspace)}`;
}

/** A map of the load of an actuator over two coordinates of its poses, with a cross at the largest and a ring
 * at the pose that the robot stands in. A click or the arrow keys go to another pose. */
export class LoadMap {
  readonly element: HTMLElement;
  picture: MapPicture | null = null;
  worst: number | null = null; // the pose with the largest load
  private readonly name = h("span", {});
  private readonly canvas = h("canvas", {});
  private readonly svg: Svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  private readonly frame = h("div", { class: "map-frame", tabindex: 0, role: "application", "aria-roledescription": "map" }, this.canvas, this.svg.node()!);
  private readonly told = h("div", { class: "map-worst" });
  private sample = 0;
  private width = 0;

  constructor(private readonly acts: MapActs) {
    this.element = h("figure", { class: "map" },
      h("figcaption", {}, this.name, h("span", { class: "exports" },
        button("SVG", "save the map as SVG", () => saveSvg(this.title, this.figure())),
        button("PNG", "save the map as PNG", () => void savePng(this.title, this.figure())))),
      this.frame, this.told);
    this.svg.attr("aria-hidden", "true");
    onResize(this.frame, () => {
      if (this.frame.clientWidth !== this.width) this.draw();
    });
    this.frame.addEventListener("pointerdown", (event) => this.press(event));
    this.frame.addEventListener("pointermove", (event) => (event.buttons === 1 ? this.press(event) : this.acts.point(this.under(event))));
    this.frame.addEventListener("pointerleave", () => this.acts.point(null));
    this.frame.addEventListener("keydown", (event) => this.key(event));
  }

  private get title(): string {
    return `Load of ${this.picture?.actuator ?? ""}, ${this.picture?.name ?? ""}`;
  }
  private get height(): number {
    return Math.min(Math.max(Math.round(0.8 * this.width), 190), 330);
  }
  private get inner(): [number, number] {
    return [Math.max(this.width - margin.left - margin.right, 10), this.height - margin.top - margin.bottom];
  }

  show(picture: MapPicture): void {
    this.picture = picture;
    this.worst = worstOf(picture, "plane");
    this.name.replaceChildren(said(picture.name));
    this.draw();
  }

  /** Puts the ring at the pose of the robot, which is in the plane. */
  mark(sample: number): void {
    this.sample = sample;
    const { picture } = this;
    if (picture === null) return;
    this.frame.setAttribute("aria-label", `${this.title}, over ${picture.plane.x.title} and ${picture.plane.y.title}; ` +
      `${picture.workspace.poseText(sample)}: ${loadText(picture, sample)}; arrows go to other poses, enter to the largest load`);
    this.drawMark("now", sample);
  }

  draw(): void {
    this.width = this.frame.clientWidth;
    const { picture } = this;
    if (picture === null || this.width === 0) return;
    const [width, height] = this.inner;
    this.frame.style.height = `${this.height}px`;
    Object.assign(this.canvas.style, { left: `${margin.left}px`, top: `${margin.top}px`, width: `${width}px`, height: `${height}px` });
    paintLoads(this.canvas, picture, width, height, devicePixelRatio, isDark());
    this.svg.attr("width", this.width).attr("height", this.height);
    this.svg.selectChildren().remove();
    drawAxes(this.svg, picture.plane, width, height);
    drawLimits(this.svg, picture, width, height, [colour("panel"), colour("text")]);
    for (const mark of ["worst", "now"]) this.svg.append("g").attr("class", mark);
    this.drawMark("worst", this.worst);
    this.tellWorst(picture);
    this.mark(this.sample);
  }

  private tellWorst(picture: MapPicture): void {
    const { plane, workspace } = picture;
    const [shown, all] = [plane.samples.length, workspace.samples];
    const left = plane.samples.reduce((sum, one) => sum + workspace.leftOut[one]!, 0);
    this.told.replaceChildren(this.largest(picture, this.worst, shown < all ? "largest here" : "largest", "of this map"));
    if (left > 0) this.told.append(h("p", {}, `left out: ${left} of ${shown} poses`));
    for (const limit of picture.limits) this.told.append(h("p", {}, beyondText(picture, limit)));
    if (shown < all) this.told.append(this.largest(picture, worstOf(picture, "all"), `largest of all ${ofAll(workspace)}`, "of all poses"));
  }
  /** A largest load, and a button that leads to it. */
  private largest(picture: MapPicture, sample: number | null, what: string, of: string): HTMLElement {
    return sample === null ? h("p", {}, `${what}: none, as no pose is reached`) : h("p", {}, `${what}: `, h("b", {}, loadText(picture, sample)), " in ",
      button(picture.workspace.poseText(sample), `go to the largest load ${of}`, () => this.acts.go(sample)));
  }

  private drawMark(name: "worst" | "now", sample: number | null): void {
    const mark = this.svg.select<SVGGElement>(`.${name}`);
    mark.selectChildren().remove();
    const at = sample === null ? -1 : this.picture!.plane.samples.indexOf(sample);
    if (at < 0 || mark.empty()) return;
    markAt(mark, name, ...middleOf(this.picture!.plane, at, ...this.inner), [colour("panel"), colour("text")]);
  }

  private under(event: PointerEvent): number | null {
    const { picture } = this;
    if (picture === null) return null;
    const box = this.frame.getBoundingClientRect();
    const [width, height] = this.inner;
    const [x, y] = [(event.clientX - box.left - margin.left) / width, 1 - (event.clientY - box.top - margin.top) / height];
    if (x < 0 || x > 1 || y < 0 || y > 1) return null;
    return picture.plane.samples[nearest(picture.plane, x, y, width, height)]!;
  }
  private press(event: PointerEvent): void {
    const sample = this.under(event);
    if (sample === null) return;
    this.acts.point(null);
    this.acts.go(sample);
  }
  private key(event: KeyboardEvent): void {
    const { picture } = this;
    if (picture === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const { plane } = picture;
    const direction = arrows[event.key];
    const to = direction ? plane.samples[neighbour(plane, plane.samples.indexOf(this.sample), direction)]!
      : event.key === "Enter" ? this.worst : null;
    if (to === null) return;
    event.preventDefault();
    this.acts.go(to);
  }

  /** The map as a drawing of its own, with axes, marks and the scale of its colours. */
  figure(): Svg {
    const picture = this.picture!;
    const { workspace, plane } = picture;
    const [width, height] = [480, 360];
    const svg = drawing(width + margin.left + margin.right, height + margin.top + margin.bottom + 125 + 15 * picture.limits.length, `${this.title} [${unitName(picture.unit)}]`);
    const canvas = document.createElement("canvas");
    paintLoads(canvas, picture, width, height, 2, false);
    const map = svg.append("g").attr("transform", "translate(0,26)");
    map.append("image").attr("x", margin.left).attr("y", margin.top).attr("width", width).attr("height", height)
      .attr("preserveAspectRatio", "none").attr("href", canvas.toDataURL());
    drawAxes(map, plane, width, height);
    drawLimits(map, picture, width, height, ["#ffffff", "#1c2530"]);
    const below = svg.append("g").attr("transform", `translate(${margin.left},${height + margin.top + margin.bottom + 36})`);
    drawRamp(below, "0", withUnit(picture.top, picture.unit));
    const lines = [...picture.which];
    if (this.worst !== null) {
      const sample = this.worst;
      markAt(map.append("g"), "worst", ...middleOf(plane, plane.samples.indexOf(sample), width, height), ["#ffffff", "#1c2530"]);
      lines.push(`largest: ${loadText(picture, sample)} in ${workspace.poseText(sample)}`);
    }
    for (const limit of picture.limits)
      lines.push(`${plane.points ? "" : `${strokeOf(picture.names.indexOf(limit.name)).words}: `}${limitText(picture, limit)}; ${beyondText(picture, limit)}`);
    if (workspace.leftOutCount > 0) lines.push("hatched: poses out of reach, left out");
    lines.forEach((line, i) => below.append("text").attr("y", 42 + 15 * i).text(line));
    return svg;
  }
}

type Group = Picked<SVGGElement, unknown, null, undefined>;

/** The lines of limits, each with a halo. */
function drawLimits(svg: Svg | Group, picture: MapPicture, width: number, height: number, [halo, line]: [string, string]): void {
  const group = svg.append("g").attr("class", "limits");
  for (const limit of picture.limits) {
    const lines = edgesOf(picture.plane, picture.loads, picture.workspace.leftOut, limit);
    const path = lines.map((places) => `M${places.map(([x, y]) =>
      `${(margin.left + x * width).toFixed(1)},${(margin.top + (1 - y) * height).toFixed(1)}`).join("L")}`).join("");
    for (const [stroke, thick] of [[halo, 4], [line, 1.8]] as const)
      group.append("path").attr("d", path).attr("fill", "none").attr("stroke", stroke).attr("stroke-width", thick)
        .attr("data-limit", limit.name)
        .attr("stroke-dasharray", thick === 4 ? null : strokeOf(picture.names.indexOf(limit.name)).dash.join(" ") || null);
  }
}

/** Where the pose with this number in a plane stands beside its axes. */
function middleOf(plane: Plane, at: number, width: number, height: number): [number, number] {
  const [left, bottom, right, top] = plane.rectangles.subarray(4 * at, 4 * at + 4) as unknown as [number, number, number, number];
  return [margin.left + ((left + right) / 2) * width, margin.top + (1 - (bottom + top) / 2) * height];
}

/** A cross or a ring whose halo lets it stand out from any colour. */
export function markAt(mark: Group, name: "worst" | "now", x: number, y: number, [halo, line]: [string, string]): void {
  for (const [stroke, width] of [[halo, 4.5], [line, 2]] as const)
    mark.append("path").attr("d", name === "worst" ? `M${x - 6},${y - 6}l12,12m0,-12l-12,12` : `M${x - 8},${y}a8,8 0 1 1 0,.1z`)
      .attr("fill", "none").attr("stroke", stroke).attr("stroke-width", width);
}

/** The scale of the colours of a map, between the words for its ends. */
export function drawRamp(below: Group, low: string, high: string): void {
  for (let i = 0; i < 48; ++i)
    below.append("rect").attr("x", i * 4).attr("width", 4.5).attr("height", 10).attr("fill", `rgb(${shade(i / 47, false).join(" ")})`);
  below.append("text").attr("y", 24).text(low);
  below.append("text").attr("x", 192).attr("y", 24).attr("text-anchor", "end").text(high);
}

/** Ticks and titles around a map. */
export function drawAxes(svg: Svg | Group, plane: Pick<Plane, "x" | "y">, width: number, height: number): void {
  const [right, bottom] = [margin.left + width, margin.top + height];
  const axes = svg.append("g").attr("class", "map-axes");
  axes.append("rect").attr("x", margin.left).attr("y", margin.top).attr("width", width).attr("height", height)
    .attr("fill", "none").attr("stroke", "currentColor").attr("stroke-opacity", 0.45);
  const text = (x: number, y: number, anchor: string, words: string): void => {
    axes.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor).text(words);
  };
  for (const { at, text: words } of plane.x.ticks(Math.max(2, Math.floor(width / 46)))) {
    const x = margin.left + at * width;
    axes.append("path").attr("d", `M${x},${bottom}v4`).attr("stroke", "currentColor").attr("stroke-opacity", 0.6);
    text(x, bottom + 15, "middle", words);
  }
  for (const { at, text: words } of plane.y.ticks(Math.max(2, Math.floor(height / 28)))) {
    const y = bottom - at * height;
    axes.append("path").attr("d", `M${margin.left},${y}h-4`).attr("stroke", "currentColor").attr("stroke-opacity", 0.6);
    text(margin.left - 7, y + 3.5, "end", words);
  }
  text(right, bottom + 31, "end", plane.x.title);
  axes.append("text").attr("transform", `translate(12,${margin.top}) rotate(-90)`).attr("text-anchor", "end").text(plane.y.title);
}
