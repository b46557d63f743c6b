import { add, button, h, said, save } from "../common/dom";
import { Plot } from "../common/plots/plot";
import { Run } from "../common/run";
import { Figure } from "../common/figure";
import { sceneLegend } from "../common/legend";
import { WorkspaceMaps } from "../common/plots/workspace_maps";
import { type Layer, layers, offAtFirst } from "../common/part";
import { Scales } from "../common/scales";
import { sides, Stage } from "../common/stage";
import { type Mark, Timeline } from "../common/timeline";
import type { Design } from "../common/data";
import { inUnit, onUnits, sentenceInUnits, withoutRounding } from "../common/units";
import type { Instant, MotionData, MotionOfDesign, ReportData } from "./data";
import { printed, printedIn } from "./explore/printed";
import type { CurvePlot } from "./curves";
import { baselineOf, loadPlots, mapsOf, shaftPlots, speedPlots, springPlots } from "./load_plots";
import { section } from "./section";

const sceneLayers: Layer[] = ["meshes", "springs", "obstacles", "loads", "masses", "points", "paths"].filter((one): one is Layer => one in layers);

/** The chosen designs in their motions, each beside the baseline or another one at the same instant and
 * from the same side: a panel with the scene and the time line, and a part with their loads. */
export class DesignsPart {
  readonly scene: HTMLElement;
  readonly element: HTMLElement;
  timeline: Timeline | null = null;
  plots: Plot[] = [];
  readonly maps: WorkspaceMaps;
  motion: MotionData | null;
  design: MotionOfDesign | null = null;
  private curves: CurvePlot[] = [];
  private figures: { figure: Figure; run: Run }[] = [];
  besides = "baseline"; // what stands beside the design: the baseline, a case by its id, nothing
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
  private readonly choiceOfOther = h("select", { "aria-label": "compared with" });
  private readonly legend = h("div", {});
  private readonly partsOfLoad = h("input", { type: "checkbox" });
  private readonly selected = h("p", { class: "faint selected" });
  /** Is called when another design, motion or instant is shown. */
  changed: () => void = () => undefined;
  /** Is called when the user stands one design beside another. */
  compared: (first: number, second: number) => void = () => undefined;

  constructor(
    private readonly data: ReportData,
    private readonly motions: MotionData[],
    private readonly stills: Map<string, Element>,
  ) {
    this.motion = motions[0] ?? null;
    this.stage = new Stage(`Designs of ${data.name} in 3D beside the baseline`);
    const choiceOfMotion = h("select", { "aria-label": "motion" });
    for (const motion of motions) choiceOfMotion.append(h("option", { value: motion.name }, motion.name));
    choiceOfMotion.addEventListener("change", () => this.show(choiceOfMotion.value, this.design?.case));
    this.choiceOfDesign.addEventListener("change", () => {
      this.show(this.motion!.name, Number(this.choiceOfDesign.value));
      this.tellPair();
    });
    this.choiceOfOther.addEventListener("change", () => {
      this.standBeside(this.choiceOfOther.value);
      this.tellPair();
    });
    this.maps = new WorkspaceMaps((sample) => this.goTo(sample), h("h3", {}, "Maps of the workspace"));
    this.maps.changed = () => this.changed();
    this.partsOfLoad.addEventListener("change", () => this.drawPlots());
    const bar = h("div", { class: "chooser" },
      h("label", {}, "design ", this.choiceOfDesign), h("label", {}, "beside ", this.choiceOfOther),
      h("label", {}, "motion ", choiceOfMotion));
    for (const layer of sceneLayers)
      if (this.mayHave(layer)) bar.append(this.layerSwitch(layer));
    const views = h("div", { class: "views" });
    for (const side of Object.keys(sides)) views.append(button(side, `look from: ${side}`, () => this.stage.look(side)));
    views.append(button("picture", "save the scene as PNG", () =>
      void this.stage.picture().then((blob) => blob && save(`${data.name}.png`, blob))));
    this.scene = h("section", { class: "panel scene", id: "scene", "aria-label": "scene" },
      bar, this.alert, this.stage.element, this.legend, views, this.line);
    this.scene.addEventListener("keydown", (event) => this.timeline?.key(event));
    this.element = section("designs", "The chosen designs", this.selected,
      this.instants, this.maps.element,
      h("p", { class: "chooser" }, h("label", {}, this.partsOfLoad, " gravity, inertia and springs")), this.loads, this.more, this.others);
    onUnits(() => {
      this.tellFault();
      this.listInstants();
      this.stage.draw();
    });
    this.others.addEventListener("toggle", () => this.others.open && this.fillOthers());
    if (this.motion === null) {
      this.element.replaceChildren(this.element.firstChild!, h("p", {}, "No design is feasible, and none was named."));
      this.scene.hidden = true;
      return;
    }
    const [first] = this.motion.designs;
    this.show(this.motion.name, first?.case);
  }

