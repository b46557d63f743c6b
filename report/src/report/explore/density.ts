/** Pictures of many lines or points: how many of them cross each pixel. However many there are, the
 * work is one pass over the rows and then over what has changed. */

export interface Lines {
  places: Uint16Array[]; // per axis: the bin of each code; `bins` for none
  codes: Uint16Array[]; // per axis: of each row
  x: number[]; // per axis: column of pixels
}

/** More pixels than these between two axes are drawn in a picture of half the size. */
const mostPixels = 10_000_000;

/** Lines between neighbouring axes. Lines from the same bin to the same bin are drawn once, and again
 * only where their number changes. */
export class LinePicture {
  readonly density: Float32Array;
  private readonly side: number; // bins, and one for no number
  private readonly drawn: (Int32Array | null)[]; // numbers of lines behind each axis; null: in half the size
  private counted: Int32Array;

  /** `bins` is even; there are as many rows of pixels. */
  constructor(
    private readonly width: number,
    private readonly bins: number,
    private readonly lines: Lines,
  ) {
    this.side = bins + 1;
    this.density = new Float32Array(width * bins);
    this.counted = new Int32Array(this.side * this.side);
    this.drawn = lines.x.slice(1).map(() => new Int32Array(this.side * this.side));
  }

  /** Shows the rows that are taken, counted from `first`. */
  show(taken: Uint8Array, first: number): void {
    for (let axis = 0; axis < this.drawn.length; ++axis) {
      this.count(axis, taken, first);
      const [from, to] = [this.lines.x[axis]!, this.lines.x[axis + 1]!];
      const before = this.drawn[axis]!;
      const { counted, density, width, bins, side } = this;
      if (before !== null && changes(counted, before) * (to - from) <= mostPixels) {
        for (let i = 0; i < before.length; ++i) before[i] = counted[i]! - before[i]!;
        drawPairs(density, width, bins, side, before, from, to);
        this.drawn[axis] = counted;
        this.counted = before;
        continue;
      }
      for (let y = 0; y < bins; ++y) density.fill(0, y * width + from, y * width + to);
      const few = changes(counted, null) * (to - from) <= mostPixels;
      if (few) drawPairs(density, width, bins, side, counted, from, to);
      else drawHalf(density, width, bins, counted, from, to);
      this.drawn[axis] = few ? counted.slice() : null;
    }
  }

  /** Counts the lines between an axis and the next one. */
  private count(axis: number, taken: Uint8Array, first: number): void {
    const { counted, side } = this;
    const [left, right] = [this.lines.codes[axis]!, this.lines.codes[axis + 1]!];
    const [leftPlaces, rightPlaces] = [this.lines.places[axis]!, this.lines.places[axis + 1]!];
    const rows = Math.min(left.length, right.length, first + taken.length);
    counted.fill(0);
    for (let row = first; row < rows; ++row)
      if (taken[row - first] === 1) counted[leftPlaces[left[row]!]! * side + rightPlaces[right[row]!]!]! += 1;
  }
}

/** How many numbers differ from before (without `before`: from 0). */
function changes(counted: Int32Array, before: Int32Array | null): number {
  let count = 0;
  if (before === null) {
    for (let i = 0; i < counted.length; ++i) if (counted[i] !== 0) ++count;
  } else {
    for (let i = 0; i < counted.length; ++i) if (counted[i] !== before[i]) ++count;
  }
  return count;
}

/** A pixel of the small picture is four of the large one. */
function drawHalf(density: Float32Array, width: number, bins: number, pairs: Int32Array, from: number, to: number): void {
  const half = bins >> 1;
  const small = new Int32Array((half + 1) * (half + 1));
  for (let a = 0; a < bins; ++a)
    for (let b = 0; b < bins; ++b) {
      const count = pairs[a * (bins + 1) + b]!;
      if (count !== 0) small[(a >> 1) * (half + 1) + (b >> 1)]! += count;
    }
  const gap = (to - from + 1) >> 1;
  const picture = new Float32Array(gap * half);
  drawPairs(picture, gap, half, half + 1, small, 0, gap);
  for (let y = 0; y < bins; ++y)
    for (let px = 0; px < to - from; ++px) density[y * width + from + px]! += picture[(y >> 1) * gap + (px >> 1)]!;
}

