import { number } from "./dom";
import { float32, float64, type RunData, type SeriesKind, uint32, type Vec3 } from "./data";
import { Workspace } from "./workspace";

export interface Series {
  kind: SeriesKind;
  element: string;
  quantity: string;
  unit: string;
  values: Float32Array;
}

/** Where a spring comes nearest to obstacles; see ApproachData. */
export interface Approach {
  spring: number;
  obstacles: Uint32Array;
  places: Float32Array;
}

/** A quantity at each sample that does not fall; its numbers are SI. */
export interface Along {
  name: string;
  unit: string;
  values: ArrayLike<number>;
}

const numbersPerPose = 7;

/** A recorded run, decoded. */
export class Run {
  readonly samples: number;
  readonly times: Float64Array;
  readonly series: Series[];
  readonly approaches: Approach[];
  readonly mass: number;
  readonly atRest: boolean;
  readonly workspace: Workspace | null;
  private readonly poses: Float32Array;
  private readonly centres: Float32Array | null;
  private readonly bodies: number;

  constructor(data: RunData, bodies: number) {
    this.samples = data.samples;
    this.times = float64(data.times);
    this.series = data.series.map((one) => ({ ...one, values: float32(one.values) }));
    this.approaches = (data.approaches ?? []).map(({ spring, obstacles, places }) => (
      { spring, obstacles: uint32(obstacles), places: float32(places) }));
    this.mass = data.mass;
    this.atRest = data.at_rest === true;
    this.workspace = data.workspace ? new Workspace(data.workspace, data.samples, this.times) : null;
    this.poses = float32(data.poses);
    this.centres = data.centre_of_mass === undefined ? null : float32(data.centre_of_mass);
    this.bodies = bodies;
  }

  /** What plots run along: time, the positions of the only coordinate of poses, or the numbers of poses. */
  get along(): Along {
    const axis = this.workspace?.axes.length === 1 ? this.workspace.axes[0]! : null;
    if (axis !== null && axis.levels.length === this.samples && axis.levels.every((_, k) => this.workspace!.placesOf(k)[0] === k))
      return { name: axis.name, unit: axis.unit, values: axis.levels };
    return this.atRest ? { name: "pose", unit: "", values: Array.from(this.times, (time) => Math.round(time) + 1) } : { name: "t", unit: "s", values: this.times };
  }

  get start(): number {
    return this.times[0] ?? 0;
  }
  get end(): number {
    return this.times[this.samples - 1] ?? 0;
  }

  /** A time, or the number of a pose at rest. */
  timeText(time: number, digits = 5): string {
    return this.atRest ? `pose ${Math.round(time) + 1}` : `${number(time, digits)} s`;
  }

  /** How many samples or poses the motion has, of which some may not be here. */
  get of(): number {
    return this.workspace?.of ?? this.samples;
  }
  /** Whether there is a sample at a time, or a pose that is not left away. */
  has(time: number): boolean {
    return !this.atRest || Math.abs((this.times[this.sampleAt(time)] ?? NaN) - time) < 0.5;
  }

  /** Whether another run has the same instants, or goes through the same poses. */
  isLike(other: Run): boolean {
    return this.atRest === other.atRest && this.samples === other.samples && this.times.every((time, k) => time === other.times[k])
      && (this.workspace === null ? other.workspace === null : other.workspace !== null && this.workspace.sameAs(other.workspace));
  }

  /** The last sample that is not after a time. */
  sampleAt(time: number): number {
    let low = 0;
    let high = this.samples - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle]! <= time + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The place of a time among the samples: 2.5 is half-way between samples 2 and 3. */
  at(time: number): number {
    const sample = this.sampleAt(time);
    const [from, to] = [this.times[sample] ?? 0, this.times[sample + 1] ?? 0];
    return to > from ? sample + Math.min(Math.max((time - from) / (to - from), 0), 1) : sample;
  }
  /** The time at a place among the samples. */
  timeAt(at: number): number {
    return between(this.times, at);
  }

  /** Origin and quaternion x, y, z, w of a body. */
  pose(sample: number, body: number): Float32Array {
    const at = (sample * this.bodies + body) * numbersPerPose;
    return this.poses.subarray(at, at + numbersPerPose);
  }

  centreOfMass(at: number): Vec3 | null {
    const c = this.centres;
    return c && [0, 1, 2].map((axis) => between(c, at, axis, 3)) as Vec3;
  }

  find(kind: SeriesKind, element: string, quantity: string): Series | undefined {
    return this.series.find(
      (one) => one.kind === kind && one.element === element && one.quantity === quantity,
    );
  }
}

/** The number at a place among samples, on the line between those beside it. Numbers of a sample
 * are `stride` apart. */
export function between(numbers: ArrayLike<number>, at: number, offset = 0, stride = 1): number {
  const first = Math.floor(at);
  const low = numbers[first * stride + offset] ?? NaN;
  const high = numbers[(first + 1) * stride + offset];
  return at === first || high === undefined ? low : low + (at - first) * (high - low);
}

export function largest(values: ArrayLike<number>): number {
  let found = 0;
  for (let i = 0; i < values.length; ++i) {
    const size = Math.abs(values[i]!);
    if (size > found) found = size;
  }
  return found;
}

export function range(values: ArrayLike<number>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
