import { isJsonObject, type JsonType, type JsonValue } from "../json/jsonValue";
import type { Keyword, keywords } from "./keywords";

/**
 * The rules of one schema, in one form for every dialect: `items` arrays become `prefixItems`, draft-04's boolean
 * `exclusiveMinimum` becomes a number, `dependencies` is split in two. References are resolved, so the rules form a
 * graph that may have cycles.
 */
export interface SchemaRules extends RulesByKeyword {
  /** The index of these rules among all rules of their schema, from 0. */
  id: number;
  /** The JSON pointer from the root of the skill's schema. Undefined in another document. */
  pointer: string | undefined;
  resource: SchemaResource;
  /** The schema as its author wrote it. */
  source: unknown;
  /** The spelling of renamed keywords in the schema, such as `additionalItems` for `items`. */
  spelling: Partial<Record<Keyword, string>>;
  /** Omitted keywords, which cannot be applied. */
  omitted?: Set<string>;
  /** References that lead outside the schema or nowhere. */
  unresolved?: string[];
  /** Keywords that are not applied because they are newer than the dialect, as the schema spells them. */
  tooNew?: Set<string>;

  /** True for the schema `false`. */
  never?: boolean;
  reference?: SchemaReference;
}

/** The value of each keyword in the rules. */
type RulesByKeyword = {
  [Name in Keyword]?: KeywordValues[(typeof keywords)[Name]["holds"]];
};

/** The type of a keyword's value, by how it is read. */
export interface KeywordValues {
  number: number;
  /** An integer of 0 or more. */
  count: number;
  flag: boolean;
  text: string;
  texts: string[];
  textsMap: Map<string, string[]>;
  types: JsonType[];
  value: JsonValue;
  list: JsonValue[];
  schema: SchemaRules;
  schemas: SchemaRules[];
  schemaMap: Map<string, SchemaRules>;
  /** One text for all keywords, or one text per keyword. */
  messages: string | Map<string, string>;
}

/** The target of a `$ref`. For dynamic references, also its possible replacements. */
export interface SchemaReference {
  keyword: "$ref" | "$dynamicRef" | "$recursiveRef";
  target: SchemaRules;
  /**
   * The rules that may replace the target, by the resource that defines them. They apply only if the evaluation has
   * entered that resource before.
   */
  overrides?: Map<SchemaResource, SchemaRules>;
}

/** A part of a schema with a URI of its own: its root, or a subschema with `$id`. */
export interface SchemaResource {
  uri: string;
  dialect: Dialect;
  /** Whether `$schema` names the dialect. If not, older spellings are recognized by their shape. */
  isDialectDeclared: boolean;
  document: SchemaDocument;
  /** The pointer of the resource's root within its document. */
  pointer: string;
  anchors: Map<string, SchemaNode>;
  dynamicAnchors: Map<string, SchemaNode>;
  isRecursiveAnchor: boolean;
}

/** One JSON document with schemas: the skill's own, or a published meta-schema. */
export interface SchemaDocument {
  isOwn: boolean;
  /** All schemas found in the document so far, by pointer. */
  nodes: Map<string, SchemaNode>;
}

/** A value in a document that is read as a schema. */
export interface SchemaNode {
  value: unknown;
  pointer: string;
  resource: SchemaResource;
}

/** The supported JSON Schema dialects, oldest first. */
const dialects = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;

export type Dialect = (typeof dialects)[number];

/** The dialect of a schema without `$schema`. Older spellings are then recognized by their shape. */
export const defaultDialect: Dialect = "2020-12";

/** Returns the dialect of a `$schema` value. Undefined for an unknown dialect. */
export function dialectOf(schemaUri: unknown): Dialect | undefined {
  if (typeof schemaUri !== "string") return undefined;
  const name = /^https?:\/\/json-schema\.org\/(?:draft\/(?=2))?([^/]+)\/schema#?$/.exec(
    schemaUri,
  )?.[1];
  return dialects.find((dialect) => dialect === name);
}

/** Returns whether `dialect` is `other` or a later one. */
export function isSince(dialect: Dialect, other: Dialect): boolean {
  return dialects.indexOf(dialect) >= dialects.indexOf(other);
}

/** Lists the subschemas that a keyword applies. */
export function schemasOf(
  value: SchemaRules | SchemaRules[] | Map<string, SchemaRules> | undefined,
): SchemaRules[] {
  if (value === undefined || Array.isArray(value)) return value ?? [];
  return value instanceof Map ? [...value.values()] : [value];
}

/** The rules that all apply to one value: a schema's own, and those of its references and `allOf`. */
export interface SchemaLayers {
  readonly layers: readonly SchemaRules[];
  /** True if the schema allows no value at all. */
  readonly impossible: boolean;
  /** Rules that apply too, but that an outer call already describes. */
  readonly repeated: readonly SchemaRules[];
  /** References that lead outside the document or nowhere. */
  readonly unresolved: readonly string[];
  /** Whether there are at most `maxLayers` layers. */
  readonly isComplete: boolean;
}

/** Collects at most `maxLayers` layers of one value. `isAbove` detects rules that an outer call already describes. */
export function schemaLayers(
  schemas: readonly SchemaRules[],
  isAbove: (rules: SchemaRules) => boolean = () => false,
  maxLayers = 64,
): SchemaLayers {
  const layers = new Set<SchemaRules>();
  const unresolved: string[] = [];
  const repeated: SchemaRules[] = [];
  let impossible = false;
  let isComplete = true;
  const waiting = [...schemas].reverse();
  for (let rules = waiting.pop(); rules !== undefined; rules = waiting.pop()) {
    if (rules.never) impossible = true;
    if (!isDescribed(rules) || layers.has(rules)) continue;
    if (isAbove(rules)) {
      repeated.push(rules);
      continue;
    }
    if (layers.size >= maxLayers) {
      isComplete = false;
      break;
    }
    const { allOf = [], reference, unresolved: unresolvedHere = [] } = rules;
    layers.add(rules);
    if (allOf.length > maxLayers) isComplete = false;
    for (const below of allOf.slice(0, maxLayers).reverse()) waiting.push(below);
    if (reference !== undefined) waiting.push(reference.target);
    unresolved.push(...unresolvedHere);
  }
  return { layers: [...layers], impossible, repeated, unresolved, isComplete };
}

/** Lists the layers of one value, without the other results of `schemaLayers`. */
export function layersOf(schemas: readonly SchemaRules[]): readonly SchemaRules[] {
  return schemaLayers(schemas).layers;
}

/** Returns the value of a keyword in the first layer that has it. */
export function firstOf<Name extends Keyword>(
  layers: readonly SchemaRules[],
  name: Name,
): SchemaRules[Name] | undefined {
  return layers.find((layer) => layer[name] !== undefined)?.[name];
}

/** Returns the first example of a value, from `examples` or from OpenAPI's `example`. */
export function exampleOf(layers: readonly SchemaRules[]): JsonValue | undefined {
  const layer = layers.find(({ examples, example }) => (examples ?? example) !== undefined);
  return layer?.examples === undefined ? layer?.example : layer.examples[0];
}

/** Returns whether a schema is an object. `true` and `false` describe nothing. */
export function isDescribed({ source }: SchemaRules): boolean {
  return isJsonObject(source);
}
