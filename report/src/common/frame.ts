import { Quaternion, Vector3 } from "three";
import type { Mechanism, Pair } from "./data";
import { between, type Run } from "./run";

export interface Placement {
  origin: Vector3;
  turn: Quaternion;
}

/** One instant of a run: where bodies and points are. The poses are the program's. Between two samples
 * places are on the line between theirs, and bodies turn evenly from one to the other. */
export class Frame {
  at = 0; // in samples
  private readonly now = { origin: new Vector3(), turn: new Quaternion() };
  private readonly next = { origin: new Vector3(), turn: new Quaternion() };

  constructor(
    readonly mechanism: Mechanism,
    public run: Run,
  ) {}

  /** The last sample that is not after the instant. */
  get sample(): number {
    return Math.floor(this.at);
  }

  /** Where a body is; the next call writes into the same object. */
  pose(body: number): Placement {
    const share = this.at - this.sample;
    this.read(this.sample, body, this.now);
    if (share > 0 && this.sample + 1 < this.run.samples) {
      this.read(this.sample + 1, body, this.next);
      this.now.origin.lerp(this.next.origin, share);
      this.now.turn.slerp(this.next.turn, share);
    }
    return this.now;
  }
  private read(sample: number, body: number, out: Placement): void {
    const pose = this.run.pose(sample, body);
    out.origin.set(pose[0]!, pose[1]!, pose[2]!);
    out.turn.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!).normalize();
  }

  /** Where a place of a body is in the world. */
  place(body: number, position: ArrayLike<number>, out: Vector3): Vector3 {
    this.direction(body, position, out);
    return body < 0 ? out : out.add(this.now.origin);
  }

  point(index: number, out: Vector3): Vector3 {
    const point = this.mechanism.points[index]!;
    return this.place(point.body, point.position, out);
  }

  /** A direction of a body in world axes. */
  direction(body: number, along: ArrayLike<number>, out: Vector3): Vector3 {
    out.set(along[0]!, along[1]!, along[2]!);
    return body < 0 ? out : out.applyQuaternion(this.pose(body).turn);
  }

  value(kind: "actuator" | "spring" | "loop", element: string, quantity: string): number {
    return between(this.run.find(kind, element, quantity)?.values ?? [], this.at);
  }

  bodiesOf(points: Pair): number[] {
    return points.map((index) => this.mechanism.points[index]!.body);
  }
}
