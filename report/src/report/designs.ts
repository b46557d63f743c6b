import { add, button, h, said, save } from "../common/dom";
import { Plot } from "../common/plot";
import { Run } from "../common/run";
import { Figure } from "../common/figure";
import { type Layer, layers, offAtFirst } from "../common/part";
import { sides, Stage } from "../common/stage";
import { type Mark, Timeline } from "../common/timeline";
import { inUnit, onUnits } from "../common/units";
import type { Instant, MotionData, MotionOfDesign, ReportData } from "./data";
import { printed, printedIn } from "./explore/printed";
import type { CurvePlot } from "./curves";
import { loadPlots, speedPlots, springPlots } from "./load_plots";
import { section } from "./section";

const sceneLayers: Layer[] = ["meshes", "springs", "loads", "masses", "points"].filter((one): one is Layer => one in layers);

/** The chosen designs in their motions, each beside the baseline: scene, time line, loads. */
export class DesignsPart {
  readonly element: HTMLElement;
  timeline: Timeline | null = null;
  plots: Plot[] = [];
  motion: MotionData | null;
  design: MotionOfDesign | null = null;
  private curves: CurvePlot[] = [];
  private figures: { figure: Figure; run: Run }[] = [];
  private readonly stage: Stage;
  private readonly hiddenLayers = new Set<Layer>(offAtFirst);
  private readonly line = h("div", {});
  private readonly loads = h("div", { class: "grid loads" });
  private readonly more = h("div", { class: "grid" });
  private readonly others = h("details", { class: "others" });
  private fillOthers: () => void = () => undefined;
  private readonly instants = h("div", { class: "instants" });
  private readonly alert = h("p", { class: "alert", role: "alert", hidden: true });
  private readonly choiceOfDesign = h("select", { "aria-label": "design" });
  private readonly partsOfLoad = h("input", { type: "checkbox" });
  private readonly selected = h("p", { class: "faint selected" });
  /** Is called when another design, motion or instant is shown. */
  changed: () => void = () => undefined;

  constructor(
    private readonly data: ReportData,
    private readonly motions: MotionData[],
  ) {
    this.motion = motions[0] ?? null;
    this.stage = new Stage(`Designs of ${data.name} in 3D beside the baseline`);
    const choiceOfMotion = h("select", { "aria-label": "motion" });
    for (const motion of motions) choiceOfMotion.append(h("option", { value: motion.name }, motion.name));
    choiceOfMotion.addEventListener("change", () => this.show(choiceOfMotion.value, this.design?.case));
    this.choiceOfDesign.addEventListener("change", () => this.show(this.motion!.name, Number(this.choiceOfDesign.value)));
    this.partsOfLoad.addEventListener("change", () => this.drawPlots());
    const bar = h("div", { class: "chooser" },
      h("label", {}, "design ", this.choiceOfDesign), h("label", {}, "motion ", choiceOfMotion),
      h("label", {}, this.partsOfLoad, " gravity, inertia and springs"));
    for (const layer of sceneLayers)
      if (layer !== "meshes" || data.meshes.length > 0) bar.append(this.layerSwitch(layer));
    const views = h("div", { class: "views" });
    for (const side of Object.keys(sides)) views.append(button(side, `look from: ${side}`, () => this.stage.look(side)));
    views.append(button("picture", "save the scene as PNG", () =>
      void this.stage.picture().then((blob) => blob && save(`${data.name}.png`, blob))));
    this.element = section("designs", "The chosen designs", this.selected, bar, this.alert,
      h("div", { class: "two scene-and-loads" },
        h("div", { class: "scene" }, this.stage.element, views, this.line, this.instants), this.loads),
      this.more, this.others);
    onUnits(() => {
      this.listInstants();
      this.stage.draw();
    });
    this.others.addEventListener("toggle", () => this.others.open && this.fillOthers());
    if (this.motion === null) {
      this.element.replaceChildren(this.element.firstChild!, h("p", {}, "No design is feasible, and none was named."));
      return;
    }
    const [first] = this.motion.designs;
    this.show(this.motion.name, first?.case);
  }

