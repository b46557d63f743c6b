/** Colours that tell series apart, also for the colour-blind (Okabe and Ito), in an order in which
 * neighbours differ in lightness. */
const series = {
  light: ["#0072b2", "#d55e00", "#009e73", "#8a5fb5", "#a67c00", "#cc5f94", "#3a9bd0", "#4d4d4d"],
  dark: ["#56b4e9", "#ff8c42", "#2fc79a", "#b899dd", "#e6b422", "#f08cb8", "#8fd0f5", "#c9c9c9"],
};
export const dashes: number[][] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

let printing = false;
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

export const isDark = (): boolean => darkScheme.matches && !printing;

export function seriesColour(index: number): string {
  const colours = isDark() ? series.dark : series.light;
  return colours[index % colours.length]!;
}
/** How many colours there are; behind them the same follow with other dashes. */
export const seriesColours = series.light.length;
export const seriesDash = (index: number): number[] =>
  dashes[Math.floor(index / series.light.length) % dashes.length]!;

/** The value of a colour variable of theme.css. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const listeners: (() => void)[] = [];

/** Calls back when other colours hold: another scheme, or paper, which is always light. */
export function onTheme(changed: () => void): void {
  listeners.push(changed);
}

function print(on: boolean): void {
  if (printing === on) return;
  printing = on;
  document.documentElement.classList.toggle("printing", on);
  for (const changed of listeners) changed();
}

darkScheme.addEventListener("change", () => listeners.forEach((changed) => changed()));
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
matchMedia("print").addEventListener("change", (event) => print(event.matches));
