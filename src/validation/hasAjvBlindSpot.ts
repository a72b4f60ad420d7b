import type { SchemaRules } from "../core/jsonSchema/reading/schemaRules";

/** More rules than this take ajv longer to compile than our own evaluation takes to run. */
const maxRules = 800;

/**
 * Tells whether a schema uses something that ajv gets wrong or too slow, so that our own evaluation
 * decides alone. Known: dynamic and recursive references outside the root resource, what counts as
 * evaluated for `unevaluated…` (across references, with `contains`), the name `__proto__`, and
 * references in a circle, which it follows until its stack is used up.
 */
export function hasAjvBlindSpot(all: readonly SchemaRules[]): boolean {
  return all.length > maxRules || all.some(isBlindSpot);
}

function isBlindSpot(rules: SchemaRules): boolean {
  const { unevaluatedItems, unevaluatedProperties, reference } = rules;
  if (unevaluatedItems !== undefined || unevaluatedProperties !== undefined) return true;
  if (reference?.overrides !== undefined || leadsToItself(rules)) return true;
  const names = [
    ...(rules.required ?? []),
    ...(rules.properties?.keys() ?? []),
    ...(rules.patternProperties ?? []).map(({ pattern }) => pattern),
    ...[...(rules.dependentRequired ?? [])].flatMap(([given, needed]) => [given, ...needed]),
    ...(rules.dependentSchemas?.keys() ?? []),
  ];
  return names.includes("__proto__");
}

function leadsToItself(rules: SchemaRules): boolean {
  const passed = new Set<SchemaRules>();
  for (let at = rules.reference?.target; at !== undefined; at = at.reference?.target) {
    if (at === rules) return true;
    if (passed.has(at)) return false;
    passed.add(at);
  }
  return false;
}
