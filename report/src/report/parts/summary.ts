import { add, h, said, unitText } from "../../common/dom";
import type { BaselineData, RankingData, ReportData } from "../data";
import { grouped, percent, printed, reduction } from "../explore/printed";
import { section } from "./section";

/** What was found, in a few sentences with numbers, and the best design beside both baselines. */
export function summaryPart(data: ReportData): HTMLElement {
  const part = section("found", "What was found");
  if (data.incomplete !== "")
    add(part, h("p", { class: "alert", role: "alert" }, `The results are incomplete: ${data.incomplete}.`));
  for (const ranking of data.rankings) {
    const sentences = h("p", { class: "sentences" });
    for (const sentence of sentencesOf(data, ranking)) sentences.append(sentence, " ");
    add(part, sentences, beside(data, ranking));
  }
  return part;
}

function sentencesOf(data: ReportData, ranking: RankingData): string[] {
  return [counted(data, ranking), gained(data, ranking), surety(data, ranking)].filter((one) => one !== "");
}

function counted(data: ReportData, ranking: RankingData): string {
  const { cases } = data.counts;
  const motion = ranking.motion === "" ? "" : ` in motion ${ranking.motion}`;
  const of = grouped(ranking.feasible);
  return ranking.motion === ""
    ? `Of ${grouped(cases)} designs that were evaluated, ${of} keep all limits (${(100 * ranking.feasible / Math.max(cases, 1)).toFixed(1)} %).`
    : `${of} designs keep all limits${motion}.`;
}

function gained(data: ReportData, ranking: RankingData): string {
  const best = ranking.rows[0];
  if (best === undefined) return "None can be ranked; “Why designs fail” says what is against them.";
  const name = ranking.by;
  const value = best[name] as number;
  const parts = (["baseline", "without_springs"] as const).map((which) => against(data, ranking, which, name, value)).filter((one) => one !== "");
  return `The best, case ${best["case"]}, has ${name} ${withUnit(value, data.units[name])}${parts.length > 0 ? `: ${parts.join(", and ")}` : ""}.`;
}

function against(data: ReportData, ranking: RankingData, which: BaselineData["name"], name: string, value: number): string {
  const one = data.baselines.find((baseline) => baseline.name === which && baseline.motion === ranking.motion);
  const words = which === "baseline" ? "the baseline" : "the mechanism without springs";
  if (one === undefined) return "";
  if (!one.feasible) return `${words} is infeasible`;
  const before = one.objectives[name];
  const saved = before === undefined ? null : reduction(value, before);
  if (before === undefined || saved === null) return "";
  return `${(100 * Math.abs(saved)).toFixed(1)} % ${saved < 0 ? "more" : "less"} than ${words} (${withUnit(before, data.units[name])})`;
}

/** What is known beyond the ranking: proof, price of stock, robustness. */
function surety(data: ReportData, ranking: RankingData): string {
  const said: string[] = [];
  const proof = data.proof as null | { proved: boolean; bound: number | null; choice: null | { best: number; all_made_to_order?: number | null } };
  if (proof === null) said.push("nothing is proved of designs that were not evaluated");
  else if (proof.bound !== null)
    said.push(proof.proved
      ? `no springs do better than ${printed(proof.bound)} at this geometry, which is proved`
      : `it is proved only that no springs are below ${printed(proof.bound)}`);
  const made = proof?.choice?.all_made_to_order;
  if (typeof made === "number") {
    const gain = proof!.choice!.best - made;
    said.push(`springs made to order would have ${printed(made)}, so taking them from stock costs ${(100 * gain / Math.abs(proof!.choice!.best)).toFixed(1)} %`);
  }
  const robust = data.robustness?.data as undefined | { percentile: number; motions: { motion: string | null; designs: Record<string, number | null>[] }[] };
  const first = robust?.motions.find((one) => (one.motion ?? "") === ranking.motion)?.designs.find((one) => one["nominal_rank"] === 1);
  if (robust !== undefined && first !== undefined)
    said.push(first["worst"] === null
      ? `manufacturing tolerances break a limit in ${(100 * (first["broken"] ?? 0)).toFixed(1)} % of the draws`
      : `with manufacturing tolerances it has ${printed(first["percentile"] ?? null)} at the ${robust.percentile}th percentile and ${printed(first["worst"] ?? null)} at worst`);
  if (said.length === 0) return "";
  const text = said.join("; ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

const withUnit = (value: number, unit: string | undefined): string => `${printed(value)}${unit ? ` ${unitText(unit)}` : ""}`;

/** The objectives of the best design beside those of both baselines. */
function beside(data: ReportData, ranking: RankingData): HTMLElement {
  const best = ranking.rows[0];
  const body = h("tbody");
  const baselineOf = (name: string): BaselineData | undefined =>
    data.baselines.find((one) => one.name === name && one.motion === ranking.motion);
  for (const name of best === undefined ? [] : data.objectives) {
    const line = h("tr", {}, h("th", { scope: "row" }, said(name), h("span", { class: "unit" }, ` ${unitText(data.units[name] ?? "")}`)),
      h("td", { class: "number" }, printed(best![name] as number | null)));
    for (const which of ["baseline", "without_springs"]) {
      const one = baselineOf(which);
      const saved = best![`${name}.reduction${which === "baseline" ? "" : "_without_springs"}`] as number | null;
      add(line, h("td", { class: "number" }, one?.feasible ? printed(one.objectives[name] ?? null) : "infeasible"),
        h("td", { class: "number" }, percent(saved)));
    }
    body.append(line);
  }
  const heads = [`case ${best?.["case"] ?? "-"}`, "baseline", "reduction", "without springs", "reduction"];
  const head = h("tr", {}, h("th", { scope: "col" }, ranking.motion === "" ? "objective" : said(ranking.motion)));
  for (const title of heads) head.append(h("th", { scope: "col", class: "number" }, title));
  const reasons = h("div");
  for (const which of ["baseline", "without_springs"]) {
    const one = baselineOf(which);
    if (one !== undefined && !one.feasible)
      add(reasons, h("p", { class: "faint" }, which === "baseline" ? "The baseline: " : "Without springs: ", said(one.reason)));
  }
  return h("div", { class: "scroll" }, h("table", { class: "beside" }, h("thead", {}, head), body), reasons);
}
