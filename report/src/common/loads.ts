import { type Box3, type BufferGeometry, ConeGeometry, Curve, CylinderGeometry, Group, Mesh, TubeGeometry, Vector3 } from "three";
import { tellActuator } from "./actuators";
import type { Actuator } from "./data";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { type Part, turnTo } from "./part";
import type { Scales } from "./scales";

const cylinder = new CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const cone = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);

/** An arrow and an arc have an edge in the colour of the background, below all arrows, so that they
 * stand out from bodies of whatever colour. */
const looks = [
  { name: "scene-background", order: 3, edge: 0.7 },
  { name: "scene-load", order: 4, edge: 0 },
];

const longest = 0.16; // of an arrow, as a share of the mechanism's size
const radius = 0.055; // of an arc
const mostOfCircle = 0.8;
/** Loads below these shares of the largest have no arrow, and are rounding. */
const least = 0.01;
export const isRounding = 1e-9;

/** The load of an actuator as a share of the largest of its unit in all designs and at all instants. */
function shareOf(actuator: Actuator, frame: Frame, scales: Scales): number {
  const most = scales.largestLoad(actuator.units[1]);
  const load = frame.value("actuator", actuator.name, "load");
  return most > 0 && Math.abs(load) > isRounding * most ? load / most : 0;
}

/** Where the load of an actuator acts: its ends, and the way from the first to the second. Drivers of
 * joints have one end. */
function actsAt(actuator: Actuator, frame: Frame): { ends: Vector3[]; along: Vector3 } {
  if (actuator.points) {
    const ends = actuator.points.map((point) => frame.point(point, new Vector3()));
    return { ends, along: ends[1]!.clone().sub(ends[0]!).normalize() };
  }
  const joint = actuator.joint!;
  const along = frame.direction(joint, frame.mechanism.bodies[joint]!.axis, new Vector3());
  return { ends: [frame.place(joint, [0, 0, 0], new Vector3())], along };
}

/** A straight arrow, never shorter than its head. */
class Arrow {
  readonly object = new Group();
  private readonly pieces: { shaft: Mesh; head: Mesh; edge: number }[];

  constructor(materials: Materials, private readonly thickness: number) {
    this.pieces = looks.map(({ name, order, edge }) => {
      const material = materials.over(name);
      const shaft = new Mesh<BufferGeometry>(cylinder, material);
      const head = new Mesh<BufferGeometry>(cone, material);
      shaft.renderOrder = head.renderOrder = order;
      this.object.add(shaft, head);
      return { shaft, head, edge: edge * thickness };
    });
  }

  lay(from: Vector3, direction: Vector3, length: number): void {
    const r = this.thickness;
    const headLength = Math.min(length, 6 * r);
    this.object.position.copy(from);
    turnTo(this.object, direction);
    for (const { shaft, head, edge } of this.pieces) {
      shaft.position.z = -edge;
      shaft.scale.set(r + edge, r + edge, Math.max(length - headLength + edge, 1e-9));
      head.position.z = length - headLength - edge;
      head.scale.set(3 * r + edge, 3 * r + edge, headLength + 3 * edge);
    }
  }
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
const leastSegments = 4;

/** An arc with a head, about z. */
class Arc {
  readonly object = new Group();
  private readonly pieces: { geometry: TubeGeometry; head: Mesh }[];

  constructor(materials: Materials, size: number) {
    this.pieces = looks.map(({ name, order, edge }) => {
      const geometry = new TubeGeometry(new Circle(), arcSegments, 0.08 + 0.07 * edge, arcSides);
      const material = materials.over(name);
      const arc = new Mesh(geometry, material);
      const head = new Mesh<BufferGeometry>(cone, material);
      arc.renderOrder = head.renderOrder = order;
      head.scale.set(0.24 + 0.09 * edge, 0.24 + 0.09 * edge, 0.46 + 0.24 * edge);
      this.object.add(arc, head);
      return { geometry, head };
    });
    this.object.scale.setScalar(size * radius);
  }

