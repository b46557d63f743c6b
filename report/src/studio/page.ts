import { add, button, h, painted, said } from "../common/dom";
import { Run } from "../common/run";
import { beginUnits, onUnits, sentenceInUnits } from "../common/units";
import { unitSwitch } from "../common/unit_switch";
import { type Bearing, bearingOf, bearingOfRun, Curves, decoded, type Other } from "./curves";
import type { Files } from "./files";
import { Grips } from "./grips";
import { DesignMap } from "./map";
import { findingsOf, metricsTable, verdictOf } from "./readings";
import { Runs } from "./runs";
import { Scene } from "./scene";
import { Latest, type Server } from "./server";
import { sliders } from "./sliders";
import { State } from "./state";
import type { Answer, DesignAnswer, Facts, LoadsAnswer, Metrics, Question, StudioData, Values } from "./studio_data";

const mostKept = 3; // beside the design that is shown

interface Kept extends Other {
  values: Values;
}

/** The page of `counterpoise studio`: a design that changes while a slider or a point is moved. */
export class StudioPage {
  private readonly state: State;
  private readonly scene: Scene;
  private readonly curves: Curves;
  private readonly runs: Runs;
  private readonly readings = h("div", { class: "readings" });
  private readonly keptPlace = h("div", { class: "kept" });
  private readonly alert = h("div", { class: "alert", role: "alert", hidden: true });
  private readonly commandLine = h("code", { class: "command" });
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly asks = new Latest<Question>((question) => this.show(question));
  private readonly scenes = new Latest<Question>((question) => this.showScene(question));
  private readonly map: DesignMap;
  private motion: string;
  private facts: Facts | null = null; // of the design that is shown
  private bearing: Bearing | null = null;
  private values: Values = {}; // that it was asked for, and those that it found
  private baseline: { loads: Bearing["loads"]; metrics: Metrics[] } = { loads: new Map(), metrics: [] };
  private kept: Kept[] = [];
  private size = false; // whether springs are sized at every geometry
  private answers = 0;
  private painted = 0; // the last curves, when, in ms

  constructor(private readonly data: StudioData, private readonly server: Server, private readonly files: Files) {
    beginUnits(data.display);
    document.title = `${data.name} – counterpoise studio`;
    this.state = new State(data.sliders);
    this.motion = data.motions[0]!.name;
    this.scene = new Scene(data, (sample) => {
      for (const { plot } of this.curves.plots) plot.show(sample);
    });
    this.curves = new Curves((sample) => {
      this.scene.timeline!.play(false);
      this.scene.timeline!.go(sample);
    }, () => void this.unfold());
    this.runs = new Runs(server, data, (values) => this.state.show(values), () => void this.files.look());
    this.map = new DesignMap(data, this.state, { question: () => this.question(), isFree: () => this.asks.idle && this.scenes.idle, ask: (question) => this.server.map(question) });
    this.undoButton = button("undo", "undo (Ctrl+Z)", () => this.state.undo());
    this.redoButton = button("redo", "redo (Ctrl+Shift+Z)", () => this.state.redo());
    new Grips(this.scene.stage, this.state, () => this.scene.shown);
    this.state.onChange(() => {
      this.noteUndo();
      this.ask();
    });
    this.noteUndo();
  }

  async open(page: HTMLElement): Promise<void> {
    add(page, this.header(), this.alert,
      h("main", { class: "layout studio" },
        h("div", { class: "side" }, sliders(this.data.sliders, this.state, this.sizing()), this.keptPlace), this.scene.element, this.curves.element,
        h("div", { class: "more" }, h("section", { class: "panel", "aria-label": "This design" },
          h("h2", {}, "This design"), this.readings,
          h("div", { class: "command-line" }, h("span", { class: "faint" }, "the same in a terminal: "), this.commandLine)),
          this.data.kind === "model" ? "" : this.map.element, this.data.kind === "model" ? "" : this.runs.element)));
    addEventListener("keydown", (event) => this.key(event));
    this.drawKept();
    onUnits(() => {
      this.drawReadings();
      this.scene.stage.draw();
    });
    this.expose();
    await this.begin();
    await this.runs.look();
    void painted().then(() => this.scene.stage.begin());
  }

