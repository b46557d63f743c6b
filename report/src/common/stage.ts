import {
  Box3, Color, DirectionalLight, GridHelper, Group, HemisphereLight, type Object3D, PerspectiveCamera, Raycaster,
  Scene, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { add, h } from "./dom";
import { colour, onTheme } from "./theme";
import type { Figure } from "./figure";
import { fit } from "./outline";
import type { Part } from "./part";

/** Directions to look from. */
export const sides: Record<string, Vector3> = {
  oblique: new Vector3(0.75, -1.5, 0.7),
  front: new Vector3(0, -1, 0),
  side: new Vector3(1, 0, 0),
  top: new Vector3(0, -0.001, 1),
};

/** A canvas with one or more mechanisms, a camera that turns about them, and names on hover. Draws
 * only when something has changed, and nothing before it has begun: WebGL takes longer to start than
 * all else on a page. */
export class Stage {
  readonly element: HTMLElement;
  readonly figures: Figure[] = [];
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(32, 1, 0.001, 1000);
  private readonly canvas: HTMLCanvasElement;
  private renderer: WebGLRenderer | null = null;
  private controls: OrbitControls | null = null;
  private readonly tip = h("div", { class: "tip", role: "status", hidden: true });
  private readonly paper = h("canvas", { class: "paper", "aria-hidden": "true" });
  private readonly notes = h("div", { class: "notes" });
  private readonly floor = new Group();
  private readonly box = new Box3(); // of what is looked at
  private follows = false;
  private readonly centre = new Vector3();
  private waiting = false;
  private begun = false;
  private side = "oblique"; // that the camera looks from; empty once the user has turned it
  frames = 0; // that were drawn

  constructor(label: string) {
    this.canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": label });
    this.element = h("div", { class: "stage" }, this.canvas, this.paper, this.notes, this.tip);
    this.camera.up.set(0, 0, 1);
    const sun = new DirectionalLight(0xffffff, 1.7);
    sun.position.set(0.6, -0.8, 1.4);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.9), sun, this.floor);
  }

  /** Begins to draw. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    const { canvas } = this;
    this.renderer = makeRenderer(canvas);
    if (this.renderer === null) {
      canvas.hidden = true;
      add(this.element, h("p", { class: "no-webgl" },
        "This browser does not draw in 3D (WebGL is missing). The plots and tables are complete."));
      return;
    }
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.controls.addEventListener("start", () => (this.side = ""));
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.tell(null));
    canvas.addEventListener("keydown", (event) => this.steer(event));
    onTheme(() => this.recolour());
    this.recolour();
    this.resize();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  /** Adds a mechanism, which settle() takes into view. */
  add(figure: Figure): void {
    this.figures.push(figure);
    this.scene.add(figure.root);
  }

  /** Takes all mechanisms away. */
  clear(): void {
    for (const figure of this.figures.splice(0)) this.scene.remove(figure.root);
  }

  /** Fits floor, camera and clipping to the figures where they stand. */
  settle(from = "oblique"): void {
    this.recolour();
    this.look(from);
  }

  /** Whether the camera goes along with a mechanism that travels. */
  follow(on: boolean): void {
    this.follows = on;
    this.settle();
  }

  /** Moves the camera along, if it follows, and draws. */
  update(): void {
    if (this.follows && this.controls) {
      const now = this.boxNow().getCenter(new Vector3());
      const way = now.clone().sub(this.centre);
      this.centre.copy(now);
      this.camera.position.add(way);
      this.controls.target.add(way);
      this.controls.update();
    }
    this.draw();
  }

  private boxNow(): Box3 {
    const box = new Box3();
    for (const figure of this.figures) box.union(figure.boxNow());
    return box;
  }

  private measure(): void {
    this.box.makeEmpty();
    for (const figure of this.figures)
      this.box.union(figure.box.clone().translate(figure.root.position));
    if (this.follows) this.box.copy(this.boxNow());
    this.boxNow().getCenter(this.centre);
  }

  /** Looks at everything from a side, from as near as shows it all. */
  look(from: string): void {
    if (!this.controls || this.figures.length === 0) return;
    this.measure();
    this.side = from;
    const half = this.box.getSize(new Vector3()).multiplyScalar(0.5);
    const towards = (from === "oblique" ? oblique(half) : sides[from]!).clone().normalize();
    const places = this.figures.flatMap((figure) => figure.outline(this.follows));
    this.controls.target.copy(fit(this.camera, towards, places));
    this.controls.update();
    this.draw();
  }

  recolour(): void {
    if (this.renderer === null) return;
    this.scene.background = new Color(colour("scene-background"));
    this.floor.clear();
    if (this.figures.length === 0) return this.draw();
    this.measure();
    const { min, max } = this.box;
    const size = max.distanceTo(min);
    const cell = 10 ** Math.ceil(Math.log10(Math.max(size, 1e-6) / 20));
    const cells = 2 * Math.ceil(((this.follows ? 4 : 0.9) * size) / cell);
    const grid = new GridHelper(
      cells * cell, cells, new Color(colour("scene-grid-main")), new Color(colour("scene-grid")));
    grid.rotateX(Math.PI / 2);
    const round = (x: number): number => Math.round(x / cell) * cell;
    grid.position.set(round((min.x + max.x) / 2), round((min.y + max.y) / 2),
      min.z - 0.02 * size);
    this.floor.add(grid);
    for (const figure of this.figures) figure.recolour();
    this.draw();
  }

  showFloor(on: boolean): void {
    this.floor.visible = on;
    this.draw();
  }

  /** Draws before the next picture of the screen. */
  draw(): void {
    if (this.waiting || this.renderer === null) return;
    this.waiting = true;
    requestAnimationFrame(() => this.drawNow());
  }
  drawNow(): void {
    this.waiting = false;
    if (this.renderer === null) return;
    this.renderer.render(this.scene, this.camera);
    this.frames += 1;
  }

  cameraAt(): [number, number, number] {
    return this.camera.position.toArray();
  }

  /** The picture as it is drawn. */
  picture(): Promise<Blob | null> {
    this.begin();
    this.drawNow();
    return new Promise((done) =>
      this.renderer ? this.renderer.domElement.toBlob(done) : done(null));
  }

  /** Draws for a printer, which takes pictures of WebGL late: onto a plain canvas. */
  drawOnPaper(): void {
    this.begin();
    if (!this.renderer) return;
    this.drawNow();
    const picture = this.renderer.domElement;
    this.paper.width = picture.width;
    this.paper.height = picture.height;
    this.paper.getContext("2d")?.drawImage(picture, 0, 0);
  }

  private resize(): void {
    if (!this.renderer) return;
    const { clientWidth: width, clientHeight: height } = this.element;
    const before = this.renderer.getSize(new Vector2());
    if (width === 0 || height === 0 || (width === before.x && height === before.y)) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.side !== "") this.look(this.side);
    this.drawNow();
  }

  private partAt(event: PointerEvent): { part: Part; figure: Figure } | null {
    const box = this.element.getBoundingClientRect();
    const at = new Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    const ray = new Raycaster();
    ray.params.Line.threshold = 0.004 * (this.figures[0]?.size ?? 1);
    ray.setFromCamera(at, this.camera);
    for (const hit of ray.intersectObjects(this.figures.map((one) => one.root), true)) {
      if (!isVisible(hit.object)) continue;
      const part = hit.object.userData["part"] as Part | undefined;
      const figure = this.figures.find((one) => part !== undefined && one.parts.includes(part));
      if (part && figure) return { part, figure };
    }
    return null;
  }

  private hover(event: PointerEvent): void {
    if (event.buttons !== 0) return this.tell(null);
    const found = this.partAt(event);
    if (!found) return this.tell(null);
    const box = this.element.getBoundingClientRect();
    const lines = [found.part.title, ...(found.part.tell?.(found.figure.frame) ?? [])];
    if (found.figure.materials.ghost) lines[0] += " (ghost)";
    this.tell(lines, event.clientX - box.left, event.clientY - box.top);
  }

  /** Lines that stand in a corner of the scene, for what must not be missed. */
  note(lines: string[]): void {
    this.notes.replaceChildren(...lines.map((line) => h("div", {}, line)));
  }

  /** Says what is under the pointer, or nothing. */
  tell(lines: string[] | null, x = 0, y = 0): void {
    this.tip.hidden = lines === null;
    if (lines === null) return;
    this.tip.replaceChildren(...lines.map((line, i) => h(i === 0 ? "strong" : "span", {}, line)));
    const box = this.element.getBoundingClientRect();
    this.tip.style.left = `${Math.min(x + 14, Math.max(0, box.width - this.tip.offsetWidth - 6))}px`;
    this.tip.style.top = `${Math.min(y + 14, Math.max(0, box.height - this.tip.offsetHeight - 6))}px`;
  }

  /** Turns and zooms by keys: arrows with Alt, + and - with Alt. */
  private steer(event: KeyboardEvent): void {
    if (!event.altKey || !this.controls) return;
    const turn = 0.12;
    const offset = this.camera.position.clone().sub(this.controls.target);
    const up = new Vector3(0, 0, 1);
    const right = up.clone().cross(offset).normalize();
    if (event.key === "ArrowLeft") offset.applyAxisAngle(up, -turn);
    else if (event.key === "ArrowRight") offset.applyAxisAngle(up, turn);
    else if (event.key === "ArrowUp") offset.applyAxisAngle(right, -turn);
    else if (event.key === "ArrowDown") offset.applyAxisAngle(right, turn);
    else if (event.key === "+" || event.key === "=") offset.multiplyScalar(0.9);
    else if (event.key === "-") offset.multiplyScalar(1.1);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.side = "";
    this.camera.position.copy(this.controls.target).add(offset);
    this.controls.update();
  }
}

/** A direction that shows depth, and shows a mechanism that is flat from its broad side. */
function oblique(half: Vector3): Vector3 {
  const least = Math.min(half.x, half.y, half.z);
  if (least > 0.3 * half.length()) return sides["oblique"]!;
  if (least === half.z) return new Vector3(0.25, -0.7, 1.3);
  return least === half.x ? new Vector3(1.5, -0.6, 0.45) : new Vector3(0.5, -1.5, 0.4);
}

function isVisible(object: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent)
    if (!at.visible) return false;
  return true;
}

/** Nothing where the browser has no WebGL. */
function makeRenderer(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    const context = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    return context && new WebGLRenderer({ canvas, context, antialias: true, preserveDrawingBuffer: true });
  } catch {
    return null;
  }
}
