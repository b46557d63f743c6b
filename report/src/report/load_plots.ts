import type { Actuator, Design, Mechanism, Spring } from "../common/data";
import { limitsOf, type LoadLimit } from "../common/plots/limits";
import { hasMaps, type MapDesign, type MapSubject } from "../common/plots/workspace_maps";
import type { PlotLine, PlotSource } from "../common/plots/plot";
import { Run } from "../common/run";
import type { MotionData, MotionOfDesign } from "./data";
import { CurvePlot } from "./curves";

const doubles = (column: ArrayBuffer): Float64Array => new Float64Array(column);
const floats = (column: ArrayBuffer): Float32Array => new Float32Array(column);

const level = (name: string, value: number, samples: number, hue: number): PlotLine =>
  ({ name, values: new Float64Array(samples).fill(value), hue, pale: true });

/** Whether an actuator is shown. */
export type Takes = (actuator: string) => boolean;

/** The load of each actuator: design, baseline, without springs, limits; and its layers. */
export function loadPlots(motion: MotionData, design: MotionOfDesign, run: Run, layers: boolean, takes: Takes): PlotSource[] {
  return motion.actuators.flatMap(({ name, unit }, a): PlotSource[] => {
    const own = design.loads[a];
    if (own === undefined || !takes(name)) return [];
    const lines: PlotLine[] = [{ name: `case ${design.case}`, values: doubles(own), hue: 0 }];
    const { baseline } = motion;
    if (baseline?.loads[a]) lines.push({ name: "baseline", values: doubles(baseline.loads[a]), hue: 1, pale: true });
    if (baseline?.without_springs[a])
      lines.push({ name: "without springs", values: doubles(baseline.without_springs[a]), hue: 7, pale: true });
    const of = design.layers[a];
    if (layers && of !== undefined) {
      lines.push({ name: "gravity", values: floats(of.gravity), hue: 2 }, { name: "inertia", values: floats(of.inertia), hue: 3 });
      if (of.forces !== undefined) lines.push({ name: "forces", values: floats(of.forces), hue: 0, pale: true });
      if (of.friction !== undefined) lines.push({ name: "friction", values: floats(of.friction), hue: 3, pale: true });
      of.springs.forEach((spring, s) => lines.push({ name: spring.name, values: floats(spring.values), hue: 4 + s }));
    }
    const limit = design.view?.mechanism.actuators[a]?.max_load;
    if (limit !== undefined) lines.push(level("limit", limit, run.samples, 6), level("limit", -limit, run.samples, 6));
    return [{ title: `Load of ${name}`, unit, along: run.along, lines }];
  });
}

/** Lengths, tensions and clearances of each spring beside the baseline's and its limits. */
export function springPlots(mechanism: Mechanism, run: Run, baseline: Run | null): PlotSource[] {
  return mechanism.springs.flatMap((spring) => {
    const torsion = spring.type === "torsion";
    const bounds: [string, (keyof Spring)[]][] = torsion
      ? [["angle", []], ["torque", ["max_load"]]]
      : [["length", ["min_length", "max_length"]], ["tension", ["max_load"]], ["clearance", ["min_clearance"]]];
    return bounds.flatMap(([quantity, limits]): PlotSource[] => {
      const own = run.find("spring", spring.name, quantity);
      if (own === undefined) return [];
      const lines: PlotLine[] = [{ name: "design", values: own.values, hue: 0 }];
      const other = baseline?.samples === run.samples ? baseline.find("spring", spring.name, quantity) : undefined;
      if (other !== undefined) lines.push({ name: "baseline", values: other.values, hue: 1, pale: true });
      for (const limit of limits) {
        const value = spring[limit];
        if (typeof value === "number") lines.push(level(limit, value, run.samples, 6));
      }
      return [{ title: `${spring.name} ${quantity}`, unit: own.unit, along: run.along, lines }];
    });
  });
}

