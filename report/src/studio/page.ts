import { add, button, h, painted, said } from "../common/dom";
import { Figure } from "../common/figure";
import { sceneLegend } from "../common/legend";
import { offAtFirst } from "../common/part";
import { Plot, type PlotLine } from "../common/plots/plot";
import { Run } from "../common/run";
import { Scales } from "../common/scales";
import { sides, Stage } from "../common/stage";
import { Timeline } from "../common/timeline";
import { beginUnits, onUnits, sentenceInUnits } from "../common/units";
import { unitSwitch } from "../common/unit_switch";
import { Grips, type Shown } from "./grips";
import { findingsOf, metricsTable, verdictOf } from "./readings";
import { Latest, Server } from "./server";
import { sliders } from "./sliders";
import { State } from "./state";
import type { BaselineAnswer, DesignAnswer, Metrics, Question, StudioData, Values } from "./studio_data";

const mostKept = 3; // beside the design that is shown

interface Kept {
  name: string;
  values: Values;
  loads: Map<string, ArrayLike<number>>; // by actuator, in the motion that is shown
}

const loadsOf = (run: Run, quantity: string): Map<string, Float32Array> =>
  new Map(run.series.filter((one) => one.kind === "actuator" && one.quantity === quantity)
    .map(({ element, values }) => [element, values]));

/** The page of `counterpoise studio`: a design that changes while a slider or a point is moved. */
export class StudioPage {
  private readonly server = new Server();
  private readonly state: State;
  private readonly stage: Stage;
  private readonly scene = h("div", { class: "panel scene" });
  private readonly plotsPlace = h("div", { class: "plots" });
  private readonly readings = h("div", { class: "readings" });
  private readonly keptPlace = h("div", { class: "kept" });
  private readonly alert = h("div", { class: "alert", role: "alert", hidden: true });
  private readonly commandLine = h("code", { class: "command" });
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly asks: Latest<Question>;
  private motion: string;
  private answer: DesignAnswer | null = null;
  private values: Values = {}; // that it was asked for, and those that it found
  private drawn: Shown | null = null; // in the scene, which may be behind the answer
  private run: Run | null = null;
  private baseline: BaselineAnswer | null = null;
  private timeline: Timeline | null = null;
  private plots: { actuator: string; plot: Plot }[] = [];
  private plotted = ""; // which lines the plots have
  private readonly sprung = new Set<string>(); // actuators whose load springs have changed so far
  private readonly others = h("details", { class: "panel" });
  private kept: Kept[] = [];
  private waiting = false; // for the scene to be drawn
  private sceneDrawn = 0; // when, in ms
  private sceneRest = 0; // before it is drawn again, in ms
  private size = false; // whether springs are sized at every geometry
  private answers = 0;

  constructor(private readonly data: StudioData) {
    beginUnits(data.display);
    document.title = `${data.name} – counterpoise studio`;
    this.state = new State(data.sliders);
    this.motion = data.motions[0]!.name;
    this.stage = new Stage(`The mechanism ${data.model} in 3D`);
    this.asks = new Latest((question) => this.show(question));
    this.undoButton = button("undo", "undo (Ctrl+Z)", () => this.state.undo());
    this.redoButton = button("redo", "redo (Ctrl+Shift+Z)", () => this.state.redo());
    new Grips(this.stage, this.state, () => this.drawn);
    this.state.onChange(() => {
      this.noteUndo();
      this.ask();
    });
    this.noteUndo();
    this.others.addEventListener("toggle", () => this.run && this.drawPlots(this.run));
  }

  async open(page: HTMLElement): Promise<void> {
    add(page, this.header(), this.alert,
      h("main", { class: "layout studio" },
        h("div", { class: "side" }, sliders(this.data.sliders, this.state, this.sizing()), this.keptPlace), this.scene, this.plotsPlace,
        h("div", { class: "more" }, h("section", { class: "panel", "aria-label": "This design" },
          h("h2", {}, "This design"), this.readings,
          h("div", { class: "command-line" }, h("span", { class: "faint" }, "the same in a terminal: "), this.commandLine)))));
    addEventListener("keydown", (event) => this.key(event));
    this.drawKept();
    onUnits(() => {
      this.drawReadings();
      this.stage.draw();
    });
    this.expose();
    await this.begin();
    void painted().then(() => this.stage.begin());
  }

  private header(): HTMLElement {
    const motions = h("select", { "aria-label": "motion" },
      ...this.data.motions.map(({ name }) => h("option", { value: name }, name)));
    motions.addEventListener("change", () => {
      this.motion = motions.value;
      void this.begin();
    });
    return h("header", {}, h("div", { class: "head" }, h("h1", {}, said(this.data.name)),
      this.data.motions.length > 1 ? motions : h("span", { class: "faint" }, said(this.motion)),
      this.undoButton, this.redoButton,
      button("as it began", "all values where they began", () => this.state.show({})),
      unitSwitch(), h("span", { class: "faint program" }, this.data.program)));
  }

