import { add, h } from "../../common/dom";
import type { ListColumn } from "./listing";
import { unitName } from "../../common/units";

/** A box beside the pointer with the numbers of one design. */
export class HoverBox {
  readonly element = h("div", { class: "hover", role: "status", hidden: true });

  /** `columns`: rank and case, then those that are always shown, then others. */
  constructor(
    private readonly columns: ListColumn[],
    private readonly always: number,
  ) {}

  /** Shows a design at a place within the frame, with the plot's own columns first. */
  show(row: number, first: string[], x: number, y: number, frame: { width: number; height: number }): void {
    const order = (column: ListColumn): number => (first.includes(column.title) ? first.indexOf(column.title) : first.length);
    const [rank, id] = this.columns;
    const shown = this.columns.filter((column, c) => c >= 2 && (c < this.always || first.includes(column.title)))
      .sort((a, b) => order(a) - order(b));
    this.element.replaceChildren(h("b", {}, `case ${id!.shown(row)}`), ` number ${rank!.shown(row)}`);
    const list = h("dl", {});
    for (const column of shown)
      add(list, h("dt", {}, h("bdi", {}, column.title)),
        h("dd", {}, `${column.exact(row) ? "" : "≈ "}${column.shown(row)}`, column.unit === "" ? null : h("span", { class: "unit" }, ` ${unitName(column.unit)}`)));
    add(this.element, list);
    this.element.hidden = false;
    const { offsetWidth: wide, offsetHeight: tall } = this.element;
    this.element.style.left = `${Math.max(0, x + 14 + wide > frame.width ? x - 14 - wide : x + 14)}px`;
    this.element.style.top = `${Math.max(0, Math.min(y - 12, frame.height - tall))}px`;
  }
  hide(): void {
    this.element.hidden = true;
  }
}
