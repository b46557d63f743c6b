import { functions, operators, signBinding } from "./functions";
import { anyUnit, joinedUnit, type PartUnit, unitOfName, unknownUnit } from "./part_units";
import { ExpressionError, type Token, tokensOf } from "./tokens";
import { called, compiled, constant, type Evaluate, joined, nameNode, negative, type Node } from "./tree";
import { didYouMean, unknownUnit as wordsOfUnknownUnit, type UnitTable } from "./units";

/** A name that a condition may use. */
export interface Name {
  name: string;
  text: boolean;
  unit: string; // SI, of its value; empty if it is not known
  value: Evaluate; // of a text the number that stands for it
}

export interface Scope {
  find(name: string): Name | undefined;
  names(): string[];
  numberOf(text: string): number; // that stands for a text, equal for equal texts
  readonly units: UnitTable;
}

interface Part {
  node: Node;
  unit: PartUnit;
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
    private readonly text: string,
    private readonly scope: Scope,
  ) {
    this.tokens = tokensOf(text, scope.units);
  }

  whole(): Evaluate {
    const value = this.binary(0);
    const left = this.token();
    if (left.kind === "close") this.refuse("this parenthesis was not opened");
    if (left.kind === "comma") this.refuse("a comma stands only between the arguments of a function");
    if (left.kind !== "end") this.refuse(`${this.found()}, expected an operator${this.orUnit()}`);
    return compiled(value.node);
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

  /** A name behind a number may be meant as a unit. */
  private orUnit(): string {
    const before = this.token(-1);
    if (this.token().kind !== "name" || before.kind !== "number" || before.unit !== null) return "";
    return ` or a unit${didYouMean(this.token().spelling, Object.keys(this.scope.units))}`;
  }

  private joinedParts(by: string, node: Node, parts: Part[]): Part {
    return { node, unit: joinedUnit(this.scope.units, by, parts.map((part) => part.unit)) };
  }

  /** Operators that bind more tightly than this, from left to right; a power binds right. */
  private binary(binding: number): Part {
    let left = this.operand();
    while (this.token().kind === "sign") {
      const operator = operators[this.token().spelling]!;
      if (operator.binding <= binding) break;
      ++this.at;
      const sign = this.token(-1).spelling;
      const right = this.binary(sign === "^" ? operator.binding - 1 : operator.binding);
      left = this.joinedParts(sign, joined(sign, left.node, right.node), [left, right]);
    }
    return left;
  }

  private operand(): Part {
    const token = this.token();
    switch (token.kind) {
      case "number":
        ++this.at;
        return { node: constant(token.number), unit: this.unitOf(token) };
      case "text":
        this.checkComparison();
        ++this.at;
        return { node: constant(this.scope.numberOf(token.spelling)), unit: unknownUnit };
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

  private unitOf(number: Token): PartUnit {
    if (number.unit === null) return anyUnit;
    return { is: "known", si: this.scope.units[number.unit]!.si, written: number.unit, at: number.at };
  }

  private negative(): Part {
    ++this.at;
    const part = this.binary(signBinding);
    return { node: negative(part.node), unit: part.unit };
  }

  private closed<Value>(value: Value, opened: Token): Value {
    if (this.token().kind === "end") throw new ExpressionError(opened.at, "this parenthesis is not closed");
    if (this.token().kind === "comma") this.refuse("a comma stands only between the arguments of a function");
    if (this.token().kind !== "close") this.refuse(`${this.found()}, expected an operator`);
    ++this.at;
    return value;
  }

  private named(token: Token): Part {
    const called = this.token(1).kind === "open";
    if (Object.hasOwn(functions, token.spelling)) {
      if (!called) this.refuse(`the function ${token.spelling} needs its argument in parentheses`);
      return this.call(token);
    }
    if (called) this.refuse(`${this.found()}, expected a function; there are ${Object.keys(functions).join(", ")}`);
    if (token.spelling === "pi") {
      ++this.at;
      return { node: constant(Math.PI), unit: anyUnit };
    }
    const name = this.scope.find(token.spelling);
    if (name === undefined)
      return this.refuseName(token);
    if (name.text) this.checkComparison();
    ++this.at;
    return { node: nameNode(name.name, name.value), unit: unitOfName(name.unit) };
  }

  /** An unknown name may end what looks like a unit: 2 N/Mm. */
  private refuseName(token: Token): never {
    const like = didYouMean(token.spelling, this.scope.names());
    const before = this.at >= 2 ? this.token(-2) : undefined;
    if (before !== undefined && before.unit !== null && this.token(-1).kind === "sign" &&
        before.at + before.spelling.length + 1 === token.at) {
      const begin = before.at + before.spelling.length - before.unit.length;
      const unit = didYouMean(this.text.slice(begin, token.at + token.spelling.length), Object.keys(this.scope.units));
      if (like === "" || unit !== "") throw new ExpressionError(begin, wordsOfUnknownUnit(this.scope.units, this.text, begin));
    }
    return this.refuse(`${this.found()}, expected a column of the results${like}`);
  }

  private call(token: Token): Part {
    const { fewest, most } = functions[token.spelling]!;
    const opened = this.token(1);
    this.at += 2;
    const values = [this.binary(0)];
    while (this.token().kind === "comma") {
      ++this.at;
      values.push(this.binary(0));
    }
    const closed = this.closed(called(token.spelling, values.map((value) => value.node)), opened);
    if (values.length < fewest || values.length > most)
      throw new ExpressionError(this.token(-1).at, `${token.spelling} takes ${fewest} argument${fewest === 1 ? "" : "s"}, found ${values.length}`);
    return this.joinedParts(token.spelling, closed, values);
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