  /** Whose choice the designs are: nobody has chosen in the table while they are those of the page. */
  private whoseChoice(ids: number[]): string {
    const own = this.data.designs.map((design) => design.case);
    if (ids.length !== own.length || !ids.every((id) => own.includes(id))) return "Chosen in the table";
    return `${this.data.named ? "Named when the page was made" : "The best designs"}, until others are chosen in the table`;
  }

  /** Says which designs are chosen, and how they come into this part. */
  setSelected(ids: number[]): void {
    const missing = ids.filter((id) => !this.data.designs.some((design) => design.case === id));
    this.selected.replaceChildren();
    if (ids.length === 0) return;
    add(this.selected, `${this.whoseChoice(ids)}: ${ids.map((id) => `case ${id}`).join(", ")}. `);
    if (missing.length > 0)
      add(this.selected, "The page has no motions of some of these; ",
        h("code", {}, said(`counterpoise report ${this.data.file} ${[...this.data.designs.map((one) => one.case), ...missing].join(" ")}`)),
        " writes one that has.");
    const shown = ids.find((id) => this.data.designs.some((design) => design.case === id));
    if (shown !== undefined && this.motion !== null && !ids.includes(this.design?.case ?? NaN)) this.show(this.motion.name, shown);
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

  /** Shows a design beside another, as far as the page has their motions. */
  compare(first: number, second: number): void {
    const others = (this.motion?.designs ?? []).filter(({ view }) => view !== null).map((one) => one.case);
    if (others.includes(second)) this.besides = String(second);
    if (others.includes(first)) this.show(this.motion!.name, first);
    else this.standBeside(this.besides);
  }

  /** Stands the baseline, a case by its id, or nothing beside the design. */
  standBeside(what: string): void {
    this.besides = what;
    if (this.motion === null) return;
    this.drawScene();
    this.changed();
  }

  private tellPair(): void {
    const second = Number.parseInt(this.besides, 10);
    if (this.design !== null && !Number.isNaN(second)) this.compared(this.design.case, second);
  }

  /** Why the design has no motion, or breaks off in it. */
  private tellFault(): void {
    const fault = this.design?.view?.findings.find((finding) => finding.kind === "error");
    this.alert.hidden = this.design?.view != null && fault === undefined;
    this.alert.replaceChildren(said(sentenceInUnits(this.design?.reason || fault?.text || "no design")));
  }

  private drawScene(): void {
    const { stage, motion, design } = this;
    const at = this.timeline?.at ?? 0;
    this.timeline?.play(false);
    this.timeline = null;
    this.figures = [];
    stage.clear();
    this.line.replaceChildren();
    const view = design?.view ?? null;
    this.tellFault();
    if (view === null || motion === null) return;
    const beside = this.listOthers(motion);
    const shown = [view, ...(beside === null ? [] : [beside])]
      .map((one) => ({ view: one, mechanism: one.mechanism, run: new Run(one.run, one.mechanism.bodies.length) }));
    // the baseline gives its scale also where it is not shown: rounding is then no load
    const baseline = motion.baseline?.view;
    const scales = new Scales(baseline === undefined ? shown
      : [...shown, { mechanism: baseline.mechanism, run: new Run(baseline.run, baseline.mechanism.bodies.length) }]);
    for (const { view: one, run } of shown) {
      const figure = new Figure(one, run, one.label, scales, this.data.meshes);
      for (const layer of this.hiddenLayers) figure.setLayer(layer, false);
      this.figures.push({ figure, run });
      stage.add(figure);
    }
    stage.setStill(this.stills.get(`${this.motions.indexOf(motion)} ${design!.case}`) ?? null);
    stage.stand(true);
    this.legend.replaceChildren(...[sceneLegend(this.figures.map(({ figure }) => figure))].filter((one) => one !== null));
    this.timeline = new Timeline(this.figures[0]!.run, this.marks());
    this.timeline.onMove((now) => this.place(now));
    this.timeline.onChange((sample) => this.seek(sample));
    add(this.line, this.timeline.element);
    this.timeline.go(at);
    this.place(this.timeline.at);
    this.listInstants();
  }

  /** Fills the menu of designs to compare with, and returns the chosen one. */
  private listOthers(motion: MotionData): Design | null {
    const others = new Map<string, Design>();
    if (motion.baseline !== null) others.set("baseline", motion.baseline.view);
    for (const { case: id, view } of motion.designs) if (view !== null && id !== this.design?.case) others.set(String(id), view);
    if (!others.has(this.besides) && this.besides !== "") this.besides = motion.baseline === null ? "" : "baseline";
    this.choiceOfOther.replaceChildren(...[...others].map(([value, view]) => h("option", { value, selected: value === this.besides }, view.label)),
      h("option", { value: "", selected: this.besides === "" }, "nothing"));
    return others.get(this.besides) ?? null;
  }

  /** Whether the page may have something of a layer. */
  private mayHave(layer: Layer): boolean {
    if (layer === "meshes") return this.data.meshes.length > 0;
    if (layer === "obstacles")
      return this.motions.some(({ designs }) => designs.some(({ view }) => (view?.mechanism.obstacles ?? []).length > 0));
    return layer !== "paths" || this.motions.some(({ designs }) => designs.some(({ view }) => (view?.paths ?? []).length > 0));
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
      .map((instant) => ({ actuator, unit, instant: balanced(instant) })));
  }

