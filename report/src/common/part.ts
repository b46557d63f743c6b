import { Object3D, Quaternion, Vector3 } from "three";
import type { Actuator } from "./data";
import type { Frame } from "./frame";

/** What a switch of the page shows and hides together. */
export const layers = {
  limbs: "Bodies",
  meshes: "Meshes",
  masses: "Mass as ellipsoids",
  joints: "Joints",
  axes: "Joint axes",
  springs: "Springs",
  obstacles: "Obstacles",
  actuators: "Actuators",
  loops: "Loops",
  points: "Points and anchors",
  paths: "Paths of points",
  loads: "Load arrows",
  centre: "Centre of mass",
  gravity: "Gravity",
  surfaces: "Surfaces",
} as const;
export type Layer = keyof typeof layers;
/** Which switches are on at first. */
export const offAtFirst: Layer[] = ["masses", "axes"];

/** Something that is drawn, shown by a switch unless all bodies that it belongs to are hidden. */
export interface Part {
  object: Object3D;
  layer: Layer;
  bodies: number[];
  title: string; // "spring lift_spring"
  update?(frame: Frame): void;
  tell?(frame: Frame): string[]; // further lines on hover
  load?: { actuator: Actuator; tip: Vector3 }; // of the arrow that shows a load: where it ends
}

const up = new Vector3(0, 0, 1);

/** Lays an object whose own axis is z from one place to another; a length scales it along. */
export function lay(object: Object3D, from: Vector3, to: Vector3, stretch = true): number {
  const along = to.clone().sub(from);
  const length = along.length();
  object.position.copy(from);
  if (length > 0) object.quaternion.setFromUnitVectors(up, along.divideScalar(length));
  if (stretch) object.scale.set(1, 1, Math.max(length, 1e-9));
  return length;
}

export function turnTo(object: Object3D, axis: Vector3): void {
  object.quaternion.copy(new Quaternion().setFromUnitVectors(up, axis.clone().normalize()));
}
