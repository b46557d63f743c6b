/** A unit by its name: the SI unit of its quantity, and SI value = value * times / over. */
export type UnitTable = Record<string, { si: string; times: number; over: number }>;

const endsWord = /^(?![A-Za-z0-9_.])/;

/** The name of a list that a word is most like, as an advice; empty if it is like none. */
export function didYouMean(word: string, names: string[]): string {
  const near = names.map((name) => ({ name, away: distance(word, name) })).sort((a, b) => a.away - b.away)[0];
  return near !== undefined && near.away <= Math.max(2, word.length / 3) ? `; did you mean "${near.name}"?` : "";
}

/** How many letters have to be put in, left out or replaced. */
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

/** What to say of a text that begins with a unit, but goes on as if it meant another. */
export function unknownUnit(table: UnitTable, text: string, at: number): string {
  const name = /^[A-Za-z0-9_.*/^]*/.exec(text.slice(at))![0];
  const begin = name.slice(0, (unitAt(table, text, at) ?? "").length + 1); // as "N/" of N/inch
  const alike = Object.keys(table).filter((other) => other.startsWith(begin));
  const near = didYouMean(name, Object.keys(table));
  return `unknown unit "${name}"${near === "" && alike.length > 0 ? `; there are ${alike.join(", ")}` : near}`;
}

/** The longest unit that the text has at this place and that ends there. */
export function unitAt(table: UnitTable, text: string, at: number): string | null {
  let longest: string | null = null;
  for (const name of Object.keys(table))
    if (text.startsWith(name, at) && endsWord.test(text.slice(at + name.length)) && name.length > (longest?.length ?? 0))
      longest = name;
  return longest;
}
