import { add, h, said, worthOf } from "../common/dom";
import type { BaselineData, RankingData, ReportData, VerdictData } from "./data";
import { changed, printedIn } from "./explore/printed";

const atFirst = 6; // lines; further ones are folded

/** Of the best design of a ranking: what got worse, and which limits bind. */
export function verdictPart(data: ReportData, ranking: RankingData): HTMLElement | null {
  const verdict = data.verdicts[String(ranking.rows[0]?.["case"])] ?? null;
  if (verdict === null) return null;
  return h("div", { class: "two verdict" },
    h("div", { class: "worse" }, h("h3", {}, "What got worse"), ...worsened(verdict)),
    h("div", { class: "limits" }, h("h3", {}, "Limits that bind"), ...limits(verdict)));
}

const beside: Record<BaselineData["name"], string> = { baseline: "the baseline", without_springs: "the mechanism without springs" };

function worsened({ worse, beside: known }: VerdictData): HTMLElement[] {
  const compared = (["baseline", "without_springs"] as const).filter((name) => known[name]);
  if (compared.length === 0) return [h("p", {}, "There is nothing to compare with: neither the baseline nor the mechanism without springs can do this.")];
  return compared.flatMap((name) => {
    const lines = worse.filter((one) => one.beside === name).map((one) => {
      const by = one.before === 0 ? "" : `, ${changed(-(one.value - one.before) / Math.abs(one.before))}`;
      return h("li", {}, said(one.what), ` ${printedIn(one.value, one.unit)}${by}`,
        h("span", { class: "faint" }, ` (was ${printedIn(one.before, one.unit)})`));
    });
    if (lines.length === 0)
      return [h("p", {}, `Against ${beside[name]}: no peak or mean load of an actuator, no objective and no other stored number to be kept low grew by 0.05 % or more.`)];
    return [h("p", {}, `Against ${beside[name]}:`), ...folded(lines, "more")];
  });
}

function limits({ near, closeness, priced, prices_unknown: unknown }: VerdictData): HTMLElement[] {
  const reached = near.map((limit) => {
    const bound = printedIn(limit.bound, limit.unit);
    const what = limit.broken ? `broken: ${printedIn(limit.value, limit.unit)} against ${bound}`
      : limit.value === limit.bound ? `reached: ${bound}`
        : `reached to ${(100 * closeness).toPrecision(1)} %: ${printedIn(limit.value, limit.unit)} of ${bound}`;
    return h("li", {}, said(limit.name), `: ${what}`, limit.beyond === "" ? null : h("span", { class: "faint" }, "; ", said(limit.beyond)));
  });
  const worth = priced.map((limit) => worthOf(limit, printedIn));
  const parts: HTMLElement[] = [];
  if (worth.length > 0) parts.push(h("p", {}, "What loosening one of them a little is worth:"), ...folded(worth, "more with a price"));
  if (reached.length > 0)
    parts.push(h("p", {}, worth.length > 0 ? "Also reached, without a price of their own:" : "The design stands at these:"), ...folded(reached, "more"));
  if (parts.length === 0)
    parts.push(h("p", {}, `No limit of a spring, of an actuator or of the study is within ${(100 * closeness).toPrecision(1)} % of its bound.`));
  if (unknown !== "") add(parts[parts.length - 1]!, h("span", { class: "faint" }, " What loosening is worth is not known: ", said(unknown), "."));
  return parts;
}

/** The first lines, and the others behind a switch. */
function folded(lines: HTMLElement[], words: string): HTMLElement[] {
  const first = h("ul", {}, ...lines.slice(0, atFirst));
  if (lines.length <= atFirst) return [first];
  return [first, h("details", {}, h("summary", {}, `${lines.length - atFirst} ${words}`), h("ul", {}, ...lines.slice(atFirst)))];
}
