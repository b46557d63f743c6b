import type { Design } from "../common/data";
import type { Run } from "../common/run";
import { range } from "../common/run";
import type { Frame } from "../common/frame";
import { springState } from "../common/springs";
import { type Cell, quantity, Table } from "../common/table";
import { singlePart, withoutRounding } from "../common/units";
import type { ViewData } from "./view_data";

export interface LiveTable {
  title: string;
  table: Table;
  open?: boolean;
  update?: (frame: Frame) => Cell[][];
}

const span = (run: Run, kind: "spring" | "actuator", element: string, what: string): [Cell, Cell] => {
  const series = run.find(kind, element, what);
  if (series === undefined) return [null, null];
  const [low, high] = range(series.values);
  return [quantity(low, series.unit), quantity(high, series.unit)];
};

function bodies(design: Design): LiveTable {
  const { bodies: all } = design.mechanism;
  const rows = all.map((body): Cell[] => [
    body.name, body.parent < 0 ? "world" : all[body.parent]!.name, body.joint, body.mass, ...body.com]);
  const columns = [{ name: "body" }, { name: "on" }, { name: "joint" }, { name: "mass", unit: "kg" },
    { name: "com x", unit: "m" }, { name: "com y", unit: "m" }, { name: "com z", unit: "m" }];
  return { title: "Bodies", table: new Table("bodies", columns, rows) };
}

function springs(design: Design, run: Run): LiveTable {
  const all = design.mechanism.springs;
  const update = (frame: Frame): Cell[][] => all.map((spring) => {
    const torsion = spring.type === "torsion";
    const state = springState(spring, frame);
    const [length, tension, rate] = spring.units;
    return [
      spring.name, spring.group === undefined ? spring.type : `${spring.type}: ${spring.group}`, { units: spring.units },
      quantity(state.length, length), ...span(run, "spring", spring.name, torsion ? "angle" : "length"),
      quantity(state.tension, tension), ...span(run, "spring", spring.name, torsion ? "torque" : "tension"),
      quantity(spring.rate, rate), quantity(spring.free_length, length), state.beyond];
  });
  const columns = ["spring", "type", "units", "length now", "least", "greatest", "tension now", "least", "greatest",
    "rate", "free length", "limit"].map((name) => ({ name }));
  return { title: "Springs", table: new Table("springs", columns, []), update, open: true };
}

function actuators(design: Design, run: Run): LiveTable {
  const all = design.mechanism.actuators;
  const update = (frame: Frame): Cell[][] => all.map((actuator) => {
    const [position, load, velocity] = actuator.units;
    const now = (what: string, unit: string): Cell => quantity(frame.value("actuator", actuator.name, what), unit);
    return [
      actuator.name, { units: run.atRest ? [load, position] : [load, position, velocity] }, now("load", load),
      ...span(run, "actuator", actuator.name, "load"), now("position", position),
      ...span(run, "actuator", actuator.name, "position"), ...(run.atRest ? [] : [now("velocity", velocity)]), quantity(actuator.max_load, load)];
  });
  const columns = ["actuator", "units", "load now", "least", "greatest", "position now", "least", "greatest",
    ...(run.atRest ? [] : ["velocity now"]), "max load"].map((name) => ({ name }));
  return { title: "Actuators", table: new Table("actuators", columns, []), update, open: true };
}

/** The zero configuration: what closing the loops made of the guesses. */
function zero(design: Design, run: Run): LiveTable {
  const rows = design.mechanism.bodies
    .filter((body) => body.joint !== "fixed")
    .map((body): Cell[] => {
      const series = run.find("joint", body.name, "q");
      const q = series?.values[0] ?? NaN;
      const unit = series?.unit ?? "";
      const moved = withoutRounding(q - body.guess, Math.max(Math.abs(q), Math.abs(body.guess)), singlePart);
      return [body.name, body.joint, quantity(body.guess, unit), quantity(q, unit), quantity(moved, unit), { units: [unit] }];
    });
  const columns = [{ name: "joint" }, { name: "type" }, { name: "guess" },
    { name: design.closes ? "closed" : "nearest" }, { name: "moved by" }, { name: "unit" }];
  return { title: "Zero configuration", table: new Table("zero configuration", columns, rows) };
}

function parameters(data: ViewData): LiveTable {
  const ghost = data.designs.length > 1;
  const rows = data.parameters.map((one): Cell[] => [
    one.name, quantity(one.values[0], one.unit), ...(ghost ? [quantity(one.values[1], one.unit)] : []), { units: [one.unit] }, one.source, one.note]);
  const columns = [{ name: "parameter" }, { name: "value" }, ...(ghost ? [{ name: "ghost" }] : []),
    { name: "unit" }, { name: "source" }, { name: "note" }];
  return { title: "Parameters", table: new Table("parameters", columns, rows) };
}

export function tablesOf(data: ViewData, run: Run, zeroRun: Run): LiveTable[] {
  const design = data.designs[0]!;
  return [
    ...(design.mechanism.springs.length > 0 ? [springs(design, run)] : []),
    ...(design.mechanism.actuators.length > 0 ? [actuators(design, run)] : []),
    zero(design, zeroRun),
    bodies(design),
    ...(data.parameters.length > 0 ? [parameters(data)] : []),
  ];
}
