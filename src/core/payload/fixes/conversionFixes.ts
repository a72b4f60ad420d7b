import { isOfType, type JsonType } from "../../json/jsonValue";
import { type LocalizableText, l10nText } from "../../text/localizableText";
import type { PayloadProblem } from "../payloadCheck";
import { readContainer } from "./containerText";
import { changeTo, choice, type PayloadFix } from "./payloadFix";

interface Conversion {
  readonly title: LocalizableText;
  readonly text: string;
  /** The value says the same as before, only in the type that was asked for. */
  readonly keepsMeaning: boolean;
}

/**
 * Rewrites a value of the wrong type as one of an expected type: `"5"` as `5` and back, a single
 * value as a list of one and back, JSON inside a string as JSON. `itemTypes` are those a list may hold.
 */
export function conversionFixes(
  text: string,
  { start, end }: PayloadProblem,
  expected: readonly string[],
  itemTypes: readonly string[],
): PayloadFix[] {
  const literal = text.slice(start, end);
  const value = parsed(literal);
  if (value === undefined) return [];
  const found = new Map<string, Conversion>();
  for (const type of expected) {
    for (const one of conversions(type, literal, value, itemTypes)) {
      if (!found.has(one.text)) found.set(one.text, one);
    }
  }
  const all = [...found.values()];
  const [only] = all.filter(({ keepsMeaning }) => keepsMeaning);
  const isOnly = all.filter(({ keepsMeaning }) => keepsMeaning).length === 1;
  return all.map((one) => ({
    ...choice(one.title, { start, end, text: one.text }),
    isPreferred: one === only,
    isUnambiguous: isOnly && one === only,
  }));
}

function conversions(
  type: string,
  literal: string,
  value: unknown,
  itemTypes: readonly string[],
): Conversion[] {
  const inside = typeof value === "string" ? value.trim() : undefined;
  const become = (text: string, keepsMeaning = true) => [
    { title: changeTo(text), text, keepsMeaning },
  ];
  if (inside !== undefined) {
    const read = parsed(inside);
    if (read !== undefined && isOfType(read, type as JsonType)) return become(inside);
  }
  const [single] = singleItem(literal, value, type);
  if (single !== undefined) return [single];
  switch (type) {
    case "integer":
      if (typeof value === "number") {
        const rounded = String(Math.round(value));
        return [
          {
            title: l10nText("Round to {value}", { value: rounded }),
            text: rounded,
            keepsMeaning: false,
          },
        ];
      }
      return typeof value === "boolean" ? become(value ? "1" : "0", false) : [];
    case "string":
      if (typeof value === "number" || typeof value === "boolean") {
        return become(JSON.stringify(literal));
      }
      return value === null ? become('""', false) : [];
    case "boolean":
      if (inside !== undefined && /^(true|false)$/i.test(inside)) {
        return become(inside.toLowerCase());
      }
      if (inside !== undefined && /^(yes|no|on|off)$/i.test(inside)) {
        return become(/^(yes|on)$/i.test(inside) ? "true" : "false");
      }
      return value === 0 || value === 1 ? become(value === 1 ? "true" : "false", false) : [];
    case "null":
      return inside === "" ? become("null", false) : [];
    case "array":
      return value === null ? [] : [inList(literal, value, itemTypes)];
    default:
      return [];
  }
}

function inList(literal: string, value: unknown, itemTypes: readonly string[]): Conversion {
  const fits = itemTypes.some((type) => isOfType(value, type as JsonType));
  return { title: l10nText("Wrap in an array"), text: `[${literal}]`, keepsMeaning: fits };
}

/** A list of one, where its only item is of the type that was asked for. */
function singleItem(literal: string, value: unknown, type: string): Conversion[] {
  if (!Array.isArray(value) || value.length !== 1) return [];
  const [item] = readContainer(literal, 0)?.members ?? [];
  if (item === undefined || !isOfType(value[0], type as JsonType)) return [];
  const text = literal.slice(item.start, item.end);
  return [{ title: l10nText("Unwrap the array"), text, keepsMeaning: false }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
