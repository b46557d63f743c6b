import { button, h } from "../common/dom";
import { Figure } from "../common/figure";
import { sceneLegend } from "../common/legend";
import { offAtFirst } from "../common/part";
import { Run } from "../common/run";
import { Scales } from "../common/scales";
import { sides, Stage } from "../common/stage";
import { Timeline } from "../common/timeline";
import type { DesignAnswer, StudioData, Values } from "./studio_data";

const fast = 40; // ms within which a scene is drawn so that curves need not wait
const longestRest = 1000; // ms

/** What the scene shows: the figure of an answer, and the values that were asked for. */
export interface Shown {
  figure: Figure;
  answer: DesignAnswer;
  values: Values;
}

/** The mechanism in 3D with its time line. Where drawing takes long, as without a graphics card, it takes a fifth of the
 * time, so that the curves still follow. */
export class Scene {
  readonly element = h("div", { class: "panel scene" });
  readonly stage: Stage;
  timeline: Timeline | null = null; // of the motion that is shown
  shown: Shown | null = null;
  private ended = 0; // the drawing of the last scene, when, in ms
  private rest = 0; // before another is begun, in ms
  private timer = 0;

  constructor(private data: StudioData, private readonly onSample: (sample: number) => void) {
    this.stage = new Stage(`The mechanism ${data.model} in 3D`);
  }

  /** Begins anew with a motion, or with another model. */
  begin(data: StudioData): void {
    this.data = data;
    this.timeline = null;
  }

  /** Whether a scene is awaited that is drawn later. */
  get waiting(): boolean {
    return this.timer !== 0;
  }

  /** Calls back when the next scene may be drawn: at once, or a while later. */
  whenDue(draw: () => void): void {
    const left = this.rest - (performance.now() - this.ended);
    if (left <= 0) return draw();
    if (this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      draw();
    }, left);
  }

  /** Draws an answer to a question that was asked at `asked`, in ms. */
  draw(answer: DesignAnswer, values: Values, asked: number): void {
    const { design } = answer;
    const run = new Run(design.run, design.mechanism.bodies.length);
    const figure = new Figure(design, run, "design", new Scales([{ mechanism: design.mechanism, run }]), this.data.meshes);
    for (const layer of offAtFirst) figure.setLayer(layer, false);
    if (this.timeline === null) this.layOut(figure, run);
    else this.stage.replace([figure]);
    this.shown = { figure, answer, values };
    figure.show(Math.min(this.timeline!.at, run.samples - 1));
    this.stage.update();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      this.ended = performance.now();
      const took = this.ended - asked;
      this.rest = took < fast ? 0 : Math.min(4 * took, longestRest);
    }));
  }

  /** Makes the scene and its time line for a motion. */
  private layOut(figure: Figure, run: Run): void {
    this.stage.replace([figure]);
    const timeline = new Timeline(run);
    this.timeline = timeline;
    timeline.onMove((at) => {
      this.stage.figures[0]!.show(at);
      this.stage.update();
    });
    timeline.onChange(this.onSample);
    const views = h("div", { class: "views" },
      ...Object.keys(sides).map((side) => button(side, `look from: ${side}`, () => this.stage.look(side))),
      h("span", { class: "hint faint" }, "drag a point that a slider moves, or turn the view"));
    this.element.replaceChildren(this.stage.element, views, timeline.element, sceneLegend([figure]) ?? "");
    this.element.onkeydown = (event): void => timeline.key(event);
    this.stage.settle();
  }
}
