import { isJsonObject, type JsonValue, jsonEqual } from "./jsonValue";
import { normalDigits, readLossily } from "./lossyNumbers";
import { RequestedRange, scanJson } from "./scanJson";

/** A number that JavaScript would round, such as 9007199254740993. Equal numbers have equal `digits`. */
class ExactNumber {
  /** The sign, the digits and a power of ten, independent of the spelling. */
  readonly digits: string;
  /** Makes this object differ from every JSON object, since JSON has no undefined members. */
  readonly json = undefined;
  readonly #literal: string;

  constructor(literal: string) {
    this.digits = `${literal.startsWith("-") ? "-" : ""}${normalDigits(literal)}`;
    this.#literal = literal;
  }

  get literal(): string {
    return this.#literal;
  }

  /** Returns the rounded number, since `JSON.stringify` can only write JavaScript's digits. */
  toJSON(): number {
    return Number(this.#literal);
  }
}

/** Returns the spelling of an exact number, which JavaScript would round; undefined for any other value. */
export function exactLiteral(value: unknown): string | undefined {
  return value instanceof ExactNumber ? value.literal : undefined;
}

/** Returns whether a value is an exact number. */
export function isExact(value: unknown): boolean {
  return value instanceof ExactNumber;
}

/** Returns whether a value is or contains an exact number. */
export function hasExactNumber(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isExact(value) || Object.values(value).some(hasExactNumber);
}

/**
 * Parses a JSON text like `JSON.parse`, but keeps numbers exact that would lose digits. `printJson` writes them in
 * their spelling. Throws if the JSON is invalid.
 */
export function parseExactly(text: string): JsonValue {
  // A reviver makes parsing eight times slower, so it is used only if a number would lose digits.
  const value = JSON.parse(text) as JsonValue;
  if (scanJson(text, new RequestedRange(), 0, value).lossyValues.size === 0) return value;
  return (JSON.parse as ParseWithSources)(text, (_, value, { source }) =>
    source !== undefined && typeof value === "number" && readLossily(source) !== undefined
      ? new ExactNumber(source)
      : value,
  );
}

/** The standard's `JSON.parse`, which the compiler's library does not describe yet. */
type ParseWithSources = (
  text: string,
  revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => JsonValue;

/**
 * Compares two values without their contents. Returns `inside` if both are lists or both are objects: then the contents
 * decide.
 */
export function compareShallow(
  left: JsonValue,
  right: JsonValue | undefined,
): "equal" | "different" | "inside" {
  if (isExact(left) || isExact(right)) return jsonEqual(left, right) ? "equal" : "different";
  const areLists = Array.isArray(left) && Array.isArray(right);
  if (areLists || (isJsonObject(left) && isJsonObject(right))) return "inside";
  return left === right ? "equal" : "different";
}
