import { type Cases, type Column, noCode } from "../cases";
import { parseCondition } from "../parser";
import type { Evaluate } from "../tree";
import { type CaseScope } from "./scope";

/** A part of a column: both codes included. */
export type Brush = [number, number];

/** Which cases are let through by everything that the user filters by; all plots and tables show
 * the same ones. */
export class Selection {
  readonly brushes = new Map<string, Brush>();
  where = "";
  best = 100; // percent of the ranking
  frontOnly = false;
  readonly chosen: number[] = []; // rows, in the order in which they were chosen
  readonly hiddenReasons = new Set<number>();
  readonly mask: Uint8Array; // of the feasible rows
  readonly maskFailed: Uint8Array; // of the others
  count = 0;
  countFailed = 0;
  milliseconds = 0; // that the last change took, with all that listened
  private condition: Uint8Array | null = null; // of all rows
  private readonly listeners: (() => void)[] = [];
  private readonly choosing: (() => void)[] = [];
  private waiting = false;

  constructor(
    readonly cases: Cases,
    private readonly scope: CaseScope,
    private readonly ranked: Int32Array, // of the feasible rows: how many its ranking has
    readonly front: ReadonlySet<number>, // ids
  ) {
    this.mask = new Uint8Array(cases.feasible).fill(1);
    this.maskFailed = new Uint8Array(cases.rows - cases.feasible).fill(1);
    this.apply();
  }

  onChange(call: () => void): void {
    this.listeners.push(call);
  }
  onChoice(call: () => void): void {
    this.choosing.push(call);
  }

  brush(column: string, range: Brush | null): void {
    if (range === null) this.brushes.delete(column);
    else this.brushes.set(column, range);
    this.later();
  }

  /** Throws ExpressionError, and then nothing changes. */
  setWhere(text: string): void {
    const evaluate = text.trim() === "" ? null : parseCondition(text, this.scope);
    this.where = text;
    this.condition = evaluate === null ? null : this.holds(evaluate);
    this.later();
  }
  setBest(percent: number): void {
    this.best = percent;
    this.later();
  }
  setFrontOnly(on: boolean): void {
    this.frontOnly = on;
    this.later();
  }
  showReason(reason: number, on: boolean): void {
    if (on) this.hiddenReasons.delete(reason);
    else this.hiddenReasons.add(reason);
    this.later();
  }
  clear(): void {
    this.brushes.clear();
    this.where = "";
    this.condition = null;
    this.best = 100;
    this.frontOnly = false;
    this.later();
  }

  get filtered(): boolean {
    return this.brushes.size > 0 || this.condition !== null || this.best < 100 || this.frontOnly;
  }

  choose(row: number, on = !this.chosen.includes(row)): void {
    const at = this.chosen.indexOf(row);
    if (on && at < 0) this.chosen.push(row);
    if (!on && at >= 0) this.chosen.splice(at, 1);
    for (const call of this.choosing) call();
  }

  /** Applies changes now, for tests and measurements. */
  settle(): number {
    this.waiting = false;
    const start = performance.now();
    this.apply();
    for (const call of this.listeners) call();
    this.milliseconds = performance.now() - start;
    return this.milliseconds;
  }

  private later(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      if (this.waiting) this.settle();
    });
  }

  private holds(evaluate: Evaluate): Uint8Array {
    const found = new Uint8Array(this.cases.rows);
    for (let row = 0; row < found.length; ++row) {
      const truth = evaluate(row);
      found[row] = truth !== 0 && truth === truth ? 1 : 0;
    }
    return found;
  }

  private apply(): void {
    const { mask, maskFailed, cases } = this;
    const { feasible, rows } = cases;
    mask.fill(1);
    maskFailed.fill(1);
    for (const [name, [low, high]] of this.brushes) this.cut(cases.column(name), low, high);
    if (this.condition !== null) {
      for (let row = 0; row < feasible; ++row) mask[row]! &= this.condition[row]!;
      for (let row = feasible; row < rows; ++row) maskFailed[row - feasible]! &= this.condition[row]!;
    }
    if (this.best < 100) {
      const { ranks } = cases;
      for (let row = 0; row < feasible; ++row) {
        const rank = ranks[row]!;
        if (rank === 0 || (rank - 1) * 100 >= this.best * this.ranked[row]!) mask[row] = 0;
      }
      maskFailed.fill(0);
    }
    if (this.frontOnly) {
      for (let row = 0; row < feasible; ++row) if (!this.front.has(cases.ids[row]!)) mask[row] = 0;
      maskFailed.fill(0);
    }
    if (this.hiddenReasons.size > 0)
      for (let i = 0; i < maskFailed.length; ++i)
        if (this.hiddenReasons.has(cases.reasons[i]!)) maskFailed[i] = 0;
    this.count = ones(mask);
    this.countFailed = ones(maskFailed);
  }

  private cut(column: Column, low: number, high: number): void {
    const { codes } = column;
    const { mask, maskFailed } = this;
    const feasible = mask.length;
    for (let row = 0; row < feasible; ++row) {
      const code = codes[row]!;
      if (code < low || code > high || code === noCode) mask[row] = 0;
    }
    if (codes.length === feasible) {
      maskFailed.fill(0); // they have no such number
      return;
    }
    for (let row = feasible; row < codes.length; ++row) {
      const code = codes[row]!;
      if (code < low || code > high || code === noCode) maskFailed[row - feasible] = 0;
    }
  }
}

function ones(mask: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < mask.length; ++i) sum += mask[i]!;
  return sum;
}
