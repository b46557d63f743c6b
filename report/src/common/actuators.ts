import {
  BufferGeometry, ConeGeometry, Curve, CylinderGeometry, Group, Mesh, TubeGeometry, Vector3,
} from "three";
import type { Actuator } from "./data";
import { withUnit } from "./dom";
import { largest, range } from "./run";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { lay, type Part, turnTo } from "./part";

const cylinder = new CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const cone = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);

function tell(actuator: Actuator, frame: Frame): string[] {
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
    tell: (now: Frame) => tell(actuator, now),
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

class Circle extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    return out.set(Math.cos(2 * Math.PI * t), Math.sin(2 * Math.PI * t), 0);
  }
}
const arcSegments = 96;
const arcSides = 8;

/** The load of an actuator: two arrows that push its ends apart or pull them together, or an arc
 * about its axis. The largest load of all actuators of the unit has the full length. */
export function loadPart(
  actuator: Actuator, frame: Frame, materials: Materials, size: number,
): Part {
  const group = new Group();
  const material = materials.solid("scene-load");
  const most = Math.max(
    ...frame.mechanism.actuators
      .filter((other) => other.units[1] === actuator.units[1])
      .map((other) => largest(frame.run.find("actuator", other.name, "load")?.values ?? [])),
  );
  const share = (now: Frame): number => {
    const load = now.value("actuator", actuator.name, "load");
    return most > 0 && Number.isFinite(load) ? load / most : 0;
  };
  const part = {
    object: group,
    layer: "loads" as const,
    title: `load of ${actuator.name}`,
    tell: (now: Frame) => tell(actuator, now),
  };
  const along = new Vector3();
  if (actuator.units[1] === "N*m") {
    const joint = actuator.joint!;
    const geometry = new TubeGeometry(new Circle(), arcSegments, 0.07, arcSides);
    const arc = new Mesh(geometry, material);
    const tip = new Mesh(cone, material);
    tip.scale.set(0.2, 0.2, 0.42);
    group.add(arc, tip);
    group.scale.setScalar(size * 0.055);
    return {
      ...part,
      bodies: [joint],
      update(now) {
        const s = share(now);
        const segments = Math.round(Math.abs(s) * 0.8 * arcSegments);
        group.userData["empty"] = segments < 3;
        geometry.setDrawRange(0, segments * arcSides * 6);
        const angle = (2 * Math.PI * segments) / arcSegments;
        tip.position.set(Math.cos(angle), Math.sin(angle), 0);
        turnTo(tip, new Vector3(-Math.sin(angle), Math.cos(angle), 0));
        now.place(joint, [0, 0, 0], group.position);
        now.direction(joint, now.mechanism.bodies[joint]!.axis, along);
        turnTo(group, s < 0 ? along.negate() : along);
      },
    };
  }
  const arrows = [0, 1].map(() => {
    const arrow = new Group();
    const shaft = new Mesh(cylinder, material);
    const head = new Mesh(cone, material);
    arrow.add(shaft, head);
    group.add(arrow);
    return { arrow, shaft, head };
  });
  const from = new Vector3();
  const to = new Vector3();
  const bodies = actuator.points ? frame.bodiesOf(actuator.points) : [actuator.joint!];
  return {
    ...part,
    bodies,
    update(now) {
      if (actuator.points) {
        now.point(actuator.points[0], from);
        now.point(actuator.points[1], to);
        along.copy(to).sub(from).normalize();
      } else {
        now.place(actuator.joint!, [0, 0, 0], to);
        now.direction(actuator.joint!, now.mechanism.bodies[actuator.joint!]!.axis, along);
      }
      const s = share(now);
      const length = Math.abs(s) * size * 0.16;
      const r = size * 0.005;
      const headLength = Math.min(length * 0.5, r * 5);
      group.userData["empty"] = length < 2 * r;
      arrows.forEach(({ arrow, shaft, head }, i) => {
        arrow.visible = i === 1 || actuator.points !== undefined;
        const outward = along.clone().multiplyScalar((i === 1 ? 1 : -1) * Math.sign(s || 1));
        arrow.position.copy(i === 1 ? to : from);
        turnTo(arrow, outward);
        shaft.scale.set(r, r, Math.max(length - headLength, 1e-9));
        head.scale.set(2.6 * r, 2.6 * r, Math.max(headLength, 1e-9));
        head.position.z = length - headLength;
      });
    },
  };
}

/** A straight arrow of unit length along z. */
export function arrowOf(materials: Materials, name: string, thickness: number): Group {
  const arrow = new Group();
  const shaft = new Mesh<BufferGeometry>(cylinder, materials.solid(name));
  shaft.scale.set(thickness, thickness, 0.75);
  const head = new Mesh<BufferGeometry>(cone, materials.solid(name));
  head.scale.set(2.8 * thickness, 2.8 * thickness, 0.25);
  head.position.z = 0.75;
  arrow.add(shaft, head);
  return arrow;
}