  /** Says which designs of the table are chosen, and how they come into this part. */
  setSelected(ids: number[]): void {
    const missing = ids.filter((id) => !this.data.designs.some((design) => design.case === id));
    this.selected.replaceChildren();
    if (ids.length === 0) return;
    add(this.selected, `Chosen in the table: ${ids.map((id) => `case ${id}`).join(", ")}. `);
    if (missing.length > 0)
      add(this.selected, "The page has no motions of some of these; ",
        h("code", {}, said(`counterpoise report ${this.data.file} ${[...this.data.designs.map((one) => one.case), ...missing].join(" ")}`)),
        " writes one that has.");
    const shown = ids.find((id) => this.data.designs.some((design) => design.case === id));
    if (shown !== undefined && this.motion !== null && shown !== this.design?.case) this.show(this.motion.name, shown);
  }

  show(motionName: string, id: number | undefined): void {
    const motion = this.motions.find((one) => one.name === motionName) ??
      this.motions.find((one) => one.designs.some((design) => design.case === id));
    if (motion === undefined) return;
    const holds = this.motions.find((one) => one === motion && one.designs.some((design) => design.case === id)) ??
      this.motions.find((one) => one.designs.some((design) => design.case === id)) ?? motion;
    this.motion = holds;
    this.design = holds.designs.find((one) => one.case === id) ?? holds.designs[0] ?? null;
    const chooser = this.element.querySelector<HTMLSelectElement>("select[aria-label=motion]");
    if (chooser !== null) chooser.value = holds.name;
    this.choiceOfDesign.replaceChildren(...this.data.designs
      .filter(({ case: own }) => this.motions.some((one) => one.designs.some((design) => design.case === own)))
      .map(({ case: own }) => h("option", { value: own, selected: own === this.design?.case }, `case ${own}`)));
    this.drawScene();
    this.drawPlots();
  }

  private drawScene(): void {
    const { stage, motion, design } = this;
    this.timeline?.play(false);
    this.timeline = null;
    this.figures = [];
    stage.clear();
    this.line.replaceChildren();
    const view = design?.view ?? null;
    this.alert.hidden = view !== null && view.findings.every((finding) => finding.kind !== "error");
    if (!this.alert.hidden)
      this.alert.replaceChildren(said(design?.reason || view?.findings.find((finding) => finding.kind === "error")?.text || "no design"));
    if (view === null || motion === null) return;
    this.addFigure(new Run(view.run, view.mechanism.bodies.length), view, false);
    const beside = motion.baseline?.view;
    if (beside !== undefined) this.addFigure(new Run(beside.run, beside.mechanism.bodies.length), beside, true);
    if (this.figures[1] !== undefined) {
      const [own, ghost] = [this.figures[0]!.figure, this.figures[1].figure];
      ghost.root.position.x = own.box.max.x - ghost.box.min.x + 0.12 * own.size;
    }
    stage.settle();
    this.timeline = new Timeline(this.figures[0]!.run, this.marks());
    this.timeline.onChange((sample) => this.seek(sample));
    add(this.line, this.timeline.element);
    this.listInstants();
  }

  private addFigure(run: Run, view: NonNullable<MotionOfDesign["view"]>, ghost: boolean): void {
    const figure = new Figure(view, run, ghost, this.data.meshes);
    for (const layer of this.hiddenLayers) figure.setLayer(layer, false);
    this.figures.push({ figure, run });
    this.stage.add(figure);
  }

  private layerSwitch(layer: Layer): HTMLElement {
    const box = h("input", { type: "checkbox", checked: !this.hiddenLayers.has(layer) });
    box.addEventListener("change", () => {
      if (box.checked) this.hiddenLayers.delete(layer);
      else this.hiddenLayers.add(layer);
      for (const { figure } of this.figures) figure.setLayer(layer, box.checked);
      this.stage.draw();
    });
    return h("label", {}, box, ` ${layer}`);
  }

  private critical(): { actuator: string; unit: string; instant: Instant }[] {
    const shown = this.data.designs.find((one) => one.case === this.design?.case)?.show.explanation;
    return (shown?.critical_instants ?? []).flatMap(({ actuator, unit, instants }) => instants
      .filter((instant) => instant.motion === this.motion?.name)
      .map((instant) => ({ actuator, unit, instant })));
  }

