import { scaleLinear } from "d3-scale";
import { fromUnit, inUnit, unitName } from "../units";
import type { Workspace } from "../workspace";

/** A side of a plane: where its ticks are, as shares of its length, and what it is called. */
export interface PlaneAxis {
  title: string;
  ticks: (most: number) => { at: number; text: string }[];
}

/** Poses over two of their coordinates. Each stands for a rectangle, whose ends are shares of the plane, y
 * upwards; the rectangles of points have no size. */
export interface Plane {
  x: PlaneAxis;
  y: PlaneAxis;
  samples: Int32Array;
  rectangles: Float32Array; // left, bottom, right and top of each pose
  points: boolean;
  columns: number; // of a grid, whose poses stand row by row from below; 0 of points
}

/** Between which ends each level of an axis stands: half-way to its neighbours; or evenly, where levels are
 * alike and would have no room. */
function endsOf(levels: number[]): number[] {
  const apart = levels.slice(1).map((level, i) => level - levels[i]!);
  if (apart.some((step) => step <= 0)) return levels.map((_, i) => i / levels.length).concat(1);
  const ends = levels.slice(1).map((level, i) => (level + levels[i]!) / 2);
  const first = levels[0]! - (apart[0] ?? 2) / 2;
  const last = levels.at(-1)! + (apart.at(-1) ?? 2) / 2;
  return [first, ...ends, last].map((end) => (end - first) / (last - first));
}

function levelAxis(workspace: Workspace, axis: number, ends: number[]): PlaneAxis {
  const { name, unit, levels } = workspace.axes[axis]!;
  return {
    title: `${name} [${unitName(unit)}]`,
    ticks: (most) => {
      const least = Math.max(1, Math.ceil((levels.length - 1) / Math.max(most - 1, 1)));
      let stride = least; // one that has the last level too, if there is one
      while (stride < 2 * least && (levels.length - 1) % stride !== 0) ++stride;
      if ((levels.length - 1) % stride !== 0) stride = least;
      let last = -Infinity;
      return levels.flatMap((level, i) => {
        const at = (ends[i]! + ends[i + 1]!) / 2;
        if (i % stride !== 0 || at - last < 0.6 / most) return [];
        last = at;
        return [{ at, text: workspace.numberText(axis, level) }];
      });
    },
  };
}

/** The poses of a grid over two of its axes that have the places of one pose in all others. */
function gridPlane(workspace: Workspace, x: number, y: number, sample: number): Plane {
  const [columns, rows] = [x, y].map((axis) => workspace.axes[axis]!.levels.length) as [number, number];
  const [alongX, alongY] = [x, y].map((axis) => endsOf(workspace.axes[axis]!.levels)) as [number[], number[]];
  const samples = new Int32Array(columns * rows);
  const rectangles = new Float32Array(4 * columns * rows);
  const places = workspace.placesOf(sample);
  for (let j = 0; j < rows; ++j)
    for (let i = 0; i < columns; ++i) {
      [places[x], places[y]] = [i, j];
      samples[j * columns + i] = workspace.sampleAt(places);
      rectangles.set([alongX[i]!, alongY[j]!, alongX[i + 1]!, alongY[j + 1]!], 4 * (j * columns + i));
    }
  return { x: levelAxis(workspace, x, alongX), y: levelAxis(workspace, y, alongY), samples, rectangles, points: false, columns };
}

