import { type Box3, Group, type Object3D, Vector3 } from "three";
import type { Design, Mechanism, Mesh } from "./data";
import type { Run } from "./run";
import { actuatorPart, loadPart } from "./actuators";
import { boxAt, type Extent, extent, Frame } from "./frame";
import { jointParts, loopPart, railPart } from "./joints";
import { limbsOf } from "./limbs";
import { centrePart, gravityPart, massPart, pointPart, surfacePart, visualPart } from "./marks";
import { Materials } from "./materials";
import { cornersOf } from "./outline";
import type { Layer, Part } from "./part";
import { springPart } from "./springs";

export interface Placed {
  name: string;
  position: [number, number, number];
}

/** One mechanism in the scene. Bodies are groups that take the poses of the run; everything on a
 * body is in its group, everything between bodies is laid between their points. */
export class Figure {
  readonly root = new Group();
  readonly frame: Frame;
  readonly parts: Part[] = [];
  readonly materials: Materials;
  readonly size: number;
  /** Whether it goes so far that a picture of its whole way would show it small. */
  readonly travels: boolean;
  readonly box: Box3; // of the whole run
  private readonly scale: number; // of symbols
  private readonly farthest: Extent["farthest"];
  private readonly outlines = new Map<boolean, Vector3[]>(); // of what is shown
  private readonly bodies: Group[] = [];
  private readonly points: Object3D[] = [];
  private readonly hidden = new Set<number>();
  private readonly off = new Set<Layer>();

  constructor(
    readonly design: Design,
    run: Run,
    private readonly ghost: boolean,
    meshes: Mesh[] = [],
  ) {
    const mechanism = design.mechanism;
    this.frame = new Frame(mechanism, run);
    const { box, middles, size, scale, farthest } = extent(this.frame);
    this.farthest = farthest;
    this.box = box;
    this.travels = middles.max.distanceTo(middles.min) > 0.8 * size;
    this.size = size;
    this.scale = scale;
    this.materials = new Materials(ghost, this.size);
    mechanism.bodies.forEach(() => {
      const group = new Group();
      this.bodies.push(group);
      this.root.add(group);
    });
    this.build(mechanism, meshes);
    this.show(0);
  }

  private build(mechanism: Mechanism, meshes: Mesh[]): void {
    const { frame, materials, scale: size } = this;
    const world = this.root;
    for (let b = -1; b < mechanism.bodies.length; ++b) {
      const object = limbsOf(mechanism, b, materials, size);
      const title = b < 0 ? "world" : `body ${mechanism.bodies[b]!.name}`;
      this.add({ object, layer: "limbs", bodies: [b], title }, this.bodies[b] ?? world);
    }
    mechanism.bodies.forEach((body, b) => {
      const group = this.bodies[b]!;
      for (const part of jointParts(body, b, materials, size)) this.add(part, group);
      if (body.joint === "prismatic") this.add(railPart(body, b, materials, size), world);
      if (body.mass > 0) this.add(massPart(body, b, materials, size), group);
    });
    for (const mesh of meshes) {
      const part = visualPart(mesh, mechanism.bodies[mesh.body]!.name, materials);
      this.add(part, this.bodies[mesh.body]!);
    }
    for (const point of mechanism.points) {
      const part = pointPart(point, materials, size);
      this.points.push(part.object);
      this.add(part, this.bodies[point.body] ?? world);
    }
    for (const loop of mechanism.loops) this.add(loopPart(loop, frame, materials, size), world);
    for (const spring of mechanism.springs) this.add(springPart(spring, frame, materials, size), world);
    for (const actuator of mechanism.actuators) {
      this.add(actuatorPart(actuator, frame, materials, size), world);
      this.add(loadPart(actuator, frame, materials, size), world);
    }
    for (const surface of this.design.surfaces)
      this.add(surfacePart(surface, materials, size), this.bodies[surface.body] ?? world);
    this.add(centrePart(materials, size), world);
    const gravity = new Vector3(...mechanism.gravity);
    if (gravity.length() > 0 && !this.ghost) {
      const { min, max } = boxAt(this.frame);
      const corner = new Vector3(min.x - 0.08 * this.size, min.y, max.z);
      this.add(gravityPart(gravity, corner, materials, this.size), world);
    }
  }

