import type { EvaluationBudget } from "./evaluate/evaluationBudget";
import type { SchemaRules } from "./schemaRules";

/** Lists the rules that apply to a property or an item of a value. A pattern that cannot be run counts as matching. */
export function rulesBelow(
  layers: readonly SchemaRules[],
  step: string | number,
  budget: EvaluationBudget,
): SchemaRules[] {
  if (typeof step === "number") {
    return layers.flatMap(({ prefixItems, items }) => prefixItems?.[step] ?? items ?? []);
  }
  return layers.flatMap(({ properties, patternProperties = [], additionalProperties }) => {
    const named = properties?.get(step);
    const matched = [...patternProperties].filter(
      ([pattern]) => budget.isFound(pattern, step) ?? true,
    );
    const found = [...(named === undefined ? [] : [named]), ...matched.map(([, rules]) => rules)];
    return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
  });
}
