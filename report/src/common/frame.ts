import { Box3, Quaternion, Vector3 } from "three";
import type { Mechanism, Pair } from "./data";
import type { Run } from "./run";

/** One instant of a run: where bodies and points are. The poses are the program's. */
export class Frame {
  sample = 0;
  private readonly turn = new Quaternion();

  constructor(
    readonly mechanism: Mechanism,
    public run: Run,
  ) {}

  /** Where a place of a body is in the world. */
  place(body: number, position: ArrayLike<number>, out: Vector3): Vector3 {
    out.set(position[0]!, position[1]!, position[2]!);
    if (body < 0) return out;
    const pose = this.run.pose(this.sample, body);
    this.turn.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
    return out.applyQuaternion(this.turn).add(new Vector3(pose[0], pose[1], pose[2]));
  }

  point(index: number, out: Vector3): Vector3 {
    const point = this.mechanism.points[index]!;
    return this.place(point.body, point.position, out);
  }

  /** A direction of a body in world axes. */
  direction(body: number, along: ArrayLike<number>, out: Vector3): Vector3 {
    out.set(along[0]!, along[1]!, along[2]!);
    if (body < 0) return out;
    const pose = this.run.pose(this.sample, body);
    return out.applyQuaternion(this.turn.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!));
  }

  value(kind: "actuator" | "spring" | "loop", element: string, quantity: string): number {
    return this.run.find(kind, element, quantity)?.values[this.sample] ?? NaN;
  }

  bodiesOf(points: Pair): number[] {
    return points.map((index) => this.mechanism.points[index]!.body);
  }
}

/** The box that bodies and points keep within at the frame's sample. */
export function boxAt(frame: Frame): Box3 {
  const box = new Box3();
  const place = new Vector3();
  frame.mechanism.bodies.forEach((body, b) => {
    box.expandByPoint(frame.place(b, [0, 0, 0], place));
    if (body.mass > 0) box.expandByPoint(frame.place(b, body.com, place));
  });
  frame.mechanism.points.forEach((_, p) => box.expandByPoint(frame.point(p, place)));
  if (box.isEmpty()) box.set(new Vector3(-0.1, -0.1, -0.1), new Vector3(0.1, 0.1, 0.1));
  return box;
}

const diagonal = (box: Box3): number => box.max.distanceTo(box.min);

/** The middles of the faces, edges and corners of a cube: every way in which something may stick out. */
const ways: Vector3[] = [];
for (let x = -1; x <= 1; ++x)
  for (let y = -1; y <= 1; ++y)
    for (let z = -1; z <= 1; ++z) if (x !== 0 || y !== 0 || z !== 0) ways.push(new Vector3(x, y, z));

/** The samples at which a run goes farthest in each of the ways. */
class Farthest {
  private readonly reach = ways.map(() => -Infinity);
  private readonly at = ways.map(() => 0);

  take({ min, max }: Box3, from: Vector3, sample: number): void {
    ways.forEach((way, i) => {
      const reach = way.x * ((way.x > 0 ? max.x : min.x) - from.x) +
        way.y * ((way.y > 0 ? max.y : min.y) - from.y) + way.z * ((way.z > 0 ? max.z : min.z) - from.z);
      if (reach <= this.reach[i]!) return;
      this.reach[i] = reach;
      this.at[i] = sample;
    });
  }
  get samples(): number[] {
    return [...new Set(this.at)];
  }
}

export interface Extent {
  box: Box3; // of the whole run
  middles: Box3; // of the middles of all instants
  size: number; // the largest diagonal of an instant
  scale: number; // of symbols: the same, or less where joints are close to each other
  farthest: { whole: number[]; followed: number[] }; // samples, in the world and about the middle
}

const mostSamples = 240;

export function extent(frame: Frame): Extent {
  const { mechanism, run } = frame;
  const box = new Box3();
  const middles = new Box3();
  const whole = new Farthest();
  const followed = new Farthest();
  const origin = new Vector3();
  const middle = new Vector3();
  let size = 1e-6;
  const step = Math.max(1, Math.floor(run.samples / mostSamples));
  const before = frame.sample;
  for (frame.sample = 0; frame.sample < run.samples; frame.sample += step) {
    const now = boxAt(frame);
    box.union(now);
    now.getCenter(middle);
    middles.expandByPoint(middle);
    whole.take(now, origin, frame.sample);
    followed.take(now, middle, frame.sample);
    size = Math.max(size, diagonal(now));
  }
  frame.sample = before;
  const links = mechanism.bodies
    .map((body) => new Vector3(...body.origin).length())
    .filter((length) => length > 1e-4 * size)
    .sort((a, b) => a - b);
  const link = links[Math.floor(links.length / 2)] ?? size;
  return {
    box, middles, size, scale: Math.max(Math.min(size, 10 * link), size / 4),
    farthest: { whole: whole.samples, followed: followed.samples },
  };
}
