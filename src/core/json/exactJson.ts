import { TokenPath } from "./jsonPointer";
import { JsonTokens } from "./jsonTokens";
import { isJsonObject, type JsonValue, jsonEqual } from "./jsonValue";
import { normalDigits, readLossily } from "./lossyNumbers";
import { RequestedRange, scanJson } from "./scanJson";
import { Token } from "./token";

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

  /** Rounds, since `JSON.stringify` can only write JavaScript's digits. */
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
  const value = JSON.parse(text) as JsonValue;
  if (scanJson(text, new RequestedRange(), 0).lossyValues.size === 0) return value;
  // The wrapper handles a text that is a single number.
  const root = [value];
  const tokens = new JsonTokens(text);
  const path = new TokenPath();
  while (tokens.next() !== Token.end) {
    const literal = text.slice(tokens.start, tokens.end);
    if (tokens.kind === Token.number && readLossily(literal) !== undefined) {
      replaceNumber(root, [0, ...path.steps()], literal);
    }
    path.take(tokens);
  }
  return root[0] ?? null;
}

/**
 * Replaces a rounded number by its exact one. Does nothing if the value differs, because a later duplicate name
 * replaced it.
 */
function replaceNumber(
  root: JsonValue[],
  steps: readonly (string | number | undefined)[],
  literal: string,
): void {
  const last = steps.at(-1) ?? 0;
  let inside: JsonValue | undefined = root;
  for (const step of steps.slice(0, -1)) inside = childOf(inside, step ?? 0);
  if (childOf(inside, last) !== Number(literal)) return;
  Object.defineProperty(inside, last, {
    value: new ExactNumber(literal),
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function childOf(inside: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (Array.isArray(inside)) return inside[Number(step)];
  return isJsonObject(inside) && Object.hasOwn(inside, step) ? inside[step] : undefined;
}

/**
 * Compares two values without their contents. Returns `inside` if both are lists or both are objects: then the contents
 * decide.
 */
export function compareShallow(
  one: JsonValue,
  other: JsonValue | undefined,
): "equal" | "different" | "inside" {
  if (isExact(one) || isExact(other)) return jsonEqual(one, other) ? "equal" : "different";
  const areLists = Array.isArray(one) && Array.isArray(other);
  if (areLists || (isJsonObject(one) && isJsonObject(other))) return "inside";
  return one === other ? "equal" : "different";
}
