import { pointerOf, pointerSteps } from "../json/jsonPointer";
import { isJsonObject, type JsonValue, jsonEqual, parsedJson } from "../json/jsonValue";
import { jsonText, prettyJson } from "../json/printJson";
import { rangesOf } from "../payload/fixes/editJson";
import { EvaluationBudget } from "../schema/evaluate/evaluationBudget";
import type { TestableSchema } from "../schema/read/testableSchema";
import { schemaFacts, schemaLimits } from "../schema/schemaLimits";
import { firstOf, layersOf, type SchemaRules } from "../schema/schemaRules";
import { type Language, localize } from "../text/language";
import { revealHidden } from "../text/plainText";
import {
  controlOf,
  defaultText,
  displayText,
  listOptions,
  maxValue,
  suggestionsOf,
  type ValueRoom,
} from "./fieldControl";
import { allowsNewMembers, branchLabels, namedMembers } from "./fieldRules";
import { fieldBelow, isGroupField, isListField, rootField, type SchemaField } from "./fieldWalk";
import {
  type FieldControl,
  type FieldGroup,
  type Form,
  type FormDraft,
  type FormField,
  fieldsAtOnce,
  isGroup,
  type ShownFields,
} from "./formField";

/**
 * The maximum length of a payload in a form. Each change processes the whole text, so longer payloads are edited as
 * JSON.
 */
const maxText = 2_000_000;
/** The maximum number of fields that a page can lay out without blocking. */
const maxFields = 400;
/** Groups below this depth start closed. */
const openDepth = 2;
/** The maximum number of characters of all values that are sent to the page. */
const maxValues = 400_000;
/** The budget for finding values and alternatives of all visible fields. */
const formBudget = { tries: 20_000, steps: 2_000_000 };

/** Creates the form of a payload by the schema of a skill. Limits its size and counts hidden fields. */
export function readForm(
  schema: TestableSchema,
  draft: FormDraft,
  shown: ShownFields,
  language: Language,
): Form {
  const { t } = language;
  const isLong = draft.text.length > maxText;
  const value = isLong ? undefined : parsedJson(draft.text);
  const walk: Walk = {
    budget: budgetOf(schema),
    draft,
    shown,
    language,
    remainingFields: maxFields,
    remainingCharacters: maxValues,
  };
  const field = rootField(value, walk.budget);
  if (value === undefined) {
    const root = { ...fieldOf(field, walk), control: { kind: "long", text: "" } as const };
    const note = isLong
      ? t("This payload is too long for a form. Open it as JSON.")
      : t("This payload is not JSON. Open it as JSON to repair it.");
    return { root, note };
  }
  const refusal = schema.refusal === undefined ? "" : localize(schema.refusal.reason, language);
  const root = fieldOf(field, walk);
  return { root: withPayloadSpelling(root, draft), note: refusal };
}

/** Creates the budget for finding values of a form. */
export function budgetOf(schema: TestableSchema): EvaluationBudget {
  return new EvaluationBudget(schema, formBudget);
}

interface Walk extends ValueRoom {
  readonly budget: EvaluationBudget;
  readonly draft: FormDraft;
  readonly shown: ShownFields;
  readonly language: Language;
  remainingFields: number;
}

function fieldOf(field: SchemaField, walk: Walk): FormField {
  const { language } = walk;
  const { t } = language;
  const { steps, value, rules, schemas, isRequired, parent } = field;
  const { layers, unions } = rules;
  const step = steps.at(-1);
  // The titles of alternatives are in a list of their own, so take the title only from the field's own schemas.
  const ownLayers = layersOf(schemas);
  const title = typeof step === "number" ? "" : (firstOf(ownLayers, "title") ?? "");
  const name = step === undefined ? "" : nameOf(step);
  const label = steps.length === 0 ? title : title || name;
  const fallback = firstOf(layers, "default");
  const control = shownControl(field, walk);
  const isTyped = control.kind === "text" || control.kind === "number";
  const description = firstOf(ownLayers, "description") ?? firstOf(layers, "description") ?? "";
  return {
    pointer: pointerOf(steps),
    label: displayText(label, 200),
    name: title === "" || typeof step !== "string" ? "" : displayText(step, 200),
    description: displayText(description, 1000),
    facts:
      control.kind === "choice" || control.kind === "fixed"
        ? []
        : factsOf(layers, control, language)
            .slice(0, 12)
            .map((fact) => displayText(fact, 200)),
    isRequired: isRequired && typeof step === "string",
    isDeprecated: layers.some(({ deprecated }) => deprecated),
    isSet: value !== undefined,
    canRemove:
      parent !== undefined && value !== undefined && (typeof step === "number" || !isRequired),
    fallback: fallback === undefined || jsonEqual(fallback, value) ? "" : defaultText(fallback),
    suggestions: isTyped
      ? suggestionsOf(layers).map((item) => displayText(jsonText(item), 60))
      : [],
    unions: unions.map((union) => ({
      labels: branchLabels(union, language).map((branchLabel) => displayText(branchLabel, 100)),
      chosen: union.chosen,
    })),
    control,
    note: hiddenNote(control, t),
  };
}

