/** What the program writes into a page; studies/pages makes it. All numbers are SI. */

export type Vec3 = [number, number, number];
export type Pair = [number, number];
/** Little-endian numbers: in base64, or as they are where a page has unpacked them. */
export type Column = string | ArrayBuffer;

export interface Ellipsoid {
  axes: Vec3;
  rotation: [number, number, number, number];
}

/** Triangles of a body's mesh in body axes. */
export interface Mesh {
  body: number;
  vertices: Column;
  triangles: Column;
  colours?: Column; // bytes: red, green and blue of each vertex
}

export interface Body {
  name: string;
  parent: number; // -1: the world
  joint: "fixed" | "revolute" | "prismatic";
  axis: Vec3; // in body axes
  origin: Vec3; // of the body in its parent, where the joint is at 0
  guess: number;
  mass: number;
  com: Vec3;
  ellipsoid: Ellipsoid | null;
  ball?: number; // radius of the ball of steel that a point mass is drawn as
}

export interface Point {
  name: string;
  body: number;
  position: Vec3;
  pulley?: { axis: Vec3; radius: number };
  cam?: { axis: Vec3; edge: Vec3[]; normals: Vec3[] }; // places and outward normals, turning about the axis
}

export interface Loop {
  name: string;
  points: Pair;
  keep: "point" | "parallel" | "perpendicular" | "weld";
  axes?: [Vec3, Vec3];
}

export interface Coupling {
  name: string;
  joint: number;
  offset: number;
  terms: { of: number; ratio: number }[];
}

export interface Spring {
  name: string;
  type: "coil" | "extension" | "compression" | "gas" | "torsion";
  points?: Pair;
  over?: number[]; // points and pulleys that its cable runs over between them
  joint?: number;
  rate?: number; // none of a group
  group?: string; // how its springs hang together
  free_length: number;
  units: [string, string, string]; // of length, tension and rate
  min_length?: number;
  max_length?: number;
  max_load?: number;
  radius?: number; // of the coils or the cylinder
  min_clearance?: number;
}

/** What springs keep clear of: all that is within the radius of the segment between two places of a body. */
export interface Obstacle {
  name: string;
  body: number;
  from: Vec3;
  to: Vec3;
  radius: number;
}

export interface Actuator {
  name: string;
  points?: Pair;
  joint?: number;
  units: [string, string, string]; // of position, load and velocity
  min_position?: number;
  max_position?: number;
  max_load?: number;
  holding_load?: number;
  max_speed?: number;
}

export interface Mechanism {
  gravity: Vec3;
  bodies: Body[];
  points: Point[];
  loops: Loop[];
  couplings: Coupling[];
  springs: Spring[];
  actuators: Actuator[];
  forces?: Force[]; // where any act from outside
  obstacles?: Obstacle[];
}

/** A force and a moment on a body, in the axes of the world or of the body. */
export interface Force {
  name: string;
  point: number;
  turns_with_body: boolean;
  force: Vec3;
  moment: Vec3;
}

export type SeriesKind = "actuator" | "spring" | "joint" | "energy" | "loop";

export interface SeriesData {
  kind: SeriesKind;
  element: string;
  quantity: string;
  unit: string;
  values: Column;
}

/** Where a spring comes nearest to the obstacles that it keeps clear of: at every sample the nearest obstacle, and
 * in the world the nearest places of the spring's axis and of the obstacle's segment. */
export interface ApproachData {
  spring: number;
  obstacles: Column; // int32
  places: Column; // float32
}

export interface RunData {
  samples: number;
  times: Column; // float64
  poses: Column; // per sample and body: origin, then the quaternion x, y, z, w
  centre_of_mass?: Column;
  mass: number;
  series: SeriesData[];
  approaches?: ApproachData[];
  at_rest?: boolean; // samples are poses at rest, and their times only number them
  workspace?: WorkspaceData | null; // of poses at rest that have loads
  course?: CourseData | null; // of a motion in time, in a view
}

/** What a motion does with its coordinates. Columns have a number a sample, or one for all; those that the
 * actuator of this name has in the run are not here. */
