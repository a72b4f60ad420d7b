import { findEqualItems } from "../../json/canonicalJson";
import type { SchemaFailure } from "../explain/schemaFailure";
import { isSince, type SchemaRules } from "../schemaRules";
import { evaluateBelow } from "./evaluateRules";
import {
  childContext,
  type Evaluated,
  type EvaluationContext,
  fail,
  quietContext,
  stopIfLossy,
} from "./evaluation";

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
