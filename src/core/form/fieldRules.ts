import {
  boundedText,
  isJsonObject,
  type JsonType,
  type JsonValue,
  jsonTypeOf,
} from "../json/jsonValue";
import { allowedValues, likelyTypes, statedTypes } from "../schema/allowedValues";
import { branchNames } from "../schema/branchNames";
import { rulesHere, schemasBelow } from "../schema/complete/rulesAt";
import type { EvaluationBudget } from "../schema/evaluate/evaluationBudget";
import { likelyBranches } from "../schema/explain/likelyBranches";
import { keywordsWith } from "../schema/keywords";
import { describedNames, requiredInOrder } from "../schema/objectNames";
import { schemaType } from "../schema/schemaLimits";
import { firstOf, isDescribed, layersOf, type SchemaRules } from "../schema/schemaRules";
import type { Language } from "../text/language";

/** The rules of one value of a form, with the chosen alternatives. */
export interface FieldRules {
  /** All rules that apply, including those of the chosen alternatives. */
  readonly layers: readonly SchemaRules[];
  readonly unions: readonly RulesUnion[];
  /** The type of the value, or of a new one; undefined if any is allowed. */
  readonly type: JsonType | undefined;
  /** The allowed values and their names; undefined if the schema does not list them. */
  readonly options: readonly FieldOption[] | undefined;
}

/** A value that is allowed. */
export interface FieldOption {
  readonly value: JsonValue;
  /** Empty if the schema has none. */
  readonly title: string;
}

/** The alternatives of a value: schemas or types. */
interface RulesUnion {
  readonly branches: readonly SchemaRules[] | readonly JsonType[];
  /** The index of the alternative that the value matches; -1 if none. */
  readonly chosen: number;
}

/**
 * The maximum number of unions that are resolved for one value, since an alternative may contain another union. Further
 * ones are ignored.
 */
const maxUnions = 6;
/** The maximum number of alternatives of a union. Larger unions are ignored. */
const maxBranches = 100;

/** Finds the rules of an existing or missing value among all alternatives of its schemas. */
export function fieldRules(
  schemas: readonly SchemaRules[],
  value: JsonValue | undefined,
  budget: EvaluationBudget,
): FieldRules {
  let all = schemas;
  let layers = ownRules(all, value, budget);
  const unions: RulesUnion[] = [];
  const seen = new Set<readonly SchemaRules[]>();
  let titled: readonly FieldOption[] | undefined;
  for (let next = nextUnion(layers, seen); next !== undefined && unions.length < maxUnions; ) {
    const { keyword, rules, branches } = next;
    seen.add(branches);
    const options = titledOptions(branches);
    if (options !== undefined) titled ??= options;
    else {
      const chosen = chosenBranch(keyword, rules, value, budget);
      const firsts = firstOfEqual(branches);
      const different = branches.filter((branch) => firsts.get(branch) === branch);
      const first = chosen && firsts.get(chosen);
      if (different.length > 1) {
        unions.push({ branches: different, chosen: first ? different.indexOf(first) : -1 });
      }
      const shown = chosen ?? assumedBranch(branches, value);
      if (shown !== undefined && !layers.includes(shown)) {
        all = [...all, shown];
        layers = ownRules(all, value, budget);
      }
    }
    next = nextUnion(layers, seen);
  }
  const types = statedTypes(layers) ?? [];
  const ofValue = value === undefined ? undefined : typeAmong(types, value);
  if (types.length > 1 && allowedValues(layers) === undefined) {
    unions.push({ branches: types, chosen: ofValue === undefined ? -1 : types.indexOf(ofValue) });
  }
  const named = allowedValues(layers)?.map((allowedValue) => ({ value: allowedValue, title: "" }));
  const likely = likelyTypes(layers);
  return {
    layers,
    unions,
    type: ofValue ?? likely.find((type) => type !== "null") ?? likely[0],
    options: named ?? titled,
  };
}

/** Maps each alternative to the first one that allows the same values. They differ only in texts. */
function firstOfEqual(branches: readonly SchemaRules[]): ReadonlyMap<SchemaRules, SchemaRules> {
  const budget = { charactersLeft: maxCompared, exceeded: false };
  const firsts = new Map<string, SchemaRules>();
  return new Map(
    branches.map((branch) => {
      const sources = layersOf([branch]).map(({ source }) => withoutTexts(source));
      const text = boundedText(sources, budget);
      const first = firsts.get(text) ?? branch;
      if (budget.exceeded) return [branch, branch];
      firsts.set(text, first);
      return [branch, first];
    }),
  );
}

/** The maximum length of the alternatives of a union that are compared. */
const maxCompared = 100_000;

const texts: readonly string[] = [
  ...keywordsWith({ sort: "annotation", compared: "wording" }),
  "$comment",
];

function withoutTexts(source: unknown): unknown {
  if (!isJsonObject(source)) return source;
  return Object.fromEntries(Object.entries(source).filter(([name]) => !texts.includes(name)));
}

