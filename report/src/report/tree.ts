import { functions, operators } from "./functions";

export type Evaluate = (row: number) => number;

/** A part of an expression. Sums and multiples of one name are one node, folded as
 * input/expressions/expression_parser.cpp does, so that both round alike. */
export type Node =
  | { kind: "constant"; offset: number }
  | { kind: "linear"; name: string; value: Evaluate; factor: number; offset: number }
  | { kind: "other"; evaluate: Evaluate };

export const constant = (offset: number): Node => ({ kind: "constant", offset });
export const nameNode = (name: string, value: Evaluate): Node => ({ kind: "linear", name, value, factor: 1, offset: 0 });

const isName = (node: Node): boolean => node.kind === "linear" && node.factor === 1 && node.offset === 0;
const factorOf = (node: Node): number => (node.kind === "linear" ? node.factor : 0);
const offsetOf = (node: Node): number => (node.kind === "other" ? NaN : node.offset);

export function compiled(node: Node): Evaluate {
  switch (node.kind) {
    case "constant": {
      const { offset } = node;
      return () => offset;
    }
    case "linear": {
      const { value, factor, offset } = node;
      return isName(node) ? value : (row) => factor * value(row) + offset;
    }
    case "other":
      return node.evaluate;
  }
}

export function negative(node: Node): Node {
  if (node.kind === "constant") return constant(-node.offset);
  const value = compiled(node);
  return { kind: "other", evaluate: (row) => -value(row) };
}

export function called(name: string, nodes: Node[]): Node {
  const { of } = functions[name]!;
  const foldable = name !== "min" && name !== "max" && nodes.every((node) => node.kind === "constant");
  if (foldable) return constant(of(nodes.map(offsetOf)));
  const values = nodes.map(compiled);
  const [first, second] = values;
  if (values.length === 1) return { kind: "other", evaluate: (row) => of([first!(row)]) };
  if (values.length === 2) return { kind: "other", evaluate: (row) => of([first!(row), second!(row)]) };
  return { kind: "other", evaluate: (row) => of(values.map((value) => value(row))) };
}

export function joined(sign: string, left: Node, right: Node): Node {
  const { of } = operators[sign]!;
  if (left.kind === "constant" && right.kind === "constant") return constant(of(left.offset, right.offset));
  const folded = sign === "+" || sign === "-" ? sum(sign === "+" ? 1 : -1, left, right)
    : sign === "*" ? product(left, right)
    : sign === "/" ? quotient(left, right)
    : sign === "^" ? power(left, right)
    : null;
  if (folded !== null) return folded;
  const a = compiled(left);
  const b = compiled(right);
  return { kind: "other", evaluate: (row) => of(a(row), b(row)) };
}

function sum(sign: number, left: Node, right: Node): Node | null {
  const base = left.kind === "linear" ? left : right;
  if (base.kind !== "linear" || left.kind === "other" || right.kind === "other") return null;
  if (left.kind === "linear" && right.kind === "linear" && left.name !== right.name) return null;
  return {
    ...base,
    factor: factorOf(left) + sign * factorOf(right),
    offset: left.offset + sign * right.offset,
  };
}

function product(left: Node, right: Node): Node | null {
  const base = left.kind === "linear" ? left : right;
  const by = left.kind === "constant" ? left : right;
  if (base.kind !== "linear" || by.kind !== "constant") return null;
  return { ...base, factor: base.factor * by.offset, offset: base.offset * by.offset };
}

/** A name alone over a number stays a quotient, which rounds once. */
function quotient(left: Node, right: Node): Node | null {
  if (left.kind !== "linear" || isName(left) || right.kind !== "constant" || right.offset === 0) return null;
  return { ...left, factor: left.factor / right.offset, offset: left.offset / right.offset };
}

function power(left: Node, right: Node): Node | null {
  if (left.kind !== "linear" || !isName(left) || right.kind !== "constant") return null;
  const { value } = left;
  switch (right.offset) {
    case 0:
      return constant(1);
    case 1:
      return left;
    case 2:
      return { kind: "other", evaluate: (row) => value(row) * value(row) };
    case 3:
      return { kind: "other", evaluate: (row) => value(row) * value(row) * value(row) };
    case 4:
      return { kind: "other", evaluate: (row) => value(row) * value(row) * value(row) * value(row) };
    default:
      return null;
  }
}
