import { add, breakable, button, h, inUnits, painted, said, save, saidInUnits, unitSwitch } from "../common/dom";
import { takeStills } from "../common/data";
import { Figure } from "../common/figure";
import { sceneLegend } from "../common/legend";
import { Plot, type PlotLine } from "../common/plots/plot";
import { hasMaps, WorkspaceMaps } from "../common/plots/workspace_maps";
import { largest, type Run } from "../common/run";
import { Scales } from "../common/scales";
import { sides, Stage } from "../common/stage";
import { seriesColours } from "../common/theme";
import { Timeline } from "../common/timeline";
import { beginUnits, inUnit, onUnits, unitName } from "../common/units";
import type { ComparedWay, Comparison, ComparisonData } from "./comparison_data";
import type { MotionData, MotionOfDesign, Row } from "./data";
import { inflated, motionsOf } from "./decode";
import { changed, grouped, printed, printedIn, reduction } from "./explore/printed";
import { limitsOfDesign, runOf } from "./load_plots";
import { section, tableBox } from "./section";

/** The best design of a way in a motion, as the page moves it. */
interface Moving {
  way: ComparedWay;
  motion: MotionData;
  design: MotionOfDesign;
  run: Run;
  still: Element | null;
}

/** What a motion shows: the best design of each way, best first. */
interface Act {
  title: string;
  moving: Moving[];
  alike: Set<string>; // robots to compare with that are the same in all results
}

/** The page of `counterpoise compare`: the best design of each way to balance a robot, moving beside the others. */
export class ComparisonPage {
  private readonly stage = new Stage("The best design of each way in 3D, beside each other");
  private readonly loads = h("div", { class: "grid loads" });
  private readonly alert = h("p", { class: "faint" });
  private readonly legend = h("div", {});
  private readonly line = h("div", {});
  private readonly maps = new WorkspaceMaps((sample) => this.timeline?.go(sample), h("h3", {}, "Maps of the workspace"));
  private timeline: Timeline | null = null;
  private plots: Plot[] = [];
  private shown: Moving[] = [];

  constructor(private readonly data: ComparisonData) {
    beginUnits(data.display);
    document.title = "comparison – counterpoise";
  }

  async open(page: HTMLElement): Promise<void> {
    const { data } = this;
    add(page, h("header", {}, h("div", { class: "head" }, h("h1", {}, "Ways beside each other"),
      h("span", { class: "faint" }, said(data.command)), unitSwitch(), h("span", { class: "faint program" }, data.program))));
    const acts = (await Promise.all(data.compared.map((comparison) => actsOf(comparison)))).flat();
    const first = hardest(acts);
    const choice = h("select", { "aria-label": "motion" }, ...acts.map((act, i) => h("option", { value: i, selected: act === first }, act.title)));
    choice.addEventListener("change", () => this.show(acts[Number(choice.value)]!));
    const views = h("div", { class: "views" }, ...Object.keys(sides).map((side) => button(side, `look from: ${side}`, () => this.stage.look(side))),
      button("picture", "save the scene as PNG", () => void this.stage.picture().then((blob) => blob && save("comparison.png", blob))));
    const scene = h("section", { class: "panel scene", id: "scene", "aria-label": "scene", hidden: acts.length === 0 },
      h("div", { class: "chooser" }, h("label", {}, "motion ", choice)), this.alert, this.stage.element, this.legend, views, this.line);
    scene.addEventListener("keydown", (event) => this.timeline?.key(event));
    const best = h("div", { class: "best" }, inUnits(() => foundPart(data)), scene,
      section("loads", "The loads of the best of each", this.maps.element, this.loads));
    add(page, h("main", {}, best, inUnits(() => designsPart(data))));
    onUnits(() => this.stage.draw());
    this.expose();
    if (first !== null) this.show(first);
    await painted();
    document.documentElement.dataset["ready"] = "yes";
    await painted();
    this.stage.begin();
  }

