import { h } from "../common/dom";
import type { Server } from "./server";
import type { FileName } from "./studio_data";

const groups: [FileName["kind"], string][] = [["study", "studies"], ["results", "results"], ["model", "models"]];

/** A choice of the files that the studio can open; choosing one loads the page with it. */
export class Files {
  readonly element = h("select", { "aria-label": "file", title: "what the studio shows" });

  constructor(private readonly server: Server, private open: string) {
    this.element.addEventListener("change", () => (location.hash = encodeURIComponent(this.element.value)));
  }

  /** Says what has been opened. */
  show(open: string): void {
    this.open = this.element.value = open;
  }

  /** Looks which files there are. */
  async look(): Promise<void> {
    const all = await this.server.files().catch(() => []);
    this.element.replaceChildren(...groups.flatMap(([kind, label]) => {
      const own = all.filter((one) => one.kind === kind);
      return own.length === 0 ? [] : [h("optgroup", { label },
        ...own.map(({ opens }) => h("option", { value: opens, selected: opens === this.open }, opens)))];
    }));
  }
}
