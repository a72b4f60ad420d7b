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

/** Decodes percent-escapes and JSON escapes until nothing changes: `%25%36b` → `%6b` → `k`. */
export function unescapeAll(text: string): Unescaped {
  let unescaped: Unescaped = { text, starts: undefined };
  for (let round = 0; round < maxUnescapeRounds; round += 1) {
    const next = unescapeOnce(unescaped.text);
    if (next === undefined) break;
    const { starts: before } = unescaped;
    const starts = before ? next.starts.map((start) => before[start] ?? 0) : next.starts;
    unescaped = { text: next.text, starts };
  }
  return unescaped;
}

/** Decodes `%6b` and `\u006b` once, and drops every backslash. Undefined if the text has none of them. */
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
    codes[length] = decoded < 0 ? code : decoded;
    at = decoded < 0 ? at + 1 : digits + 2;
    length += 1;
  }
  starts[length] = text.length;
  if (length === text.length) return undefined;
  return { text: textOf(codes.subarray(0, length)), starts: starts.subarray(0, length + 1) };
}

const backslash = 0x5c;
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
