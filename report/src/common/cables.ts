import { BufferGeometry, Float32BufferAttribute, Vector3 } from "three";
import type { Point } from "./data";
import type { Frame } from "./frame";

/** What a cable runs over, in the plane across the axes of its pulleys. */
interface Stop {
  x: number;
  y: number;
  radius: number; // negative where the pulley's axis points the other way
  touches: boolean;
  wrap: number;
}
type Place = [number, number];

const turn = 2 * Math.PI;
const rim = 1e-9;

/** The straight way between two stops: its direction and its ends. */
function tangent(from: Stop, to: Stop): { along: Place; out: Place; into: Place } {
  const [x, y, across] = [to.x - from.x, to.y - from.y, from.radius - to.radius];
  const straight = Math.sqrt(Math.max(0, x * x + y * y - across * across));
  const scale = straight * straight + across * across || 1;
  const along: Place = [(x * straight - y * across) / scale, (y * straight + x * across) / scale];
  const on = (stop: Stop): Place => [stop.x + stop.radius * along[1], stop.y - stop.radius * along[0]];
  return { along, out: on(from), into: on(to) };
}

/** How far the cable lies on each pulley; and the one that it would leave most, or is most in its way. */
function wrongContact(stops: Stop[]): Stop | undefined {
  let worst: Stop | undefined;
  for (const [i, stop] of stops.entries()) {
    if (i === 0 || i + 1 === stops.length) continue;
    const before = stops.slice(0, i).filter((one) => one.touches).at(-1)!;
    const behind = stops.slice(i + 1).find((one) => one.touches)!;
    const [from, to] = stop.touches
      ? [tangent(before, stop).out, tangent(stop, behind).into]
      : [tangent(before, behind).out, tangent(before, behind).into];
    const [fx, fy, tx, ty] = [from[0] - stop.x, from[1] - stop.y, to[0] - stop.x, to[1] - stop.y];
    const around = Math.atan2(Math.sign(stop.radius) * (fx * ty - fy * tx), fx * tx + fy * ty);
    const toContact = (length: number): number => Math.acos(Math.min(1, Math.abs(stop.radius) / length));
    stop.wrap = (around < 0 ? around + turn : around) - toContact(Math.hypot(fx, fy)) - toContact(Math.hypot(tx, ty));
    const wrong = stop.touches ? stop.wrap <= 0 : stop.wrap > rim;
    if (wrong && (worst === undefined || stop.wrap < worst.wrap)) worst = stop;
  }
  return worst;
}

function planLength(stops: Stop[]): number {
  let length = 0;
  const touched = stops.filter((stop) => stop.touches);
  for (let i = 0; i + 1 < touched.length; ++i) {
    const { out, into } = tangent(touched[i]!, touched[i + 1]!);
    length += Math.hypot(into[0] - out[0], into[1] - out[1]) + Math.abs(touched[i]!.radius) * touched[i]!.wrap;
  }
  return length;
}

/** Lays the cable on all pulleys and lifts it off one after the other, or else tries all sets of them. */
function settle(stops: Stop[]): void {
  for (let round = 0; round < 4 * stops.length; ++round) {
    const wrong = wrongContact(stops);
    if (wrong === undefined) return;
    wrong.touches = !wrong.touches;
  }
  const pulleys = stops.slice(1, -1);
  let [best, least] = [0, Infinity];
  const touch = (set: number): boolean => {
    for (const [i, pulley] of pulleys.entries()) pulley.touches = ((set >> i) & 1) !== 0;
    return wrongContact(stops) === undefined;
  };
  for (let set = 0; pulleys.length <= 10 && set < 1 << pulleys.length; ++set)
    if (touch(set) && planLength(stops) < least) [best, least] = [set, planLength(stops)];
  touch(best);
}

/** Where a cable touches the cam that it is fixed to, and the edge from there to its end: one way for
 * each turn of the edge that has a tangent. The stop next to the cam is taken to be touched. */
