import { checkSyntax } from "../json/checkSyntax";
import { pointerOf, pointerSteps } from "../json/jsonPointer";
import {
  isJsonObject,
  type JsonType,
  type JsonValue,
  jsonEqual,
  parsedJson,
} from "../json/jsonValue";
import { prettyJson } from "../json/printJson";
import type { TestableSchema } from "../schema/read/testableSchema";
import { emptyValues, plainSample, type SampleBudget } from "../schema/sample/sampleValues";
import type { SchemaRules } from "../schema/schemaRules";
import { type Language, localize } from "../text/language";
import { controlOf, suggestionsOf } from "./fieldControl";
import {
  type FieldHere,
  fieldAt,
  fieldBelow,
  isGroupField,
  isListField,
  rootField,
} from "./fieldWalk";
import type { FormDraft, FormEdit } from "./formField";
import { jsonFor, putJson, rangesOf, removeJson } from "./payloadText";
import { budgetOf } from "./readForm";

/**
 * Applies one change of a form and returns the new draft. All other text stays as written. Ignores a change that does
 * not fit the draft, for instance of a removed value.
 */
export function editForm(schema: TestableSchema, draft: FormDraft, edit: FormEdit): FormDraft {
  const value = parsedJson(draft.text);
  if (value === undefined) return draft;
  const budget = budgetOf(schema);
  const here = fieldAt(rootField(value, budget), pointerSteps(edit.pointer), budget);
  const put = (value: JsonValue, at: FieldHere = here) =>
    changed(draft, at, putJson(draft.text, at.steps, jsonFor(draft.text, at.steps, value)));
  switch (edit.what) {
    case "write":
      return draftWith(draft, here, edit.text);
    case "suggest": {
      const suggestion = suggestionsOf(here.rules.layers)[edit.index];
      return suggestion === undefined ? draft : put(suggestion);
    }
    case "branch": {
      const branch = here.rules.unions[edit.union]?.branches[edit.branch];
      return branch === undefined ? draft : otherBranch(draft, here, branch, budget);
    }
    case "add": {
      if (here.value === undefined) return put(startOf(here, budget));
      if (!Array.isArray(here.value)) return draft;
      const item = fieldBelow(here, here.value.length, budget);
      return put(sampleOf(item.schemas, budget), item);
    }
    case "addMember": {
      const member = fieldBelow(here, edit.name, budget);
      if (edit.name === "" || member.value !== undefined || isListField(here)) return draft;
      return put(sampleOf(member.schemas, budget), member);
    }
    case "remove":
      return here.value === undefined || here.parent === undefined
        ? draft
        : changed(draft, here.parent, removeJson(draft.text, here.steps));
  }
}

/**
 * Explains why the text of a JSON field is not JSON, with the message of the payload's check; undefined if it is JSON.
 */
export function whyNotJson(text: string, language: Language): string | undefined {
  if (parsedJson(text) !== undefined) return undefined;
  const [finding] = checkSyntax(text, 1).findings;
  return finding && localize(finding.message, language);
}

function draftWith(draft: FormDraft, here: FieldHere, typed: string): FormDraft {
  const { rules, value, parent } = here;
  const pointer = pointerOf(here.steps);
  const kind = isGroupField(here)
    ? "group"
    : controlOf(here, { valuesLeft: Number.POSITIVE_INFINITY }).kind;
  const put = (json: string) => changed(draft, here, putJson(draft.text, here.steps, json));
  const [range = { start: 0, end: 0 }] = rangesOf(draft.text, [here.steps]);
  const written = draft.text.slice(range.start, range.end);
  const isMember = parent !== undefined && typeof here.steps.at(-1) === "string";
  const isKept = kind === "text" && here.isRequired;
  if (typed === "" && isMember && !isKept) {
    const text = value === undefined ? draft.text : removeJson(draft.text, here.steps);
    return changed(draft, here, text);
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
      return option === undefined ? draft : put(JSON.stringify(option));
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
function changed(draft: FormDraft, { steps }: FieldHere, text: string): FormDraft {
  const pointer = pointerOf(steps);
  const unrelated = Object.entries(draft.unread).filter(
    ([one]) => one !== pointer && !one.startsWith(`${pointer}/`),
  );
  return { text, unread: Object.fromEntries(unrelated) };
}

/** Creates a sample for an added value. An added list gets its first item. */
function startOf(here: FieldHere, budget: SampleBudget): JsonValue {
  const value = sampleOf(here.schemas, budget);
  if (!isListField(here) || !Array.isArray(value) || value.length > 0) return value;
  return [sampleOf(fieldBelow({ ...here, value: [] }, 0, budget).schemas, budget)];
}

/**
 * Replaces a value by a sample for another alternative. Keeps those members of the current value that fit the
 * alternative, with their text unchanged.
 */
function otherBranch(
  draft: FormDraft,
  here: FieldHere,
  branch: SchemaRules | JsonType,
  budget: SampleBudget,
): FormDraft {
  const { text } = draft;
  const { steps } = here;
  const made =
    typeof branch === "string" ? emptyValues[branch] : sampleOf([...here.schemas, branch], budget);
  const reusable = typeof branch === "string" ? [] : keptMembers(made, here.value, branch, budget);
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
  return changed(draft, here, next);
}

/** Returns the names of the members of `value` that a new value for the alternative can keep. */
function keptMembers(
  made: JsonValue,
  value: JsonValue | undefined,
  branch: SchemaRules,
  budget: SampleBudget,
): readonly string[] {
  if (!isJsonObject(made) || !isJsonObject(value)) return [];
  let best: JsonValue = made;
  const names: string[] = [];
  for (const [name, one] of Object.entries(value)) {
    if (name === "__proto__") continue;
    const next = { ...(best as object), [name]: one } as JsonValue;
    if (!jsonEqual(made[name], one) && !budget.fits([branch], next)) continue;
    best = next;
    names.push(name);
  }
  return names;
}

function sampleOf(list: readonly SchemaRules[], budget: SampleBudget): JsonValue {
  return plainSample(list, budget) as JsonValue;
}
