import type { Cases } from "../cases";
import type { Name, Scope } from "../parser";
import type { UnitTable } from "../units";

/** The names that a condition over cases may use, as in `rank --where`. */
export class CaseScope implements Scope {
  private readonly known = new Map<string, Name>();
  private readonly texts = new Map<string, number>();

  /** `unitOf` has the SI units of columns, `units` all that a number may have. */
  constructor(cases: Cases, unitOf: Record<string, string>, readonly units: UnitTable) {
    this.known.set("case", { name: "case", text: false, unit: "", value: (row) => cases.ids[row]! });
    for (const column of cases.columns) {
      const labels = column.labels?.map((label) => this.numberOf(label));
      const value = labels === undefined
        ? (row: number) => column.value(row)
        : (row: number) => labels[column.value(row)] ?? NaN;
      if (!this.known.has(column.name)) this.known.set(column.name, { name: column.name, text: labels !== undefined, unit: unitOf[column.name] ?? "", value });
    }
  }

  find(name: string): Name | undefined {
    return this.known.get(name);
  }
  names(): string[] {
    return [...this.known.keys()];
  }
  numberOf(text: string): number {
    const number = this.texts.get(text) ?? this.texts.size;
    this.texts.set(text, number);
    return number;
  }
}
