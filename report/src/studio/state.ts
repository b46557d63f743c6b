import type { SliderData, Values } from "./studio_data";

/** The values of all sliders, with what they were before, to be undone. */
export class State {
  readonly sliders = new Map<string, SliderData>();
  private readonly values = new Map<string, number>();
  private readonly before: Values[] = [];
  private readonly after: Values[] = [];
  private readonly listeners: (() => void)[] = [];
  private followers: (() => void)[] = [];
  private locked = new Set<string>();

  constructor(sliders: SliderData[]) {
    this.adopt(sliders);
  }

  /** Takes other sliders in place of those before. What was changed stays where it can; nothing before can be undone,
   * and those who show values have to ask again for it. */
  adopt(sliders: SliderData[]): void {
    this.sliders.clear();
    for (const slider of sliders) this.sliders.set(slider.name, slider);
    for (const [name, value] of this.values) {
      const slider = this.sliders.get(name);
      if (slider === undefined || (slider.of === "variable" && (value < slider.low || value > slider.high))) this.values.delete(name);
    }
    this.before.length = this.after.length = 0;
    this.followers = [];
  }

  onChange(call: () => void): void {
    this.listeners.push(call);
  }

  /** Calls back when values are to be shown anew, also those that the program found. */
  onShow(call: () => void): void {
    this.followers.push(call);
  }

  of(name: string): number {
    return this.values.get(name) ?? this.sliders.get(name)!.begin;
  }

  /** The values that are not where they began. */
  get changed(): Values {
    return Object.fromEntries([...this.values].filter(([name, value]) => value !== this.sliders.get(name)!.begin));
  }

  /** Begins a change, which may set values many times, and which undo() takes back as one. */
  begin(): void {
    this.before.push(this.changed);
    this.after.length = 0;
  }

  /** Sets values of the change that was begun. Those of variables stay within their ends. */
  set(values: Values): void {
    for (const [name, value] of Object.entries(values)) {
      const slider = this.sliders.get(name)!;
      this.values.set(name, slider.of === "variable" ? Math.min(Math.max(value, slider.low), slider.high) : value);
    }
    this.tell();
  }

  /** Takes values that the program found, which are no change of the user. */
  follow(values: Values): void {
    for (const [name, value] of Object.entries(values)) this.values.set(name, value);
    for (const call of this.followers) call();
  }

  /** Lets only the program set these. */
  lock(names: string[]): void {
    this.locked = new Set(names);
    for (const call of this.followers) call();
  }
  isLocked(name: string): boolean {
    return this.locked.has(name);
  }

  /** Shows these values, and where all others began, as one change. */
  show(values: Values): void {
    this.begin();
    this.become(values);
  }

  get canUndo(): boolean {
    return this.before.length > 0;
  }
  get canRedo(): boolean {
    return this.after.length > 0;
  }
  undo(): void {
    this.take(this.before, this.after);
  }
  redo(): void {
    this.take(this.after, this.before);
  }

  private take(from: Values[], to: Values[]): void {
    const values = from.pop();
    if (values === undefined) return;
    to.push(this.changed);
    this.become(values);
  }
  private become(values: Values): void {
    this.values.clear();
    for (const [name, value] of Object.entries(values)) this.values.set(name, value);
    this.tell();
  }
  private tell(): void {
    for (const call of [...this.listeners, ...this.followers]) call();
  }
}
