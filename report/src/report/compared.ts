import { add, breakable, h, said } from "../common/dom";
import { inUnit, onUnits, unitName } from "../common/units";
import type { Cases, Column } from "./cases";
import type { ReportData, Row } from "./data";
import { finite, isRowNumber } from "./explore/listing";
import { percent, printed } from "./explore/printed";
import type { Selection } from "./explore/selection";
import { section, tableBox } from "./section";

const same = 1e-9; // relative: numbers this close are one

/** Two designs that were chosen in the table, their numbers side by side. */
export class ComparedPart {
  readonly element: HTMLElement;
  /** Their ids, the second against the first; null while fewer than two are chosen. */
  pair: [number, number] | null = null;
  /** Is called when the user chooses what is compared. */
  chosen: (first: number, second: number) => void = () => undefined;
  private wanted: [number, number] | null = null; // by the user; holds while both are chosen
  private readonly choices = ["first design", "second design"].map((label) => h("select", { "aria-label": label }));
  private readonly told = h("p", {});
  private readonly place = h("div", {});
  private readonly changed: (() => void)[] = [];

  constructor(
    private readonly cases: Cases,
    private readonly data: ReportData,
    private readonly selection: Selection,
  ) {
    const bar = h("div", { class: "chooser" }, h("label", {}, "compare ", this.choices[0]!), h("label", {}, "with ", this.choices[1]!));
    this.element = section("compared", "Two designs compared", this.told, bar, this.place);
    for (const choice of this.choices)
      choice.addEventListener("change", () => {
        this.compare(Number(this.choices[0]!.value), Number(this.choices[1]!.value));
        if (this.pair !== null) this.chosen(...this.pair);
      });
    selection.onChoice(() => this.fill());
    onUnits(() => this.draw());
    this.fill();
  }

  onChange(call: () => void): void {
    this.changed.push(call);
  }

  /** Compares two of the chosen designs. */
  compare(first: number, second: number): void {
    this.wanted = [first, second];
    this.fill();
  }

  /** The first two chosen designs, unless the user wants others of them. */
  private fill(): void {
    const chosen = this.selection.chosen.map((row) => this.cases.ids[row]!);
    const first = this.wanted?.find((id) => chosen.includes(id));
    const kept = this.wanted !== null && this.wanted.every((id) => chosen.includes(id)) ? this.wanted : null;
    const one = kept?.[0] ?? first ?? chosen[0];
    const other = kept?.[1] ?? chosen.find((id) => id !== one);
    this.pair = one === undefined || other === undefined ? null : [one, other];
    this.choices.forEach((choice, i) => choice.replaceChildren(...chosen.map((id) =>
      h("option", { value: id, selected: id === this.pair?.[i] }, `case ${id}`))));
    this.draw();
    for (const call of this.changed) call();
  }

  private draw(): void {
    const { pair, told } = this;
    for (const choice of this.choices) choice.parentElement!.hidden = pair === null;
    told.hidden = pair !== null;
    told.textContent = "Choose two designs in the table of all designs; their numbers stand here side by side.";
    this.place.replaceChildren();
    if (pair !== null) add(this.place, this.table(pair));
  }

  private table(pair: [number, number]): HTMLElement {
    const rows = pair.map((id) => this.cases.rowOf(id)) as [number, number];
    const order = { variable: 0, objective: 1, metric: 2 };
    const columns = this.cases.columns.filter((column) => !isRowNumber(this.cases, column))
      .sort((a, b) => order[a.role] - order[b.role]);
    const body = h("tbody");
    const saved: Row[] = [];
    let equal = 0;
    for (const column of columns) {
      const differ = this.differ(column, rows);
      if (!differ && column.role === "metric") {
        ++equal;
        continue;
      }
      body.append(this.line(column, rows, differ));
      saved.push({ name: column.name, unit: this.data.units[column.name] ?? "",
        ...Object.fromEntries(pair.map((id, i) => [`case ${id}`, column.isText ? column.text(rows[i]!) : finite(column.value(rows[i]!))])) });
    }
    const head = h("tr", {}, h("th", { scope: "col" }, "number"), ...pair.map((id) => h("th", { scope: "col", class: "number" }, `case ${id}`)),
      h("th", { scope: "col", class: "number" }, "change"));
    const box = tableBox(`case ${pair[0]} and case ${pair[1]}`, h("table", { class: "beside" }, h("thead", {}, head), body), saved);
    if (equal > 0) add(box, h("p", { class: "faint" }, `${equal} ${equal === 1 ? "metric is" : "metrics are"} the same in both.`));
    return box;
  }

  private differ(column: Column, [one, other]: [number, number]): boolean {
    if (column.isText) return column.text(one) !== column.text(other);
    const [a, b] = [column.shown(one), column.shown(other)];
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) !== Number.isNaN(b);
    return Math.abs(a - b) > same * Math.max(Math.abs(a), Math.abs(b));
  }

  private line(column: Column, rows: [number, number], differ: boolean): HTMLElement {
    const unit = this.data.units[column.name] ?? "";
    const cells = rows.map((row) => {
      if (column.isText) return h("td", { class: "number" }, said(column.text(row)));
      const value = finite(column.shown(row));
      return h("td", { class: "number" }, `${column.isExact(row) ? "" : "≈ "}${printed(value === null ? null : inUnit(value, unit))}`);
    });
    const [a, b] = rows.map((row) => (column.isText ? NaN : column.shown(row))) as [number, number];
    const change = !differ ? "the same" : Number.isNaN(a + b) ? "" : a === 0 ? "" : signed(percent((b - a) / Math.abs(a)));
    return h("tr", { class: differ ? null : "is-same" },
      h("th", { scope: "row" }, breakable(column.name), unit === "" ? null : h("span", { class: "unit" }, ` ${unitName(unit)}`)),
      ...cells, h("td", { class: "number" }, change));
  }
}

const signed = (text: string): string => (text.startsWith("-") ? text.replace("-", "−") : `+${text}`);
