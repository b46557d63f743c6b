import { add, breakable, h, said, saidInUnits } from "../common/dom";
import { inUnit, unitName, withoutRounding } from "../common/units";
import type { BaselineData, RankingData, ReportData, Row } from "./data";
import { changed, grouped, printed, printedIn, reduction, shareText, theSame } from "./explore/printed";
import { sizeOf } from "./cases";
import { proofPart } from "./proof";
import { section, tableBox } from "./section";
import { verdictPart } from "./verdict";

/** What was found, in a few sentences with numbers, and the best design beside both baselines. */
export function summaryPart(data: ReportData): HTMLElement {
  const part = section("found", "What was found");
  if (data.incomplete !== "")
    add(part, h("p", { class: "alert", role: "alert" }, `The results are incomplete: ${data.incomplete}.`));
  if (data.kept !== "") add(part, h("p", {}, `The page shows the cases that the results keep. ${data.kept}.`));
  for (const line of data.poses.split("\n")) if (line !== "") add(part, h("p", { class: "faint" }, said(line)));
  for (const ranking of data.rankings) {
    const sentences = h("p", { class: "sentences" });
    for (const sentence of sentencesOf(data, ranking)) sentences.append(sentence, " ");
    add(part, sentences, beside(data, ranking), verdictPart(data, ranking));
  }
  add(part, proofPart(data));
  return part;
}

function sentencesOf(data: ReportData, ranking: RankingData): string[] {
  return [counted(data, ranking), gained(data, ranking), surety(data, ranking)].filter((one) => one !== "");
}

function counted(data: ReportData, ranking: RankingData): string {
  const { cases } = data.counts;
  const motion = ranking.motion === "" ? "" : ` in motion ${ranking.motion}`;
  const feasible = ranking.motion === "" ? data.counts.feasible : ranking.feasible;
  const of = grouped(feasible);
  return ranking.motion === ""
    ? `Of ${grouped(cases)} ${cases === 1 ? "design that was" : "designs that were"} evaluated, ${of} ${feasible === 1 ? "keeps" : "keep"} all limits (${shareText(feasible / Math.max(cases, 1))}).`
    : `${of} designs${data.kept === "" ? "" : " that are kept"} keep all limits${motion}.`;
}

function gained(data: ReportData, ranking: RankingData): string {
  const best = ranking.rows[0];
  if (best === undefined) return "None can be ranked; “Why designs fail” says what is against them.";
  const name = ranking.by;
  const value = withoutRounding(best[name] as number, sizeOf(data.cases, name));
  const parts = (["baseline", "without_springs"] as const).map((which) => against(data, ranking, which, name, value)).filter((one) => one !== "");
  return `The best, case ${best["case"]}, has ${name} ${printedIn(value, data.units[name] ?? "")}${parts.length > 0 ? `: ${parts.join(", and ")}` : ""}.`;
}

function against(data: ReportData, ranking: RankingData, which: BaselineData["name"], name: string, value: number): string {
  const one = data.baselines.find((baseline) => baseline.name === which && baseline.motion === ranking.motion);
  const words = which === "baseline" ? "the baseline" : "the mechanism without springs";
  if (one === undefined) return "";
  if (!one.feasible) return `${words} is infeasible`;
  const stored = one.objectives[name];
  if (stored === undefined || stored === null) return "";
  const before = withoutRounding(stored, sizeOf(data.cases, name));
  const saved = reduction(value, before);
  if (saved === null) return "";
  const change = changed(saved);
  return `${change} ${change === theSame ? "as" : "than"} ${words} (${printedIn(before, data.units[name] ?? "")})`;
}

/** What is known beyond the ranking: whether anything is proved, price of stock, robustness. */
function surety(data: ReportData, ranking: RankingData): string {
  const said: string[] = [];
  const unit = data.units[ranking.by] ?? "";
  const { proof } = data;
  if (proof === null) said.push("nothing is proved of designs that were not evaluated");
  const made = proof?.choice?.all_made_to_order;
  if (typeof made === "number") {
    const gain = proof!.choice!.best - made;
    said.push(`springs made to order would have ${printedIn(made, unit)}, so taking them from stock costs ${(100 * gain / Math.abs(proof!.choice!.best)).toFixed(1)} %`);
  }
  const robust = data.robustness?.data as undefined | { percentile: number; sampled_parameters: number; motions: { motion: string | null; designs: Record<string, number | null>[] }[] };
  const first = robust?.motions.find((one) => (one.motion ?? "") === ranking.motion)?.designs.find((one) => one["nominal_rank"] === 1);
  if (robust !== undefined && first !== undefined)
    said.push(first["worst"] == null || first["percentile"] == null
      ? `manufacturing tolerances break a limit in ${shareText(first["broken"] ?? 0)} of the draws`
      : `with manufacturing tolerances it has ${printedIn(first["percentile"], unit)} at the ${robust.percentile}th percentile and ${printedIn(first["worst"], unit)} ` +
        (robust.sampled_parameters > 0 ? "at the worst of the corners and samples that were tried" : "at worst"));
  if (said.length === 0) return "";
  const text = said.join("; ");
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** The objectives of the best design beside both baselines. */
function beside(data: ReportData, ranking: RankingData): HTMLElement | null {
  const best = ranking.rows[0];
  if (best === undefined) return null;
  const motion = ranking.motion === "" ? "objective" : ranking.motion;
  const baselines = (["baseline", "without_springs"] as const).map((which) => ({
    title: which.replace("_", " "),
    of: data.baselines.find((one) => one.name === which && one.motion === ranking.motion),
    saved: (name: string) => best[`${name}.reduction${which === "baseline" ? "" : "_without_springs"}`] as number | null,
  }));
  const head = h("tr", {}, h("th", { scope: "col" }, said(motion)), h("th", { scope: "col", class: "number" }, `case ${best["case"]}`));
  for (const { title } of baselines) add(head, h("th", { scope: "col", class: "number" }, title));
  const body = h("tbody");
  const rows: Row[] = [];
  for (const name of data.objectives) {
    const value = best[name] as number | null;
    const unit = data.units[name] ?? "";
    const size = sizeOf(data.cases, name);
    const shown = (one: number | null): string => printed(one === null ? null : inUnit(withoutRounding(one, size), unit));
    const line = h("tr", {}, h("th", { scope: "row" }, breakable(name), h("span", { class: "unit" }, ` ${unitName(unit)}`)),
      h("td", { class: "number" }, shown(value)));
    const row: Row = { objective: name, unit, [`case ${best["case"]}`]: value };
    for (const { title, of, saved } of baselines) {
      row[title] = of?.feasible ? (of.objectives[name] ?? null) : null;
      row[`reduction to ${title}`] = saved(name);
      add(line, h("td", { class: "number" }, of?.feasible ? shown(of.objectives[name] ?? null) : "infeasible",
        saved(name) !== null && h("div", { class: "faint" }, changed(saved(name)!))));
    }
    body.append(line);
    rows.push(row);
  }
  const table = tableBox(`best design${ranking.motion === "" ? "" : ` in ${ranking.motion}`}`, h("table", { class: "beside" }, h("thead", {}, head), body), rows);
  for (const { title, of } of baselines)
    if (of !== undefined && !of.feasible)
      add(table, h("p", { class: "faint" }, title === "baseline" ? "The baseline: " : "Without springs: ", saidInUnits(of.reason)));
  return table;
}
