import { add, breakable, button, h, save } from "../../common/dom";
import { onUnits, unitName } from "../../common/units";
import { csvOf } from "../../common/table";
import type { Cell } from "../data";
import { inOrder, type ListColumn, sorted } from "./listing";
import { grouped } from "./printed";
import type { Selection } from "./selection";

const perPage = 20;

/** A row on the screen. A cell is a mark where its number is approximate, and its text. */
interface Line {
  element: HTMLElement;
  box: HTMLInputElement;
  cells: { element: HTMLElement; mark: Text; text: Text; exact: boolean }[];
}

/** The designs that are let through: sorted by any column, page by page, with boxes that choose. */
export class DesignTable {
  readonly element: HTMLElement;
  first = 0;
  rows = new Uint32Array(0);
  private by: ListColumn;
  private falling = false;
  private readonly head = h("tr");
  private readonly body = h("tbody");
  private readonly place = h("output", { class: "faint" });
  private stale = true;
  private lines: Line[] = []; // of the page

  constructor(
    private readonly columns: ListColumn[],
    private shown: number, // columns from the left; the others are metrics
    private readonly selection: Selection,
    private readonly arranged: () => void, // other columns are shown, or another page, or another order
  ) {
    this.by = columns[0]!;
    this.more.addEventListener("change", () => this.showMetrics(this.more.checked));
    this.other = columns.length;
    const scroll = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "designs" },
      h("table", { class: "designs" }, h("thead", {}, this.head), this.body));
    scroll.addEventListener("keydown", (event) => this.key(event));
    this.element = h("div", { class: "table" }, scroll,
      h("div", { class: "pager" },
        button("«", "first page", () => this.go(0)), button("‹", "page before", () => this.go(this.first - perPage)),
        this.place,
        button("›", "next page", () => this.go(this.first + perPage)), button("»", "last page", () => this.go(Infinity)),
        columns.length > this.shown ? h("label", {}, this.more, " metrics") : null,
        button("CSV", "save the filtered designs as CSV", () => save("designs.csv", this.csv()))));
    this.drawHead();
    selection.onChange(() => this.change());
    selection.onChoice(() => this.draw());
    onUnits(() => {
      this.drawHead();
      this.draw();
    });
    this.change();
  }
  private other: number;
  private readonly more = h("input", { type: "checkbox" });

  get withMetrics(): boolean {
    return this.more.checked;
  }
  showMetrics(on: boolean): void {
    this.more.checked = on;
    if ((this.shown > this.other) !== on) [this.shown, this.other] = [this.other, this.shown];
    this.drawHead();
    this.draw();
    this.arranged();
  }

  sortBy(title: string, falling?: boolean): void {
    const column = this.columns.find((one) => one.title === title);
    if (column?.sorts == null) return;
    this.falling = falling ?? (this.by === column && !this.falling);
    this.by = column;
    this.drawHead();
    this.change();
    this.arranged();
  }
  get sorting(): { by: string; falling: boolean } {
    return { by: this.by.title, falling: this.falling };
  }

  go(first: number): void {
    this.arrange();
    const last = Math.max(0, Math.ceil(this.rows.length / perPage) - 1) * perPage;
    this.first = Math.min(Math.max(first, 0), last);
    this.arrange();
    this.draw();
    this.arranged();
  }

  /** The cells in full of the rows that are on the page now. */
  visible(): Record<string, Cell>[] {
    this.arrange();
    return [...this.rows.subarray(this.first, this.first + perPage)].map((row) =>
      Object.fromEntries(this.columns.map((column) => [column.title, column.cell(row)])));
  }

  csv(): Blob {
    this.arrange();
    const columns = this.columns.slice(0, this.shown);
    const rows = Array.from(this.rows, (row) => [
      ...columns.map((column) => column.cell(row)), columns.every((column) => column.exact(row)) ? 1 : 0]);
    return new Blob([csvOf([...columns.map(({ title, unit }) => ({ name: title, unit })), { name: "exact" }], rows)], { type: "text/csv" });
  }

  private change(): void {
    this.stale = true;
    this.first = 0;
    this.draw();
  }
  private arrange(): void {
    const { selection, by } = this;
    const order = (): void => {
      if (typeof by.sorts === "object" && by.sorts !== null)
        inOrder(this.rows, by.sorts, this.falling, this.first, this.first + perPage);
    };
    if (!this.stale) return order();
    this.stale = false;
    this.rows = sorted(selection.cases, selection.mask, selection.count, this.by.sorts ?? "rank", this.falling) as Uint32Array<ArrayBuffer>;
    order();
  }

  private drawHead(): void {
    this.lines = [];
    this.head.replaceChildren(h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "chosen")));
    for (const column of this.columns.slice(0, this.shown)) {
      const sorting = this.by === column ? (this.falling ? "descending" : "ascending") : "none";
      const name = breakable(column.title);
      const unit = column.unit === "" ? null : h("span", { class: "unit" }, ` ${unitName(column.unit)}`);
      const title = column.sorts === null ? h("span", {}, name, unit)
        : h("button", { type: "button", class: "sort", click: () => this.sortBy(column.title) }, name, unit,
          h("span", { "aria-hidden": "true" }, sorting === "none" ? "" : this.falling ? " ↓" : " ↑"));
      add(this.head, h("th", { scope: "col", "aria-sort": sorting }, title));
    }
  }

  private lineAt(place: number): Line {
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => this.selection.choose(this.rows[this.first + place]!, box.checked));
    const element = h("tr", {}, h("td", {}, box));
    const cells = this.columns.slice(0, this.shown).map((column) => {
      const [mark, text] = [new Text(), new Text()];
      const cell = h("td", { class: column.number ? "number" : null }, mark, h("bdi", {}, text));
      element.append(cell);
      return { element: cell, mark, text, exact: true };
    });
    return { element, box, cells };
  }

  private draw(): void {
    this.arrange();
    const rows = this.rows.subarray(this.first, this.first + perPage);
    while (this.lines.length < rows.length) this.lines.push(this.lineAt(this.lines.length));
    rows.forEach((row, i) => this.fill(this.lines[i]!, row));
    if (this.body.childElementCount !== rows.length || this.body.firstChild !== (this.lines[0]?.element ?? null))
      this.body.replaceChildren(...this.lines.slice(0, rows.length).map((line) => line.element));
    const last = Math.min(this.first + perPage, this.rows.length);
    this.place.textContent = this.rows.length === 0 ? "no design"
      : `${grouped(this.first + 1)}–${grouped(last)} of ${grouped(this.rows.length)}`;
  }

  /** Writes only what is not there yet, because all that is written is laid out anew. */
  private fill({ element, box, cells }: Line, row: number): void {
    const chosen = this.selection.chosen.includes(row);
    box.checked = chosen;
    box.setAttribute("aria-label", `choose case ${this.selection.cases.ids[row]!}`);
    element.classList.toggle("is-chosen", chosen);
    cells.forEach((cell, c) => {
      const column = this.columns[c]!;
      const text = column.shown(row);
      if (cell.text.data !== text) cell.text.data = text;
      const exact = column.exact(row);
      if (cell.exact === exact) return;
      cell.exact = exact;
      cell.mark.data = exact ? "" : "≈ ";
      if (exact) cell.element.removeAttribute("title");
      else cell.element.title = "approximate: a step of the drawing";
    });
  }

  private key(event: KeyboardEvent): void {
    const to = { PageUp: this.first - perPage, PageDown: this.first + perPage, Home: 0, End: Infinity }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(to);
  }
}