  private show({ moving, alike }: Act): void {
    const at = this.timeline?.at ?? 0;
    this.timeline?.play(false);
    this.shown = moving;
    this.stage.clear();
    const baseline = moving[0]!.motion.baseline?.view;
    const drawn = moving.map(({ design, run }) => ({ view: design.view!, mechanism: design.view!.mechanism, run }));
    const scales = new Scales(baseline === undefined ? drawn : [...drawn, { mechanism: baseline.mechanism, run: runOf(baseline) }]);
    const figures = moving.map(({ way, design, run }) => new Figure(design.view!, run, way.name, scales, way.meshes ?? []));
    for (const figure of figures) this.stage.add(figure);
    this.stage.setStill(moving[0]!.still);
    this.stage.stand(true);
    this.legend.replaceChildren(...[sceneLegend(figures)].filter((one) => one !== null));
    const others = moving.filter(({ run }) => !run.isLike(moving[0]!.run)).map(({ way }) => way.name);
    this.alert.replaceChildren(others.length > 0
      ? said(`${others.join(", ")}: another motion than that of ${moving[0]!.way.name}, so that the plots leave it out.`) : "");
    this.timeline = new Timeline(moving[0]!.run, []);
    const place = (now: number): void => {
      const time = moving[0]!.run.timeAt(now);
      figures.forEach((figure, i) => figure.show(i === 0 ? now : moving[i]!.run.at(time)));
      this.stage.update();
    };
    this.timeline.onMove(place);
    this.timeline.onChange((sample) => this.seek(sample));
    this.line.replaceChildren(this.timeline.element);
    this.drawPlots(alike);
    this.timeline.go(at);
    place(this.timeline.at);
    this.seek(this.timeline.sample);
  }

  private seek(sample: number): void {
    for (const plot of this.plots) plot.show(sample);
    this.maps.mark(sample);
  }

  /** The load of each actuator: of each way, and of the robot as it is. */
  private drawPlots(known: Set<string>): void {
    const [first] = this.shown as [Moving];
    const alike = this.shown.filter(({ run, design }) => run.isLike(first.run) && design.loads.length > 0);
    this.plots = first.motion.actuators.map(({ name, unit }) => {
      const loads = ({ motion }: Moving, of: ArrayBuffer[]): Float64Array | null => {
        const load = of[motion.actuators.findIndex((one) => one.name === name)];
        return load === undefined ? null : new Float64Array(load);
      };
      const lines: PlotLine[] = [];
      const draw = (title: string, values: Float64Array | null, hue: number, pale = false): void => {
        if (values !== null) lines.push({ name: title, values, hue, pale });
      };
      alike.forEach((one, i) => draw(one.way.name, loads(one, one.design.loads), hueOf(i)));
      const { baseline } = first.motion;
      if (baseline !== null && known.has("baseline")) draw("baseline", loads(first, baseline.loads), 1, true);
      if (baseline !== null && known.has("without_springs")) draw("without springs", loads(first, baseline.without_springs), 7, true);
      return new Plot({ title: `Load of ${name}`, unit, along: first.run.along, lines }, (sample) => {
        this.timeline?.play(false);
        this.timeline?.go(sample);
      });
    });
    this.loads.replaceChildren(...this.plots.map((plot) => plot.element));
    this.drawMaps(alike);
  }

  private drawMaps(alike: Moving[]): void {
    const [after, ...before] = alike.flatMap(({ way, run, motion, design }) => (hasMaps(run.workspace)
      ? [{ name: way.name, workspace: run.workspace, limits: limitsOfDesign(motion, design.view!.mechanism),
        loads: new Map(motion.actuators.map((actuator, a) => [actuator.name, new Float64Array(design.loads[a]!)])) }] : []));
    this.maps.show(after === undefined ? null : { poses: alike[0]!.motion.poses, actuators: alike[0]!.motion.actuators, after, before, absent: [] }, 0);
  }

  /** What tests read and do. */
  private expose(): void {
    const page = this;
    Object.assign(window, {
      counterpoise: {
        get shown() { return page.shown.map(({ way, design }) => ({ way: way.name, case: design.case })); },
        get plots() {
          return page.plots.map((plot) => ({ title: plot.source.title, unit: plot.source.unit,
            lines: plot.source.lines.map((line) => ({ name: line.name, values: Array.from(line.values) })) }));
        },
        get frames() { return page.stage.frames; },
        get drawn() { return page.stage.element.classList.contains("drawn"); },
        get sample() { return page.timeline?.sample ?? null; },
        go: (sample: number) => page.timeline?.go(sample),
        pixels: (figure = 0) => page.stage.pixelsOf(page.stage.figures[figure]!),
      },
    });
  }
}