export interface CourseData {
  coordinates: {
    name: string;
    unit: string; // of positions
    position?: Column;
    velocity?: Column;
    acceleration: Column;
    ends: number[]; // times inside the motion at which a move ends or begins
    limits: { from: number; to: number; speed: number; acceleration: number }[]; // of moves
  }[];
}

/** Which poses at rest there are: all combinations of the levels of axes, or, where axes have values, a
 * sequence with their positions in every pose. */
export interface WorkspaceData {
  axes: { name: string; unit: string; levels?: number[]; values?: Column }[]; // the slowest first
  left_out: number[]; // runs of poses: the first one, how many, the next first one, ...
  of?: number; // how many poses there are, if only some of them are here
}

/** What loosening a limit by a step takes off objectives. */
export interface Priced {
  name: string;
  loosened_by: "less" | "more";
  step: number;
  unit: string;
  gains: { objective: string; unit: string; less: number }[];
}

export interface Finding {
  kind: "error" | "limit" | "warning" | "note";
  text: string;
  time: number | null;
}

export interface Surface {
  name: string;
  kind: "plane" | "sphere" | "cylinder";
  body: number;
  point: Vec3;
  direction: Vec3;
  radius: number;
}

/** An impact, or the beginning or end of a contact that is held. */
export interface FallEvent {
  time: number;
  group: number; // numbers the instants, from 1
  kind: "impact" | "rest" | "leave";
  what: string; // the contact, the stop or the actuator
  point: string; // that hits; empty of a stop
  body: string; // that hits or is stopped; empty of a spring's stop
  on: string; // the body of the surface; empty of a stop
  angle: number; // between the point's velocity before and the surface's normal
  before: number; // speed along the normal, negative when closing
  after: number;
  impulse: number;
  units: [string, string]; // of speed and impulse
  energy_lost: number; // of all events of the instant, with the first of them
}

/** The outcome of a fall. */
export interface FallData {
  duration: number;
  end: number; // up to which it was followed
  settled: number | null; // when no joint moved faster than settled_speed any more
  settled_speed: number;
  energy_lost: number;
}

/** What a run makes of a spring of the baseline; `unused` springs do nothing at any length. */
export type Change = "added" | "changed" | "same" | "unused";

export interface Design {
  label: string;
  changes?: Change[]; // one a spring, in reports of studies that have a baseline
  mechanism: Mechanism;
  structure: Record<string, number> | null;
  closes: boolean;
  nearest: boolean; // the poses need not close
  zero: RunData;
  run: RunData;
  findings: Finding[];
  events: FallEvent[];
  fall: FallData | null;
  paths: number[]; // points that the motion leads
  surfaces: Surface[];
}

/** The data of this page, which the program wrote into it. */
export function pageData<Data>(): Data {
  const text = document.getElementById("data")?.textContent ?? "null";
  return JSON.parse(text) as Data;
}

/** Finds the pictures that the program has drawn, by the names in their attribute data-still: the one that the page
 * shows before its scripts run, and further ones of its data, as HTML. */
export function takeStills(further = ""): Map<string, Element> {
  const place = document.getElementById("still");
  const parsed = new DOMParser().parseFromString(further, "text/html");
  const stills = new Map<string, Element>();
  for (const one of [place, parsed])
    for (const still of one?.querySelectorAll("[data-still]") ?? []) stills.set(still.getAttribute("data-still")!, still);
  place?.remove();
  return stills;
}

function bytes(column: Column): ArrayBuffer {
  if (typeof column !== "string") return column;
  const text = atob(column);
  const array = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) array[i] = text.charCodeAt(i);
  return array.buffer;
}

export const uint8 = (column: Column): Uint8Array => new Uint8Array(bytes(column));
export const float32 = (column: Column): Float32Array => new Float32Array(bytes(column));
export const float64 = (column: Column): Float64Array => new Float64Array(bytes(column));
export const uint32 = (column: Column): Uint32Array => new Uint32Array(bytes(column));
