import { add, h } from "../../common/dom";
import type { Cases } from "../cases";
import type { ReportData } from "../data";
import type { Address } from "../../common/address";
import { AxisScale } from "./axes";
import { besides } from "./baselines";
import { Filters } from "./filters";
import { HoverBox } from "./hover";
import { keepExplored } from "./kept";
import { isRowNumber, listColumns } from "./listing";
import { ParallelPlot } from "./parallel";
import { grouped } from "./printed";
import { ScatterPlot } from "./scatter";
import { CaseScope } from "./scope";
import { Selection } from "./selection";
import { DesignTable } from "./table";

const mostAxes = 12; // shown at first

/** All designs: plots, filters and a table that show the same ones. */
export class Explorer {
  readonly element: HTMLElement;
  readonly selection: Selection;
  readonly parallel: ParallelPlot;
  readonly scatter: ScatterPlot;
  readonly table: DesignTable;
  readonly filters: Filters;

  constructor(
    readonly cases: Cases,
    data: ReportData,
  ) {
    const front = new Set(data.fronts.flatMap((one) => one.cases));
    this.selection = new Selection(cases, new CaseScope(cases, data.units, data.known_units), rankedOf(cases, data), front);
    // a column without a number, as objectives are where nothing is feasible, has no axis
    const columns = cases.columns.filter((column) => !isRowNumber(cases, column) && column.levels?.length !== 0);
    const order = { variable: 0, objective: 1, metric: 2 };
    columns.sort((a, b) => order[a.role] - order[b.role]);
    const axes = columns.map((column) => new AxisScale(column, data.units[column.name] ?? ""));
    const hidden = axes.filter((axis, i) => axis.column.role === "metric" || i >= mostAxes).map((axis) => axis.name);
    this.parallel = new ParallelPlot(axes, hidden, this.selection, () => {
      this.scatter.build();
      this.noted();
    });
    const objectives = cases.columns.filter((column) => column.role === "objective").map((column) => column.name);
    const variables = columns.filter((column) => column.role === "variable").map((column) => column.name);
    const [first, second] = data.among.length > 1 ? data.among : [objectives[0], objectives[1] ?? variables[0]];
    const listed = listColumns(cases, data.units, data.baselines, data.motion_variable);
    const always = listed.findIndex((column) => column.sorts === null); // variables and objectives
    const box = new HoverBox(listed, always);
    this.scatter = new ScatterPlot(axes, first ?? "", second ?? "", box, besides(data.baselines), this.selection,
      () => this.parallel.syncBrushes(), () => this.noted());
    const metrics = cases.columns.filter((column) => column.role === "metric").length;
    this.table = new DesignTable(listed, listed.length - metrics, this.selection, () => this.noted());
    this.filters = new Filters(this.selection, () => {
      this.parallel.syncBrushes();
      this.scatter.clearBrush();
    });
    this.element = h("div", { class: "explore" }, this.filters.element, this.parallel.element,
      h("div", { class: "two" }, this.scatter.element, h("div", { class: "listing" }, this.table.element)),
      this.notes(cases));
  }

  /** Keeps filters, choices, columns and sorting in the address of the page. */
  keepIn(address: Address): void {
    this.noted = () => address.note();
    this.selection.onChange(this.noted);
    this.selection.onChoice(this.noted);
    keepExplored(address, this);
  }
  private noted: () => void = () => undefined;

  private notes(cases: Cases): HTMLElement {
    const { data } = cases;
    const notes = h("div", { class: "remarks faint" });
    if (data.first_exact < data.feasible)
      add(notes, h("p", {}, `Numbers are exact for the best ${grouped(data.first_exact)} designs, for the front and for the designs above. ` +
        "Others are marked ≈: they are steps of the drawing, less than a 32,000th of the range or of its logarithm, and conditions judge them so."));
    if (data.rows < data.of)
      add(notes, h("p", {}, `The page has no room for all ${grouped(data.of)} designs. It has the best ones, the front, those with the least and the largest number of each column, and of the others an even sample: ${grouped(data.rows)} in all.`));
    if (data.left_out.length > 0)
      add(notes, h("p", {}, `The page has no room for these columns: ${data.left_out.join(", ")}. \`counterpoise rank --where\` knows them.`));
    return notes;
  }
}

/** Of each feasible row, how many designs its ranking has. */
function rankedOf(cases: Cases, data: ReportData): Int32Array {
  const counts = new Map(data.rankings.map((ranking) => [ranking.motion, ranking.feasible - ranking.unsettled]));
  const motion = data.motion_variable === null ? null : cases.column(data.motion_variable);
  const byCode = motion?.levels?.map((_, code) => counts.get(motion.labels![motion.decoded(code)] ?? "") ?? 0);
  const ranked = new Int32Array(cases.feasible);
  for (let row = 0; row < ranked.length; ++row)
    ranked[row] = motion === null ? (counts.get("") ?? 0) : (byCode![motion.code(row)] ?? 0);
  return ranked;
}
