import { breakable, button, h, number, save } from "./dom";
import { inUnit, onUnits, unitName } from "./units";

/** A number in an SI unit of its own, or the names of units. */
export type InUnit = { value: number; unit: string } | { units: string[] };
export type Cell = string | number | null | InUnit;
export interface Column {
  name: string;
  unit?: string; // SI, of its numbers
}

/** The number with its unit; nothing where it is not known. */
export const quantity = (value: number | undefined, unit: string): Cell =>
  value === undefined || !Number.isFinite(value) ? null : { value, unit };

function quoted(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "object") return quoted("units" in cell ? cell.units.join(", ") : cell.value);
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  // a spreadsheet would run these as a formula
  const safe = /^'*[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf(columns: Column[], rows: Cell[][]): string {
  const heading = columns.map((one) => (one.unit ? `${one.name} [${one.unit}]` : one.name));
  return [heading, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

/** A table whose rows may change, in the units of the page, with a button that saves it as CSV in SI. */
export class Table {
  readonly element: HTMLElement;
  private readonly head = h("tr");
  private readonly body = h("tbody");
  private rows: Cell[][] = [];

  constructor(
    readonly name: string,
    private readonly columns: Column[],
    rows: Cell[][],
  ) {
    this.element = h("div", { class: "table" },
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name },
        h("table", {}, h("thead", {}, this.head), this.body)),
      button("CSV", `save ${name} as CSV`, () => save(`${name}.csv`, this.csv())));
    onUnits(() => this.takeUnits(this.rows));
    this.takeUnits(rows);
  }

  private takeUnits(rows: Cell[][]): void {
    this.head.replaceChildren(...this.columns.map((column) => h("th", { scope: "col" }, column.name,
      column.unit ? h("span", { class: "unit" }, ` ${unitName(column.unit)}`) : null)));
    this.show(rows);
  }

  csv(): Blob {
    return new Blob([csvOf(this.columns, this.rows)], { type: "text/csv" });
  }

  show(rows: Cell[][]): void {
    this.rows = rows;
    this.body.replaceChildren(...rows.map((row) => {
      const line = h("tr");
      row.forEach((cell, c) => line.append(this.shown(cell, this.columns[c]?.unit ?? "")));
      return line;
    }));
  }

  private shown(cell: Cell, unit: string): HTMLElement {
    if (typeof cell === "number") return h("td", { class: "number" }, number(inUnit(cell, unit)));
    if (cell === null || typeof cell === "string") return h("td", {}, breakable(cell ?? ""));
    if ("units" in cell) return h("td", { class: "number" }, cell.units.map(unitName).join(", "));
    return h("td", { class: "number" }, number(inUnit(cell.value, cell.unit)));
  }
}
