import { Address, separated } from "../common/address";
import { add, button, h, inUnits, painted, save, withUnit } from "../common/dom";
import { Plot } from "../common/plots/plot";
import { Run } from "../common/run";
import { Figure } from "../common/figure";
import { Frame } from "../common/frame";
import { gapOf } from "../common/joints";
import { sceneLegend } from "../common/legend";
import { WorkspaceMaps } from "../common/plots/workspace_maps";
import { type Layer, offAtFirst } from "../common/part";
import { Scales } from "../common/scales";
import { sides, Stage } from "../common/stage";
import { takeStills } from "../common/data";
import { type Mark, Timeline } from "../common/timeline";
import { beginUnits, chooseUnits, onUnits, sentenceInUnits, unitName, unitSystem } from "../common/units";
import { mapsOf, plotsOf } from "./charts";
import { CoursePanel } from "./course";
import { fallPanel } from "./fall";
import { alerts, findingsPanel, folded, header, panel, switches } from "./panels";
import { type LiveTable, tablesOf } from "./tables";
import { BodyTree } from "./tree";
import type { ViewData } from "./view_data";

/** A plot that is folded at first, under its title and unit. */
function foldedPlot(plot: Plot): HTMLElement {
  const fold = folded(plot.source.title, false, plot.element);
  const unit = inUnits(() => h("span", { class: "unit" }, ` ${unitName(plot.source.unit)}`));
  fold.querySelector("summary")!.append(unit);
  return fold;
}

/** The page of `counterpoise view`. */
export class ViewPage {
  private readonly runs: Run[];
  private readonly zeros: Run[];
  private readonly figures: Figure[];
  private readonly stage: Stage;
  private readonly timeline: Timeline;
  private readonly read: Frame; // what tables show: a sample, also while the scene is between two
  private readonly plots: Plot[];
  private readonly maps: WorkspaceMaps;
  private readonly course: CoursePanel;
  private readonly tables: LiveTable[];
  private readonly tree: BodyTree;
  private atZero = false;

  constructor(private readonly data: ViewData) {
    beginUnits(data.display);
    document.title = `${data.name} – counterpoise view`;
    const decode = (kind: "run" | "zero"): Run[] =>
      data.designs.map((design) => new Run(design[kind], design.mechanism.bodies.length));
    this.runs = decode("run");
    this.zeros = decode("zero");
    const scales = new Scales(data.designs.map(({ mechanism }, d) => ({ mechanism, run: this.runs[d]! })));
    this.figures = data.designs.map((design, d) => new Figure(design, this.runs[d]!,
      `${d === 0 ? "design" : "ghost"}${design.label === "" ? "" : `: ${design.label}`}`, scales, data.meshes));
    this.read = new Frame(data.designs[0]!.mechanism, this.runs[0]!);
    this.stage = new Stage(`The mechanism ${data.name} in 3D`);
    for (const figure of this.figures) this.stage.add(figure);
    const marks = data.designs[0]!.findings
      .filter((finding) => finding.time !== null)
      .map((finding): Mark => ({ time: finding.time!, kind: finding.kind, text: sentenceInUnits(finding.text) }));
    for (const event of data.designs[0]!.events)
      marks.push({ time: event.time, kind: event.kind, text: `${event.kind} ${event.what}` });
    this.timeline = new Timeline(this.runs[0]!, marks);
    const seek = (sample: number): void => {
      this.timeline.play(false);
      this.timeline.go(sample);
    };
    const charts = this.runs[0]!.samples > 1 ? plotsOf(this.runs[0]!, this.runs[1] ?? null) : [];
    this.plots = charts.map((chart) => new Plot(chart.source, seek));
    this.maps = new WorkspaceMaps(seek);
    this.maps.show(mapsOf(data.designs, this.runs, data.doing?.poses ?? ""), 0);
    this.course = new CoursePanel(data.designs, this.runs, seek);
    this.plots.forEach((plot, i) => plot.element.toggleAttribute("data-folded", !charts[i]!.open));
    this.tables = tablesOf(data, this.runs[0]!, this.zeros[0]!);
    this.tree = new BodyTree(data.designs[0]!.mechanism,
      (bodies, hide) => this.hide(bodies, hide), (body) => this.nameBody(body));
    this.stage.setStill(takeStills().get("view") ?? null);
    this.timeline.onMove((at) => this.place(at));
    this.timeline.onChange((sample) => this.show(sample));
    for (const layer of offAtFirst) this.setLayer(layer, false);
  }

