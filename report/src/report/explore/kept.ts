import { type Address, joined, separated } from "../../common/address";
import type { Explorer } from "./explore";

/** What the user does with all designs, in the address of the page. */
export function keepExplored(address: Address, explorer: Explorer): void {
  const { selection, cases, parallel, scatter, table, filters } = explorer;
  address.keep("chosen",
    () => joined(selection.chosen.map((row) => cases.ids[row]!)),
    (text) => {
      for (const row of [...selection.chosen]) selection.choose(row, false);
      for (const id of separated(text)) {
        const row = cases.rowOf(Number(id));
        if (row >= 0 && row < cases.feasible) selection.choose(row, true);
      }
    });
  address.keep("where", () => encodeURIComponent(filters.typed), (text) => filters.setWhere(separated(text)[0] ?? ""));
  address.keep("best", () => String(selection.best), (text) => {
    const percent = Number(text);
    selection.setBest(percent > 0 && percent <= 100 ? percent : 100);
  });
  address.keep("front", () => (selection.frontOnly ? "only" : ""), (text) => selection.setFrontOnly(text === "only"));
  address.keep("without", () => joined([...selection.hiddenReasons].map((reason) => cases.data.reasons[reason]!.words)), (text) => {
    const hidden = separated(text);
    cases.data.reasons.forEach(({ words }, i) => selection.showReason(i, !hidden.includes(words)));
  });
  address.keep("axes", () => joined(parallel.shown.map((axis) => axis.name)),
    (text) => parallel.arrange(separated(text), parallel.axes.filter((axis) => axis.logarithmic).map((axis) => axis.name)));
  address.keep("log", () => joined(parallel.axes.filter((axis) => axis.logarithmic).map((axis) => axis.name)),
    (text) => parallel.arrange(parallel.shown.map((axis) => axis.name), separated(text)));
  address.keep("ranges", () => rangesOf(explorer), (text) => takeRanges(explorer, separated(text)));
  address.keep("scatter", () => joined([...scatter.columns, scatter.colouredBy]), (text) => {
    const [x, y, colour] = separated(text);
    scatter.show(x ?? "", y ?? "", colour);
  });
  address.keep("sort", () => joined([table.sorting.by, table.sorting.falling ? "falling" : "rising"]), (text) => {
    const [by, order] = separated(text);
    table.sortBy(by ?? "", order === "falling");
  });
  address.keep("metrics", () => (table.withMetrics ? "shown" : ""), (text) => table.showMetrics(text === "shown"));
  address.keep("row", () => String(table.first), (text) => {
    selection.settle(); // filters of this address, which decide how many pages there are
    table.go(Number(text) || 0);
  });
}

/** Name, least and greatest number of each axis with a filter, in SI; nothing lies between "" and "". */
function rangesOf({ selection, cases }: Explorer): string {
  return joined([...selection.brushes].flatMap(([name, [low, high]]) => {
    const column = cases.column(name);
    return low > high ? [name, "", ""] : [name, column.decoded(low), column.decoded(Math.min(high, column.top))];
  }));
}
function takeRanges({ selection, parallel, scatter }: Explorer, parts: string[]): void {
  for (const name of [...selection.brushes.keys()]) selection.brush(name, null);
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const axis = parallel.axes.find((one) => one.name === parts[at]);
    if (axis === undefined) continue;
    const [low, high] = [parts[at + 1]!, parts[at + 2]!];
    selection.brush(axis.name, low === "" || high === "" ? [1, 0] : (axis.codes(Number(low), Number(high)) ?? [1, 0]));
  }
  parallel.syncBrushes();
  scatter.clearBrush();
}
