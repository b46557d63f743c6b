import type { Mechanism } from "../data";
import type { Plane } from "./plane";

/** A size that loads of an actuator should not exceed: of the actuator itself, or of a study. */
export interface LoadLimit {
  name: string; // "holding_load", or that of a constraint
  value: number;
}

/** The limits that actuators of a mechanism have of their own, by their names. */
export const limitsOf = ({ actuators }: Mechanism): Map<string, LoadLimit[]> => new Map(actuators.map((actuator) => [actuator.name,
  (["max_load", "holding_load"] as const).flatMap((name) => (actuator[name] === undefined ? [] : [{ name, value: actuator[name] }]))]));

const slack = 1e-6; // relative: what pages round, and the tolerance of limits

export const isBeyond = (load: number, { value }: LoadLimit): boolean => Math.abs(load) > value * (1 + slack);

/** How the lines of limits are drawn and called, in the order of their names. */
const strokes = [{ dash: [], words: "solid line" }, { dash: [6, 4], words: "dashed line" }, { dash: [1.5, 3.5], words: "dotted line" }];
export const strokeOf = (index: number): { dash: number[]; words: string } => strokes[index % strokes.length]!;

/** Lines, as shares of the plane, along the edges between poses within and beyond a limit. There are none between points. */
export function edgesOf(plane: Plane, loads: ArrayLike<number>, leftOut: Uint8Array, limit: LoadLimit): [number, number][][] {
  const { samples, rectangles, columns } = plane;
  if (plane.points) return [];
  const side = (i: number): number => (leftOut[samples[i]!] === 1 ? 0 : isBeyond(loads[samples[i]!]!, limit) ? 1 : -1);
  const rows = samples.length / columns;
  // corners of cells are numbered row by row; an edge leads from one to the next
  const next = new Map<number, number[]>();
  const edge = (a: number, b: number): void => {
    for (const [from, to] of [[a, b], [b, a]] as const) next.set(from, [...(next.get(from) ?? []), to]);
  };
  for (let j = 0; j < rows; ++j)
    for (let i = 0; i < columns; ++i) {
      const cell = j * columns + i;
      const corner = j * (columns + 1) + i;
      if (i + 1 < columns && side(cell) * side(cell + 1) < 0) edge(corner + 1, corner + columns + 2);
      if (j + 1 < rows && side(cell) * side(cell + columns) < 0) edge(corner + columns + 1, corner + columns + 2);
    }
  const place = (corner: number): [number, number] => {
    const [i, j] = [corner % (columns + 1), Math.floor(corner / (columns + 1))];
    const x = i < columns ? rectangles[4 * i]! : rectangles[4 * (columns - 1) + 2]!;
    const row = 4 * Math.min(j, rows - 1) * columns;
    return [x, rectangles[row + (j < rows ? 1 : 3)]!];
  };
  return chains(next).map((chain) => chain.map(place));
}

/** Joins edges to lines as long as they go on, beginning where lines end. */
function chains(next: Map<number, number[]>): number[][] {
  const found: number[][] = [];
  const take = (from: number, to: number): void => {
    next.get(from)!.splice(next.get(from)!.indexOf(to), 1);
    next.get(to)!.splice(next.get(to)!.indexOf(from), 1);
  };
  const follow = (start: number): void => {
    const chain = [start];
    for (let at = start, to = next.get(at)![0]; to !== undefined; at = to, to = next.get(at)![0]) {
      take(at, to);
      chain.push(to);
    }
    if (chain.length > 1) found.push(chain);
  };
  for (const [corner, others] of next) if (others.length % 2 === 1) follow(corner);
  for (const corner of next.keys()) while (next.get(corner)!.length > 0) follow(corner);
  return found;
}
