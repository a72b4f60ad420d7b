import { type DuplicateKey, DuplicateKeys } from "./duplicateKeys";
import { type LossyNumber, LossyNumbers } from "./lossyNumbers";
import { passKey, skipValue, type TextWatch } from "./skipJson";
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  space,
  type TextCodes,
  textCodes,
} from "./textCodes";
import type { WantedPlace } from "./wantedPlace";

/** What a scan of a text found. The lists are bounded, the rest is counted. */
export interface JsonScan {
  duplicateKeys: DuplicateKey[];
  lossyNumbers: LossyNumber[];
  /** All numbers that lose digits, as they are read, and whether none of them has a fraction. */
  lossyValues: ReadonlyMap<number, boolean>;
  hidden: number;
}

/**
 * Reads through a text that is valid JSON, once and without building anything: fills in the
 * positions of the wanted places, and finds keys named twice and numbers that lose digits. Of a key
 * named twice the last one counts, as for every JSON reader.
 */
export function scanJson(text: string, root: WantedPlace, limit: number): JsonScan {
  const duplicates = new DuplicateKeys(text, limit);
  const lossy = new LossyNumbers(text, limit);
  visitWanted(text, root, { duplicates, lossy });
  return {
    duplicateKeys: duplicates.found,
    lossyNumbers: lossy.found,
    lossyValues: lossy.readAs,
    hidden: duplicates.hidden + lossy.hidden,
  };
}

interface OpenValue {
  wanted: WantedPlace;
  isObject: boolean;
  index: number;
}

/** Goes from wanted place to wanted place; every value without one in it is passed over. */
function visitWanted(text: string, root: WantedPlace, watch: TextWatch): void {
  const codes = textCodes(text);
  const open: OpenValue[] = [];
  let wanted: WantedPlace | undefined = root;
  let at = 0;
  for (;;) {
    at = nextSign(codes, at);
    if (at >= text.length) return;
    const code = codes[at] ?? 0;
    const inside = open[open.length - 1];
    if (code === comma) {
      at += 1;
      if (inside === undefined) continue;
      inside.index += 1;
      wanted = undefined;
    } else if (code === closeBrace || code === closeBracket) {
      at += 1;
      open.pop();
      if (inside?.isObject) watch.duplicates.leaveObject();
      if (inside?.wanted.value !== undefined) inside.wanted.value.end = at;
      wanted = undefined;
    } else if (inside?.isObject && wanted === undefined) {
      const end = passKey(codes, at, watch.duplicates);
      const name = JSON.parse(text.slice(at, end)) as string;
      wanted = inside.wanted.children?.get(name);
      if (wanted !== undefined) wanted.key = { start: at, end };
      at = nextSign(codes, end);
      if (wanted === undefined) at = skipValue(codes, at, watch);
    } else {
      wanted ??= inside?.wanted.children?.get(inside.index);
      const isOpening = code === openBrace || code === openBracket;
      const start = at;
      if (isOpening && wanted?.children !== undefined) {
        at += 1;
        open.push({ wanted, isObject: code === openBrace, index: 0 });
        if (code === openBrace) watch.duplicates.enterObject();
      } else at = skipValue(codes, at, watch);
      if (wanted !== undefined) wanted.value = { start, end: at };
      wanted = undefined;
    }
  }
}

/** The offset of the next character that is neither white space nor a colon. */
function nextSign(codes: TextCodes, from: number): number {
  let at = from;
  for (let code = codes[at] ?? 0; code === colon || isSpace(code); code = codes[at] ?? 0) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code <= space && code > 0;
}
