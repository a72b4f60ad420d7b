import { pointerSteps } from "../json/jsonPointer";
import type { JsonObject, JsonValue } from "../json/jsonValue";
import { type LocalizableText, l10nText } from "../text/language";
import { type Keyword, keywordNames } from "./keywords";
import { type ReadSchema, readSchema } from "./read/readSchema";
import { isDescribed, type SchemaRules } from "./schemaRules";
import { writtenName, writtenValue } from "./writeSchema";

/** Keywords that clients reject at the root of a tool's schema. */
const rejectedAtRoot = ["oneOf", "anyOf", "allOf", "not", "if", "enum", "const"] as const;

/** Keywords that are not part of JSON Schema, or that are written as another keyword. */
export const keywordsNotInTools: readonly Keyword[] = ["errorMessage", "example"];

/** Keywords that may have the value `false`. For other keywords, some clients expect an object. */
const mayBeFalse: readonly Keyword[] = ["additionalProperties", "unevaluatedProperties"];

/**
 * Writes a schema for a tool so that every client can read it: an object at its root, draft 2020-12 without
 * identifiers, references only to `$defs`. Undefined if that is impossible: the root is not for objects alone or has a
 * keyword that clients reject, a part cannot be applied or is outside of the schema, or clients reject a name.
 */
export function portableSchema(schema: JsonValue | undefined): JsonObject | undefined {
  const read = readSchema(schema);
  if (obstacleIn(read) !== undefined) return undefined;
  const { root, all } = read;
  const names = definitionNames(root, all);
  const reference = (rules: SchemaRules) =>
    rules === root ? "#" : `#/$defs/${names.get(rules) ?? ""}`;
  const definitions = [...names].map(([rules, name]) => [name, written(rules, reference)] as const);
  return {
    ...written(root, reference),
    ...(definitions.length > 0 && { $defs: Object.fromEntries(definitions) }),
  };
}

/** Returns why `portableSchema` cannot write a schema; undefined if it can. */
export function whyNotPortable(schema: JsonValue | undefined): LocalizableText | undefined {
  return obstacleIn(readSchema(schema));
}

function obstacleIn({ root, all, defects, refusal }: ReadSchema): LocalizableText | undefined {
  if (refusal !== undefined || defects.count > 0) {
    return l10nText("a part of its input schema cannot be applied");
  }
  const isOfObjects = root.types?.length === 1 && root.types[0] === "object";
  if (!isOfObjects) return l10nText("its payload is not always an object");
  const keyword = rejectedAtRoot.find((name) => root[name] !== undefined);
  if (keyword !== undefined)
    return l10nText("its input schema has {keyword} at its root", { keyword });
  return all.every(isPortable)
    ? undefined
    : l10nText("its input schema has references or names of properties that clients reject");
}

const isName = /^[A-Za-z0-9_.-]{1,64}$/;

function isPortable({ resource, reference, properties, dependentSchemas }: SchemaRules): boolean {
  const names = [...(properties?.keys() ?? []), ...(dependentSchemas?.keys() ?? [])];
  return (
    resource.document.isOwn &&
    (reference === undefined || reference.keyword === "$ref") &&
    names.every((name) => isName.test(name))
  );
}

/**
 * Names referenced schemas: by the last segment of their pointer if that is a valid and unused name, otherwise by their
 * ID.
 */
function definitionNames(root: SchemaRules, all: readonly SchemaRules[]): Map<SchemaRules, string> {
  const names = new Map<SchemaRules, string>();
  const taken = new Set<string>();
  for (const target of all.flatMap(({ reference }) => reference?.target ?? [])) {
    if (target === root || names.has(target)) continue;
    const own = pointerSteps(target.pointer ?? "").at(-1) ?? "";
    const name = isName.test(own) && !taken.has(own) ? own : `part-${target.id}`;
    names.set(target, name);
    taken.add(name);
  }
  return names;
}

function written(rules: SchemaRules, referenceTo: (rules: SchemaRules) => string): JsonObject {
  if (rules.never) return { not: {} };
  if (!isDescribed(rules)) return {};
  const { reference, example } = rules;
  const members: [string, JsonValue][] = [];
  if (reference !== undefined) members.push(["$ref", referenceTo(reference.target)]);
  for (const keyword of keywordNames) {
    if (keywordsNotInTools.includes(keyword)) continue;
    const value = writtenValue(keyword, rules, (below) =>
      below.never === true && mayBeFalse.includes(keyword) ? false : written(below, referenceTo),
    );
    if (value !== undefined) members.push([writtenName(keyword), value]);
  }
  if (example !== undefined && rules.examples === undefined) members.push(["examples", [example]]);
  // Some clients reject an array schema without `items`.
  if (rules.types?.includes("array") && rules.items === undefined) members.push(["items", {}]);
  return Object.fromEntries(members);
}
