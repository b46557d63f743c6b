import { h, number, said, saidInUnits, withUnit, worthOf } from "../common/dom";
import { inUnit, unitName } from "../common/units";
import type { Facts, Metrics, Optimum } from "./studio_data";

/** Peak and mean loads of the actuators that are shown: this design, the baseline, without springs, and kept designs. */
export function metricsTable(answer: Facts, baseline: Metrics[], kept: [string, Metrics[]][], isShown: (actuator: string) => boolean): HTMLElement {
  const others: [string, Metrics[]][] = [["baseline", baseline], ["without springs", answer.bare], ...kept];
  const shown = others.filter(([, metrics]) => metrics.length > 0);
  const value = (of: Metrics | undefined, key: "max" | "mean", unit: string): HTMLElement =>
    h("td", {}, of === undefined ? "–" : number(inUnit(of[key], unit)));
  const rows = answer.metrics.filter((one) => isShown(one.actuator)).flatMap((own) =>
    (["max", "mean"] as const).map((key) => h("tr", {},
      h("th", { scope: "row" }, said(own.actuator), ` ${key === "max" ? "peak" : "mean"} ${unitName(own.unit)}`),
      value(own, key, own.unit),
      ...shown.map(([, metrics]) => value(metrics.find((one) => one.actuator === own.actuator), key, own.unit)))));
  return h("table", { class: "metrics" },
    h("thead", {}, h("tr", {}, h("th", {}, "load"), h("th", { scope: "col" }, "this design"),
      ...shown.map(([name]) => h("th", { scope: "col" }, said(name))))),
    h("tbody", {}, ...rows));
}

const mostPrices = 3; // those that are worth most

/** What is proved of the springs that were sized, and what loosening limits is worth. */
function optimumOf({ objective, unit, bound, sized, priced, prices_unknown: unknown }: Optimum): HTMLElement {
  return h("div", { class: "optimum" },
    h("p", {}, `In this geometry no ${sized} get `, said(objective), " below ", h("b", {}, withUnit(bound, unit)), "."),
    priced.length > 0 && h("p", {}, "What loosening a limit a little is worth:"),
    priced.length > 0 && h("ul", {}, ...priced.slice(0, mostPrices).map((limit) => worthOf(limit, withUnit))),
    priced.length === 0 && unknown === "" && h("p", { class: "faint" }, `Loosening a single limit or bound of the ${sized} a little is worth nothing.`),
    unknown !== "" && h("p", { class: "faint" }, "What loosening limits is worth is not known: ", said(unknown), "."));
}

/** What the study says of the design, over all its motions. */
export function verdictOf({ verdict, certain, optimum }: Facts): HTMLElement {
  if (verdict === null)
    return h("p", { class: "faint" },
      "Parameters have other values than the study gives them, so that the study says nothing of this design.");
  const objectives = verdict.objectives.map(({ name, value, unit }) =>
    h("span", {}, said(name), " ", h("b", {}, withUnit(value, unit))));
  return h("div", { class: `verdict ${verdict.status}` },
    h("b", { class: "status" }, verdict.status), ...objectives,
    verdict.reason !== "" && h("div", {}, saidInUnits(verdict.reason)),
    certain === false && h("div", {}, "These are the best that were found; whether others are better is not known."),
    optimum && optimumOf(optimum));
}

/** The limits that the design breaks in this motion, and whatever else is to be said of it. */
export function findingsOf({ findings }: Facts): HTMLElement {
  return h("ul", {}, ...findings.filter(({ kind }) => kind !== "note").map((finding) => h("li", {},
    h("span", { class: `badge ${finding.kind}` }, finding.kind), h("span", {}, saidInUnits(finding.text)))));
}
