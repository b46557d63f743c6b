import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import type { SyntaxNode } from "@lezer/common";

/** The parts of a JSON Schema that the project's schemas use. */
export interface Schema {
  title?: string;
  description?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  "x-unit"?: string;
  "x-default"?: string;
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema | Schema[];
  definitions?: Record<string, Schema>;
}

/** A place in a JSON text: names of members and indices of items. */
export type Place = (string | number)[];

/** What a schema says of places in texts. */
export class SchemaGuide {
  constructor(private readonly root: Schema) {}

  /** Everything that the schema says of a place: several where it may be one of several things. */
  at(place: Place): Schema[] {
    let here = this.whole(this.root);
    for (const step of place) here = here.flatMap((schema) => this.below(schema, step)).flatMap((schema) => this.whole(schema));
    return here;
  }

  /** The members that an object at a place may have. */
  members(place: Place): Map<string, Schema> {
    const members = new Map<string, Schema>();
    for (const { properties } of this.at(place))
      for (const [name, schema] of Object.entries(properties ?? {}))
        members.set(name, this.whole(schema).reduce((all, one) => ({ ...one, ...all }), schema));
    return members;
  }

  /** The values that a place may have, or has in examples. */
  values(place: Place): unknown[] {
    const values = this.at(place).flatMap(({ const: only, enum: some, type, examples, default: usual }) =>
      [...(only === undefined ? [] : [only]), ...(some ?? []), ...(type === "boolean" ? [true, false] : []),
        ...(usual === undefined ? [] : [usual]), ...(examples ?? [])]);
    return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  }

  /** A schema and all that it refers to or combines. */
  private whole(schema: Schema): Schema[] {
    const referred = schema.$ref === undefined ? [] : [this.root.definitions?.[schema.$ref.replace("#/definitions/", "")] ?? {}];
    const parts = [...referred, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
    return [schema, ...parts.flatMap((part) => this.whole(part))];
  }

  private below({ properties, additionalProperties, items }: Schema, step: string | number): Schema[] {
    if (typeof step === "number") return items === undefined ? [] : Array.isArray(items) ? items.slice(step, step + 1) : [items];
    if (properties?.[step] !== undefined) return [properties[step]!];
    return typeof additionalProperties === "object" ? [additionalProperties] : [];
  }
}

const nameOf = (state: EditorState, property: SyntaxNode): string => {
  const name = property.getChild("PropertyName");
  try {
    return name === null ? "" : (JSON.parse(state.sliceDoc(name.from, name.to)) as string);
  } catch {
    return "";
  }
};

const values = ["True", "False", "Null", "Number", "String", "Object", "Array"];

/** Where a node of a JSON text's tree is. */
export function placeOf(state: EditorState, node: SyntaxNode): Place {
  const place: Place = [];
  for (let child = node, parent = node.parent; parent !== null; child = parent, parent = parent.parent) {
    if (parent.name === "Property" && child.name !== "PropertyName") place.unshift(nameOf(state, parent));
    if (parent.name === "Array") {
      let index = 0;
      for (let before = child.prevSibling; before !== null; before = before.prevSibling) if (values.includes(before.name)) ++index;
      place.unshift(index);
    }
  }
  return place;
}

/** The node at a position; a name or a value that begins or ends there goes before what it is in. */
export function nodeAt(state: EditorState, position: number): SyntaxNode {
  const tree = syntaxTree(state);
  const before = tree.resolveInner(position, -1);
  return ["PropertyName", ...values.slice(0, 5)].includes(before.name) ? before : tree.resolveInner(position, 1);
}
