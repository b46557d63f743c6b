import { add, h } from "../common/dom";
import { inUnit, unitName } from "../common/units";
import type { ReportData } from "./data";
import { printed, shareText } from "./explore/printed";
import { barFigure } from "./bars";
import { printout, section } from "./section";

interface Effect {
  variable: string;
  first: number | null;
  total: number | null;
  tornado_low: number | null;
  tornado_high: number | null;
}
interface Sensitivity {
  motions: { motion: string | null; objectives: { objective: string; centre: number | null; variables: Effect[] }[] }[];
}
interface Robust {
  case: number;
  nominal: number;
  worst: number | null;
  percentile: number | null;
  broken: number;
}
interface Robustness {
  objective: string;
  percentile: number;
  motions: { motion: string | null; designs: Robust[] }[];
}

/** What matters: sensitivity and robustness, where they were asked for. */
export function mattersPart(data: ReportData): HTMLElement {
  const part = section("matters", "What matters");
  if (data.sensitivity === null)
    add(part, h("p", { class: "faint" }, "Sensitivity was not analysed; `counterpoise report --sensitivity` does."));
  else add(part, ...sensitivity(data, data.sensitivity.data as unknown as Sensitivity),
    h("details", {}, h("summary", {}, "as `counterpoise sensitivity` prints it, in SI"), printout(data.sensitivity.text, "sensitivity")));
  if (data.robustness === null)
    add(part, h("p", { class: "faint" }, "Robustness was not analysed; `counterpoise report --robustness` does, for studies with tolerances."));
  else add(part, ...robustness(data, data.robustness.data as unknown as Robustness),
    h("details", {}, h("summary", {}, "as `counterpoise robustness` prints it, in SI"), printout(data.robustness.text, "robustness")));
  return part;
}

const inMotion = (motion: string | null): string => (motion === null ? "" : ` in motion ${motion}`);

function sensitivity(data: ReportData, { motions }: Sensitivity): HTMLElement[] {
  const found = motions.flatMap(({ motion, objectives }) => objectives.flatMap((objective) => {
    const effects = objective.variables;
    const title = `${objective.objective}${inMotion(motion)}`;
    const unit = data.units[objective.objective] ?? "";
    const shown = (value: number): number => inUnit(value, unit);
    const known = effects.filter((effect) => effect.total !== null);
    const swings = effects.filter((effect) => effect.tornado_low !== null && effect.tornado_high !== null);
    return [
      known.length > 0 ? barFigure(`Share of the variance of ${title}`, "", known.map((effect) => ({
        label: effect.variable, from: 0, to: effect.total!, ...(effect.first === null ? {} : { mark: effect.first }),
        text: `total ${effect.total!.toFixed(2)}, alone ${effect.first?.toFixed(2) ?? "-"}`,
      })), 0) : null,
      swings.length > 0 && objective.centre !== null ? barFigure(`Tornado of ${title}`, unitName(unit), swings.map((effect) => ({
        label: effect.variable, from: shown(effect.tornado_low!), to: shown(effect.tornado_high!), mark: shown(objective.centre!), pale: true,
        text: `${printed(shown(effect.tornado_low!))} … ${printed(shown(effect.tornado_high!))}`,
      })), shown(objective.centre)) : null,
    ];
  }));
  return [h("div", { class: "grid" })].map((grid) => {
    add(grid, ...found);
    return grid;
  });
}

/** One box per design, from its value to the percentile, with a mark at the worst case. */
function robustness(data: ReportData, { objective, percentile, motions }: Robustness): HTMLElement[] {
  const unit = data.units[objective] ?? "";
  const shown = (value: number): number => inUnit(value, unit);
  return motions.map(({ motion, designs }) =>
    barFigure(`${objective} with tolerances${inMotion(motion)}`, unitName(unit), designs.map((design) => ({
      label: `case ${design.case}`, from: shown(design.nominal), to: shown(design.percentile ?? design.nominal),
      ...(design.worst === null ? {} : { mark: shown(design.worst) }),
      text: design.worst === null || design.percentile === null ? `breaks a limit in ${shareText(design.broken)}`
        : `p${percentile} ${printed(shown(design.percentile))}, worst ${printed(shown(design.worst))}`,
    })), shown(designs[0]?.nominal ?? 0)));
}
