import { float32, type WorkspaceData } from "./data";
import { number } from "./dom";
import { inUnit, unitName, withoutRounding } from "./units";

/** A coordinate of poses. */
export interface WorkspaceAxis {
  name: string;
  unit: string;
  /** Its levels, ascending; none where the poses are a sequence. */
  levels: number[];
}

/** Which poses at rest a run goes through: all combinations of the levels of axes, or a sequence. A
 * place is that of a level among the ascending ones. */
export class Workspace {
  readonly axes: WorkspaceAxis[];
  /** How many poses there are, of which the samples may be a part that was chosen evenly. */
  readonly of: number;
  /** 1 for each pose that is left out. */
  readonly leftOut: Uint8Array;
  private readonly places: number[][]; // of the levels in the order in which they are gone through
  private readonly levels: number[][]; // the inverse
  private readonly values: Float32Array[]; // of a sequence
  private readonly sizes: number[]; // the largest position of each axis, beside which others are rounding

  constructor(
    data: WorkspaceData,
    readonly samples: number,
    private readonly times: ArrayLike<number>, // which number the poses, from 0
  ) {
    this.of = data.of ?? samples;
    const given = data.axes.map((axis) => axis.levels ?? []);
    this.levels = given.map((levels) => levels.map((_, i) => i).sort((a, b) => levels[a]! - levels[b]!));
    this.places = this.levels.map((order) => {
      const places = order.slice();
      order.forEach((level, place) => (places[level] = place));
      return places;
    });
    this.axes = data.axes.map(({ name, unit }, a) => ({ name, unit, levels: this.levels[a]!.map((level) => given[a]![level]!) }));
    this.values = data.axes.map((axis) => (axis.values === undefined ? new Float32Array() : float32(axis.values)));
    this.sizes = this.axes.map((axis, a) =>
      (axis.levels.length > 0 ? axis.levels : Array.from(this.values[a]!)).reduce((size, one) => Math.max(size, Math.abs(one)), 0));
    this.leftOut = new Uint8Array(samples);
    for (let i = 0; i + 1 < data.left_out.length; i += 2)
      this.leftOut.fill(1, data.left_out[i], data.left_out[i]! + data.left_out[i + 1]!);
  }

  /** Whether the poses are all combinations of levels. */
  get isGrid(): boolean {
    return this.axes.every((axis) => axis.levels.length > 0);
  }
  get leftOutCount(): number {
    return this.leftOut.reduce((sum, one) => sum + one, 0);
  }

  /** The places of a pose of a grid, one an axis. The order of the poses is that of PoseLevels: behind its last
   * level an axis turns back. */
  placesOf(sample: number): number[] {
    const found: number[] = [];
    let rest = sample;
    for (let a = this.axes.length - 1; a >= 0; --a) {
      const count = this.axes[a]!.levels.length;
      const turn = Math.floor(rest / count);
      const level = turn % 2 === 0 ? rest % count : count - 1 - (rest % count);
      found.unshift(this.places[a]![level]!);
      rest = turn;
    }
    return found;
  }
  /** The pose at the places of a grid. */
  sampleAt(places: number[]): number {
    return places.reduce((turn, place, a) => {
      const count = this.axes[a]!.levels.length;
      const level = this.levels[a]![place]!;
      return turn * count + (turn % 2 === 0 ? level : count - 1 - level);
    }, 0);
  }

  position(axis: number, sample: number): number {
    const values = this.values[axis]!;
    return values.length > 0 ? values[sample]! : this.axes[axis]!.levels[this.placesOf(sample)[axis]!]!;
  }

  /** A position of an axis as people are shown it, and with its unit. */
  numberText(axis: number, position: number): string {
    return number(inUnit(withoutRounding(position, this.sizes[axis]!), this.axes[axis]!.unit));
  }
  positionText(axis: number, position: number): string {
    return `${this.axes[axis]!.name} ${this.numberText(axis, position)} ${unitName(this.axes[axis]!.unit)}`;
  }
  /** "pose 871: shoulder 45 deg, elbow 0 deg" */
  poseText(sample: number): string {
    return `pose ${Math.round(this.times[sample]!) + 1}: ${this.axes.map((_, a) => this.positionText(a, this.position(a, sample))).join(", ")}`;
  }

  /** Whether another run goes through the same poses, though it may leave out others. */
  sameAs(other: Workspace): boolean {
    const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => a.length === b.length && Array.from(a).every((one, i) => one === b[i]);
    return this.samples === other.samples && this.axes.length === other.axes.length && this.axes.every((axis, a) =>
      axis.name === other.axes[a]!.name && same(axis.levels, other.axes[a]!.levels) &&
      same(this.levels[a]!, other.levels[a]!) && same(this.values[a]!, other.values[a]!));
  }
}
