import { pointerStep } from "../../json/jsonPointer";
import { l10nText } from "../../text/localizableText";
import { shortened } from "../failures/failureWords";
import { dropUncertainKeywords } from "./dropUncertainKeywords";
import type { SchemaDefects } from "./schemaDefects";
import type { SchemaRules } from "./schemaRules";

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
