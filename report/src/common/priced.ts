import type { Priced } from "./data";
import { h, said } from "./dom";

/** What loosening a limit is worth, as an entry of a list; `words` writes numbers in SI. */
export function worthOf(limit: Priced, words: (value: number, unit: string) => string): HTMLElement {
  const step = `${words(limit.step, limit.unit)} ${limit.loosened_by}`;
  const gains = limit.gains.map((gain) => `${words(gain.less, gain.unit)} off ${gain.objective}`).join(" and ");
  return h("li", {}, said(limit.name), `: ${step} would take `, said(gains));
}
