import { button, h, number, said, save } from "./dom";

export type Cell = string | number | null;
export interface Column {
  name: string;
  unit?: string;
}

function quoted(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "";
  // a spreadsheet would run these as a formula
  const safe = /^'*[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf(columns: Column[], rows: Cell[][]): string {
  const heading = columns.map((one) => (one.unit ? `${one.name} [${one.unit}]` : one.name));
  return [heading, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

/** A table whose rows may change, with a button that saves it as CSV. */
export class Table {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private rows: Cell[][] = [];

  constructor(
    readonly name: string,
    private readonly columns: Column[],
    rows: Cell[][],
  ) {
    const head = h("tr");
    for (const column of columns)
      head.append(h("th", { scope: "col" }, column.name,
        column.unit ? h("span", { class: "unit" }, ` ${column.unit}`) : null));
    this.element = h("div", { class: "table" },
      h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name },
        h("table", {}, h("thead", {}, head), this.body)),
      button("CSV", `save ${name} as CSV`, () => save(`${name}.csv`, this.csv())));
    this.show(rows);
  }

  csv(): Blob {
    return new Blob([csvOf(this.columns, this.rows)], { type: "text/csv" });
  }

  show(rows: Cell[][]): void {
    this.rows = rows;
    this.body.replaceChildren(...rows.map((row) => {
      const line = h("tr");
      for (const cell of row)
        line.append(typeof cell === "number"
          ? h("td", { class: "number" }, number(cell))
          : h("td", {}, said(cell ?? "")));
      return line;
    }));
  }
}
