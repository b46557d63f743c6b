import { add, button, h } from "../../common/dom";
import { ExpressionError } from "../tokens";
import { grouped } from "./printed";
import type { Selection } from "./selection";

/** What filters designs besides brushes: a condition, the best of the ranking, the front; and how
 * many designs are left. */
export class Filters {
  readonly element: HTMLElement;
  private readonly where = h("input", {
    type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "condition, as rank --where",
    placeholder: "condition, as rank --where",
  });
  private readonly problem = h("span", { class: "problem", role: "alert" });
  private readonly slider = h("input", { type: "range", min: 0, max: 100, step: "any", value: 100, "aria-label": "best part of the ranking" });
  private readonly part = h("output", {});
  private readonly front = h("input", { type: "checkbox" });
  private readonly told = h("output", { class: "count" });

  constructor(
    private readonly selection: Selection,
    cleared: () => void,
  ) {
    this.where.addEventListener("change", () => this.setWhere(this.where.value));
    this.slider.addEventListener("input", () => selection.setBest(percentAt(Number(this.slider.value))));
    this.slider.addEventListener("keydown", (event) => event.stopPropagation()); // the time line would step
    this.front.addEventListener("change", () => selection.setFrontOnly(this.front.checked));
    this.element = h("div", { class: "filters" },
      h("label", { class: "where" }, "where ", this.where), this.problem,
      h("label", {}, "best ", this.slider, this.part),
      h("label", {}, this.front, " front only"),
      button("show all", "take all filters away", () => {
        selection.clear();
        cleared();
      }),
      this.told, this.reasons());
    selection.onChange(() => this.tell());
    this.tell();
  }

  /** The condition as it was typed. */
  get typed(): string {
    return this.where.value;
  }
  /** Returns what is wrong with the condition, or nothing. */
  setWhere(text: string): string {
    this.where.value = text;
    try {
      this.selection.setWhere(text);
      this.problem.textContent = "";
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.problem.textContent = error.message;
    }
    this.where.setAttribute("aria-invalid", String(this.problem.textContent !== ""));
    return this.problem.textContent ?? "";
  }

  private tell(): void {
    const { selection } = this;
    const { best, cases } = selection;
    this.part.textContent = ` ${best >= 100 ? "100" : best.toPrecision(2)} %`;
    if (document.activeElement !== this.slider) this.slider.value = String(sliderAt(best));
    if (this.where.value !== selection.where && this.problem.textContent === "") this.where.value = selection.where;
    this.front.checked = selection.frontOnly;
    const sampled = cases.rows < cases.data.of ? ` (the page has ${grouped(cases.rows)} of ${grouped(cases.data.of)})` : "";
    this.told.textContent = `${grouped(selection.count)} of ${grouped(cases.feasible)} feasible designs, ` +
      `${grouped(selection.countFailed)} of ${grouped(cases.rows - cases.feasible)} others${sampled}`;
  }

  /** Why the grey designs failed; each reason can be taken away. */
  private reasons(): HTMLElement | null {
    const { reasons } = this.selection.cases.data;
    if (reasons.length === 0) return null;
    const list = h("div", { class: "columns" });
    reasons.forEach((reason, i) => {
      const box = h("input", { type: "checkbox", checked: true });
      box.addEventListener("change", () => this.selection.showReason(i, box.checked));
      this.selection.onChange(() => (box.checked = !this.selection.hiddenReasons.has(i)));
      add(list, h("label", {}, box, " ", h("bdi", {}, reason.words), ` (${grouped(reason.cases)})`));
    });
    return h("details", { class: "reasons" }, h("summary", {}, "grey: not feasible, by reason"), list);
  }
}

/** The slider is fine where few designs are left. */
const percentAt = (place: number): number => (place >= 100 ? 100 : Math.max(0.01, 100 * Math.pow(place / 100, 3)));
const sliderAt = (percent: number): number => 100 * Math.cbrt(percent / 100);
