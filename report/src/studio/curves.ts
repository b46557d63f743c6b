import { h } from "../common/dom";
import { Plot, type PlotLine } from "../common/plots/plot";
import { float32, float64 } from "../common/data";
import type { Along, Run } from "../common/run";
import type { DesignAnswer, Loads, LoadsAnswer, Metrics } from "./studio_data";

type ByActuator = Map<string, ArrayLike<number>>;

/** What actuators bear in a motion, with springs and without. */
export interface Bearing {
  along: Along;
  loads: ByActuator;
  bare: ByActuator;
}

/** A design to compare with. */
export interface Other {
  name: string;
  loads: ByActuator;
}

export const decoded = (loads: Loads): ByActuator =>
  new Map(Object.entries(loads).map(([actuator, column]) => [actuator, float32(column)]));

export function bearingOf(answer: LoadsAnswer): Bearing {
  return { along: { name: "t", unit: "s", values: float64(answer.times) }, loads: decoded(answer.loads), bare: decoded(answer.bare_loads) };
}

export function bearingOfRun(run: Run): Bearing {
  const of = (quantity: string): ByActuator => new Map(run.series
    .filter((one) => one.kind === "actuator" && one.quantity === quantity).map(({ element, values }) => [element, values]));
  return { along: run.along, loads: of("load"), bare: of("bare_load") };
}

/** Plots of all loads. Those that springs do not change are folded. */
export class Curves {
  readonly element = h("div", { class: "plots" });
  plots: { actuator: string; plot: Plot }[] = [];
  private drawn = ""; // which lines the plots have
  private readonly sprung = new Set<string>(); // actuators whose load springs have changed so far
  private readonly others = h("details", { class: "panel" });

  /** `seek` is called with the sample that a user points at, `unfold` when all plots are to be drawn. */
  constructor(private readonly seek: (sample: number) => void, unfold: () => void) {
    this.others.addEventListener("toggle", unfold);
  }

  /** The actuators whose loads are plotted; nothing before any are. */
  get shown(): string[] | undefined {
    return this.plots.length === 0 ? undefined : this.plots.map(({ actuator }) => actuator);
  }
  isShown(actuator: string): boolean {
    return this.sprung.has(actuator) || this.sprung.size === 0;
  }

  /** Draws the loads of a design in a motion, and of others where they have as many samples. */
  draw(motion: string, own: Bearing, facts: Pick<DesignAnswer, "metrics" | "bare">, others: Other[], baseline: { loads: ByActuator; metrics: Metrics[] }): void {
    const names = facts.metrics.map(({ actuator }) => actuator);
    for (const name of names) if (isSprung(name, facts, baseline.metrics)) this.sprung.add(name);
    const first = names.filter((name) => this.sprung.has(name));
    const shown = this.others.open || first.length === 0 ? [...first, ...names.filter((name) => !first.includes(name))] : first;
    const of = shown.map((actuator) => ({ actuator, lines: linesOf(actuator, own, others, baseline.loads) }));
    const drawn = JSON.stringify([motion, of.map(({ actuator, lines }) => [actuator, lines.map(({ name }) => name)])]);
    if (drawn === this.drawn) {
      of.forEach(({ lines }, i) => this.plots[i]!.plot.change(own.along, lines.map(({ values }) => values)));
      return;
    }
    this.drawn = drawn;
    const unitOf = (actuator: string): string => facts.metrics.find((one) => one.actuator === actuator)?.unit ?? "";
    this.plots = of.map(({ actuator, lines }) => ({ actuator,
      plot: new Plot({ title: `Load of ${actuator}`, unit: unitOf(actuator), along: own.along, lines }, this.seek) }));
    const open = first.length > 0 ? first.length : shown.length;
    const panels = this.plots.map(({ plot }) => h("div", { class: "panel" }, plot.element));
    this.others.replaceChildren(h("summary", {}, "Loads that springs do not change"), h("div", { class: "plots" }, ...panels.slice(open)));
    this.element.replaceChildren(...panels.slice(0, open), ...(first.length > 0 && first.length < names.length ? [this.others] : []));
  }
}

function linesOf(actuator: string, own: Bearing, others: Other[], baseline: ByActuator): PlotLine[] {
  const lines: PlotLine[] = [];
  const line = (name: string, values: ArrayLike<number> | undefined, hue: number, pale: boolean): void => {
    if (values !== undefined && values.length === own.along.values.length) lines.push({ name, values, hue, pale });
  };
  line("this design", own.loads.get(actuator), 0, false);
  line("baseline", baseline.get(actuator), 1, true);
  line("without springs", own.bare.get(actuator), 7, true);
  others.forEach(({ name, loads }, k) => line(name, loads.get(actuator), 2 + k, true));
  return lines;
}

/** Whether springs change the load of an actuator, in this design or in the baseline. */
function isSprung(actuator: string, { metrics, bare }: Pick<DesignAnswer, "metrics" | "bare">, baseline: Metrics[]): boolean {
  const own = (all: Metrics[]): Metrics | undefined => all.find((one) => one.actuator === actuator);
  const without = own(bare);
  const differs = (one: Metrics | undefined): boolean =>
    one !== undefined && without !== undefined && Math.abs(one.rms - without.rms) > 1e-9 * without.rms;
  return bare.length === 0 || differs(own(metrics)) || differs(own(baseline));
}
