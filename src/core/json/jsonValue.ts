/** Any value that JSON text can represent. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/**
 * A JSON object. Its names are data. Read them with `ownValue`, `Object.hasOwn` or `Object.entries`, so that inherited
 * ones do not count.
 */
export interface JsonObject {
  [name: string]: JsonValue;
}

/** Returns whether a value is a JSON object, neither an array nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON text. Undefined if it is invalid. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const jsonTypes = ["null", "boolean", "object", "array", "number", "integer", "string"] as const;

/** The type names of JSON Schema. */
export type JsonType = (typeof jsonTypes)[number];

/** Returns whether a value names a type of JSON Schema. */
export function isJsonType(value: unknown): value is JsonType {
  return (jsonTypes as readonly unknown[]).includes(value);
}

/** Returns an object's own property; undefined for an inherited one. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns an object's own property if it is an object. */
export function ownObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = ownValue(object, key);
  return isJsonObject(value) ? value : undefined;
}

/** Creates an object with one member, or an empty one if there is no value. */
export function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}

/** Returns the type of a JSON value; `integer` for a number without a fraction. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return isIntegral(value) ? "integer" : "number";
  if (typeof value === "string" || typeof value === "boolean") return typeof value as JsonType;
  return "object";
}

/** Returns whether a JSON value has a JSON Schema type. An integer is also a number. */
export function isOfType(value: unknown, type: JsonType): boolean {
  const actual = jsonTypeOf(value);
  return actual === type || (type === "number" && actual === "integer");
}

// A literal such as 1e400 is parsed as Infinity, but it has no fraction.
function isIntegral(value: number): boolean {
  return Number.isInteger(value) || !Number.isFinite(value);
}

/**
 * Compares two JSON values as JSON Schema does: numbers by value, objects without key order. Stops at the first
 * difference and uses no recursion. Returns false beyond `maxValues`, which is unlimited by default.
 */
export function jsonEqual(
  left: unknown,
  right: unknown,
  maxValues = Number.POSITIVE_INFINITY,
): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  const open: [unknown, unknown][] = [[left, right]];
  let valuesLeft = maxValues;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (Array.isArray(left)) {
      if (!Array.isArray(right) || left.length !== right.length) return false;
      valuesLeft -= left.length;
      if (valuesLeft < 0) return false;
      for (let at = 0; at < left.length; at += 1) open.push([left[at], right[at]]);
    } else {
      if (!isJsonObject(left) || !isJsonObject(right)) return false;
      const names = Object.keys(left);
      valuesLeft -= names.length;
      if (valuesLeft < 0 || names.length !== Object.keys(right).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        open.push([left[name], right[name]]);
      }
    }
  }
  return true;
}

/** Finds the first two equal items of an array and returns their indexes. Takes linear time in the text's size. */
export function findEqualItems(items: readonly unknown[]): [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const isComposite = typeof item === "object" && item !== null;
    // Texts of arrays and objects start with a bracket and those of strings with a quote, so they never collide.
    const key = isComposite ? canonicalText(item) : typeof item === "string" ? `"${item}` : item;
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
}

/** The remaining length of text for the compared values. */
export interface TextBudget {
  charactersLeft: number;
  /** Whether a value was too large or nested deeper than 100 levels, so that its text is incomplete. */
  exceeded: boolean;
}

/**
 * Returns a text that is identical exactly for equal values, independent of the order of members. It is canonical JSON
 * (RFC 8785) if the value `isInterchangeable`.
 */
export function canonicalText(value: unknown): string {
  return boundedText(value, { charactersLeft: Number.POSITIVE_INFINITY, exceeded: false });
}

/** Returns the text of `canonicalText`, truncated when the budget is used up. Empty for undefined. */
export function boundedText(value: unknown, budget: TextBudget): string {
  const parts: string[] = [];
  const deepest = budget.charactersLeft === Number.POSITIVE_INFINITY ? budget.charactersLeft : 100;
  write(value, 0);
  return parts.join("");

  function write(part: unknown, depth: number): void {
    if (budget.charactersLeft <= 0 || depth > deepest) {
      budget.exceeded = true;
      return;
    }
    if (Array.isArray(part)) {
      put("[");
      for (let index = 0; index < part.length; index += 1) {
        if (budget.exceeded) return;
        if (index > 0) put(",");
        write(part[index], depth + 1);
      }
      put("]");
    } else if (isJsonObject(part)) {
      put("{");
      const names = Object.keys(part).sort();
      for (let index = 0; index < names.length; index += 1) {
        if (budget.exceeded) return;
        if (index > 0) put(",");
        const name = names[index] ?? "";
        putText(name);
        put(":");
        write(part[name], depth + 1);
      }
      put("}");
    } else if (typeof part === "string") putText(part);
    // A literal such as 1e400 is parsed as Infinity, which JSON cannot represent.
    else if (typeof part === "number") put(String(part === 0 ? 0 : part));
    else put(JSON.stringify(part) ?? "");
  }

  function putText(text: string): void {
    if (text.length > budget.charactersLeft) budget.exceeded = true;
    put(JSON.stringify(text.slice(0, Math.max(0, budget.charactersLeft))));
  }

  function put(text: string): void {
    budget.charactersLeft -= text.length;
    parts.push(text);
  }
}

/**
 * Returns whether containers are nested deeper than `limit` levels. Goes level by level, since recursion could overflow
 * the stack.
 */
export function isDeeperThan(value: JsonValue, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(
  value: JsonValue,
): value is Exclude<JsonValue, string | number | boolean | null> {
  return typeof value === "object" && value !== null;
}

/**
 * Returns whether every JSON parser reads a value the same way (I-JSON, RFC 7493): no number beyond a double, such as
 * 1e400, and no unpaired surrogate.
 */
export function isInterchangeable(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isInterchangeable);
  if (!isJsonObject(value)) return true;
  return Object.keys(value).every((name) => name.isWellFormed() && isInterchangeable(value[name]));
}
