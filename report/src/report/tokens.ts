import { unitAt, unknownUnit, type UnitTable } from "./units";

/** The words of an expression, as input/expressions/expression_tokens.cpp splits them. */
export interface Token {
  kind: "number" | "name" | "text" | "sign" | "open" | "close" | "comma" | "end";
  spelling: string; // of a text: what stands between the quotes
  at: number;
  number: number; // of a number with a unit: in SI
  unit: string | null; // behind a number
}

export class ExpressionError extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(`at character ${at + 1}: ${message}`);
  }
}

const signs = ["<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "^", "<", ">"];
const advice: Record<string, string> = {
  "=": "there is no assignment; compare with ==",
  "?": "there is no ?: here",
  ":": "there is no ?: here",
  "!": "there is no !; write == 0 or !=",
  "&": "write && and ||",
  "|": "write && and ||",
  "%": "there is no %",
};
const space = /[ \t\r\n]*/y;
const numeral = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const word = /[A-Za-z_](?:[A-Za-z0-9_]|\.(?=[A-Za-z_]))*/y;

function taken(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function tokenAt(text: string, at: number, units: UnitTable): { token: Token; length: number } {
  const made = (kind: Token["kind"], length: number, spelling?: string, number = 0, unit: string | null = null) => ({
    token: { kind, spelling: spelling ?? text.slice(at, at + length), at, number, unit },
    length,
  });
  if (at === text.length) return made("end", 0);
  const c = text[at]!;
  const digits = taken(numeral, text, at);
  if (digits !== null) {
    const value = Number(digits);
    if (!Number.isFinite(value)) throw new ExpressionError(at, `${digits} is not finite`);
    const behind = at + digits.length + taken(space, text, at + digits.length)!.length;
    const unit = unitAt(units, text, behind);
    if (unit === null) return made("number", digits.length, digits, value);
    const { si, times, over } = units[unit]!;
    const length = behind + unit.length - at;
    if (text[at + length] === "^") throw new ExpressionError(behind, unknownUnit(units, text, behind));
    const inSi = (value * times) / over;
    if (!Number.isFinite(inSi)) throw new ExpressionError(at, `${text.slice(at, at + length)} is not finite in ${si}`);
    return made("number", length, text.slice(at, at + length), inSi, unit);
  }
  const name = taken(word, text, at);
  if (name !== null) return made("name", name.length);
  if (c === "'" || c === '"') {
    const end = text.indexOf(c, at + 1);
    if (end < 0) throw new ExpressionError(at, "the quoted text does not end");
    return made("text", end + 1 - at, text.slice(at + 1, end));
  }
  if (c === "(") return made("open", 1);
  if (c === ")") return made("close", 1);
  if (c === ",") return made("comma", 1);
  const sign = signs.find((one) => text.startsWith(one, at));
  if (sign !== undefined) return made("sign", sign.length);
  throw new ExpressionError(at, advice[c] ?? "this character belongs to no expression");
}

/** The last token is `end`. Throws ExpressionError. */
export function tokensOf(text: string, units: UnitTable): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  do {
    at += taken(space, text, at)!.length;
    const { token, length } = tokenAt(text, at, units);
    tokens.push(token);
    at += length;
  } while (tokens[tokens.length - 1]!.kind !== "end");
  return tokens;
}
