import type { Design } from "../common/data";
import { limitsOf } from "../common/plots/limits";
import { hasMaps, type MapDesign, type MapSubject } from "../common/plots/workspace_maps";
import type { PlotSource } from "../common/plots/plot";
import type { Run, Series } from "../common/run";

/** The plots of a view: which series stand together, in their order. */
const groups: { title: string; takes: (series: Series) => boolean; open: boolean }[] = [
  { title: "Actuator loads", takes: (s) => s.kind === "actuator" && s.quantity === "load", open: true },
  { title: "Spring tension", takes: (s) => s.quantity === "tension" || s.quantity === "torque", open: true },
  { title: "Spring length", takes: (s) => s.kind === "spring" && (s.quantity === "length" || s.quantity === "angle"), open: true },
  { title: "Distance of springs from obstacles", takes: (s) => s.quantity === "clearance", open: true },
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

/** Plots of a design, and of a ghost whose samples are at the same times. Loads that maps show are folded. */
export function plotsOf(run: Run, ghost: Run | null): ViewPlot[] {
  const comparable = ghost !== null && ghost.samples === run.samples;
  return groups.flatMap(({ title, takes, open }) => {
    const taken = run.series.filter((series) => takes(series) && !(run.atRest && series.quantity === "velocity"));
    const units = [...new Set(taken.map((series) => series.unit))];
    return units.map((unit): ViewPlot => {
      const own = taken.filter((series) => series.unit === unit);
      const lines = own.map((series, hue) => ({ name: nameOf(series), values: series.values, hue }));
      const compared = comparable ? own.flatMap((series, hue) => {
        const other = ghost.find(series.kind, series.element, series.quantity);
        return other ? [{ name: `${nameOf(series)} (ghost)`, values: other.values, hue, pale: true }] : [];
      }) : [];
      return { source: { title, unit, along: run.along, lines: [...lines, ...compared] },
        open: open && !(hasMaps(run.workspace) && own.some(({ quantity }) => quantity === "load")) };
    });
  });
}

/** Maps of the workspace of a design beside its loads without springs, or a ghost in the same poses; null where there
 * are none. */
export function mapsOf(designs: Design[], [run, ghost]: Run[], poses: string): MapSubject | null {
  const { workspace } = run!;
  if (!hasMaps(workspace)) return null;
  const design = (name: string, which: number, of: Run, quantity: string): MapDesign =>
    ({ name, workspace: of.workspace!, loads: new Map(ofActuators(of, quantity).map(({ element, values }) => [element, values])),
      limits: limitsOf(designs[which]!.mechanism) });
  const bare = ofActuators(run!, "bare_load").length > 0 ? [design("without springs", 0, run!, "bare_load")] : [];
  const ghosts = ghost?.workspace?.sameAs(workspace) === true ? [design("ghost", 1, ghost, "load")] : [];
  return {
    poses,
    actuators: ofActuators(run!, "load").map(({ element, unit }) => ({ name: element, unit })),
    after: design(ghosts.length === 0 && bare.length > 0 ? "with springs" : "design", 0, run!, "load"),
    before: [...ghosts, ...bare],
    absent: ghosts.length === 0 && ghost?.workspace ? ["the ghost"] : [],
  };
}

const ofActuators = (run: Run, quantity: string): Series[] =>
  run.series.filter((one) => one.kind === "actuator" && one.quantity === quantity);
