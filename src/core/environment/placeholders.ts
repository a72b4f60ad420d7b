import { JsonTokens } from "../json/jsonTokens";
import { type TextRange, Token } from "../json/token";

/** `{{name}}` in a string of a payload, with its range. */
export interface Placeholder extends TextRange {
  readonly name: string;
  /** The range of the whole string with its quotes, if the placeholder is all of it. */
  readonly whole?: TextRange;
}

type Names = Pick<ReadonlySet<string>, "size" | "has">;

/** The values for placeholders by name: ordinary values as JSON text, secrets as plain text. */
export interface PlaceholderValues {
  readonly values: ReadonlyMap<string, string>;
  readonly secrets: ReadonlyMap<string, string>;
}

/** A payload after replacing its placeholders. */
export interface ResolvedText {
  /** The text to check, agree to, hash and send. */
  readonly text: string;
  /** The same text for the screen, with dots instead of secrets. */
  readonly shown: string;
  /** The replaced ranges, in the order of the text. */
  readonly replaced: readonly ReplacedRange[];
}

/** One range of a payload that was replaced. */
export interface ReplacedRange {
  readonly name: string;
  readonly isSecret: boolean;
  /** The placeholder in the payload as written. */
  readonly written: TextRange;
  /** The range that was replaced: the placeholder, or its whole string with the quotes. */
  readonly removed: TextRange;
  /** The range of the replacement in the resolved text. */
  readonly resolved: TextRange;
}

/** The resolved text, or the placeholders without a value. `tooLarge` means more than `maxLength` characters. */
type Resolution =
  | { readonly kind: "resolved"; readonly value: ResolvedText }
  | { readonly kind: "missing"; readonly placeholders: readonly Placeholder[] }
  | { readonly kind: "tooLarge" };

/** The maximum number of characters of a resolved payload. A long value may occur many times. */
const maxLength = 32_000_000;

/** Replaces a secret on the screen. The length is always the same, so that it reveals nothing. */
const dots = "••••";

/**
 * Finds the placeholders in a text, which may be invalid JSON. Only declared names count. If `declared` is undefined,
 * all names count. Property names, text outside of strings, and escaped braces never count.
 */
export function findPlaceholders(
  text: string,
  declared: Names | undefined,
): readonly Placeholder[] {
  if (declared?.size === 0 || !text.includes("{{")) return [];
  const found: Placeholder[] = [];
  // A string before a colon is a property's name.
  let pending: readonly Placeholder[] = [];
  const tokens = new JsonTokens(text);
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    if (kind === Token.comment) continue;
    if (kind !== Token.colon) found.push(...pending);
    pending = kind === Token.string ? inString(text, tokens, declared) : [];
  }
  return [...found, ...pending];
}

/** Escapes the braces of all placeholders in a JSON text. Its values stay the same, and are sent as they are. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, "\\u007b");
}

/**
 * Replaces the placeholders of a text, and keeps all other characters. Every placeholder needs a value, since no
 * payload is sent with a placeholder in it.
 */
export function resolvePlaceholders(
  text: string,
  declared: ReadonlySet<string>,
  given: PlaceholderValues,
): Resolution {
  const placeholders = findPlaceholders(text, declared);
  const missing = placeholders.filter(
    ({ name }) => !given.secrets.has(name) && !given.values.has(name),
  );
  if (missing.length > 0) return { kind: "missing", placeholders: missing };
  const parts = placeholders.map((item) => replacementOf(item, given));
  const growth = parts.reduce(
    (sum, { removed, text: { length } }) => sum + length - (removed.end - removed.start),
    0,
  );
  if (growth > 0 && text.length + growth > maxLength) return { kind: "tooLarge" };
  const sent = new TextReplacer(text);
  const shown = new TextReplacer(text);
  const replaced = parts.map(({ text: value, shown: visible, ...part }) => {
    shown.replace(part.removed, visible);
    return { ...part, resolved: sent.replace(part.removed, value) };
  });
  return { kind: "resolved", value: { text: sent.end(), shown: shown.end(), replaced } };
}

/**
 * Maps a range of the resolved text to the payload as written. If the range touches a replaced value, the whole
 * placeholder is returned, so that a problem never reveals a part of a secret.
 */