  private marks(): Mark[] {
    const found = this.critical().map(({ actuator, unit, instant }): Mark =>
      ({ time: instant.t, kind: "limit", text: `${actuator} ${printedIn(instant.load, unit)}` }));
    for (const finding of this.design?.view?.findings ?? [])
      if (finding.time !== null) found.push({ time: finding.time, kind: finding.kind, text: sentenceInUnits(finding.text) });
    return found;
  }

  /** The critical instants as `show` lists them; each leads to its time. */
  private listInstants(): void {
    const what = this.figures[0]?.run.atRest === true ? "pose" : "instant";
    const rows = this.critical().map(({ actuator, unit, instant }) => {
      const load = (value: number): string => printed(inUnit(value, unit));
      const pose = (instant.pose ?? []).map((of) => `${of.coordinate} ${printedIn(of.position, of.unit)}`).join(", ");
      const springs = Object.entries(instant.springs).map(([name, value]) => `${name} ${load(value)}`).join(", ");
      const run = this.figures[0]?.run;
      return h("li", {}, run?.has(instant.t) === false ? h("span", {}, `${run.timeText(instant.t)} (not shown)`) :
        button(run?.timeText(instant.t, 6) ?? "", `go to this ${what}`, () => this.timeline?.goTo(instant.t)),
        h("span", {}, said(pose), pose === "" ? "" : ": ", h("b", {}, said(actuator)), ` ${printedIn(instant.load, unit)} = gravity ${load(instant.gravity)}, inertia ${load(instant.inertia)}`, instant.forces === undefined ? "" : `, forces ${load(instant.forces)}`,
          instant.friction === undefined ? "" : `, friction ${load(instant.friction)}`,
          springs === "" ? "" : ", ", said(springs), instant.baseline_load === null ? "" : `; baseline ${load(instant.baseline_load)}`));
    });
    this.instants.replaceChildren(...(rows.length > 0 ? [h("h3", {}, `Critical ${what}s`), h("ul", {}, ...rows)] : []));
  }

