import type { PlotSource } from "../common/plot";
import type { Run, Series } from "../common/run";

/** The plots of a view: which series stand together, in their order. */
const groups: { title: string; takes: (series: Series) => boolean; open: boolean }[] = [
  { title: "Actuator loads", takes: (s) => s.kind === "actuator" && s.quantity === "load", open: true },
  { title: "Spring tension", takes: (s) => s.quantity === "tension" || s.quantity === "torque", open: true },
  { title: "Spring length", takes: (s) => s.kind === "spring" && (s.quantity === "length" || s.quantity === "angle"), open: true },
  { title: "Gap of open loops", takes: (s) => s.kind === "loop", open: true },
  { title: "Energy", takes: (s) => s.kind === "energy", open: true },
  { title: "Actuator position", takes: (s) => s.kind === "actuator" && s.quantity === "position", open: false },
  { title: "Actuator velocity", takes: (s) => s.kind === "actuator" && s.quantity === "velocity", open: false },
  { title: "Joint position", takes: (s) => s.kind === "joint", open: false },
];

export interface ViewPlot {
  source: PlotSource;
  open: boolean;
}

const nameOf = (series: Series): string => (series.kind === "energy" ? series.quantity : series.element);

/** Plots of a design, and of a ghost whose samples are at the same times. */
export function plotsOf(run: Run, ghost: Run | null): ViewPlot[] {
  const comparable = ghost !== null && ghost.samples === run.samples;
  return groups.flatMap(({ title, takes, open }) => {
    const taken = run.series.filter(takes);
    const units = [...new Set(taken.map((series) => series.unit))];
    return units.map((unit): ViewPlot => {
      const own = taken.filter((series) => series.unit === unit);
      const lines = own.map((series, hue) => ({ name: nameOf(series), values: series.values, hue }));
      const compared = comparable ? own.flatMap((series, hue) => {
        const other = ghost.find(series.kind, series.element, series.quantity);
        return other ? [{ name: `${nameOf(series)} (ghost)`, values: other.values, hue, pale: true }] : [];
      }) : [];
      return { source: { title, unit, times: run.times, lines: [...lines, ...compared] }, open };
    });
  });
}
