import type { DuplicateKeys } from "./duplicateKeys";
import type { LossyNumbers } from "./lossyNumbers";
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  letterA,
  openBrace,
  openBracket,
  quote,
  space,
  type TextCodes,
} from "./textCodes";

/** What a pass over a text looks for on its way. */
export interface TextWatch {
  duplicates: DuplicateKeys;
  lossy: LossyNumbers;
}

/**
 * Passes over one value of a text that is valid JSON, noting keys named twice and lossy numbers.
 * Gives the offset after the value. Nearly all of a large text is passed over here, so that this
 * loop carries nothing it does not need.
 */
export function skipValue(codes: TextCodes, from: number, watch: TextWatch): number {
  const { duplicates, lossy } = watch;
  const isObject: boolean[] = [];
  let depth = 0;
  let expectsKey = false;
  let at = from;
  do {
    const code = codes[at] ?? 0;
    switch (code) {
      case openBrace:
        duplicates.enterObject();
        isObject[depth] = true;
        depth += 1;
        expectsKey = true;
        at += 1;
        break;
      case openBracket:
        isObject[depth] = false;
        depth += 1;
        expectsKey = false;
        at += 1;
        break;
      case closeBrace:
        duplicates.leaveObject();
        depth -= 1;
        expectsKey = false;
        at += 1;
        break;
      case closeBracket:
        depth -= 1;
        expectsKey = false;
        at += 1;
        break;
      case comma:
        expectsKey = isObject[depth - 1] === true;
        at += 1;
        break;
      case quote:
        at = expectsKey ? passKey(codes, at, duplicates) : endOfString(codes, at);
        expectsKey = false;
        break;
      default:
        if (code <= space || code === colon) {
          at += 1;
          while (codes[at] === space) at += 1;
        } else {
          const start = at;
          at = endOfScalar(codes, at);
          if (code < letterA) lossy.note(start, at);
        }
    }
  } while (depth > 0);
  return at;
}

/** Passes over a property's name and gives the offset after it. */
export function passKey(codes: TextCodes, start: number, duplicates: DuplicateKeys): number {
  let hash = 0;
  let at = start + 1;
  for (let code = codes[at] ?? 0; code !== quote; code = codes[at] ?? 0) {
    if (code === backslash) {
      const end = endOfString(codes, start);
      duplicates.addEscaped(start, end);
      return end;
    }
    hash = nextHash(hash, code);
    at += 1;
  }
  duplicates.add(start, at + 1, hash);
  return at + 1;
}

/** Adds one code to the hash of a property's name. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

function endOfString(codes: TextCodes, start: number): number {
  let at = start + 1;
  for (let code = codes[at] ?? 0; code !== quote; code = codes[at] ?? 0) {
    at += code === backslash ? 2 : 1;
  }
  return at + 1;
}

function endOfScalar(codes: TextCodes, start: number): number {
  let at = start + 1;
  while (isScalar(codes[at] ?? 0)) at += 1;
  return at;
}

/** Tells whether a number or a literal goes on: they end before white space, a comma or a bracket. */
function isScalar(code: number): boolean {
  return code > space && code !== comma && code !== closeBracket && code !== closeBrace;
}
