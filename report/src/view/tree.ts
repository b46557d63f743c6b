import type { Mechanism } from "../common/data";
import { h, said } from "../common/dom";

/** The bodies as a tree whose boxes hide and show a body with all that it carries. */
export class BodyTree {
  readonly element: HTMLElement;
  readonly hidden = new Set<number>();
  private readonly boxes = new Map<number, HTMLInputElement>();

  constructor(
    private readonly mechanism: Mechanism,
    private readonly changed: (bodies: number[], hide: boolean) => void,
    named: (body: number | null) => void,
  ) {
    this.element = h("div", { class: "tree" }, h("ul", {}, this.branch(-1, "world", "", named)));
  }

  private branch(body: number, name: string, kind: string, named: (body: number | null) => void): HTMLElement {
    const box = h("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => this.set(body, !box.checked));
    this.boxes.set(body, box);
    const label = h("label", {}, box, said(name), h("span", { class: "kind", title: `${kind} joint` }, kind.slice(0, 1).toUpperCase()));
    label.addEventListener("pointerenter", () => named(body));
    label.addEventListener("pointerleave", () => named(null));
    box.addEventListener("focus", () => named(body));
    box.addEventListener("blur", () => named(null));
    const item = h("li", {}, label);
    const carried = h("ul");
    this.mechanism.bodies.forEach((other, b) => {
      if (other.parent === body) carried.append(this.branch(b, other.name, other.joint, named));
    });
    if (carried.childElementCount > 0) item.append(carried);
    return item;
  }

  /** Hides or shows a body with all that it carries; the world alone. */
  set(body: number, hide: boolean): void {
    const bodies = body < 0 ? [body] : this.carriedBy(body);
    for (const one of bodies) {
      if (hide) this.hidden.add(one);
      else this.hidden.delete(one);
      this.boxes.get(one)!.checked = !hide;
    }
    this.changed(bodies, hide);
  }

  private carriedBy(body: number): number[] {
    const found = [body];
    for (const at of found)
      this.mechanism.bodies.forEach((other, b) => other.parent === at && found.push(b));
    return found;
  }
}
