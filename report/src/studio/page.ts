import { add, button, h, painted, said, unitSwitch } from "../common/dom";
import { Run } from "../common/run";
import { beginUnits, onUnits, sentenceInUnits } from "../common/units";
import { type Bearing, bearingOf, bearingOfRun, Curves, decoded, type Other } from "./curves";
import { Editor } from "./editor";
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
  metrics: Metrics[];
  values: Values;
}

/** The page of `counterpoise studio`: a design that changes while a slider or a point is moved. */
export class StudioPage {
  private readonly state: State;
  private readonly scene: Scene;
  private readonly curves: Curves;
  private runs: Runs;
  private readonly editor: Editor;
  private readonly readings = h("div", { class: "readings" });
  private readonly keptPlace = h("div", { class: "kept" });
  private readonly side = h("div", { class: "side" });
  private readonly mapPlace = h("div", {});
  private readonly runsPlace = h("div", {});
  private readonly motions = h("span", {});
  private readonly alert = h("div", { class: "alert", role: "alert", hidden: true });
  private readonly commandLine = h("code", { class: "command" });
  private readonly undoButton: HTMLButtonElement;
  private readonly redoButton: HTMLButtonElement;
  private readonly asks = new Latest<Question>((question) => this.show(question));
  private readonly scenes = new Latest<Question>((question) => this.showScene(question));
  private map: DesignMap;
  private motion: string;
  private facts: Facts | null = null; // of the design that is shown
  private bearing: Bearing | null = null;
  private values: Values = {}; // that it was asked for, and those that it found
  private baseline: { loads: Bearing["loads"]; metrics: Metrics[] } = { loads: new Map(), metrics: [] };
  private kept: Kept[] = [];
  private beginning = false; // with a motion, whose baseline is awaited
  private size = false; // whether springs are sized at every geometry
  private answers = 0;
  private painted = 0; // the last curves, when, in ms

