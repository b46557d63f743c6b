import { Box3, Quaternion, Vector3 } from "three";
import type { Mechanism, Pair } from "../data";
import type { Run } from "../run";

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

/** The box of the whole run, that of the middles of all instants, the largest diagonal of an instant, and what symbols of joints are
 * scaled by: the same, or less where joints are close to each other. */
export function extent(frame: Frame): { box: Box3; middles: Box3; size: number; scale: number } {
  const { mechanism, run } = frame;
  const box = new Box3();
  const middles = new Box3();
  let size = 1e-6;
  const step = Math.max(1, Math.floor(run.samples / 60));
  const before = frame.sample;
  for (frame.sample = 0; frame.sample < run.samples; frame.sample += step) {
    const now = boxAt(frame);
    box.union(now);
    middles.expandByPoint(now.getCenter(new Vector3()));
    size = Math.max(size, diagonal(now));
  }
  frame.sample = before;
  const links = mechanism.bodies
    .map((body) => new Vector3(...body.origin).length())
    .filter((length) => length > 1e-4 * size)
    .sort((a, b) => a - b);
  const middle = links[Math.floor(links.length / 2)] ?? size;
  return { box, middles, size, scale: Math.max(Math.min(size, 10 * middle), size / 4) };
}
