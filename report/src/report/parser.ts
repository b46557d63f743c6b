import { functions, operators, signBinding } from "./functions";
import { ExpressionError, type Token, tokensOf } from "./tokens";
import { called, compiled, constant, type Evaluate, joined, nameNode, negative, type Node } from "./tree";

/** A name that a condition may use. */
export interface Name {
  name: string;
  text: boolean;
  value: Evaluate; // of a text the number that stands for it
}

export interface Scope {
  find(name: string): Name | undefined;
  names(): string[];
  numberOf(text: string): number; // that stands for a text, equal for equal texts
}

/** A condition over the columns of the cases, in the language of `rank --where`. Throws
 * ExpressionError. */
export function parseCondition(text: string, scope: Scope): Evaluate {
  return new Parser(text, scope).whole();
}

class Parser {
  private readonly tokens: Token[];
  private at = 0;

  constructor(
    text: string,
    private readonly scope: Scope,
  ) {
    this.tokens = tokensOf(text);
  }

  whole(): Evaluate {
    const value = this.binary(0);
    const left = this.token();
    if (left.kind === "close") this.refuse("this parenthesis was not opened");
    if (left.kind === "comma") this.refuse("a comma stands only between the arguments of a function");
    if (left.kind !== "end") this.refuse(`${this.found()}, expected an operator`);
    return compiled(value);
  }

  private token(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? this.tokens[this.tokens.length - 1]!;
  }
  private found(): string {
    return `found "${this.token().spelling}"`;
  }
  private refuse(message: string): never {
    throw new ExpressionError(this.token().at, message);
  }

  /** Operators that bind more tightly than this, from left to right; a power binds right. */
  private binary(binding: number): Node {
    let left = this.operand();
    while (this.token().kind === "sign") {
      const operator = operators[this.token().spelling]!;
      if (operator.binding <= binding) break;
      ++this.at;
      const sign = this.token(-1).spelling;
      left = joined(sign, left, this.binary(sign === "^" ? operator.binding - 1 : operator.binding));
    }
    return left;
  }

  private operand(): Node {
    const token = this.token();
    switch (token.kind) {
      case "number":
        ++this.at;
        return constant(token.number);
      case "text":
        this.checkComparison();
        ++this.at;
        return constant(this.scope.numberOf(token.spelling));
      case "name":
        return this.named(token);
      case "open":
        ++this.at;
        return this.closed(this.binary(0), token);
      case "sign":
        if (token.spelling === "+") {
          ++this.at;
          return this.operand();
        }
        if (token.spelling === "-") return this.negative();
        break;
      case "end":
        return this.refuse("the expression ends where a number or a name is due");
    }
    return this.refuse(`${this.found()}, expected a number or a name`);
  }

  private negative(): Node {
    ++this.at;
    return negative(this.binary(signBinding));
  }

  private closed(value: Node, opened: Token): Node {
    if (this.token().kind === "end") throw new ExpressionError(opened.at, "this parenthesis is not closed");
    if (this.token().kind === "comma") this.refuse("a comma stands only between the arguments of a function");
    if (this.token().kind !== "close") this.refuse(`${this.found()}, expected an operator`);
    ++this.at;
    return value;
  }

  private named(token: Token): Node {
    const called = this.token(1).kind === "open";
    if (Object.hasOwn(functions, token.spelling)) {
      if (!called) this.refuse(`the function ${token.spelling} needs its argument in parentheses`);
      return this.call(token);
    }
    if (called) this.refuse(`${this.found()}, expected a function; there are ${Object.keys(functions).join(", ")}`);
    if (token.spelling === "pi") {
      ++this.at;
      return constant(Math.PI);
    }
    const name = this.scope.find(token.spelling);
    if (name === undefined)
      return this.refuse(`${this.found()}, expected a column of the results${didYouMean(token.spelling, this.scope.names())}`);
    if (name.text) this.checkComparison();
    ++this.at;
    return nameNode(name.name, name.value);
  }

  private call(token: Token): Node {
    const { fewest, most } = functions[token.spelling]!;
    const opened = this.token(1);
    this.at += 2;
    const values = [this.binary(0)];
    while (this.token().kind === "comma") {
      ++this.at;
      values.push(this.binary(0));
    }
    const closed = this.closed(called(token.spelling, values), opened);
    if (values.length < fewest || values.length > most)
      throw new ExpressionError(this.token(-1).at, `${token.spelling} takes ${fewest} argument${fewest === 1 ? "" : "s"}, found ${values.length}`);
    return closed;
  }

  /** A text is compared with a text and stands nowhere else. */
  private checkComparison(): void {
    const compares = (i: number): boolean => ["==", "!="].includes(this.token(i).spelling) && this.token(i).kind === "sign";
    const isText = (i: number): boolean =>
      this.token(i).kind === "text" ||
      (this.token(i).kind === "name" && this.scope.find(this.token(i).spelling)?.text === true);
    const separates = (i: number): boolean =>
      this.at + i < 0 || this.token(i).kind === "end" ||
      (this.token(i).kind !== "text" && ["&&", "||", "(", ")"].includes(this.token(i).spelling));
    const left = compares(1) && isText(2) && separates(3) && separates(-1);
    const right = this.at >= 2 && compares(-1) && isText(-2) && separates(1) && separates(-3);
    if (!left && !right) this.refuse(`${this.found()} is a text; texts are only compared with texts, by == or !=`);
  }
}

function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; ++i) {
    const row = [i];
    for (let j = 1; j <= b.length; ++j)
      row.push(Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    before = row;
  }
  return before[b.length]!;
}

function didYouMean(word: string, names: string[]): string {
  const near = names.map((name) => ({ name, away: distance(word, name) })).sort((a, b) => a.away - b.away)[0];
  return near !== undefined && near.away <= Math.max(2, word.length / 3) ? `; did you mean "${near.name}"?` : "";
}
