import {
  Box3, Color, DirectionalLight, GridHelper, Group, HemisphereLight, type Object3D, OrthographicCamera, Raycaster,
  Scene, Vector2, Vector3,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { h, onResize } from "./dom";
import { colour, onTheme } from "./theme";
import type { Figure } from "./figure";
import { type Label, Labels } from "./labels";
import { axesOfPicture, cornersOf, fit, reach } from "./outline";
import type { Part } from "./part";
import { Surface } from "./surface";

/** Directions to look from. */
export const sides: Record<string, Vector3> = {
  oblique: new Vector3(0.75, -1.5, 0.7),
  front: new Vector3(0, -1, 0),
  side: new Vector3(1, 0, 0),
  top: new Vector3(0, -0.001, 1),
};

/** Takes something that is dragged to a place of the picture, in pixels. */
export type Drag = (x: number, y: number) => void;

/** Room around mechanisms, and for their names, in pixels. */
const margin = { side: 22, top: 18, bottom: 18, names: 24 };

/** A canvas with one or more mechanisms, a camera that turns about them, names on hover. The camera has
 * no perspective, so that mechanisms beside each other have the same size and are seen from the same
 * side. Draws only when something has changed, and nothing before it has begun: WebGL takes longer to
 * start than all else on a page. Until then, and wherever WebGL is not, the still picture is there. */
export class Stage {
  readonly element: HTMLElement;
  readonly figures: Figure[] = [];
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera();
  private readonly surface: Surface;
  private controls: OrbitControls | null = null;
  private readonly tip = h("div", { class: "tip", role: "status", hidden: true });
  private readonly still = h("div", { class: "still-place" });
  private readonly labels = new Labels();
  private readonly notes = h("div", { class: "notes" });
  private readonly floor = new Group();
  private readonly box = new Box3(); // around the visible objects
  private follows = false;
  private beside = true; // of each other, or over each other
  private readonly centre = new Vector3();
  private metres = 0; // a pixel, before the user zooms
  private waiting = 0; // the request of the next picture, or 0
  private begun = false;
  private side = "oblique"; // that the camera looks from; empty once the user has turned it
  frames = 0; // that were drawn
  /** What can be dragged at a place of the picture, in pixels; null lets the camera turn. */
  grabbed: (x: number, y: number) => Drag | null = () => null;

  constructor(label: string) {
    this.element = h("div", { class: "stage" });
    this.surface = new Surface(this.element, label, (canvas) => this.attend(canvas), () => this.turn());
    this.element.append(this.still, this.surface.canvas, this.labels.element, this.notes, this.tip);
    this.camera.up.set(0, 0, 1);
    const sun = new DirectionalLight(0xffffff, 1.7);
    sun.position.set(0.6, -0.8, 1.4);
    this.scene.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.9), sun, this.floor);
  }

  /** Puts a picture where the scene is not drawn, and on paper. */
  setStill(picture: Element | null): void {
    this.still.replaceChildren(...(picture ? [picture] : []));
  }

  /** Begins to draw. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.surface.begin();
    if (!this.surface.ready) return;
    onTheme(() => this.recolour());
    this.recolour();
    onResize(this.element, () => {
      if (this.resize()) this.drawNow(); // the canvas is empty, and no other picture comes before the screen's
    });
  }

  /** Listens to a canvas, and turns the camera by it. */
  private attend(canvas: HTMLCanvasElement): void {
    if (this.controls === null) {
      this.controls = new OrbitControls(this.camera, canvas);
      this.controls.addEventListener("change", () => this.draw());
      this.controls.addEventListener("start", () => (this.side = ""));
    } else {
      this.controls.disconnect();
      this.controls.connect(canvas);
    }
    canvas.addEventListener("pointerdown", (event) => this.grab(event), true); // before the camera
    canvas.addEventListener("pointermove", (event) => this.hover(event));
    canvas.addEventListener("pointerleave", () => this.tell(null));
    canvas.addEventListener("keydown", (event) => this.steer(event));
  }

  /** Lets what is at a place of the picture be dragged, in place of turning the camera. */
  private grab(event: PointerEvent): void {
    const canvas = event.target as HTMLCanvasElement;
    const drag = event.button === 0 ? this.grabbed(event.offsetX, event.offsetY) : null;
    if (drag === null) return;
    event.stopImmediatePropagation();
    canvas.setPointerCapture(event.pointerId);
    const move = (now: PointerEvent): void => drag(now.offsetX, now.offsetY);
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("lostpointercapture", () => canvas.removeEventListener("pointermove", move), { once: true });
  }

  /** Draws where a context has come, and shows the still picture where it has gone. */
  private turn(): void {
    this.element.classList.toggle("drawn", this.surface.ready);
    if (!this.surface.ready) return;
    this.resize();
    this.draw();
  }

  /** Adds a mechanism, which settle() takes into view. */
  add(figure: Figure): void {
    this.figures.push(figure);
    this.scene.add(figure.root);
  }

  /** Shows mechanisms in place of those before, without moving the camera. */
  replace(figures: Figure[]): void {
    for (const figure of this.figures.splice(0)) {
      this.scene.remove(figure.root);
      figure.dispose();
    }
    for (const figure of figures) this.add(figure);
    this.draw();
  }

  /** Takes all mechanisms away. */
  clear(): void {
    for (const figure of this.figures.splice(0)) this.scene.remove(figure.root);
  }

  /** Stands the mechanisms beside each other, or lays them over the first, as ghosts. */
  stand(beside: boolean): void {
    this.beside = beside;
    this.figures.forEach((figure, i) => (figure.materials.ghost = !beside && i > 0));
    this.settle();
  }

  /** Fits floor, camera and clipping to the figures where they stand. */
  settle(): void {
    this.look(this.side);
    this.recolour();
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
    for (const figure of this.figures) box.union(figure.boxOf(true));
    return box;
  }

  private measure(): void {
    this.box.makeEmpty();
    for (const figure of this.figures) this.box.union(figure.boxOf(this.follows));
    this.boxNow().getCenter(this.centre);
  }

  /** Looks at everything from a side, or (empty) from where the camera is, as near as shows it all. */
  look(from: string): void {
    if (!this.controls || this.figures.length === 0) return;
    this.side = from;
    const half = this.figures[0]!.box.getSize(new Vector3()).multiplyScalar(0.5);
    const now = this.camera.position.clone().sub(this.controls.target);
    const towards = (from === "" ? now : from === "oblique" ? oblique(half) : sides[from]!.clone()).normalize();
    this.arrange(axesOfPicture(towards).right);
    this.measure();
    const places = this.figures.flatMap((figure) => figure.outline(this.follows));
    const { clientWidth: width, clientHeight: height } = this.element;
    const names = this.figures.length > 1 ? margin.names : 0;
    const { centre, metres } = fit(this.camera, towards, places,
      { width, height, side: margin.side, top: margin.top, bottom: margin.bottom + names });
    this.metres = metres;
    this.frame();
    this.controls.target.copy(centre);
    this.controls.update();
    this.draw();
  }

  /** Stands the figures so that in the picture one is right of the other, as near as they never touch. */
  private arrange(right: Vector3): void {
    let edge = 0;
    this.figures.forEach((figure, i) => {
      figure.root.position.set(0, 0, 0);
      const [low, high] = reach(figure.outline(this.follows), right);
      if (this.beside && i > 0) figure.root.position.copy(right).multiplyScalar(edge - low + 0.06 * figure.size);
      edge = figure.root.position.dot(right) + high;
    });
  }

  /** Gives the camera the size of the element. */
  private frame(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    this.camera.right = (this.metres * width) / 2;
    this.camera.left = -this.camera.right;
    this.camera.top = (this.metres * height) / 2;
    this.camera.bottom = -this.camera.top;
    this.camera.updateProjectionMatrix();
  }

  recolour(): void {
    if (this.controls === null) return;
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
    if (this.waiting !== 0 || !this.surface.ready) return;
    this.waiting = requestAnimationFrame(() => this.drawNow());
  }
  drawNow(): void {
    cancelAnimationFrame(this.waiting); // it would be the same picture
    this.waiting = 0;
    if (!this.surface.ready) return;
    this.surface.renderer!.render(this.scene, this.camera);
    this.placeLabels();
    this.frames += 1;
  }

  /** Where in the picture a place of the world is, in pixels. */
  pixel(place: Vector3): { x: number; y: number } {
    const at = place.clone().project(this.camera);
    return { x: ((1 + at.x) / 2) * this.element.clientWidth, y: ((1 - at.y) / 2) * this.element.clientHeight };
  }

  /** Where in the picture the points of a mechanism are, in pixels. */
  pixelsOf(figure: Figure): Record<string, [number, number]> {
    this.camera.updateMatrixWorld(); // it may have been moved after the last picture
    return Object.fromEntries(figure.positions(true).points.map(({ name, position }) => {
      const { x, y } = this.pixel(new Vector3(...position));
      return [name, [x, y]];
    }));
  }

  /** The names of mechanisms, where there are several, and the largest loads. */
  private placeLabels(): void {
    const labels: Label[] = [];
    if (this.figures.length > 1)
      for (const figure of this.figures) {
        const places = cornersOf(figure.boxOf(this.follows)).map((corner) => this.pixel(corner));
        const [left, right] = [Math.min(...places.map(({ x }) => x)), Math.max(...places.map(({ x }) => x))];
        labels.push({ text: figure.name, kind: "name", x: (left + right) / 2, y: Math.max(...places.map(({ y }) => y)) });
      }
    for (const figure of this.figures)
      if (!figure.materials.ghost)
        for (const { text, place } of figure.largestLoads()) labels.push({ text, kind: "load", ...this.pixel(place) });
    this.labels.show(labels, this.element.clientWidth, this.element.clientHeight);
  }

  cameraAt(): [number, number, number] {
    return this.camera.position.toArray();
  }

  /** The picture as it is drawn, with its labels. */
  async picture(): Promise<Blob | null> {
    this.begin();
    this.drawNow();
    if (!this.surface.ready) return null;
    const drawn = this.surface.canvas;
    const picture = h("canvas", { width: drawn.width, height: drawn.height });
    const context = picture.getContext("2d")!;
    context.drawImage(drawn, 0, 0);
    this.labels.draw(context, drawn.width / this.element.clientWidth);
    return new Promise((done) => picture.toBlob(done));
  }

  /** Gives the picture the size of the element; whether it had another one. */
  private resize(): boolean {
    const { renderer } = this.surface;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (renderer === null || width === 0 || height === 0) return false;
    const before = renderer.getSize(new Vector2());
    if (width === before.x && height === before.y) return false;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    if (this.side === "") this.frame();
    else this.look(this.side);
    return true;
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
    if (this.figures.length > 1) lines[0] += ` (${found.figure.name})`;
    this.tell(lines, event.clientX - box.left, event.clientY - box.top);
  }

  /** Lines in a corner of the scene, for messages that must not be missed. */
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
    else if (event.key === "+" || event.key === "=") this.camera.zoom *= 1.1;
    else if (event.key === "-") this.camera.zoom /= 1.1;
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.side = "";
    this.camera.position.copy(this.controls.target).add(offset);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }
}

/** A direction that shows depth, and shows a mechanism that is flat from its broad side. */
function oblique(half: Vector3): Vector3 {
  const least = Math.min(half.x, half.y, half.z);
  if (least > 0.3 * half.length()) return sides["oblique"]!.clone();
  if (least === half.z) return new Vector3(0.25, -0.7, 1.3);
  return least === half.x ? new Vector3(1.5, -0.6, 0.45) : new Vector3(0.5, -1.5, 0.4);
}

function isVisible(object: Object3D): boolean {
  for (let at: Object3D | null = object; at !== null; at = at.parent)
    if (!at.visible) return false;
  return true;
}
