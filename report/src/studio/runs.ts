import { button, h, number, said, saidInUnits } from "../common/dom";
import { inUnit, onUnits, unitName } from "../common/units";
import type { Server } from "./server";
import type { JobState, Ranks, StudioData, Values } from "./studio_data";

const rowsShown = 12;
const restOfRanks = 5; // times what ranking took, before a run's results are ranked again

const timeOf = (seconds: number): string =>
  seconds < 100 ? `${Math.round(seconds)} s` : seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${number(seconds / 3600, 2)} h`;

/** Checks, plans and runs the study, shows the best designs as they are found, and does with results what commands do.
 * The program runs the commands, whose lines are shown. */
export class Runs {
  readonly element: HTMLElement;
  private readonly bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "how far the command is" });
  private readonly far = h("span", { class: "faint", role: "status" });
  private readonly line = h("code", { class: "command" });
  private readonly output = h("pre", { class: "output", tabindex: 0, "aria-label": "what the command printed" });
  private readonly links = h("div", { class: "job-links" });
  private readonly ranking = h("div", { class: "ranking" });
  private readonly stopButton: HTMLButtonElement;
  private readonly starters: HTMLButtonElement[] = [];
  private readonly results: HTMLButtonElement[] = []; // those that need results
  private readonly resume: HTMLButtonElement;
  private busy = false; // with a command
  private job: number | null = null; // that is running
  private ranks: Ranks = { exists: false };
  private chosen = "best"; // the case that commands are given
  private nextRanks = 0; // when, in ms

  /** `show` is called with the values of a design that the user chooses, `wrote` when a command has written a file. */
  constructor(
    private readonly server: Server,
    private readonly data: StudioData,
    private readonly show: (values: Values) => void,
    private readonly wrote: () => void,
  ) {
    const { file, results, kind } = data;
    const base = results.replace(/\.db$/, "");
    const act = (label: string, title: string, words: () => string[]): HTMLButtonElement => {
      const made = button(label, title, () => void this.start(words()));
      this.starters.push(made);
      return made;
    };
    const of = (label: string, title: string, words: () => string[]): HTMLButtonElement => {
      const made = act(label, title, words);
      this.results.push(made);
      return made;
    };
    this.stopButton = button("stop", "stop the command; what a run has finished is kept", () => void this.stop());
    this.resume = act("resume", "go on with the run that was stopped", () => ["run", file, "-o", results, "--resume"]);
    const studies = kind !== "study" ? [] : [
      act("check", "whether the study and its files can be run", () => ["check", file]),
      act("plan", "how long the run will take, and how large its file will be", () => ["run", file, "-o", results, "--plan"]),
      button("run", "evaluate or optimise the study", () => this.run()), this.resume];
    this.starters.push(...studies.slice(2, 3));
    const about = [
      of("why designs fail", "what excludes designs, and what would let more pass", () => ["why", results]),
      of("explain", "why the chosen design is as good as it is", () => ["show", results, this.chosen]),
      of("parts", "what to order and to drill for the chosen design", () => ["show", results, this.chosen, "--bill"]),
      of("sheet", "the chosen design for the workshop and the spring maker, as PDF",
        () => ["sheet", results, this.chosen, "-o", `${base}_${this.chosen}.pdf`]),
      of("tolerances", "the best designs as they may be built", () => ["robustness", results]),
      of("verify", "whether the results are as they were written, and their proofs hold", () => ["verify", results]),
      of("report", "a page about the results, which can be sent to others", () => ["report", results, "-o", `${base}.html`]),
      of("CSV", "all designs as a table", () => ["export", results, "-o", `${base}.csv`]),
      of("apply", "the model with the numbers of the chosen design", () => ["apply", results, this.chosen, "-o", `${base}_${this.chosen}.json`])];
    const compare = button("compare ways", "the best of each variant of the study, moving beside the others", () => void this.compare());
    this.starters.push(compare);
    compare.hidden = !file.includes("#");
    about.push(compare);
    this.element = h("section", { class: "panel runs", "aria-label": "Run and results" },
      h("h2", {}, kind === "study" ? "Run" : "Results"),
      h("div", { class: "buttons" }, ...studies, this.stopButton), h("div", { class: "how-far" }, this.bar, this.far),
      this.ranking, h("div", { class: "buttons" }, ...about),
      h("div", { class: "command-line" }, this.line), this.links, this.output);
    onUnits(() => this.drawRanks());
    this.note(null);
  }

  get idle(): boolean {
    return !this.busy;
  }
  /** What tests read: the ranking, and what the last command said. */
  get seen(): { ranks: Ranks; line: string; text: string } {
    return { ranks: this.ranks, line: this.line.textContent ?? "", text: this.output.textContent ?? "" };
  }

  /** Shows a command about these files that is running, and that an earlier page or another tab has started. Without
   * an answer there is none: what else the page asks says that the server is gone. */
  async join(): Promise<void> {
    const { file, results } = this.data;
    const found = (await this.server.running().catch(() => [])).filter(({ words }) => words.includes(file) || words.includes(results)).pop();
    if (found === undefined || this.busy) return;
    await this.occupied(() => this.followed(found.job, found.command, found.words));
  }

  /** Looks what the results file holds. */
  async look(): Promise<void> {
    if (this.data.results === "") return;
    const from = performance.now();
    try {
      this.ranks = await this.server.ranks(this.data.results);
    } catch (error) {
      this.output.textContent = String((error as Error).message);
    }
    this.nextRanks = performance.now() + Math.max(1000, restOfRanks * (performance.now() - from));
    this.drawRanks();
    this.note(null);
  }

  /** Runs the study, in place of results only where that is said again. */
  private run(): void {
    const words = ["run", this.data.file, "-o", this.data.results];
    if (!this.ranks.exists) return void this.start(words);
    this.offer(this.data.results, "replace it", [...words, "--force"], false);
  }

  /** Compares the results of all variants of the study that have some. */
  private async compare(): Promise<void> {
    const [study, variant] = this.data.file.split("#") as [string, string];
    const before = this.data.results.slice(0, -`${variant}.db`.length);
    const files = await this.server.files();
    const has = (results: string): boolean => files.some(({ name, kind }) => kind === "results" && name === results);
    const ways = files.filter(({ opens }) => opens.startsWith(`${study}#`)).map(({ opens }) => opens.slice(study.length + 1))
      .flatMap((way) => [`${before}${way}.db`, `${before.slice(0, -1)}/${way}.db`].find(has) ?? []);
    if (ways.length === 0) return void (this.output.textContent = "No variant of this study has results yet.");
    await this.start(["compare", ...ways, "-o", `${before.slice(0, -1)}.html`]);
  }

  /** Says that a file exists, and offers to write it anew. */
  private offer(name: string, label: string, words: string[], replace: boolean): void {
    this.links.replaceChildren(h("span", {}, said(name), " exists. "), button(label, `${label}: ${name}`, () => void this.start(words, replace)));
  }

  private async start(words: string[], replace = false): Promise<void> {
    await this.occupied(async () => {
      const begun = await this.server.start(words, replace);
      if ("exists" in begun) this.offer(begun.exists, "write over it", words, true);
      else await this.followed(begun.job, begun.command, words);
    });
  }

  private async followed(job: number, command: string, words: string[]): Promise<void> {
    this.job = job;
    this.line.textContent = command;
    await this.follow(job, words);
  }

  /** Does this, while nothing else can be started. */
  private async occupied(act: () => Promise<void>): Promise<void> {
    this.links.replaceChildren();
    this.output.textContent = "";
    this.busy = true;
    this.note(null);
    try {
      await act();
    } catch (error) {
      this.output.textContent = String((error as Error).message);
    }
    this.job = null;
    this.busy = false;
    this.note(null);
  }

  /** Shows how far a job is, until it has ended. */
  private async follow(job: number, words: string[]): Promise<void> {
    let state = await this.server.job(job, -1);
    while (state.running) {
      this.note(state);
      if (words[0] === "run" && performance.now() > this.nextRanks) await this.look();
      state = await this.server.job(job, state.news);
    }
    this.note(state);
    this.output.textContent = [state.messages, state.text].filter((part) => part !== "").join("\n");
    this.output.classList.toggle("failed", state.code !== 0);
    if (words.includes("-o")) this.wrote();
    if (words[0] === "run" && !words.includes("--plan")) {
      this.chosen = "best";
      await this.look();
    }
    if ((words[0] === "report" || words[0] === "compare") && state.code === 0)
      this.links.replaceChildren(h("a", { href: this.server.pageOf(job), target: "_blank" }, words[0] === "report" ? "open the report" : "open the comparison"));
  }

  private async stop(): Promise<void> {
    if (this.job !== null) await this.server.stop(this.job);
  }

  /** Shows how far a command is, or that none is running. */
  private note(state: JobState | null): void {
    const running = state !== null && state.running;
    for (const one of this.starters) one.disabled = this.busy;
    for (const one of this.results) one.disabled ||= !this.ranks.exists;
    this.resume.hidden = !this.ranks.exists || this.ranks.finished;
    this.stopButton.hidden = !running;
    this.bar.hidden = !running;
    if (!running) return void (this.far.textContent = "");
    const { done, total, fresh, seconds, words } = state;
    if (total > 0) this.bar.value = done / total;
    else this.bar.removeAttribute("value");
    const rate = seconds > 0 ? fresh / seconds : 0;
    this.far.textContent = words !== "" ? words : total === 0 ? "" : `${done} of ${total} cases` +
      (rate > 0 ? `, ${number(rate, 3)} a second, ${timeOf((total - done) / rate)} left` : "");
  }

  /** The best designs; a click shows one. */
  private drawRanks(): void {
    const { ranks } = this;
    if (!ranks.exists) return this.ranking.replaceChildren(
      h("p", { class: "faint" }, this.data.results === "" ? "A model alone has no results." : "There are no results yet."));
    const id = ranks.columns.findIndex(({ name }) => name === "case");
    const isVariable = (c: number): boolean => this.data.sliders.some(({ name }) => name === ranks.columns[c]!.name);
    const others = ranks.columns.map((_, c) => c).filter((c) => c !== id);
    const shown = [...others.filter((c) => !isVariable(c)), ...others.filter(isVariable)];
    const cell = (value: number | string | null, c: number): HTMLElement => {
      const { name, unit } = ranks.columns[c]!;
      const percent = name.endsWith(".reduction");
      return h("td", {}, value === null ? "–" : typeof value === "string" ? said(value)
        : percent ? `${number(100 * value, 3)} %` : number(inUnit(value, unit), name === "rank" ? 12 : 4));
    };
    const rows = ranks.rows.slice(0, rowsShown).map((row) => {
      const name = String(row[id]);
      const choose = button(name, `show case ${name}`, () => void this.choose(name));
      return h("tr", { class: this.chosen === name ? "chosen" : "" }, h("td", {}, choose), ...shown.map((c) => cell(row[c]!, c)));
    });
    this.ranking.replaceChildren(
      h("p", {}, `${ranks.cases} designs${ranks.finished ? "" : " so far"}, ${ranks.feasible} of them feasible.`),
      ranks.rows.length === 0 ? "" : h("div", { class: "scroll" }, h("table", { class: "metrics" },
        h("thead", {}, h("tr", {}, h("th", {}, "case"), ...shown.map((c) => {
          const { name, unit } = ranks.columns[c]!;
          return h("th", { scope: "col" }, said(name.replace(/\.reduction$/, " saved")), unit === "" ? "" : ` [${unitName(unit)}]`);
        }))),
        h("tbody", {}, ...rows))));
  }

  private async choose(id: string): Promise<void> {
    try {
      this.show(await this.server.valuesOf(this.data.results, id));
      this.chosen = id;
      this.drawRanks();
    } catch (error) {
      this.output.replaceChildren(saidInUnits(String((error as Error).message)));
    }
  }
}
