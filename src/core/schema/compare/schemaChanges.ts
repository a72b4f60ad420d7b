import {
  boundedText,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type TextBudget,
} from "../../json/jsonValue";
import {
  type DecidingKeyword,
  decidingKeywords,
  type Keyword,
  type KeywordWith,
  keywordNames,
  rowOf,
} from "../keywords";
import { readSchema } from "../read/readSchema";
import { dialectOf, type SchemaLayers, type SchemaRules, schemaLayers } from "../schemaRules";
import { compilableSize, exceededLimit, type SizeLimits } from "../schemaSize";
import { matchCountChanges } from "./limitChanges";
import { pairsOf } from "./pairs";
import { closesObject, ruleChanges, sourceOf, unreadChanges } from "./ruleChanges";
import { changeOf, type RuleChange, type SchemaChange, type SchemaStep } from "./schemaChange";
import {
  isTooMany,
  type OptionList,
  optionLists,
  optionPairs,
  plainAlternatives,
} from "./schemaOptions";
import { dependentParts, namedProperties, otherParts, renamedProperties } from "./valueParts";

/**
 * Lists how a schema differs from an earlier one, with at least one change if they differ at all. Accepts any dialect
 * and follows `$ref`s inside a schema. Time and size are bounded. Uncompared parts are changes of the kind `unknown`.
 */
export function schemaChanges(before: JsonValue, after: JsonValue): readonly SchemaChange[] {
  if (jsonEqual(before, after, compilableSize.values)) return [];
  if (exceededLimit(before, comparableSize) ?? exceededLimit(after, comparableSize))
    return [tooLarge];
  const [old, now] = [readSchema(before), readSchema(after)];
  const walk: Walk = {
    budget: { charactersLeft: maxCharacters, exceeded: false },
    changes: [],
    compared: new Set(),
    membersLeft: maxMembers,
    complete: true,
  };
  if (dialectAt(before) !== dialectAt(after)) {
    walk.changes.push({ kind: "changed", path: [], keyword: "$schema" });
  }
  compare([old.root], [now.root], { path: [] }, walk);
  if (!walk.complete || walk.budget.exceeded) walk.changes.push(tooLarge);
  return walk.changes.length > 0
    ? walk.changes
    : [{ kind: "changed", path: [], keyword: "description" }];
}

const tooLarge: SchemaChange = { kind: "unknown", path: [], keyword: "" };

function dialectAt(schema: JsonValue): unknown {
  const uri = (schema as JsonObject | null)?.["$schema"];
  return dialectOf(uri) ?? uri;
}

/** The maximum size of schemas that are compared in detail. The editor waits for the result. */
const comparableSize: SizeLimits = {
  depth: Number.POSITIVE_INFINITY,
  values: 20_000,
  characters: 1_000_000,
  path: 10_000,
};
/** The maximum number of members in all layers of all values. A person waits before consenting to a new version. */
const maxMembers = 40_000;
/** The maximum length of all values, such as constants, that are compared as text. */
const maxCharacters = 400_000;
/** The maximum number of changes. Nobody reads more. Beyond it, the result states that it is incomplete. */
const maxChanges = 500;
/** The maximum depth of recursion. */
const maxDepth = 100;

interface Walk {
  readonly budget: TextBudget;
  readonly changes: SchemaChange[];
  /**
   * Pairs that need no further comparison: pairs without a difference, and pairs that an outer call is comparing, since
   * a schema may contain itself.
   */
  readonly compared: Set<string>;
  membersLeft: number;
  complete: boolean;
}

type Schemas = readonly SchemaRules[];

/** The value whose schemas are compared. */
interface ComparedValue {
  readonly path: readonly SchemaStep[];
  /** True below `not` and `if`, where a stricter schema may loosen the whole. */
  readonly isNegated?: boolean;
}

function below(
  { path, isNegated = false }: ComparedValue,
  step: SchemaStep,
  negates = false,
): ComparedValue {
  return { path: [...path, step], isNegated: isNegated || negates };
}

function add(walk: Walk, { path, isNegated }: ComparedValue, changes: readonly RuleChange[]): void {
  for (const change of changes) {
    walk.changes.push({ ...change, path, ...(isNegated && { isNegated }) });
  }
}

function compare(before: Schemas, after: Schemas, value: ComparedValue, walk: Walk): void {
  if (walk.membersLeft < 0 || value.path.length > maxDepth || walk.changes.length >= maxChanges) {
    walk.complete = false;
    return;
  }
  const most = walk.membersLeft + 1;
  const old = schemaLayers(before, undefined, most);
  const now = schemaLayers(after, undefined, most);
  for (const layer of [...old.layers, ...now.layers]) walk.membersLeft -= membersIn(layer);
  if (walk.membersLeft < 0 || !old.isComplete || !now.isComplete) {
    walk.complete = false;
    return;
  }
  if (old.impossible || now.impossible) {
    if (old.impossible && now.impossible) return;
    add(walk, value, [{ kind: now.impossible ? "tightened" : "loosened", keyword: "false" }]);
    return;
  }
  const pair = `${identityOf(old)} ${identityOf(now)}`;
  if (walk.compared.has(pair)) return;
  walk.compared.add(pair);
  const count = walk.changes.length;
  add(walk, value, unreadChanges(old, now, walk.budget));
  const plain = plainAlternatives(old.layers, now.layers);
  add(walk, value, ruleChanges(...plain, walk.budget));
  for (const comparePart of parts) comparePart(...plain, value, walk);
  if (walk.changes.length > count || !walk.complete) walk.compared.delete(pair);
}

