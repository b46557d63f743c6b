import { add, button, h, save } from "../common/dom";
import { csvOf } from "../common/table";
import type { Cell, Row } from "./data";

/** A part of the report, which the contents lead to. */
export function section(name: string, title: string, ...children: (Node | null)[]): HTMLElement {
  const part = h("section", { class: "panel part", id: name, "aria-labelledby": `${name}-title` },
    h("h2", { id: `${name}-title` }, title));
  add(part, ...children);
  return part;
}

/** A name that lines may break behind its underscores and dots. */
export function breakable(name: string): HTMLElement {
  const text = h("bdi", {});
  for (const piece of name.split(/(?<=[_.])/)) add(text, piece, h("wbr"));
  return text;
}

/** Text as the program prints it in a terminal. */
export function printout(text: string, name: string): HTMLElement {
  return h("div", { class: "printout" },
    h("pre", { tabindex: 0, "aria-label": name }, h("bdi", {}, text)));
}

/** A table of flat objects, with its numbers in full as CSV. */
export function rowsTable(name: string, rows: Row[], shown: (cell: Cell, column: string) => string): HTMLElement {
  const columns = Object.keys(rows[0] ?? {});
  const head = h("tr");
  for (const column of columns) head.append(h("th", { scope: "col" }, h("bdi", {}, column)));
  const body = h("tbody");
  for (const row of rows) {
    const line = h("tr");
    for (const column of columns) {
      const cell = row[column] ?? null;
      line.append(h("td", { class: typeof cell === "number" ? "number" : null }, h("bdi", {}, shown(cell, column))));
    }
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
