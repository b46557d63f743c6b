import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { type Column, noCode } from "../cases";
import { number } from "../../common/dom";
import { fromUnit, inUnit, unitName } from "../../common/units";

/** How a column is laid along an axis. Linear or logarithmic, also in the scatter. */
export class AxisScale {
  logarithmic = false;

  constructor(
    readonly column: Column,
    readonly unit: string,
  ) {}

  get name(): string {
    return this.column.name;
  }
  get title(): string {
    return this.unit === "" ? this.name : `${this.name} [${unitName(this.unit)}]`;
  }
  get canBeLogarithmic(): boolean {
    return !this.column.isText && this.column.low > 0 && this.column.high > this.column.low;
  }

  get isLogarithmic(): boolean {
    return this.logarithmic && this.canBeLogarithmic;
  }

  /** The least and the largest number among the designs, or a range around a single one. */
  get ends(): [number, number] {
    const { low, high } = this.column;
    return high > low ? [low, high] : [low - 0.5, high + 0.5];
  }
  /** The same with room for marks at both ends, and for a further number where that is near enough
   * not to push the designs together. */
  roomyEnds(also: number | null): [number, number] {
    const log = this.isLogarithmic;
    const along = (value: number): number => (log ? Math.log(value) : value);
    const back = (value: number): number => (log ? Math.exp(value) : value);
    let [low, high] = this.ends.map(along) as [number, number];
    const reach = high - low;
    const further = also === null || (log && also <= 0) ? NaN : along(also);
    if (further >= low - reach && further <= high + reach) [low, high] = [Math.min(low, further), Math.max(high, further)];
    const room = 0.05 * (high - low);
    return [back(low - room), back(high + room)];
  }

  /** From the number (of a text, its index) to a length. */
  scale(length: [number, number], ends = this.ends): ScaleContinuousNumeric<number, number> {
    return (this.isLogarithmic ? scaleLog() : scaleLinear()).domain(ends).range(length);
  }

  /** For each code a whole number from 0 to bins - 1; `bins` for no number. */
  bins(bins: number, ends = this.ends): Uint16Array {
    const places = new Uint16Array(65536).fill(bins);
    const scale = this.scale([0, bins - 1], ends);
    for (let code = 0; code <= this.column.top; ++code) {
      const at = scale(this.column.decoded(code));
      places[code] = Math.min(Math.max(Math.round(at), 0), bins - 1);
    }
    places[noCode] = bins;
    return places;
  }

  /** The codes whose numbers lie in a part of the axis; null if there are none. */
  codes(low: number, high: number): [number, number] | null {
    const slack = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
    const first = firstCode(this.column, (value) => value >= low - slack);
    const last = firstCode(this.column, (value) => value > high + slack) - 1;
    return first <= last ? [first, last] : null;
  }

  label(value: number): string {
    const { labels } = this.column;
    if (labels === null) return number(inUnit(this.isLogarithmic ? value : this.column.withoutRounding(value), this.unit), 4);
    const text = Number.isInteger(value) ? (labels[value] ?? "") : "";
    return [...text].length > 13 ? `${[...text].slice(0, 12).join("")}…` : text;
  }

  /** Values where the axis has its ticks: round ones in the units of the page. */
  ticks(count: number, ends = this.ends): number[] {
    const { labels, levels } = this.column;
    if (labels !== null || (levels !== null && levels.length <= count)) {
      const all = levels ?? [];
      const every = Math.max(1, Math.ceil(all.length / count));
      return all.filter((_, i) => i % every === 0);
    }
    const shown = ends.map((end) => inUnit(end, this.unit));
    return (this.isLogarithmic ? scaleLog() : scaleLinear()).domain(shown).ticks(count)
      .filter((tick) => (this.isLogarithmic ? isRound(tick) : true)).map((tick) => fromUnit(tick, this.unit));
  }
}

const isRound = (value: number): boolean => /^[125]e/.test(value.toExponential());

/** Codes rise with their numbers: the first one that fulfils a condition, else one past the last. */
function firstCode(column: Column, fulfils: (value: number) => boolean): number {
  let low = 0;
  let high = column.top + 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fulfils(column.decoded(middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}
