import "./maps.css";
import { joined, separated } from "../address";
import { add, h, said, withUnit } from "../dom";
import { type LoadLimit, strokeOf } from "./limits";
import { limitText, LoadMap, loadText, type MapPicture, type MapSource, paintLoads, worstOf } from "./load_map";
import { type Plane, planeOf } from "./plane";
import { shade } from "./ramp";
import { largest } from "../run";
import { isDark, onTheme } from "../theme";
import { onUnits } from "../units";
import type { Workspace } from "../workspace";

/** A design of a workspace: the loads of its actuators by their names. */
export interface MapDesign {
  name: string;
  workspace: Workspace;
  loads: Map<string, ArrayLike<number>>;
  limits: Map<string, LoadLimit[]>; // of the loads, by actuator
}

/** What maps show. Designs to stand before the one that is shown have the same poses. */
export interface MapSubject {
  poses: string; // which the poses are, in words
  actuators: { name: string; unit: string }[];
  after: MapDesign;
  before: MapDesign[];
  absent: string[]; // designs that go through other poses, so that no map of them stands before
}

const mostSmall = 6; // maps in the row of small ones

/** Whether poses can be shown on maps: they have two coordinates at least. */
export const hasMaps = (workspace: Workspace | null): workspace is Workspace => workspace !== null && workspace.axes.length >= 2;

/** Maps of the load of an actuator over two coordinates of a workspace, of a design and beside it of what it is
 * compared with, in the same colours. They show the poses around the one of the robot: where there are more
 * coordinates, sliders change them, and a row of small maps goes through one. */
export class WorkspaceMaps {
  readonly element = h("section", { class: "maps", "aria-label": "maps of the workspace" });
  /** Is called when the user chooses what is shown. */
  changed: () => void = () => undefined;
  private subject: MapSubject | null = null;
  private wanted = { actuator: "", x: "", y: "", before: "", own: "" }; // empty: as it is at first
  private sample = 0;
  private plane: Plane | null = null;
  private top = 1;
  private readonly maps = [0, 1].map(() => new LoadMap({ go: (sample) => this.seek(sample), point: (sample) => this.tell(sample) }));
  private readonly told = h("p", { class: "faint" });
  private readonly chooser = h("div", { class: "map-chooser" });
  private readonly sliders = h("div", { class: "map-sliders" });
  private readonly small = h("div", { class: "small-maps" });
  private readonly legend = h("div", { class: "map-legend" });
  private readonly readout = h("output", { class: "map-readout" });

  constructor(private readonly seek: (sample: number) => void, title: HTMLElement | null = null) {
    add(this.element, title, this.told, this.chooser, this.sliders, h("div", { class: "map-pair" }, ...this.maps.map((map) => map.element)),
      this.readout, this.legend, this.small);
    this.element.hidden = true;
    onTheme(() => this.draw());
    onUnits(() => this.arrange());
  }

  /** Shows other designs while the robot stands in a pose, or nothing. */
  show(subject: MapSubject | null, sample: number): void {
    this.subject = subject;
    this.sample = sample;
    this.element.hidden = subject === null;
    this.arrange();
  }

  /** Shows the poses around another one, that of the robot. */
  mark(sample: number): void {
    this.sample = sample;
    if (this.subject === null) return;
    if (this.plane?.samples.includes(sample) !== true) this.draw();
    for (const { map } of this.shown()) map.mark(sample);
    this.tell(null);
  }

  /** What the user has chosen, for the address of the page. */
  get text(): string {
    const { actuator, x, y, before, own } = this.wanted;
    return Object.values(this.wanted).some((one) => one !== "") ? joined([actuator, x, y, before, own]) : "";
  }
  choose(text: string): void {
    const [actuator = "", x = "", y = "", before = "", own = ""] = separated(text);
    this.wanted = { actuator, x, y, before, own };
    this.arrange();
  }

  /** The numbers of the maps that are shown, for tests. */
  get numbers() {
    return this.pictures.map(({ name, actuator, top, plane, loads, workspace }, i) => ({
      name, actuator, top, x: plane.x.title, y: plane.y.title, worst: this.maps[i]!.worst,
      samples: Array.from(plane.samples), loads: Array.from(loads), leftOut: Array.from(workspace.leftOut),
    }));
  }
  private get pictures(): MapPicture[] {
    return this.shown().map(({ map }) => map.picture!);
  }

