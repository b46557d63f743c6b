import {
  BoxGeometry, BufferGeometry, CylinderGeometry, DoubleSide, Float32BufferAttribute, Group, Mesh as Drawn,
  MeshLambertMaterial, OctahedronGeometry, PlaneGeometry, SphereGeometry, Uint32BufferAttribute,
  Vector3,
} from "three";
import { type Body, float32, type Mesh, type Point, type Surface, uint32 } from "./data";
import { number } from "./dom";
import { arrowOf } from "./actuators";
import type { Materials } from "./materials";
import { type Part, turnTo } from "./part";

const ball = new SphereGeometry(1, 28, 18);
const gem = new OctahedronGeometry(1);
const foot = new BoxGeometry(1, 1, 1);

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

/** The mesh that a body looks like. */
export function visualPart(mesh: Mesh, name: string, materials: Materials): Part {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(float32(mesh.vertices), 3));
  geometry.setIndex(new Uint32BufferAttribute(uint32(mesh.triangles), 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  const material = materials.solid("scene-mesh", 0.75);
  material.side = DoubleSide;
  return {
    object: new Drawn(flat, material),
    layer: "meshes",
    bodies: [mesh.body],
    title: `body ${name}`,
  };
}
