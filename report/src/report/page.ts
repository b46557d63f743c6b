import { Address, separated } from "../common/address";
import { add, h, inUnits, painted, said, unitSwitch } from "../common/dom";
import { takeStills } from "../common/data";
import { beginUnits, chooseUnits, onUnits, unitSystem } from "../common/units";
import { Cases } from "./cases";
import { ComparedPart } from "./compared";
import { inflated, motionsOf } from "./decode";
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
  private readonly address = new Address();

  constructor(private readonly data: ReportData) {
    beginUnits(data.display);
    document.title = `${data.name} – counterpoise report`;
  }

  async open(page: HTMLElement): Promise<void> {
    const { data } = this;
    add(page, this.header(), this.contents());
    const main = h("main", {});
    add(page, main);
    const places = ["scene", "designs", "compared", "all"].map((name) => h("div", { class: `place-of-${name}` }));
    const others = [failuresPart, mattersPart, explanationPart].map((part) => inUnits(() => part(data)));
    const best = h("div", { class: "best" }, inUnits(() => summaryPart(data)), places[0]!, places[1]!);
    add(main, best, ...places.slice(2), ...others, provenancePart(data));
    const [cases, motions, stills] = await Promise.all([
      Cases.read(data.cases), motionsOf(data.motions_of_designs), inflated(data.stills)]);
    const explorer = new Explorer(cases, data);
    places[3]!.replaceWith(section("all", "All designs", explorer.element));
    const designs = new DesignsPart(data, motions, takeStills(new TextDecoder().decode(stills)));
    places[0]!.replaceWith(designs.scene);
    places[1]!.replaceWith(designs.element);
    explorer.selection.onChoice(() => designs.setSelected(explorer.selection.chosen.map((row) => cases.ids[row]!)));
    const compared = new ComparedPart(cases, data, explorer.selection);
    places[2]!.replaceWith(compared.element);
    compared.chosen = (first, second) => designs.compare(first, second);
    designs.compared = (first, second) => {
      const missing = [first, second].map((id) => cases.rowOf(id)).filter((row) => !explorer.selection.chosen.includes(row));
      for (const row of missing) explorer.selection.choose(row, true);
      compared.compare(first, second);
    };
    this.expose(explorer, designs, compared);
    for (const design of data.designs) {
      const row = cases.rowOf(design.case);
      if (row >= 0) explorer.selection.choose(row, true);
    }
    this.keep(explorer, designs, compared);
    addEventListener("beforeprint", () => {
      for (const fold of document.querySelectorAll<HTMLDetailsElement>("main details:not(.axes-list, .others)")) fold.open = true;
      explorer.parallel.fit(paperWidth);
    });
    addEventListener("afterprint", () => explorer.parallel.fit(Infinity));
    await painted();
    this.address.open();
    document.documentElement.dataset["ready"] = "yes";
    await painted();
    designs.beginScene();
  }

  private header(): HTMLElement {
    const { data } = this;
    return h("header", {}, h("div", { class: "head" },
      h("h1", {}, said(data.name)),
      h("span", { class: "faint" }, said(data.file)), unitSwitch(),
      h("span", { class: "faint program" }, data.provenance.page["program"] ?? "")),
      data.description !== "" && h("p", { class: "description" }, said(data.description)));
  }

  private contents(): HTMLElement {
    const list = h("nav", { class: "contents", "aria-label": "contents" });
    const parts = { found: "found", designs: "designs", compared: "two compared", all: "all designs", fail: "why designs fail", matters: "what matters", explained: "explanation", provenance: "provenance" };
    for (const [name, title] of Object.entries(parts)) list.append(h("a", { href: `#${name}` }, title));
    return list;
  }

  /** Keeps in the address of the page what is shown. */
  private keep(explorer: Explorer, designs: DesignsPart, compared: ComparedPart): void {
    const { address } = this;
    const note = (): void => address.note();
    address.keep("units", () => unitSystem().name, chooseUnits);
    explorer.keepIn(address);
    address.keep("compared", () => compared.pair?.join(",") ?? "", (text) => {
      const [one, other] = text.split(",").map(Number);
      if (one !== undefined && other !== undefined) compared.compare(one, other);
    });
    address.keep("design", () => String(designs.design?.case ?? ""), (text) => designs.show(designs.motion?.name ?? "", Number(text)));
    address.keep("beside", () => designs.besides, (text) => designs.standBeside(text));
    address.keep("motion", () => encodeURIComponent(designs.motion?.name ?? ""),
      (text) => designs.show(separated(text)[0] ?? "", designs.design?.case));
    address.keep("map", () => designs.maps.text, (text) => designs.maps.choose(text));
    address.keep("t", () => String(designs.time), (text) => designs.timeline?.goTo(Number(text) || 0));
    onUnits(note);
    compared.onChange(note);
    designs.changed = note;
  }

  /** What tests read and do. */
  private expose(explorer: Explorer, designs: DesignsPart, compared: ComparedPart): void {
    const page = this;
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
        get hovered() { return scatter.hovered === null ? null : cases.ids[scatter.hovered]!; },
        get compared() { return compared.pair; },
        get units() { return unitSystem().name; },
        address: () => page.address.text,
        get front() { return scatter.front.map((row) => cases.ids[row]!); },
        get knee() { return scatter.knee === null ? null : cases.ids[scatter.knee]!; },
        get sample() { return designs.timeline?.sample ?? null; },
        get playing() { return designs.timeline?.playing ?? false; },
        get frames() { return designs.frames; },
        get drawn() { return designs.drawn; },
        get open() { return designs.openLoops; },
        get shown() { return designs.shown; },
        get design() { return designs.design?.case ?? null; },
        get motion() { return designs.motion?.name ?? null; },
        get plots() {
          return designs.plots.map((plot) => ({ title: plot.source.title, unit: plot.source.unit,
            lines: plot.source.lines.map((line) => ({ name: line.name, values: Array.from(line.values) })) }));
        },
        get maps() { return designs.maps.numbers; },
        go: (sample: number) => designs.timeline?.go(sample),
        pixels: (figure = 0) => designs.pixels(figure),
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
        scatter: (x: string, y: string, colour = "") => scatter.show(x, y, colour),
        value: (name: string, id: number) => cases.column(name).value(cases.rowOf(id)),
        passing: () => Array.from(table.rows, (row) => cases.ids[row]!),
      },
    });
  }
}