  private drawPlots(): void {
    const { motion, design } = this;
    this.plots = [];
    this.curves = [];
    this.loads.replaceChildren();
    this.more.replaceChildren();
    const run = this.figures[0]?.run;
    if (motion === null || design === null || run === undefined || design.view === null) return this.maps.show(null, 0);
    const plot = (source: Plot["source"], into: HTMLElement): void => {
      const made = new Plot(source, (sample) => this.goTo(sample));
      this.plots.push(made);
      into.append(made.element);
    };
    const judged = this.judged();
    this.maps.show(mapsOf(motion, design, run, (name) => judged.has(name)), this.timeline?.sample ?? 0);
    const plots = (takes: (name: string) => boolean, loads: HTMLElement, curves: HTMLElement): void => {
      for (const source of loadPlots(motion, design, run, this.partsOfLoad.checked, takes)) plot(source, loads);
      for (const curve of run.atRest ? [] : speedPlots(motion, design, run, takes)) {
        this.curves.push(curve);
        curves.append(curve.element);
      }
    };
    plots((name) => judged.has(name), this.loads, this.more);
    for (const curve of shaftPlots(design)) {
      this.curves.push(curve);
      this.more.append(curve.element);
    }
    for (const source of springPlots(design.view.mechanism, run, baselineOf(motion))) plot(source, this.more);
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

  /** Shows the scene as it is at an instant, which may be between two samples. */
  private place(at: number): void {
    const time = this.figures[0]?.run.timeAt(at) ?? 0;
    this.figures.forEach(({ figure, run }, i) => figure.show(i === 0 ? at : run.at(time)));
    this.stage.update();
  }

  private goTo(sample: number): void {
    this.timeline?.play(false);
    this.timeline?.go(sample);
  }
  private seek(sample: number): void {
    for (const plot of this.plots) plot.show(sample);
    for (const curve of this.curves) curve.show(sample);
    this.maps.mark(sample);
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
  /** The loops that are drawn as open. */
  get openLoops(): string[] {
    return this.figures.flatMap(({ figure }) => figure.openLoops);
  }
  pixels(figure: number): Record<string, [number, number]> {
    return this.stage.pixelsOf(this.figures[figure]!.figure);
  }
  get drawn(): boolean {
    return this.stage.element.classList.contains("drawn");
  }
}

/** What of a load is rounding where springs were sized for it: as `show` prints it. */
const solvedPart = 1e-9;

/** The instant without what is rounding beside the largest part of its load. */
function balanced(instant: Instant): Instant {
  const { load, gravity, inertia, forces, friction, springs, baseline_load: baseline } = instant;
  const size = Math.max(...[load, gravity, inertia, forces ?? 0, friction ?? 0, baseline ?? 0, ...Object.values(springs)].map(Math.abs));
  const of = (value: number): number => withoutRounding(value, size, solvedPart);
  return { ...instant, load: of(load), gravity: of(gravity), inertia: of(inertia), ...(forces === undefined ? {} : { forces: of(forces) }), ...(friction === undefined ? {} : { friction: of(friction) }),
    springs: Object.fromEntries(Object.entries(springs).map(([name, value]) => [name, of(value)])),
    baseline_load: baseline === null ? null : of(baseline) };
}
