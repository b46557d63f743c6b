import type { CaseData, ColumnData } from "./data";
import { BlockReader, inflated } from "./decode";
import { withoutRounding } from "../common/units";

export const noCode = 65535;
const lastCode = 65534;

/** The size of the numbers of a column, beside which tiny ones are rounding; 0 of a column that is not there. */
export const sizeOf = (data: CaseData, name: string): number => data.columns.find((one) => one.name === name)?.size ?? 0;

/** One column of the cases, drawn by codes that rise with the value. */
export class Column {
  readonly name: string;
  readonly role: ColumnData["role"];
  private readonly size: number;
  readonly labels: string[] | null;
  readonly low: number;
  readonly high: number;
  readonly top: number; // the largest code
  private values: Float64Array | null = null; // of codes, made when needed

  constructor(
    private readonly data: ColumnData,
    named: ColumnData,
    readonly codes: Uint16Array, // of the rows that have a value; others come after
    private readonly exact: Float64Array | null, // null: every value is exact
    private readonly places: ExactRows,
  ) {
    this.name = named.name;
    this.role = named.role;
    this.size = named.size;
    this.labels = data.labels ?? null;
    const levels = data.levels ?? [];
    this.top = data.scale === "levels" ? Math.max(levels.length - 1, 0)
      : data.scale === "linear" ? Math.round((data.range![1] - data.steps![0]) / data.steps![1]) : lastCode;
    this.low = data.range?.[0] ?? levels[0] ?? 0;
    this.high = data.range?.[1] ?? levels[levels.length - 1] ?? 0;
  }

  get levels(): number[] | null {
    return this.data.scale === "levels" ? this.data.levels! : null;
  }
  get isText(): boolean {
    return this.labels !== null;
  }

  /** The same numbers under another name. */
  renamed(named: ColumnData): Column {
    return new Column(this.data, named, this.codes, this.exact, this.places);
  }

  code(row: number): number {
    return row < this.codes.length ? this.codes[row]! : noCode;
  }

  /** The number that a code stands for. */
  decoded(code: number): number {
    this.values ??= this.table();
    return this.values[code]!;
  }

  /** The number of a row, exact where isExact() says so. */
  value(row: number): number {
    if (this.exact !== null) {
      const place = this.places.of(row);
      if (place >= 0 && place < this.exact.length && row < this.codes.length) return this.exact[place]!;
    }
    return this.decoded(this.code(row));
  }

  isExact(row: number): boolean {
    return this.exact === null || this.code(row) === noCode || this.places.of(row) >= 0;
  }

  /** The number of a row as people are shown it: without rounding. */
  shown(row: number): number {
    return this.withoutRounding(this.value(row));
  }
  withoutRounding(value: number): number {
    return withoutRounding(value, this.size);
  }

  text(row: number): string {
    const value = this.value(row);
    return this.labels === null ? String(value) : (this.labels[value] ?? "");
  }

  private table(): Float64Array {
    const values = new Float64Array(65536).fill(NaN);
    const { scale, levels, range, steps } = this.data;
    if (scale === "levels") levels!.forEach((level, code) => (values[code] = level));
    else if (scale === "linear")
      for (let code = 0; code <= lastCode; ++code) values[code] = steps![0] + code * steps![1];
    else
      for (let code = 0; code <= lastCode; ++code)
        values[code] = range![0] * Math.pow(range![1] / range![0], code / lastCode);
    return values;
  }
}

/** Which rows have exact numbers: the first ones, and some more. */
export class ExactRows {
  private readonly also: Int32Array; // of each row beyond the first ones
  constructor(
    readonly first: number,
    also: number[],
    rows: number,
  ) {
    this.also = new Int32Array(rows - first).fill(-1);
    also.forEach((row, i) => (this.also[row - first] = first + i));
  }
  of(row: number): number {
    return row < this.first ? row : this.also[row - this.first]!;
  }
}

/** The numbers that rests make of codes; see Coding of the program. */
function restored(rests: Uint32Array<ArrayBuffer>, data: ColumnData, code: (place: number) => number): Float64Array {
  const numbers = new Float64Array(rests.buffer);
  if (data.scale !== "linear") return numbers;
  const scratch = new Float64Array(1);
  const halves = new Uint32Array(scratch.buffer);
  for (let i = 0; i < numbers.length; ++i) {
    const at = code(i);
    if (at === noCode) continue; // all bits are there
    scratch[0] = data.steps![0] + at * data.steps![1];
    const low = rests[2 * i]!;
    const high = rests[2 * i + 1]!;
    const sign = low & 1 ? 0xffffffff : 0;
    const apartLow = (((low >>> 1) | (high << 31)) ^ sign) >>> 0;
    const apartHigh = ((high >>> 1) ^ sign) >>> 0;
    const sum = halves[0]! + apartLow;
    halves[1] = halves[1]! + apartHigh + (sum > 0xffffffff ? 1 : 0);
    halves[0] = sum;
    numbers[i] = scratch[0];
  }
  return numbers;
}

/** All cases that the page has. */
export class Cases {
  readonly columns: Column[] = [];
  readonly ids: Float64Array;
  readonly ranks: Float64Array; // of the feasible rows
  readonly reasons: Uint16Array; // of the other rows
  private readonly byName = new Map<string, Column>();
  private rowOfId: Map<number, number> | null = null;

  static async read(data: CaseData): Promise<Cases> {
    return new Cases(data, new BlockReader(await inflated(data.block)));
  }

  private constructor(
    readonly data: CaseData,
    reader: BlockReader,
  ) {
    const places = new ExactRows(data.first_exact, data.also_exact, data.rows);
    for (const one of data.columns) {
      if (one.same !== undefined) {
        this.add(this.column(one.same).renamed(one));
        continue;
      }
      const count = one.role === "variable" ? data.rows : data.feasible;
      const codes = reader.uint16(count);
      let exact: Float64Array | null = null;
      if (one.scale !== "levels") {
        const also = data.also_exact.filter((row) => row < count);
        const rowAt = (place: number): number => (place < data.first_exact ? place : also[place - data.first_exact]!);
        exact = restored(reader.uint64(data.first_exact + also.length), one, (place) => codes[rowAt(place)]!);
      }
      this.add(new Column(one, one, codes, exact, places));
    }
    this.ids = reader.float64(data.rows);
    this.ranks = reader.float64(data.feasible);
    this.reasons = reader.uint16(data.rows - data.feasible);
  }

  private add(column: Column): void {
    this.columns.push(column);
    this.byName.set(column.name, column);
  }
  get rows(): number {
    return this.data.rows;
  }
  get feasible(): number {
    return this.data.feasible;
  }
  column(name: string): Column {
    return this.byName.get(name) as Column;
  }
  find(name: string): Column | undefined {
    return this.byName.get(name);
  }

  /** The row of a case, or -1. */
  rowOf(id: number): number {
    if (this.rowOfId === null) {
      this.rowOfId = new Map();
      for (let row = 0; row < this.rows; ++row) this.rowOfId.set(this.ids[row]!, row);
    }
    return this.rowOfId.get(id) ?? -1;
  }

  reason(row: number): string {
    return row < this.feasible ? "" : (this.data.reasons[this.reasons[row - this.feasible]!]?.words ?? "");
  }
}
