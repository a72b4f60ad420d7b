import { type Chunked, runSync, sliceLength } from "../text/chunked";
import { JsonTokens } from "./jsonTokens";
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
    const known = this.children.get(step);
    if (known !== undefined) return known;
    const made = new RequestedRange();
    this.children.set(step, made);
    return made;
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
  /** The start of each name in an object; undefined before the first name. */
  keys: Map<string, number> | undefined;
}

/**
 * Scans a valid JSON text once without building values. Sets the requested ranges and finds duplicate names and numbers
 * that lose digits. As in every JSON parser, the last duplicate counts.
 */
export function scanJson(text: string, root: RequestedRange, limit: number): JsonScan {
  return runSync(scanJsonChunked(text, root, limit));
}

/** Scans like `scanJson`, but yields in between. */
export function* scanJsonChunked(
  text: string,
  root: RequestedRange,
  limit: number,
): Chunked<JsonScan> {
  const tokens = new JsonTokens(text);
  const duplicateKeys: DuplicateKey[] = [];
  const lossyNumbers: LossyNumber[] = [];
  const lossyValues = new Map<number, boolean>();
  let hidden = 0;
  const addTo = <Found>(found: Found[], item: Found) => {
    if (found.length < limit) found.push(item);
    else hidden += 1;
  };
  const open: OpenContainer[] = [];
  let inside: OpenContainer | undefined;
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
        inside = { isObject: expectsKey, requested, index: 0, keys: undefined };
        requested = expectsKey ? undefined : requested?.children?.get(0);
        open.push(inside);
        break;
      case Token.closeBrace:
      case Token.closeBracket:
        if (inside?.requested?.value !== undefined) inside.requested.value.end = tokens.end;
        open.pop();
        inside = open[open.length - 1];
        expectsKey = false;
        requested = undefined;
        break;
      case Token.comma:
        expectsKey = inside?.isObject === true;
        requested = undefined;
        if (inside?.requested !== undefined) {
          inside.index += 1;
          if (!expectsKey) requested = inside.requested.children?.get(inside.index);
        }
        break;
      case Token.colon:
        break;
      default:
        if (expectsKey && inside !== undefined) {
          expectsKey = false;
          const name = nameOf(tokens);
          inside.keys ??= new Map();
          const firstStart = inside.keys.get(name);
          if (firstStart === undefined) inside.keys.set(name, tokens.start);
          else addTo(duplicateKeys, { name, range: rangeOf(tokens), firstStart });
          requested = inside.requested?.children?.get(name);
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
  return { duplicateKeys, lossyNumbers, lossyValues, hidden };
}

function rangeOf({ start, end }: TextRange): TextRange {
  return { start, end };
}

function nameOf({ text, start, end, isSpecial }: JsonTokens): string {
  return isSpecial
    ? (JSON.parse(text.slice(start, end)) as string)
    : text.slice(start + 1, end - 1);
}
