import { BufferGeometry, Color, Curve, Group, Mesh, TubeGeometry, Vector3 } from "three";
import type { Spring } from "./data";
import { colour } from "./theme";
import { number, withUnit } from "./dom";
import { largest } from "./run";
import type { Frame } from "./frame";
import type { Materials } from "./materials";
import { lay, type Part, turnTo } from "./part";

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
  share: number; // of its limit, or of its largest tension
  beyond: string; // the limit that is broken, or nothing
}

export function springState(spring: Spring, frame: Frame): SpringState {
  const torsion = spring.type === "torsion";
  const length = frame.value("spring", spring.name, torsion ? "angle" : "length");
  const quantity = torsion ? "torque" : "tension";
  const tension = frame.value("spring", spring.name, quantity);
  const all = frame.run.find("spring", spring.name, quantity);
  const most = spring.max_load ?? (all ? largest(all.values) : 0);
  const slack = 1 + 1e-6;
  let beyond = "";
  if (Math.abs(tension) > (spring.max_load ?? Infinity) * slack) beyond = "beyond max_load";
  else if (length > (spring.max_length ?? Infinity) + 1e-7) beyond = "beyond max_length";
  else if (length < (spring.min_length ?? -Infinity) - 1e-7) beyond = "below min_length";
  return { length, tension, share: most > 0 ? Math.min(Math.abs(tension) / most, 1) : 0, beyond };
}

/** Pale without tension, dark where it is largest; another hue where the spring pushes; the colour
 * of alarms beyond a limit. */
export function springColour(state: SpringState): Color {
  if (state.beyond !== "") return new Color(colour("scene-alarm"));
  const strong = new Color(colour(state.tension < 0 ? "scene-push" : "scene-pull"));
  if (!Number.isFinite(state.tension)) return new Color(colour("scene-spring"));
  return new Color(colour("scene-slack")).lerp(strong, state.share);
}

export function springPart(spring: Spring, frame: Frame, materials: Materials, size: number): Part {
  const group = new Group();
  const material = materials.single();
  const tell = (now: Frame): string[] => {
    const state = springState(spring, now);
    if (!Number.isFinite(state.tension)) return [`${spring.type} spring`];
    const [unit, loadUnit] = spring.units;
    return [
      `${withUnit(state.length, unit)} ${spring.type === "torsion" ? "angle" : "long"}`,
      `${withUnit(Math.abs(state.tension), loadUnit)} ${state.tension < 0 ? "push" : "pull"}`,
      ...(state.beyond === "" ? [] : [state.beyond]),
    ];
  };
  const paint = (now: Frame): void => {
    if (!materials.ghost) material.color.copy(springColour(springState(spring, now)));
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
  const radius = Math.min(size * 0.02, nominal * 0.18);
  const wire = new Mesh(
    spring.type === "gas"
      ? new TubeGeometry(new Straight(), 1, radius * 0.55, 16)
      : coil(nominal, radius, radius * 0.2),
    material,
  );
  group.add(wire);
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

class Straight extends Curve<Vector3> {
  constructor() {
    super();
  }
  override getPoint(t: number, out = new Vector3()): Vector3 {
    return out.set(0, 0, t);
  }
}

/** What the colours of springs stand for, in words for the legend. */
export function legendOf(spring: Spring, frame: Frame): string {
  const all = frame.run.find("spring", spring.name, spring.type === "torsion" ? "torque" : "tension");
  const most = spring.max_load ?? (all ? largest(all.values) : 0);
  return `${spring.name}: ${number(most)} ${spring.units[1]}`;
}
