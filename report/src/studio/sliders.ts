import { breakable, h, number } from "../common/dom";
import { fromUnit, inUnit, onUnits, unitName } from "../common/units";
import type { State } from "./state";
import type { SliderData } from "./studio_data";

const steps = 1000; // from end to end
const mostTicks = 60; // beyond which they would be a bar

/** A slider with a field for its number, or a choice of levels. */
class Control {
  readonly element: HTMLElement;
  private readonly track: HTMLInputElement;
  private readonly field: HTMLInputElement | null;
  private readonly value = h("output", {});

  constructor(private readonly data: SliderData, private readonly state: State) {
    const { levels, name, low, high, note } = data;
    this.track = h("input", {
      type: "range", min: low, max: high, step: levels ? 1 : (high - low) / steps || 1, "aria-label": name,
      input: () => this.set(Number(this.track.value), false),
      change: () => (this.changing = false),
    });
    this.field = levels ? null : h("input", {
      type: "text", inputmode: "decimal", "aria-label": `${name} as a number`, change: () => this.read(),
    });
    const unit = h("span", { class: "faint" });
    onUnits(() => {
      unit.textContent = unitName(data.unit);
      this.show();
    });
    unit.textContent = unitName(data.unit);
    const ticks = levels === undefined || levels.length > mostTicks ? null
      : h("datalist", { id: `ticks-${name}` }, ...levels.map((_, level) => h("option", { value: level })));
    if (ticks !== null) this.track.setAttribute("list", ticks.id);
    this.element = h("div", { class: "slider", title: note },
      h("span", { class: "name" }, breakable(name)), h("span", { class: "number" }, this.field ?? this.value, unit), this.track, ticks);
    this.show();
  }

  private changing = false;
  private drawn = ""; // what is shown
  private set(value: number, whole: boolean): void {
    if (!this.changing) this.state.begin();
    this.changing = !whole;
    this.state.set({ [this.data.name]: value });
  }

  /** Takes what was written in the field, if it is a number. */
  private read(): void {
    const value = Number(this.field!.value.replace("−", "-"));
    if (this.field!.value.trim() !== "" && Number.isFinite(value)) this.set(fromUnit(value, this.data.unit), true);
    this.show();
  }

  show(): void {
    const { levels, unit, begin, name } = this.data;
    const value = this.state.of(name);
    const level = levels?.[value];
    const text = levels === undefined || typeof level === "number"
      ? number(inUnit(levels === undefined ? value : (level as number), unit), 6) : String(level);
    const drawn = [value, text, unitName(unit), this.state.isLocked(name)].join(" ");
    if (drawn === this.drawn && (this.field === null || this.field.value === text)) return;
    this.drawn = drawn;
    this.track.value = String(value);
    if (this.field !== null) this.field.value = text;
    this.value.textContent = text;
    this.track.setAttribute("aria-valuetext", `${text} ${unitName(unit)}`);
    this.track.disabled = this.state.isLocked(name);
    if (this.field !== null) this.field.disabled = this.track.disabled;
    this.element.classList.toggle("moved", value !== begin);
  }
}

/** The sliders of all variables, and of parameters behind a fold. */
export function sliders(data: SliderData[], state: State, sizing: HTMLElement | null): HTMLElement {
  const group = (of: SliderData["of"]): HTMLElement => {
    const controls = data.filter((one) => one.of === of).map((one) => new Control(one, state));
    state.onShow(() => controls.forEach((control) => control.show()));
    return h("div", { class: "sliders" }, ...controls.map((control) => control.element));
  };
  const [variables, parameters] = [group("variable"), group("parameter")];
  if (variables.childElementCount === 0)
    return h("section", { class: "panel", "aria-label": "Values" }, h("h2", {}, "Parameters of the model"), parameters);
  return h("section", { class: "panel", "aria-label": "Values" },
    h("h2", {}, "Variables of the study"), sizing, variables,
    parameters.childElementCount > 0 && h("details", {}, h("summary", {}, "Other parameters of the model"), parameters));
}
