import { axisLeft } from "d3-axis";
import { brushY, type BrushBehavior } from "d3-brush";
import { select } from "d3-selection";
import { breakable, button, h, onResize } from "../../common/dom";
import { drawing, savePng, saveSvg, type Svg } from "../../common/plots/drawing";
import { onTheme, seriesColour } from "../../common/theme";
import { onUnits } from "../../common/units";
import { noCode } from "../cases";
import type { AxisScale } from "./axes";
import { AxisTools } from "./axis_tools";
import { inkColours } from "./colours";
import { type Ink, LinePicture, type Lines, mixed } from "./density";
import type { Selection } from "./selection";

const height = 260;
const margin = { right: 52, top: 6, bottom: 8 };
const room = { texts: 84, numbers: 46 }; // left of the first axis
const narrowest = 74; // pixels between axes

/** Parallel coordinates: an axis a column, a line a design. Axes are brushed, moved, hidden and made
 * logarithmic. */
export class ParallelPlot {
  readonly element: HTMLElement;
  readonly axes: AxisScale[]; // in their order, hidden ones too
  readonly hidden: Set<string>;
  private readonly heads = h("div", { class: "heads" });
  private readonly canvas = h("canvas", {});
  private readonly svg = select(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  private readonly frame = h("div", { class: "frame" }, this.heads, this.canvas, this.svg.node()!);
  private readonly scroll = h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "parallel coordinates" }, this.frame);
  private readonly tools: AxisTools;
  private behaviours = new Map<string, { behaviour: BrushBehavior<unknown>; group: SVGGElement }>();
  private lines: Lines = { places: [], codes: [], x: [] };
  private pictures: { failed: LinePicture; context: LinePicture; through: LinePicture; image: ImageData } | null = null;
  private colours = inkColours();
  private width = 0;
  private moving = false; // a brush that the program moves tells nothing

  constructor(
    axes: AxisScale[],
    hidden: string[],
    private readonly selection: Selection,
    private readonly changed: () => void, // an axis was moved, hidden or made logarithmic
  ) {
    this.axes = [...axes];
    this.hidden = new Set(hidden);
    this.tools = new AxisTools(this, selection);
    this.element = h("figure", { class: "plot parallel" },
      h("figcaption", {}, "Parallel coordinates",
        h("span", { class: "exports" },
          button("SVG", "save parallel coordinates as SVG", () => saveSvg("parallel", this.figure())),
          button("PNG", "save parallel coordinates as PNG", () => void savePng("parallel", this.figure())))),
      this.scroll, this.tools.element);
    this.svg.attr("aria-hidden", "true").attr("height", height + margin.top + margin.bottom);
    onResize(this.scroll, () => this.resize());
    selection.onChange(() => this.paint());
    selection.onChoice(() => this.drawChosen(this.svg));
    onTheme(() => this.build());
    onUnits(() => this.build());
  }

  get shown(): AxisScale[] {
    return this.axes.filter((axis) => !this.hidden.has(axis.name));
  }

  /** Makes the plot no wider than this, as a picture: paper does not scroll. */
  fit(width: number): void {
    this.frame.style.setProperty("zoom", String(Math.min(1, width / Math.max(this.canvas.width, 1))));
  }

  move(name: string, to: number): void {
    const shown = this.shown.map((axis) => axis.name);
    const from = shown.indexOf(name);
    const target = shown[Math.min(Math.max(to, 0), shown.length - 1)];
    if (from < 0 || target === undefined || target === name) return;
    const own = this.axes.splice(this.axes.findIndex((axis) => axis.name === name), 1)[0]!;
    const at = this.axes.findIndex((axis) => axis.name === target);
    this.axes.splice(from < shown.indexOf(target) ? at + 1 : at, 0, own);
    this.build();
    this.changed();
  }
  hide(name: string, on: boolean): void {
    if (on) this.hidden.add(name);
    else this.hidden.delete(name);
    this.build();
    this.changed();
  }
  /** Shows these axes alone, in this order, some of them logarithmic. */
  arrange(names: string[], logarithmic: string[]): void {
    if (!this.axes.some((axis) => names.includes(axis.name))) return;
    const place = ({ name }: AxisScale): number => (names.includes(name) ? names.indexOf(name) : names.length);
    this.axes.sort((a, b) => place(a) - place(b));
    for (const axis of this.axes) {
      axis.logarithmic = logarithmic.includes(axis.name);
      if (names.includes(axis.name)) this.hidden.delete(axis.name);
      else this.hidden.add(axis.name);
    }
    this.build();
    this.changed();
  }
  setLogarithmic(name: string, on: boolean): void {
    const axis = this.axes.find((one) => one.name === name);
    if (axis === undefined) return;
    axis.logarithmic = on;
    this.build();
    this.changed();
  }

  private resize(): void {
    if (this.scroll.clientWidth !== 0 && this.scroll.clientWidth !== this.width) this.build();
  }

  private get left(): number {
    return this.shown[0]?.column.isText ? room.texts : room.numbers;
  }
  private position(index: number, count: number, width: number): number {
    return Math.round(this.left + ((width - this.left - margin.right) * index) / Math.max(count - 1, 1));
  }

  /** Makes axes, brushes and heads anew. */
  build(): void {
    this.width = this.scroll.clientWidth;
    if (this.width === 0) return;
    const shown = this.shown;
    const wide = Math.max(this.width, this.left + margin.right + narrowest * (shown.length - 1));
    this.canvas.width = wide;
    this.canvas.height = height;
    this.frame.style.width = `${wide}px`;
    this.svg.attr("width", wide);
    const x = shown.map((_, i) => this.position(i, shown.length, wide));
    this.lines = { places: shown.map((axis) => axis.bins(height)), codes: shown.map((axis) => axis.column.codes), x };
    this.colours = inkColours();
    const picture = (): LinePicture => new LinePicture(wide, height, this.lines);
    this.pictures = { failed: picture(), context: picture(), through: picture(), image: new ImageData(wide, height) };
    this.pictures.context.show(new Uint8Array(this.selection.cases.feasible).fill(1), 0);
    this.svg.selectChildren().remove();
    this.svg.append("g").attr("class", "chosen");
    this.behaviours = new Map();
    shown.forEach((axis, i) => this.addAxis(axis, x[i]!));
    this.buildHeads(shown, x);
    this.drawChosen(this.svg);
    this.tools.refresh();
    this.paint();
  }

  private addAxis(axis: AxisScale, x: number): void {
    const scale = axis.scale([height + margin.top - 0.5, margin.top + 0.5]);
    const group = this.svg.append("g").attr("class", "axis").attr("transform", `translate(${x},0)`);
    group.call(axisLeft(scale).tickValues(axis.ticks(6)).tickSize(4).tickFormat((value) => axis.label(Number(value))));
    const behaviour = brushY<unknown>().extent([[-11, margin.top], [11, height + margin.top]])
      .on("brush end", (event: { selection: [number, number] | null }) => {
        if (this.moving) return;
        if (event.selection === null) return this.selection.brush(axis.name, null);
        const [top, bottom] = event.selection;
        this.selection.brush(axis.name, axis.codes(scale.invert(bottom), scale.invert(top)) ?? [1, 0]);
        this.tools.refresh();
      });
    const brush = group.append("g").attr("class", "brush");
    brush.call(behaviour);
    this.behaviours.set(axis.name, { behaviour, group: brush.node()! });
    this.placeBrush(axis);
  }

  private placeBrush(axis: AxisScale): void {
    const own = this.behaviours.get(axis.name);
    if (own === undefined) return;
    const codes = this.selection.brushes.get(axis.name);
    const scale = axis.scale([height + margin.top, margin.top]);
    const held = codes !== undefined && codes[0] <= codes[1]; // else no design passes, whatever its number
    const ends = !held ? undefined : codes.map((code) => scale(axis.column.decoded(Math.min(code, axis.column.top))));
    this.moving = true;
    select<SVGGElement, unknown>(own.group).call((group) =>
      own.behaviour.move(group, ends === undefined ? null : [ends[1]! - 1, ends[0]! + 1]));
    this.moving = false;
  }

  /** Brushes that were set elsewhere: in the scatter, by the keyboard. */
  syncBrushes(): void {
    for (const axis of this.shown) this.placeBrush(axis);
    this.tools.refresh();
  }

  private buildHeads(shown: AxisScale[], x: number[]): void {
    const focused = this.tools.axis;
    this.heads.replaceChildren(...shown.map((axis, i) => {
      const head = h("button", {
        type: "button", class: "axis-head", title: `${axis.title}: drag to move, press for its tools`,
        "aria-pressed": String(axis.name === focused),
      }, breakable(axis.name));
      head.dataset["name"] = axis.name;
      head.style.left = `${x[i]!}px`;
      head.addEventListener("click", () => this.tools.open(axis.name));
      head.addEventListener("keydown", (event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation(); // the time line would step
        this.move(axis.name, i + by);
        this.focusHead(axis.name);
      });
      this.dragHead(head, axis.name);
      return head;
    }));
  }
  focusHead(name: string): void {
    const at = this.shown.findIndex((axis) => axis.name === name);
    (this.heads.children[at] as HTMLElement | undefined)?.focus();
  }

  private dragHead(head: HTMLElement, name: string): void {
    head.addEventListener("pointerdown", (down) => {
      const start = down.clientX;
      head.setPointerCapture(down.pointerId);
      const moved = (event: PointerEvent): void => {
        head.style.transform = `translateX(calc(-50% + ${event.clientX - start}px))`;
      };
      head.addEventListener("pointermove", moved);
      head.addEventListener("pointerup", (up) => {
        head.removeEventListener("pointermove", moved);
        head.style.transform = "";
        if (Math.abs(up.clientX - start) < 12) return;
        const at = up.clientX - this.frame.getBoundingClientRect().left;
        const nearest = this.lines.x.map((x) => Math.abs(x - at));
        this.move(name, nearest.indexOf(Math.min(...nearest)));
      }, { once: true });
    });
  }

  private paint(): void {
    const { canvas, selection } = this;
    if (this.pictures === null) return;
    const { failed, context, through, image } = this.pictures;
    if (selection.countFailed > 0) failed.show(selection.maskFailed, selection.cases.feasible);
    through.show(selection.mask, 0);
    const inks: Ink[] = [];
    const { colours } = this;
    if (selection.countFailed > 0) inks.push({ density: failed.density, colour: colours.failed, least: 0.1, most: 0.5 });
    if (selection.filtered) inks.push({ density: context.density, colour: colours.context, least: 0.12, most: 0.4 });
    mixed(image, [...inks, { density: through.density, colour: colours.through, least: 0.25, most: 0.85 }]);
    canvas.getContext("2d")!.putImageData(image, 0, 0);
  }

  private drawChosen(svg: Svg): void {
    const group = svg.select(".chosen");
    group.selectAll("path").remove();
    const shown = this.shown;
    this.selection.chosen.forEach((row, i) => {
      let path = "";
      let pen = "M";
      shown.forEach((axis, a) => {
        if (axis.column.code(row) === noCode) {
          pen = "M";
          return;
        }
        const y = axis.scale([height + margin.top - 0.5, margin.top + 0.5])(axis.column.value(row));
        path += `${pen}${this.lines.x[a] ?? 0},${y.toFixed(1)}`;
        pen = "L";
      });
      group.append("path").attr("d", path).attr("fill", "none").attr("stroke", seriesColour(i + 1)).attr("stroke-width", 2.2);
    });
  }

  /** The plot as a drawing that stands alone. */
  figure(): Svg {
    const top = 46;
    const svg = drawing(this.canvas.width, height + top + 16, "Parallel coordinates");
    svg.append("image").attr("href", this.canvas.toDataURL()).attr("y", top + margin.top)
      .attr("width", this.canvas.width).attr("height", height);
    const inner = svg.append("g").attr("transform", `translate(0,${top})`);
    inner.append("g").attr("class", "chosen");
    this.shown.forEach((axis, i) => {
      const group = inner.append("g").attr("transform", `translate(${this.lines.x[i]!},0)`);
      group.call(axisLeft(axis.scale([height + margin.top - 0.5, margin.top + 0.5])).tickValues(axis.ticks(6)).tickSize(4)
        .tickFormat((value) => axis.label(Number(value))));
      group.append("text").attr("y", -8).attr("text-anchor", "middle").attr("fill", "#1c2530").text(axis.title);
    });
    this.drawChosen(inner as unknown as Svg);
    return svg;
  }
}
