import { pointerStep } from "../../json/jsonPointer";
import { l10nText } from "../../text/localizableText";
import { shortened } from "../explain/failureText";
import type { SchemaRules } from "../schemaRules";
import type { SchemaDefects } from "./schemaDefects";

/**
 * Takes out of rules whatever may fail only because something else was left out of the schema. What
 * remains asks for less than the schema does, so that each of its failures is one of the schema.
 *
 * A schema that lacks a part accepts more. That is carried upwards by every keyword but those that
 * turn it round (`not`, `if`, `oneOf`, `contains`), that hand on what others did not take
 * (`additionalProperties`, `items`, `unevaluated…`) or that report for one branch what another lacks (`anyOf`).
 */
export function dropUncertainKeywords(all: readonly SchemaRules[]): void {
  const uncertain = uncertainAmong(all);
  for (const rules of uncertain) dropFrom(rules, uncertain);
}

function dropFrom(rules: SchemaRules, uncertain: ReadonlySet<SchemaRules>): void {
  const { leftOut = new Set<string>(), not, contains, anyOf, oneOf } = rules;
  const isUncertain = (below: SchemaRules | undefined) =>
    below !== undefined && uncertain.has(below);
  delete rules.unevaluatedItems;
  delete rules.unevaluatedProperties;
  if (isUncertain(not)) delete rules.not;
  if (anyOf?.some(isUncertain)) delete rules.anyOf;
  if (oneOf?.some(isUncertain)) delete rules.oneOf;
  if (isUncertain(rules.if)) {
    delete rules.if;
    delete rules.then;
    delete rules.else;
  }
  if (isUncertain(contains) || leftOut.has("minContains")) {
    delete rules.contains;
    delete rules.minContains;
    delete rules.maxContains;
  }
  if (leftOut.has("properties") || leftOut.has("patternProperties")) {
    delete rules.additionalProperties;
  }
  if (leftOut.has("prefixItems") || leftOut.has("items")) delete rules.items;
}

/** The rules that lack something, and all that lead to them. */
function uncertainAmong(all: readonly SchemaRules[]): Set<SchemaRules> {
  const above = new Map<SchemaRules, SchemaRules[]>();
  const seen = new Set(all);
  // The set grows while it is walked: some rules stand in no list.
  for (const rules of seen) {
    for (const below of rulesBelow(rules)) {
      seen.add(below);
      const known = above.get(below);
      if (known === undefined) above.set(below, [rules]);
      else known.push(rules);
    }
  }
  const uncertain = new Set([...seen].filter(({ leftOut }) => leftOut !== undefined));
  for (const rules of uncertain) for (const one of above.get(rules) ?? []) uncertain.add(one);
  return uncertain;
}

function rulesBelow(rules: SchemaRules): SchemaRules[] {
  const { reference } = rules;
  const single = [
    reference?.target,
    rules.items,
    rules.contains,
    rules.unevaluatedItems,
    rules.additionalProperties,
    rules.propertyNames,
    rules.unevaluatedProperties,
    rules.not,
    rules.if,
    rules.then,
    rules.else,
  ];
  return [
    ...single.filter((below) => below !== undefined),
    ...(reference?.overrides?.values() ?? []),
    ...(rules.prefixItems ?? []),
    ...(rules.properties?.values() ?? []),
    ...(rules.patternProperties ?? []).map(({ rules: below }) => below),
    ...(rules.dependentSchemas?.values() ?? []),
    ...(rules.allOf ?? []),
    ...(rules.anyOf ?? []),
    ...(rules.oneOf ?? []),
  ];
}

/**
 * Leaves out of rules the patterns that are no regular expressions, notes them, and takes out what
 * may fail only because of that.
 */
export function removePatterns(
  all: readonly SchemaRules[],
  malformed: ReadonlySet<string>,
  defects: SchemaDefects,
): void {
  for (const rules of all) {
    const { pattern, patternProperties } = rules;
    if (pattern !== undefined && malformed.has(pattern)) {
      delete rules.pattern;
      note(rules, "pattern", pattern, defects);
    }
    const broken = patternProperties?.filter((entry) => malformed.has(entry.pattern)) ?? [];
    if (patternProperties === undefined || broken.length === 0) continue;
    rules.patternProperties = patternProperties.filter((entry) => !broken.includes(entry));
    for (const entry of broken) {
      note(rules, `patternProperties/${pointerStep(entry.pattern)}`, entry.pattern, defects);
    }
  }
  dropUncertainKeywords(all);
}

function note(rules: SchemaRules, path: string, pattern: string, defects: SchemaDefects): void {
  const reason = l10nText(
    "The skill's schema has a pattern that is not a regular expression: {pattern}",
    {
      pattern: shortened(pattern, 100),
    },
  );
  defects.add(rules, path, reason);
}
