import { axisBottom } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { button, h, icon, onResize } from "./dom";
import type { Run } from "./run";

export interface Mark {
  time: number;
  kind: string; // a class: "error", "limit", "impact", ...
  text: string;
}

const icons = {
  play: "M4 2l10 6-10 6z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  back: "M11 2v12L4 8z",
  on: "M5 2v12l7-6z",
  first: "M2 2h2v12H2zM14 2v12L5 8z",
  last: "M12 2h2v12h-2zM2 2v12l9-6z",
  again: "M3 7a5 5 0 0 1 8.5-2.6L13 3v4H9l1.5-1.6A3.4 3.4 0 0 0 4.6 7zM13 9a5 5 0 0 1-8.5 2.6L3 13V9h4l-1.5 1.6A3.4 3.4 0 0 0 11.4 9z",
};
const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

/** The time, or the pose at rest, that everything on a page shows: play, step, speed, and marks along the line. Play goes on
 * smoothly between samples, and begins again at the end where it is to repeat. */
export class Timeline {
  readonly element: HTMLElement;
  at = 0; // in samples
  playing = false;
  repeats = false;
  speed = 1;
  private readonly moved: ((at: number) => void)[] = [];
  private readonly changed: ((sample: number) => void)[] = [];
  private readonly slider: HTMLInputElement;
  private readonly clock = h("output", { class: "clock" });
  private readonly toggle: HTMLButtonElement;
  private readonly repeat: HTMLButtonElement;
  private readonly chooser: HTMLSelectElement;
  private readonly scale = h("div", { class: "time-scale" });
  private last = 0; // instant at which the clock was read

  constructor(
    private readonly run: Run,
    private readonly marks: Mark[] = [],
  ) {
    const [what, sample] = run.atRest ? ["pose", "pose"] : ["time", "sample"];
    const rate = run.atRest ? "poses a second" : "speed";
    this.slider = h("input", {
      type: "range", min: 0, max: Math.max(run.samples - 1, 0), step: 1, value: 0,
      "aria-label": what, input: () => this.go(Number(this.slider.value)),
    });
    this.toggle = button(icon(icons.play), "play (space)", () => this.play(!this.playing));
    this.repeat = button(icon(icons.again), "repeat (l)", () => this.setRepeat(!this.repeats));
    this.setRepeat(false);
    this.chooser = h("select", {
      "aria-label": rate, title: rate,
      change: () => this.setSpeed(Number(this.chooser.value)),
    });
    for (const speed of speeds)
      this.chooser.append(h("option", { value: speed, selected: speed === 1 }, run.atRest ? `${speed} / s` : `${speed}×`));
    this.element = h(
      "div", { class: "timeline", role: "group", "aria-label": run.atRest ? "poses" : "time line" },
      h("div", { class: "transport" },
        button(icon(icons.first), "to the beginning (home)", () => this.go(0)),
        button(icon(icons.back), `one ${sample} back (left)`, () => this.step(-1)),
        this.toggle,
        button(icon(icons.on), `one ${sample} on (right)`, () => this.step(1)),
        button(icon(icons.last), "to the end (end)", () => this.go(run.samples - 1)),
        this.repeat,
        this.chooser,
        this.clock),
      h("div", { class: "track" }, this.slider, this.scale));
    onResize(this.scale, () => this.drawScale());
    this.tell();
  }

  /** Calls with every instant, in samples. */
  onMove(call: (at: number) => void): void {
    this.moved.push(call);
  }
  /** Calls when another sample is shown. */
  onChange(call: (sample: number) => void): void {
    this.changed.push(call);
  }

  /** The last sample that is not after the instant. */
  get sample(): number {
    return Math.floor(this.at);
  }

  go(sample: number): void {
    this.move(Math.min(Math.max(Math.round(sample), 0), this.run.samples - 1));
  }
  goTo(time: number): void {
    this.go(this.run.sampleAt(time));
  }
  step(by: number): void {
    this.play(false);
    this.go(this.sample + by);
  }

