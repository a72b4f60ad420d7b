import { type LocalizableText, l10nText } from "../text/language";

/** A token of a text that should be JSON. */
export interface JsonToken {
  kind:
    | "{"
    | "}"
    | "["
    | "]"
    | ":"
    | ","
    | "string"
    | "number"
    | "literal"
    | "comment"
    | "unknown"
    | "end";
  start: number;
  end: number;
  /** Why the token is not valid JSON, and which part of it to mark. */
  wrong?: { message: LocalizableText; start: number; end: number };
}

const patterns = {
  space: /[ \t\r\n]+/y,
  lineComment: /\/\/[^\r\n]*/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y,
  literal: /(?:true|false|null)(?![\w$])/y,
  colon: /[ \t\r\n]*:/y,
  word: /[^\s{}[\]:,"']+/y,
};

/** Reads the next token from an offset on. At the end of the text it is of the kind `end`. */
export function nextToken(text: string, from: number): JsonToken {
  const start = endOf(patterns.space, text, from) ?? from;
  const character = text[start];
  if (character === undefined) return { kind: "end", start, end: start };
  if ("{}[]:,".includes(character)) {
    return { kind: character as JsonToken["kind"], start, end: start + 1 };
  }
  if (character === '"') return stringToken(text, start);
  if (character === "'") return singleQuotedToken(text, start);
  if (character === "/") return commentToken(text, start);
  const number = endOf(patterns.number, text, start);
  if (number !== undefined) return { kind: "number", start, end: number };
  const literal = endOf(patterns.literal, text, start);
  if (literal !== undefined) return { kind: "literal", start, end: literal };
  return wordToken(text, start);
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function stringToken(text: string, start: number): JsonToken {
  let wrong: JsonToken["wrong"];
  let at = start + 1;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { kind: "string", start, end: at + 1, ...(wrong && { wrong }) };
    if (Number.isNaN(code) || code === 0x0a || code === 0x0d) break;
    if (code < 0x20) {
      const message =
        code === 0x09
          ? l10nText("Write a tab in a string as \\t.")
          : l10nText("This control character must be written as an escape.");
      wrong ??= { message, start: at, end: at + 1 };
    }
    if (code !== 0x5c) continue;
    const length = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0].length;
    if (length === undefined) {
      const message = l10nText("Invalid escape sequence.");
      wrong ??= { message, start: at, end: Math.min(at + 2, text.length) };
    }
    // An escaped line break does not join lines in JSON; the string ends there all the same.
    if (!/[\r\n]/.test(text[at + 1] ?? "\n")) at += (length ?? 2) - 1;
  }
  const message = l10nText("This string has no closing quote.");
  return { kind: "string", start, end: at, wrong: { message, start, end: at } };
}

function singleQuotedToken(text: string, start: number): JsonToken {
  let at = start + 1;
  while (at < text.length && !"'\r\n".includes(text[at] ?? "")) at += text[at] === "\\" ? 2 : 1;
  const end = Math.min(text[at] === "'" ? at + 1 : at, text.length);
  const message = l10nText("JSON strings are written in double quotes.");
  return { kind: "string", start, end, wrong: { message, start, end } };
}

function commentToken(text: string, start: number): JsonToken {
  const lineEnd = endOf(patterns.lineComment, text, start);
  if (lineEnd !== undefined) return { kind: "comment", start, end: lineEnd };
  if (!text.startsWith("/*", start)) return wordToken(text, start);
  const close = text.indexOf("*/", start + 2);
  if (close >= 0) return { kind: "comment", start, end: close + 2 };
  const end = text.length;
  return {
    kind: "unknown",
    start,
    end,
    wrong: { message: l10nText("This comment is not closed."), start, end },
  };
}

function wordToken(text: string, start: number): JsonToken {
  const end = endOf(patterns.word, text, start) ?? start + 1;
  const word = text.slice(start, Math.min(end, start + 40));
  const isName = endOf(patterns.colon, text, end) !== undefined;
  const message = isName
    ? l10nText("A property name in double quotes is expected here.")
    : whyNotJson(word);
  return { kind: "unknown", start, end, wrong: { message, start, end } };
}

function whyNotJson(word: string): LocalizableText {
  if (/^[+-]?(?:infinity|nan)/i.test(word)) return l10nText("JSON has no NaN and no Infinity.");
  if (/^0[xob]/i.test(word)) return l10nText("JSON numbers are decimal.");
  if (/^[+-.]?\d/.test(word)) return l10nText("Invalid number.");
  if (/^(?:true|false|null|none|undefined)$/i.test(word)) {
    return l10nText("Use lowercase true, false or null.");
  }
  return l10nText("This is not JSON; a string needs double quotes.");
}
