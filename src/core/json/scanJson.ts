import { type Chunked, runSync, sliceLength } from "../text/chunked";
import { JsonTokens } from "./jsonTokens";
import type { JsonValue } from "./jsonValue";
import { isWholeLiteral, readLossily } from "./lossyNumbers";
import { type TextRange, Token } from "./token";

/**
 * A value whose range a scan should find, and requested values below it. The scan sets `value`, and `key` for a
 * property.
 */
export class RequestedRange {
  value: TextRange | undefined;
  key: TextRange | undefined;
  children: Map<string | number, RequestedRange> | undefined;

  /** Requests a value one step below: a property name, or an index as a number. */
  below(step: string | number): RequestedRange {
    this.children ??= new Map();
    const existing = this.children.get(step);
    if (existing !== undefined) return existing;
    const created = new RequestedRange();
    this.children.set(step, created);
    return created;
  }
}

/** A duplicate property name: its range, and the start of the first one. */
interface DuplicateKey {
  name: string;
  range: TextRange;
  firstStart: number;
}

/** A number that loses digits, and its parsed value. */
interface LossyNumber {
  range: TextRange;
  readAs: string;
}

/** The result of a scan. The lists are limited. `hidden` counts the rest. */
export interface JsonScan {
  duplicateKeys: DuplicateKey[];
  lossyNumbers: LossyNumber[];
  /** The parsed values of all numbers that lose digits. A value maps to true if none of its literals has a fraction. */
  lossyValues: ReadonlyMap<number, boolean>;
  hidden: number;
}

/** An object or list whose end was not read yet. */
interface OpenContainer {
  readonly isObject: boolean;
  readonly requested: RequestedRange | undefined;
  /** The index of the current item. */
  index: number;
  /** The start of each name in an object. Undefined before the first name, and if names are only counted. */
  keys: Map<string, number> | undefined;
}

/**
 * Scans a valid JSON text once without building values. Sets the requested ranges and finds duplicate names and numbers
 * that lose digits. As in every JSON parser, the last duplicate counts. With the parsed `value` of the text, a scan is
 * faster by a third.
 */
export function scanJson(
  text: string,
  root: RequestedRange,
  limit: number,
  value?: JsonValue,
): JsonScan {
  return runSync(scanJsonChunked(text, root, limit, value));
}

/** Scans like `scanJson`, but yields in between. */
export function* scanJsonChunked(
  text: string,
  root: RequestedRange,
  limit: number,
  value?: JsonValue,
): Chunked<JsonScan> {
  const tokens = new JsonTokens(text);
  const duplicateKeys: DuplicateKey[] = [];
  const lossyNumbers: LossyNumber[] = [];
  const lossyValues = new Map<number, boolean>();
  let hidden = 0;
  let nameCount = 0;
  const addTo = <Found>(found: Found[], item: Found) => {
    if (found.length < limit) found.push(item);
    else hidden += 1;
  };
  const open: OpenContainer[] = [];
  let container: OpenContainer | undefined;
  let expectsKey = false;
  /** The request for the next value. */
  let requested: RequestedRange | undefined = root;
  let pauseAt = sliceLength;
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    if (tokens.start > pauseAt) {
      yield;
      pauseAt = tokens.start + sliceLength;
    }
    switch (kind) {
      case Token.openBrace:
      case Token.openBracket:
        expectsKey = kind === Token.openBrace;
        if (requested !== undefined) requested.value = rangeOf(tokens);
        container = { isObject: expectsKey, requested, index: 0, keys: undefined };
        requested = expectsKey ? undefined : requested?.children?.get(0);
        open.push(container);
        break;
      case Token.closeBrace:
      case Token.closeBracket:
        if (container?.requested?.value !== undefined) container.requested.value.end = tokens.end;
        open.pop();
        container = open[open.length - 1];
        expectsKey = false;
        requested = undefined;
        break;
      case Token.comma:
        expectsKey = container?.isObject === true;
        requested = undefined;
        if (container?.requested !== undefined) {
          container.index += 1;
          if (!expectsKey) requested = container.requested.children?.get(container.index);
        }
        break;
      case Token.colon:
        break;
      default:
        if (expectsKey && container !== undefined) {
          expectsKey = false;
          nameCount += 1;
          if (value !== undefined && container.requested?.children === undefined) break;
          const name = nameOf(tokens);
          if (value === undefined) {
            container.keys ??= new Map();
            const firstStart = container.keys.get(name);
            if (firstStart === undefined) container.keys.set(name, tokens.start);
            else addTo(duplicateKeys, { name, range: rangeOf(tokens), firstStart });
          }
          requested = container.requested?.children?.get(name);
          if (requested !== undefined) requested.key = rangeOf(tokens);
          break;
        }
        if (requested !== undefined) requested.value = rangeOf(tokens);
        if (kind === Token.number && (tokens.isSpecial || tokens.end - tokens.start > 15)) {
          const literal = text.slice(tokens.start, tokens.end);
          const readAs = readLossily(literal);
          if (readAs === undefined) break;
          const number = Number(literal);
          const isWhole = isWholeLiteral(literal) && lossyValues.get(number) !== false;
          lossyValues.set(number, isWhole);
          addTo(lossyNumbers, { range: rangeOf(tokens), readAs });
        }
    }
  }
  // A parsed object has each name once. Only if the text has more names, a second scan remembers them to find the
  // duplicates.
  if (value !== undefined && nameCount !== memberCount(value))
    return yield* scanJsonChunked(text, root, limit);
  return { duplicateKeys, lossyNumbers, lossyValues, hidden };
}

/** Counts the properties of all objects in a value. */
function memberCount(value: JsonValue): number {
  let count = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const inner = Array.isArray(next) ? next : Object.values(next);
    if (!Array.isArray(next)) count += inner.length;
    for (const part of inner) if (typeof part === "object" && part !== null) open.push(part);
  }
  return count;
}

function rangeOf({ start, end }: TextRange): TextRange {
  return { start, end };
}

function nameOf({ text, start, end, isSpecial }: JsonTokens): string {
  return isSpecial
    ? (JSON.parse(text.slice(start, end)) as string)
    : text.slice(start + 1, end - 1);
}
