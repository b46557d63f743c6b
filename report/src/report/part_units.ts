import { ExpressionError } from "./tokens";
import type { UnitTable } from "./units";

/** The unit of a part of an expression, as input/expressions/expression_units.cpp has it. */
export interface PartUnit {
  is: "any" | "unknown" | "known"; // any: a number alone, which goes with every unit
  si: string; // if it is known
  written: string | null; // the unit in the text that it is known by, if it is
  at: number; // of the number before that, in the text
}

export const anyUnit: PartUnit = { is: "any", si: "", written: null, at: 0 };
export const unknownUnit: PartUnit = { ...anyUnit, is: "unknown" };

export function unitOfName(si: string): PartUnit {
  return si === "" ? unknownUnit : { is: "known", si, written: null, at: 0 };
}

function common(table: UnitTable, parts: PartUnit[]): PartUnit {
  let found = anyUnit;
  let unknown = false;
  for (const part of parts) {
    if (part.is === "any") continue;
    if (part.is === "unknown") unknown = true;
    else if (found.is === "any") found = part;
    else if (found.si === part.si) found = found.written === null ? part : found;
    else if (found.written !== null || part.written !== null) {
      const [wrong, other] = part.written !== null ? [part, found] : [found, part];
      const like = Object.keys(table).filter((name) => table[name]!.si === other.si);
      throw new ExpressionError(wrong.at, `found "${wrong.written}", expected a unit that goes with ${other.si}: ${like.join(", ")}`);
    } else unknown = true;
  }
  return unknown ? unknownUnit : found;
}

const sums = ["+", "-", "min", "max"];
const comparisons = ["<", "<=", ">", ">=", "==", "!="];

/** The unit of parts that an operator or a function makes one. Throws ExpressionError where a written
 * unit does not fit. */
export function joinedUnit(table: UnitTable, by: string, parts: PartUnit[]): PartUnit {
  if (sums.includes(by)) return common(table, parts);
  if (comparisons.includes(by)) common(table, parts);
  const [first, second] = parts as [PartUnit, PartUnit | undefined];
  if (by === "abs") return first;
  if (by === "*" && first.is === "any" && second!.written !== null) return second!;
  if ((by === "*" || by === "/") && second!.is === "any" && first.written !== null) return first;
  return parts.every((part) => part.is === "any") ? anyUnit : unknownUnit;
}