function waysOnCam(frame: Frame, points: number[], at: number): Vector3[][] {
  const arrives = at > 0;
  const { body, cam } = frame.mechanism.points[points[at]!]!;
  const neighbour = points[arrives ? at - 1 : 1]!;
  const { body: of, pulley } = frame.mechanism.points[neighbour]!;
  const axis = frame.direction(body, cam!.axis, new Vector3());
  const radius = pulley === undefined ? 0
    : pulley.radius * Math.sign(frame.direction(of, pulley.axis, new Vector3()).dot(axis));
  const other = frame.point(neighbour, new Vector3());
  const edge = cam!.edge.map((place) => frame.place(body, place, new Vector3()));
  const beyond = edge.map((place, i) => (arrives ? 1 : -1) *
    (place.clone().sub(other).dot(frame.direction(body, cam!.normals[i]!, new Vector3())) - radius));
  const found = [...beyond.keys()].filter((i) => beyond[i]! < 0 && (beyond[i + 1] ?? beyond[i]!) >= 0);
  return (found.length > 0 ? found : [0]).map((i) => {
    const share = found.length > 0 ? beyond[i]! / (beyond[i]! - beyond[i + 1]!) : 0;
    const touched = edge[i]!.clone().lerp(edge[i + 1]!, share);
    return [touched, ...(arrives ? edge.slice(i + 1) : edge.slice(0, i + 1).reverse())];
  });
}

function lengthOf(course: Vector3[]): number {
  return course.reduce((length, place, i) => (i > 0 ? length + place.distanceTo(course[i - 1]!) : 0), 0);
}

/** The course of a taut cable over points and pulleys, as the engine lays it: places one behind the
 * other, with arcs in short steps. Pulleys between two points have parallel axes. A cable that is fixed
 * to a cam begins at its other end; on a cam of several turns it is the course nearest to the cable's
 * length. */
export function courseOf(frame: Frame, points: number[], length: number): Vector3[] {
  const cam = points.findIndex((index) => frame.mechanism.points[index]!.cam !== undefined);
  if (cam < 0) return between(frame, points, points.map((index) => frame.point(index, new Vector3())));
  const courses = waysOnCam(frame, points, cam).map((edge) => {
    const course = between(frame, points, points.map((index, i) => (i === cam ? edge[0]! : frame.point(index, new Vector3()))));
    return cam === 0 ? [...course.reverse(), ...edge.slice(1)] : [...course, ...edge.slice(1)];
  });
  const off = (course: Vector3[]): number => Math.abs(lengthOf(course) - length);
  return courses.reduce((best, course) => (off(course) < off(best) ? course : best));
}

/** The course between two points over others and pulleys. */
function between(frame: Frame, points: number[], place: Vector3[]): Vector3[] {
  const pulley = points.map((index, i) => (i > 0 && i + 1 < points.length ? frame.mechanism.points[index]!.pulley : undefined));
  const course = [place[0]!];
  for (let first = 0; first + 1 < points.length;) {
    let last = first + 1;
    while (pulley[last] !== undefined) ++last;
    if (last > first + 1) course.push(...overRun(frame, points.slice(first, last + 1), place.slice(first, last + 1)));
    course.push(place[last]!);
    first = last;
  }
  return course;
}

