import type { BaselineData } from "../data";
import type { AxisScale } from "./axes";

/** One of the robots that designs are compared with, as a mark in a plot of two columns. */
export interface Beside {
  label: string;
  isBaseline: boolean; // not the one without springs
  of: (axis: AxisScale) => number | null; // its number, where it has one
}

export function besides(baselines: BaselineData[]): Beside[] {
  const several = new Set(baselines.map((one) => one.motion)).size > 1;
  return baselines.map((one) => {
    const isBaseline = one.name === "baseline";
    const own = isBaseline ? "baseline" : "without springs";
    return {
      label: several ? `${own} in ${one.motion}` : own,
      isBaseline,
      of: ({ column }) => {
        if (column.role === "variable") return isBaseline ? (one.variables[column.name] ?? null) : null;
        return one.objectives[column.name] ?? one.metrics[column.name] ?? null;
      },
    };
  });
}
