import { boundedText, isJsonObject, type TextBudget } from "../../json/jsonValue";
import { branchNames } from "../branchNames";
import { layersOf, type SchemaRules } from "../schemaRules";
import { type Pair, pairsOf } from "./pairs";

/** One branch of `oneOf` or `anyOf`. */
interface SchemaOption {
  /** The name that is shown, unique among the branches. */
  readonly name: string;
  /** The text by which the branch is found in the other version; undefined if it has no property, title or type for it. */
  readonly key: string | undefined;
  readonly schema: SchemaRules;
}

/** The branches of one keyword of one schema. */
export interface OptionList {
  readonly keyword: "oneOf" | "anyOf";
  readonly options: readonly SchemaOption[];
}

/** Lists the branches of a value for each `oneOf` and `anyOf`. All lists apply to the value. */
export function optionLists(layers: readonly SchemaRules[]): readonly OptionList[] {
  return layers.flatMap((layer) =>
    (["oneOf", "anyOf"] as const).flatMap((keyword) => {
      const list = layer[keyword];
      return list === undefined ? [] : [{ keyword, options: optionsOf(list) }];
    }),
  );
}

function optionsOf(list: readonly SchemaRules[]): readonly SchemaOption[] {
  const compared = list.slice(0, maxOptions + 1);
  const isOnly = compared.length === 1;
  const names = branchNames(
    compared,
    (schema, number) => (isOnly ? keyOf(schema) : plainType(schema)) ?? String(number),
  );
  return compared.map((schema, index) => ({
    name: names[index] ?? "",
    key: keyOf(schema),
    schema,
  }));
}

/** The maximum number of compared branches in a list. */
const maxOptions = 300;

/** Returns whether a list has more branches than can be compared. */
export function isTooMany({ options }: OptionList): boolean {
  return options.length > maxOptions;
}

// Between versions, a constant property that data carries is changed less often than a title.
function keyOf(option: SchemaRules): string | undefined {
  return layersOf([option])
    .map((layer) => discriminatorOf(layer) ?? (layer.title?.trim() || plainType(layer)))
    .find((name) => name);
}

/** Returns the only type that a branch allows, unless it is `object`. */
function plainType({ types = [] }: SchemaRules): string | undefined {
  return types.length === 1 && types[0] !== "object" ? types[0] : undefined;
}

function discriminatorOf({ properties }: SchemaRules): string | undefined {
  for (const [name, { const: value }] of properties ?? []) {
    if (typeof value === "string") return `${name}: ${value}`;
  }
  return undefined;
}

/**
 * Pairs the branches of two lists: first by name, then branches without a name by equal text, then the rest in order.
 */
export function optionPairs(
  before: readonly SchemaOption[],
  after: readonly SchemaOption[],
  budget: TextBudget,
): readonly Pair<SchemaOption>[] {
  const texts = new Map(
    [...before, ...after]
      .filter(({ key }) => key === undefined)
      .map((option) => [option, boundedText(option.schema.source, budget)]),
  );
  return pairsOf(
    before,
    after,
    ({ key }) => key,
    (option) => texts.get(option),
    ({ key }) => (key === undefined ? "" : undefined),
  );
}

type Layers = readonly SchemaRules[];

/**
 * Replaces branches that each state only a type, or only a constant, by one list of types or values, so that both
 * notations compare as equal. If one side has other branches, changes neither side; then the branches are compared one
 * by one.
 */
export function plainAlternatives(before: Layers, after: Layers): [Layers, Layers] {
  const [old, now] = [before.map(withoutPlain), after.map(withoutPlain)];
  return [...old, ...now].some(hasAlternatives) ? [before, after] : [old, now];
}

function hasAlternatives({ anyOf, oneOf }: SchemaRules): boolean {
  return (anyOf ?? oneOf) !== undefined;
}

function withoutPlain(layer: SchemaRules): SchemaRules {
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const { [keyword]: options, ...rest } = layer;
    if (options === undefined) continue;
    const typed = rest.types === undefined ? onlyOf("type", options) : undefined;
    const types = typed?.flatMap(({ types = [] }) => types);
    // An integer would match both `integer` and `number`, which `oneOf` rejects.
    const overlap = keyword === "oneOf" && types?.includes("integer") && types.includes("number");
    if (types !== undefined && !overlap) return { ...rest, types };
    const constants = rest.enum === undefined ? onlyOf("const", options) : undefined;
    if (constants !== undefined) {
      return { ...rest, enum: constants.map(({ const: value }) => value ?? null) };
    }
  }
  return layer;
}

/** Returns the branches if each has this keyword and no other keyword that can reject a value. */
function onlyOf(
  keyword: "type" | "const",
  options: readonly SchemaRules[],
): readonly SchemaRules[] | undefined {
  const isOnly = ({ source }: SchemaRules) =>
    isJsonObject(source) &&
    Object.hasOwn(source, keyword) &&
    Object.keys(source).every((name) => name === keyword || annotations.has(name));
  return options.every(isOnly) ? options : undefined;
}

const annotations = new Set(["title", "description", "$comment", "examples"]);
