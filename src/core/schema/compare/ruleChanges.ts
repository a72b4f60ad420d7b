import { boundedText, type JsonValue, type TextBudget } from "../../json/jsonValue";
import type { SchemaLayers, SchemaRules } from "../schemaRules";
import { limitChanges } from "./limitChanges";
import type { SchemaChange } from "./schemaChange";
import { typeChanges, valueListChanges } from "./typeChanges";

/** A difference at one value, before the value's path is known. */
export type RuleChange = Omit<SchemaChange, "path">;

type Layers = readonly SchemaRules[];

const wording = "wording";

/** How each field of the model is compared. One that is left out does not compile, so that none is passed over. */
const sorts = {
  types: "own",
  const: "own",
  hasConst: "own",
  enum: "own",
  minimum: "own",
  maximum: "own",
  exclusiveMinimum: "own",
  exclusiveMaximum: "own",
  multipleOf: "own",
  minLength: "own",
  maxLength: "own",
  minItems: "own",
  maxItems: "own",
  minProperties: "own",
  maxProperties: "own",
  uniqueItems: "own",
  // Of these only the presence and the value can be compared, not how strict they are.
  pattern: "whole",
  format: "whole",
  contentEncoding: "whole",
  contentMediaType: "whole",
  dependentRequired: "whole",
  // They reject nothing, but a caller who leaves a value out gets another one, or soon none.
  default: "annotation",
  deprecated: "annotation",
  readOnly: "annotation",
  writeOnly: "annotation",
  // The walk compares what stands below them, and the layers of a value as one.
  never: "walk",
  reference: "walk",
  allOf: "walk",
  required: "walk",
  properties: "walk",
  patternProperties: "walk",
  additionalProperties: "walk",
  unevaluatedProperties: "walk",
  propertyNames: "walk",
  dependentSchemas: "walk",
  prefixItems: "walk",
  items: "walk",
  unevaluatedItems: "walk",
  contains: "walk",
  minContains: "walk",
  maxContains: "walk",
  anyOf: "walk",
  oneOf: "walk",
  not: "walk",
  if: "walk",
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: "walk",
  else: "walk",
  // What they hold is not compared, and said.
  leftOut: "unread",
  unresolved: "unread",
  omitted: "unread",
  hasDefault: wording,
  title: wording,
  description: wording,
  errorMessage: wording,
  examples: wording,
  example: wording,
  spelling: wording,
  id: wording,
  pointer: wording,
  resource: wording,
  source: wording,
} as const satisfies Record<keyof SchemaRules, Sort>;

type Sort = "own" | "whole" | "annotation" | "walk" | "unread" | "wording";

type OfSort<Wanted extends Sort> = {
  [Name in keyof typeof sorts]: (typeof sorts)[Name] extends Wanted ? Name : never;
}[keyof typeof sorts];

function ofSort<Wanted extends Sort>(wanted: Wanted): readonly OfSort<Wanted>[] {
  return (Object.keys(sorts) as OfSort<Wanted>[]).filter((name) => sorts[name] === wanted);
}

/** Compares the rules of two schemas for one value itself: type, allowed values, limits, other rules. */
export function ruleChanges(before: Layers, after: Layers, budget: TextBudget): RuleChange[] {
  const whole = (keyword: OfSort<"whole" | "annotation">) =>
    wholeRuleChange(keyword, before, after, budget);
  return [
    ...typeChanges(before, after),
    ...valueListChanges(before, after, budget),
    ...limitChanges(before, after),
    ...closureChanges(before, after),
    ...ofSort("whole").flatMap(whole),
    ...ofSort("annotation").flatMap((keyword) =>
      whole(keyword).map((change) => ({ ...change, kind: "changed" as const })),
    ),
  ];
}

