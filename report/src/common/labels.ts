import { h } from "./dom";

export interface Label {
  text: string;
  kind: "name" | "load";
  x: number; // pixels from the left and the top of the scene
  y: number;
}

interface Placed extends Label {
  width: number;
  height: number;
}

/** Texts over the scene, which stay inside it and beside each other. */
export class Labels {
  readonly element = h("div", { class: "labels", "aria-hidden": "true" });
  private placed: Placed[] = [];

  show(labels: Label[], width: number, height: number): void {
    while (this.element.childElementCount > labels.length) this.element.lastChild!.remove();
    while (this.element.childElementCount < labels.length) this.element.append(h("bdi"));
    const elements = [...this.element.children] as HTMLElement[];
    elements.forEach((element, i) => {
      const { text, kind } = labels[i]!;
      if (element.textContent !== text) element.textContent = text;
      element.className = kind;
    });
    const sizes = elements.map((element) => [element.offsetWidth, element.offsetHeight] as const);
    this.placed = [];
    labels.forEach((label, i) => {
      const [w, tall] = sizes[i]!;
      // names stand in the middle below their place, loads right of it
      const left = label.kind === "name" ? label.x - w / 2 : label.x + 8;
      const top = label.kind === "name" ? label.y : label.y - tall / 2;
      const one = { ...label, width: w, height: tall, x: within(left, width - w), y: within(top, height - tall) };
      for (const other of this.placed)
        if (overlap(one, other)) one.y = other.y + other.height + tall > height ? other.y - tall : other.y + other.height;
      this.placed.push(one);
      elements[i]!.style.left = `${Math.round(one.x)}px`;
      elements[i]!.style.top = `${Math.round(one.y)}px`;
    });
  }

  /** Draws the same texts on a picture of the scene, `scale` pixels a pixel of the screen. */
  draw(context: CanvasRenderingContext2D, scale: number): void {
    const elements = [...this.element.children];
    context.textBaseline = "middle";
    context.lineJoin = "round";
    this.placed.forEach(({ text, x, y, height }, i) => {
      const style = getComputedStyle(elements[i]!);
      const padding = parseFloat(style.paddingLeft);
      context.font = `${style.fontWeight} ${scale * parseFloat(style.fontSize)}px ${style.fontFamily}`;
      const at = [(x + padding) * scale, (y + height / 2) * scale] as const;
      context.lineWidth = 4 * scale;
      context.strokeStyle = getComputedStyle(this.element.parentElement!).backgroundColor;
      context.strokeText(text, ...at);
      context.fillStyle = style.color;
      context.fillText(text, ...at);
    });
  }
}

const within = (at: number, most: number): number => Math.min(Math.max(at, 0), Math.max(most, 0));
const overlap = (a: Placed, b: Placed): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