/** All poses of a sequence as points over two of their coordinates. */
function pointPlane(workspace: Workspace, x: number, y: number): Plane {
  const samples = Int32Array.from({ length: workspace.samples }, (_, k) => k);
  const rectangles = new Float32Array(4 * workspace.samples);
  const sides = [x, y].map((axis, side): PlaneAxis => {
    const { name, unit } = workspace.axes[axis]!;
    let [low, high] = [Infinity, -Infinity];
    for (const k of samples) {
      const position = workspace.position(axis, k);
      [low, high] = [Math.min(low, position), Math.max(high, position)];
    }
    const room = 0.03 * (high - low) || 1;
    const share = scaleLinear([low - room, high + room], [0, 1]);
    for (const k of samples) {
      const at = share(workspace.position(axis, k));
      rectangles[4 * k + side] = at;
      rectangles[4 * k + 2 + side] = at;
    }
    return {
      title: `${name} [${unitName(unit)}]`,
      ticks: (most) => scaleLinear(share.domain().map((end) => inUnit(end, unit)), [0, 1]).ticks(most)
        .map((tick) => ({ at: share(fromUnit(tick, unit)), text: workspace.numberText(axis, fromUnit(tick, unit)) })),
    };
  });
  return { x: sides[0]!, y: sides[1]!, samples, rectangles, points: true, columns: 0 };
}

/** The poses over two coordinates, of a grid those that have the places of a pose in all others. */
export const planeOf = (workspace: Workspace, x: number, y: number, sample: number): Plane =>
  workspace.isGrid ? gridPlane(workspace, x, y, sample) : pointPlane(workspace, x, y);

/** The number of the pose in the plane whose rectangle is nearest to a place, in units of width and height. */
export function nearest(plane: Plane, x: number, y: number, width: number, height: number): number {
  let [found, least] = [0, Infinity];
  for (let i = 0; i < plane.samples.length; ++i) {
    const [left, bottom, right, top] = plane.rectangles.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
    const across = Math.max(left - x, 0, x - right) * width;
    const along = Math.max(bottom - y, 0, y - top) * height;
    const distance = across * across + along * along;
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}

/** The number of the pose in the plane that is next to another one in a direction, [1, 0] to the right: the
 * nearest that does not lie more to a side than ahead. The same where there is none. */
export function neighbour(plane: Plane, from: number, [right, up]: [number, number]): number {
  const middle = (i: number, side: number): number => (plane.rectangles[4 * i + side]! + plane.rectangles[4 * i + side + 2]!) / 2;
  const [x, y] = [middle(from, 0), middle(from, 1)];
  let [found, least] = [from, Infinity];
  for (let i = 0; i < plane.samples.length; ++i) {
    const [dx, dy] = [middle(i, 0) - x, middle(i, 1) - y];
    const ahead = dx * right + dy * up;
    const aside = Math.abs(dx * up) + Math.abs(dy * right);
    // in a grid the way goes along a row or a column
    if (ahead <= 1e-7 || aside > (plane.points ? ahead : 1e-7)) continue;
    const distance = ahead + aside;
    if (distance < least) [found, least] = [i, distance];
  }
  return found;
}

/** At each point of a picture, row by row from the top, the largest load of the poses there; -1 where all of
 * them are left out, NaN where there is none. Points of poses reach so many pixels to each side. */
export function rasterOf(
  plane: Plane, loads: ArrayLike<number>, leftOut: Uint8Array, width: number, height: number, reach: number,
): Float32Array {
  const raster = new Float32Array(width * height).fill(NaN);
  const grow = plane.points ? reach : 0;
  for (let i = 0; i < plane.samples.length; ++i) {
    const sample = plane.samples[i]!;
    const load = leftOut[sample] === 1 ? -1 : Math.abs(loads[sample]!);
    const edge = (side: number, length: number): number => plane.rectangles[4 * i + side]! * length;
    const left = Math.min(Math.max(Math.round(edge(0, width) - grow), 0), width - 1);
    const right = Math.max(Math.min(Math.round(edge(2, width) + grow), width), left + 1);
    const top = Math.min(Math.max(Math.round(height - edge(3, height) - grow), 0), height - 1);
    const bottom = Math.max(Math.min(Math.round(height - edge(1, height) + grow), height), top + 1);
    for (let row = top; row < bottom; ++row)
      for (let column = left; column < right; ++column)
        if (!(raster[row * width + column]! >= load)) raster[row * width + column] = load;
  }
  return raster;
}
