import { withoutPlaceholders } from "../environment/placeholders";
import { checkSyntax } from "../json/checkSyntax";
import { pointerOf, pointerSteps } from "../json/jsonPointer";
import { isJsonObject, type JsonValue, jsonEqual, parsedJson } from "../json/jsonValue";
import { prettyJson } from "../json/printJson";
import { putJson, rangesOf, removeJson } from "../payload/fixes/editJson";
import { indentedJson, textStyle } from "../payload/fixes/textEdit";
import type { EvaluationBudget } from "../schema/evaluate/evaluationBudget";
import type { TestableSchema } from "../schema/read/testableSchema";
import { pruneSample } from "../schema/sample/samplePayload";
import { emptyValues, plainSample, sampleTask, sampleValues } from "../schema/sample/sampleValues";
import { givenValues, unfilledValue } from "../schema/sample/unfilledValue";
import { firstOf, type SchemaRules } from "../schema/schemaRules";
import { type Language, localize } from "../text/language";
import { controlOf, listOptions, suggestionsOf } from "./fieldControl";
import { fieldRules } from "./fieldRules";
import {
  fieldAt,
  fieldBelow,
  isGroupField,
  isListField,
  rootField,
  type SchemaField,
} from "./fieldWalk";
import type { FormDraft, FormEdit } from "./formField";
import { budgetOf } from "./readForm";

/**
 * Applies one change of a form and returns the new draft. All other text stays as written. Ignores a change that does
 * not fit the draft, for instance of a removed value.
 */
export function editForm(schema: TestableSchema, draft: FormDraft, edit: FormEdit): FormDraft {
  const value = parsedJson(draft.text);
  if (value === undefined) return draft;
  const budget = budgetOf(schema);
  const field = fieldAt(rootField(value, budget), pointerSteps(edit.pointer), budget);
  const put = (value: JsonValue, at: SchemaField = field) =>
    withText(draft, at, putJson(draft.text, at.steps, jsonFor(draft.text, at.steps, value)));
  const putNew = (value: JsonValue, at: SchemaField = field) =>
    put(unfilledValue(value, givenValues(schema.all)).value, at);
  switch (edit.what) {
    case "write":
      return writeText(draft, field, edit.text);
    case "suggest": {
      const suggestion = suggestionsOf(field.rules.layers)[edit.index];
      return suggestion === undefined ? draft : put(suggestion);
    }
    case "choose":
      return choose(draft, field, edit, budget);
    case "default": {
      const fallback = firstOf(field.rules.layers, "default");
      return fallback === undefined ? draft : put(fallback);
    }
    case "branch": {
      return switchBranch(draft, field, edit, budget);
    }
    case "add": {
      if (field.value === undefined) return putNew(startValue(field, budget));
      if (!Array.isArray(field.value)) return draft;
      const item = fieldBelow(field, field.value.length, budget);
      return putNew(sampleOf(item.schemas, budget), item);
    }
    case "addMember": {
      const member = fieldBelow(field, edit.name, budget);
      if (edit.name === "" || member.value !== undefined || isListField(field)) return draft;
      return putNew(sampleOf(member.schemas, budget), member);
    }
    case "remove":
      return field.value === undefined || field.parent === undefined
        ? draft
        : withText(draft, field.parent, removeJson(draft.text, field.steps));
  }
}

/**
 * Adds a fixed value to a list or removes it. An added value takes the place of an empty item, else the last place. The
 * other items keep their text.
 */
function choose(
  draft: FormDraft,
  field: SchemaField,
  { index, isChosen }: Extract<FormEdit, { what: "choose" }>,
  budget: EvaluationBudget,
): FormDraft {
  const { values = [], chosen = [] } = listOptions(field, budget) ?? {};
  const { text } = draft;
  const { steps } = field;
  const value = values[index];
  const at = chosen.indexOf(index);
  if (value === undefined || isChosen === at >= 0) return draft;
  if (!isChosen) return withText(draft, field, removeJson(text, [...steps, at]));
  if (field.value === undefined) {
    return withText(draft, field, putJson(text, steps, jsonFor(text, steps, [value])));
  }
  const unfilled = chosen.indexOf(-1);
  const end = [...steps, unfilled < 0 ? chosen.length : unfilled];
  return withText(draft, field, putJson(text, end, jsonFor(text, end, value)));
}

/**
 * Explains why the text of a JSON field is not JSON, with the message of the payload's check; undefined if it is JSON.
 */
export function whyNotJson(text: string, language: Language): string | undefined {
  if (parsedJson(text) !== undefined) return undefined;
  const [finding] = checkSyntax(text, 1).findings;
  return finding && localize(finding.message, language);
}

