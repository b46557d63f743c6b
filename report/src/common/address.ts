/** What a page shows, in the part of its address behind "#": a copied address opens the same view,
 * without a server. Each part of the page keeps a text under a name; what the page begins with stands
 * nowhere. A name alone, "#found", is a place to scroll to. */

interface Kept {
  name: string;
  first: string; // that the page begins with
  read: () => string;
  write: (text: string) => void;
}

const quiet = 400; // milliseconds between two changes of the address: browsers refuse many at once

/** Several texts as one: each may have any letters. */
export const joined = (texts: readonly (string | number)[]): string => texts.map((text) => encodeURIComponent(text)).join(",");
export const separated = (text: string): string[] => (text === "" ? [] : text.split(",").map(decoded));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // nobody wrote it like this
  }
}

export class Address {
  private readonly parts: Kept[] = [];
  private waiting = false;
  private own = ""; // what this page wrote last

  /** Keeps something that is now as the page begins. What is kept first is also set first. */
  keep(name: string, read: () => string, write: (text: string) => void): void {
    this.parts.push({ name, first: read(), read, write });
  }

  /** Shows what the address says, and follows it from then on. */
  open(): void {
    this.follow();
    addEventListener("hashchange", () => {
      if (location.hash === this.own) return;
      if (location.hash.includes("=")) this.follow();
      else this.note(); // a place was gone to: the address says again what is shown
    });
  }

  /** Something changed that is kept. */
  note(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.write();
    }, quiet);
  }

  get text(): string {
    return this.parts.flatMap(({ name, first, read }) => {
      const text = read();
      return text === first ? [] : [`${name}=${text}`];
    }).join("&");
  }

  private write(): void {
    const text = this.text;
    if (text === "" && !location.hash.includes("=")) return; // a place to scroll to stays
    this.own = text === "" ? "" : `#${text}`;
    history.replaceState(null, "", this.own === "" ? "#" : this.own);
  }

  private follow(): void {
    const said = new Map(location.hash.slice(1).split("&").filter((part) => part.includes("="))
      .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
    if (said.size === 0) return; // a place, or nothing
    for (const { name, first, read, write } of this.parts) {
      const text = said.get(name) ?? first;
      if (text !== read()) write(text);
    }
  }
}