/** The course between two points over pulleys, without these two. */
function overRun(frame: Frame, points: number[], place: Vector3[]): Vector3[] {
  const axisOf = (i: number): Vector3 => {
    const { body, pulley } = frame.mechanism.points[points[i]!]!;
    return frame.direction(body, pulley!.axis, new Vector3()).normalize();
  };
  const last = points.length - 1;
  const axis = axisOf(1);
  const x = new Vector3(Math.abs(axis.x) < 0.6 ? 1 : 0, Math.abs(axis.x) < 0.6 ? 0 : 1, 0).cross(axis).normalize();
  const y = axis.clone().cross(x);
  const stops = place.map((at, i): Stop => {
    const radius = i > 0 && i < last ? frame.mechanism.points[points[i]!]!.pulley!.radius : 0;
    return { x: at.dot(x), y: at.dot(y), radius: radius > 0 && axisOf(i).dot(axis) < 0 ? -radius : radius, touches: true, wrap: 0 };
  });
  settle(stops);
  const touched = stops.filter((stop) => stop.touches);
  const flat: { at: Place; gone: number }[] = [];
  let gone = 0;
  for (let i = 0; i + 1 < touched.length; ++i) {
    const { out, into, along } = tangent(touched[i]!, touched[i + 1]!);
    gone += Math.hypot(into[0] - out[0], into[1] - out[1]);
    const stop = touched[i + 1]!;
    if (i + 2 === touched.length) break;
    const steps = Math.max(2, Math.ceil(stop.wrap / 0.1));
    for (let k = 0; k <= steps; ++k) {
      const angle = Math.sign(stop.radius) * stop.wrap * k / steps;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const [rx, ry] = [stop.radius * along[1], -stop.radius * along[0]];
      flat.push({ at: [stop.x + c * rx - s * ry, stop.y + s * rx + c * ry], gone: gone + Math.abs(stop.radius) * stop.wrap * k / steps });
    }
    gone += Math.abs(stop.radius) * stop.wrap;
  }
  const start = place[0]!.dot(axis);
  const rise = place[last]!.dot(axis) - start;
  return flat.map(({ at, gone: way }) => new Vector3()
    .addScaledVector(x, at[0]).addScaledVector(y, at[1]).addScaledVector(axis, start + (gone > 0 ? rise * way / gone : 0)));
}

/** How many steps of the edge, from one of its ends, turn by one turn at most. */
function stepsOfTurn(normals: Vector3[]): number {
  let turned = 0;
  let steps = 0;
  while (steps + 1 < normals.length) {
    turned += normals[steps]!.angleTo(normals[steps + 1]!);
    if (turned > 2 * Math.PI * (1 + 1e-6)) break;
    ++steps;
  }
  return steps;
}

/** The disc that has a cam's edge, in the axes of its body: as a sector about the axis, or, where the
 * axis is on the other side of the edge, as what the edge encloses with the line between its ends. Of
 * several turns it is the farthest one. */
export function discOf(point: Point, thickness: number): BufferGeometry {
  const vector = (of: ArrayLike<number>): Vector3 => new Vector3(of[0]!, of[1]!, of[2]!);
  const centre = vector(point.position);
  let edge = point.cam!.edge.map(vector);
  let normals = point.cam!.normals.map(vector);
  if (edge.at(-1)!.distanceTo(centre) > edge[0]!.distanceTo(centre)) {
    const steps = stepsOfTurn([...normals].reverse());
    [edge, normals] = [edge.slice(edge.length - 1 - steps), normals.slice(normals.length - 1 - steps)];
  } else {
    edge = edge.slice(0, stepsOfTurn(normals) + 1);
  }
  const inside = edge.every((place, i) => place.clone().sub(centre).dot(normals[i]!) > 0);
  const middle = inside ? centre
    : edge.reduce((sum, place) => sum.addScaledVector(place, 1 / edge.length), new Vector3());
  const half = vector(point.cam!.axis).normalize().multiplyScalar(thickness / 2);
  const [above, below] = [1, -1].map((side) => (place: Vector3): Vector3 => place.clone().addScaledVector(half, side));
  const places: number[] = [];
  const triangle = (...corners: Vector3[]): void => corners.forEach((corner) => places.push(...corner.toArray()));
  const wall = (from: Vector3, to: Vector3): void => {
    triangle(below!(from), below!(to), above!(to));
    triangle(below!(from), above!(to), above!(from));
  };
  const sector = (from: Vector3, to: Vector3): void => {
    triangle(above!(middle), above!(from), above!(to));
    triangle(below!(middle), below!(to), below!(from));
  };
  for (let i = 0; i + 1 < edge.length; ++i) {
    sector(edge[i]!, edge[i + 1]!);
    wall(edge[i]!, edge[i + 1]!);
  }
  const [first, last] = [edge[0]!, edge.at(-1)!];
  if (!inside) {
    sector(last, first);
    wall(last, first);
  } else if (first.distanceTo(last) > 1e-6 * first.distanceTo(centre)) {
    wall(middle, first);
    wall(last, middle);
  }
  const disc = new BufferGeometry();
  disc.setAttribute("position", new Float32BufferAttribute(places, 3));
  disc.computeVertexNormals();
  return disc;
}