const hues = [0, 2, 3, 4, 5, 6]; // of ways; 1 is the baseline's, 7 that of the robot without springs
/** The line of a way: where there are more ways than colours, these come again with other dashes. */
const hueOf = (way: number): number => hues[way % hues.length]! + seriesColours * Math.floor(way / hues.length);

/** The motion in which the largest load of the best way is. */
function hardest(acts: Act[]): Act | null {
  const load = ({ moving: [best] }: Act): number => Math.max(0, ...best!.design.loads.map((one) => largest(new Float64Array(one))));
  return acts.reduce<Act | null>((found, act) => (found === null || load(act) > load(found) ? act : found), null);
}

/** The motions in which the best designs of a comparison move. */
async function actsOf(comparison: Comparison): Promise<Act[]> {
  const acts: Act[] = [];
  const alike = new Set<string>(comparison.baselines.filter(({ objectives }) => objectives.every((one) => one !== null)).map(({ name }) => name));
  for (const way of comparison.results) {
    if (way.motions_of_designs === null) continue;
    const motions = await motionsOf(way.motions_of_designs);
    const stills = takeStills(new TextDecoder().decode(await inflated(way.stills ?? "")));
    motions.forEach((motion, i) => {
      const design = motion.designs.find((one) => one.case === way.best && one.view !== null);
      if (design === undefined) return;
      let act = acts.find(({ title }) => title === motion.name);
      if (act === undefined) acts.push((act = { title: motion.name, moving: [], alike }));
      act.moving.push({ way, motion, design, run: runOf(design.view!), still: stills.get(`${i} ${design.case}`) ?? null });
    });
  }
  return acts;
}

const unitOf = (data: ComparisonData, name: string): string => data.units[name] ?? "";

/** Which way is best, by how much, and what each is made of. */
function foundPart(data: ComparisonData): HTMLElement {
  const part = section("found", "What was found");
  for (const note of data.notes) add(part, h("p", { class: "warning" }, said(`${note}.`)));
  for (const comparison of data.compared) {
    add(part, h("p", { class: "sentences" }, said(sentenceOf(data, comparison))), waysTable(data, comparison));
    for (const way of comparison.results)
      if (way.reason !== null) add(part, h("p", { class: "faint" }, said(way.name), ": ", saidInUnits(way.reason)));
    if (comparison.unsettled > 0)
      add(part, h("p", { class: "faint" }, `${grouped(comparison.unsettled)} designs are not settled in what they would be ranked by.`));
  }
  return part;
}

function sentenceOf(data: ComparisonData, { motion, objectives, results, baselines }: Comparison): string {
  const ranked = results.filter(({ best }) => best !== null);
  const [first, second] = ranked;
  const where = motion === null ? "" : ` in ${motion}`;
  if (first === undefined) return `None of ${results.length} results has a feasible design${where}.`;
  const [name] = objectives as [string];
  const value = first.best_objectives![0]!;
  const parts = baselines.flatMap(({ name: of, objectives: [before] }) => {
    const saved = reduction(value, before ?? undefined);
    return saved === null ? [] : [`${changed(saved)} than ${of === "baseline" ? "the baseline" : "without springs"}`];
  });
  const more = second === undefined ? null : reduction(second.best_objectives![0]!, value);
  const best = results.length === 1 ? `The best of ${first.name}${where}, case ${first.best}, has` : `Of ${results.length}${where}, ${first.name} is best: case ${first.best} has`;
  return `${best} ${name} ${printedIn(value, unitOf(data, name))}` +
    `${parts.length > 0 ? `, ${parts.join(", ")}` : ""}.` +
    (second === undefined ? "" : ` Next is ${second.name} with ${printedIn(second.best_objectives![0]!, unitOf(data, name))}` +
      `${more === null ? "" : more > 0 ? ", which ties with it" : `, ${changed(more)}`}.`);
}

