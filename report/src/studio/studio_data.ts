/** What `counterpoise studio` sends; cli/studio makes it. All numbers are SI. */
import type { Column, Design, Finding, Mesh, Priced, Vec3 } from "../common/data";
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

/** What the page has from its beginning: what it is to open. */
export interface Beginning {
  program: string;
  file: string;
  case?: string;
}

/** A file of the studio's folder. */
export interface FileName {
  name: string;
  opens: string; // what opens it: the name, with "#" and the variant of a study with variants
  kind: "study" | "model" | "motion" | "scenario" | "results";
}

/** A file that was opened, and what can be changed of its designs. */
export interface StudioData {
  of: number; // which questions name
  kind: "study" | "model" | "results";
  file: string;
  results: string; // the results file that the study's run writes; empty: there is none
  program: string;
  name: string;
  model: string;
  display: UnitData[];
  sliders: SliderData[];
  sized: string[]; // variables that the best springs decide, of a study with exact springs
  sized_are: string; // "springs", "masses" or "springs and masses"
  motions: { name: string; poses: boolean }[];
  meshes: Mesh[];
}

/** A file as it is on the disk. */
export interface TextAnswer {
  text: string;
  hash: string; // with which it can be saved
  path: string; // as messages name it
}
/** What texts that are not saved make of the file that is open. */
export type EditAnswer = StudioData | { errors: string[] };
export type SaveAnswer = { hash: string } | { changed: true };

/** The best designs of a results file, which may still be written. */
export type Ranks = { exists: false } | {
  exists: true;
  finished: boolean;
  cases: number;
  feasible: number;
  columns: { name: string; unit: string }[];
  rows: (number | string | null)[][];
};

/** How far a command is that the program runs. */
export interface JobState {
  job: number;
  news: number;
  running: boolean;
  code: number;
  done: number;
  total: number;
  fresh: number;
  words: string; // how far it is, where cases do not say it
  seconds: number;
  text: string; // what it printed, when it has ended
  messages: string;
}
/** A command that is running; its words name files as they were given. */
export interface RunningJob {
  job: number;
  command: string;
  words: string[];
}
export type Started = { job: number; command: string } | { exists: string };

/** Values by the names of sliders, those that are not where they began. */
export type Values = Record<string, number>;

export interface Question {
  motion: string;
  values: Values;
  size?: boolean; // whether the best springs are to take the place of those in the values
  scene?: boolean; // whether the design is to be drawn; default: yes
  actuators?: string[] | undefined; // whose loads are asked for, where it is not; default: all
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

/** What is proved of the best springs. */
export interface Optimum {
  objective: string;
  unit: string;
  bound: number; // no springs do better
  sized: string; // "springs", "masses" or "springs and masses"
  priced: Priced[];
  prices_unknown: string; // why; empty where they are known
}

/** Loads by actuator, a number a sample. */
export type Loads = Record<string, Column>;

/** What is known of a design, drawn or not. */
export interface Facts {
  findings: Finding[];
  metrics: Metrics[];
  bare: Metrics[]; // without springs
  verdict: Verdict | null; // null where parameters have other values than in the study
  sized?: Values; // the best springs, where they were asked for
  certain?: boolean; // of these: whether it is known that none are better
  optimum?: Optimum | null; // of these: null where nothing is proved of them
  command: string; // that simulates it; empty where there is none
}
export interface DesignAnswer extends Facts {
  design: Design;
  handles: Handle[];
}
export interface LoadsAnswer extends Facts {
  times: Column;
  loads: Loads; // empty where the design cannot follow the motion
  bare_loads: Loads;
}
/** A design, drawn or its loads alone, or why there is none. */
export type Answer = DesignAnswer | LoadsAnswer | { refused: string };

export interface BaselineAnswer {
  loads: Loads;
  metrics: Metrics[];
}

/** Asks for cells of a map, whose numbers go row by row from below. */
export interface MapQuestion extends Question {
  across: string;
  up: string;
  columns: number;
  rows: number;
  cells: number[];
}

/** The objective in a cell, or null and why there is none. */
export interface MapCell {
  value: number | null;
  bound?: number; // no springs do better, where they are sized and that is known
  reason?: string;
}

/** The first of the cells that were asked for, or why there is no map. */
export type MapAnswer = {
  objective: string;
  unit: string;
  across: number[]; // the numbers of the columns
  up: number[];
  cells: MapCell[];
} | { refused: string };
