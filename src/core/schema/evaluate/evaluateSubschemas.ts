import { findEqualItems, type JsonObject } from "../../json/jsonValue";
import type { BoundKeyword } from "../bounds";
import type { Keyword, KeywordWith } from "../keywords";
import { isSince, type SchemaRules } from "../schemaRules";
import { chooseBranch } from "./chooseBranch";
import { keepsBounds } from "./evaluateScalar";
import { evaluateBelow, evaluateRules } from "./evaluateSchema";
import {
  childContext,
  type Evaluated,
  type EvaluationContext,
  type FailingKeyword,
  type Findings,
  fail,
  failValue,
  newFindings,
  quietContext,
  type SchemaFailure,
  stopIfLossy,
} from "./evaluation";

/** Applies a keyword, and the keywords that depend on it. Returns whether the value is valid. */
type ApplyKeyword<Value> = (
  rules: SchemaRules,
  value: Value,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
) => boolean;

/**
 * The function that applies each keyword, in the order of evaluation. A keyword that is applied together with another
 * one has the name of that keyword instead of a function.
 */
type ApplyByKeyword<Name extends Keyword, Value> = Readonly<
  Record<Name, ApplyKeyword<Value> | Keyword>
>;

/** The keywords for a type of value. `evaluateRules` applies the `unevaluated…` keywords at the end. */
type RulesFor<Of extends "array" | "object"> = Exclude<
  KeywordWith<{ of: Of }>,
  BoundKeyword | `unevaluated${string}`
>;

const objectRules: ApplyByKeyword<RulesFor<"object">, JsonObject> = {
  required: keepsRequired,
  dependentRequired: "required",
  propertyNames: keepsNames,
  properties: keepsProperties,
  patternProperties: "properties",
  additionalProperties: "properties",
  dependentSchemas: keepsDependentSchemas,
};

const arrayRules: ApplyByKeyword<RulesFor<"array">, readonly unknown[]> = {
  uniqueItems: keepsDifferent,
  prefixItems: "items",
  items: keepsItems,
  contains: keepsContained,
};

const combiningRules: ApplyByKeyword<KeywordWith<{ sort: "applicator"; of: "any" }>, unknown> = {
  allOf: keepsEvery,
  anyOf: (...given) => checkAlternatives("anyOf", ...given),
  oneOf: (...given) => checkAlternatives("oneOf", ...given),
  not: keepsNot,
  if: keepsCondition,
  // biome-ignore lint/suspicious/noThenProperty: the keyword has this name.
  then: "if",
  else: "if",
};

/** Applies the keywords for objects. */
export const evaluateObject: ApplyKeyword<JsonObject> = inOrder(
  (rules, value, context) =>
    keepsBounds("properties", rules, value, (it) => Object.keys(it).length, context),
  objectRules,
);

/** Applies the keywords for arrays. */
export const evaluateArray: ApplyKeyword<readonly unknown[]> = inOrder(
  (rules, value, context) => keepsBounds("items", rules, value, ({ length }) => length, context),
  arrayRules,
);

/** Applies `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export const evaluateCombining: ApplyKeyword<unknown> = inOrder(() => true, combiningRules);

/** Creates a function that applies keywords one after the other. Without findings, it stops at the first failure. */
function inOrder<Value>(
  first: ApplyKeyword<Value>,
  table: Readonly<Record<string, ApplyKeyword<Value> | Keyword>>,
): ApplyKeyword<Value> {
  const rest = Object.values(table).filter((keeps) => typeof keeps === "function");
  return (rules, value, context, evaluated) => {
    let accepts = first(rules, value, context, evaluated);
    for (const keeps of rest) {
      if (!accepts && context.findings === undefined) return false;
      accepts = keeps(rules, value, context, evaluated) && accepts;
    }
    return accepts;
  };
}

