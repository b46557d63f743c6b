import { inUnit, roundingPart, unitName } from "../../common/units";

/** A number as the program's tables print it: six significant digits, as C's %g. */
export function printed(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "-";
  const number = value + 0;
  if (number === 0) return "0";
  const exponent = Number(number.toExponential(5).split("e")[1]);
  if (exponent >= -4 && exponent < 6) return trimmed(number.toFixed(Math.max(0, 5 - exponent)));
  const [digits, power] = number.toExponential(5).split("e") as [string, string];
  const size = power.slice(1).padStart(2, "0");
  return `${trimmed(digits)}e${power[0] === "-" ? "-" : "+"}${size}`;
}

/** A number in SI in the unit that the page shows, with that unit. */
export const printedIn = (value: number | null, unit: string): string =>
  value === null || unit === "" ? printed(value) : `${printed(inUnit(value, unit))} ${unitName(unit)}`;

const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

const inPercent = (part: number): string => `${(100 * part + 0).toFixed(1)} %`;

/** A reduction as tables print it. Nearly all is not all. */
export function percent(part: number | null): string {
  if (part === null) return "-";
  const text = inPercent(part);
  return text === "100.0 %" && part < 1 - roundingPart ? "> 99.9 %" : text;
}

/** A share of designs or draws. Some never shows as none, nor as all. */
export function shareText(share: number): string {
  return inPercent(share) === "0.0 %" && share > 0 ? "< 0.1 %" : percent(share);
}

/** (baseline - value) / |baseline|, with the bits that the program computes. */
export function reduction(value: number, baseline: number | undefined): number | null {
  if (baseline === undefined) return null;
  const less = 1 - value / baseline;
  if (!Number.isFinite(less)) return null;
  return baseline > 0 ? less : -less;
}

export const theSame = "the same";

/** A reduction in words, as the program says it: "12.3 % less", "less than 0.1 % more", "the same". */
export function changed(saved: number): string {
  const part = Math.abs(saved);
  if (part < 1e-9) return theSame;
  if (part < 0.0005) return `less than 0.1 % ${saved > 0 ? "less" : "more"}`;
  if (saved > 0) return `${percent(part).replace(">", "more than")} less`;
  return part < 10 ? `${inPercent(part)} more` : `${(100 * part).toFixed(0)} % more`;
}

/** With a comma before each three digits. */
export const grouped = (count: number): string => count.toLocaleString("en-US");
