import { Vector3 } from "three";
import type { Figure } from "../common/figure";
import type { Drag, Stage } from "../common/stage";
import type { Shown } from "./scene";
import type { State } from "./state";
import type { Handle, Values } from "./studio_data";

const near = 14; // pixels
const least = 1e-6; // pixels that a slider moves a point over its whole range, to count

/** How the picture of a point moves with a slider, in pixels for all of its range. */
interface Pull {
  slider: string;
  range: number;
  x: number;
  y: number;
}

/** Lets points that sliders move be dragged in the scene: the sliders that have to move least follow the pointer. */
export class Grips {
  constructor(
    private readonly stage: Stage,
    private readonly state: State,
    private readonly shown: () => Shown | null,
  ) {
    stage.grabbed = (x, y) => this.grab(x, y);
  }

  private grab(x: number, y: number): Drag | null {
    const found = this.shown();
    if (found === null) return null;
    const { points } = found.figure.frame.mechanism;
    const places = this.stage.pixelsOf(found.figure);
    const distance = (point: number): number => {
      const [px, py] = places[points[point]!.name]!;
      return Math.hypot(px - x, py - y);
    };
    const movable = [...new Set(found.answer.handles.map((handle) => handle.point))].filter((point) => distance(point) < near);
    if (movable.length === 0) return null;
    const point = movable.reduce((best, one) => (distance(one) < distance(best) ? one : best));
    let begun = false;
    return (toX, toY) => {
      if (!begun) this.state.begin();
      begun = true;
      this.drag(point, toX, toY);
    };
  }

  /** Moves sliders so that the point comes under the pointer, as far as they can: from the values with which it is
   * where it is seen, as those that were asked for since are not drawn yet. */
  private drag(point: number, x: number, y: number): void {
    const found = this.shown();
    if (found === null) return;
    const name = found.figure.frame.mechanism.points[point]!.name;
    const place = this.stage.pixelsOf(found.figure)[name]!;
    const [dx, dy] = [x - place[0], y - place[1]];
    const pulls = this.pullsOf(found.figure, found.answer.handles.filter((handle) => handle.point === point));
    // least squares with the smallest change: range G' (G G' + e)^-1 d
    let [a, b, c] = [0, 0, 0];
    for (const pull of pulls) {
      a += pull.x * pull.x;
      b += pull.x * pull.y;
      c += pull.y * pull.y;
    }
    const damping = 1e-6 * (a + c);
    [a, c] = [a + damping, c + damping];
    const det = a * c - b * b;
    if (!(det > 0)) return;
    const [u, v] = [(c * dx - b * dy) / det, (a * dy - b * dx) / det];
    const values: Values = {};
    for (const pull of pulls)
      values[pull.slider] = (found.values[pull.slider] ?? this.state.sliders.get(pull.slider)!.begin) + pull.range * (pull.x * u + pull.y * v);
    this.state.set(values);
  }

  /** Variables of the study where any of them moves the point, or else parameters. */
  private pullsOf(figure: Figure, handles: Handle[]): Pull[] {
    const { frame } = figure;
    handles = handles.filter(({ slider }) => !this.state.isLocked(slider));
    const ofVariables = handles.filter(({ slider }) => this.state.sliders.get(slider)!.of === "variable");
    const origin = this.stage.pixel(new Vector3());
    return (ofVariables.length > 0 ? ofVariables : handles).flatMap(({ slider, point, along }): Pull[] => {
      const { low, high } = this.state.sliders.get(slider)!;
      const range = high - low;
      const { body } = frame.mechanism.points[point]!;
      const way = frame.direction(body, along, new Vector3()).clone().multiplyScalar(range);
      const { x, y } = this.stage.pixel(way);
      const pull = { slider, range, x: x - origin.x, y: y - origin.y };
      return Math.hypot(pull.x, pull.y) > least ? [pull] : [];
    });
  }
}
