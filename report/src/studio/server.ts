import type { Schema } from "./schema";
import type { Answer, BaselineAnswer, EditAnswer, FileName, JobState, MapAnswer, MapQuestion, Question, Ranks, RunningJob, SaveAnswer, Started, StudioData, TextAnswer, Values } from "./studio_data";

const place = "counterpoise-token";

/** Asks the program that serves the page. The token is in the page's address, from which it is taken away, so that it
 * is neither seen nor copied with it; this tab keeps it, to be loaded again. */
export class Server {
  private readonly token: string;
  private of = 0; // what was opened

  constructor() {
    const given = new URLSearchParams(location.search).get("token");
    if (given !== null) sessionStorage.setItem(place, given);
    this.token = given ?? sessionStorage.getItem(place) ?? "";
    history.replaceState(null, "", location.pathname + location.hash);
  }

  /** The address of this page with the token, without which the program does not give it. */
  address(hash: string): string {
    return `/?token=${this.token}${hash}`;
  }
  /** The address of a page that a job has written. */
  pageOf(job: number): string {
    return `/pages/${job}?token=${this.token}`;
  }

  async open(file: string, id: string | undefined): Promise<StudioData> {
    const data = await this.ask<StudioData>("open", id === undefined ? { file } : { file, case: id });
    this.of = data.of;
    return data;
  }
  async files(): Promise<FileName[]> {
    return (await this.ask<{ files: FileName[] }>("files", {})).files;
  }
  /** What was opened, with texts that are not saved yet in place of the files of these names. */
  edit(file: string, texts: Record<string, string>): Promise<EditAnswer> {
    return this.ask("edit", { of: this.of, file, texts });
  }
  text(file: string): Promise<TextAnswer> {
    return this.ask("text", { file });
  }
  save(file: string, text: string, hash: string): Promise<SaveAnswer> {
    return this.ask("save", { file, text, hash });
  }
  schemas(): Promise<Record<string, Schema>> {
    return this.ask("schemas", {});
  }
  design(question: Question): Promise<Answer> {
    return this.ask("design", { of: this.of, ...question });
  }
  baseline(motion: string): Promise<BaselineAnswer> {
    return this.ask("baseline", { of: this.of, motion });
  }
  ranks(results: string): Promise<Ranks> {
    return this.ask("ranks", { results });
  }
  async valuesOf(results: string, id: string): Promise<Values> {
    return (await this.ask<{ values: Values }>("case", { of: this.of, results, case: id })).values;
  }
  start(words: string[], replace: boolean): Promise<Started> {
    return this.ask("start", { words, replace });
  }
  /** The commands that are running, whichever tab has started them. */
  async running(): Promise<RunningJob[]> {
    return (await this.ask<{ running: RunningJob[] }>("running", {})).running;
  }
  stop(job: number): Promise<unknown> {
    return this.ask("stop", { job });
  }
  /** How far a job is, as soon as there is more to say than was `seen`, or after a while. */
  job(job: number, seen: number): Promise<JobState> {
    return this.ask("job", { job, seen });
  }
  map(question: MapQuestion): Promise<MapAnswer> {
    return this.ask("map", { of: this.of, ...question });
  }

  private async ask<Reply>(name: string, question: object): Promise<Reply> {
    const response = await fetch(`/api/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Counterpoise-Token": this.token },
      body: JSON.stringify(question),
    });
    const answer = (await response.json()) as Reply & { error?: string };
    if (!response.ok) throw new Error(answer.error ?? `the program answered ${response.status}`);
    return answer;
  }
}

/** Does one piece of work at a time, and of those that are asked for meanwhile only the last. */
export class Latest<Work> {
  private next: Work | null = null;
  private busy = false;

  constructor(private readonly act: (work: Work) => Promise<void>) {}

  get idle(): boolean {
    return !this.busy;
  }

  ask(work: Work): void {
    this.next = work;
    if (!this.busy) void this.run();
  }
  private async run(): Promise<void> {
    this.busy = true;
    while (this.next !== null) {
      const work = this.next;
      this.next = null;
      await this.act(work);
    }
    this.busy = false;
  }
}
