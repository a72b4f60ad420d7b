import { childAt } from "../../json/jsonPointer";
import { isJsonObject, type JsonValue } from "../../json/jsonValue";
import { fitsSchema } from "../evaluate/evaluateSchema";
import type { EvaluationBudget } from "../evaluate/evaluationBudget";
import { likelyBranches, type WrittenValue } from "../explain/likelyBranches";
import { rulesBelow } from "../rulesBelow";
import { isDescribed, type SchemaRules } from "../schemaRules";
import { describesObject } from "./valueSnippets";

/** Schemas that all apply to a value (`all`), and groups of schemas that may apply too (`options`). */
export interface OpenSchemas {
  readonly all: readonly SchemaRules[];
  readonly options: readonly (readonly SchemaRules[])[];
}

/** The rules of one value, and those of the branches that its text still allows. */
export interface RulesHere {
  /** Rules that all apply. */
  readonly own: readonly SchemaRules[];
  /** Rules that may apply as well, such as those of a branch. */
  readonly options: readonly RulesOption[];
}

/** Rules that may apply to a value. */
interface RulesOption {
  readonly own: readonly SchemaRules[];
  /** Whether the rules describe only a part of an object that other rules describe too. */
  readonly isPart: boolean;
}

/** The maximum number of branches that completion considers. */
const maxOptions = 500;

/**
 * Finds the rules of a value, including those behind references, `allOf`, conditions, and the branches that the written
 * part of the value still allows. Without a value, all branches are allowed.
 */
export function rulesHere(
  { all, options: groups }: OpenSchemas,
  here: WrittenValue,
  budget: EvaluationBudget,
): RulesHere {
  const { value } = here;
  const options = new Map<string, RulesOption>();
  const gather = (
    list: readonly SchemaRules[],
    seen: ReadonlySet<SchemaRules>,
    isPart: boolean,
  ) => {
    const own = new Set<SchemaRules>();
    const lists: (readonly SchemaRules[])[] = [];
    const open = [...list].reverse();
    for (let rules = open.pop(); rules !== undefined; rules = open.pop()) {
      if (own.has(rules) || seen.has(rules) || !isDescribed(rules)) continue;
      own.add(rules);
      const next = [rules.reference?.target, ...(rules.allOf ?? []), ...dependent(rules, value)];
      for (const part of next.reverse()) if (part !== undefined) open.push(part);
      for (const keyword of ["anyOf", "oneOf"] as const) {
        const likely = likelyBranches(keyword, rules, here, budget);
        if (likely.length === 1 && value !== undefined) open.push(...likely);
        else lists.push(likely);
      }
      const condition = conditionOf(rules, value, budget);
      open.push(...condition.own);
      lists.push(condition.options);
    }
    const above = new Set([...seen, ...own]);
    const arePart = isPart || describesObject([...own]);
    for (const branch of lists.flat()) if (!branch.never) add([branch], above, arePart);
    return [...own];
  };
  const add = (list: readonly SchemaRules[], seen: ReadonlySet<SchemaRules>, isPart: boolean) => {
    const key = list.map(({ pointer, id }) => pointer ?? id).join(" ");
    if (options.has(key) || options.size >= maxOptions) return;
    // Add an entry before its rules are known. So a schema that contains itself ends here, and outer branches precede
    // inner ones.
    options.set(key, { own: [], isPart });
    options.set(key, { own: gather(list, seen, isPart), isPart });
  };
  const own = gather(all, new Set(), false);
  for (const group of groups) add(group, new Set(own), false);
  return { own, options: [...options.values()] };
}

/** Lists the schemas of `dependentSchemas` for the names that the value has. */
function dependent({ dependentSchemas }: SchemaRules, value: JsonValue | undefined): SchemaRules[] {
  if (dependentSchemas === undefined || !isJsonObject(value)) return [];
  return [...dependentSchemas].flatMap(([name, rules]) =>
    Object.hasOwn(value, name) ? [rules] : [],
  );
}

/**
 * Returns the schemas of a condition that apply, and as options those that may apply after further typing: `if` while
 * the condition is false, `then` and `else` while it is undecided.
 */
function conditionOf(
  { if: condition, then, else: otherwise }: SchemaRules,
  value: JsonValue | undefined,
  budget: EvaluationBudget,
): { own: readonly SchemaRules[]; options: readonly SchemaRules[] } {
  const listed = (...all: (SchemaRules | undefined)[]) =>
    all.filter((rules) => rules !== undefined);
  if (condition === undefined) return { own: [], options: [] };
  const holds = value === undefined ? undefined : fitsSchema(budget.schemaAt(condition), value);
  if (holds === undefined) return { own: [], options: listed(then, otherwise) };
  return holds
    ? { own: listed(condition, then), options: [] }
    : { own: listed(otherwise), options: [condition] };
}

/** Finds the schemas that apply, or may apply, to the value at some steps below a root value. */
export function schemasAt(
  root: SchemaRules,
  whole: JsonValue | undefined,
  steps: readonly (string | number)[],
  budget: EvaluationBudget,
): OpenSchemas {
  let found: OpenSchemas = { all: [root], options: [] };
  let value = whole;
  for (const [depth, step] of steps.entries()) {
    const here = { value, steps: steps.slice(depth) };
    found = schemasBelow(rulesHere(found, here, budget), step, budget);
    value = childAt(value, step);
  }
  return found;
}

/** Finds the schemas for a member of a value with these rules. */
export function schemasBelow(
  { own, options }: RulesHere,
  step: string | number,
  budget: EvaluationBudget,
): OpenSchemas {
  const groups = options.map((option) => below(option.own, step, budget));
  return { all: below(own, step, budget), options: groups.filter(({ length }) => length > 0) };
}

/** Lists all rules of a value and of its allowed branches. */
export function layersIn({ own, options }: RulesHere): readonly SchemaRules[] {
  return [...new Set([...own, ...options.flatMap((option) => option.own)])];
}

function below(
  layers: readonly SchemaRules[],
  step: string | number,
  budget: EvaluationBudget,
): readonly SchemaRules[] {
  const isName = typeof step === "string";
  const found = [
    ...rulesBelow(layers, step, budget),
    ...(isName ? [] : layers.flatMap(({ contains }) => contains ?? [])),
  ];
  const rest = isName ? "unevaluatedProperties" : "unevaluatedItems";
  return found.length > 0 ? found : layers.flatMap((layer) => layer[rest] ?? []);
}

/** Returns the value at some steps below a root value. */
export function valueAtSteps(
  whole: JsonValue | undefined,
  steps: readonly (string | number)[],
): JsonValue | undefined {
  return steps.reduce(childAt, whole);
}
