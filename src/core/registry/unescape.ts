/** The maximum number of nested escapes. Proxies and loggers add one each; even four were never seen. */
const maxUnescapeRounds = 4;

/**
 * A text without escapes, and the original offset of each of its characters. The offsets are undefined if the original
 * has no escapes.
 */
interface Unescaped {
  readonly text: string;
  readonly starts: Int32Array | undefined;
}

/**
 * Decodes percent-escapes, JSON escapes and the five HTML entities until nothing changes: `%25%36b` → `%6b` → `k`. A
 * line break and its JSON escape `\n` both become `n`, and so do the other control characters that have a letter:
 * without its backslashes, `\\n` of JSON in JSON is no different from a letter.
 */
export function unescapeAll(text: string): Unescaped {
  let unescaped: Unescaped = { text, starts: undefined };
  for (let round = 0; round < maxUnescapeRounds; round += 1) {
    const next = unescapeOnce(unescaped.text);
    if (next === undefined) break;
    const { starts: before } = unescaped;
    const starts = before ? next.starts.map((start) => before[start] ?? 0) : next.starts;
    unescaped = { text: next.text, starts };
  }
  const { text: plain, starts } = unescaped;
  return starts === undefined ? { text: withLetters(plain), starts } : unescaped;
}

/** Decodes `%6b`, `\u006b` and `&amp;` once, and drops every backslash. Undefined if the text has none of them. */
function unescapeOnce(text: string): Required<{ text: string; starts: Int32Array }> | undefined {
  const codes = new Uint16Array(text.length);
  const starts = new Int32Array(text.length + 1);
  let length = 0;
  let at = 0;
  while (at < text.length) {
    starts[length] = at;
    const slashes = at;
    while (text.charCodeAt(at) === backslash) at += 1;
    if (at === text.length) break;
    const code = text.charCodeAt(at);
    const isUnicode = at > slashes && code === letterU && text.startsWith("00", at + 1);
    const digits = isUnicode ? at + 3 : at + 1;
    const decoded = isUnicode || code === percent ? byteAt(text, digits) : -1;
    const entity = code === ampersand ? entityAt(text, at) : undefined;
    codes[length] = letterOf(entity?.code ?? (decoded < 0 ? code : decoded));
    at = entity === undefined ? (decoded < 0 ? at + 1 : digits + 2) : at + entity.length;
    length += 1;
  }
  starts[length] = text.length;
  if (length === text.length) return undefined;
  return { text: textOf(codes.subarray(0, length)), starts: starts.subarray(0, length + 1) };
}

/** Replaces the control characters of a text without escapes by their letters. */
function withLetters(text: string): string {
  return text.replace(/[\b\t\n\f\r]/g, (control) =>
    String.fromCharCode(letterOf(control.charCodeAt(0))),
  );
}

/** Returns the letter that JSON escapes a control character with: `n` for a line break. Other codes stay. */
function letterOf(code: number): number {
  if (code > 0x0d || code < 0x08 || code === 0x0b) return code;
  return "btn\vfr".charCodeAt(code - 0x08);
}

/** The HTML entities of the five characters that HTML escapes, each with its spellings. */
const entities: readonly (readonly [text: string, character: string])[] = [
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#34;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
  ["&#x27;", "'"],
];

function entityAt(text: string, at: number) {
  const found = entities.find(([entity]) => text.startsWith(entity, at));
  return found && { code: found[1].charCodeAt(0), length: found[0].length };
}

/** The characters that a text may write as JSON's backslash and a letter, and those that it may write as an entity. */
export const escapedSigns: readonly (readonly [character: string, escape: string])[] = [
  ...[..."btnfr"].map((letter) => [JSON.parse(`"\\${letter}"`) as string, `\\${letter}`] as const),
  ...entities.map(([, character]) => [character, "&"] as const),
];

const backslash = 0x5c;
const ampersand = 0x26;
const percent = 0x25;
const letterU = 0x75;

/** Reads two hexadecimal digits; -1 for anything else. */
function byteAt(text: string, at: number): number {
  const [high, low] = [digit(text.charCodeAt(at)), digit(text.charCodeAt(at + 1))];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function textOf(codes: Uint16Array): string {
  let text = "";
  for (let at = 0; at < codes.length; at += 8_192) {
    text += String.fromCharCode(...codes.subarray(at, at + 8_192));
  }
  return text;
}
