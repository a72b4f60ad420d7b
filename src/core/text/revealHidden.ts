// Everything a reader cannot see: control characters, text direction overrides, zero-width and
// other ignorable characters, line separators and halves of surrogate pairs. Line feed and tab are
// left to the caller. Two uses are ordinary writing: U+FE0F and U+200D inside an emoji, and U+200C
// between Arabic letters.
const hidden =
  /(?![\n\t])(?!(?<=\p{Emoji})\uFE0F)(?!(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic}))(?!(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic}))[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/**
 * Replaces characters that show nothing, or reorder what is shown, by their escape, such as
 * `\u202E`. Every kind of line end becomes a line feed.
 */
export function revealHidden(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(hidden, escapeOf);
}

/** Reveals hidden characters in every text inside a plain value, names of members excepted. */
export function revealHiddenIn<Value>(value: Value): Value {
  return reveal(value) as Value;
}

function reveal(value: unknown): unknown {
  if (typeof value === "string") return revealHidden(value);
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, reveal(part)]));
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}
