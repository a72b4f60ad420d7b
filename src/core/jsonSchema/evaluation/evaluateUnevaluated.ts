import type { JsonObject } from "../../json/jsonValue";
import type { SchemaRules } from "../reading/schemaRules";
import type { Evaluated } from "./evaluated";
import { evaluateBelow } from "./evaluateRules";
import { childContext, type EvaluationContext, fail } from "./evaluation";

/** Applies `unevaluatedProperties` to the properties that no other keyword has accepted. */
export function evaluateUnevaluatedProperties(
  rules: SchemaRules,
  value: JsonObject,
  context: EvaluationContext,
  evaluated: Evaluated,
): boolean {
  const rest = rules.unevaluatedProperties;
  if (rest === undefined) return true;
  let accepts = true;
  for (const name of Object.keys(value)) {
    if (evaluated.hasProperty(name)) continue;
    const keeps = rest.never
      ? fail(context, () => ({
          keyword: "unevaluatedProperties",
          rules,
          place: context.place,
          value,
          at: "key",
          name,
        }))
      : evaluateBelow(rest, value[name], childContext(context, name));
    if (keeps) continue;
    if (context.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allProperties = true;
  return accepts;
}

/** Applies `unevaluatedItems` to the items that no other keyword has accepted. */
export function evaluateUnevaluatedItems(
  rules: SchemaRules,
  value: readonly unknown[],
  context: EvaluationContext,
  evaluated: Evaluated,
): boolean {
  const rest = rules.unevaluatedItems;
  if (rest === undefined) return true;
  let accepts = true;
  for (const [index, item] of value.entries()) {
    if (evaluated.hasItem(index)) continue;
    const below = childContext(context, index);
    const keeps = rest.never
      ? fail(below, () => ({
          keyword: "unevaluatedItems",
          rules,
          place: below.place,
          value: item,
          at: "value",
        }))
      : evaluateBelow(rest, item, below);
    if (keeps) continue;
    if (context.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allItems = true;
  return accepts;
}