  private header(): HTMLElement {
    const motions = h("select", { "aria-label": "motion" },
      ...this.data.motions.map(({ name }) => h("option", { value: name }, name)));
    motions.addEventListener("change", () => {
      this.motion = motions.value;
      void this.begin();
    });
    return h("header", {}, h("div", { class: "head" }, h("h1", {}, said(this.data.name)), this.files.element,
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
    this.map.update();
  }
  private isNow(question: Question): boolean {
    return JSON.stringify(question) === JSON.stringify(this.question());
  }

  /** Begins with a motion: its baseline, and the kept designs in it. */
  private async begin(): Promise<void> {
    try {
      const { loads, metrics } = await this.server.baseline(this.motion);
      this.baseline = { loads: decoded(loads), metrics };
      await this.refreshKept();
    } catch (error) {
      this.tell(String((error as Error).message));
    }
    this.scene.timeline = null;
    this.ask();
  }

  private async refreshKept(): Promise<void> {
    for (const kept of this.kept) {
      const answer = await this.server.design({ motion: this.motion, values: kept.values, scene: false });
      kept.loads = "loads" in answer ? decoded(answer.loads) : new Map();
    }
  }

  /** Draws all loads, where only some have been asked for. */
  private async unfold(): Promise<void> {
    await this.refreshKept();
    const answer = await this.answerTo({ ...this.question(), scene: false });
    if (answer !== null) this.take(answer, this.question().values);
  }

  /** Says what is wrong, or (empty) that nothing is. */
  private tell(words: string): void {
    this.alert.hidden = words === "";
    this.alert.textContent = sentenceInUnits(words);
  }

  private async answerTo(question: Question): Promise<Exclude<Answer, { refused: string }> | null> {
    try {
      const answer = await this.server.design(question);
      if (question.motion !== this.motion) return null;
      if (!("refused" in answer)) return answer;
      this.tell(`There is no such design: ${answer.refused}`);
    } catch (error) {
      this.tell(error instanceof TypeError
        ? "The program does not answer. Start it again with the same command, and open the address it prints."
        : String((error as Error).message));
    }
    return null;
  }

  /** Shows the loads of a design at once, and the scene as soon as it may be drawn. The design before stays where there
   * is none. */
  private async show(question: Question): Promise<void> {
    const poses = this.data.motions.find(({ name }) => name === this.motion)!.poses;
    if (this.scene.timeline === null || poses) {
      await this.showScene(question);
    } else {
      const answer = await this.answerTo({ ...question, scene: false, actuators: this.curves.shown });
      if (answer !== null) this.take(answer, question.values);
      await new Promise<void>((done) => requestAnimationFrame(() => setTimeout(done)));
      this.painted = performance.now();
      if (answer !== null) this.scene.whenDue(() => this.scenes.ask(this.question()));
    }
    this.answers += 1;
  }

  private async showScene(question: Question): Promise<void> {
    const from = performance.now();
    const answer = await this.answerTo(question);
    if (answer === null || !("design" in answer)) return;
    if (this.isNow(question)) this.take(answer, question.values);
    this.scene.draw(answer, { ...question.values, ...answer.sized }, from);
  }

  private take(answer: DesignAnswer | LoadsAnswer, asked: Values): void {
    this.facts = answer;
    this.values = { ...asked, ...answer.sized };
    if (answer.sized !== undefined) this.state.follow(answer.sized);
    this.tell(answer.findings.filter(({ kind }) => kind === "error").map(({ text }) => text).join("\n"));
    this.bearing = "design" in answer ? bearingOfRun(new Run(answer.design.run, answer.design.mechanism.bodies.length)) : bearingOf(answer);
    this.drawCurves();
    this.drawReadings();
  }

  private drawCurves(): void {
    if (this.bearing !== null && this.facts !== null) this.curves.draw(this.motion, this.bearing, this.facts, this.kept, this.baseline);
  }

  private drawReadings(): void {
    if (this.facts === null) return;
    this.readings.replaceChildren(this.data.kind === "model" ? "" : verdictOf(this.facts),
      metricsTable(this.facts, this.baseline.metrics, (name) => this.curves.isShown(name)), findingsOf(this.facts));
    this.commandLine.textContent = this.facts.command;
  }

  /** Keeps the design that is shown, to be compared with. */
  private keep(name: string): void {
    if (this.bearing === null || this.kept.length === mostKept) return;
    this.kept.push({ name, values: this.values, loads: this.bearing.loads });
    this.redraw();
  }
  private redraw(): void {
    this.drawKept();
    this.drawCurves();
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
        get painted() { return page.painted; },
        get idle() { return page.asks.idle && page.scenes.idle && page.answers > 0 && !page.scene.waiting; },
        get values() { return Object.fromEntries(page.data.sliders.map(({ name }) => [name, page.state.of(name)])); },
        get plots() {
          return page.curves.plots.map(({ actuator, plot }) => ({ actuator,
            lines: plot.source.lines.map(({ name, values }) => ({ name, values: Array.from(values) })) }));
        },
        get pixels() { return page.scene.stage.pixelsOf(page.scene.stage.figures[0]!); },
        get handles() { return page.scene.shown?.answer.handles ?? []; },
        get map() { return page.map.found; },
        get frames() { return page.scene.stage.frames; },
        get job() { return { idle: page.runs.idle, ...page.runs.seen }; },
        set: (values: Values) => page.state.show(values),
      },
    });
  }
}
