import { type Column, noCode } from "../cases";

/** The rows that no other is better than in both columns, by rising x. Two passes over the codes
 * leave few rows, whose numbers decide. */
export function frontOf(x: Column, y: Column, taken: Uint8Array): number[] {
  const least = new Uint16Array(x.top + 1).fill(noCode); // code of y up to each code of x
  const [xs, ys] = [x.codes, y.codes];
  for (let row = 0; row < taken.length; ++row)
    if (taken[row] === 1 && xs[row] !== noCode && ys[row]! < least[xs[row]!]!) least[xs[row]!] = ys[row]!;
  for (let code = 1; code < least.length; ++code) if (least[code - 1]! < least[code]!) least[code] = least[code - 1]!;
  const near: { row: number; x: number; y: number }[] = [];
  for (let row = 0; row < taken.length; ++row)
    if (taken[row] === 1 && xs[row] !== noCode && ys[row] !== noCode && ys[row]! <= least[xs[row]!]!)
      near.push({ row, x: x.value(row), y: y.value(row) });
  near.sort((a, b) => a.x - b.x || a.y - b.y || a.row - b.row);
  const front: typeof near = [];
  for (const one of near) {
    const last = front[front.length - 1];
    if (last === undefined || one.y < last.y || (one.y === last.y && one.x === last.x)) front.push(one);
  }
  return front.map(({ row }) => row);
}

/** The row of a front where giving up a little of one gains no more of the other: scaled from best
 * to worst, the least sum; of equal ones the smaller id. */
export function kneeOf(x: Column, y: Column, front: number[], ids: Float64Array): number | null {
  if (front.length < 3) return null;
  const xs = front.map((row) => x.value(row));
  const ys = front.map((row) => y.value(row));
  const [lowX, highX] = [Math.min(...xs), Math.max(...xs)];
  const [lowY, highY] = [Math.min(...ys), Math.max(...ys)];
  if (highX === lowX || highY === lowY) return null;
  let found: number | null = null;
  let least = Infinity;
  front.forEach((row, i) => {
    const sum = (xs[i]! - lowX) / (highX - lowX) + (ys[i]! - lowY) / (highY - lowY);
    if (sum < least || (sum === least && ids[row]! < ids[found!]!)) {
      least = sum;
      found = row;
    }
  });
  return found;
}