/** Lists the rules that apply. Omits `if` conditions, even true ones: as rules, they would forbid all other values. */
function ownRules(
  all: readonly SchemaRules[],
  value: JsonValue | undefined,
  budget: EvaluationBudget,
): readonly SchemaRules[] {
  const { own } = rulesHere({ all, options: [] }, { value, steps: [] }, budget);
  const conditions = own.flatMap((layer) => layer.if ?? []);
  if (conditions.length === 0) return own;
  const conditionRules = new Set(layersOf(conditions));
  return own.filter((layer) => !conditionRules.has(layer));
}

/** Lists the schemas of a member or item of a value. */
export function schemasOfMember(
  { layers }: FieldRules,
  step: string | number,
  budget: EvaluationBudget,
): readonly SchemaRules[] {
  return schemasBelow({ own: layers, options: [] }, step, budget).all;
}

/** Returns the labels of a union's alternatives: the names of its branches, or its types. */
export function branchLabels({ branches }: RulesUnion, language: Language): readonly string[] {
  const typeOf = (branch: SchemaRules) =>
    schemaType(layersOf([branch]), language) || language.t("any value");
  return isTypes(branches) ? branches : branchNames(branches, typeOf);
}

function isTypes(branches: RulesUnion["branches"]): branches is readonly JsonType[] {
  return typeof branches[0] === "string";
}

function nextUnion(layers: readonly SchemaRules[], seen: ReadonlySet<readonly SchemaRules[]>) {
  for (const rules of layers) {
    for (const keyword of ["oneOf", "anyOf"] as const) {
      const branches = rules[keyword];
      if (branches === undefined || seen.has(branches) || branches.length > maxBranches) continue;
      if (branches.length > 1 && branches.some(describesValue)) return { keyword, rules, branches };
    }
  }
  return undefined;
}

/**
 * Returns whether a branch describes the value. A branch that only requires members needs no choice, since the check
 * reports missing members.
 */
function describesValue(branch: SchemaRules): boolean {
  return layersOf([branch]).some(
    (layer) =>
      (layer.types ??
        layer.properties ??
        layer.const ??
        layer.enum ??
        layer.items ??
        layer.oneOf ??
        layer.anyOf) !== undefined || layer.const === null,
  );
}

/** Converts alternatives to options with titles. Undefined unless each allows exactly one value. */
function titledOptions(branches: readonly SchemaRules[]): readonly FieldOption[] | undefined {
  const options = branches.map((branch): FieldOption | undefined => {
    const layers = layersOf([branch]);
    const [value, ...others] = allowedValues(layers) ?? [];
    if (value === undefined || others.length > 0) return undefined;
    return { value, title: firstOf(layers, "title") ?? "" };
  });
  const found = options.filter((option) => option !== undefined);
  return found.length === branches.length ? found : undefined;
}

function chosenBranch(
  keyword: "anyOf" | "oneOf",
  rules: SchemaRules,
  value: JsonValue | undefined,
  budget: EvaluationBudget,
): SchemaRules | undefined {
  if (value === undefined) return undefined;
  const likely = likelyBranches(keyword, rules, { value, steps: [] }, budget);
  const fitting = likely.filter((branch) => budget.fits([branch], value));
  // A listed value would also fit an alternative that allows any text.
  const listing = fitting.find((branch) => allowedValues(layersOf([branch])) !== undefined);
  return listing ?? fitting[0] ?? likely[0];
}

/**
 * Returns the alternative assumed for a missing value: the first. Undefined for an existing value, and if the type of
 * the first alternative is unknown or may be an object or a list.
 */
function assumedBranch(
  branches: readonly SchemaRules[],
  value: JsonValue | undefined,
): SchemaRules | undefined {
  const [first] = branches;
  if (value !== undefined || first === undefined || !isDescribed(first)) return undefined;
  const types = likelyTypes(layersOf([first]));
  return types.some((type) => type === "object" || type === "array") ? undefined : first;
}

function typeAmong(types: readonly JsonType[], value: JsonValue): JsonType | undefined {
  const actual = jsonTypeOf(value);
  if (types.includes(actual)) return actual;
  return actual === "integer" && types.includes("number") ? "number" : undefined;
}

/** Lists the members named by an object's rules: required ones first, otherwise in the schema's order. */
export function namedMembers(layers: readonly SchemaRules[]): readonly string[] {
  const required = requiredInOrder(layers);
  return [...new Set([...required, ...describedNames(layers)])];
}

/** Returns whether an object may have members that its rules do not name. */
export function allowsNewMembers(layers: readonly SchemaRules[]): boolean {
  if (layers.some(({ additionalProperties }) => additionalProperties?.never)) {
    return layers.some(({ patternProperties }) => patternProperties !== undefined);
  }
  const isMap = ({ additionalProperties, patternProperties }: SchemaRules) =>
    additionalProperties !== undefined || patternProperties !== undefined;
  return layers.some(isMap) || namedMembers(layers).length === 0;
}
