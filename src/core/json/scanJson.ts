import { type DuplicateKey, DuplicateKeys } from "./duplicateKeys";
import { JsonTokens } from "./jsonTokens";
import { type LossyNumber, LossyNumbers } from "./lossyNumbers";
import { type TextRange, Token } from "./token";

/**
 * A value whose range a scan should find, with requested values below it. The scan fills in `value`, and `key` where
 * the value is a property's.
 */
export class RequestedRange {
  value: TextRange | undefined;
  key: TextRange | undefined;
  children: Map<string | number, RequestedRange> | undefined;

  /** Requests the value one step below: a property name, or an index as a number. */
  below(step: string | number): RequestedRange {
    this.children ??= new Map();
    const known = this.children.get(step);
    if (known !== undefined) return known;
    const made = new RequestedRange();
    this.children.set(step, made);
    return made;
  }
}

/** The result of a scan. The lists are bounded, the rest is counted. */
export interface JsonScan {
  duplicateKeys: DuplicateKey[];
  lossyNumbers: LossyNumber[];
  /** All numbers that lose digits, as they are read, and whether none of them has a fraction. */
  lossyValues: ReadonlyMap<number, boolean>;
  hidden: number;
}

/**
 * Scans a text that is valid JSON, once and without building anything: fills in the requested ranges, and
 * finds duplicate keys and numbers that lose digits. Of duplicate keys the last one counts, as in every JSON
 * parser.
 */
export function scanJson(text: string, root: RequestedRange, limit: number): JsonScan {
  const tokens = new JsonTokens(text);
  const keys = new DuplicateKeys(limit);
  const lossy = new LossyNumbers(text, limit);
  const open: OpenContainer[] = [];
  let inside: OpenContainer | undefined;
  let expectsKey = false;
  /** The request for the next value. */
  let requested: RequestedRange | undefined = root;
  for (let kind = tokens.next(); kind !== Token.end; kind = tokens.next()) {
    switch (kind) {
      case Token.openBrace:
      case Token.openBracket:
        expectsKey = kind === Token.openBrace;
        if (expectsKey) keys.enterObject();
        if (requested === undefined) inside = expectsKey ? otherObject : otherList;
        else {
          requested.value = { start: tokens.start, end: tokens.end };
          inside = { isObject: expectsKey, requested, index: 0 };
          requested = expectsKey ? undefined : requested.children?.get(0);
        }
        open.push(inside);
        break;
      case Token.closeBrace:
      case Token.closeBracket:
        if (inside?.isObject) keys.leaveObject();
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
        if (expectsKey) {
          expectsKey = false;
          keys.add(tokens);
          requested = requestedMember(text, inside, tokens);
        } else {
          if (kind === Token.number) lossy.note(tokens);
          if (requested !== undefined) requested.value = { start: tokens.start, end: tokens.end };
        }
    }
  }
  return {
    duplicateKeys: keys.found,
    lossyNumbers: lossy.found,
    lossyValues: lossy.readAs,
    hidden: keys.hidden + lossy.hidden,
  };
}

/** An object or list that is being read; where it was requested, with the index of the current item. */
interface OpenContainer {
  readonly isObject: boolean;
  readonly requested: RequestedRange | undefined;
  index: number;
}

const otherObject: OpenContainer = { isObject: true, requested: undefined, index: 0 };
const otherList: OpenContainer = { isObject: false, requested: undefined, index: 0 };

/** Returns the request for the member whose name was just read. */
function requestedMember(
  text: string,
  inside: OpenContainer | undefined,
  { start, end }: TextRange,
): RequestedRange | undefined {
  const children = inside?.requested?.children;
  if (children === undefined) return undefined;
  const requested = children.get(JSON.parse(text.slice(start, end)) as string);
  if (requested !== undefined) requested.key = { start, end };
  return requested;
}
