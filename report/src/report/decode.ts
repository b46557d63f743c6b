import type { Mechanism } from "../common/data";
import type { MotionsData, MotionData } from "./data";

/** The bytes in a text that was compressed as raw deflate and written in base64. */
export async function inflated(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads columns from a block, where a column stores the first bytes of all its numbers, then all second bytes. */
export class BlockReader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  private planes(count: number, size: number): Uint8Array[] {
    const planes: Uint8Array[] = [];
    for (let b = 0; b < size; ++b)
      planes.push(this.bytes.subarray(this.at + b * count, this.at + (b + 1) * count));
    this.at += count * size;
    return planes;
  }

  uint16(count: number): Uint16Array {
    const [low, high] = this.planes(count, 2) as [Uint8Array, Uint8Array];
    const numbers = new Uint16Array(count);
    for (let i = 0; i < count; ++i) numbers[i] = low[i]! | (high[i]! << 8);
    return numbers;
  }

  uint32(count: number): Uint32Array<ArrayBuffer> {
    const [a, b, c, d] = this.planes(count, 4) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    const numbers = new Uint32Array(count);
    for (let i = 0; i < count; ++i) numbers[i] = a[i]! | (b[i]! << 8) | (c[i]! << 16) | (d[i]! << 24);
    return numbers;
  }

  /** Two halves per number, the lower half first. */
  uint64(count: number): Uint32Array<ArrayBuffer> {
    const low = this.uint32(count);
    const high = this.uint32(count);
    const halves = new Uint32Array(2 * count);
    for (let i = 0; i < count; ++i) {
      halves[2 * i] = low[i]!;
      halves[2 * i + 1] = high[i]!;
    }
    return halves;
  }

  float64(count: number): Float64Array {
    return new Float64Array(this.uint64(count).buffer);
  }
}

/** Undoes second differences of numbers that are `stride` apart. */
function summed(bits: Uint32Array, stride: number): void {
  for (let order = 0; order < 2; ++order)
    for (let i = stride; i < bits.length; ++i) bits[i] = bits[i]! + bits[i - stride]!;
}

/** Puts columns of numbers in the places of {"column": number}, and mechanisms in those of {"mechanism": number}. */
function filled(value: unknown, columns: ArrayBuffer[], mechanisms: Mechanism[]): unknown {
  if (Array.isArray(value)) return value.map((part) => filled(part, columns, mechanisms));
  if (value === null || typeof value !== "object") return value;
  const own = value as Record<string, unknown>;
  if (typeof own["column"] === "number") return columns[own["column"]];
  if (typeof own["mechanism"] === "number") return mechanisms[own["mechanism"]];
  return Object.fromEntries(Object.entries(own).map(([key, part]) => [key, filled(part, columns, mechanisms)]));
}

/** The motions of a report, with their columns of numbers read from the compressed block. */
export async function motionsOf(data: MotionsData): Promise<MotionData[]> {
  const reader = new BlockReader(await inflated(data.block));
  const columns = data.columns.map(({ bytes, count, stride }) => {
    if (bytes === 8) return reader.float64(count).buffer as ArrayBuffer;
    const bits = reader.uint32(count);
    summed(bits, stride);
    return bits.buffer;
  });
  return filled(data.motions, columns, data.mechanisms) as MotionData[];
}
