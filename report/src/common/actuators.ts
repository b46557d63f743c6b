import { type BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, Vector3 } from "three";
import type { Actuator } from "./data";
import { withUnit } from "./dom";
import { range } from "./run";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { lay, type Part, turnTo } from "./part";

const cylinder = new CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const cone = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);

/** What an actuator bears and does at an instant. */
export function tellActuator(actuator: Actuator, frame: Frame): string[] {
  const [position, load, velocity] = actuator.units;
  const value = (quantity: string): number => frame.value("actuator", actuator.name, quantity);
  if (!Number.isFinite(value("position"))) return [];
  return [
    `load ${withUnit(value("load"), load)}`,
    `position ${withUnit(value("position"), position)}`,
    `velocity ${withUnit(value("velocity"), velocity)}`,
  ];
}

/** A tube at the first point with a rod that reaches into it, or a motor about its joint. */
export function actuatorPart(
  actuator: Actuator, frame: Frame, materials: Materials, size: number,
): Part {
  const group = new Group();
  const part = {
    object: group,
    layer: "actuators" as const,
    title: `actuator ${actuator.name}`,
    tell: (now: Frame) => tellActuator(actuator, now),
  };
  if (actuator.points === undefined) {
    const joint = actuator.joint!;
    const motor = new Mesh(cylinder, materials.solid("scene-actuator"));
    const slides = frame.mechanism.bodies[joint]!.joint === "prismatic";
    const r = size * (slides ? 0.013 : 0.023);
    motor.scale.set(r, r, size * (slides ? 0.075 : 0.018));
    motor.position.z = -motor.scale.z / 2;
    group.add(motor);
    const along = new Vector3();
    return {
      ...part,
      bodies: [joint],
      update(now) {
        now.place(joint, [0, 0, 0], group.position);
        turnTo(group, now.direction(joint, now.mechanism.bodies[joint]!.axis, along));
      },
    };
  }
  const points = actuator.points;
  const from = new Vector3();
  const to = new Vector3();
  const lengths = frame.run.find("actuator", actuator.name, "position")?.values;
  const shortest = lengths
    ? range(lengths)[0]
    : frame.point(points[0], from).distanceTo(frame.point(points[1], to));
  const tubeLength = 0.62 * shortest;
  const radius = Math.min(size * 0.014, shortest * 0.12);
  const tube = new Mesh(cylinder, materials.solid("scene-actuator"));
  const rod = new Mesh(cylinder, materials.solid("scene-rod"));
  group.add(tube, rod);
  return {
    ...part,
    bodies: frame.bodiesOf(points),
    update(now) {
      now.point(points[0], from);
      now.point(points[1], to);
      const length = lay(tube, from, to);
      tube.scale.set(radius, radius, Math.min(tubeLength, length));
      lay(rod, to, from);
      rod.scale.set(radius * 0.55, radius * 0.55, Math.max(length - 0.9 * tubeLength, 1e-9));
    },
  };
}

/** A straight arrow of unit length along z. */
export function arrowOf(materials: Materials, name: string, thickness: number, flat = false): Group {
  const arrow = new Group();
  const material = flat ? materials.flat(name) : materials.solid(name);
  const shaft = new Mesh<BufferGeometry>(cylinder, material);
  shaft.scale.set(thickness, thickness, 0.75);
  const head = new Mesh<BufferGeometry>(cone, material);
  head.scale.set(2.8 * thickness, 2.8 * thickness, 0.25);
  head.position.z = 0.75;
  arrow.add(shaft, head);
  return arrow;
}
