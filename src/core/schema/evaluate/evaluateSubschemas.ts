import { findEqualItems, type JsonObject } from "../../json/jsonValue";
import { chooseBranch } from "../explain/chooseBranch";
import { isSince, type SchemaRules } from "../schemaRules";
import { evaluateBelow, evaluateRules } from "./evaluateSchema";
import {
  childContext,
  type Evaluated,
  type EvaluationContext,
  type Findings,
  fail,
  newFindings,
  quietContext,
  type SchemaFailure,
  stopIfLossy,
} from "./evaluation";

/** Applies the rules for objects. */
export function evaluateObject(
  rules: SchemaRules,
  value: JsonObject,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  let accepts = true;
  for (const keeps of keepsInOrder) {
    accepts = keeps(rules, value, context, evaluated) && accepts;
    if (!accepts && context.findings === undefined) return false;
  }
  return accepts;
}

const keepsInOrder = [
  keepsRequired,
  keepsSize,
  keepsNames,
  keepsProperties,
  keepsDependentSchemas,
] as const;

function keepsRequired(rules: SchemaRules, value: JsonObject, context: EvaluationContext): boolean {
  let accepts = true;
  const missing = (keyword: SchemaFailure["keyword"], name: string) =>
    fail(context, () => ({ keyword, rules, path: context.path, value, at: "brace", name }));
  for (const name of rules.required ?? []) {
    if (!Object.hasOwn(value, name)) accepts = missing("required", name);
  }
  for (const [given, names] of rules.dependentRequired ?? []) {
    if (!Object.hasOwn(value, given)) continue;
    for (const name of names) {
      if (!Object.hasOwn(value, name)) accepts = missing("dependentRequired", name);
    }
  }
  return accepts;
}

function keepsSize(rules: SchemaRules, value: JsonObject, context: EvaluationContext): boolean {
  const { minProperties, maxProperties } = rules;
  if (minProperties === undefined && maxProperties === undefined) return true;
  const count = Object.keys(value).length;
  const failed = (keyword: SchemaFailure["keyword"]) =>
    fail(context, () => ({ keyword, rules, path: context.path, value, at: "value", count }));
  if (minProperties !== undefined && count < minProperties) return failed("minProperties");
  if (maxProperties !== undefined && count > maxProperties) return failed("maxProperties");
  return true;
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
  const apply = (below: SchemaRules, name: string, keyword: SchemaFailure["keyword"]) => {
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
    for (const { pattern, rules: below } of patternProperties ?? []) {
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
  for (const [given, below] of rules.dependentSchemas ?? []) {
    if (!Object.hasOwn(value, given)) continue;
    accepts = evaluateRules(below, value, context, evaluated) && accepts;
    if (!accepts && context.findings === undefined) return false;
  }
  return accepts;
}

/** Applies the rules for arrays. */
export function evaluateArray(
  rules: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const failed = (
    keyword: SchemaFailure["keyword"],
    more: Partial<Pick<SchemaFailure, "indexes" | "count">> = {},
  ) => fail(context, () => ({ keyword, rules, path: context.path, value, at: "value", ...more }));
  let accepts = true;
  if (rules.minItems !== undefined && value.length < rules.minItems) accepts = failed("minItems");
  if (rules.maxItems !== undefined && value.length > rules.maxItems) accepts = failed("maxItems");
  if (!accepts && context.findings === undefined) return false;
  if (rules.uniqueItems === true) {
    const indexes = findEqualItems(value);
    if (indexes !== undefined) {
      stopIfLossy(value[indexes[0]], context);
      accepts = failed("uniqueItems", { indexes });
    }
    if (!accepts && context.findings === undefined) return false;
  }
  accepts = evaluateItems(rules, value, context, evaluated) && accepts;
  if (rules.contains === undefined || (!accepts && context.findings === undefined)) return accepts;
  const count = countContained(rules, rules.contains, value, context, evaluated);
  if (count < (rules.minContains ?? 1)) {
    return failed(rules.minContains === undefined ? "contains" : "minContains", { count });
  }
  if (rules.maxContains !== undefined && count > rules.maxContains) {
    return failed("maxContains", { count });
  }
  return accepts;
}

function evaluateItems(
  { prefixItems = [], items }: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  let accepts = true;
  for (let index = 0; index < value.length; index += 1) {
    const rules = prefixItems[index] ?? items;
    if (rules === undefined) break;
    if (evaluateBelow(rules, value[index], childContext(context, index))) continue;
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

/** Applies `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export function evaluateCombining(
  rules: SchemaRules,
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const isSilent = context.findings === undefined;
  let accepts = true;
  for (const below of rules.allOf ?? []) {
    accepts = evaluateRules(below, value, context, evaluated) && accepts;
    if (!accepts && isSilent) return false;
  }
  if (rules.anyOf !== undefined) {
    accepts = keepsSome("anyOf", rules, rules.anyOf, value, context, evaluated) && accepts;
    if (!accepts && isSilent) return false;
  }
  if (rules.oneOf !== undefined) {
    accepts = keepsSome("oneOf", rules, rules.oneOf, value, context, evaluated) && accepts;
    if (!accepts && isSilent) return false;
  }
  if (rules.not !== undefined && evaluateRules(rules.not, value, quietContext(context))) {
    accepts = fail(context, () => ({
      keyword: "not",
      rules,
      path: context.path,
      value,
      at: "value",
    }));
    if (isSilent) return false;
  }
  if (rules.if === undefined) return accepts;
  const holds = evaluateRules(rules.if, value, quietContext(context), evaluated);
  const next = holds ? rules.then : rules.else;
  return (next === undefined || evaluateRules(next, value, context, evaluated)) && accepts;
}

function keepsSome(
  keyword: "anyOf" | "oneOf",
  rules: SchemaRules,
  branches: SchemaRules[],
  value: unknown,
  context: EvaluationContext,
  evaluated: Evaluated | undefined,
): boolean {
  const fitting: number[] = [];
  for (const [index, branch] of branches.entries()) {
    if (!evaluateRules(branch, value, quietContext(context), evaluated)) continue;
    fitting.push(index);
    // For anyOf one match is enough unless findings or evaluated members of every branch are collected.
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
  if (fitting.length > 1) {
    const path = context.path;
    return fail(context, () => ({ keyword, rules, path, value, at: "value", indexes: fitting }));
  }
  const attempts = branches.map((branch) => {
    const attempt = newFindings(findings.limit);
    evaluateRules(branch, value, { ...context, findings: attempt });
    return attempt;
  });
  const { path } = context;
  const chosen = chooseBranch({ keyword, rules, branches, attempts, value, path });
  for (const failure of chosen.failures) fail(context, () => failure);
  if (chosen.failures.length === 0)
    fail(context, () => ({ keyword, rules, path, value, at: "value" }));
  findings.hidden += chosen.hidden;
  return false;
}

/** Reports the format warnings of the matching branch that has the fewest. */
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