  private get actuator(): { name: string; unit: string } {
    const { actuators } = this.subject!;
    return actuators.find(({ name }) => name === this.wanted.actuator) ?? actuators[0]!;
  }
  private get before(): MapDesign | undefined {
    const { before } = this.subject!;
    return before.find(({ name }) => name === this.wanted.before) ?? before[0];
  }
  /** The two axes that are shown: those with most levels, unless others are wanted. */
  private get axes(): [number, number] {
    const { axes } = this.subject!.after.workspace;
    const byLevels = axes.map((_, a) => a).sort((a, b) => axes[b]!.levels.length - axes[a]!.levels.length || a - b);
    const most = byLevels.slice(0, 2).sort((a, b) => a - b);
    const named = (name: string): number => axes.findIndex((axis) => axis.name === name);
    const x = named(this.wanted.x) >= 0 ? named(this.wanted.x) : named(this.wanted.y) === most[0] ? most[1]! : most[0]!;
    const y = named(this.wanted.y) >= 0 && named(this.wanted.y) !== x ? named(this.wanted.y) : most.find((axis) => axis !== x)!;
    return [x, y];
  }
  /** The other axes of a grid, that with most levels first. */
  private get others(): number[] {
    const { workspace } = this.subject!.after;
    const shown = this.axes;
    return !workspace.isGrid ? [] : workspace.axes.map((_, a) => a).filter((a) => !shown.includes(a))
      .sort((a, b) => workspace.axes[b]!.levels.length - workspace.axes[a]!.levels.length || a - b);
  }

  /** The designs, what comes before first, and their maps. */
  private shown(): { map: LoadMap; design: MapDesign }[] {
    if (this.subject === null) return [];
    const designs = [this.before, this.subject.after].filter((one) => one !== undefined);
    return designs.map((design, i) => ({ map: this.maps[i]!, design }));
  }
  private source({ name, workspace, loads, limits }: MapDesign): MapSource {
    return { name, workspace, loads: loads.get(this.actuator.name) ?? [], limits: limits.get(this.actuator.name) ?? [] };
  }
  private get limitNames(): string[] {
    return [...new Set(this.shown().flatMap(({ design }) => this.source(design).limits.map(({ name }) => name)))];
  }
  private picture(design: MapDesign, plane: Plane): MapPicture {
    const { name, unit } = this.actuator;
    return { ...this.source(design), actuator: name, unit, plane, top: this.top, names: this.limitNames, which: this.which(plane) };
  }

