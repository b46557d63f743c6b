import type { Design, Finding } from "../common/data";
import { button, h, said, saidInUnits, unitSwitch } from "../common/dom";
import { type Layer, layers, offAtFirst } from "../common/part";
import type { Run } from "../common/run";
import type { ViewData } from "./view_data";

export function panel(title: string, name: string, ...children: (Node | null)[]): HTMLElement {
  const element = h("section", { class: `panel ${name}`, "aria-label": title }, h("h2", {}, title));
  for (const child of children) if (child) element.append(child);
  return element;
}

export function folded(title: string, open: boolean, content: Node): HTMLDetailsElement {
  return h("details", { class: "panel", open }, h("summary", {}, title), content);
}

export function header(data: ViewData): HTMLElement {
  const doing = data.doing === null ? "at rest, in the zero configuration" : `${data.doing.kind} `;
  return h("header", {}, h("div", { class: "head" },
    h("h1", {}, said(data.name)),
    h("span", { class: "faint doing" }, doing, data.doing && said(data.doing.name)),
    unitSwitch(), h("span", { class: "faint program" }, data.program)),
    ...data.designs.map((design, d) => (design.label === "" ? null
      : h("p", { class: "settings" }, h("span", { class: "faint" }, d === 0 ? "set " : "ghost "), said(design.label)))),
    data.description !== "" && h("p", { class: "description" }, said(data.description)));
}

/** What is wrong enough to be seen first. */
export function alerts(designs: Design[]): HTMLElement[] {
  return designs.flatMap((design) => {
    const errors = design.findings.filter((finding) => finding.kind === "error");
    return errors.map((finding, i) => h("div", { class: "alert", role: "alert" },
      h("div", {}, saidInUnits(finding.text)),
      design.nearest && i === errors.length - 1 && h("div", {},
        "The mechanism is drawn as near to closing as it gets, and gaps are marked.")));
  });
}

function item(finding: Finding, run: Run, seek: (time: number) => void): HTMLElement {
  const time = finding.time;
  return h("li", {},
    h("span", { class: `badge ${finding.kind}` }, finding.kind),
    h("span", {}, saidInUnits(finding.text)),
    time === null || !run.has(time) ? null : button(run.timeText(time, 4), `go to this ${run.atRest ? "pose" : "time"}`, () => seek(time)));
}

export function findingsPanel(designs: Design[], run: Run, seek: (time: number) => void): HTMLElement {
  const list = h("ul");
  designs.forEach((design, d) => {
    for (const finding of design.findings)
      list.append(item(d === 0 ? finding : { ...finding, text: `ghost: ${finding.text}` }, run, seek));
  });
  if (list.childElementCount === 0)
    list.append(h("li", {}, h("span", { class: "badge" }, "note"), h("span", {}, "Nothing was found.")));
  return panel("What check found", "findings", counts(designs[0]!), list);
}

function counts(design: Design): HTMLElement {
  const line = h("div", { class: "counts" });
  const s = design.structure;
  if (s === null) {
    line.append(h("span", {}, "Degrees of freedom are not known, because the mechanism does not close."));
    return line;
  }
  const one = (count: number | undefined, words: string): void => {
    const [several, single] = words.split("|");
    if (count) line.append(h("span", {}, h("b", {}, String(count)), ` ${count === 1 ? single : several}`));
  };
  one(s["bodies"], "bodies|body");
  one(s["degrees_of_freedom"], "degrees of freedom|degree of freedom");
  one(s["revolute"], "revolute joints|revolute joint");
  one(s["prismatic"], "prismatic joints|prismatic joint");
  one(s["universal"], "universal joints|universal joint");
  one(s["fixed"], "fixed joints|fixed joint");
  one(s["point"], "pairs of points held together|pair of points held together");
  one(s["loops"], "loops|loop");
  one(s["redundant_equations"], "redundant equations|redundant equation");
  one(s["couplings"], "couplings|coupling");
  one(s["springs"], "springs|spring");
  one(s["actuators"], "actuators|actuator");
  return line;
}


export function switches(
  has: (layer: Layer) => boolean,
  set: (layer: Layer | "floor" | "follow", on: boolean) => void,
  travels: boolean,
): { element: HTMLElement; boxes: Map<string, HTMLInputElement> } {
  const element = h("div", { class: "switches" });
  const boxes = new Map<string, HTMLInputElement>();
  const add = (name: Layer | "floor" | "follow", words: string): void => {
    const box = h("input", { type: "checkbox", checked: !offAtFirst.includes(name as Layer) });
    box.addEventListener("change", () => set(name, box.checked));
    boxes.set(name, box);
    element.append(h("label", {}, box, words));
  };
  for (const [name, words] of Object.entries(layers)) if (has(name as Layer)) add(name as Layer, words);
  add("floor", "Grid");
  if (travels) add("follow", "Camera follows");
  return { element, boxes };
}
