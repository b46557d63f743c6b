import { CylinderGeometry, Group, Mesh, SphereGeometry, Vector3 } from "three";
import type { Mechanism } from "./data";
import type { Materials } from "./materials";
import { lay } from "./part";

const rod = new CylinderGeometry(1, 1, 1, 20, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const ball = new SphereGeometry(1, 20, 14);

/** The ends of a body's limbs, in its own axes: its joint, the joints of the bodies that it carries, and its points. */
function places(mechanism: Mechanism, body: number): Vector3[] {
  const found: Vector3[] = [];
  const take = (at: ArrayLike<number>): void => {
    const place = new Vector3(at[0], at[1], at[2]);
    if (!found.some((other) => other.distanceTo(place) < 1e-9)) found.push(place);
  };
  if (body >= 0) take([0, 0, 0]);
  for (const other of mechanism.bodies) if (other.parent === body) take(other.origin);
  for (const point of mechanism.points) if (point.body === body) take(point.position);
  const own = mechanism.bodies[body];
  if (found.length < 2 && own !== undefined && own.mass > 0) take(own.com);
  return found;
}

/** The shortest tree that joins all places (Prim). */
function tree(found: Vector3[]): [number, number][] {
  const edges: [number, number][] = [];
  const distance = found.map(() => Infinity);
  const nearest = found.map(() => 0);
  const left = new Set(found.keys());
  let at = 0;
  left.delete(0);
  while (left.size > 0) {
    let next = -1;
    for (const i of left) {
      const d = found[i]!.distanceTo(found[at]!);
      if (d < distance[i]!) {
        distance[i] = d;
        nearest[i] = at;
      }
      if (next < 0 || distance[i]! < distance[next]!) next = i;
    }
    edges.push([nearest[next]!, next]);
    left.delete(next);
    at = next;
  }
  return edges;
}

/** The limbs of a body, or of the world (-1), in its own axes. */
export function limbsOf(mechanism: Mechanism, body: number, materials: Materials, size: number): Group {
  const group = new Group();
  const found = places(mechanism, body);
  const thickness = size * (body < 0 ? 0.0045 : 0.011);
  const material = materials.body(body);
  for (const [a, b] of tree(found)) {
    const limb = new Mesh(rod, material);
    lay(limb, found[a]!, found[b]!);
    limb.scale.x = limb.scale.y = thickness;
    group.add(limb);
  }
  for (const place of found) {
    const knob = new Mesh(ball, material);
    knob.position.copy(place);
    knob.scale.setScalar(thickness * 1.02);
    group.add(knob);
  }
  const own = mechanism.bodies[body];
  if (own?.ball !== undefined) {
    const weight = new Mesh(ball, material);
    weight.position.set(...own.com);
    weight.scale.setScalar(own.ball);
    group.add(weight);
  }
  return group;
}