/** Returns the facts of a field. That the items of check boxes are unique goes without saying. */
function factsOf(
  layers: readonly SchemaRules[],
  { kind }: FieldControl,
  language: Language,
): readonly string[] {
  if (kind !== "choices") return schemaFacts(layers, language);
  return schemaLimits(
    layers.map(({ uniqueItems: _, ...others }) => others),
    language,
  );
}

function shownControl(field: SchemaField, walk: Walk): FieldControl {
  const unread = walk.draft.unread[pointerOf(field.steps)];
  if (unread !== undefined) return { kind: "json", text: unread };
  if (!isGroupField(field)) return controlOf(field, walk);
  const listed = listOptions(field, walk.budget);
  if (listed === undefined) return groupOf(field, walk);
  const chosen = listed.chosen.filter((index) => index >= 0);
  return { kind: "choices", options: listed.labels, chosen };
}

function hiddenNote(control: FieldControl, t: Language["t"]): string {
  if (control.kind !== "text" || revealHidden(control.text) === control.text) return "";
  return t("Hidden characters: {text}", { text: displayText(control.text, 200) });
}

function groupOf(field: SchemaField, walk: Walk): FieldGroup {
  const { value, rules, steps } = field;
  const isList = isListField(field);
  const members = isList ? itemsOf(value) : membersOf(field);
  const pointer = pointerOf(steps);
  const isDeep = steps.length > openDepth || (steps.length > 0 && value === undefined);
  const requested = walk.shown[pointer] ?? (isDeep ? 0 : fieldsAtOnce);
  const isOpen = steps.length === 0 || requested > 0;
  const count = isOpen ? Math.min(members.length, requested, walk.remainingFields) : 0;
  walk.remainingFields -= count;
  const fields = members
    .slice(0, count)
    .map((step) => fieldOf(fieldBelow(field, step, walk.budget), walk));
  const adds = isList ? "item" : allowsNewMembers(rules.layers) ? "member" : "nothing";
  return {
    kind: isList ? "list" : "object",
    fields,
    more: members.length - count,
    isOpen: isOpen && (count > 0 || members.length === 0),
    adds,
  };
}

function itemsOf(value: JsonValue | undefined): readonly number[] {
  return Array.isArray(value) ? [...value.keys()] : [];
}

function membersOf({ value, rules }: SchemaField): readonly string[] {
  const named = namedMembers(rules.layers);
  if (!isJsonObject(value)) return named;
  const known = new Set(named);
  return [...named, ...Object.keys(value).filter((name) => !known.has(name))];
}

/** Shows numbers and JSON values in the payload's spelling. */
function withPayloadSpelling(root: FormField, { text, unread }: FormDraft): FormField {
  const steps = new Map<FormField, readonly (string | number)[]>();
  const gather = (field: FormField, path: readonly (string | number)[]) => {
    const { control, pointer } = field;
    if (control.kind === "number" || (control.kind === "json" && !(pointer in unread))) {
      if (field.isSet) steps.set(field, path);
    } else if (isGroup(control)) {
      for (const below of control.fields) {
        const step = pointerSteps(below.pointer).at(-1) ?? "";
        gather(below, [...path, control.kind === "list" ? Number(step) : step]);
      }
    }
  };
  gather(root, []);
  if (steps.size === 0) return root;
  const ranges = rangesOf(text, [...steps.values()]);
  const literals = new Map(
    [...steps.keys()].map((field, index) => {
      const { start = 0, end = 0 } = ranges[index] ?? {};
      return [field, prettyJson(text.slice(start, end), maxValue).text] as const;
    }),
  );
  const put = (field: FormField): FormField => {
    const { control } = field;
    if (isGroup(control)) {
      return { ...field, control: { ...control, fields: control.fields.map(put) } };
    }
    const literal = literals.get(field) ?? "";
    const isText = control.kind === "number" && literal.startsWith('"');
    if (literal === "" || isText || !("text" in control)) return field;
    return { ...field, control: { ...control, text: literal } };
  };
  return put(root);
}

/** Names a field as a problem's path does, which counts items from 0. */
function nameOf(step: string | number): string {
  return typeof step === "string" ? step || '""' : `[${step}]`;
}
