import { add, button, h } from "../../common/dom";
import { fromUnit, inUnit } from "../../common/units";
import type { AxisScale } from "./axes";
import type { ParallelPlot } from "./parallel";
import type { Selection } from "./selection";

/** What can be done to one axis, by the keyboard too: order, range, scale, hiding. */
export class AxisTools {
  readonly element = h("div", { class: "axis-tools", role: "group", "aria-label": "tools of the axis" });
  axis = "";

  constructor(
    private readonly plot: ParallelPlot,
    private readonly selection: Selection,
  ) {}

  open(name: string): void {
    this.axis = name;
    for (const head of this.element.parentElement?.querySelectorAll(".axis-head") ?? [])
      head.setAttribute("aria-pressed", String((head as HTMLElement).dataset["name"] === name));
    this.refresh();
  }

  refresh(): void {
    const focus = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement)
      ? document.activeElement.dataset["tool"] : undefined;
    const axis = this.plot.axes.find((one) => one.name === this.axis);
    this.element.replaceChildren();
    if (axis !== undefined && !this.plot.hidden.has(axis.name)) this.fill(axis);
    else add(this.element, h("span", { class: "faint" }, "Drag along an axis to filter. Press a heading for its tools."));
    add(this.element, this.shownAxes());
    if (focus !== undefined) this.element.querySelector<HTMLElement>(`[data-tool="${focus}"]`)?.focus();
  }

  private fill(axis: AxisScale): void {
    const tool = <E extends HTMLElement>(name: string, element: E): E => {
      element.dataset["tool"] = name;
      return element;
    };
    const at = this.plot.shown.indexOf(axis);
    add(this.element, h("b", {}, h("bdi", {}, axis.title)),
      tool("left", button("←", `move ${axis.name} to the left`, () => this.plot.move(axis.name, at - 1))),
      tool("right", button("→", `move ${axis.name} to the right`, () => this.plot.move(axis.name, at + 1))));
    if (axis.column.isText) add(this.element, this.labels(axis, tool));
    else add(this.element, this.ends(axis, tool));
    if (axis.canBeLogarithmic) {
      const box = tool("log", h("input", { type: "checkbox", checked: axis.logarithmic }));
      box.addEventListener("change", () => this.plot.setLogarithmic(axis.name, box.checked));
      add(this.element, h("label", {}, box, " logarithmic"));
    }
    if (this.selection.brushes.has(axis.name))
      add(this.element, tool("clear", button("all values", `no filter on ${axis.name}`, () => this.set(axis, null))));
    add(this.element, tool("hide", button("hide", `hide ${axis.name}`, () => this.plot.hide(axis.name, true))));
  }

  private ends(axis: AxisScale, tool: <E extends HTMLElement>(name: string, element: E) => E): HTMLElement {
    const codes = this.selection.brushes.get(axis.name);
    const { column } = axis;
    const value = (code: number): string => String(Number(inUnit(column.decoded(code), axis.unit).toPrecision(7)));
    const low = tool("low", h("input", { type: "number", step: "any", "aria-label": `least ${axis.name}`, value: value(codes?.[0] ?? 0) }));
    const high = tool("high", h("input", { type: "number", step: "any", "aria-label": `most ${axis.name}`, value: value(codes?.[1] ?? column.top) }));
    const changed = (): void => this.set(axis, axis.codes(fromUnit(low.valueAsNumber, axis.unit), fromUnit(high.valueAsNumber, axis.unit)) ?? [1, 0]);
    low.addEventListener("change", changed);
    high.addEventListener("change", changed);
    return h("span", { class: "ends" }, low, " to ", high);
  }

  private labels(axis: AxisScale, tool: <E extends HTMLElement>(name: string, element: E) => E): HTMLElement {
    const choice = tool("label", h("select", { "aria-label": `only one ${axis.name}` }, h("option", { value: "" }, "all")));
    const codes = this.selection.brushes.get(axis.name);
    (axis.column.levels ?? []).forEach((level, code) =>
      choice.append(h("option", { value: code, selected: codes?.[0] === code && codes[1] === code }, axis.column.labels![level] ?? "")));
    choice.addEventListener("change", () =>
      this.set(axis, choice.value === "" ? null : [Number(choice.value), Number(choice.value)]));
    return choice;
  }

  private set(axis: AxisScale, range: [number, number] | null): void {
    this.selection.brush(axis.name, range);
    this.plot.syncBrushes();
  }

  private shownAxes(): HTMLElement {
    const list = h("div", { class: "columns" });
    for (const axis of this.plot.axes) {
      const box = h("input", { type: "checkbox", checked: !this.plot.hidden.has(axis.name) });
      box.addEventListener("change", () => this.plot.hide(axis.name, !box.checked));
      list.append(h("label", {}, box, " ", h("bdi", {}, axis.name)));
    }
    const fold = h("details", { class: "axes-list", open: this.listOpen }, h("summary", {}, "axes"), list);
    fold.addEventListener("toggle", () => (this.listOpen = fold.open));
    return fold;
  }
  private listOpen = false;
}
