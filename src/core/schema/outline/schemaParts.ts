import type { Language } from "../../text/language";
import { isDescribed } from "../schemaLayers";
import type { SchemaRules } from "../schemaRules";
import { countOf } from "./schemaLimits";

/** A part of a value before it is described: all rules in `schemas` hold for it. */
export interface OutlinePart {
  readonly name: string;
  readonly literal: boolean;
  readonly required: boolean;
  readonly schemas: readonly SchemaRules[];
}

/**
 * Lists what lies one level below values: properties, items, alternatives and conditions, in this
 * order. Over the whole schema so many are listed as there is room for.
 */
export class SchemaParts {
  private readonly knownNames = new Map<readonly string[], ReadonlySet<string>>();

  /** `room` is how many parts are listed in all, over all values. */
  constructor(
    private readonly language: Language,
    private room = 5000,
  ) {}

  /** Lists the parts of one value; `unlisted` counts those left out. */
  of(layers: readonly SchemaRules[]): { parts: readonly OutlinePart[]; unlisted: number } {
    let unlisted = 0;
    const list: ListMembers = (members, rules, ...keywords) => {
      if (members === undefined) return [];
      const all = [...members];
      const shown = all.slice(0, Math.max(0, this.room));
      this.room -= shown.length;
      const omitted = keywords.map((keyword) => rules.omitted?.get(keyword) ?? 0);
      unlisted += all.length - shown.length + Math.max(...omitted);
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

  private properties(layers: readonly SchemaRules[], list: ListMembers): OutlinePart[] {
    const required = layers.flatMap((layer) =>
      layer.required ? [this.nameSet(layer.required)] : [],
    );
    const byName = new Map<string, SchemaRules[]>();
    for (const layer of layers) {
      for (const [name, rules] of list(layer.properties, layer, "properties")) {
        byName.set(name, [...(byName.get(name) ?? []), rules]);
      }
    }
    // Where not all properties were read, it is unknown which names are not described.
    const isWhole = !layers.some(({ omitted }) => omitted?.has("properties"));
    for (const names of isWhole ? required : []) {
      if (names.size > this.room) continue;
      this.room -= names.size;
      const isKnown = (name: string) => layers.some(({ properties }) => properties?.has(name));
      for (const name of names) if (!isKnown(name)) byName.set(name, []);
    }
    return [...byName].map(([name, schemas]) => ({
      name,
      literal: true,
      required: required.some((names) => names.has(name)),
      schemas,
    }));
  }

  private nameSet(list: readonly string[]): ReadonlySet<string> {
    const names = this.knownNames.get(list) ?? new Set(list.slice(0, maxRequired));
    this.knownNames.set(list, names);
    return names;
  }
}

const maxRequired = 2000;

/** Takes as many members as there is room for. `keywords` are those of the schema they may come from. */
type ListMembers = <Member>(
  members: Iterable<Member> | undefined,
  rules: SchemaRules,
  ...keywords: string[]
) => readonly Member[];

function otherProperties(
  layers: readonly SchemaRules[],
  list: ListMembers,
  { t }: Language,
): OutlinePart[] {
  return layers.flatMap((layer) => [
    ...list(layer.patternProperties, layer, "patternProperties").map(({ pattern, rules }) =>
      about(t("names that match /{pattern}/", { pattern }), rules),
    ),
    ...describing(t("any other property"), layer.additionalProperties),
    ...describing(t("every property name"), layer.propertyNames),
  ]);
}

function items(layers: readonly SchemaRules[], list: ListMembers, { t }: Language): OutlinePart[] {
  return layers.flatMap((layer) => {
    const first = list(layer.prefixItems, layer, "prefixItems", "items");
    return [
      ...first.map((rules, index) => about(t("item {number}", { number: index + 1 }), rules)),
      ...describing(first.length > 0 ? t("each further item") : t("each item"), layer.items),
      ...describing(t("at least one item"), layer.contains),
    ];
  });
}

function alternatives(layer: SchemaRules, list: ListMembers, { t }: Language): OutlinePart[] {
  return [
    ...list(layer.oneOf, layer, "oneOf").map((rules, index) => {
      const numbers = { number: index + 1, count: countOf(layer, "oneOf") ?? 0 };
      return about(t("option {number} of {count}", numbers), rules);
    }),
    ...list(layer.anyOf, layer, "anyOf").map((rules, index) => {
      const numbers = { number: index + 1, count: countOf(layer, "anyOf") ?? 0 };
      return about(t("choice {number} of {count}", numbers), rules);
    }),
  ];
}

function conditions(layer: SchemaRules, list: ListMembers, { t }: Language): OutlinePart[] {
  const given = (name: string) => t("when “{name}” is present", { name });
  const keywords = ["dependentSchemas", "dependencies"];
  return [
    ...describing(t("not"), layer.not),
    ...describing(t("if"), layer.if),
    ...describing(t("then"), layer.then),
    ...describing(t("else"), layer.else),
    ...list(layer.dependentSchemas, layer, ...keywords).map(([name, rules]) =>
      about(given(name), rules),
    ),
    ...list(layer.dependentRequired, layer, "dependentRequired").map(([name, required]) =>
      about(given(name), rulesRequiring(required, layer)),
    ),
  ];
}

function rulesRequiring(required: string[], { resource }: SchemaRules): SchemaRules {
  return { id: -1, pointer: undefined, resource, source: { required }, spelling: {}, required };
}

// An empty part, such as `true` or `{}`, is not worth a line.
function describing(name: string, rules: SchemaRules | undefined): OutlinePart[] {
  return rules !== undefined && isDescribed(rules) && !isEmpty(rules.source as object)
    ? [about(name, rules)]
    : [];
}

function isEmpty(schema: object): boolean {
  for (const _ in schema) return false;
  return true;
}

function about(name: string, rules: SchemaRules): OutlinePart {
  return { name, literal: false, required: false, schemas: [rules] };
}
