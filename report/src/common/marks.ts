import {
  BoxGeometry, BufferGeometry, Color, Curve, CylinderGeometry, DoubleSide, Float32BufferAttribute, Group,
  Mesh as Drawn, MeshLambertMaterial, OctahedronGeometry, PlaneGeometry, SphereGeometry, SRGBColorSpace,
  TubeGeometry, Vector3,
} from "three";
import { type Body, float32, type Force, type Mesh, type Point, type Surface, uint32, uint8, type Vec3 } from "./data";
import { number } from "./dom";
import { arrowOf } from "./actuators";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { type Part, turnTo } from "./part";

const ball = new SphereGeometry(1, 28, 18);
const gem = new OctahedronGeometry(1);
const foot = new BoxGeometry(1, 1, 1);
const crease = Math.cos((35 * Math.PI) / 180); // between triangles: a sharper edge stays an edge
const mostAround = 200; // triangles about a vertex that are smoothed

/** The mass of a body as the ellipsoid of even density that has its inertia, or a ball. */
export function massPart(body: Body, index: number, materials: Materials, size: number): Part {
  const mesh = new Drawn(ball, materials.solid("scene-mass", 0.35));
  mesh.position.set(...body.com);
  if (body.ellipsoid) {
    const [a, b, c] = body.ellipsoid.axes.map((axis) => Math.max(axis, size * 0.003));
    mesh.scale.set(a!, b!, c!);
    mesh.quaternion.set(...body.ellipsoid.rotation);
  } else {
    mesh.scale.setScalar(size * 0.01);
  }
  const [x, y, z] = body.com.map((one) => number(one));
  return {
    object: mesh,
    layer: "masses",
    bodies: [index],
    title: `mass of ${body.name}`,
    tell: () => [`${number(body.mass)} kg at (${x}, ${y}, ${z}) m`],
  };
}

export function pointPart(point: Point, materials: Materials, size: number): Part {
  const anchor = point.body < 0;
  const mesh = new Drawn(anchor ? foot : gem, materials.solid(anchor ? "scene-anchor" : "scene-point"));
  mesh.scale.setScalar(size * (anchor ? 0.02 : 0.011));
  mesh.position.set(...point.position);
  return {
    object: mesh,
    layer: "points",
    bodies: [point.body],
    title: `${anchor ? "anchor" : "point"} ${point.name}`,
  };
}

/** The places of a point in the world at the samples of a run, without those at which it rests. */
function placesOf(point: number, frame: Frame): Vector3[] {
  const before = frame.at;
  const places: Vector3[] = [];
  for (let sample = 0; sample < frame.run.samples; ++sample) {
    frame.at = sample;
    const place = frame.point(point, new Vector3());
    if (places.at(-1)?.equals(place) !== true) places.push(place);
  }
  frame.at = before;
  return places;
}

/** Straight from place to place, each as far from the next as any other. */
class Way extends Curve<Vector3> {
  constructor(private readonly places: Vector3[]) {
    super();
  }
  override getPointAt(t: number, out = new Vector3()): Vector3 {
    return out.copy(this.places[Math.round(t * (this.places.length - 1))]!);
  }
  override getTangentAt(t: number, out = new Vector3()): Vector3 {
    const at = Math.round(t * (this.places.length - 1));
    const [before, after] = [this.places[Math.max(at - 1, 0)]!, this.places[Math.min(at + 1, this.places.length - 1)]!];
    return out.subVectors(before.equals(after) ? this.places[at]! : after, before).normalize();
  }
}

/** The way of a point through the world over a whole run; null where it stands still. */
export function pathPart(point: number, frame: Frame, materials: Materials, size: number): Part | null {
  const places = placesOf(point, frame);
  if (places.length < 2) return null;
  const line = new Drawn(new TubeGeometry(new Way(places), places.length - 1, 0.0022 * size, 5), materials.flat("scene-path"));
  line.userData["places"] = places;
  return {
    object: line,
    layer: "paths",
    bodies: [frame.mechanism.points[point]!.body],
    title: `path of ${frame.mechanism.points[point]!.name}`,
  };
}

export function centrePart(materials: Materials, size: number): Part {
  const group = new Group();
  for (let i = 0; i < 8; ++i) {
    const geometry = new SphereGeometry(1, 6, 6, (i % 4) * (Math.PI / 2), Math.PI / 2,
      i < 4 ? 0 : Math.PI / 2, Math.PI / 2);
    group.add(new Drawn(geometry, materials.solid((i + (i < 4 ? 0 : 1)) % 2 ? "scene-com-a" : "scene-com-b")));
  }
  group.scale.setScalar(size * 0.021);
  return {
    object: group,
    layer: "centre",
    bodies: [],
    title: "centre of mass",
    update(frame) {
      const at = frame.run.centreOfMass(frame.at);
      group.userData["empty"] = at === null;
      if (at) group.position.set(...at);
    },
    tell: (frame) => {
      const at = frame.run.centreOfMass(frame.at) ?? [NaN, NaN, NaN];
      return [`${number(frame.run.mass)} kg at (${at.map((one) => number(one)).join(", ")}) m`];
    },
  };
}

export function gravityPart(gravity: Vector3, at: Vector3, materials: Materials, size: number): Part {
  const arrow = arrowOf(materials, "scene-gravity", 0.035);
  arrow.scale.setScalar(size * 0.14);
  arrow.position.copy(at);
  turnTo(arrow, gravity);
  return {
    object: arrow,
    layer: "gravity",
    bodies: [],
    title: "gravity",
    tell: () => [`${number(gravity.length())} m/s²`],
  };
}

