import { autocompletion, closeBrackets, closeBracketsKeymap, type Completion, type CompletionContext, completionKeymap, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, type Tooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { button, h, said, saidInUnits } from "../common/dom";
import { nodeAt, placeOf, type Schema, SchemaGuide } from "./schema";
import type { Server } from "./server";
import type { FileName, StudioData } from "./studio_data";

const pause = 250; // ms without a key before the program reads a text

/** A file that is being edited. */
interface Edited {
  state: EditorState;
  saved: string; // its text on the disk when it was read or saved
  hash: string;
  path: string; // as messages name it
}

/** The models, motions and studies of the folder as texts. What the program makes of them is shown while they are written;
 * files change when they are saved. */
export class Editor {
  readonly element = h("details", { class: "panel editor" }, h("summary", {}, "Edit the files"));
  private readonly choice = h("select", { "aria-label": "file to edit" });
  private readonly saveButton = button("save", "save (Ctrl+S)", () => void this.save());
  private readonly note = h("span", { class: "faint", role: "status" });
  private readonly problems = h("ul", { class: "problems", "aria-label": "mistakes" });
  private readonly host = h("div", { class: "editor-host" });
  private view: EditorView | null = null;
  private readonly edited = new Map<string, Edited>();
  private kinds = new Map<string, FileName["kind"]>();
  private guides = new Map<string, SchemaGuide>();
  private shown = ""; // the file
  private timer = 0; // until the program reads the texts
  private reading = false;
  private messages: string[] = [];

  /** `accept` is called with what the texts make of the file that is open. */
  constructor(
    private readonly server: Server,
    private readonly open: string,
    private readonly accept: (data: StudioData) => void,
  ) {
    const revert = button("revert", "the text as it is on the disk", () => void this.revert());
    this.element.append(h("div", { class: "buttons" }, this.choice, this.saveButton, revert, this.note), this.host, this.problems);
    this.choice.addEventListener("change", () => void this.show(this.choice.value));
    this.element.addEventListener("toggle", () => this.element.open && this.view === null && void this.begin());
    addEventListener("beforeunload", (event) => this.unsaved.length > 0 && event.preventDefault());
  }

  /** The files whose texts are not saved. */
  get unsaved(): string[] {
    this.keep();
    return [...this.edited].filter(([, { state, saved }]) => state.doc.toString() !== saved).map(([name]) => name);
  }
  /** Whether the program has read what is written. */
  get idle(): boolean {
    return this.timer === 0 && !this.reading;
  }
  /** What tests read and do. */
  get seen(): { file: string; text: string; messages: string[]; idle: boolean; marks: number } {
    return { file: this.shown, text: this.view?.state.doc.toString() ?? "", messages: this.messages,
      idle: this.idle, marks: this.host.shadowRoot?.querySelectorAll(".cm-lintRange").length ?? 0 };
  }
  write(text: string): void {
    this.view?.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  private async begin(): Promise<void> {
    const root = this.host.attachShadow({ mode: "open" }); // styles of the editor may be made there
    this.view = new EditorView({ parent: root, root });
    const [schemas, files] = await Promise.all([this.server.schemas(), this.server.files()]);
    this.guides = new Map(Object.entries(schemas).map(([kind, schema]: [string, Schema]) => [kind, new SchemaGuide(schema)]));
    this.kinds = new Map(files.map(({ name, kind }) => [name, kind]));
    const names = [...new Set(files.filter(({ kind }) => kind !== "results").map(({ name }) => name))];
    this.choice.replaceChildren(...names.map((name) => h("option", { value: name }, name)));
    const first = files.find(({ opens }) => opens === this.open)?.name ?? names[0];
    if (first !== undefined) await this.show(first);
  }

  /** Remembers the text that is shown. */
  private keep(): void {
    const edited = this.edited.get(this.shown);
    if (edited !== undefined && this.view !== null) edited.state = this.view.state;
  }

  private async show(name: string): Promise<void> {
    this.keep();
    try {
      if (!this.edited.has(name)) {
        const { text, hash, path } = await this.server.text(name);
        this.edited.set(name, { state: this.stateOf(name, text), saved: text, hash, path });
      }
      this.shown = name;
      this.choice.value = name;
      this.view!.setState(this.edited.get(name)!.state);
      this.mark();
    } catch (error) {
      this.tell(String((error as Error).message));
    }
  }

  private stateOf(name: string, text: string): EditorState {
    const guide = this.guides.get(this.kinds.get(name) ?? "") ?? new SchemaGuide({});
    return EditorState.create({ doc: text, extensions: [
      lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(), lintGutter(),
      json(), syntaxHighlighting(colours), theme,
      autocompletion({ override: [(context) => completions(guide, context)] }),
      hoverTooltip((view, position) => meaning(guide, view.state, position)),
      keymap.of([{ key: "Mod-s", run: () => (void this.save(), true) }, ...closeBracketsKeymap, ...defaultKeymap,
        ...historyKeymap, ...completionKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": `the text of ${name}` }),
      EditorView.updateListener.of((update) => update.docChanged && this.changed()),
    ] });
  }

  private changed(): void {
    this.tell("");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.read(), pause);
  }

  /** Has the program read what is not saved. */
  private async read(): Promise<void> {
    this.timer = 0;
    this.reading = true;
    const texts = Object.fromEntries(this.unsaved.map((name) => [name, this.edited.get(name)!.state.doc.toString()]));
    try {
      const answer = await this.server.edit(this.open, texts);
      this.messages = "errors" in answer ? answer.errors : [];
      if (!("errors" in answer)) this.accept(answer);
    } catch (error) {
      this.messages = [String((error as Error).message)];
    }
    this.reading = false;
    this.mark();
  }

  /** Marks mistakes where they are, and lists those in other files. */
  private mark(): void {
    const view = this.view!, { doc } = view.state, own = this.edited.get(this.shown)?.path;
    const diagnostics: Diagnostic[] = this.messages.flatMap((message) => {
      const found = /^(.+?):(\d+):(\d+): (.*)$/s.exec(message);
      if (found === null || found[1] !== own || Number(found[2]) > doc.lines) return [];
      const line = doc.line(Number(found[2]));
      const from = Math.min(line.from + Number(found[3]) - 1, line.to);
      return [{ from, to: Math.max(nodeAt(view.state, from).to, from), severity: "error", message: found[4]! }];
    });
    view.dispatch(setDiagnostics(view.state, diagnostics));
    this.problems.replaceChildren(...this.messages.map((message) => h("li", {}, saidInUnits(message))));
    this.saveButton.disabled = !this.unsaved.includes(this.shown);
  }

  private async save(): Promise<void> {
    this.keep();
    const edited = this.edited.get(this.shown);
    if (edited === undefined) return;
    const text = edited.state.doc.toString();
    try {
      const answer = await this.server.save(this.shown, text, edited.hash);
      if ("changed" in answer)
        return this.tell("The file has been changed by another program since it was read; revert to see it.");
      Object.assign(edited, { saved: text, hash: answer.hash });
      this.tell("saved");
    } catch (error) {
      this.tell(String((error as Error).message));
    }
    this.saveButton.disabled = !this.unsaved.includes(this.shown);
  }

  private async revert(): Promise<void> {
    this.edited.delete(this.shown);
    await this.show(this.shown);
    await this.read();
  }

  private tell(words: string): void {
    this.note.replaceChildren(said(words));
    this.saveButton.disabled = !this.unsaved.includes(this.shown);
  }
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--note)" },
]);

const theme = EditorView.theme({
  "&": { height: "440px", fontSize: "12.5px", color: "var(--text)", backgroundColor: "var(--panel)" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace" },
  ".cm-gutters": { color: "var(--text-faint)", backgroundColor: "var(--panel)", borderRight: "1px solid var(--panel-edge)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--panel)", border: "1px solid var(--panel-edge)", maxWidth: "420px" },
  ".cm-hover": { padding: "5px 9px", whiteSpace: "pre-line" },
});

/** What the schema says of a member, in a few lines. */
function described(name: string, schemas: Schema[]): string {
  const first = <Key extends keyof Schema>(key: Key): Schema[Key] | undefined => schemas.find((schema) => schema[key] !== undefined)?.[key];
  const [unit, usual, words] = [first("x-unit"), first("x-default") ?? first("default"), first("description")];
  return [`${name}${unit === undefined ? "" : ` [${unit}]`}`, words, usual === undefined ? undefined : `Default: ${typeof usual === "string" ? usual : JSON.stringify(usual)}`]
    .filter((line) => line !== undefined).join("\n");
}

/** The name or the value at a position, as the reference describes it. */
function meaning(guide: SchemaGuide, state: EditorState, position: number): Tooltip | null {
  const node = nodeAt(state, position);
  const property = node.name === "PropertyName" ? node.parent : node;
  if (property === null) return null;
  const value = property.name === "Property" ? property.lastChild! : property;
  const place = placeOf(state, value);
  const name = place.filter((step) => typeof step === "string").at(-1);
  const schemas = guide.at(place);
  if (name === undefined || !schemas.some(({ description }) => description !== undefined)) return null;
  return { pos: node.from, end: node.to, above: true, create: () => ({ dom: h("div", { class: "cm-hover" }, described(name, schemas)) }) };
}

/** Members that an object may have yet, or values that a member may have. */
function completions(guide: SchemaGuide, context: CompletionContext): CompletionResult | null {
  const node = nodeAt(context.state, context.pos);
  const word = context.matchBefore(/"?[A-Za-z0-9_$-]*/);
  const from = node.name === "PropertyName" || node.name === "String" ? node.from : word?.from ?? context.pos;
  if (!context.explicit && from === context.pos) return null;
  const to = node.name === "PropertyName" || node.name === "String" ? node.to : context.pos;
  const object = node.name === "PropertyName" ? node.parent!.parent! : node.name === "Object" ? node : node.parent?.name === "Object" && node.name === "⚠" ? node.parent : null;
  if (object !== null) {
    const has = new Set(object.getChildren("Property").filter((one) => one.from !== from)
      .map((one) => context.state.sliceDoc(one.firstChild!.from, one.firstChild!.to)));
    const options = [...guide.members(placeOf(context.state, object))].filter(([name]) => !has.has(JSON.stringify(name)))
      .map(([name, schema]): Completion => ({ label: JSON.stringify(name), type: "property", info: described(name, [schema]),
        apply: node.name === "PropertyName" ? JSON.stringify(name) : `${JSON.stringify(name)}: ` }));
    return { from, to, options, filter: true };
  }
  const place = placeOf(context.state, node.name === "Property" ? node.lastChild! : node);
  const options = guide.values(place).map((value): Completion => ({ label: JSON.stringify(value), type: "constant" }));
  return options.length === 0 ? null : { from, to, options };
}