  play(on: boolean): void {
    if (this.run.samples < 2) on = false;
    if (on && this.sample === this.run.samples - 1) this.go(0);
    if (this.playing && !on) this.move(this.sample); // what stands is a sample, as plots and tables have it
    this.playing = on;
    this.toggle.replaceChildren(icon(on ? icons.pause : icons.play));
    this.toggle.setAttribute("aria-pressed", String(on));
    if (!on) return;
    this.last = performance.now();
    requestAnimationFrame((now) => this.advance(now));
  }

  setRepeat(on: boolean): void {
    this.repeats = on;
    this.repeat.setAttribute("aria-pressed", String(on));
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.chooser.value = String(speed);
  }

  private advance(now: number): void {
    if (!this.playing) return;
    const { run } = this;
    // of poses, which have no time, so many a second are shown
    const [start, end] = run.atRest ? [0, run.samples - 1] : [run.start, run.end];
    let time = (run.atRest ? this.at : run.timeAt(this.at)) + (Math.max(now - this.last, 0) / 1000) * this.speed;
    this.last = now;
    if (time >= end && !this.repeats) {
      this.go(this.run.samples - 1);
      this.play(false);
      return;
    }
    if (time >= end) time = start + ((time - start) % (end - start));
    this.move(run.atRest ? time : run.at(time));
    requestAnimationFrame((next) => this.advance(next));
  }

  private move(to: number): void {
    if (to === this.at) return;
    const before = this.sample;
    this.at = to;
    for (const call of this.moved) call(to);
    if (this.sample === before) return;
    this.tell();
    for (const call of this.changed) call(this.sample);
  }

  private tell(): void {
    this.slider.value = String(this.sample);
    const { run } = this;
    const time = run.timeText(run.times[this.sample] ?? 0);
    this.slider.setAttribute("aria-valuetext", time);
    this.clock.textContent = run.atRest ? `${time} of ${run.of}` : `${time}  ·  ${this.sample + 1} of ${run.samples}`;
  }

  /** Acts on a key that was pressed where the scene has the focus. */
  key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (target.closest("select, textarea, input:not([type=range]), summary, .tree")) return;
    const onButton = target.closest("button, a") !== null;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.go(0),
      End: () => this.go(this.run.samples - 1),
      l: () => this.setRepeat(!this.repeats),
      "+": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
      ...(onButton ? {} : { " ": () => this.play(!this.playing) }),
    };
    const act = acts[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
  private changeSpeed(by: number): void {
    const at = speeds.indexOf(this.speed) + by;
    if (speeds[at] !== undefined) this.setSpeed(speeds[at]);
  }

  /** An axis below the slider, inset by half a thumb at both ends, with marks. */
  private drawScale(): void {
    const width = this.scale.clientWidth;
    if (width === 0) return;
    const thumb = 8;
    const { samples, start, end, atRest } = this.run;
    const at = scaleLinear([0, Math.max(samples - 1, 1)], [thumb, width - thumb]);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const times = atRest ? at : scaleLinear([start, Math.max(end, start + 1e-9)], [thumb, width - thumb]);
    const text = (value: number): string => this.run.timeText(atRest ? this.run.times[Math.round(value)]! : value);
    select(svg).attr("width", width).attr("height", 30).append("g").attr("transform", "translate(0,9)")
      .call(axisBottom(times).ticks(Math.max(2, Math.floor(width / 90))).tickSize(4)
        .tickFormat((value) => text(Number(value))));
    for (const mark of this.marks) {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      line.setAttribute("class", `mark ${mark.kind}`);
      line.setAttribute("x", String(at(this.run.sampleAt(mark.time)) - 1));
      line.setAttribute("width", "2.5");
      line.setAttribute("height", "8");
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
      title.textContent = `${mark.text} (${this.run.timeText(mark.time)})`;
      line.append(title);
      svg.append(line);
    }
    this.scale.replaceChildren(svg);
  }
}