  private marks(): Mark[] {
    const found = this.critical().map(({ actuator, unit, instant }): Mark =>
      ({ time: instant.t, kind: "limit", text: `${actuator} ${printedIn(instant.load, unit)}` }));
    for (const finding of this.design?.view?.findings ?? [])
      if (finding.time !== null) found.push({ time: finding.time, kind: finding.kind, text: finding.text });
    return found;
  }

  /** The critical instants as `show` lists them; each leads to its time. */
  private listInstants(): void {
    const rows = this.critical().map(({ actuator, unit, instant }) => {
      const load = (value: number): string => printed(inUnit(value, unit));
      const springs = Object.entries(instant.springs).map(([name, value]) => `${name} ${load(value)}`).join(", ");
      return h("li", {},
        button(`${printed(instant.t)} s`, "go to this instant", () => this.timeline?.goTo(instant.t)),
        h("span", {}, h("b", {}, said(actuator)), ` ${printedIn(instant.load, unit)} = gravity ${load(instant.gravity)}, inertia ${load(instant.inertia)}`,
          springs === "" ? "" : ", ", said(springs), instant.baseline_load === null ? "" : `; baseline ${load(instant.baseline_load)}`));
    });
    this.instants.replaceChildren(...(rows.length > 0 ? [h("h3", {}, "Critical instants"), h("ul", {}, ...rows)] : []));
  }

  private drawPlots(): void {
    const { motion, design } = this;
    this.plots = [];
    this.curves = [];
    this.loads.replaceChildren();
    this.more.replaceChildren();
    const run = this.figures[0]?.run;
    if (motion === null || design === null || run === undefined || design.view === null) return;
    const seek = (sample: number): void => {
      this.timeline?.play(false);
      this.timeline?.go(sample);
    };
    const plot = (source: Plot["source"], into: HTMLElement): void => {
      const made = new Plot(source, seek);
      this.plots.push(made);
      into.append(made.element);
    };
    const judged = this.judged();
    const plots = (takes: (name: string) => boolean, loads: HTMLElement, curves: HTMLElement): void => {
      for (const source of loadPlots(motion, design, run, this.partsOfLoad.checked, takes)) plot(source, loads);
      for (const curve of speedPlots(motion, design, run, takes)) {
        this.curves.push(curve);
        curves.append(curve.element);
      }
    };
    plots((name) => judged.has(name), this.loads, this.more);
    for (const source of springPlots(design.view.mechanism, run, this.figures[1]?.run ?? null)) plot(source, this.more);
    this.others.hidden = judged.size === motion.actuators.length;
    const grid = h("div", { class: "grid" });
    this.others.replaceChildren(h("summary", {}, "actuators that no objective names"), grid);
    this.fillOthers = () => {
      this.fillOthers = () => undefined;
      plots((name) => !judged.has(name), grid, grid);
      this.seek(this.timeline?.sample ?? 0);
    };
    if (this.others.open) this.fillOthers();
    this.seek(this.timeline?.sample ?? 0);
  }

  /** The actuators that objectives name; all where none does. */
  private judged(): Set<string> {
    const named = this.data.designs.flatMap((one) => (one.show.explanation?.critical_instants ?? []).map(({ actuator }) => actuator));
    return new Set(named.length > 0 ? named : this.motion!.actuators.map(({ name }) => name));
  }

  private seek(sample: number): void {
    const time = this.figures[0]?.run.times[sample] ?? 0;
    this.figures.forEach(({ figure, run }, i) => figure.show(i === 0 ? sample : run.sampleAt(time)));
    this.stage.update();
    for (const plot of this.plots) plot.show(sample);
    for (const curve of this.curves) curve.show(sample);
    this.changed();
  }

  /** The instant that is shown [s]. */
  get time(): number {
    return this.figures[0]?.run.times[this.timeline?.sample ?? 0] ?? 0;
  }
  get frames(): number {
    return this.stage.frames;
  }
  get shown(): string[] {
    return this.figures[0]?.figure.parts.filter((part) => part.object.visible).map((part) => part.title) ?? [];
  }
  beginScene(): void {
    this.stage.begin();
  }
  drawOnPaper(): void {
    this.stage.drawOnPaper();
  }
}
