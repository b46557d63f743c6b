/** A unit by its name: the SI unit of its quantity, and SI value = value * times / over. */
export type UnitTable = Record<string, { si: string; times: number; over: number }>;

const endsWord = /^(?![A-Za-z0-9_.])/;

/** The longest unit that the text has at this place and that ends there. */
export function unitAt(table: UnitTable, text: string, at: number): string | null {
  let longest: string | null = null;
  for (const name of Object.keys(table))
    if (text.startsWith(name, at) && endsWord.test(text.slice(at + name.length)) && name.length > (longest?.length ?? 0))
      longest = name;
  return longest;
}