/**
 * Returns a key for the compared layers of a value. A schema that only refers to another has the same key as the other.
 */
function identityOf({ layers }: SchemaLayers): string {
  const identifying = layers.filter(
    (layer) =>
      layer.omitted !== undefined || identifyingKeywords.some((name) => layer[name] !== undefined),
  );
  return identifying.map(({ id }) => id).join();
}

const identifyingKeywords = keywordNames.filter((keyword) => rowOf(keyword).compared !== "wording");

/** Counts the members of a schema that are visited for each value it applies to. */
function membersIn(layer: SchemaRules): number {
  const sizes = listing.map((keyword) => {
    const members = layer[keyword];
    return members === undefined ? 1 : "size" in members ? members.size : members.length;
  });
  return sizes.reduce((sum, size) => sum + size, 1);
}

const listingValues = ["types", "list", "texts", "textsMap", "schemas", "schemaMap"] as const;

type ListingValues = (typeof listingValues)[number];

const listing = decidingKeywords.filter(
  (keyword): keyword is KeywordWith<{ holds: ListingValues }> & DecidingKeyword =>
    // The schemas of `allOf` are layers themselves.
    keyword !== "allOf" && (listingValues as readonly string[]).includes(rowOf(keyword).holds),
);

type ComparePart = (before: Schemas, after: Schemas, value: ComparedValue, walk: Walk) => void;

/**
 * The comparison for each keyword that applies subschemas, in order. A keyword that is compared together with another
 * one has the name of that keyword instead of a function.
 */
const partComparisons: Readonly<
  Record<KeywordWith<{ sort: "applicator" }>, ComparePart | Keyword>
> = {
  properties: compareProperties,
  items: compareOthers,
  prefixItems: "items",
  additionalProperties: "items",
  patternProperties: "items",
  propertyNames: compareTogether("propertyNames"),
  unevaluatedProperties: compareTogether("unevaluatedProperties"),
  unevaluatedItems: compareTogether("unevaluatedItems"),
  dependentSchemas: compareDependent,
  not: (...given) => void comparePairs("not", ...given),
  if: compareConditions,
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: "if",
  else: "if",
  contains: compareContained,
  oneOf: compareOptions,
  anyOf: "oneOf",
  // The schemas of `allOf` are already layers of the value.
  allOf: () => {},
};

const parts = Object.values(partComparisons).filter((compare) => typeof compare === "function");

function compareProperties(
  before: Schemas,
  after: Schemas,
  value: ComparedValue,
  walk: Walk,
): void {
  const keyword = "properties";
  const [old, now] = [namedProperties(before, walk), namedProperties(after, walk)];
  const added = [...now].filter(([name]) => !old.has(name));
  const removed = [...old].filter(([name]) => !now.has(name));
  const renamed = renamedProperties(removed, added);
  const isRefused = closesObject(after);
  for (const [name, { step, schemas, required }] of old) {
    const later = now.get(name);
    const at = below(value, step);
    if (later === undefined) {
      const change = changeOf(keyword, { [name]: ruleAt(schemas) }, undefined, "removed");
      const newName = renamed.get(name);
      add(walk, at, [
        { ...change, required, isRefused, ...(newName !== undefined && { newName }) },
      ]);
      continue;
    }
    if (required !== later.required) {
      const kind = later.required ? "tightened" : "loosened";
      add(walk, at, [{ kind, keyword: "required", required: later.required }]);
    }
    compare(schemas, later.schemas, at, walk);
  }
  for (const [name, { step, schemas, required }] of added) {
    const change = changeOf(keyword, undefined, { [name]: ruleAt(schemas) }, "added");
    add(walk, below(value, step), [{ ...change, required }]);
  }
}

function ruleAt([first]: Schemas): JsonValue {
  return first === undefined ? true : sourceOf(first);
}

// If only one side has a part, the other side allows any value for it.
function compareOthers(before: Schemas, after: Schemas, value: ComparedValue, walk: Walk): void {
  const prefixLength = Math.max(
    ...[...before, ...after].map((it) => it.prefixItems?.length ?? 0),
    0,
  );
  const [old, now] = [otherParts(before, prefixLength), otherParts(after, prefixLength)];
  for (const [key, { step }] of new Map([...old, ...now])) {
    const [earlier, later] = [old, now].map((parts) => parts.get(key)?.schemas ?? []);
    // The comparison of the value's own keywords already reports a list or object that allows no other members.
    const isClosed = [earlier, later].some((schemas) => schemas?.some(({ never }) => never));
    if (isClosed && (key === "items" || key === "others")) continue;
    compare(earlier ?? [], later ?? [], below(value, step), walk);
  }
}

