import type { Mechanism } from "./data";
import { type Extent, extent } from "./extent";
import { Frame } from "./frame";
import { largest, type Run } from "./run";

/** What all mechanisms of a scene have in common, so that they can be compared: how large symbols are,
 * and how large the largest load and tensions, which arrows and colours stand for. */
export class Scales {
  readonly size: number;
  readonly symbols: number;
  private readonly loads = new Map<string, number>();
  private readonly tensions = new Map<string, number>();

  constructor(shown: { mechanism: Mechanism; run: Run }[]) {
    const extents = shown.map(({ mechanism, run }): Extent => extent(new Frame(mechanism, run)));
    this.size = Math.max(...extents.map((one) => one.size));
    this.symbols = Math.min(...extents.map((one) => one.scale));
    const take = (into: Map<string, number>, key: string, values: ArrayLike<number> | undefined): void => {
      into.set(key, Math.max(into.get(key) ?? 0, largest(values ?? [])));
    };
    for (const { mechanism, run } of shown) {
      for (const { name, units } of mechanism.actuators)
        take(this.loads, units[1], run.find("actuator", name, "load")?.values);
      for (const { name, type } of mechanism.springs)
        take(this.tensions, name, run.find("spring", name, type === "torsion" ? "torque" : "tension")?.values);
    }
  }

  /** The largest load of all actuators of a unit. */
  largestLoad(unit: string): number {
    return this.loads.get(unit) ?? 0;
  }
  /** The largest tension of a spring. */
  largestTension(spring: string): number {
    return this.tensions.get(spring) ?? 0;
  }
}
