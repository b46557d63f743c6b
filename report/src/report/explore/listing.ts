import type { Cases, Column } from "../cases";
import type { BaselineData, Cell } from "../data";
import { inUnit } from "../../common/units";
import { percent, printed, reduction } from "./printed";

/** A column of the table of designs. */
export interface ListColumn {
  title: string;
  unit: string;
  number: boolean;
  cell: (row: number) => Cell; // in full
  shown: (row: number) => string; // as printed
  exact: (row: number) => boolean;
  sorts: Column | "rank" | "case" | null; // the sort key
}

/** The columns of `rank`, and of metrics on request. */
export function listColumns(
  cases: Cases, units: Record<string, string>, baselines: BaselineData[], motionVariable: string | null,
): ListColumn[] {
  const always = (): boolean => true;
  const columns: ListColumn[] = [
    {
      title: "rank", unit: "", number: true, exact: always, sorts: "rank",
      cell: (row) => cases.ranks[row] || null, shown: (row) => String(cases.ranks[row] || "-"),
    },
    {
      title: "case", unit: "", number: true, exact: always, sorts: "case",
      cell: (row) => cases.ids[row]!, shown: (row) => String(cases.ids[row]!),
    },
  ];
  const own = (column: Column): ListColumn => ({
    title: column.name, unit: units[column.name] ?? "", number: !column.isText,
    exact: (row) => column.isExact(row), sorts: column,
    cell: (row) => (column.isText ? column.text(row) : finite(column.value(row))),
    shown: (row) => (column.isText ? column.text(row) : printed(finite(inUnit(column.shown(row), units[column.name] ?? "")))),
  });
  const variables = cases.columns.filter((one) => one.role === "variable" && !isRowNumber(cases, one));
  const objectives = cases.columns.filter((one) => one.role === "objective");
  columns.push(...variables.map(own), ...objectives.map(own));
  const motion = motionVariable === null ? null : cases.column(motionVariable);
  for (const name of ["baseline", "without_springs"] as const) {
    const suffix = name === "baseline" ? ".reduction" : ".reduction_without_springs";
    for (const column of objectives) {
      const of = (row: number): number | null => {
        const beside = baselines.find((one) => one.name === name && one.motion === (motion?.text(row) ?? ""));
        const value = finite(column.value(row));
        return value === null ? null : reduction(value, beside?.objectives[column.name] ?? undefined);
      };
      columns.push({
        title: column.name + suffix, unit: "", number: true, exact: (row) => column.isExact(row), sorts: null,
        cell: of, shown: (row) => percent(of(row)),
      });
    }
  }
  columns.push(...cases.columns.filter((one) => one.role === "metric").map(own));
  return columns;
}

export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Whether a column is the row number that belongs to a choice of a catalogue. */
export function isRowNumber(cases: Cases, column: Column): boolean {
  const name = column.name.replace(/\.row$/, "");
  return name !== column.name && cases.find(name)?.isText === true;
}

/** The rows that pass, sorted by the codes of a column; see inOrder() for the rest. */
export function sorted(
  cases: Cases, mask: Uint8Array, count: number, by: Column | "rank" | "case", falling: boolean,
): Uint32Array {
  const rows = new Uint32Array(count);
  let at = 0;
  for (let row = 0; row < mask.length; ++row) if (mask[row] === 1) rows[at++] = row;
  if (by === "case") rows.sort((a, b) => cases.ids[a]! - cases.ids[b]!);
  else if (by !== "rank") byColumn(rows, by);
  if (falling) rows.reverse();
  return rows;
}

function byColumn(rows: Uint32Array, column: Column): void {
  const starts = new Uint32Array(65537);
  for (const row of rows) ++starts[column.code(row) + 1]!;
  for (let code = 0; code < 65536; ++code) starts[code + 1]! += starts[code]!;
  const from = starts.slice();
  const arranged = new Uint32Array(rows.length);
  for (const row of rows) arranged[from[column.code(row)]!++] = row;
  rows.set(arranged);
}

/** Sorts the rows of a page by their exact numbers, together with neighbours of equal code (codes are rounded numbers).
 * */
export function inOrder(rows: Uint32Array, column: Column, falling: boolean, first: number, last: number): void {
  if (column.levels !== null || first >= rows.length) return;
  const code = (at: number): number => column.code(rows[at]!);
  let [begin, end] = [first, Math.min(last, rows.length)];
  while (begin > 0 && code(begin - 1) === code(first)) --begin;
  while (end < rows.length && code(end) === code(end - 1)) ++end;
  const sign = falling ? -1 : 1;
  rows.subarray(begin, end).sort((a, b) => sign * (column.value(a) - column.value(b)) || a - b);
}
