import type { JsonObject } from "../jsonValue";
import type { SchemaRules } from "../reading/schemaRules";
import type { Evaluated } from "./evaluated";
import { evaluateBelow } from "./evaluateRules";
import { fail, type Spot, spotBelow } from "./evaluation";

/** Applies `unevaluatedProperties` to the properties that no other keyword has accepted. */
export function evaluateUnevaluatedProperties(
  rules: SchemaRules,
  value: JsonObject,
  spot: Spot,
  evaluated: Evaluated,
): boolean {
  const rest = rules.unevaluatedProperties;
  if (rest === undefined) return true;
  let accepts = true;
  for (const name of Object.keys(value)) {
    if (evaluated.hasProperty(name)) continue;
    const keeps = rest.never
      ? fail(spot, () => ({
          keyword: "unevaluatedProperties",
          rules,
          place: spot.place,
          value,
          at: "key",
          name,
        }))
      : evaluateBelow(rest, value[name], spotBelow(spot, name));
    if (keeps) continue;
    if (spot.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allProperties = true;
  return accepts;
}

/** Applies `unevaluatedItems` to the items that no other keyword has accepted. */
export function evaluateUnevaluatedItems(
  rules: SchemaRules,
  value: readonly unknown[],
  spot: Spot,
  evaluated: Evaluated,
): boolean {
  const rest = rules.unevaluatedItems;
  if (rest === undefined) return true;
  let accepts = true;
  for (const [index, item] of value.entries()) {
    if (evaluated.hasItem(index)) continue;
    const below = spotBelow(spot, index);
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
    if (spot.findings === undefined) return false;
    accepts = false;
  }
  evaluated.allItems = true;
  return accepts;
}
