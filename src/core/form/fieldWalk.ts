import { childAt } from "../json/jsonPointer";
import { isJsonObject, type JsonValue } from "../json/jsonValue";
import { requiredNames } from "../schema/objectNames";
import type { SampleBudget } from "../schema/sample/sampleValues";
import type { SchemaRules } from "../schema/schemaRules";
import { type FieldRules, fieldRules, schemasOfMember } from "./fieldRules";

/** One value of a payload with its rules, found by walking down from the root. */
export interface FieldHere {
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue | undefined;
  readonly schemas: readonly SchemaRules[];
  readonly rules: FieldRules;
  readonly isRequired: boolean;
  /** Undefined for the whole payload. */
  readonly parent: FieldHere | undefined;
}

/** Starts a walk at the whole payload. */
export function rootField(value: JsonValue | undefined, budget: SampleBudget): FieldHere {
  const schemas = [budget.root];
  const rules = fieldRules(schemas, value, budget);
  return { steps: [], value, schemas, rules, isRequired: true, parent: undefined };
}

/** Goes one step down, even to a missing value. */
export function fieldBelow(
  parent: FieldHere,
  step: string | number,
  budget: SampleBudget,
): FieldHere {
  const value = childAt(parent.value, String(step));
  const schemas = schemasOfMember(parent.rules, step, budget);
  return {
    steps: [...parent.steps, step],
    value,
    schemas,
    rules: fieldRules(schemas, value, budget),
    isRequired: typeof step === "number" || requiredNames(parent.rules.layers).has(step),
    parent,
  };
}

/** Goes down to the value at the steps of a pointer. */
export function fieldAt(
  root: FieldHere,
  steps: readonly string[],
  budget: SampleBudget,
): FieldHere {
  return steps.reduce((here, step) => {
    const isItem = isListField(here) && /^\d+$/.test(step);
    return fieldBelow(here, isItem ? Number(step) : step, budget);
  }, root);
}

/** Returns whether a field shows the items of a list. A value of any type is shown as JSON. */
export function isListField({ value, rules }: FieldHere): boolean {
  return rules.type === "array" && (value === undefined || Array.isArray(value));
}

/** Returns whether a field shows the members of an object. */
export function isObjectField({ value, rules }: FieldHere): boolean {
  return rules.type === "object" && (value === undefined || isJsonObject(value));
}
