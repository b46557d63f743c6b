import type { Design, Mechanism, Mesh, Priced } from "../common/data";
import type { LoadLimit } from "../common/plots/limits";
import type { UnitData } from "../common/units";
import type { UnitTable } from "./units";

/** What the program writes into the page of a report; cli/text makes it. All numbers are SI. */

export type Cell = string | number | null;
export type Row = Record<string, Cell>;

export interface ColumnData {
  name: string;
  role: "variable" | "metric" | "objective";
  size: number; // of its numbers and of the baselines': tiny ones are rounding
  same?: string; // an earlier column with the same numbers; then there is no more
  scale?: "levels" | "linear" | "log";
  levels?: number[];
  range?: [number, number];
  steps?: [number, number]; // linear: of the first code, and of each further one
  labels?: string[]; // of a text, whose levels are indices of these
}

export interface CaseData {
  rows: number; // in the page: the feasible ones first, by their rank
  feasible: number;
  of: number; // in the results
  first_exact: number;
  also_exact: number[];
  columns: ColumnData[];
  left_out: string[];
  reasons: { words: string; failed: boolean; cases: number }[];
  block: string; // columns one behind the other, deflated, in base64
}

export interface RankingData {
  motion: string;
  feasible: number;
  unsettled: number;
  by: string;
  rows: Row[];
}

export interface BaselineData {
  name: "baseline" | "without_springs";
  motion: string;
  feasible: boolean;
  reason: string;
  objectives: Record<string, number | null>;
  metrics: Record<string, number | null>; // those that are stored
  variables: Record<string, number>; // of the baseline, those that set parameters alone
}

/** What got worse with a design, and the limits that hold it. */
export interface VerdictData {
  worse: { name: string; what: string; unit: string; value: number; before: number; beside: BaselineData["name"] }[];
  beside: Record<BaselineData["name"], boolean>; // whether there are numbers to compare with
  near: { name: string; value: number; bound: number; unit: string; broken: boolean; beyond: string }[];
  closeness: number; // of the near ones, relative to their size
  priced: Priced[]; // the most first
  prices_unknown: string; // why; empty where they are known, or the study is no exact search
}

/** A proof over all mounts within their ranges. */
export interface MountsProof {
  bound: number | null;
  best: number | null;
  case: number | null;
  gap: number | null;
  asked: number;
  proved: boolean;
  simplices: number;
  choices: number;
}

export interface ProofData {
  choice: null | { best: number; all_made_to_order?: number | null };
  goal: null | { objective: string }[];
  mounts: MountsProof | null;
}

export interface Instant {
  motion: string;
  t: number;
  pose?: { coordinate: string; position: number; unit: string }[]; // of a motion of poses
  load: number;
  gravity: number;
  inertia: number;
  forces?: number; // where any act from outside
  friction?: number; // where joints have any
  springs: Record<string, number>;
  baseline_load: number | null;
}

export interface ShownData {
  case: number;
  status: string;
  reason: string;
  parameters: Record<string, number>;
  set_by_case: string[];
  metrics: Record<string, number | null>;
  objectives: Record<string, number | null>;
  explanation: null | {
    rank: number | null;
    critical_instants: { actuator: string; unit: string; instants: Instant[] }[];
  };
}

export interface DesignData {
  case: number;
  show: ShownData;
  text: string;
  warnings: string[];
  bill: null | { text: string; springs: Row[]; points: Row[] };
}

export interface MotionOfDesign {
  case: number;
  view: Design | null;
  reason: string;
  loads: Shared[]; // one an actuator, float64; none where the design cannot follow
  shafts: ShaftData[]; // where the study has drives
  layers: { gravity: Shared; inertia: Shared; forces?: Shared; friction?: Shared; springs: { name: string; values: Shared }[] }[];
}

/** The outline of what a motor can do. */
export interface MotorOutline {
  speed: number[]; // rad/s
  torque: number[]; // N*m
}

/** What a motion asks of the motor of an actuator: torque over speed at its shaft. */
export interface ShaftData {
  actuator: string;
  courses: {
    robot: string;
    drive: string;
    speed: { values: Shared }; // float32
    torque: { values: Shared };
    limits: { motor: string; peak: MotorOutline; rated: MotorOutline } | null; // of a motor from a catalogue
  }[];
}

export interface MotionData {
  name: string;
  poses: string; // which its poses at rest are, in words; empty of a motion in time
  actuators: { name: string; unit: string; limits: LoadLimit[] }[]; // limits of constraints
  baseline: null | { view: Design; loads: Shared[]; without_springs: Shared[] };
  designs: MotionOfDesign[];
}

/** A column of numbers, which stands in the data as {"column": number} and is replaced when read. */
export type Shared = ArrayBuffer;

export interface MotionsData {
  columns: { bytes: number; count: number; stride: number }[];
  mechanisms: Mechanism[]; // each once; {"mechanism": number} stands for one
  motions: MotionData[];
  block: string;
}

export interface FailureData {
  cases: number;
  feasible: number;
  failed: number;
  [key: string]: unknown;
}

export interface ReportData {
  name: string;
  description: string;
  file: string;
  incomplete: string;
  kept: string; // which cases the results keep; empty for all
  poses: string; // how many poses at rest there are, and which; a line for each motion of poses
  counts: { cases: number; feasible: number; infeasible: number; failed: number };
  objectives: string[];
  among: string[];
  motions: string[];
  motion_variable: string | null;
  units: Record<string, string>;
  known_units: UnitTable; // that numbers of a condition may have
  rankings: RankingData[];
  fronts: { motion: string; cases: number[]; knee: number | null }[];
  baselines: BaselineData[];
  display: UnitData[]; // that the command, or else the study, asks to see
  proof: ProofData | null;
  proof_texts: {
    text: string; // as `run` prints it
    shares: string; // of ranges of mounts that hold nothing better
    ranges: { variable: string; low: number; high: number }[]; // of mounts that are proved over
  };
  named: boolean; // whether the command named the designs; else they are the best ones
  designs: DesignData[];
  verdicts: Record<string, VerdictData | null>; // by case: of the designs and of the best ones
  motions_of_designs: MotionsData;
  stills: string; // pictures of the designs as HTML, deflated, in base64
  meshes: Mesh[];
  failures: { data: FailureData; text: string };
  sensitivity: null | { data: Record<string, unknown>; text: string };
  robustness: null | { data: Record<string, unknown>; text: string };
  provenance: {
    files: { role: string; path: string; hash: string; bytes: number | null }[];
    results: { key: string; value: string }[];
    changed: string[];
    page: Record<string, string>;
  };
  cases: CaseData;
}