function keepsRequired(rules: SchemaRules, value: JsonObject, context: EvaluationContext): boolean {
  let accepts = true;
  const { path } = context;
  const missing = (failure: Pick<SchemaFailure, "keyword" | "name" | "given">) =>
    fail(context, () => ({ rules, path, value, at: "brace", ...failure }));
  for (const name of rules.required ?? []) {
    if (!Object.hasOwn(value, name)) accepts = missing({ keyword: "required", name });
  }
  for (const [trigger, names] of rules.dependentRequired ?? []) {
    if (!Object.hasOwn(value, trigger)) continue;
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue;
      accepts = missing({ keyword: "dependentRequired", name, given: trigger });
    }
  }
  return accepts;
}

function keepsNames(rules: SchemaRules, value: JsonObject, context: EvaluationContext): boolean {
  const { propertyNames } = rules;
  if (propertyNames === undefined) return true;
  let accepts = true;
  for (const name of Object.keys(value)) {
    if (evaluateBelow(propertyNames, name, quietContext(context))) continue;
    if (context.findings === undefined) return false;
    accepts = fail(context, () => {
      const because = newFindings(1);
      evaluateBelow(propertyNames, name, { ...context, findings: because });
      const keyword = "propertyNames";
      return {
        keyword,
        rules,
        path: context.path,
        value,
        at: "key",
        name,
        because: because.failures,
      };
    });
  }
  return accepts;
}

function keepsProperties(
  rules: SchemaRules,
  value: JsonObject,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const { properties, patternProperties, additionalProperties } = rules;
  if (!properties && !patternProperties && !additionalProperties) return true;
  let accepts = true;
  const apply = (below: SchemaRules, name: string, keyword: FailingKeyword) => {
    evaluated?.addProperty(name);
    if (below.never) {
      const path = context.path;
      accepts = fail(context, () => ({ keyword, rules, path, value, at: "key", name }));
    } else {
      accepts = evaluateBelow(below, value[name], childContext(context, name)) && accepts;
    }
  };
  for (const name of Object.keys(value)) {
    const named = properties?.get(name);
    if (named !== undefined) apply(named, name, "properties");
    let isMatched = named !== undefined;
    for (const [pattern, below] of patternProperties ?? []) {
      if (!context.evaluation.testOf(pattern)(name)) continue;
      isMatched = true;
      apply(below, name, "patternProperties");
    }
    if (!isMatched && additionalProperties !== undefined) {
      apply(additionalProperties, name, "additionalProperties");
    }
    if (!accepts && context.findings === undefined) return false;
  }
  return accepts;
}

function keepsDependentSchemas(
  rules: SchemaRules,
  value: JsonObject,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  let accepts = true;
  for (const [trigger, below] of rules.dependentSchemas ?? []) {
    if (!Object.hasOwn(value, trigger)) continue;
    if (below.never) {
      const failed = { rules, path: context.path, value, at: "key", name: trigger } as const;
      accepts = fail(context, () => ({ keyword: "dependentSchemas", ...failed }));
    } else accepts = evaluateRules(below, value, context, evaluated) && accepts;
    if (!accepts && context.findings === undefined) return false;
  }
  return accepts;
}

function keepsDifferent(
  rules: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
): boolean {
  const indexes = rules.uniqueItems === true ? findEqualItems(value) : undefined;
  if (indexes === undefined) return true;
  stopIfLossy(value[indexes[0]], context);
  return failValue("uniqueItems", rules, value, context, { indexes });
}

function keepsContained(
  rules: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const { contains, minContains } = rules;
  if (contains === undefined) return true;
  const count = countContained(rules, contains, value, context, evaluated);
  if (minContains === undefined && count === 0) {
    return failValue("contains", rules, value, context);
  }
  return keepsBounds("matches", rules, value, () => count, context);
}

