import type { Priced } from "./data";
import { chooseUnits, inUnit, onUnits, sentenceInUnits, unitName, unitSystem, unitSystems } from "./units";

type Child = Node | string | null | undefined | false;
type Listener = (event: never) => void;
type Attributes = Record<string, string | number | boolean | Listener | null | undefined>;

/** An element. Texts become text nodes; functions listen to the event of their name. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  add(element, ...children);
  return element;
}

export function add(parent: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child);
  }
}

/** A text of a user, whose marks of direction end with it. */
export const said = (text: string): HTMLElement => h("bdi", {}, text);

/** A name that lines may break behind its underscores and dots. */
export function breakable(name: string): HTMLElement {
  const text = h("bdi", {});
  for (const piece of name.split(/(?<=[_.])/)) add(text, piece, h("wbr"));
  return text;
}

export function button(label: string | Node, title: string, act: () => void): HTMLButtonElement {
  return h("button", { type: "button", title, "aria-label": title, click: act }, label);
}

/** A drawing of 16 by 16 in the colour of the text around it. */
export function icon(path: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 16 16", width: "14", height: "14",
    fill: "currentColor", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const shape = document.createElementNS(namespace, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

/** A number with some digits; units as they are printed. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(digits - 1).replaceAll("-", "−");
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** A number in SI, in the unit that the page shows in place of its own. */
export function withUnit(value: number, unit: string, digits = 4): string {
  return unit === "" || unit === "1"
    ? number(value, digits)
    : `${number(inUnit(value, unit), digits)} ${unitName(unit)}`;
}

/** What `make` makes, made anew in its place whenever other units are shown. */
export function inUnits(make: () => HTMLElement): HTMLElement {
  let shown = make();
  onUnits(() => {
    const made = make();
    shown.replaceWith(made);
    shown = made;
  });
  return shown;
}

/** What loosening a limit is worth, as an entry of a list; `words` writes numbers in SI. */
export function worthOf(limit: Priced, words: (value: number, unit: string) => string): HTMLElement {
  const step = `${words(limit.step, limit.unit)} ${limit.loosened_by}`;
  const gains = limit.gains.map((gain) => `${words(gain.less, gain.unit)} off ${gain.objective}`).join(" and ");
  return h("li", {}, said(limit.name), `: ${step} would take `, said(gains));
}

/** A sentence of the program, its numbers in the units that are shown. */
export const saidInUnits = (words: string): HTMLElement => inUnits(() => said(sentenceInUnits(words)));

/** Calls back before the next picture of the screen when an element has got another size. Called at
 * once, it would be told of the sizes that it changes itself, which browsers report as errors. */
export function onResize(element: Element, changed: () => void): void {
  new ResizeObserver(() => requestAnimationFrame(changed)).observe(element);
}

/** Waits until what the page has was laid out and painted, and whatever asks for its size was drawn. */
export const painted = (): Promise<void> =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));

/** Hands a file to the user. */
export function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** One switch that changes the units of every number and every axis of a page. */
export function unitSwitch(): HTMLElement {
  const choice = h("select", { "aria-label": "units" });
  for (const { name, title } of unitSystems()) choice.append(h("option", { value: name }, title));
  const tell = (): void => void (choice.value = unitSystem().name);
  choice.addEventListener("change", () => chooseUnits(choice.value));
  onUnits(tell);
  tell();
  return h("label", { class: "units" }, "units ", choice);
}
