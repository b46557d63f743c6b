export type Numbers = readonly number[];

interface Callable {
  fewest: number;
  most: number;
  of: (numbers: Numbers) => number;
}

/** The first of the smallest (or largest) numbers; NaN if any is NaN. */
function extreme(numbers: Numbers, before: (a: number, b: number) => boolean): number {
  let best = numbers[0]!;
  for (const number of numbers) {
    if (Number.isNaN(best)) return best;
    if (Number.isNaN(number) || before(number, best)) best = number;
  }
  return best;
}

const one = (of: (x: number) => number): Callable => ({ fewest: 1, most: 1, of: ([x]) => of(x!) });

export const functions: Record<string, Callable> = {
  sqrt: one(Math.sqrt),
  sin: one(Math.sin),
  cos: one(Math.cos),
  tan: one(Math.tan),
  asin: one(Math.asin),
  acos: one(Math.acos),
  atan: one(Math.atan),
  atan2: { fewest: 2, most: 2, of: ([y, x]) => Math.atan2(y!, x!) },
  abs: one(Math.abs),
  min: { fewest: 1, most: Infinity, of: (numbers) => extreme(numbers, (a, b) => a < b) },
  max: { fewest: 1, most: Infinity, of: (numbers) => extreme(numbers, (a, b) => a > b) },
};

/** C's pow, which differs from JavaScript's where the base is 1 in size or 1. */
function raised(a: number, b: number): number {
  if (a === 1) return 1;
  if (a === -1 && (b === Infinity || b === -Infinity)) return 1;
  if (b === 2) return a * a;
  if (b === 3) return a * a * a;
  if (b === 4) return a * a * a * a;
  return Math.pow(a, b);
}

const truth = (holds: boolean): number => (holds ? 1 : 0);

export const operators: Record<string, { binding: number; of: (a: number, b: number) => number }> = {
  "||": { binding: 1, of: (a, b) => truth(a !== 0 || b !== 0) },
  "&&": { binding: 2, of: (a, b) => truth(a !== 0 && b !== 0) },
  "<": { binding: 3, of: (a, b) => truth(a < b) },
  "<=": { binding: 3, of: (a, b) => truth(a <= b) },
  ">": { binding: 3, of: (a, b) => truth(a > b) },
  ">=": { binding: 3, of: (a, b) => truth(a >= b) },
  "==": { binding: 3, of: (a, b) => truth(a === b) },
  "!=": { binding: 3, of: (a, b) => truth(a !== b) },
  "+": { binding: 4, of: (a, b) => a + b },
  "-": { binding: 4, of: (a, b) => a - b },
  "*": { binding: 5, of: (a, b) => a * b },
  "/": { binding: 5, of: (a, b) => a / b },
  "^": { binding: 7, of: raised },
};
export const signBinding = 6; // of a minus before a number
