import { add, breakable, button, h, save } from "../common/dom";
import { inUnit, unitName } from "../common/units";
import { csvOf } from "../common/table";
import type { Cell, Row } from "./data";

/** A part of the report, which the contents lead to. */
export function section(name: string, title: string, ...children: (Node | null)[]): HTMLElement {
  const part = h("section", { class: "panel part", id: name, "aria-labelledby": `${name}-title` },
    h("h2", { id: `${name}-title` }, title));
  add(part, ...children);
  return part;
}

/** Text as the program prints it in a terminal. */
export function printout(text: string, name: string): HTMLElement {
  return h("div", { class: "printout" },
    h("pre", { tabindex: 0, "aria-label": name }, h("bdi", {}, text)));
}

/** A table of flat objects, with its numbers in full as CSV. A column named "rate [N/m]" is shown in
 * the units of the page. */
export function rowsTable(name: string, rows: Row[], shown: (cell: Cell, column: string) => string): HTMLElement {
  const columns = Object.keys(rows[0] ?? {});
  const head = h("tr");
  const units = columns.map((column) => /^(.*) \[(.+)\]$/.exec(column));
  columns.forEach((column, c) => head.append(h("th", { scope: "col" },
    h("bdi", {}, units[c] ? `${units[c][1]} [${unitName(units[c][2]!)}]` : column))));
  const body = h("tbody");
  for (const row of rows) {
    const line = h("tr");
    columns.forEach((column, c) => {
      const cell = row[column] ?? null;
      const inUnits = typeof cell === "number" && units[c] ? inUnit(cell, units[c][2]!) : cell;
      line.append(typeof cell === "number" ? h("td", { class: "number" }, h("bdi", {}, shown(inUnits, column)))
        : h("td", {}, breakable(shown(inUnits, column))));
    });
    body.append(line);
  }
  return tableBox(name, h("table", {}, h("thead", {}, head), body), rows);
}

/** A table that scrolls where there is no room, and a button that saves its rows as CSV. */
export function tableBox(name: string, table: HTMLElement, rows: Row[]): HTMLElement {
  return h("div", { class: "table" },
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table),
    button("CSV", `save ${name} as CSV`, () => save(`${name}.csv`, csvBlob(rows))));
}

function csvBlob(rows: Row[]): Blob {
  const columns = Object.keys(rows[0] ?? {});
  return new Blob([csvOf(columns.map((name) => ({ name })), rows.map((row) => columns.map((column) => row[column] ?? null)))],
    { type: "text/csv" });
}
