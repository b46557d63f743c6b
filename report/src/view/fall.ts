import type { FallData, FallEvent } from "../common/data";
import { add, button, h, number, said, save, withUnit } from "../common/dom";
import { csvOf } from "../common/table";
import { inUnit, unitName } from "../common/units";
import { panel } from "./panels";

const perPage = 200; // a fall may have a hundred thousand

/** The outcome of a fall, and each impact and contact: when, which bodies, how hard. */
export function fallPanel(fall: FallData, events: FallEvent[], seek: (time: number) => void): HTMLElement {
  const counts = h("div", { class: "counts" });
  const one = (name: string, value: string): void => add(counts, h("span", {}, `${name} `, h("b", {}, value)));
  one(events.length === 1 ? "event" : "events", String(events.length));
  one("at instants", String(new Set(events.map((event) => event.group)).size));
  one("energy lost in impacts", `${number(fall.energy_lost)} J`);
  one("followed for", `${number(fall.end)} s of ${number(fall.duration)} s`);
  const slow = `${withUnit(fall.settled_speed, "m/s")} or ${withUnit(fall.settled_speed, "rad/s")}`;
  add(counts, h("span", {}, fall.settled !== null ? `settled at ${number(fall.settled)} s: no joint moves faster than ${slow} from then on`
    : fall.end < fall.duration ? `not settled: it was followed to ${number(fall.end)} s only`
      : `not settled: a joint still moves faster than ${slow}`));
  return panel("Impacts and contacts", "falls", counts, events.length > 0 ? eventTable(events, seek) : null);
}

const heads = ["time", "kind", "body or its point", "against", "impulse", "energy lost", "speed before", "speed after", "angle"];

function eventTable(events: FallEvent[], seek: (time: number) => void): HTMLElement {
  const body = h("tbody");
  const more = button("", "show further events", () => grow());
  const grow = (): void => {
    const from = body.childElementCount;
    body.append(...events.slice(from, from + perPage).map((event, i) => line(event, events[from + i - 1], seek)));
    const left = events.length - body.childElementCount;
    more.hidden = left === 0;
    more.textContent = `${left} more`;
  };
  grow();
  return h("div", { class: "table" },
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "impacts and contacts" },
      h("table", { class: "events" }, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), body)),
    more, button("CSV", "save impacts as CSV", () => save("impacts.csv", csv(events))));
}

function line(event: FallEvent, before: FallEvent | undefined, seek: (time: number) => void): HTMLElement {
  const [speed, impulse] = event.units;
  const cell = (value: number, unit: string): HTMLElement =>
    h("td", { class: "number" }, `${number(inUnit(value, unit))} `, h("span", { class: "unit" }, unitName(unit)));
  const none = (): HTMLElement => h("td", { class: "number faint" }, "–");
  // the energy of an instant is shown with the first of its events
  const first = before?.group !== event.group;
  return h("tr", {},
    h("td", {}, button(`${number(event.time, 6)} s`, "go to this time", () => seek(event.time))),
    h("td", {}, event.kind), h("td", {}, said(event.point || event.body)),
    h("td", {}, said(event.on === "" ? event.what : `${event.what} on ${event.on}`)),
    event.kind === "impact" || event.impulse !== 0 ? cell(event.impulse, impulse) : none(),
    first ? cell(event.energy_lost, "J") : h("td", { class: "number faint" }, "with the first"),
    cell(event.before, speed), cell(event.after, speed), event.point === "" ? none() : cell(event.angle, "rad"));
}

function csv(events: FallEvent[]): Blob {
  const columns = ["time [s]", "instant", "kind", "body", "point", "contact", "on", "angle [rad]", "speed before", "speed after",
    "unit of speed", "impulse", "unit of impulse", "energy lost [J]"];
  return new Blob([csvOf(columns.map((name) => ({ name })), events.map((event) => [event.time, event.group, event.kind, event.body,
    event.point, event.what, event.on, event.angle, event.before, event.after, event.units[0], event.impulse, event.units[1], event.energy_lost]))],
  { type: "text/csv" });
}
