import type { Answer, BaselineAnswer, Question } from "./studio_data";

/** Asks the program that serves the page. The token is in the page's address, from which it is taken away, so that it
 * is neither seen nor copied with it. */
export class Server {
  private readonly token: string;

  constructor() {
    this.token = new URLSearchParams(location.search).get("token") ?? "";
    history.replaceState(null, "", location.pathname + location.search.replace(/\?token=.*/, "") + location.hash);
  }

  design(question: Question): Promise<Answer> {
    return this.ask("design", question);
  }
  baseline(motion: string): Promise<BaselineAnswer> {
    return this.ask("baseline", { motion });
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