export function writtenRange(
  replaced: readonly ReplacedRange[],
  { start, end }: TextRange,
): TextRange {
  const touched = replaced.filter(({ resolved }) =>
    start === end
      ? resolved.start < start && start < resolved.end
      : resolved.start < end && start < resolved.end,
  );
  const [first] = touched;
  const last = touched.at(-1);
  const from =
    first !== undefined && first.resolved.start <= start ? first.written.start : undefined;
  const to = last !== undefined && end <= last.resolved.end ? last.written.end : undefined;
  return { start: from ?? writtenOffset(replaced, start), end: to ?? writtenOffset(replaced, end) };
}

/** Maps an offset that is outside of all replaced values. */
function writtenOffset(replaced: readonly ReplacedRange[], offset: number): number {
  const before = replaced.findLast(({ resolved }) => resolved.end <= offset);
  return before === undefined ? offset : before.removed.end + offset - before.resolved.end;
}

/**
 * Finds the placeholder that the user is typing at an offset, from its braces to its end. Undefined if no placeholder
 * is possible there. The string around it may be unclosed.
 */
export function unfinishedPlaceholder(text: string, offset: number): TextRange | undefined {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const before = /\{\{[A-Za-z0-9_-]{0,64}$/.exec(line)?.[0];
  if (before === undefined) return undefined;
  const start = offset - before.length;
  const tokens = new JsonTokens(text);
  while (tokens.end < offset && tokens.next() !== Token.end);
  if (tokens.kind !== Token.string || tokens.start >= start) return undefined;
  const { start: quote, end: stringEnd } = tokens;
  if (tokens.next() === Token.colon) return undefined;
  const after = /^[A-Za-z0-9_-]{0,64}(?:\}\}?)?/.exec(
    text.slice(offset, Math.max(offset, stringEnd)),
  );
  return quote < start ? { start, end: offset + (after?.[0].length ?? 0) } : undefined;
}

/** A regular expression of the names that the schema of `environments.json` allows for values and secrets. */
export const valueName = "[A-Za-z][A-Za-z0-9_-]{0,63}";

/** Matches what may be a placeholder, or a reference from a suite's case to an earlier case. The group is its name. */
export const placeholder = new RegExp(`\\{\\{(${valueName}|case:[^{}]{1,300})\\}\\}`, "g");

function inString(
  text: string,
  { start, end }: TextRange,
  declared: Names | undefined,
): readonly Placeholder[] {
  const content = text.slice(start + 1, end - 1);
  return [...content.matchAll(placeholder)].flatMap(({ 0: { length }, 1: name = "", index }) => {
    const isDeclared = declared === undefined ? !name.includes(":") : declared.has(name);
    if (!isDeclared) return [];
    const from = start + 1 + index;
    const range = { name, start: from, end: from + length };
    return [length === content.length ? { ...range, whole: { start, end } } : range];
  });
}

/** Returns the replacement of a placeholder. It is a whole JSON value, or the characters inside of a string. */
function replacementOf(
  { name, whole, start, end }: Placeholder,
  { values, secrets }: PlaceholderValues,
): Omit<ReplacedRange, "resolved"> & { readonly text: string; readonly shown: string } {
  const written = { start, end };
  const removed = whole ?? written;
  const secret = secrets.get(name);
  const json = secret === undefined ? (values.get(name) ?? "") : JSON.stringify(secret);
  const text = whole === undefined ? stringContent(json) : json;
  const hidden = whole === undefined ? dots : `"${dots}"`;
  return {
    name,
    isSecret: secret !== undefined,
    written,
    removed,
    text,
    shown: secret === undefined ? text : hidden,
  };
}

/** Returns a JSON value as characters inside of a string. */
function stringContent(json: string): string {
  return json.startsWith('"') ? json.slice(1, -1) : JSON.stringify(json).slice(1, -1);
}

/** Builds a text by replacing ranges from its start to its end. */
class TextReplacer {
  readonly #text: string;
  readonly #pieces: string[] = [];
  #taken = 0;
  #length = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Replaces a range after all earlier ones. Returns its range in the new text. */
  replace({ start, end }: TextRange, by: string): TextRange {
    this.#add(this.#text.slice(this.#taken, start));
    const from = this.#length;
    this.#add(by);
    this.#taken = end;
    return { start: from, end: this.#length };
  }

  /** Returns the new text. */
  end(): string {
    return [...this.#pieces, this.#text.slice(this.#taken)].join("");
  }

  #add(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}
