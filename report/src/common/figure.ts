import { type Box3, Group, Line, Mesh as Mesh3D, type Object3D, Vector3 } from "three";
import type { Design, Mechanism, Mesh } from "./data";
import type { Run } from "./run";
import { actuatorPart } from "./actuators";
import { withUnit } from "./dom";
import { boxAt, extent, farthest } from "./extent";
import { Frame } from "./frame";
import { jointParts, loopPart, railPart } from "./joints";
import { limbsOf } from "./limbs";
import { isRounding, loadPart, reachOfLoad } from "./loads";
import { centrePart, forcePart, gravityPart, massPart, pathPart, pointPart, surfacePart, visualPart } from "./marks";
import { Materials } from "./materials";
import { approachPart, obstaclePart } from "./obstacles";
import { shownCorners } from "./outline";
import type { Layer, Part } from "./part";
import type { Scales } from "./scales";
import { springPart } from "./springs";

export interface Placed {
  name: string;
  position: [number, number, number];
}

/** What a picture need not show whole: surfaces, and paths, which the points on them take into view. */
const unbounded: Layer[] = ["surfaces", "paths"];

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
  private readonly farthest: ReturnType<typeof farthest>;
  private readonly outlines = new Map<boolean, Vector3[]>(); // of what is shown
  private readonly bodies: Group[] = [];
  private readonly points: Object3D[] = [];
  private readonly hidden = new Set<number>();
  private readonly off = new Set<Layer>();

  constructor(
    readonly design: Design,
    run: Run,
    readonly name: string,
    private readonly scales: Scales,
    meshes: Mesh[] = [],
  ) {
    const mechanism = design.mechanism;
    this.frame = new Frame(mechanism, run);
    const { box, middles, size } = extent(this.frame);
    this.farthest = farthest(this.frame, (reached) => {
      for (const actuator of mechanism.actuators) reachOfLoad(actuator, this.frame, scales, reached);
    });
    this.box = box;
    this.travels = middles.max.distanceTo(middles.min) > 0.8 * size;
    this.size = size;
    this.materials = new Materials(this.size);
    mechanism.bodies.forEach(() => {
      const group = new Group();
      this.bodies.push(group);
      this.root.add(group);
    });
    this.build(mechanism, meshes);
    this.show(0);
  }

  private build(mechanism: Mechanism, meshes: Mesh[]): void {
    const { frame, materials, scales } = this;
    const size = scales.symbols;
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
    for (const point of this.design.paths) {
      const part = pathPart(point, frame, materials, size);
      if (part !== null) this.add(part, world);
    }
    for (const loop of mechanism.loops) this.add(loopPart(loop, frame, materials, size), world);
    mechanism.springs.forEach((spring, s) =>
      this.add(springPart(spring, frame, materials, scales, this.design.changes?.[s]), world));
    for (const [index, obstacle] of (mechanism.obstacles ?? []).entries())
      this.add(obstaclePart(obstacle, index, materials, size), this.bodies[obstacle.body] ?? world);
    mechanism.springs.forEach((spring, s) => {
      if (mechanism.obstacles !== undefined) this.add(approachPart(spring, s, frame, materials, size), world);
    });
    for (const actuator of mechanism.actuators) {
      this.add(actuatorPart(actuator, frame, materials, size), world);
      this.add(loadPart(actuator, frame, materials, scales), world);
    }
    for (const surface of this.design.surfaces)
      this.add(surfacePart(surface, materials, size), this.bodies[surface.body] ?? world);
    this.add(centrePart(materials, size), world);
    for (const force of mechanism.forces ?? []) this.add(forcePart(force, frame, materials, this.size), world);
    const gravity = new Vector3(...mechanism.gravity);
    if (gravity.length() > 0) {
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

  /** Places everything as it is at an instant, given in samples. */
  show(at: number): void {
    this.frame.at = at;
    this.bodies.forEach((group, b) => {
      const { origin, turn } = this.frame.pose(b);
      group.position.copy(origin);
      group.quaternion.copy(turn);
    });
    for (const part of this.parts) {
      part.update?.(this.frame);
      part.object.visible = this.isShown(part);
    }
    for (const { part } of this.largest()) part.object.visible = true;
  }

  /** Shows another run of the same mechanism. */
  play(run: Run): void {
    this.frame.run = run;
    this.outlines.clear();
    this.show(Math.min(this.frame.at, run.samples - 1));
  }

  setLayer(layer: Layer, on: boolean): void {
    if (on) this.off.delete(layer);
    else this.off.add(layer);
    this.outlines.clear();
    this.show(this.frame.at);
  }
  hide(bodies: Iterable<number>, on: boolean): void {
    for (const body of bodies) {
      if (on) this.hidden.add(body);
      else this.hidden.delete(body);
    }
    this.outlines.clear();
    this.show(this.frame.at);
  }
  hasLayer(layer: Layer): boolean {
    return this.parts.some((part) => part.layer === layer);
  }

  /** Gives back what the graphics hold of it. */
  dispose(): void {
    this.root.traverse((object) => {
      if (object instanceof Mesh3D || object instanceof Line) object.geometry.dispose();
    });
  }

  recolour(): void {
    this.materials.recolour();
    this.show(this.frame.at);
  }

  /** The box of the whole run, or of this instant, where the figure stands. */
  boxOf(now: boolean): Box3 {
    return (now ? boxAt(this.frame) : this.box.clone()).translate(this.root.position);
  }

  /** The largest load of each unit at this instant, and where its arrow ends in the world. */
  largestLoads(): { text: string; place: Vector3 }[] {
    return this.largest().map(({ part, load }) => {
      const { actuator, tip } = part.load!;
      return { text: `${actuator.name} ${withUnit(load, actuator.units[1])}`, place: tip.clone().add(this.root.position) };
    });
  }
  private largest(): { part: Part; load: number }[] {
    const found = new Map<string, { part: Part; load: number }>();
    for (const part of this.parts) {
      if (part.load === undefined || !this.isOn(part)) continue;
      const { name, units } = part.load.actuator;
      const load = this.frame.value("actuator", name, "load");
      const before = Math.abs(found.get(units[1])?.load ?? isRounding * this.scales.largestLoad(units[1]));
      if (Math.abs(load) > before) found.set(units[1], { part, load });
    }
    return [...found.values()];
  }

  /** The loops that are drawn as open. */
  get openLoops(): string[] {
    return this.parts.filter((part) => part.object.userData["open"] === true).map((part) => part.title);
  }

  /** Corners of all that is drawn, at the instants at which it goes farthest: in the world, or, for
   * a camera that goes along, about where the mechanism is now. */
  outline(followed: boolean): Vector3[] {
    const now = this.boxOf(true).getCenter(new Vector3());
    let corners = this.outlines.get(followed);
    if (corners === undefined) this.outlines.set(followed, (corners = this.measured(followed)));
    return corners.map((corner) => corner.clone().add(followed ? now : this.root.position));
  }

  private measured(followed: boolean): Vector3[] {
    const before = this.frame.at;
    const corners: Vector3[] = [];
    const from = this.root.position.clone();
    const last = this.frame.run.samples - 1; // another run may be shorter
    const samples = (followed ? this.farthest.followed : this.farthest.whole).map((one) => Math.min(one, last));
    for (const sample of new Set(samples)) {
      this.show(sample);
      this.root.updateMatrixWorld(true);
      if (followed) this.boxOf(true).getCenter(from);
      const first = corners.length;
      for (const part of this.parts) if (!unbounded.includes(part.layer)) shownCorners(part.object, corners);
      for (let i = first; i < corners.length; ++i) corners[i]!.sub(from);
    }
    this.show(before);
    return corners;
  }

  /** The places that each path of a point goes through, one after the other. */
  get paths(): Record<string, number[]> {
    return Object.fromEntries(this.parts.filter(({ layer }) => layer === "paths")
      .map(({ title, object }) => [title, (object.userData["places"] as Vector3[]).flatMap((place) => place.toArray())]));
  }

  /** The places that each cable of a spring goes through, as it is drawn. */
  get cables(): Record<string, number[]> {
    return Object.fromEntries(this.parts.filter(({ object }) => object.userData["cable"] !== undefined)
      .map(({ title, object }) => [title, (object.userData["cable"] as Vector3[]).flatMap((place) => place.toArray())]));
  }

  /** The corners of each cam's disc, as it is drawn. */
  get cams(): Record<string, number[]> {
    this.root.updateMatrixWorld(true);
    const discs = this.parts.flatMap(({ object }) => object.children.filter(({ name }) => name.startsWith("cam ")) as Mesh3D[]);
    return Object.fromEntries(discs.map((disc) => {
      const corners = disc.geometry.getAttribute("position");
      return [disc.name, [...Array(corners.count).keys()].flatMap((i) =>
        new Vector3().fromBufferAttribute(corners, i).applyMatrix4(disc.matrixWorld).toArray())];
    }));
  }

  /** Where each line from a spring to the nearest obstacle begins and ends, as it is drawn. */
  get approaches(): Record<string, number[]> {
    return Object.fromEntries(this.parts.filter(({ object }) => object.userData["approach"] !== undefined)
      .map(({ title, object }) => [title, (object.userData["approach"] as Vector3[]).flatMap((place) => place.toArray())]));
  }

  /** Where the scene has the origins of all bodies, and all points: in the world, or apart from where
   * the whole figure stands. */
  positions(inWorld = false): { bodies: Placed[]; points: Placed[] } {
    this.root.updateMatrixWorld(true);
    const at = (object: Object3D, name: string): Placed => {
      const world = object.getWorldPosition(new Vector3());
      const place = inWorld ? world : this.root.worldToLocal(world);
      return { name, position: [place.x, place.y, place.z] };
    };
    const { bodies, points } = this.frame.mechanism;
    return {
      bodies: this.bodies.map((group, b) => at(group, bodies[b]!.name)),
      points: this.points.map((object, p) => at(object, points[p]!.name)),
    };
  }

  private isShown(part: Part): boolean {
    return this.isOn(part) && part.object.userData["empty"] !== true;
  }
  /** Whether the switches and the tree show a part. */
  private isOn(part: Part): boolean {
    if (this.off.has(part.layer)) return false;
    return part.bodies.length === 0 || part.bodies.some((body) => !this.hidden.has(body));
  }
}