  constructor(private data: StudioData, private readonly server: Server, private readonly files: Files) {
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
    this.runs = this.madeRuns();
    this.editor = new Editor(server, data.file, (now) => this.adopt(now));
    this.map = this.madeMap();
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
      h("main", { class: "layout studio" }, this.side, this.scene.element, this.curves.element,
        h("div", { class: "more" }, h("section", { class: "panel", "aria-label": "This design" },
          h("h2", {}, "This design"), this.readings,
          h("div", { class: "command-line" }, h("span", { class: "faint" }, "the same in a terminal: "), this.commandLine)),
          this.mapPlace, this.runsPlace, this.data.kind === "results" ? "" : this.editor.element)));
    this.lay();
    addEventListener("keydown", (event) => this.key(event));
    this.drawKept();
    onUnits(() => {
      this.drawReadings();
      this.scene.stage.draw();
    });
    this.expose();
    await this.begin();
    await this.runs.look();
    void this.runs.join();
    void painted().then(() => this.scene.stage.begin());
  }

  private madeRuns(): Runs {
    return new Runs(this.server, this.data, (values) => this.state.show(values), () => void this.files.look());
  }
  private madeMap(axes: string[] = []): DesignMap {
    return new DesignMap(this.data, this.state, { question: () => this.question(), isFree: () => this.asks.idle && this.scenes.idle && this.editor.idle,
      ask: (question) => this.server.map(question) }, axes);
  }

  /** Puts what depends on the sliders and the motions in its place. */
  private lay(): void {
    const { kind, motions } = this.data;
    this.side.replaceChildren(sliders(this.data.sliders, this.state, this.sizing()), this.keptPlace);
    this.mapPlace.replaceChildren(...(kind === "model" ? [] : [this.map.element]));
    this.runsPlace.replaceChildren(...(kind === "model" ? [] : [this.runs.element]));
    const choice = h("select", { "aria-label": "motion" }, ...motions.map(({ name }) => h("option", { value: name, selected: name === this.motion }, name)));
    choice.addEventListener("change", () => {
      this.motion = choice.value;
      void this.begin();
    });
    this.motions.replaceChildren(motions.length > 1 ? choice : h("span", { class: "faint" }, said(this.motion)));
  }

  /** Shows what texts that are being edited make of the file that is open. */
  private adopt(data: StudioData): void {
    const before = this.data;
    this.data = data;
    this.state.adopt(data.sliders);
    for (const kept of this.kept)
      kept.values = Object.fromEntries(Object.entries(kept.values).filter(([name]) => this.state.sliders.has(name)));
    if (!data.motions.some(({ name }) => name === this.motion)) this.motion = data.motions[0]!.name;
    if (data.sized.length === 0) this.size = false;
    if (this.size) this.state.lock(data.sized);
    if (data.results !== before.results) {
      this.runs = this.madeRuns();
      void this.runs.look();
      void this.runs.join();
    }
    this.map = this.madeMap(this.map.axes);
    this.lay();
    void this.begin();
  }

  private header(): HTMLElement {
    return h("header", {}, h("div", { class: "head" }, h("h1", {}, said(this.data.name)), this.files.element,
      this.motions, this.undoButton, this.redoButton,
      button("as it began", "all values where they began", () => this.state.show({})),
      unitSwitch(), h("span", { class: "faint program" }, this.data.program)));
  }

  /** The switch that sizes springs at every geometry, where the study says how. */
  private sizing(): HTMLElement | null {
    const names = this.data.sized;
    if (names.length === 0) return null;
    const box = h("input", { type: "checkbox", checked: this.size });
    box.addEventListener("change", () => {
      this.size = box.checked;
      this.state.lock(this.size ? names : []);
      this.ask();
    });
    return h("label", { class: "sizing", title: `The best of ${names.join(", ")} for every geometry, by the exact search of the study` },
      box, `the best ${this.data.sized_are} here`);
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
    this.beginning = true;
    try {
      const { loads, metrics } = await this.server.baseline(this.motion);
      this.baseline = { loads: decoded(loads), metrics };
      await this.refreshKept();
    } catch (error) {
      this.tell(String((error as Error).message));
    }
    this.scene.begin(this.data);
    this.ask();
    this.beginning = false;
  }

  private async refreshKept(): Promise<void> {
    for (const kept of this.kept) {
      const answer = await this.server.design({ motion: this.motion, values: kept.values, scene: false });
      kept.loads = "loads" in answer ? decoded(answer.loads) : new Map();
      kept.metrics = "metrics" in answer ? answer.metrics : [];
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
      metricsTable(this.facts, this.baseline.metrics, this.kept.map(({ name, metrics }) => [name, metrics]), (name) => this.curves.isShown(name)), findingsOf(this.facts));
    this.commandLine.textContent = this.facts.command;
    this.commandLine.parentElement!.hidden = this.facts.command === "";
  }

  /** Keeps the design that is shown, to be compared with. */
  private keep(name: string): void {
    if (this.bearing === null || this.facts === null || this.kept.length === mostKept) return;
    this.kept.push({ name, values: this.values, loads: this.bearing.loads, metrics: this.facts.metrics });
    this.redraw();
  }
  private redraw(): void {
    this.drawKept();
    this.drawCurves();
    this.drawReadings();
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
        get idle() { return !page.beginning && page.asks.idle && page.scenes.idle && page.answers > 0 && !page.scene.waiting; },
        get values() { return Object.fromEntries(page.data.sliders.map(({ name }) => [name, page.state.of(name)])); },
        get plots() {
          return page.curves.plots.map(({ actuator, plot }) => ({ actuator,
            lines: plot.source.lines.map(({ name, values }) => ({ name, values: Array.from(values) })) }));
        },
        get pixels() { return page.scene.stage.pixelsOf(page.scene.stage.figures[0]!); },
        get handles() { return page.scene.shown?.answer.handles ?? []; },
        get map() { return page.map.found; },
        get frames() { return page.scene.stage.frames; },
        get editor() { return page.editor.seen; },
        write: (text: string) => page.editor.write(text),
        get job() { return { idle: page.runs.idle, ...page.runs.seen }; },
        set: (values: Values) => page.state.show(values),
      },
    });
  }
}
