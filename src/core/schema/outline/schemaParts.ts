import { isJsonObject, type JsonObject, type JsonValue, type ListKeys } from "../../json/jsonValue";
import type { Language } from "../../text/language";

/** A place in the outline before it is described: every schema in `schemas` holds for its value. */
export interface OutlinePlace {
  readonly name: string;
  readonly literal: boolean;
  readonly required: boolean;
  readonly schemas: readonly JsonValue[];
}

/**
 * Lists what lies one level below values: properties, items, alternatives and conditions, in this
 * order. Of each keyword at most 300 are listed, and over the whole schema so many as there is room for.
 */
export class SchemaParts {
  /** The members of an object that was read before: one that is referred to often is read once. */
  private readonly known = new Map<JsonObject, Members>();
  private readonly knownNames = new Map<JsonValue, ReadonlySet<string>>();

  /** `room` is how many parts are listed in all, over all values. */
  constructor(
    private readonly language: Language,
    private readonly listKeys: ListKeys,
    private room = 5000,
  ) {}

  /** Lists the parts of one value; `unlisted` counts those left out. */
  of(layers: readonly JsonObject[]): { parts: readonly OutlinePlace[]; unlisted: number } {
    let unlisted = 0;
    const list: ListMembers = (value) => {
      const { listed, size } = this.membersOf(value);
      const shown = listed.slice(0, Math.max(0, this.room));
      this.room -= shown.length;
      unlisted += size - shown.length;
      return shown;
    };
    const { language } = this;
    const parts = [
      ...this.properties(layers, list),
      ...otherProperties(layers, list, language),
      ...items(layers, list, language),
      ...layers.flatMap((layer) => alternatives(layer, list, language)),
      ...layers.flatMap((layer) => conditions(layer, list, language)),
    ];
    return { parts, unlisted };
  }

  private properties(layers: readonly JsonObject[], list: ListMembers): OutlinePlace[] {
    const required = layers.map((layer) => this.requiredNames(layer["required"]));
    const byName = new Map<string, JsonValue[]>();
    const marked = new Set<string>();
    const add = (name: string, schema?: JsonValue) => {
      const schemas = byName.get(name) ?? [];
      byName.set(name, schemas);
      if (schema !== undefined) schemas.push(schema);
    };
    for (const layer of layers) {
      // Draft 3, still met in the wild, marks each required property by itself.
      const marksEach = !Array.isArray(layer["required"]);
      for (const [name, schema] of membersIn(layer["properties"], list)) {
        add(name, schema);
        if (marksEach && isJsonObject(schema) && schema["required"] === true) marked.add(name);
      }
    }
    const described = layers.map((layer) => layer["properties"]).filter(isJsonObject);
    for (const names of required) {
      if (names.size > this.room) continue;
      this.room -= names.size;
      for (const name of names) if (!described.some((each) => Object.hasOwn(each, name))) add(name);
    }
    return [...byName].map(([name, schemas]) => ({
      name,
      literal: true,
      required: marked.has(name) || required.some((names) => names.has(name)),
      schemas,
    }));
  }

  private requiredNames(value: JsonValue | undefined): ReadonlySet<string> {
    if (!Array.isArray(value)) return new Set();
    const strings = () => value.slice(0, maxRequired).filter((item) => typeof item === "string");
    const names = this.knownNames.get(value) ?? new Set(strings());
    this.knownNames.set(value, names);
    return names;
  }

  private membersOf(value: JsonValue | undefined): Members {
    if (Array.isArray(value)) {
      const listed = value.slice(0, maxListed).map((item, index): Member => [String(index), item]);
      return { listed, size: value.length };
    }
    if (!isJsonObject(value)) return { listed: [], size: 0 };
    const known = this.known.get(value) ?? readMembers(value, this.listKeys(value));
    this.known.set(value, known);
    return known;
  }
}

type Member = readonly [name: string, value: JsonValue];

