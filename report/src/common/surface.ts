import { WebGLRenderer } from "three";
import { add, h } from "./dom";

/** The canvas of a scene and its WebGL context. A browser takes contexts away: from all when the driver
 * restarts, from the oldest where more than some sixteen are wanted. It gives some of them back. Others
 * are made anew, on a new canvas, as soon as somebody looks at the page or points at the scene. */
export class Surface {
  canvas: HTMLCanvasElement;
  renderer: WebGLRenderer | null = null;
  private lost = false;

  /** `made` is called with every new canvas, `changed` when a context has come or gone. */
  constructor(
    private readonly host: HTMLElement,
    private readonly label: string,
    private readonly made: (canvas: HTMLCanvasElement) => void,
    private readonly changed: () => void,
  ) {
    this.canvas = this.freshCanvas();
  }

  /** Whether there is a context to draw in. */
  get ready(): boolean {
    return this.renderer !== null && !this.lost;
  }

  begin(): void {
    if (!this.open()) {
      this.canvas.hidden = true;
      add(this.host, h("p", { class: "no-webgl" },
        "This browser does not draw in 3D (WebGL is missing). The picture, the plots and tables are complete."));
      return;
    }
    for (const event of ["pointerenter", "focusin"]) this.host.addEventListener(event, () => this.renew());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.renew());
  }

  private freshCanvas(): HTMLCanvasElement {
    return h("canvas", { tabindex: 0, role: "img", "aria-label": this.label });
  }

  private open(): boolean {
    const { canvas } = this;
    this.renderer = rendererOf(canvas);
    if (this.renderer === null) return false;
    this.lost = false;
    canvas.addEventListener("webglcontextlost", () => this.turn(canvas, true));
    canvas.addEventListener("webglcontextrestored", () => this.turn(canvas, false));
    this.made(canvas);
    this.changed();
    return true;
  }

  private turn(canvas: HTMLCanvasElement, lost: boolean): void {
    if (canvas !== this.canvas) return;
    this.lost = lost;
    this.changed();
  }

  private renew(): void {
    if (!this.lost) return;
    const focused = document.activeElement === this.canvas;
    const before = this.canvas;
    this.renderer?.dispose();
    this.canvas = this.freshCanvas();
    before.replaceWith(this.canvas);
    this.open();
    if (focused) this.canvas.focus();
  }
}

/** Nothing where the browser has no WebGL. */
function rendererOf(canvas: HTMLCanvasElement): WebGLRenderer | null {
  try {
    const context = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    return context && new WebGLRenderer({ canvas, context, antialias: true, preserveDrawingBuffer: true });
  } catch {
    return null;
  }
}