/** Compares a keyword whose subschemas all apply at once. */
function compareTogether(
  keyword: "propertyNames" | "unevaluatedProperties" | "unevaluatedItems",
): ComparePart {
  return (before, after, value, walk) => {
    const [old, now] = [before, after].map((layers) => layers.flatMap((it) => it[keyword] ?? []));
    const isClosed = [...(old ?? []), ...(now ?? [])].some(({ never }) => never);
    if (isClosed && keyword === "unevaluatedProperties") return;
    compareAt(old ?? [], now ?? [], below(value, { to: "rule", keyword }), walk);
  };
}

function compareDependent(before: Schemas, after: Schemas, value: ComparedValue, walk: Walk): void {
  const [old, now] = [before, after].map(dependentParts);
  for (const name of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
    const step = { to: "rule", keyword: "dependentSchemas", name } as const;
    compareAt(old?.get(name) ?? [], now?.get(name) ?? [], below(value, step), walk);
  }
}

function compareConditions(
  before: Schemas,
  after: Schemas,
  value: ComparedValue,
  walk: Walk,
): void {
  for (const [layerBefore, layerAfter] of comparePairs("if", before, after, value, walk)) {
    for (const keyword of ["then", "else"] as const) {
      const step = { to: "rule", keyword } as const;
      compareAt(
        listOf(layerBefore[keyword]),
        listOf(layerAfter[keyword]),
        below(value, step),
        walk,
      );
    }
  }
}

function compareContained(before: Schemas, after: Schemas, value: ComparedValue, walk: Walk): void {
  for (const [layerBefore, layerAfter] of comparePairs("contains", before, after, value, walk)) {
    add(walk, value, matchCountChanges(layerBefore, layerAfter));
  }
}

function compareAt(before: Schemas, after: Schemas, value: ComparedValue, walk: Walk): void {
  if (before.length + after.length > 0) compare(before, after, value, walk);
}

function listOf(rules: SchemaRules | undefined): Schemas {
  return rules === undefined ? [] : [rules];
}

/**
 * Compares the subschemas of a keyword that each layer applies independently. Pairs subschemas of equal text first.
 * Returns the paired layers.
 */
function comparePairs(
  keyword: "not" | "if" | "contains",
  before: Schemas,
  after: Schemas,
  value: ComparedValue,
  walk: Walk,
): readonly (readonly [SchemaRules, SchemaRules])[] {
  const [old, now] = [before, after].map((layers) => layers.filter((it) => it[keyword]));
  const textOf = (layer: SchemaRules) =>
    boundedText(
      [layer[keyword], layer.then, layer.else].map((it) => it?.source),
      walk.budget,
    );
  const step = { to: "rule", keyword } as const;
  return pairsOf(old ?? [], now ?? [], textOf, () => "").flatMap(
    ({ before: layerBefore, after: layerAfter }) => {
      const [rulesBefore, rulesAfter] = [layerBefore?.[keyword], layerAfter?.[keyword]];
      if (!layerBefore || !layerAfter || !rulesBefore || !rulesAfter) {
        add(walk, value, [
          changeOf(
            keyword,
            rulesBefore && sourceOf(rulesBefore),
            rulesAfter && sourceOf(rulesAfter),
          ),
        ]);
        return [];
      }
      compare([rulesBefore], [rulesAfter], below(value, step, keyword !== "contains"), walk);
      return [[layerBefore, layerAfter] as const];
    },
  );
}

function compareOptions(before: Schemas, after: Schemas, value: ComparedValue, walk: Walk): void {
  const keyword = "oneOf";
  const [old, now] = [optionLists(before), optionLists(after)];
  if ([...old, ...now].some(isTooMany)) walk.complete = false;
  const textOf = ({ keyword: name, options }: OptionList) =>
    boundedText([name, options.map(({ schema }) => schema.source)], walk.budget);
  const nameOf = (list: OptionList) => list.keyword;
  for (const pair of pairsOf(old, now, textOf, nameOf, () => "")) {
    if (pair.before === undefined || pair.after === undefined) {
      add(walk, value, [{ kind: pair.after === undefined ? "loosened" : "tightened", keyword }]);
      continue;
    }
    if (pair.before.keyword !== pair.after.keyword) {
      const kind = pair.after.keyword === "oneOf" ? "tightened" : "loosened";
      add(walk, value, [{ kind, keyword: "anyOf" }]);
    }
    const { options: earlier } = pair.before;
    for (const option of optionPairs(earlier, pair.after.options, walk.budget)) {
      const { before: from, after: to } = option;
      const at = below(value, { to: "option", name: (to ?? from)?.name ?? "" });
      if (from !== undefined && to !== undefined) compare([from.schema], [to.schema], at, walk);
      else add(walk, at, [{ kind: to === undefined ? "removed" : "added", keyword }]);
    }
  }
}
