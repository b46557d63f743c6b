import type { Design, Mesh } from "../common/data";
import type { UnitData } from "../common/units";

export interface ParameterData {
  name: string;
  values: number[]; // one per design
  unit: string;
  source: string;
  note: string;
}

/** The data of a view: one design, or two, the second as a ghost. */
export interface ViewData {
  program: string;
  name: string;
  description: string;
  file: string;
  doing: {
    kind: "motion" | "scenario";
    name: string;
    file: string;
    poses?: string; // of a motion: which its poses at rest are, in words; empty of one in time
  } | null;
  display: UnitData[]; // that the command asks to see
  parameters: ParameterData[];
  meshes: Mesh[];
  designs: Design[];
}