/** The best design of each way beside the baselines, and what it is made of. */
function waysTable(data: ComparisonData, { motion, objectives, results, baselines }: Comparison): HTMLElement {
  const withFront = results.some((way) => way.on_front !== null);
  const head = h("tr", {}, h("th", { scope: "col" }, "results"),
    ...objectives.map((name) => h("th", { scope: "col", class: "number" }, breakable(name), h("span", { class: "unit" }, ` ${unitName(unitOf(data, name))}`))),
    ...["case", "feasible", ...(withFront ? ["on the front"] : [])].map((title) => h("th", { scope: "col", class: "number" }, title)), h("th", { scope: "col" }, "made of"));
  const before = baselines.find(({ name }) => name === "baseline")?.objectives;
  const body = h("tbody");
  const rows: Row[] = [];
  const cell = (text: string, ...more: (Node | null)[]): HTMLElement => {
    const made = h("td", { class: "number" }, text);
    add(made, ...more);
    return made;
  };
  const value = (one: number | null | undefined, i: number, of: string): HTMLElement => {
    const saved = of === "way" && one != null ? reduction(one, before?.[i] ?? undefined) : null;
    return cell(one == null ? "-" : printed(inUnit(one, unitOf(data, objectives[i]!))), saved === null ? null : h("div", { class: "faint" }, changed(saved)));
  };
  for (const way of results) {
    body.append(h("tr", {}, h("th", { scope: "row" }, breakable(way.name)), ...objectives.map((_, i) => value(way.best_objectives?.[i], i, "way")),
      cell(way.best === null ? "-" : String(way.best)), cell(grouped(way.feasible)), ...(withFront ? [cell(grouped(way.on_front ?? 0))] : []),
      h("td", {}, way.made_of === null ? "no feasible design" : saidInUnits(way.made_of))));
    rows.push({ results: way.name, ...Object.fromEntries(objectives.map((name, i) => [name, way.best_objectives?.[i] ?? null])),
      case: way.best, feasible: way.feasible, made_of: way.made_of });
  }
  for (const { name, objectives: values } of baselines) {
    const title = name.replace("_", " ");
    body.append(h("tr", { class: "is-same" }, h("th", { scope: "row" }, title), ...objectives.map((_, i) => value(values[i], i, "baseline")),
      cell(""), cell(""), ...(withFront ? [cell("")] : []), h("td", {})));
    rows.push({ results: title, ...Object.fromEntries(objectives.map((one, i) => [one, values[i] ?? null])), case: null, feasible: null, made_of: null });
  }
  return tableBox(`ways${motion === null ? "" : ` in ${motion}`}`, h("table", { class: "beside" }, h("thead", {}, head), body), rows);
}

/** The first designs of a ranking that holds those of all results. */
function designsPart(data: ComparisonData): HTMLElement {
  const part = section("designs", data.compared.some(({ results }) => results.some((way) => way.on_front !== null)) ? "Designs that no other dominates" : "The best designs of all");
  for (const { motion, objectives, designs, matches, knee } of data.compared) {
    const title = `best designs${motion === null ? "" : ` in ${motion}`}`;
    const head = h("tr", {}, ...["rank", "results", "case"].map((name) => h("th", { scope: "col", class: name === "results" ? null : "number" }, name)),
      ...objectives.map((name) => h("th", { scope: "col", class: "number" }, breakable(name), h("span", { class: "unit" }, ` ${unitName(unitOf(data, name))}`))));
    const body = h("tbody", {}, ...designs.map((design) => h("tr", {}, h("td", { class: "number" }, String(design.rank)), h("td", {}, breakable(design.results)),
      h("td", { class: "number" }, String(design.case)), ...design.objectives.map((one, i) => h("td", { class: "number" },
        one === null ? "-" : printed(inUnit(one, unitOf(data, objectives[i]!))))))));
    add(part, h("p", {}, `${grouped(designs.length)} of ${grouped(matches)}${motion === null ? "" : ` in ${motion}`}${knee === undefined ? "" : `; the knee is case ${knee.case} of ${knee.results}`}.`),
      tableBox(title, h("table", { class: "beside" }, h("thead", {}, head), body), designs.map((design): Row => ({ rank: design.rank, results: design.results, case: design.case,
        ...Object.fromEntries(objectives.map((name, i) => [name, design.objectives[i] ?? null])) }))));
  }
  return part;
}