  /** Lays it about an axis through a place, and returns where its head is. */
  lay(at: Vector3, axis: Vector3, share: number): Vector3 {
    const segments = Math.max(Math.round(share * mostOfCircle * arcSegments), leastSegments);
    const angle = (2 * Math.PI * segments) / arcSegments;
    this.object.position.copy(at);
    turnTo(this.object, axis);
    for (const { geometry, head } of this.pieces) {
      geometry.setDrawRange(0, segments * arcSides * 6);
      head.position.set(Math.cos(angle), Math.sin(angle), 0);
      turnTo(head, new Vector3(-Math.sin(angle), Math.cos(angle), 0));
    }
    this.object.updateMatrix();
    return new Vector3(Math.cos(angle), Math.sin(angle), 0).applyMatrix4(this.object.matrix);
  }
}

/** The load of an actuator, drawn over everything: two arrows outside its ends, which point away from
 * each other where it pushes and towards each other where it pulls, or an arc about its axis. The
 * largest load of all actuators of the unit has the full length. */
export function loadPart(actuator: Actuator, frame: Frame, materials: Materials, scales: Scales): Part {
  const group = new Group();
  const tip = new Vector3();
  const part = {
    object: group,
    layer: "loads" as const,
    bodies: actuator.points ? frame.bodiesOf(actuator.points) : [actuator.joint!],
    title: `load of ${actuator.name}`,
    tell: (now: Frame) => tellActuator(actuator, now),
    load: { actuator, tip },
  };
  const acts = (now: Frame): { share: number; ends: Vector3[]; along: Vector3 } => {
    const share = shareOf(actuator, now, scales);
    group.userData["empty"] = Math.abs(share) < least;
    return { share, ...actsAt(actuator, now) };
  };
  if (actuator.units[1] === "N*m") {
    const arc = new Arc(materials, scales.symbols);
    group.add(arc.object);
    return {
      ...part,
      update(now) {
        const { share, ends, along } = acts(now);
        tip.copy(arc.lay(ends[0]!, share < 0 ? along.negate() : along, Math.abs(share)));
      },
    };
  }
  const thickness = scales.symbols * 0.006;
  const arrows = [0, 1].map(() => new Arrow(materials, thickness));
  for (const { object } of arrows) group.add(object);
  return {
    ...part,
    update(now) {
      const { share, ends, along } = acts(now);
      const length = Math.max(Math.abs(share) * longest * scales.symbols, 6 * thickness);
      arrows.forEach(({ object }, i) => (object.visible = i < ends.length));
      if (ends.length === 1) {
        arrows[0]!.lay(ends[0]!, along.clone().multiplyScalar(Math.sign(share || 1)), length);
        tip.copy(ends[0]!).addScaledVector(along, length * Math.sign(share));
        return;
      }
      ends.forEach((end, i) => {
        const outward = along.clone().multiplyScalar(i === 1 ? 1 : -1);
        const far = end.clone().addScaledVector(outward, length);
        if (share < 0) arrows[i]!.lay(far, outward.negate(), length);
        else arrows[i]!.lay(end, outward, length);
        if (i === 1) tip.copy(far);
      });
    },
  };
}

/** Takes the ends of an actuator's arrows into a box. */
export function reachOfLoad(actuator: Actuator, frame: Frame, scales: Scales, box: Box3): void {
  const { ends, along } = actsAt(actuator, frame);
  const round = actuator.units[1] === "N*m";
  const length = scales.symbols * (round ? 1.5 * radius : longest * Math.abs(shareOf(actuator, frame, scales)));
  for (const end of ends)
    for (const way of round ? [new Vector3(1, 1, 1), new Vector3(-1, -1, -1)] : [along, along.clone().negate()])
      box.expandByPoint(end.clone().addScaledVector(way, length));
}
