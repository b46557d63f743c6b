/** What `counterpoise studio` sends; cli/studio makes it. All numbers are SI. */
import type { Design, Mesh, Vec3 } from "../common/data";
import type { UnitData } from "../common/units";

/** Something of a design that can be changed. */
export interface SliderData {
  name: string;
  of: "variable" | "parameter";
  unit: string;
  note: string;
  begin: number; // a value, or the number of a level
  low: number;
  high: number;
  levels?: (number | string)[]; // of one that has no values between
}

/** What the page has from its beginning. */
export interface StudioData {
  program: string;
  name: string;
  model: string;
  file: string;
  display: UnitData[];
  sliders: SliderData[];
  sized: string[]; // variables that the best springs decide, of a study with exact springs
  motions: { name: string; poses: boolean }[];
  meshes: Mesh[];
}

/** Values by the names of sliders, those that are not where they began. */
export type Values = Record<string, number>;

export interface Question {
  motion: string;
  values: Values;
  size?: boolean; // whether the best springs are to take the place of those in the values
}

/** What an actuator bears over a motion. */
export interface Metrics {
  actuator: string;
  unit: string;
  max: number;
  mean: number;
  rms: number;
}

/** A slider moves a point of a body along a vector, in body axes, for each unit of its value. */
export interface Handle {
  slider: string;
  point: number;
  along: Vec3;
}

/** What the study says of a design. */
export interface Verdict {
  status: "feasible" | "infeasible" | "failed";
  reason: string;
  objectives: { name: string; value: number; unit: string }[];
}

export interface DesignAnswer {
  design: Design;
  metrics: Metrics[];
  bare: Metrics[]; // without springs
  verdict: Verdict | null; // null where parameters have other values than in the study
  handles: Handle[];
  sized?: Values; // the best springs, where they were asked for
  certain?: boolean; // of these: whether it is known that none are better
  command: string; // that simulates it; empty where there is none
}
/** A design, or why there is none. */
export type Answer = DesignAnswer | { refused: string };

export interface BaselineAnswer {
  loads: Record<string, number[]>; // by actuator
  metrics: Metrics[];
}
