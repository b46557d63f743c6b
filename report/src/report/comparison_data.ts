import type { Mesh } from "../common/data";
import type { UnitData } from "../common/units";
import type { MotionsData } from "./data";

/** What the program writes into the page of a comparison; cli/commands makes it. All numbers are SI. */

/** Results that are compared, and their best design. */
export interface ComparedWay {
  name: string;
  feasible: number;
  best: number | null; // case; null where none is feasible
  best_objectives: (number | null)[] | null;
  made_of: string | null;
  reason: string | null; // why there is none
  on_front: number | null; // of the common front, where it was asked for
  motions_of_designs: MotionsData | null;
  meshes?: Mesh[];
  stills?: string; // pictures as HTML, deflated, in base64
}

/** A comparison in one motion, where a variable selects the motion, else in all. */
export interface Comparison {
  motion: string | null;
  objectives: string[]; // that which ranks, then the others
  matches: number;
  unsettled: number;
  results: ComparedWay[]; // best first
  baselines: { name: "baseline" | "without_springs"; objectives: (number | null)[] }[]; // null: not the same in all results
  designs: { rank: number; results: string; case: number; objectives: (number | null)[] }[];
  knee?: { results: string; case: number };
}

export interface ComparisonData {
  program: string;
  command: string;
  notes: string[];
  units: Record<string, string>; // of objectives
  display: UnitData[];
  compared: Comparison[];
}