  /** Makes the controls and everything below them anew. */
  private arrange(): void {
    const { subject } = this;
    if (subject === null) return;
    const { workspace } = subject.after;
    const [x, y] = this.axes;
    this.top = Math.max(...(this.wanted.own === "" ? this.shown() : [{ design: subject.after }]).map(({ design }) => {
      const { loads } = this.source(design);
      return largest(Array.from(loads, (load, k) => (design.workspace.leftOut[k] === 1 ? 0 : load)));
    })) || 1;
    const choice = (label: string, key: "actuator" | "x" | "y" | "before", names: string[], chosen: string): HTMLElement | null => {
      if (names.length < 2) return null;
      const menu = h("select", { "aria-label": `${label} of the maps` }, ...names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
      menu.addEventListener("change", () => {
        if (key === "x" && menu.value === workspace.axes[y]!.name) this.wanted.y = workspace.axes[x]!.name;
        if (key === "y" && menu.value === workspace.axes[x]!.name) this.wanted.x = workspace.axes[y]!.name;
        this.wanted[key] = menu.value;
        this.arrange();
        this.element.querySelector<HTMLElement>(`select[aria-label="${label} of the maps"]`)?.focus();
        this.changed();
      });
      return h("label", {}, `${label} `, menu);
    };
    const names = workspace.axes.map(({ name }) => name);
    this.chooser.replaceChildren(...[
      choice("load of", "actuator", subject.actuators.map(({ name }) => name), this.actuator.name),
      choice("across", "x", names.length > 2 ? names : [], names[x]!),
      choice("upwards", "y", names.length > 2 ? names : [], names[y]!),
      choice("beside", "before", subject.before.map(({ name }) => name), this.before?.name ?? ""),
      this.before === undefined ? null : this.ownColours(),
    ].filter((one) => one !== null));
    this.maps[1]!.element.hidden = this.before === undefined;
    this.makeSliders();
    this.draw();
  }

  private ownColours(): HTMLElement {
    const box = h("input", { type: "checkbox", checked: this.wanted.own !== "" });
    box.addEventListener("change", () => {
      this.wanted.own = box.checked ? "yes" : "";
      this.arrange();
      this.element.querySelector<HTMLElement>(".map-chooser input")?.focus();
      this.changed();
    });
    return h("label", {}, box, " colours up to the largest load of the second map");
  }

  private makeSliders(): void {
    const { workspace } = this.subject!.after;
    this.sliders.replaceChildren(...this.others.map((axis) => {
      const { name, levels } = workspace.axes[axis]!;
      const slider = h("input", { type: "range", min: 0, max: levels.length - 1, step: 1, "aria-label": name, "data-axis": axis });
      slider.addEventListener("input", () => this.goAlong(axis, Number(slider.value)));
      return h("label", {}, slider, " ", h("span", {}));
    }));
  }
  private goAlong(axis: number, place: number): void {
    const { workspace } = this.subject!.after;
    const places = workspace.placesOf(this.sample);
    places[axis] = place;
    this.seek(workspace.sampleAt(places));
  }

  /** Draws the maps of the poses around that of the robot. */
  private draw(): void {
    const { subject } = this;
    if (subject === null) return;
    const { workspace } = subject.after;
    this.plane = planeOf(workspace, ...this.axes, this.sample);
    for (const { map, design } of this.shown()) {
      map.show(this.picture(design, this.plane));
      map.mark(this.sample);
    }
    this.told.replaceChildren(said(this.which(this.plane).join(" ")), " Nothing was computed between these poses.", ...this.absence().map(said));
    const places = workspace.isGrid ? workspace.placesOf(this.sample) : [];
    for (const slider of this.sliders.querySelectorAll("input")) {
      const axis = Number(slider.dataset["axis"]);
      const words = workspace.positionText(axis, workspace.axes[axis]!.levels[places[axis]!]!);
      slider.value = String(places[axis]!);
      slider.setAttribute("aria-valuetext", words);
      slider.nextElementSibling!.textContent = words;
    }
    this.drawSmall(subject);
    this.drawLegend();
    this.tell(null);
  }

  /** Says how many poses are in a plane, and how they were chosen. */
  private which(plane: Plane): string[] {
    const { poses, after: { workspace } } = this.subject!;
    const { samples, of } = workspace;
    const all = samples === of ? `${samples} poses at rest: ${poses}.`
      : `${samples} of ${of} poses at rest are shown, chosen evenly from ${poses}. The largest load of all may be in another pose.`;
    if (plane.points) return [all, "Where several lie on one another, the largest load is seen."];
    const held = this.others.map((axis) => workspace.positionText(axis, workspace.position(axis, plane.samples[0]!)));
    return held.length === 0 ? [all] : [all, `Shown are ${plane.samples.length} with ${held.join(", ")}.`];
  }

  /** Says of which designs there are no maps, and why. */
  private absence(): string[] {
    const { absent } = this.subject!;
    const names = absent.join(", ").replace(/, (?=[^,]*$)/, " and ");
    const [goes, it] = absent.length === 1 ? ["goes", "it"] : ["go", "them"];
    return absent.length === 0 ? [] : [` ${names[0]!.toUpperCase()}${names.slice(1)} ${goes} through other poses, so that no map of ${it} stands here.`];
  }

  /** A row of maps of the design over the levels of a third axis; each leads to its level. */
  private drawSmall({ after }: MapSubject): void {
    this.small.replaceChildren();
    const axis = this.others[0];
    if (axis === undefined) return;
    const { workspace } = after;
    const { name, levels } = workspace.axes[axis]!;
    const count = Math.min(levels.length, mostSmall);
    const places = workspace.placesOf(this.sample);
    const here = places[axis];
    add(this.small, h("p", { class: "faint" }, said(after.name), ` over ${name}, ${count} of ${levels.length} levels:`));
    for (let i = 0; i < count; ++i) {
      const place = Math.round((i * (levels.length - 1)) / Math.max(count - 1, 1));
      places[axis] = place;
      const picture = this.picture(after, planeOf(workspace, ...this.axes, workspace.sampleAt(places)));
      const canvas = h("canvas", { "aria-hidden": "true" });
      paintLoads(canvas, picture, 88, 66, devicePixelRatio, isDark());
      const worst = worstOf(picture, "plane");
      const position = workspace.positionText(axis, levels[place]!);
      const words = worst === null ? "all left out" : `largest ${loadText(picture, worst)}`;
      const act = h("button", { type: "button", "aria-pressed": String(place === here), "aria-label": `${position}: ${words}` },
        canvas, h("span", {}, position), h("span", { class: "faint" }, words));
      act.addEventListener("click", () => {
        this.goAlong(axis, place);
        this.small.querySelectorAll("button")[i]?.focus();
      });
      this.small.append(act);
    }
  }

  private drawLegend(): void {
    const { name, unit } = this.actuator;
    const bar = h("canvas", { class: "map-ramp", width: 128, height: 1, "aria-hidden": "true" });
    const context = bar.getContext("2d")!;
    for (let i = 0; i < 128; ++i) {
      context.fillStyle = `rgb(${shade(i / 127, isDark()).join(" ")})`;
      context.fillRect(i, 0, 1, 1);
    }
    const more = this.pictures.some(({ loads }) => largest(loads) > this.top * (1 + 1e-9)) ? " and more" : "";
    const key = (kind: string, words: string): HTMLElement => h("span", { class: "map-key" },
      h("span", { class: `key-${kind}`, "aria-hidden": "true" }), words);
    this.legend.replaceChildren(
      h("span", { class: "map-key" }, h("span", {}, "size of the load of ", said(name), ": 0"), h("span", { class: "map-bar" }, bar, ...this.barMarks()), `${withUnit(this.top, unit)}${more}`),
      ...this.limitKeys(),
      key("worst", "the largest of a map"), key("now", "the pose that is shown"));
    if (this.shown().some(({ design }) => design.workspace.leftOutCount > 0)) add(this.legend, key("left", "poses out of reach, left out"));
  }

  /** Each limit once, with the designs that have it where they differ. */
  private limitsShown(): { limit: LoadLimit; of: string[] }[] {
    const found = new Map<string, { limit: LoadLimit; of: string[] }>();
    for (const { name, limits } of this.pictures)
      for (const limit of limits) {
        const key = `${limit.name} ${limit.value}`;
        found.set(key, { limit, of: [...(found.get(key)?.of ?? []), name] });
      }
    return [...found.values()];
  }
  private barMarks(): HTMLElement[] {
    return this.limitsShown().filter(({ limit }) => limit.value <= this.top).map(({ limit }) => {
      const mark = h("span", { class: "bar-mark", title: limitText(this.actuator, limit) });
      mark.style.left = `${(100 * limit.value) / this.top}%`;
      return mark;
    });
  }
  private limitKeys(): HTMLElement[] {
    const all = this.limitsShown();
    return all.map(({ limit, of }) => {
      const dash = strokeOf(this.limitNames.indexOf(limit.name)).dash;
      const line = h("span", { class: `key-limit${dash.length === 0 ? "" : dash[0]! > 3 ? " dashed" : " dotted"}`, "aria-hidden": "true" });
      const whose = of.length < this.pictures.length ? ` of ${of.join(", ")}` : "";
      return h("span", { class: "map-key" }, this.plane?.points === true ? "" : line, said(limitText(this.actuator, limit)), `${whose}${limit.value > this.top ? ", above all loads" : ""}`);
    });
  }

  /** Says what the loads are in the pose that is pointed at, else in that of the robot. */
  private tell(pointed: number | null): void {
    if (this.subject === null) return;
    const sample = pointed ?? this.sample;
    this.readout.replaceChildren(`${pointed === null ? "shown is" : "pointer at"} ${this.subject.after.workspace.poseText(sample)}: `);
    this.pictures.forEach((picture, i) =>
      add(this.readout, i === 0 ? "" : ", ", said(picture.name), " ", h("b", {}, loadText(picture, sample))));
  }
}
