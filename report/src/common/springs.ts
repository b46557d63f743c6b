import {
  BufferGeometry, Color, Curve, CurvePath, CylinderGeometry, Group, LineCurve3, Mesh, TubeGeometry, Vector3,
} from "three";
import { courseOf, discOf } from "./cables";
import type { Change, Spring } from "./data";
import { colour } from "./theme";
import { withUnit } from "./dom";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { lay, type Part, turnTo } from "./part";
import type { Scales } from "./scales";

class Helix extends Curve<Vector3> {
  constructor(private readonly turns: number, private readonly radius: number) {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    const end = 0.1;
    const inside = Math.min(Math.max((t - end) / (1 - 2 * end), 0), 1);
    const angle = 2 * Math.PI * this.turns * inside;
    const radius = this.radius * Math.min(1, 8 * inside, 8 * (1 - inside));
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), t);
  }
}

/** A spring that winds about its joint. */
class Spiral extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    const angle = 2 * Math.PI * 2.5 * t;
    const radius = 0.35 + 0.65 * t;
    return out.set(radius * Math.cos(angle), radius * Math.sin(angle), 0);
  }
}

/** A coil of unit length along z whose wire is round at `length`. */
function coil(length: number, radius: number, wire: number): BufferGeometry {
  const turns = Math.round(Math.min(Math.max(length / (radius * 0.95), 6), 16));
  const curve = new Helix(turns, radius / length);
  const geometry = new TubeGeometry(curve, turns * 18, wire / length, 7);
  return geometry.scale(length, length, 1);
}

/** How a spring is loaded at an instant. */
export interface SpringState {
  length: number;
  tension: number;
  clearance: number; // NaN where there is nothing to keep clear of
  beyond: string; // the limit that is broken, or nothing
}

export function springState(spring: Spring, frame: Frame): SpringState {
  const torsion = spring.type === "torsion";
  const length = frame.value("spring", spring.name, torsion ? "angle" : "length");
  const quantity = torsion ? "torque" : "tension";
  const tension = frame.value("spring", spring.name, quantity);
  const clearance = frame.value("spring", spring.name, "clearance");
  const slack = 1 + 1e-6;
  let beyond = "";
  if (Math.abs(tension) > (spring.max_load ?? Infinity) * slack) beyond = "beyond max_load";
  else if (length > (spring.max_length ?? Infinity) + 1e-7) beyond = "beyond max_length";
  else if (length < (spring.min_length ?? -Infinity) - 1e-7) beyond = "below min_length";
  else if (clearance < (spring.min_clearance ?? -Infinity) - 1e-7) beyond = "nearer than min_clearance";
  return { length, tension, clearance, beyond };
}

/** What a run does to a spring, in words. */
export const changeWords: Record<Change, string> = {
  added: "added to the baseline", changed: "changed", same: "as in the baseline", unused: "not used",
};

/** The names in theme.css of the colours of springs, by what a run does to them. */
export const changeColours: Record<Change, string> = {
  added: "spring-added", changed: "spring-changed", same: "spring-same", unused: "scene-spring",
};

/** Pale without tension, full where it is largest, or at its limit; beyond a limit the colour of
 * alarms. The hue says what the run does to the spring, or, where no run is shown, whether it pulls
 * or pushes. */
function springColour(spring: Spring, state: SpringState, scales: Scales, change: Change | undefined): Color {
  const of = (name: string): Color => new Color(colour(name));
  if (state.beyond !== "") return of("scene-alarm");
  if (!Number.isFinite(state.tension) || change === "unused") return of("scene-spring");
  const most = spring.max_load ?? scales.largestTension(spring.name);
  const share = most > 0 ? Math.min(Math.abs(state.tension) / most, 1) : 0;
  if (change === undefined) return of("scene-slack").lerp(of(state.tension < 0 ? "scene-push" : "scene-pull"), share);
  return of("scene-background").lerp(of(changeColours[change]), paleness + (1 - paleness) * share);
}
/** How much a slack spring has of its colour. */
const paleness = 0.4;

