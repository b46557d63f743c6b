/** The units that a page shows its numbers in. All data are SI; what is written on the page goes
 * through inUnit() and unitName(). */

export interface UnitData {
  si: string;
  name: string;
  times: number; // value in SI = value * times / over, as the program computes it
  over: number;
}
export interface UnitSystem {
  name: string; // in addresses
  title: string; // in the switch
  units: UnitData[]; // in place of SI ones
}

const si: UnitSystem = { name: "si", title: "SI: m, N, rad", units: [] };
const millimetres: UnitSystem = {
  name: "mm", title: "mm, N, N·m, deg", units: [
    { si: "m", name: "mm", times: 1, over: 1e3 },
    { si: "N/m", name: "N/mm", times: 1e3, over: 1 },
    { si: "rad", name: "deg", times: Math.PI, over: 180 },
    { si: "N*m/rad", name: "N*m/deg", times: 180, over: Math.PI },
    { si: "kg*m^2", name: "kg*mm^2", times: 1, over: 1e6 },
  ],
};

let chosen = si;
let systems = [si, millimetres];
const listeners: (() => void)[] = [];

/** The units that the command or the study asks to see come first, and the page begins with them. */
export function beginUnits(display: UnitData[]): void {
  if (display.length === 0) return;
  const own = { name: "asked", title: `as asked: ${display.map((unit) => unit.name).join(", ")}`, units: display };
  systems = [own, si, millimetres];
  chosen = own;
}
export const unitSystems = (): readonly UnitSystem[] => systems;
export const unitSystem = (): UnitSystem => chosen;

/** Shows all numbers in the units of this name; false if there are none. */
export function chooseUnits(name: string): boolean {
  const found = systems.find((one) => one.name === name);
  if (found === undefined) return false;
  if (found === chosen) return true;
  chosen = found;
  for (const call of listeners) call();
  return true;
}
/** Calls back when other units are chosen, in the order in which they asked. */
export const onUnits = (call: () => void): void => void listeners.push(call);

/** What is shown in place of an SI unit. Speeds and accelerations go with their lengths and angles. */
function shownAs(unit: string): UnitData | undefined {
  const found = chosen.units.find(({ si: own }) => own === unit);
  if (found !== undefined || !/^(m|rad)\/s/.test(unit)) return found;
  const [base, rate] = [unit.slice(0, unit.indexOf("/")), unit.slice(unit.indexOf("/"))];
  const of = chosen.units.find(({ si: own }) => own === base);
  return of && { ...of, si: unit, name: of.name + rate };
}

/** A number in the unit that is shown in place of an SI unit. */
export function inUnit(value: number, unit: string): number {
  const shown = shownAs(unit);
  return shown === undefined ? value : (value * shown.over) / shown.times;
}
export function fromUnit(value: number, unit: string): number {
  const shown = shownAs(unit);
  return shown === undefined ? value : (value * shown.times) / shown.over;
}
/** What of the size of a number is rounding: as the program's rounding_part. */
export const roundingPart = 1e-12;
/** What rounding to single precision may change of the difference of two numbers, of their size. */
export const singlePart = 2 ** -22;

/** The number as people are shown it: 0 where it is rounding beside `size`. */
export const withoutRounding = (value: number, size: number, part = roundingPart): number =>
  Math.abs(value) <= part * size ? 0 : value;

/** A sentence of the program, such as the reason of a design, with each "0.1832 m" in it as "183.2 mm". */
export const sentenceInUnits = (words: string): string =>
  words.replaceAll(/(^|[ (])([-+]?\d[\d.]*(?:e[-+]?\d+)?) ([a-zA-Z][\w*/^]*)/g, (all, before: string, value: string, unit: string) =>
    shownAs(unit) === undefined ? all : `${before}${Number(inUnit(Number(value), unit).toPrecision(6))} ${unitName(unit)}`);

/** The name of the unit that is shown, as it is printed. */
export const unitName = (unit: string): string => printedUnit(shownAs(unit)?.name ?? unit);

const printedUnit = (unit: string): string => unit.replaceAll("*", "·").replace("^2", "²");
