import { isJsonObject, type JsonObject, type JsonValue } from "../../text/json";
import { closureChanges } from "./closureChanges";
import { jsonFingerprint, type ReadingBudget } from "./jsonFingerprint";
import { limitChanges } from "./limitChanges";
import type { SchemaChange } from "./schemaChange";
import { typeChanges } from "./typeChanges";
import { valueListChanges } from "./valueListChanges";

/** A difference at one value, before it is known where the value stands. */
export type RuleChange = Omit<SchemaChange, "path">;

/** Compares what two schemas say of one value itself: type, allowed values, limits, other rules. */
export function ruleChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  budget: ReadingBudget,
): RuleChange[] {
  return [
    ...typeChanges(before, after),
    ...valueListChanges(before, after, budget),
    ...limitChanges(before, after),
    ...closureChanges(before, after),
    ...wholeRules.flatMap((keyword) => wholeRuleChange(keyword, before, after, budget)),
    ...annotations.flatMap((keyword) =>
      wholeRuleChange(keyword, before, after, budget).map((change) => ({
        ...change,
        kind: "changed" as const,
      })),
    ),
  ];
}

// Rules whose strictness cannot be compared: only whether they are there.
const wholeRules = [
  "pattern",
  "format",
  "contentEncoding",
  "contentMediaType",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependentRequired",
  "unevaluatedItems",
];

// They refuse nothing, but a caller who leaves a value out gets another one, or soon none.
const annotations = ["default", "deprecated", "readOnly", "writeOnly"];

function wholeRuleChange(
  keyword: string,
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  budget: ReadingBudget,
): RuleChange[] {
  const [old, now] = [valuesOf(keyword, before), valuesOf(keyword, after)];
  if (old.length === 0 && now.length === 0) return [];
  const same = jsonFingerprint(old, budget) === jsonFingerprint(now, budget);
  if (same) return [];
  const [first, last] = [old[0], now[0]];
  return [
    {
      kind: first === undefined ? "tightened" : last === undefined ? "loosened" : "changed",
      keyword,
      ...(first !== undefined && { before: { [keyword]: first } }),
      ...(last !== undefined && { after: { [keyword]: last } }),
    },
  ];
}

function valuesOf(keyword: string, layers: readonly JsonObject[]): JsonValue[] {
  return layers.flatMap((layer) => {
    const value = Object.hasOwn(layer, keyword) ? layer[keyword] : undefined;
    const older = dependenciesAs(keyword, layer);
    return [value, older].filter((each) => each !== undefined);
  });
}

// Up to draft 7, one keyword held both kinds.
function dependenciesAs(keyword: string, { dependencies }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(dependencies)) return undefined;
  if (keyword !== "dependentRequired" && keyword !== "dependentSchemas") return undefined;
  const namesOthers = keyword === "dependentRequired";
  const kept = Object.entries(dependencies).filter(
    ([, value]) => Array.isArray(value) === namesOthers,
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
