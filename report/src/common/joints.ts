import {
  BoxGeometry, BufferGeometry, CylinderGeometry, Group, Line, Mesh, TorusGeometry, Vector3,
} from "three";
import type { Body, Loop } from "./data";
import { withUnit } from "./dom";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { lay, type Part, turnTo } from "./part";
import { between } from "./run";

const drum = new CylinderGeometry(1, 1, 1, 24).rotateX(Math.PI / 2);
const box = new BoxGeometry(1, 1, 1);
const ring = new TorusGeometry(1, 0.28, 10, 28);
const rod = new CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const axisLine = new BufferGeometry().setFromPoints([new Vector3(0, 0, -1), new Vector3(0, 0, 1)]);

/** The joint before a body, at the body's origin in its own axes. */
export function jointParts(body: Body, index: number, materials: Materials, size: number): Part[] {
  const title = `${body.joint} joint ${body.name}`;
  const r = size * 0.016;
  const tell = (frame: Frame): string[] => {
    const q = frame.run.find("joint", body.name, "q");
    return q === undefined ? [] : [`position ${withUnit(between(q.values, frame.at), q.unit)}`];
  };
  const symbol = new Group();
  if (body.joint === "revolute") {
    const mesh = new Mesh(drum, materials.solid("scene-joint"));
    mesh.scale.set(r, r, 2.6 * r);
    symbol.add(mesh);
  } else if (body.joint === "prismatic") {
    const mesh = new Mesh(box, materials.solid("scene-slider"));
    mesh.scale.set(1.5 * r, 1.5 * r, 3.6 * r);
    symbol.add(mesh);
  } else {
    const mesh = new Mesh(box, materials.solid("scene-joint"));
    mesh.scale.setScalar(0.9 * r);
    symbol.add(mesh);
  }
  const axis = new Vector3(...body.axis);
  turnTo(symbol, axis);
  const bodies = [index];
  const parts: Part[] = [{ object: symbol, layer: "joints", bodies, title, tell }];
  if (body.joint !== "fixed") {
    const line = new Line(axisLine, materials.line);
    line.scale.setScalar(size * 0.07);
    turnTo(line, axis);
    parts.push({ object: line, layer: "axes", bodies, title: `axis of ${body.name}` });
  }
  return parts;
}

/** The rail of a prismatic joint, from where the body is at position 0 to where it is. */
export function railPart(body: Body, index: number, materials: Materials, size: number): Part {
  const rail = new Mesh(rod, materials.solid("scene-rod"));
  const from = new Vector3();
  const to = new Vector3();
  return {
    object: rail,
    layer: "joints",
    bodies: [index],
    title: `rail of ${body.name}`,
    update(now) {
      lay(rail, now.place(body.parent, body.origin, from), now.place(index, [0, 0, 0], to));
      rail.scale.x = rail.scale.y = size * 0.006;
    },
  };
}

/** How far a loop is open at an instant, as the program says: 0 where it closes. Poses in a page are
 * rounded, so that points measured in it never meet. */
export function gapOf(loop: Loop, frame: Frame): number {
  const gap = frame.value("loop", loop.name, "gap");
  return Number.isFinite(gap) ? gap : 0;
}

/** A loop closure at its first point, with its kept axes; where it is open, the gap. */
export function loopPart(loop: Loop, frame: Frame, materials: Materials, size: number): Part {
  const group = new Group();
  const mark = new Mesh(ring, materials.solid("scene-loop"));
  mark.scale.setScalar(size * 0.02);
  group.add(mark);
  const gap = new Line(new BufferGeometry(), materials.gap);
  const ends = [0, 1].map(() => {
    const end = new Mesh(drum, materials.gapEnd);
    end.scale.setScalar(size * 0.009);
    return end;
  });
  for (const object of [gap, ...ends]) object.renderOrder = 2;
  const axes = (loop.axes ?? []).map(() => {
    const line = new Line(axisLine, materials.line);
    line.scale.setScalar(size * 0.05);
    return line;
  });
  group.add(gap, ...ends, ...axes);
  const bodies = frame.bodiesOf(loop.points);
  const from = new Vector3();
  const to = new Vector3();
  const along = new Vector3();
  return {
    object: group,
    layer: "loops",
    bodies,
    title: `loop ${loop.name}`,
    update(now) {
      now.point(loop.points[0], from);
      now.point(loop.points[1], to);
      mark.position.copy(from);
      if (loop.axes !== undefined)
        turnTo(mark, now.direction(bodies[0]!, loop.axes[0], along));
      axes.forEach((line, i) => {
        line.position.copy(i === 0 ? from : to);
        turnTo(line, now.direction(bodies[i]!, loop.axes![i]!, along));
      });
      const open = gapOf(loop, now) > 0;
      group.userData["open"] = open;
      gap.visible = open;
      for (const [i, end] of ends.entries()) {
        end.visible = open;
        end.position.copy(i === 0 ? from : to);
      }
      if (!open) return;
      gap.geometry.setFromPoints([from, to]);
      gap.computeLineDistances();
    },
    tell(now) {
      const gapNow = gapOf(loop, now);
      const keeps = loop.keep === "point" ? "keeps two points together" : `keeps ${loop.keep}`;
      return gapNow > 0 ? [keeps, `open by ${withUnit(gapNow, "m")}`] : [keeps];
    },
  };
}
