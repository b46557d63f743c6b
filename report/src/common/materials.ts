import {
  Color, LineBasicMaterial, LineDashedMaterial, MeshBasicMaterial, MeshLambertMaterial,
} from "three";
import { colour } from "./theme";

const bodyTints = 6;

/** The colours of one mechanism. A ghost has one pale colour for everything. */
export class Materials {
  private readonly solids = new Map<string, MeshLambertMaterial>();
  private readonly own: MeshLambertMaterial[] = [];
  readonly line: LineBasicMaterial;
  readonly gap: LineDashedMaterial;
  readonly gapEnd: MeshBasicMaterial;

  constructor(readonly ghost: boolean, size: number) {
    this.line = new LineBasicMaterial({ transparent: true, opacity: ghost ? 0.25 : 0.7 });
    this.gap = new LineDashedMaterial({ dashSize: size * 0.012, gapSize: size * 0.008 });
    this.gapEnd = new MeshBasicMaterial();
    for (const material of [this.gap, this.gapEnd]) {
      material.depthTest = false;
      material.transparent = true;
    }
    this.recolour();
  }

  /** A material by the name of its colour in theme.css. */
  solid(name: string, opacity = 1): MeshLambertMaterial {
    const key = `${name} ${opacity}`;
    let material = this.solids.get(key);
    if (material === undefined) {
      material = new MeshLambertMaterial(this.options(opacity));
      material.color.set(this.shade(name));
      this.solids.set(key, material);
    }
    return material;
  }

  body(index: number): MeshLambertMaterial {
    return this.solid(index < 0 ? "scene-world" : `scene-body-${index % bodyTints}`);
  }

  /** A material whose colour its owner changes. */
  single(): MeshLambertMaterial {
    const material = new MeshLambertMaterial(this.options(1));
    material.color.set(this.shade("scene-spring"));
    this.own.push(material);
    return material;
  }

  recolour(): void {
    for (const [key, material] of this.solids) material.color.set(this.shade(key.split(" ")[0]!));
    for (const material of this.own) material.color.set(this.shade("scene-spring"));
    this.line.color.set(colour("scene-line"));
    this.gap.color.set(colour("scene-alarm"));
    this.gapEnd.color.set(colour("scene-alarm"));
  }

  private options(opacity: number): { transparent: boolean; opacity: number; depthWrite: boolean } {
    const seen = this.ghost ? 0.4 * opacity : opacity;
    return { transparent: seen < 1, opacity: seen, depthWrite: seen > 0.5 };
  }

  private shade(name: string): Color {
    return new Color(colour(this.ghost ? "scene-ghost" : name));
  }
}
