import { Box3, Vector3 } from "three";
import type { Frame } from "./frame";

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
}

const mostSamples = 240;

/** Goes through a run, by steps where it is long, and leaves the frame where it was. */
function through(frame: Frame, see: (box: Box3, sample: number) => void): void {
  const { run } = frame;
  const step = Math.max(1, Math.floor(run.samples / mostSamples));
  const before = frame.at;
  for (frame.at = 0; frame.at < run.samples; frame.at += step) see(boxAt(frame), frame.at);
  frame.at = before;
}

export function extent(frame: Frame): Extent {
  const box = new Box3();
  const middles = new Box3();
  const middle = new Vector3();
  let size = 1e-6;
  through(frame, (now) => {
    box.union(now);
    middles.expandByPoint(now.getCenter(middle));
    size = Math.max(size, diagonal(now));
  });
  const links = frame.mechanism.bodies
    .map((body) => new Vector3(...body.origin).length())
    .filter((length) => length > 1e-4 * size)
    .sort((a, b) => a - b);
  const link = links[Math.floor(links.length / 2)] ?? size;
  return { box, middles, size, scale: Math.max(Math.min(size, 10 * link), size / 4) };
}

/** The samples at which a mechanism goes farthest, in the world and about its middle. `besides` takes
 * further places of an instant into its box. */
export function farthest(frame: Frame, besides: (box: Box3) => void): { whole: number[]; followed: number[] } {
  const whole = new Farthest();
  const followed = new Farthest();
  const origin = new Vector3();
  const middle = new Vector3();
  through(frame, (now, sample) => {
    now.getCenter(middle);
    besides(now);
    whole.take(now, origin, sample);
    followed.take(now, middle, sample);
  });
  return { whole: whole.samples, followed: followed.samples };
}