function wholeRuleChange(
  keyword: OfSort<"whole" | "annotation">,
  before: Layers,
  after: Layers,
  budget: TextBudget,
): RuleChange[] {
  const [old, now] = [before, after].map((layers) =>
    layers
      .map((layer) => keywordValue(keyword, layer))
      .filter((value) => value !== undefined)
      .map((value) => ({ value, text: boundedText(value, budget) }))
      .sort((one, other) => (one.text < other.text ? -1 : 1)),
  ) as [Told[], Told[]];
  const textOf = (told: readonly Told[]) => told.map(({ text }) => text).join();
  if (textOf(old) === textOf(now)) return [];
  const [first, last] = [old[0], now[0]];
  return [
    {
      kind: first === undefined ? "tightened" : last === undefined ? "loosened" : "changed",
      keyword,
      ...(first !== undefined && { before: { [keyword]: first.value } }),
      ...(last !== undefined && { after: { [keyword]: last.value } }),
    },
  ];
}

interface Told {
  readonly value: JsonValue;
  readonly text: string;
}

/** The value of a keyword, as it is written in the schema. */
function keywordValue(
  keyword: OfSort<"whole" | "annotation">,
  rules: SchemaRules,
): JsonValue | undefined {
  if (keyword === "default") return rules.hasDefault ? rules.default : undefined;
  if (keyword !== "dependentRequired") return rules[keyword];
  return rules.dependentRequired && Object.fromEntries(rules.dependentRequired);
}

/** A schema as it is written. */
export function sourceOf({ source }: SchemaRules): JsonValue {
  return source as JsonValue;
}

/**
 * Tells what could not be compared of a value's schemas: references that lead out of them or nowhere, or to a
 * schema that depends on the way to it, and keywords that cannot be applied.
 */
export function unreadChanges(
  before: SchemaLayers,
  after: SchemaLayers,
  budget: TextBudget,
): RuleChange[] {
  const [old, now] = [before, after].map(({ unresolved }) =>
    [...new Set(unresolved)].sort().join(", "),
  );
  const isDynamic = [before, after].some(({ layers }) =>
    layers.some(({ reference }) => (reference?.overrides?.size ?? 0) > 0),
  );
  const keywords = new Set(
    [before, after].flatMap(({ layers }) =>
      layers.flatMap(({ leftOut = [], omitted = [], unresolved }) => [
        ...[...leftOut].filter((path) => unresolved === undefined || !path.startsWith("$")),
        ...[...omitted].map(([keyword]) => keyword),
      ]),
    ),
  );
  const valuesOf = (keyword: string, { layers }: SchemaLayers) =>
    boundedText(
      layers.map((layer) => (sourceOf(layer) as Sources)[keyword] ?? null),
      budget,
    );
  const unread = [...keywords]
    .map((path) => path.split("/")[0] ?? "")
    .filter((keyword) => keyword !== "" && valuesOf(keyword, before) !== valuesOf(keyword, after));
  return [
    ...(old || now
      ? [
          {
            kind: "unknown" as const,
            keyword: "$ref",
            ...(old && { before: { $ref: old } }),
            ...(now && { after: { $ref: now } }),
          },
        ]
      : []),
    ...(isDynamic ? ["$dynamicRef", ...unread] : unread).map((keyword) => ({
      kind: "unknown" as const,
      keyword,
    })),
  ];
}

type Sources = Readonly<Record<string, JsonValue>>;

/** Compares whether properties and items that are not described are allowed. */
function closureChanges(before: Layers, after: Layers): RuleChange[] {
  return [
    ...closureChange("additionalProperties", before, after, isClosedObject),
    ...closureChange("items", before, after, ({ items }) => items?.never === true),
  ];
}

/** Returns whether an object of this schema may have only described properties. */
function isClosedObject(layer: SchemaRules): boolean {
  return Boolean(layer.additionalProperties?.never || layer.unevaluatedProperties?.never);
}

/** Returns whether objects may have only described properties. */
export function closesObject(layers: Layers): boolean {
  return layers.some(isClosedObject);
}

function closureChange(
  keyword: string,
  before: Layers,
  after: Layers,
  isClosed: (layer: SchemaRules) => boolean,
): RuleChange[] {
  const [old, now] = [before.some(isClosed), after.some(isClosed)];
  if (old === now) return [];
  return now
    ? [{ kind: "tightened", keyword, after: { [keyword]: false } }]
    : [{ kind: "loosened", keyword, before: { [keyword]: false } }];
}