  /** The switch that sizes springs at every geometry, where the study says how. */
  private sizing(): HTMLElement | null {
    const names = this.data.sized;
    if (names.length === 0) return null;
    const box = h("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      this.size = box.checked;
      this.state.lock(this.size ? names : []);
      this.ask();
    });
    return h("label", { class: "sizing", title: `The best of ${names.join(", ")} for every geometry, by the exact search of the study` },
      box, "the best springs here");
  }

  private noteUndo(): void {
    this.undoButton.disabled = !this.state.canUndo;
    this.redoButton.disabled = !this.state.canRedo;
  }

  private key(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || (event.target as HTMLElement).matches("input[type=text]")) return;
    const again = event.key === "y" || (event.key === "Z" && event.shiftKey);
    if (again) this.state.redo();
    else if (event.key === "z") this.state.undo();
    else return;
    event.preventDefault();
  }

  private question(): Question {
    return { motion: this.motion, values: this.state.changed, size: this.size };
  }
  private ask(): void {
    this.asks.ask(this.question());
  }

  /** Begins with a motion: its baseline, and the kept designs in it. */
  private async begin(): Promise<void> {
    try {
      this.baseline = await this.server.baseline(this.motion);
      for (const kept of this.kept) {
        const answer = await this.server.design({ motion: this.motion, values: kept.values });
        kept.loads = "design" in answer ? loadsOf(new Run(answer.design.run, answer.design.mechanism.bodies.length), "load") : new Map();
      }
    } catch (error) {
      this.tell(String((error as Error).message));
    }
    this.timeline = null;
    this.ask();
  }

  /** Says what is wrong, or (empty) that nothing is. */
  private tell(words: string): void {
    this.alert.hidden = words === "";
    this.alert.textContent = sentenceInUnits(words);
  }

  /** Asks for a design and shows it. The one before stays where there is none. */
  private async show(question: Question): Promise<void> {
    try {
      const answer = await this.server.design(question);
      if (question.motion !== this.motion) return;
      if ("refused" in answer) this.tell(`There is no such design: ${answer.refused}`);
      else this.take(answer, question.values);
    } catch (error) {
      this.tell(error instanceof TypeError
        ? "The program does not answer. Start it again with the same command, and open the address it prints."
        : String((error as Error).message));
    }
    this.answers += 1;
    await new Promise<void>((done) => requestAnimationFrame(() => done()));
  }

  private take(answer: DesignAnswer, asked: Values): void {
    const { design } = answer;
    this.answer = answer;
    this.values = { ...asked, ...answer.sized };
    if (answer.sized !== undefined) this.state.follow(answer.sized);
    const errors = design.findings.filter(({ kind }) => kind === "error");
    this.tell(errors.map(({ text }) => text).join("\n"));
    this.run = new Run(design.run, design.mechanism.bodies.length);
    this.drawPlots(this.run);
    this.drawReadings();
    this.drawScene();
  }

  /** Draws the scene. Where that takes long, as without a graphics card, it takes no more than half of the time, so
   * that the curves still follow. */
  private drawScene(): void {
    if (this.waiting) return;
    const from = performance.now();
    const rest = this.sceneRest - (from - this.sceneDrawn);
    if (rest > 0 && this.timeline !== null) {
      this.waiting = true;
      setTimeout(() => {
        this.waiting = false;
        this.drawScene();
      }, rest);
      return;
    }
    const answer = this.answer!, { design } = answer, run = this.run!;
    const scales = new Scales([{ mechanism: design.mechanism, run }]);
    const figure = new Figure(design, run, "design", scales, this.data.meshes);
    for (const layer of offAtFirst) figure.setLayer(layer, false);
    if (this.timeline === null || this.stage.figures.length === 0) this.layOut(figure, run);
    else this.stage.replace([figure]);
    this.drawn = { figure, answer, values: this.values };
    figure.show(Math.min(this.timeline!.at, run.samples - 1));
    this.stage.update();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.sceneDrawn = performance.now();
      this.sceneRest = this.sceneDrawn - from < 50 ? 0 : this.sceneDrawn - from;
    }));
  }

  /** Makes the scene and its time line for a motion. */
  private layOut(figure: Figure, run: Run): void {
    this.stage.replace([figure]);
    this.timeline = new Timeline(run);
    this.timeline.onMove((at) => {
      this.stage.figures[0]!.show(at);
      this.stage.update();
    });
    this.timeline.onChange((sample) => {
      for (const { plot } of this.plots) plot.show(sample);
    });
    const views = h("div", { class: "views" },
      ...Object.keys(sides).map((side) => button(side, `look from: ${side}`, () => this.stage.look(side))),
      h("span", { class: "hint faint" }, "drag a point that a slider moves, or turn the view"));
    this.scene.replaceChildren(this.stage.element, views, this.timeline.element, sceneLegend([figure]) ?? "");
    this.scene.onkeydown = (event): void => this.timeline!.key(event);
    this.stage.settle();
  }

  private linesOf(actuator: string, run: Run): PlotLine[] {
    const lines: PlotLine[] = [];
    const line = (name: string, values: ArrayLike<number> | undefined, hue: number, pale: boolean): void => {
      if (values !== undefined && values.length === run.samples) lines.push({ name, values, hue, pale });
    };
    line("this design", loadsOf(run, "load").get(actuator), 0, false);
    line("baseline", this.baseline?.loads[actuator], 1, true);
    line("without springs", loadsOf(run, "bare_load").get(actuator), 7, true);
    this.kept.forEach((kept, k) => line(kept.name, kept.loads.get(actuator), 2 + k, true));
    return lines;
  }

  /** Whether springs change the load of an actuator, in this design or in the baseline. */
  private isSprung(actuator: string): boolean {
    const own = (all: Metrics[]): Metrics | undefined => all.find((one) => one.actuator === actuator);
    const bare = own(this.answer!.bare);
    const differs = (one: Metrics | undefined): boolean =>
      one !== undefined && bare !== undefined && Math.abs(one.rms - bare.rms) > 1e-9 * bare.rms;
    return this.answer!.bare.length === 0 || differs(own(this.answer!.metrics)) || differs(own(this.baseline?.metrics ?? []));
  }

  /** Draws the loads that springs change, and the others where they are unfolded. */
  private drawPlots(run: Run): void {
    const names = [...loadsOf(run, "load").keys()];
    for (const name of names) if (this.isSprung(name)) this.sprung.add(name);
    const first = names.filter((name) => this.sprung.has(name));
    const shown = this.others.open || first.length === 0 ? [...first, ...names.filter((name) => !first.includes(name))] : first;
    const of = shown.map((actuator) => ({ actuator, lines: this.linesOf(actuator, run) }));
    const plotted = JSON.stringify([this.motion, of.map(({ actuator, lines }) => [actuator, lines.map(({ name }) => name)])]);
    if (plotted === this.plotted) {
      of.forEach(({ lines }, i) => this.plots[i]!.plot.change(run.along, lines.map(({ values }) => values)));
      return;
    }
    this.plotted = plotted;
    const series = (actuator: string): string => run.find("actuator", actuator, "load")!.unit;
    const seek = (sample: number): void => {
      this.timeline!.play(false);
      this.timeline!.go(sample);
    };
    this.plots = of.map(({ actuator, lines }) => ({ actuator,
      plot: new Plot({ title: `Load of ${actuator}`, unit: series(actuator), along: run.along, lines }, seek) }));
    const [open, folded] = [first.length > 0 ? first.length : shown.length, this.others];
    const panels = this.plots.map(({ plot }) => h("div", { class: "panel" }, plot.element));
    folded.replaceChildren(h("summary", {}, "Loads that springs do not change"), h("div", { class: "plots" }, ...panels.slice(open)));
    this.plotsPlace.replaceChildren(...panels.slice(0, open), ...(first.length > 0 && first.length < names.length ? [folded] : []));
  }

  private drawReadings(): void {
    if (this.answer === null) return;
    this.readings.replaceChildren(verdictOf(this.answer), metricsTable(this.answer, this.baseline, (name) => this.sprung.has(name) || this.sprung.size === 0), findingsOf(this.answer));
    this.commandLine.textContent = this.answer.command;
  }

  /** Keeps the design that is shown, to be compared with. */
  private keep(name: string): void {
    if (this.run === null || this.kept.length === mostKept) return;
    this.kept.push({ name, values: this.values, loads: loadsOf(this.run, "load") });
    this.redraw();
  }
  private redraw(): void {
    this.drawKept();
    if (this.run !== null) this.drawPlots(this.run);
  }

  private drawKept(): void {
    const name = h("input", { type: "text", "aria-label": "name of the design", value: `design ${this.kept.length + 1}` });
    const keep = button("keep", "keep this design to compare with", () => this.keep(name.value.trim() || "design"));
    keep.disabled = this.kept.length === mostKept;
    this.keptPlace.replaceChildren(h("section", { class: "panel", "aria-label": "Kept designs" }, h("h2", {}, "Kept designs"),
      h("div", { class: "keeping" }, name, keep),
      h("ul", {}, ...this.kept.map((kept) => h("li", {}, said(kept.name),
        button("show", `show ${kept.name}`, () => this.state.show(kept.values)),
        button("drop", `drop ${kept.name}`, () => {
          this.kept = this.kept.filter((one) => one !== kept);
          this.redraw();
        }))))));
  }

  /** What tests read and do. */
  private expose(): void {
    const page = this;
    Object.assign(window, {
      counterpoise: {
        get answers() { return page.answers; },
        get idle() { return page.asks.idle && page.answers > 0 && !page.waiting; },
        get values() { return Object.fromEntries(page.data.sliders.map(({ name }) => [name, page.state.of(name)])); },
        get plots() {
          return page.plots.map(({ actuator, plot }) => ({ actuator,
            lines: plot.source.lines.map(({ name, values }) => ({ name, values: Array.from(values) })) }));
        },
        get pixels() { return page.stage.pixelsOf(page.stage.figures[0]!); },
        get handles() { return page.answer?.handles ?? []; },
        get frames() { return page.stage.frames; },
        set: (values: Values) => page.state.show(values),
      },
    });
  }
}