  open(page: HTMLElement): void {
    add(page, header(this.data), ...alerts(this.data.designs));
    const controls = switches(
      (layer) => this.figures.some((figure) => figure.hasLayer(layer)),
      (layer, on) => {
        if (layer === "floor") this.stage.showFloor(on);
        else if (layer === "follow") this.stage.follow(on);
        else this.setLayer(layer, on);
      },
      this.figures[0]!.travels);
    const side = h("div", { class: "side" },
      panel("Show", "show", controls.element, sceneLegend(this.figures)),
      panel("Bodies", "bodies", this.tree.element));
    const scene = h("div", { class: "panel scene" }, this.stage.element, this.viewButtons());
    if (this.runs[0]!.samples > 1) {
      scene.append(this.timeline.element);
      scene.addEventListener("keydown", (event) => this.timeline.key(event));
    }
    const plots = h("div", { class: "plots" });
    if (!this.maps.element.hidden) plots.append(panel("Maps of the workspace", "workspace", this.maps.element));
    const isFolded = (plot: Plot): boolean => plot.element.hasAttribute("data-folded");
    for (const plot of this.plots) if (!isFolded(plot)) plots.append(h("div", { class: "panel" }, plot.element));
    if (!this.course.isEmpty) plots.append(panel("Motion of a coordinate", "motion", this.course.element));
    for (const plot of this.plots) if (isFolded(plot)) plots.append(foldedPlot(plot));
    const { fall, events } = this.data.designs[0]!;
    const more = h("div", { class: "more" },
      fall && inUnits(() => fallPanel(fall, events, (time) => this.timeline.goTo(time))),
      findingsPanel(this.data.designs, this.runs[0]!, (time) => this.timeline.goTo(time)));
    for (const live of this.tables) more.append(folded(live.title, live.open === true, live.table.element));
    const layout = h("main", { class: "layout" }, side, scene, plots, more);
    layout.classList.toggle("without-plots", this.plots.length === 0);
    layout.classList.toggle("with-maps", !this.maps.element.hidden);
    add(page, layout);
    this.unfoldOnPaper();
    this.stage.stand(true);
    this.stage.follow(this.figures[0]!.travels);
    this.place(0);
    this.show(0);
    onUnits(() => {
      this.show(this.timeline.sample);
      this.noteGaps();
      this.stage.draw();
    });
    this.keep();
    this.expose(controls.boxes);
    void painted().then(() => this.stage.begin());
  }

  private viewButtons(): HTMLElement {
    const row = h("div", { class: "views" });
    for (const side of Object.keys(sides)) row.append(button(side, `look from: ${side}`, () => this.stage.look(side)));
    if (this.figures.length > 1) {
      const choice = h("select", { "aria-label": "where the ghost stands" },
        h("option", { value: "beside" }, "ghost beside"), h("option", { value: "over" }, "ghost over it"));
      choice.addEventListener("change", () => this.stage.stand(choice.value === "beside"));
      row.append(choice);
    }
    if (this.runs[0]!.samples > 1 || this.zeros[0]!.samples === 0) {
      const zero = button("zero configuration", "show the zero configuration", () => {
        this.showZero(!this.atZero);
        zero.setAttribute("aria-pressed", String(this.atZero));
      });
      zero.setAttribute("aria-pressed", "false");
      row.append(zero);
    }
    row.append(button("picture", "save the scene as PNG", () => {
      void this.stage.picture().then((blob) => blob && save(`${this.data.name}.png`, blob));
    }));
    row.append(h("span", { class: "hint faint" }, "drag turns, wheel zooms"));
    return row;
  }

  private showZero(on: boolean): void {
    this.timeline.play(false);
    this.atZero = on;
    this.figures.forEach((figure, d) => figure.play((on ? this.zeros : this.runs)[d]!));
    if (!on) this.place(this.timeline.at);
    this.noteGaps();
    this.stage.update();
  }

  /** Shows the scene as it is at an instant, which may be between two samples. */
  private place(at: number): void {
    if (this.atZero) this.figures.forEach((figure, d) => figure.play(this.runs[d]!));
    this.atZero = false;
    const time = this.runs[0]!.timeAt(at);
    this.figures.forEach((figure, d) => figure.show(d === 0 ? at : this.runs[d]!.at(time)));
    this.stage.update();
    this.noteGaps();
  }

