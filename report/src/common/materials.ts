import {
  Color, LineBasicMaterial, LineDashedMaterial, type Material, MeshBasicMaterial, MeshLambertMaterial,
} from "three";
import { colour } from "./theme";

const bodyTints = 6;

type Coloured = Material & { color: Color };
interface Used<Kind extends Coloured = Coloured> {
  material: Kind;
  name: string; // of its colour in theme.css
  opacity: number;
  ofVertices?: boolean; // whose vertices have colours of their own, except for a ghost
}

/** The colours of one mechanism. A ghost has one pale colour for everything. */
export class Materials {
  private readonly used = new Map<string, Used>();
  private isGhost = false;
  readonly line = this.made("line", "scene-line", 0.7, () => new LineBasicMaterial());
  readonly gap: LineDashedMaterial;
  readonly gapEnd = this.made("gap end", "scene-alarm", 1, () => overAll(new MeshBasicMaterial()));

  constructor(size: number) {
    this.gap = this.made("gap", "scene-alarm", 1,
      () => overAll(new LineDashedMaterial({ dashSize: size * 0.012, gapSize: size * 0.008 })));
  }

  get ghost(): boolean {
    return this.isGhost;
  }
  set ghost(on: boolean) {
    this.isGhost = on;
    this.recolour();
  }

  /** A material by the name of its colour in theme.css. */
  solid(name: string, opacity = 1): MeshLambertMaterial {
    return this.made(`solid ${name} ${opacity}`, name, opacity, () => new MeshLambertMaterial());
  }

  /** A colour without shades. */
  flat(name: string): MeshBasicMaterial {
    return this.made(`flat ${name}`, name, 1, () => new MeshBasicMaterial());
  }

  body(index: number): MeshLambertMaterial {
    return this.solid(index < 0 ? "scene-world" : `scene-body-${index % bodyTints}`);
  }

  /** What is drawn over everything, so that nothing hides it. */
  over(name: string): MeshBasicMaterial {
    return this.made(`over ${name}`, name, 1, () => overAll(new MeshBasicMaterial()));
  }

  /** A material whose colour its owner changes. */
  single(): MeshLambertMaterial {
    return this.made(`single ${this.used.size}`, "scene-spring", 1, () => new MeshLambertMaterial());
  }

  /** A material of geometries whose vertices have colours. */
  ofVertices(opacity: number): MeshLambertMaterial {
    const material = this.made(`vertices ${opacity}`, "scene-mesh", opacity, () => new MeshLambertMaterial());
    const used = this.used.get(`vertices ${opacity}`)!;
    if (used.ofVertices !== true) {
      used.ofVertices = true;
      this.paint(used);
    }
    return material;
  }

  recolour(): void {
    for (const one of this.used.values()) this.paint(one);
  }

  private made<Kind extends Coloured>(key: string, name: string, opacity: number, make: () => Kind): Kind {
    let one = this.used.get(key);
    if (one === undefined) {
      this.used.set(key, (one = { material: make(), name, opacity }));
      this.paint(one);
    }
    return one.material as Kind;
  }

  private paint({ material, name, opacity, ofVertices }: Used): void {
    const alarm = name === "scene-alarm";
    const seen = this.isGhost && !alarm ? 0.4 * opacity : opacity;
    const byVertex = ofVertices === true && !this.isGhost;
    material.color.set(byVertex ? "#ffffff" : colour(this.isGhost && !alarm ? "scene-ghost" : name));
    material.vertexColors = byVertex;
    material.opacity = seen;
    material.transparent = seen < 1 || !material.depthTest;
    material.depthWrite = seen > 0.5 && material.depthTest;
    material.needsUpdate = true;
  }
}

function overAll<Kind extends Material>(material: Kind): Kind {
  material.depthTest = false;
  return material;
}