  private add(part: Part, parent: Object3D): void {
    part.object.traverse((object) => (object.userData["part"] = part));
    parent.add(part.object);
    this.parts.push(part);
  }

  /** Places everything as it is at a sample. */
  show(sample: number): void {
    this.frame.sample = sample;
    this.bodies.forEach((group, b) => {
      const pose = this.frame.run.pose(sample, b);
      group.position.set(pose[0]!, pose[1]!, pose[2]!);
      group.quaternion.set(pose[3]!, pose[4]!, pose[5]!, pose[6]!);
    });
    for (const part of this.parts) {
      part.update?.(this.frame);
      part.object.visible = this.isShown(part);
    }
  }

  /** Shows another run of the same mechanism. */
  play(run: Run): void {
    this.frame.run = run;
    this.outlines.clear();
    this.show(Math.min(this.frame.sample, run.samples - 1));
  }

  setLayer(layer: Layer, on: boolean): void {
    if (on) this.off.delete(layer);
    else this.off.add(layer);
    this.outlines.clear();
    this.show(this.frame.sample);
  }
  hide(bodies: Iterable<number>, on: boolean): void {
    for (const body of bodies) {
      if (on) this.hidden.add(body);
      else this.hidden.delete(body);
    }
    this.outlines.clear();
    this.show(this.frame.sample);
  }
  hasLayer(layer: Layer): boolean {
    return this.parts.some((part) => part.layer === layer);
  }

  recolour(): void {
    this.materials.recolour();
    this.show(this.frame.sample);
  }

  boxNow(): Box3 {
    return boxAt(this.frame).translate(this.root.position);
  }

  /** Corners of all that is drawn, at the instants at which it goes farthest: in the world, or, for
   * a camera that goes along, about where the mechanism is now. */
  outline(followed: boolean): Vector3[] {
    const now = this.boxNow().getCenter(new Vector3());
    let corners = this.outlines.get(followed);
    if (corners === undefined) this.outlines.set(followed, (corners = this.measured(followed)));
    return corners.map((corner) => corner.clone().add(followed ? now : this.root.position));
  }

  private measured(followed: boolean): Vector3[] {
    const before = this.frame.sample;
    const corners: Vector3[] = [];
    const from = this.root.position.clone();
    const last = this.frame.run.samples - 1; // another run may be shorter
    const samples = (followed ? this.farthest.followed : this.farthest.whole).map((one) => Math.min(one, last));
    for (const sample of new Set(samples)) {
      this.show(sample);
      this.root.updateMatrixWorld(true);
      if (followed) this.boxNow().getCenter(from);
      const first = corners.length;
      for (const part of this.parts) if (part.layer !== "surfaces") cornersOf(part.object, corners);
      for (let i = first; i < corners.length; ++i) corners[i]!.sub(from);
    }
    this.show(before);
    return corners;
  }

  /** Where the scene has the origins of all bodies, and all points, apart from where the whole
   * figure stands. */
  positions(): { bodies: Placed[]; points: Placed[] } {
    this.root.updateMatrixWorld(true);
    const at = (object: Object3D, name: string): Placed => {
      const place = this.root.worldToLocal(object.getWorldPosition(new Vector3()));
      return { name, position: [place.x, place.y, place.z] };
    };
    const { bodies, points } = this.frame.mechanism;
    return {
      bodies: this.bodies.map((group, b) => at(group, bodies[b]!.name)),
      points: this.points.map((object, p) => at(object, points[p]!.name)),
    };
  }

  private isShown(part: Part): boolean {
    if (this.off.has(part.layer) || part.object.userData["empty"] === true) return false;
    return part.bodies.length === 0 || part.bodies.some((body) => !this.hidden.has(body));
  }
}