  private show(sample: number): void {
    this.read.at = sample;
    for (const plot of this.plots) plot.show(sample);
    this.maps.mark(sample);
    this.course.show(sample);
    for (const live of this.tables) if (live.update) live.table.show(live.update(this.read));
  }

  private noteGaps(): void {
    const { frame } = this.figures[0]!;
    this.stage.note(frame.mechanism.loops.flatMap((loop) => {
      const gap = gapOf(loop, frame);
      return gap > 0 ? [`loop ${loop.name} is open by ${withUnit(gap, "m")}`] : [];
    }));
  }

  private setLayer(layer: Layer, on: boolean): void {
    for (const figure of this.figures) figure.setLayer(layer, on);
    this.stage.draw();
  }

  private hide(bodies: number[], hide: boolean): void {
    for (const figure of this.figures) figure.hide(bodies, hide);
    this.stage.draw();
  }

  private nameBody(body: number | null): void {
    if (body === null || body < 0) return this.stage.tell(null);
    const one = this.data.designs[0]!.mechanism.bodies[body]!;
    this.stage.tell([`body ${one.name}`, `${one.joint} joint`, withUnit(one.mass, "kg")], 4, 4);
  }

  /** Paper has no folds. */
  private unfoldOnPaper(): void {
    let folded: HTMLDetailsElement[] = [];
    addEventListener("beforeprint", () => {
      folded = [...document.querySelectorAll("details")].filter((fold) => !fold.open);
      for (const fold of folded) fold.open = true;
      for (const plot of [...this.plots, ...this.course.plots]) plot.fit();
    });
    addEventListener("afterprint", () => {
      for (const fold of folded) fold.open = false;
    });
  }

  /** Keeps in the address of the page what is shown. */
  private keep(): void {
    const address = new Address();
    address.keep("units", () => unitSystem().name, chooseUnits);
    address.keep("t", () => String(this.runs[0]!.times[this.timeline.sample] ?? 0), (text) => this.timeline.goTo(Number(text) || 0));
    address.keep("map", () => this.maps.text, (text) => this.maps.choose(text));
    address.keep("coordinate", () => encodeURIComponent(this.course.chosen), (text) => this.course.choose(separated(text)[0] ?? ""));
    onUnits(() => address.note());
    this.course.changed = () => address.note();
    this.maps.changed = () => address.note();
    this.timeline.onChange(() => address.note());
    address.open();
  }

  /** What tests read and do. */
  private expose(boxes: Map<string, HTMLInputElement>): void {
    const page = this;
    Object.assign(window, {
      counterpoise: {
        get samples() { return page.runs[0]!.samples; },
        get sample() { return page.timeline.sample; },
        get time() { return page.runs[0]!.times[page.timeline.sample]; },
        get playing() { return page.timeline.playing; },
        get speed() { return page.timeline.speed; },
        get zero() { return page.atZero; },
        get frames() { return page.stage.frames; },
        get drawn() { return page.stage.element.classList.contains("drawn"); },
        get open() { return page.figures.flatMap((figure) => figure.openLoops); },
        get camera() { return page.stage.cameraAt(); },
        get hidden() {
          return [...page.tree.hidden].map((b) => page.data.designs[0]!.mechanism.bodies[b]?.name ?? "world");
        },
        get shown() {
          return page.figures[0]!.parts.filter((part) => part.object.visible).map((part) => part.title);
        },
        get plots() {
          return page.plots.map((plot) => ({ title: plot.source.title, unit: plot.source.unit,
            lines: plot.source.lines.map((line) => line.name) }));
        },
        get course() {
          return page.course.plots.map(({ source: { title, unit, lines, marks } }) => ({ title, unit, marks,
            lines: lines.map((line) => ({ name: line.name, values: Array.from(line.values) })) }));
        },
        courseSvg: (plot: number) => page.course.plots[plot]!.svg(),
        get layers() { return Object.fromEntries([...boxes].map(([name, box]) => [name, box.checked])); },
        get maps() { return page.maps.numbers; },
        go: (sample: number) => page.timeline.go(sample),
        place: (at: number) => page.place(at),
        paths: (design = 0) => page.figures[design]!.paths,
        positions: (design = 0) => page.figures[design]!.positions(),
        cables: (design = 0) => page.figures[design]!.cables,
        cams: (design = 0) => page.figures[design]!.cams,
        approaches: (design = 0) => page.figures[design]!.approaches,
        pixels: (design = 0) => page.stage.pixelsOf(page.figures[design]!),
        svg: (plot: number) => page.plots[plot]!.svg(),
      },
    });
  }
}