function writeText(draft: FormDraft, field: SchemaField, typed: string): FormDraft {
  const { rules, value, parent } = field;
  const pointer = pointerOf(field.steps);
  const kind = isGroupField(field)
    ? "group"
    : controlOf(field, { remainingCharacters: Number.POSITIVE_INFINITY }).kind;
  const put = (json: string) => withText(draft, field, putJson(draft.text, field.steps, json));
  const [range = { start: 0, end: 0 }] = rangesOf(draft.text, [field.steps]);
  const written = draft.text.slice(range.start, range.end);
  const isMember = parent !== undefined && typeof field.steps.at(-1) === "string";
  const staysWhenEmpty = kind === "text" && field.isRequired;
  if (typed === "" && isMember && !staysWhenEmpty) {
    const text = value === undefined ? draft.text : removeJson(draft.text, field.steps);
    return withText(draft, field, text);
  }
  switch (pointer in draft.unread ? "json" : kind) {
    case "text":
      // An unchanged value keeps its spelling.
      return put(typed === value ? written : JSON.stringify(typed));
    case "number": {
      const literal = typed.trim();
      return put(typeof parsedJson(literal) === "number" ? literal : JSON.stringify(typed));
    }
    case "choice": {
      const options = rules.options?.map((option) => option.value) ?? [true, false];
      const option = options[Number(typed)];
      return option === undefined ? draft : put(jsonFor(draft.text, field.steps, option));
    }
    case "json": {
      if (parsedJson(typed) === undefined) {
        return { ...draft, unread: { ...draft.unread, [pointer]: typed } };
      }
      return put(typed === prettyJson(written).text ? written : typed.trim());
    }
    default:
      return draft;
  }
}

/**
 * Returns the draft with a new text after a change of a field. Drops invalid JSON that was typed in that field or below
 * it.
 */
function withText(draft: FormDraft, { steps }: SchemaField, text: string): FormDraft {
  const pointer = pointerOf(steps);
  const unrelated = Object.entries(draft.unread).filter(
    ([one]) => one !== pointer && !one.startsWith(`${pointer}/`),
  );
  return { text, unread: Object.fromEntries(unrelated) };
}

/** Creates a sample for an added value. An added list gets its first item. */
function startValue(field: SchemaField, budget: EvaluationBudget): JsonValue {
  const value = sampleOf(field.schemas, budget);
  if (!isListField(field) || !Array.isArray(value) || value.length > 0) return value;
  return [sampleOf(fieldBelow({ ...field, value: [] }, 0, budget).schemas, budget)];
}

/**
 * Replaces a value by a sample for another alternative, by which the form chooses that alternative. Keeps those members
 * of the current value that fit the alternative, with their text unchanged.
 */
function switchBranch(
  draft: FormDraft,
  field: SchemaField,
  { union, branch: index }: Extract<FormEdit, { what: "branch" }>,
  budget: EvaluationBudget,
): FormDraft {
  const branch = field.rules.unions[union]?.branches[index];
  if (branch === undefined) return draft;
  const { text } = draft;
  const { steps, schemas } = field;
  const stays = (value: JsonValue) =>
    fieldRules(schemas, value, budget).unions[union]?.chosen === index;
  const made =
    typeof branch === "string"
      ? emptyValues[branch]
      : sampleOfBranch(schemas, branch, stays, budget);
  const fits = (value: JsonValue) =>
    typeof branch !== "string" && budget.fits([...schemas, branch], value) && stays(value);
  const reusable = keptMembers(made, field.value, fits);
  const ranges = rangesOf(
    text,
    reusable.map((name) => [...steps, name]),
  );
  const start = putJson(text, steps, jsonFor(text, steps, made));
  const next = ranges.reduce((now, range, index) => {
    const name = reusable[index] ?? "";
    return range === undefined
      ? now
      : putJson(now, [...steps, name], text.slice(range.start, range.end));
  }, start);
  return withText(draft, field, next);
}

/** The maximum number of samples that are tried for an alternative. */
const maxSamples = 200;

/** Returns the plainest sample that is recognized as the alternative, or else the plainest one. */
function sampleOfBranch(
  schemas: readonly SchemaRules[],
  branch: SchemaRules,
  stays: (value: JsonValue) => boolean,
  budget: EvaluationBudget,
): JsonValue {
  const list = [...schemas, branch];
  const plain = sampleOf(list, budget);
  if (stays(plain)) return plain;
  const fits = (value: unknown) => budget.fits(list, value) && stays(value as JsonValue);
  for (const mode of ["minimal", "full"] as const) {
    let count = 0;
    for (const value of sampleValues({ ...sampleTask(list, budget), mode })) {
      if (fits(value)) return pruneSample(value, fits) as JsonValue;
      count += 1;
      if (count >= maxSamples) break;
    }
  }
  return plain;
}

/** Returns the names of the members of `value` that a new value for an alternative can keep. */
function keptMembers(
  made: JsonValue,
  value: JsonValue | undefined,
  fits: (value: JsonValue) => boolean,
): readonly string[] {
  if (!isJsonObject(made) || !isJsonObject(value)) return [];
  let best: JsonValue = made;
  const names: string[] = [];
  for (const [name, one] of Object.entries(value)) {
    if (name === "__proto__") continue;
    const next = { ...(best as object), [name]: one } as JsonValue;
    if (!jsonEqual(made[name], one) && !fits(next)) continue;
    best = next;
    names.push(name);
  }
  return names;
}

function sampleOf(list: readonly SchemaRules[], budget: EvaluationBudget): JsonValue {
  return plainSample(list, budget) as JsonValue;
}

/**
 * Formats a value of a schema as JSON, indented for its position at `steps` in a text. It has no placeholders, since a
 * registry's text must not choose which value or secret is sent.
 */
function jsonFor(text: string, steps: readonly (string | number)[], value: JsonValue): string {
  const style = textStyle(text, "  ");
  return withoutPlaceholders(indentedJson(value, style, style.indent.repeat(steps.length)));
}
