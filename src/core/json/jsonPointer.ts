import { JsonTokens } from "./jsonTokens";
import { isJsonObject, type JsonValue, ownValue } from "./jsonValue";
import { isClosing, Token } from "./token";

/** Escapes one step of a JSON pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  const name = String(key);
  return /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** Joins steps to a JSON pointer; "" without steps, for the whole value. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${pointerStep(step)}`).join("");
}

/** Splits a JSON pointer into unescaped steps; none for "". */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at a JSON pointer; undefined if there is none. */
export function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  return pointerSteps(pointer).reduce(childAt, value);
}

/** Returns the property or item of an unescaped step; undefined if there is none. */
export function childAt(
  value: JsonValue | undefined,
  step: string | number,
): JsonValue | undefined {
  if (Array.isArray(value))
    return /^(0|[1-9]\d*)$/.test(`${step}`) ? value[Number(step)] : undefined;
  return isJsonObject(value) ? ownValue(value, String(step)) : undefined;
}

/**
 * Copies a value without the values at some paths. A removed list item is replaced by the items of `instead`. If
 * `instead` is empty, later items move up.
 */
export function withoutValues(
  value: JsonValue,
  paths: readonly (readonly (string | number)[])[],
  instead: readonly JsonValue[] = [],
): JsonValue {
  if (paths.length === 0 || typeof value !== "object" || value === null) return value;
  const isOmitted = (name: string) =>
    paths.some(([step, ...rest]) => String(step) === name && rest.length === 0);
  const part = (name: string, inner: JsonValue) => {
    const below = paths.filter(([step, ...rest]) => String(step) === name && rest.length > 0);
    return withoutValues(
      inner,
      below.map((path) => path.slice(1)),
      instead,
    );
  };
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      isOmitted(`${index}`) ? instead : [part(`${index}`, item)],
    );
  }
  const kept = Object.entries(value).filter(([name]) => !isOmitted(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, part(name, inner)]));
}

/** Tracks the position of tokens in a value while they are read in order. The text may be invalid JSON. */
export class TokenPath {
  readonly #open: { readonly isObject: boolean; step: string | number | undefined }[] = [];

  /** The number of open objects and lists. */
  get depth(): number {
    return this.#open.length;
  }

  /**
   * Returns the current name or index in each open container, outermost first. A container whose next name was not read
   * yet has undefined.
   */
  steps(): (string | number | undefined)[] {
    return this.#open.map(({ step }) => step);
  }

  /** Updates the position with the token that was just read. */
  take(token: JsonTokens): void {
    const { kind } = token;
    const inside = this.#open[this.#open.length - 1];
    if (kind === Token.openBrace) this.#open.push({ isObject: true, step: undefined });
    else if (kind === Token.openBracket) this.#open.push({ isObject: false, step: 0 });
    else if (isClosing(kind)) this.#open.pop();
    else if (inside === undefined || kind === Token.colon || kind === Token.comment) return;
    else if (kind === Token.comma) {
      inside.step = inside.isObject ? undefined : Number(inside.step) + 1;
    } else inside.step ??= String(token.value());
  }
}

/** The maximum depth of a pointer. Deeper ones would be too long to read. */
const maxDepth = 100;

/**
 * Returns the JSON pointers of the values at ascending offsets of a text. A property's name belongs to its object. The
 * text may be incomplete JSON. Returns "" for the whole value, for values below 100 levels, and for offsets after the
 * last token.
 */
export function pointersAt(text: string, offsets: readonly number[]): string[] {
  const found: string[] = [];
  const tokens = new JsonTokens(text);
  const path = new TokenPath();
  while (found.length < offsets.length && tokens.next() !== Token.end) {
    while ((offsets[found.length] ?? text.length) < tokens.end) {
      const steps = path.depth > maxDepth ? [] : path.steps();
      found.push(pointerOf(steps.filter((step) => step !== undefined)));
    }
    path.take(tokens);
  }
  return offsets.map((_, index) => found[index] ?? "");
}
