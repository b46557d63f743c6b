import { h, said } from "./dom";
import type { Figure } from "./figure";
import { range } from "./run";
import { changeColours, changeWords } from "./springs";

/** A ramp from pale to full in the colour of springs, beside what it stands for. */
function ramp(colours: string[], words: string): HTMLElement {
  const bar = h("span", { class: "ramp", "aria-hidden": "true" });
  for (const one of colours) {
    const piece = h("span");
    piece.style.backgroundColor = one;
    bar.append(piece);
  }
  return h("span", { class: "spring-colour" }, bar, words);
}
const mixed = (from: string, to: string, share: number): string =>
  `color-mix(in srgb, var(--${to}) ${share}%, var(--${from}))`;

/** What the colours of springs and of arrows stand for; nothing where there are none. */
export function sceneLegend(figures: Figure[]): HTMLElement | null {
  const designs = figures.map((figure) => figure.design);
  const springs = designs.flatMap((design) => design.mechanism.springs);
  const loads = designs.some((design) => design.mechanism.actuators.length > 0);
  const pushes = figures.some(({ frame }) => frame.run.series.some((one) =>
    one.kind === "spring" && (one.quantity === "tension" || one.quantity === "torque") && range(one.values)[0] < 0));
  const paths = new Set(figures.flatMap(({ parts }) => parts.filter(({ layer }) => layer === "paths").map(({ title }) => title)));
  if (springs.length === 0 && !loads && paths.size === 0) return null;
  const legend = h("div", { class: "scene-legend" });
  const changes = new Set(designs.flatMap((design) => design.changes ?? []));
  for (const change of ["added", "changed", "same", "unused"] as const)
    if (changes.has(change)) {
      const name = changeColours[change];
      legend.append(ramp(change === "unused" ? [`var(--${name})`]
        : [40, 70, 100].map((share) => mixed("scene-background", name, share)), `spring ${changeWords[change]}`));
    }
  const pulls = (name: string): string[] => [0, 50, 100].map((share) => mixed("scene-slack", name, share));
  if (springs.length > 0 && changes.size === 0) {
    legend.append(ramp(pulls("scene-pull"), "spring: slack to largest pull"));
    if (pushes) legend.append(ramp(pulls("scene-push"), "spring: slack to largest push"));
  }
  if (changes.size > 0) legend.append(h("span", { class: "spring-colour" }, "pale slack, full at its largest tension"));
  if (springs.length > 0) legend.append(ramp(["var(--scene-alarm)"], "beyond a limit"));
  if (designs.some((design) => (design.mechanism.obstacles ?? []).length > 0))
    legend.append(ramp(["var(--scene-obstacle)"], "obstacle, and a line to where a spring is nearest"));
  if (loads) legend.append(ramp(["var(--scene-load)"], "load of an actuator: arrows apart push, together pull"));
  if (designs.some((design) => (design.mechanism.forces ?? []).length > 0))
    legend.append(ramp(["var(--scene-force)"], "force or moment from outside"));
  for (const title of paths)
    legend.append(h("span", { class: "spring-colour" }, h("span", { class: "path-line", "aria-hidden": "true" }), said(title)));
  return legend;
}
