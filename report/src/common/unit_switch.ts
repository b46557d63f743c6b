import { h } from "./dom";
import { chooseUnits, onUnits, unitSystem, unitSystems } from "./units";

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
