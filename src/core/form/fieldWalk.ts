import { childAt } from "../json/jsonPointer";
import { isJsonObject, type JsonValue } from "../json/jsonValue";
import type { EvaluationBudget } from "../schema/evaluate/evaluationBudget";
import { requiredNames } from "../schema/objectNames";
import type { SchemaRules } from "../schema/schemaRules";
import { type FieldRules, fieldRules, schemasOfMember } from "./fieldRules";

/** A value of a payload with its rules, found by walking from the root. */
export interface SchemaField {
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue | undefined;
  readonly schemas: readonly SchemaRules[];
  readonly rules: FieldRules;
  readonly isRequired: boolean;
  /** Undefined for the whole payload. */
  readonly parent: SchemaField | undefined;
}

/** Starts a walk at the whole payload. */
export function rootField(value: JsonValue | undefined, budget: EvaluationBudget): SchemaField {
  const schemas = [budget.root];
  const rules = fieldRules(schemas, value, budget);
  return { steps: [], value, schemas, rules, isRequired: true, parent: undefined };
}

/** Returns the field one step below, even for a missing value. */
export function fieldBelow(
  parent: SchemaField,
  step: string | number,
  budget: EvaluationBudget,
): SchemaField {
  const value = childAt(parent.value, step);
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

/** Returns the field at the steps of a pointer. */
export function fieldAt(
  root: SchemaField,
  steps: readonly string[],
  budget: EvaluationBudget,
): SchemaField {
  return steps.reduce((field, step) => {
    const isItem = isListField(field) && /^\d+$/.test(step);
    return fieldBelow(field, isItem ? Number(step) : step, budget);
  }, root);
}

/** Returns whether a field shows the items of a list. If the schema allows any type, the field shows JSON instead. */
export function isListField({ value, rules }: SchemaField): boolean {
  return rules.type === "array" && (value === undefined || Array.isArray(value));
}

/** Returns whether a field shows members or items. */
export function isGroupField(field: SchemaField): boolean {
  return isListField(field) || isObjectField(field);
}

/** Returns whether a field shows the members of an object. */
function isObjectField({ value, rules }: SchemaField): boolean {
  return rules.type === "object" && (value === undefined || isJsonObject(value));
}