function drawPairs(
  density: Float32Array, width: number, bins: number, side: number, pairs: Int32Array, from: number, to: number,
): void {
  const gap = Math.max(to - from, 1);
  for (let a = 0; a < bins; ++a) {
    for (let b = 0; b < bins; ++b) {
      const count = pairs[a * side + b]!;
      if (count === 0) continue;
      // rows of pixels count from the top, bins from the bottom
      const slope = (a - b) / gap;
      let y = bins - 1 - a + 0.5;
      if (slope <= 1 && slope >= -1) {
        for (let px = from; px < from + gap; ++px, y += slope) density[(y | 0) * width + px]! += count;
        continue;
      }
      for (let px = from; px < from + gap; ++px) {
        const next = y + slope;
        const last = y < next ? next | 0 : (y | 0) + 1;
        for (let at = y < next ? y | 0 : (next | 0) + 1; at < last; ++at) density[at * width + px]! += count;
        y = next;
      }
    }
  }
}

/** Adds points to a density. */
export function addPoints(
  density: Float32Array, width: number, height: number, xs: Uint16Array, ys: Uint16Array,
  x: Uint16Array, y: Uint16Array, taken: Uint8Array, first: number,
): void {
  const rows = Math.min(x.length, y.length, first + taken.length);
  for (let row = first; row < rows; ++row) {
    if (taken[row - first] !== 1) continue;
    const px = xs[x[row]!]!;
    const py = ys[y[row]!]!;
    if (px < width && py < height) density[(height - 1 - py) * width + px]! += 1;
  }
}

/** Makes points wider than a pixel. */
export function widen(density: Float32Array, width: number, height: number, wide: Float32Array): void {
  wide.fill(0);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const value = density[y * width + x]!;
      if (value === 0) continue;
      for (let dy = -1; dy <= 1; ++dy) {
        const row = y + dy;
        if (row < 0 || row >= height) continue;
        for (let dx = -1; dx <= 1; ++dx) {
          const column = x + dx;
          if (column >= 0 && column < width && wide[row * width + column]! < value) wide[row * width + column] = value;
        }
      }
    }
  }
}

export interface Ink {
  density: Float32Array;
  colour: [number, number, number];
  least: number; // opacity of a single line
  most: number; // and of the most crowded pixel
}

const tableSize = 4096;

/** Lays inks over each other, the last on top. */
export function mixed(image: ImageData, inks: Ink[]): void {
  const { data } = image;
  const pixels = new Uint32Array(data.buffer); // little-endian: alpha, blue, green, red
  pixels.fill(0);
  const opacity = new Float32Array(tableSize + 1);
  for (const { density, colour, least, most } of inks) {
    let largest = 1;
    for (let i = 0; i < density.length; ++i) if (density[i]! > largest) largest = density[i]!;
    const scale = largest > 1 ? (most - least) / Math.log(largest) : 0;
    for (let i = 1; i <= tableSize; ++i) opacity[i] = least + scale * Math.log(i);
    const [red, green, blue] = colour;
    const opaque = (blue << 16) | (green << 8) | red;
    for (let i = 0; i < density.length; ++i) {
      const value = density[i]!;
      if (value === 0) continue;
      const alpha = value <= tableSize ? opacity[value | 0]! : least + scale * Math.log(value);
      if (pixels[i] === 0) {
        pixels[i] = ((255 * alpha) << 24) | opaque;
        continue;
      }
      const at = 4 * i;
      const below = (data[at + 3]! / 255) * (1 - alpha);
      const sum = alpha + below;
      data[at] = (red * alpha + data[at]! * below) / sum;
      data[at + 1] = (green * alpha + data[at + 1]! * below) / sum;
      data[at + 2] = (blue * alpha + data[at + 2]! * below) / sum;
      data[at + 3] = 255 * sum;
    }
  }
}