/** Load against speed of each actuator. */
export function speedPlots(motion: MotionData, design: MotionOfDesign, run: Run, takes: Takes): CurvePlot[] {
  return motion.actuators.flatMap(({ name, unit }, a) => {
    const speed = run.find("actuator", name, "velocity");
    const own = design.loads[a];
    if (speed === undefined || own === undefined || !takes(name)) return [];
    const curves = [{ name: `case ${design.case}`, x: speed.values, y: doubles(own), hue: 0, pale: false }];
    const { baseline } = motion;
    const slower = baseline === null ? undefined : baseline.view.run.series.find((one) =>
      one.kind === "actuator" && one.element === name && one.quantity === "velocity");
    if (baseline?.loads[a] && slower !== undefined)
      curves.push({ name: "baseline", x: floats(slower.values as ArrayBuffer), y: doubles(baseline.loads[a]) as Float64Array<ArrayBuffer>, hue: 1, pale: true });
    if (baseline?.without_springs[a] && slower !== undefined)
      curves.push({ name: "without springs", x: floats(slower.values as ArrayBuffer), y: doubles(baseline.without_springs[a]) as Float64Array<ArrayBuffer>, hue: 7, pale: true });
    const limits: Actuator | undefined = design.view?.mechanism.actuators[a];
    return [new CurvePlot(`${unit === "N" ? "Force" : "Torque"} of ${name} against speed`, 
      { name: "speed", unit: speed.unit, limit: limits?.max_speed }, { name: "load", unit, limit: limits?.max_load }, curves)];
  });
}

/** Torque against speed of each motor, with what it can do for a moment, and that of the design for ever. */
export function shaftPlots(design: MotionOfDesign): CurvePlot[] {
  const hues = [0, 1, 7]; // of the design, the baseline, and the robot without springs
  return design.shafts.flatMap(({ actuator, courses }) => {
    if (courses.length === 0) return [];
    const curves = courses.map(({ robot, drive, speed, torque }, i) => ({
      name: drive === "" ? robot : `${robot}: ${drive}`, x: floats(speed.values) as ArrayLike<number>, y: floats(torque.values) as ArrayLike<number>,
      hue: hues[i] ?? 7, pale: i > 0 }));
    const drawn = new Set<string>();
    for (const [i, { limits }] of courses.entries()) {
      if (limits === null || drawn.has(limits.motor)) continue;
      const { motor, peak, rated } = limits;
      drawn.add(motor);
      curves.push({ name: `peak torque of ${motor}`, x: peak.speed, y: peak.torque, hue: hues[i] ?? 7, pale: true });
      if (i === 0) curves.push({ name: `rated torque of ${motor}`, x: rated.speed, y: rated.torque, hue: 2, pale: true });
    }
    return [new CurvePlot(`Motor of ${actuator}: torque against speed`, { name: "speed", unit: "rad/s", limit: undefined },
      { name: "torque", unit: "N*m", limit: undefined }, curves)];
  });
}

/** Maps of the workspace of a design beside the baseline, the loads without springs, or another design in the same
 * poses; null where there are none. Actuators that are judged stand first. */
export function mapsOf(motion: MotionData, design: MotionOfDesign, run: Run, judged: Takes): MapSubject | null {
  const { workspace } = run;
  if (!hasMaps(workspace) || design.loads.length === 0) return null;
  const absent = new Set<string>();
  const loadsOf = (name: string, of: Run["workspace"], loads: ArrayBuffer[], view: Design): MapDesign[] => {
    if (!of || loads.length === 0) return [];
    if (!of.sameAs(workspace)) absent.add(name.startsWith("case") ? name : "the baseline");
    return of.sameAs(workspace) ? [{ name, workspace: of, limits: limitsOfDesign(motion, view.mechanism),
      loads: new Map(motion.actuators.map((actuator, a) => [actuator.name, doubles(loads[a]!)])) }] : [];
  };
  const { baseline } = motion;
  const before = baselineOf(motion)?.workspace ?? null;
  const others = motion.designs.filter((one) => one !== design && one.view !== null);
  const beside = (name: string, loads: ArrayBuffer[]): MapDesign[] => (baseline === null ? [] : loadsOf(name, before, loads, baseline.view));
  return {
    poses: motion.poses,
    actuators: [...motion.actuators].sort((a, b) => Number(judged(b.name)) - Number(judged(a.name))),
    after: loadsOf(`case ${design.case}`, workspace, design.loads, design.view!)[0]!,
    before: [
      ...beside("baseline", baseline?.loads ?? []),
      ...beside("without springs", baseline?.without_springs ?? []),
      ...others.flatMap((one) => loadsOf(`case ${one.case}`, runOf(one.view!).workspace, one.loads, one.view!)),
    ],
    absent: [...absent],
  };
}

/** The limits of the actuators themselves, and those that the study sets. */
export function limitsOfDesign(motion: MotionData, mechanism: Mechanism): Map<string, LoadLimit[]> {
  const own = limitsOf(mechanism);
  return new Map(motion.actuators.map(({ name, limits }) => [name, [...(own.get(name) ?? []), ...limits]]));
}

export const runOf = ({ run, mechanism }: Design): Run => new Run(run, mechanism.bodies.length);

export const baselineOf = ({ baseline }: MotionData): Run | null => baseline && runOf(baseline.view);
