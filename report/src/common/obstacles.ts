import { CapsuleGeometry, CylinderGeometry, Mesh, Vector3 } from "three";
import type { Obstacle, Spring } from "./data";
import { withUnit } from "./dom";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { lay, type Part } from "./part";
import { springState } from "./springs";

const rod = new CylinderGeometry(1, 1, 1, 12, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);

/** The nearest obstacle of a spring and the places between which it is nearest; null where nothing is known. */
interface Approach {
  obstacle: number;
  onAxis: Vector3;
  onMiddle: Vector3;
}

/** At an instant between two samples places are between theirs, where the nearest obstacle is the same. */
function approachOf(spring: number, frame: Frame): Approach | null {
  const found = frame.run.approaches.find((one) => one.spring === spring);
  if (found === undefined) return null;
  const { sample, at } = frame;
  const obstacle = found.obstacles[sample]!;
  const next = found.obstacles[sample + 1] === obstacle ? sample + 1 : sample;
  const place = (end: number): Vector3 => new Vector3().fromArray(found.places, 6 * sample + 3 * end)
    .lerp(new Vector3().fromArray(found.places, 6 * next + 3 * end), at - sample);
  return { obstacle, onAxis: place(0), onMiddle: place(1) };
}

/** Whether a spring is nearer to obstacles than it may be, or, without a limit, inside one. */
function tooNear(spring: Spring, frame: Frame): boolean {
  const { clearance, beyond } = springState(spring, frame);
  return beyond === "nearer than min_clearance" || (spring.min_clearance === undefined && clearance < 0);
}

/** An obstacle in the axes of its body, in the colour of alarms while a spring is too near to it. */
export function obstaclePart(obstacle: Obstacle, index: number, materials: Materials, size: number): Part {
  const from = new Vector3(...obstacle.from);
  const to = new Vector3(...obstacle.to);
  const radius = Math.max(obstacle.radius, 0.003 * size);
  const mesh = new Mesh(new CapsuleGeometry(radius, from.distanceTo(to), 12, 28).rotateX(Math.PI / 2));
  lay(mesh, from.clone().lerp(to, 0.5), to, false);
  return {
    object: mesh,
    layer: "obstacles",
    bodies: [obstacle.body],
    title: `obstacle ${obstacle.name}`,
    update(frame) {
      const hit = frame.mechanism.springs.some((spring, s) =>
        approachOf(s, frame)?.obstacle === index && tooNear(spring, frame));
      mesh.material = materials.solid(hit ? "scene-alarm" : "scene-obstacle", 0.35);
    },
    tell: () => [`radius ${withUnit(obstacle.radius, "m")}`],
  };
}

/** A line from the axis of a spring to the surface of the nearest obstacle. */
export function approachPart(spring: Spring, index: number, frame: Frame, materials: Materials, size: number): Part {
  const line = new Mesh(rod);
  const obstacles = frame.mechanism.obstacles!;
  return {
    object: line,
    layer: "obstacles",
    bodies: [],
    title: `room around spring ${spring.name}`,
    update(now) {
      const found = approachOf(index, now);
      line.userData["empty"] = found === null;
      if (found === null) return;
      const { onAxis, onMiddle } = found;
      const way = onAxis.clone().sub(onMiddle);
      const surface = onMiddle.clone().addScaledVector(way.normalize(), obstacles[found.obstacle]!.radius);
      line.userData["approach"] = [onAxis, surface];
      lay(line, onAxis, surface);
      line.scale.x = line.scale.y = 0.003 * size;
      line.material = materials.over(tooNear(spring, now) ? "scene-alarm" : "scene-line");
    },
    tell(now) {
      const found = approachOf(index, now)!;
      return [`${withUnit(springState(spring, now).clearance, "m")} from ${obstacles[found.obstacle]!.name}`];
    },
  };
}
