import type { SchemaRules } from "../reading/schemaRules";

/**
 * Names the properties that tell one branch from another: those that at least two branches restrict
 * to a `const` or an `enum`.
 */
export function tagNames(branches: readonly SchemaRules[]): Set<string> {
  const counts = new Map<string, number>();
  for (const branch of branches) {
    for (const [name, rules] of propertiesOf(branch)) {
      const isRestricted = rulesInPlace(rules).some((part) => part.hasConst || part.enum);
      if (isRestricted) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name));
}

/** The properties that a branch names, itself or through references and `allOf`. */
export function propertiesOf(branch: SchemaRules): Map<string, SchemaRules> {
  return new Map(rulesInPlace(branch).flatMap(({ properties }) => [...(properties ?? [])]));
}

/** Rules with those they lead to at the same value, as far as a reader would follow. */
function rulesInPlace(rules: SchemaRules): SchemaRules[] {
  const found = new Set([rules]);
  // The set grows while it is walked; the bound is for schemas that nobody wrote to be read.
  for (const part of found) {
    if (found.size > 50) break;
    if (part.reference !== undefined) found.add(part.reference.target);
    for (const below of part.allOf ?? []) found.add(below);
  }
  return [...found];
}
