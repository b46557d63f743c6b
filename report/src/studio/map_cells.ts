import { hatch } from "../common/plots/load_map";
import { ink, type Rgb, shade } from "../common/plots/ramp";
import type { MapAnswer, MapCell } from "./studio_data";

type MapPart = Exclude<MapAnswer, { refused: string }>;

const strides = [27, 9, 3, 1]; // of the cells that are asked for, coarse to fine
const shades = 256;
const sameValue = 1e-9; // relative: how much less is less

/** The cell in the middle of the block of `stride` cells that cell `i` of so many lies in. */
function middleOf(i: number, stride: number, count: number): number {
  const first = i - (i % stride);
  return Math.floor((first + Math.min(first + stride, count) - 1) / 2);
}

/** The cells of a map, row by row from below, as far as they are known. */
export class MapCells {
  readonly cells: (MapCell | undefined)[];
  readonly order: number[] = []; // in which they are asked for
  done = 0; // of the order
  part: MapPart | null = null; // what all answers say
  least: number | null = null; // the cell of the least value, the first of them
  private low = Infinity;
  private high = -Infinity;

  /** Those nearest to a place, as a column and a row, come first among those that are as coarse. */
  constructor(readonly columns: number, readonly rows: number, [x, y]: [number, number]) {
    this.cells = new Array<MapCell | undefined>(columns * rows).fill(undefined);
    const far = (cell: number): number => ((cell % columns) - x) ** 2 + (Math.floor(cell / columns) - y) ** 2;
    const taken = new Uint8Array(columns * rows);
    for (const stride of strides) {
      const found: number[] = [];
      for (let row = 0; row < rows; row += stride)
        for (let column = 0; column < columns; column += stride) {
          const cell = middleOf(row, stride, rows) * columns + middleOf(column, stride, columns);
          if (taken[cell] === 0) found.push(cell);
          taken[cell] = 1;
        }
      this.order.push(...found.sort((a, b) => far(a) - far(b)));
    }
  }

  get isWhole(): boolean {
    return this.done === this.order.length;
  }
  /** The values from the least to the largest; null while none is known. */
  get range(): [number, number] | null {
    return this.least === null ? null : [this.low, this.high];
  }

  /** Takes the cells that come next in the order. */
  take(part: MapPart): void {
    this.part = part;
    for (const cell of part.cells) {
      const at = this.order[this.done++]!;
      this.cells[at] = cell;
      if (cell.value === null) continue;
      this.high = Math.max(this.high, cell.value);
      this.low = Math.min(this.low, cell.value);
      const least = this.least === null ? 0 : this.cells[this.least]!.value!;
      if (this.least === null || cell.value < least - sameValue * Math.abs(least)) this.least = at;
    }
  }

  /** For every cell the one that is shown in its place: itself, or the middle of the least block that is known. */
  private shown(): (MapCell | undefined)[] {
    const { columns, rows, cells } = this;
    return cells.map((own, cell) => {
      if (own !== undefined) return own;
      const [column, row] = [cell % columns, Math.floor(cell / columns)];
      for (const stride of [...strides].reverse()) {
        const middle = cells[middleOf(row, stride, rows) * columns + middleOf(column, stride, columns)];
        if (middle !== undefined) return middle;
      }
      return undefined;
    });
  }

  /** Draws the cells into a canvas of a size in pixels of the screen. Those without a value are hatched. */
  paint(canvas: HTMLCanvasElement, width: number, height: number, scale: number, dark: boolean, line: Rgb): void {
    canvas.width = Math.max(Math.round(width * scale), 1);
    canvas.height = Math.max(Math.round(height * scale), 1);
    const image = new ImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    const inks = Array.from({ length: shades }, (_, i) => ink(shade(i / (shades - 1), dark)));
    const [low, high] = this.range ?? [0, 1];
    const [open, none] = [0, ink(line)];
    const colours = Uint32Array.from(this.shown(), (cell) => (cell === undefined ? open : cell.value === null ? none
      : inks[Math.round(((cell.value - low) / (high - low || 1)) * (shades - 1))]!));
    const [every, thick] = [Math.round(hatch.every * scale), hatch.thick * scale];
    for (let y = 0; y < image.height; ++y) {
      const row = this.rows - 1 - Math.floor((y * this.rows) / image.height);
      for (let x = 0; x < image.width; ++x) {
        const colour = colours[row * this.columns + Math.floor((x * this.columns) / image.width)]!;
        if (colour !== none || (x + y) % every < thick) pixels[y * image.width + x] = colour;
      }
    }
    canvas.getContext("2d")!.putImageData(image, 0, 0);
  }
}
