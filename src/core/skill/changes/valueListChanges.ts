import { boundedText, type TextBudget } from "../../json/canonicalJson";
import type { JsonObject, JsonValue } from "../../json/jsonValue";
import type { RuleChange } from "./ruleChanges";

/** Compares lists of allowed values; a constant is a list of one. */
export function valueListChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  budget: TextBudget,
): RuleChange[] {
  const [old, now] = [listedValues(before), listedValues(after)];
  if (old === now || (old === undefined && now === undefined)) return [];
  if (old === undefined) return [{ kind: "tightened", keyword: "enum", after: listed(now) }];
  if (now === undefined) return [{ kind: "loosened", keyword: "enum", before: listed(old) }];
  const gone = without(old, now, budget);
  const come = without(now, old, budget);
  if (budget.exceeded) return [];
  return [
    ...(gone.length > 0
      ? [{ kind: "tightened" as const, keyword: "enum", before: listed(gone) }]
      : []),
    ...(come.length > 0
      ? [{ kind: "loosened" as const, keyword: "enum", after: listed(come) }]
      : []),
  ];
}

function listed(values: readonly JsonValue[] | undefined): JsonObject {
  return { enum: [...(values ?? [])] };
}

function without(
  values: readonly JsonValue[],
  others: readonly JsonValue[],
  budget: TextBudget,
): JsonValue[] {
  const known = new Set(others.map((value) => boundedText(value, budget)));
  return values.filter((value) => !known.has(boundedText(value, budget)));
}

/**
 * The values that are allowed where a schema lists them; a constant is a list of one. Of several lists
 * all hold, so the shortest says the most. Undefined where there is none.
 */
export function listedValues(layers: readonly JsonObject[]): readonly JsonValue[] | undefined {
  const lists = layers.flatMap((layer) => {
    if (layer["const"] !== undefined) return [[layer["const"]]];
    return Array.isArray(layer["enum"]) ? [layer["enum"]] : [];
  });
  return lists.sort((one, other) => one.length - other.length)[0];
}
