import { type JsonValue, jsonEqual } from "../json/jsonValue";
import { jsonText } from "../json/printJson";
import { knownValues } from "../schema/complete/valueSnippets";
import type { EvaluationBudget } from "../schema/evaluate/evaluationBudget";
import { firstOf, type SchemaRules } from "../schema/schemaRules";
import { revealHidden, shortened } from "../text/plainText";
import type { FieldOption } from "./fieldRules";
import { fieldBelow, isListField, type SchemaField } from "./fieldWalk";
import type { FieldControl, FieldGroup, TextInput } from "./formField";

/** The control of a single value. */
export type ValueControl = Exclude<FieldControl, FieldGroup>;

/** The number of characters of values that the form can still show. */
export interface ValueRoom {
  remainingCharacters: number;
}

/** The maximum length of a value that a page can edit. */
export const maxValue = 100_000;
/** The maximum number of entries in a list of choices. */
const maxOptions = 300;
const maxSuggestions = 5;
/** The maximum number of check boxes of a list. A longer list shows its items. */
const maxBoxes = 20;

/**
 * Chooses the control of a value that is neither object nor list. Subtracts the length of its text from the remaining
 * characters in `room`.
 */
export function controlOf(field: SchemaField, room: ValueRoom): ValueControl {
  const { value, rules } = field;
  const { options, type, layers } = rules;
  if (options !== undefined && options.length <= maxOptions) {
    const texts = options.map(({ value: allowed }) => jsonText(allowed));
    const chosen = value === undefined ? -1 : texts.indexOf(jsonText(value));
    const only = texts.length === 1 && (chosen === 0 || value === undefined) ? texts[0] : undefined;
    if (only !== undefined) return { kind: "fixed", text: displayText(only, 1000) };
    const labels = options.map(optionLabel);
    // A new payload leaves the text empty where a person has to choose.
    if (value === undefined || value === "" || chosen >= 0) {
      return { kind: "choice", options: labels, chosen };
    }
  }
  if (type === "boolean" && (value === undefined || typeof value === "boolean")) {
    const chosen = value === undefined ? -1 : value ? 0 : 1;
    return { kind: "choice", options: ["true", "false"], chosen };
  }
  const isText = typeof value === "string" && isTypable(value);
  if (type === "string" && (value === undefined || isText)) {
    const text = value ?? "";
    return typingControl({ kind: "text", text, input: inputOf(layers, text) }, room);
  }
  const isNumber = type === "integer" || type === "number";
  // Text that is not a number stays as typed, so that the check reports it.
  if (isNumber && (value === undefined || typeof value === "number" || isText)) {
    return typingControl({ kind: "number", text: value === undefined ? "" : String(value) }, room);
  }
  return typingControl({ kind: "json", text: value === undefined ? "" : jsonText(value, 2) }, room);
}

function optionLabel({ value, title }: FieldOption): string {
  const text = typeof value === "string" && value !== "" ? value : jsonText(value);
  return displayText(title || text, 200);
}

/** The values that a list may contain, and the indexes of those that it contains. */
interface ListOptions {
  readonly values: readonly JsonValue[];
  readonly labels: readonly string[];
  /** The index of the option of each item; -1 for an empty text. */
  readonly chosen: readonly number[];
}

/**
 * Returns the options of a list whose items are all fixed values. Undefined for any other field, and if the list has
 * another item or one twice.
 */
export function listOptions(field: SchemaField, budget: EvaluationBudget): ListOptions | undefined {
  const { value = [], rules } = field;
  if (!isListField(field) || !Array.isArray(value)) return undefined;
  if (rules.layers.some(({ prefixItems }) => prefixItems !== undefined)) return undefined;
  const { options = [] } = fieldBelow({ ...field, value: [] }, 0, budget).rules;
  if (options.length < 2 || options.length > maxBoxes || value.length > maxBoxes) return undefined;
  const chosen = value.map((item) => options.findIndex((option) => jsonEqual(option.value, item)));
  const isOther = chosen.some((index, at) => index < 0 && value[at] !== "");
  if (isOther || new Set(chosen).size < chosen.length) return undefined;
  return {
    values: options.map((option) => option.value),
    labels: options.map(optionLabel),
    chosen,
  };
}

/** Returns a control for typing, or the start of its text if the text is too long for a page. */
function typingControl(
  control: Extract<ValueControl, { kind: "text" | "number" | "json" }>,
  room: ValueRoom,
): ValueControl {
  const { length } = control.text;
  if (length > Math.min(maxValue, room.remainingCharacters)) {
    return { kind: "long", text: displayText(control.text, 1000) };
  }
  room.remainingCharacters -= length;
  return control;
}

/**
 * Returns whether an input field of a page keeps a text as it is. Such a field converts line ends to `\n` and cannot
 * hold an unpaired surrogate.
 */
function isTypable(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text);
}

/** The number of characters that fit on one line. */
const maxLine = 100;

function inputOf(layers: readonly SchemaRules[], text: string): TextInput {
  if (text.includes("\n")) return "lines";
  const format = firstOf(layers, "format");
  if (format === "date" && /^(\d{4}-\d\d-\d\d)?$/.test(text)) return "date";
  const most = Math.min(...layers.map(({ maxLength = Number.POSITIVE_INFINITY }) => maxLength));
  const isShort = format !== undefined || firstOf(layers, "pattern") !== undefined;
  return isShort || most <= maxLine ? "line" : "lines";
}

/** Returns a default as JSON. A list of words is shown as its words. */
export function defaultText(value: JsonValue): string {
  const isWord = (item: JsonValue) => typeof item === "string" && /^[\w-]+$/.test(item);
  const isWords = Array.isArray(value) && value.length > 0 && value.every(isWord);
  return displayText(isWords ? value.join(", ") : jsonText(value), 200);
}

/** Lists the suggestions for a field, without its default, which has a button of its own. */
export function suggestionsOf(layers: readonly SchemaRules[]): readonly JsonValue[] {
  const fallback = firstOf(layers, "default");
  return knownValues(layers)
    .filter((value) => !isContainer(value) && !jsonEqual(value, fallback))
    .slice(0, maxSuggestions);
}

function isContainer(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** Truncates a text of a registry or a payload and makes hidden characters visible. */
export function displayText(text: string, maxLength: number): string {
  return revealHidden(shortened(text, maxLength));
}
