import { type Column, type CourseData, type Design, float32 } from "../common/data";
import { add, h, inUnits, number, said, withUnit } from "../common/dom";
import { Plot, type PlotLine, type PlotSource } from "../common/plots/plot";
import { largest, range, type Run } from "../common/run";
import { inUnit } from "../common/units";

type Coordinate = CourseData["coordinates"][number];
const quantities = ["position", "velocity", "acceleration"] as const;
type Quantity = (typeof quantities)[number];

const unitOf: Record<Quantity, string> = { position: "", velocity: "/s", acceleration: "/s^2" };
const limitOf = { velocity: "speed", acceleration: "acceleration" } as const;

/** A quantity of a coordinate at each sample. */
function valuesOf(coordinate: Coordinate, quantity: Quantity, run: Run): Float32Array {
  const column: Column | undefined = coordinate[quantity];
  if (column === undefined) return run.find("actuator", coordinate.name, quantity)!.values;
  const values = float32(column);
  return values.length === 1 ? new Float32Array(run.samples).fill(values[0]!) : values;
}

/** The limits of moves, each while its move lasts, on both sides if the quantity goes there. */
function limitLines({ limits }: Coordinate, quantity: Quantity, run: Run, lowest: number): PlotLine[] {
  if (quantity === "position" || limits.length === 0) return [];
  const [key, name] = [limitOf[quantity], `max_${limitOf[quantity]}`];
  const most = new Float64Array(run.samples).fill(NaN);
  for (const limit of limits)
    for (let k = run.sampleAt(limit.from); k < run.samples && run.times[k]! <= limit.to + 1e-9; ++k)
      if (run.times[k]! >= limit.from - 1e-9) most[k] = Math.max(limit[key], Number.isNaN(most[k]!) ? 0 : most[k]!);
  const upper: PlotLine = { name, values: most, hue: 7, pale: true };
  return lowest >= 0 ? [upper] : [upper, { ...upper, name: `−${name}`, values: most.map((value) => -value) }];
}

/** The first sample at which a quantity is largest in size, as far as single precision tells. */
function largestAt(values: Float32Array): number {
  const most = largest(values) * (1 - 1e-6);
  return values.findIndex((value) => Math.abs(value) >= most);
}

/** What a motion in time does with one of its coordinates at a time: position, velocity and acceleration, where its
 * moves begin and end, and their limits. */
export class CoursePanel {
  readonly element = h("div", { class: "course" });
  /** Is called when the user chooses a coordinate. */
  changed: () => void = () => undefined;
  private readonly coordinates: Coordinate[];
  private readonly menu = h("select", { "aria-label": "coordinate of the motion" });
  private readonly told = h("div", {});
  private readonly place = h("div", {});
  private readonly made = new Map<string, { plots: Plot[]; told: HTMLElement }>(); // by coordinate
  private sample = 0;

  /** `designs` are the one that is shown and perhaps a ghost, `runs` what they do. */
  constructor(private readonly designs: Design[], private readonly runs: Run[], private readonly seek: (sample: number) => void) {
    this.coordinates = designs[0]!.run.course?.coordinates ?? [];
    this.menu.append(...this.coordinates.map(({ name }) => h("option", { value: name }, name)));
    this.menu.addEventListener("change", () => {
      this.choose(this.menu.value);
      this.changed();
    });
    add(this.element, h("div", { class: "course-choice" }, h("label", {}, "coordinate ", this.menu)), this.told, this.place);
    const moving = this.coordinates.find((one) => largest(valuesOf(one, "velocity", runs[0]!)) > 0);
    this.choose((moving ?? this.coordinates[0])?.name ?? "");
  }

  get isEmpty(): boolean {
    return this.coordinates.length === 0;
  }
  get chosen(): string {
    return this.menu.value;
  }
  get plots(): Plot[] {
    return this.made.get(this.chosen)?.plots ?? [];
  }

  choose(name: string): void {
    const coordinate = this.coordinates.find((one) => one.name === name);
    if (coordinate === undefined) return;
    this.menu.value = name;
    if (!this.made.has(name))
      this.made.set(name, { plots: this.sources(coordinate).map((source) => new Plot(source, this.seek)), told: this.tell(coordinate) });
    const { plots, told } = this.made.get(name)!;
    this.place.replaceChildren(...plots.map(({ element }) => element));
    this.told.replaceChildren(told);
    for (const plot of plots) plot.fit();
    this.show(this.sample);
  }

  /** Puts the cursors at a sample. */
  show(sample: number): void {
    this.sample = sample;
    for (const plot of this.plots) plot.show(sample);
  }

  private sources(coordinate: Coordinate): PlotSource[] {
    const [run, other] = this.runs;
    const ghost = this.designs[1]?.run.course?.coordinates.find(({ name }) => name === coordinate.name);
    return quantities.map((quantity) => {
      const values = valuesOf(coordinate, quantity, run!);
      const lines: PlotLine[] = [{ name: coordinate.name, values, hue: 0 }];
      if (ghost !== undefined && other!.samples === run!.samples)
        lines.push({ name: `${coordinate.name} (ghost)`, values: valuesOf(ghost, quantity, other!), hue: 0, pale: true });
      return { title: `${quantity[0]!.toUpperCase()}${quantity.slice(1)}`, unit: coordinate.unit + unitOf[quantity], along: run!.along,
        lines: [...lines, ...limitLines(coordinate, quantity, run!, range(values)[0])], marks: coordinate.ends };
    });
  }

  /** Ranges and largest values, as `motion` prints them. */
  private tell(coordinate: Coordinate): HTMLElement {
    const run = this.runs[0]!;
    const { unit, ends, limits } = coordinate;
    const most = (quantity: "velocity" | "acceleration", name: string): string => {
      const values = valuesOf(coordinate, quantity, run);
      const at = largestAt(values);
      return `largest ${name} ${withUnit(Math.abs(values[at]!), unit + unitOf[quantity])} at ${run.timeText(run.times[at]!)}`;
    };
    return inUnits(() => {
      const [low, high] = range(valuesOf(coordinate, "position", run));
      return h("p", { class: "faint" }, said(coordinate.name), ` goes from ${number(inUnit(low, unit))} to ${withUnit(high, unit)}; `,
        `${most("velocity", "speed")}; ${most("acceleration", "acceleration")}.`,
        ends.length > 0 ? " Dotted lines stand where one move ends and the next begins." : "",
        limits.length > 0 ? " Grey dashed lines are the limits of moves." : "");
    });
  }
}