export function springPart(
  spring: Spring, frame: Frame, materials: Materials, scales: Scales, change: Change | undefined,
): Part {
  const size = scales.symbols;
  const group = new Group();
  const material = materials.single();
  const tell = (now: Frame): string[] => {
    const state = springState(spring, now);
    const changed = change === undefined ? [] : [changeWords[change]];
    if (!Number.isFinite(state.tension)) return [`${spring.type} spring`, ...changed];
    const [unit, loadUnit] = spring.units;
    return [
      ...changed,
      `${withUnit(state.length, unit)} ${spring.type === "torsion" ? "angle" : "long"}`,
      `${withUnit(Math.abs(state.tension), loadUnit)} ${state.tension < 0 ? "push" : "pull"}`,
      ...(Number.isNaN(state.clearance) ? [] : [`${withUnit(state.clearance, "m")} from the nearest obstacle`]),
      ...(state.beyond === "" ? [] : [state.beyond]),
    ];
  };
  const paint = (now: Frame): void => {
    if (!materials.ghost) material.color.copy(springColour(spring, springState(spring, now), scales, change));
  };
  const part = { object: group, layer: "springs" as const, title: `${spring.type} spring ${spring.name}`, tell };

  if (spring.points === undefined) {
    const joint = spring.joint!;
    const spiral = new Mesh(new TubeGeometry(new Spiral(), 90, 0.09, 7), material);
    spiral.scale.setScalar(size * 0.036);
    group.add(spiral);
    const along = new Vector3();
    return {
      ...part,
      bodies: [joint],
      update(now) {
        now.place(joint, [0, 0, 0], group.position);
        turnTo(group, now.direction(joint, now.mechanism.bodies[joint]!.axis, along));
        paint(now);
      },
    };
  }

  const lengths = frame.run.find("spring", spring.name, "length")?.values ?? [];
  let mean = 0;
  for (const one of lengths) mean += one / lengths.length;
  const points = spring.points;
  const nominal = mean > 0 ? mean : Math.max(
    frame.point(points[0], new Vector3()).distanceTo(frame.point(points[1], new Vector3())), size / 50);
  const radius = spring.radius ?? Math.min(size * 0.02, nominal * 0.18);
  const wire = new Mesh(
    spring.type === "gas"
      ? new TubeGeometry(new Straight(), 1, spring.radius ?? radius * 0.55, 16)
      : coil(nominal, radius, radius * 0.2),
    material,
  );
  group.add(wire);
  if (spring.over !== undefined) return { ...part, ...overPulleys(spring, group, wire, frame, size, materials, paint) };
  const from = new Vector3();
  const to = new Vector3();
  return {
    ...part,
    bodies: frame.bodiesOf(points),
    update(now) {
      lay(wire, now.point(points[0], from), now.point(points[1], to));
      paint(now);
    },
  };
}

/** A spring in the first straight part of its cable, the cable, and the pulleys and the cam under it. */
function overPulleys(
  spring: Spring, group: Group, wire: Mesh, frame: Frame, size: number, materials: Materials, paint: (now: Frame) => void,
): Pick<Part, "bodies" | "update"> {
  const stops = [spring.points![0], ...spring.over!, spring.points![1]];
  const cable = new Mesh(new BufferGeometry(), wire.material);
  group.add(cable);
  const wheels = spring.over!.flatMap((index) => {
    const { pulley } = frame.mechanism.points[index]!;
    if (pulley === undefined) return [];
    const wheel = new Mesh(new CylinderGeometry(pulley.radius, pulley.radius, size * 0.012, 40).rotateX(Math.PI / 2),
      materials.solid("scene-joint", 0.6));
    group.add(wheel);
    return [{ index, pulley, wheel }];
  });
  const discs = spring.points!.flatMap((index) => {
    const point = frame.mechanism.points[index]!;
    if (point.cam === undefined) return [];
    const disc = new Mesh(discOf(point, size * 0.012), materials.solid("scene-joint", 0.6));
    disc.name = `cam ${point.name}`;
    group.add(disc);
    return [{ body: point.body, disc }];
  });
  return {
    bodies: [...new Set(stops.map((index) => frame.mechanism.points[index]!.body))],
    update(now) {
      const course = courseOf(now, stops, now.value("spring", spring.name, "length"));
      group.userData["cable"] = course;
      const [from, to] = [course[0]!, course[1]!];
      const end = from.clone().lerp(to, 0.7);
      lay(wire, from, end);
      const line = new CurvePath<Vector3>();
      [end, ...course.slice(1)].reduce((one, next) => (line.add(new LineCurve3(one, next)), next));
      cable.geometry.dispose();
      cable.geometry = new TubeGeometry(line, 12 * course.length, size * 0.0025, 5);
      for (const { index, pulley, wheel } of wheels) {
        now.point(index, wheel.position);
        turnTo(wheel, now.direction(now.mechanism.points[index]!.body, pulley.axis, new Vector3()));
      }
      for (const { body, disc } of discs)
        if (body >= 0) {
          const { origin, turn } = now.pose(body);
          disc.position.copy(origin);
          disc.quaternion.copy(turn);
        }
      paint(now);
    },
  };
}

class Straight extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    return out.set(0, 0, t);
  }
}