/** The first members of an object or items of a list, and how many there are. */
interface Members {
  readonly listed: readonly Member[];
  readonly size: number;
}

type ListMembers = (value: JsonValue | undefined) => readonly Member[];

const maxListed = 300;
const maxRequired = 2000;

function readMembers(object: JsonObject, names: readonly string[]): Members {
  const listed = names.slice(0, maxListed).map((name): Member => [name, object[name] ?? null]);
  return { listed, size: names.length };
}

function otherProperties(
  layers: readonly JsonObject[],
  list: ListMembers,
  { t }: Language,
): OutlinePlace[] {
  return layers.flatMap((layer) => [
    ...membersIn(layer["patternProperties"], list).map(([pattern, schema]) =>
      about(t("names that match /{pattern}/", { pattern }), schema),
    ),
    ...describing(t("any other property"), layer["additionalProperties"]),
    ...describing(t("every property name"), layer["propertyNames"]),
  ]);
}

function items(layers: readonly JsonObject[], list: ListMembers, { t }: Language): OutlinePlace[] {
  return layers.flatMap((layer) => {
    const { items: each, prefixItems, contains } = layer;
    const first = itemsOf(prefixItems ?? each, list);
    const rest = Array.isArray(each) ? layer["additionalItems"] : each;
    return [
      ...first.map((schema, index) => about(t("item {number}", { number: index + 1 }), schema)),
      ...describing(first.length > 0 ? t("each further item") : t("each item"), rest),
      ...describing(t("at least one item"), contains),
    ];
  });
}

function alternatives(layer: JsonObject, list: ListMembers, { t }: Language): OutlinePlace[] {
  const exactlyOne = itemsOf(layer["oneOf"], list);
  const atLeastOne = itemsOf(layer["anyOf"], list);
  return [
    ...exactlyOne.map((schema, index) => {
      const numbers = { number: index + 1, count: lengthOf(layer["oneOf"]) };
      return about(t("option {number} of {count}", numbers), schema);
    }),
    ...atLeastOne.map((schema, index) => {
      const numbers = { number: index + 1, count: lengthOf(layer["anyOf"]) };
      return about(t("choice {number} of {count}", numbers), schema);
    }),
  ];
}

function conditions(layer: JsonObject, list: ListMembers, { t }: Language): OutlinePlace[] {
  return [
    ...describing(t("not"), layer["not"]),
    ...describing(t("if"), layer["if"]),
    ...(layer["if"] === undefined
      ? []
      : [...describing(t("then"), layer["then"]), ...describing(t("else"), layer["else"])]),
    ...dependencies(layer, list).map(([name, schema]) =>
      about(t("when “{name}” is given", { name }), schema),
    ),
  ];
}

function dependencies(layer: JsonObject, list: ListMembers): [string, JsonValue][] {
  const names = ["dependentSchemas", "dependentRequired", "dependencies"];
  return names
    .flatMap((keyword) => membersIn(layer[keyword], list))
    .map(([name, value]) => [name, Array.isArray(value) ? { required: value } : value]);
}

// A part that says nothing, as `true` and `{}` do, is not worth a line.
function describing(name: string, schema: JsonValue | undefined): OutlinePlace[] {
  return isJsonObject(schema) && !isEmpty(schema) ? [about(name, schema)] : [];
}

function isEmpty(schema: JsonObject): boolean {
  for (const _ in schema) return false;
  return true;
}

function about(name: string, schema: JsonValue): OutlinePlace {
  return { name, literal: false, required: false, schemas: [schema] };
}

function membersIn(value: JsonValue | undefined, list: ListMembers): readonly Member[] {
  return isJsonObject(value) ? list(value) : [];
}

function itemsOf(value: JsonValue | undefined, list: ListMembers): JsonValue[] {
  return Array.isArray(value) ? list(value).map(([, item]) => item) : [];
}

function lengthOf(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length : 0;
}
