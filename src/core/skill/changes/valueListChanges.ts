import type { JsonObject, JsonValue } from "../../text/json";
import { jsonFingerprint, type ReadingBudget } from "./jsonFingerprint";
import { listedValues } from "./listedValues";
import type { RuleChange } from "./ruleChanges";

/** Compares lists of allowed values; a constant is a list of one. */
export function valueListChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  budget: ReadingBudget,
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
  budget: ReadingBudget,
): JsonValue[] {
  const known = new Set(others.map((value) => jsonFingerprint(value, budget)));
  return values.filter((value) => !known.has(jsonFingerprint(value, budget)));
}
