import { add, h, painted, said } from "../common/dom";
import { Cases } from "./cases";
import { motionsOf } from "./decode";
import type { ReportData } from "./data";
import { Explorer } from "./explore/explore";
import { DesignsPart } from "./designs";
import { explanationPart, provenancePart } from "./explanation";
import { failuresPart } from "./failures";
import { mattersPart } from "./matters";
import { section } from "./section";
import { summaryPart } from "./summary";

const paperWidth = 680; // pixels between the margins of A4

/** The page of `counterpoise report`. */
export class ReportPage {
  constructor(private readonly data: ReportData) {
    document.title = `${data.name} – counterpoise report`;
  }

  async open(page: HTMLElement): Promise<void> {
    const { data } = this;
    add(page, this.header(), this.contents());
    const main = h("main", {});
    add(page, main);
    add(main, summaryPart(data));
    const places = ["designs", "all"].map((name) => h("div", { class: `place-of-${name}` }));
    add(main, ...places, failuresPart(data), mattersPart(data), explanationPart(data), provenancePart(data));
    const [cases, motions] = await Promise.all([Cases.read(data.cases), motionsOf(data.motions_of_designs)]);
    const explorer = new Explorer(cases, data);
    places[1]!.replaceWith(section("all", "All designs", explorer.element));
    const designs = new DesignsPart(data, motions);
    places[0]!.replaceWith(designs.element);
    explorer.selection.onChoice(() => designs.setSelected(explorer.selection.chosen.map((row) => cases.ids[row]!)));
    this.expose(explorer, designs);
    for (const design of data.designs) {
      const row = cases.rowOf(design.case);
      if (row >= 0) explorer.selection.choose(row, true);
    }
    addEventListener("beforeprint", () => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details:not(.axes-list, .others)")) fold.open = true;
      explorer.parallel.fit(paperWidth);
      designs.drawOnPaper();
    });
    addEventListener("afterprint", () => explorer.parallel.fit(Infinity));
    await painted();
    document.documentElement.dataset["ready"] = "yes";
    await painted();
    designs.beginScene();
  }

  private header(): HTMLElement {
    const { data } = this;
    return h("header", {}, h("div", { class: "head" },
      h("h1", {}, said(data.name)),
      h("span", { class: "faint" }, said(data.file)),
      h("span", { class: "faint program" }, data.provenance.page["program"] ?? "")),
      data.description !== "" && h("p", { class: "description" }, said(data.description)));
  }

  private contents(): HTMLElement {
    const list = h("nav", { class: "contents", "aria-label": "contents" });
    const parts = { found: "found", designs: "designs", all: "all designs", fail: "why designs fail", matters: "what matters", explained: "explanation", provenance: "provenance" };
    for (const [name, title] of Object.entries(parts)) list.append(h("a", { href: `#${name}` }, title));
    return list;
  }

  /** What tests read and do. */
  private expose(explorer: Explorer, designs: DesignsPart): void {
    const { selection, table, parallel, scatter, filters, cases } = explorer;
    Object.assign(window, {
      counterpoise: {
        get count() { return selection.count; },
        get countFailed() { return selection.countFailed; },
        get brushes() { return Object.fromEntries(selection.brushes); },
        get chosen() { return selection.chosen.map((row) => cases.ids[row]!); },
        get milliseconds() { return selection.milliseconds; },
        get axes() { return parallel.shown.map((axis) => axis.name); },
        get sorting() { return table.sorting; },
        get columns() { return scatter.columns; },
        get front() { return scatter.front.map((row) => cases.ids[row]!); },
        get knee() { return scatter.knee === null ? null : cases.ids[scatter.knee]!; },
        get sample() { return designs.timeline?.sample ?? null; },
        get playing() { return designs.timeline?.playing ?? false; },
        get frames() { return designs.frames; },
        get shown() { return designs.shown; },
        get design() { return designs.design?.case ?? null; },
        get motion() { return designs.motion?.name ?? null; },
        get plots() {
          return designs.plots.map((plot) => ({ title: plot.source.title, unit: plot.source.unit,
            lines: plot.source.lines.map((line) => ({ name: line.name, values: Array.from(line.values) })) }));
        },
        rows: () => table.visible(),
        brush: (name: string, low: number, high: number) => {
          const axis = parallel.axes.find((one) => one.name === name)!;
          selection.brush(name, axis.codes(low, high) ?? [1, 0]);
          parallel.syncBrushes();
          return selection.settle();
        },
        where: (text: string) => {
          const wrong = filters.setWhere(text);
          selection.settle();
          return wrong;
        },
        best: (percent: number) => {
          selection.setBest(percent);
          return selection.settle();
        },
        clear: () => {
          selection.clear();
          return selection.settle();
        },
        sort: (title: string, falling: boolean) => table.sortBy(title, falling),
        scatter: (x: string, y: string) => scatter.show(x, y),
        value: (name: string, id: number) => cases.column(name).value(cases.rowOf(id)),
        passing: () => Array.from(table.rows, (row) => cases.ids[row]!),
      },
    });
  }
}
