import { type DuplicateKey, DuplicateKeys } from "./duplicateKeys";
import { readLossily } from "./readLossily";
import type { TextRange, WantedPlace } from "./wantedPlace";

/** A number that is read as another one. */
export interface LossyNumber {
  range: TextRange;
  readAs: string;
}

/** What a scan of a text found. The lists are bounded, the rest is counted. */
export interface JsonScan {
  duplicateKeys: DuplicateKey[];
  lossyNumbers: LossyNumber[];
  hidden: number;
}

interface OpenValue {
  isObject: boolean;
  /** The wanted place the value is at, if any. */
  wanted: WantedPlace | undefined;
  index: number;
}

/**
 * Reads through a text that is valid JSON, once and without building anything: fills in the
 * positions of the wanted places, and finds keys named twice and numbers that lose digits. Of a key
 * named twice the last one counts, as for every JSON reader.
 */
export function scanJson(text: string, root: WantedPlace, limit: number): JsonScan {
  const duplicates = new DuplicateKeys(text, limit);
  const scan: JsonScan = { duplicateKeys: duplicates.found, lossyNumbers: [], hidden: 0 };
  const open: OpenValue[] = [];
  let inside: OpenValue | undefined;
  let wanted: WantedPlace | undefined = root;
  let expectsKey = false;
  let at = 0;

  while (at < text.length) {
    const code = text.charCodeAt(at);
    switch (code) {
      case openBrace:
      case openBracket: {
        if (wanted !== undefined) wanted.value = { start: at, end: at };
        inside = { isObject: code === openBrace, wanted, index: 0 };
        open.push(inside);
        expectsKey = inside.isObject;
        if (inside.isObject) duplicates.enterObject();
        else wanted = wanted?.children?.get(0);
        at += 1;
        break;
      }
      case closeBrace:
      case closeBracket: {
        const closed = open.pop();
        at += 1;
        if (closed?.wanted?.value !== undefined) closed.wanted.value.end = at;
        if (closed?.isObject) duplicates.leaveObject();
        inside = open[open.length - 1];
        expectsKey = false;
        break;
      }
      case comma: {
        if (inside?.isObject) expectsKey = true;
        else if (inside !== undefined) {
          inside.index += 1;
          wanted = inside.wanted?.children?.get(inside.index);
        }
        at += 1;
        break;
      }
      case quote: {
        const start = at;
        if (!expectsKey) {
          at = endOfString(text, start);
          if (wanted !== undefined) wanted.value = { start, end: at };
          break;
        }
        let hash = 0;
        let hasEscape = false;
        for (at += 1; ; at += 1) {
          const unit = text.charCodeAt(at);
          if (unit === quote) break;
          if (unit === backslash) {
            hasEscape = true;
            at += 1;
          }
          hash = (Math.imul(hash, 31) + unit) | 0;
        }
        at += 1;
        const children: Map<string | number, WantedPlace> | undefined = inside?.wanted?.children;
        const name = hasEscape || children ? (JSON.parse(text.slice(start, at)) as string) : "";
        duplicates.add(start, at, hasEscape ? hashOf(name) : hash);
        wanted = children?.get(name);
        if (wanted !== undefined) wanted.key = { start, end: at };
        expectsKey = false;
        break;
      }
      case space:
      case newline:
      case carriageReturn:
      case tab:
      case colon:
        at += 1;
        while (text.charCodeAt(at) === space) at += 1;
        break;
      default: {
        const start = at;
        // A literal's letters are all above "E"; what is left is a number.
        const isWord = code >= letterA;
        while (isScalar(text.charCodeAt(at))) at += 1;
        if (wanted !== undefined) wanted.value = { start, end: at };
        if (!isWord) noteLossy(text, start, at, scan, limit);
      }
    }
  }
  scan.hidden += duplicates.hidden;
  return scan;
}

const tab = 0x09;
const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const letterA = 0x61;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The characters of numbers and of `true`, `false` and `null`. */
function isScalar(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= letterA && code <= 0x7a) ||
    code === 0x2e ||
    code === 0x2d ||
    code === 0x2b ||
    code === 0x45
  );
}

function endOfString(text: string, start: number): number {
  // Most strings are short and plain, and a loop is fastest for them.
  for (let at = start + 1; at < start + 24; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) return endOfEscapedString(text, at);
  }
  const end = text.indexOf('"', start + 24);
  return text.charCodeAt(end - 1) === backslash ? endOfEscapedString(text, start + 1) : end + 1;
}

function endOfEscapedString(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

function noteLossy(text: string, start: number, end: number, scan: JsonScan, limit: number): void {
  if (end - start <= 15 && !hasExponent(text, start, end)) return;
  const readAs = readLossily(text.slice(start, end));
  if (readAs === undefined) return;
  if (scan.lossyNumbers.length < limit) scan.lossyNumbers.push({ range: { start, end }, readAs });
  else scan.hidden += 1;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x65 || code === 0x45) return true;
  }
  return false;
}
