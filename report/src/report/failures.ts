import { add, h } from "../common/dom";
import { inUnit } from "../common/units";
import type { ReportData, Row } from "./data";
import { grouped, printed, shareText } from "./explore/printed";
import { barFigure } from "./bars";
import { printout, rowsTable, section } from "./section";

interface Failures {
  first_reasons: { element: string; what: string; count: number }[];
  variables: Record<string, { part: string; cases: number; failed: number }[]>;
}

/** A part of a range, "0.1 to 0.2", or a value, in the units of the page. */
const inUnits = (part: string, unit: string): string =>
  unit === "" ? part : part.replace(/-?\d+(\.\d+)?(e[+-]\d+)?/g, (number) => printed(inUnit(Number(number), unit)));

/** Why designs fail: which reasons, and where in the ranges of the variables. */
export function failuresPart(data: ReportData): HTMLElement {
  const part = section("fail", "Why designs fail");
  const failed = data.counts.cases - data.counts.feasible;
  if (failed === 0) {
    add(part, h("p", {}, "All designs keep all limits."));
    return part;
  }
  const { first_reasons: reasons, variables } = data.failures.data as unknown as Failures;
  const of = (reason: { element: string; what: string }): string => `${reason.element} ${reason.what}`.trim();
  const total = reasons.reduce((sum, reason) => sum + reason.count, 0) || 1;
  add(part, h("p", {}, `${grouped(failed)} of ${grouped(data.counts.cases)} designs are not feasible (${shareText(failed / data.counts.cases)}).`),
    barFigure("What speaks first against a design", "% of those that fail", reasons.slice(0, 12).map((reason) => ({
      label: of(reason), from: 0, to: 100 * reason.count / total, text: `${shareText(reason.count / total)} (${grouped(reason.count)})`,
    })), 0));
  const grid = h("div", { class: "grid" });
  for (const [name, shares] of Object.entries(variables))
    grid.append(barFigure(`Failed along ${name}`, "%", shares.map((share) => ({
      label: inUnits(share.part, data.units[name] ?? ""), from: 0, to: share.cases === 0 ? 0 : 100 * share.failed / share.cases,
      text: share.cases === 0 ? "none" : `${shareText(share.failed / share.cases)} of ${grouped(share.cases)}`, pale: true,
    })), 0));
  const rows = reasons.map((reason): Row => ({ reason: of(reason), designs: reason.count }));
  add(part, grid, rowsTable("reasons", rows, (cell) => (typeof cell === "number" ? printed(cell) : String(cell ?? "-"))),
    h("details", { open: true }, h("summary", {}, "as `counterpoise why` prints it, in SI"), printout(data.failures.text, "why designs failed")));
  return part;
}