/** A force from outside, or the axis of a moment, from its point on. */
export function forcePart(force: Force, frame: Frame, materials: Materials, size: number): Part {
  const pushes = force.force.some((one) => one !== 0);
  const along = new Vector3(...(pushes ? force.force : force.moment));
  const arrow = arrowOf(materials, "scene-force", 0.035, true);
  arrow.scale.setScalar(size * 0.14);
  const { name, body } = frame.mechanism.points[force.point]!;
  const told = (vector: Vec3, unit: string): string =>
    `(${vector.map((one) => number(one)).join(", ")}) ${unit} in ${force.turns_with_body ? "the body's" : "world"} axes`;
  return {
    object: arrow,
    layer: "loads",
    bodies: [body],
    title: `${pushes ? "force" : "moment"} ${force.name}`,
    update(now) {
      arrow.userData["empty"] = along.length() === 0;
      now.point(force.point, arrow.position);
      turnTo(arrow, force.turns_with_body ? along.clone().applyQuaternion(now.pose(body).turn) : along);
    },
    tell: () => [`at ${name}`, ...(pushes ? [told(force.force, "N")] : []),
      ...(force.moment.some((one) => one !== 0) ? [told(force.moment, "N·m")] : [])],
  };
}

/** A surface that points may not pass, cut off at the size of the mechanism. */
export function surfacePart(surface: Surface, materials: Materials, size: number): Part {
  const base = materials.solid("scene-surface", 0.16) as MeshLambertMaterial;
  base.side = DoubleSide;
  const r = surface.radius;
  const mesh = new Drawn<BufferGeometry>(
    surface.kind === "plane"
      ? new PlaneGeometry(1.5 * size, 1.5 * size)
      : surface.kind === "sphere"
        ? new SphereGeometry(r, 48, 24)
        : new CylinderGeometry(r, r, 0.5 * size, 96, 1, true).rotateX(Math.PI / 2),
    base,
  );
  mesh.position.set(...surface.point);
  turnTo(mesh, new Vector3(...surface.direction));
  return {
    object: mesh,
    layer: "surfaces",
    bodies: [],
    title: `surface ${surface.name}`,
  };
}

/** The normal of each corner of each triangle: over all triangles about its vertex that stand at less
 * than the crease to its own, so that round parts look round and edges stay sharp. */
function cornerNormals(places: Float32Array, triangles: Uint32Array): Float32Array {
  const faces = triangles.length / 3;
  const weighted: Vector3[] = []; // by area
  const units: Vector3[] = [];
  const around = new Uint32Array(places.length / 3 + 1); // where the triangles about a vertex begin
  const at = (corner: number): Vector3 => new Vector3().fromArray(places, 3 * triangles[corner]!);
  for (let f = 0; f < faces; ++f) {
    const a = at(3 * f);
    const normal = at(3 * f + 1).sub(a).cross(at(3 * f + 2).sub(a));
    weighted.push(normal);
    units.push(normal.clone().normalize());
    for (let i = 0; i < 3; ++i) ++around[triangles[3 * f + i]! + 1]!;
  }
  for (let v = 1; v < around.length; ++v) around[v]! += around[v - 1]!;
  const filled = around.slice();
  const listed = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; ++corner)
    listed[filled[triangles[corner]!]!++] = Math.floor(corner / 3);

  const normals = new Float32Array(3 * triangles.length);
  for (let corner = 0; corner < triangles.length; ++corner) {
    const own = Math.floor(corner / 3);
    const sum = new Vector3();
    const [first, end] = [around[triangles[corner]!]!, around[triangles[corner]! + 1]!];
    if (end - first <= mostAround)
      for (let i = first; i < end; ++i)
        if (units[listed[i]!]!.dot(units[own]!) > crease) sum.add(weighted[listed[i]!]!);
    (sum.lengthSq() > 0 ? sum.normalize() : units[own]!).toArray(normals, 3 * corner);
  }
  return normals;
}

/** Copies three numbers per vertex to the corners of the triangles. */
function ofCorners(numbers: ArrayLike<number>, triangles: Uint32Array): Float32Array {
  const spread = new Float32Array(3 * triangles.length);
  triangles.forEach((vertex, corner) => {
    for (let i = 0; i < 3; ++i) spread[3 * corner + i] = numbers[3 * vertex + i]!;
  });
  return spread;
}

/** Bytes of red, green and blue as the numbers that the scene reckons with. */
function linear(colours: Uint8Array): Float32Array {
  const numbers = new Float32Array(colours.length);
  const one = new Color();
  for (let i = 0; i < colours.length; i += 3)
    one.setRGB(colours[i]! / 255, colours[i + 1]! / 255, colours[i + 2]! / 255, SRGBColorSpace).toArray(numbers, i);
  return numbers;
}

/** The mesh that a body looks like. */
export function visualPart(mesh: Mesh, name: string, materials: Materials): Part {
  const places = float32(mesh.vertices);
  const triangles = uint32(mesh.triangles);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(ofCorners(places, triangles), 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(cornerNormals(places, triangles), 3));
  if (mesh.colours !== undefined)
    geometry.setAttribute("color", new Float32BufferAttribute(ofCorners(linear(uint8(mesh.colours)), triangles), 3));
  const opacity = 0.75;
  const material = mesh.colours === undefined ? materials.solid("scene-mesh", opacity) : materials.ofVertices(opacity);
  material.side = DoubleSide;
  return {
    object: new Drawn(geometry, material),
    layer: "meshes",
    bodies: [mesh.body],
    title: `body ${name}`,
  };
}