function keepsItems(
  rules: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const { prefixItems = [], items } = rules;
  let accepts = true;
  for (let index = 0; index < value.length; index += 1) {
    const { [index]: below = items } = prefixItems;
    if (below === undefined) break;
    const item = childContext(context, index);
    const isSurplus = below === items && items.never === true;
    if (isSurplus) failValue("items", rules, value[index], item);
    else if (evaluateBelow(below, value[index], item)) continue;
    if (context.findings === undefined) return false;
    accepts = false;
  }
  if (evaluated !== undefined) {
    const { length } = prefixItems;
    if (items === undefined) evaluated.itemsBefore = Math.max(evaluated.itemsBefore, length);
    else evaluated.allItems = true;
  }
  return accepts;
}

function countContained(
  { resource }: SchemaRules,
  contains: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): number {
  const silent = quietContext(context);
  let count = 0;
  for (const [index, item] of value.entries()) {
    if (!evaluateBelow(contains, item, silent)) continue;
    count += 1;
    if (isSince(resource.dialect, "2020-12")) evaluated?.addItem(index);
  }
  return count;
}

function keepsEvery(
  { allOf = [] }: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  let accepts = true;
  for (const below of allOf) {
    accepts = evaluateRules(below, value, context, evaluated) && accepts;
    if (!accepts && context.findings === undefined) return false;
  }
  return accepts;
}

function keepsNot(rules: SchemaRules, value: unknown, context: EvaluationContext): boolean {
  const isMet = rules.not !== undefined && evaluateRules(rules.not, value, quietContext(context));
  return !isMet || failValue("not", rules, value, context);
}

function keepsCondition(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  if (rules.if === undefined) return true;
  const holds = evaluateRules(rules.if, value, quietContext(context), evaluated);
  const end = holds ? "then" : "else";
  const next = rules[end];
  if (next?.never) return failValue(end, rules, value, context);
  return next === undefined || evaluateRules(next, value, context, evaluated);
}

function checkAlternatives(
  keyword: "anyOf" | "oneOf",
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const branches = rules[keyword];
  if (branches === undefined) return true;
  const fitting: number[] = [];
  for (const [index, branch] of branches.entries()) {
    if (!evaluateRules(branch, value, quietContext(context), evaluated)) continue;
    fitting.push(index);
    // One match suffices for `anyOf`, unless the findings or evaluated members of every branch are collected.
    if (keyword === "anyOf" && context.findings === undefined && evaluated === undefined)
      return true;
    if (keyword === "oneOf" && fitting.length > 1 && context.findings === undefined) return false;
  }
  const { findings } = context;
  if (fitting.length === 1 || (fitting.length > 1 && keyword === "anyOf")) {
    if (findings !== undefined) addFewestWarnings(fitting, branches, value, context, findings);
    return true;
  }
  if (findings === undefined) return false;
  if (fitting.length > 1) return failValue(keyword, rules, value, context, { indexes: fitting });
  const attempts = branches.map((branch) => {
    const attempt = newFindings(findings.limit);
    evaluateRules(branch, value, { ...context, findings: attempt });
    return attempt;
  });
  const { path } = context;
  const chosen = chooseBranch({ keyword, rules, branches, attempts, value, path });
  for (const failure of chosen.failures) fail(context, () => failure);
  if (chosen.failures.length === 0) failValue(keyword, rules, value, context);
  findings.hidden += chosen.hidden;
  return false;
}

/** Reports the format warnings of the matching branch with the fewest warnings. */
function addFewestWarnings(
  fitting: number[],
  branches: SchemaRules[],
  value: unknown,
  context: EvaluationContext,
  findings: Findings,
): void {
  let fewest: Findings | undefined;
  for (const index of fitting) {
    const branch = branches[index];
    if (branch === undefined) continue;
    const attempt = newFindings(findings.limit);
    evaluateRules(branch, value, { ...context, findings: attempt });
    if (attempt.warnings.length === 0) return;
    if (fewest === undefined || attempt.warnings.length < fewest.warnings.length) fewest = attempt;
  }
  findings.warnings.push(...(fewest?.warnings ?? []));
}
