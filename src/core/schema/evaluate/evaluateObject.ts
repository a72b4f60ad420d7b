import type { JsonObject } from "../../json/jsonValue";
import type { SchemaFailure } from "../explain/schemaFailure";
import type { SchemaRules } from "../schemaRules";
import { evaluateBelow, evaluateRules } from "./evaluateRules";
import {
  childContext,
  type Evaluated,
  type EvaluationContext,
  fail,
  newFindings,
  quietContext,
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
