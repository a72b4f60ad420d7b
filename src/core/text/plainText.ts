// A hair space separates two characters that together would start markup. It is nearly invisible, also works where a
// backslash would be visible, and hides nothing, unlike a zero-width character.
const hairSpace = "\u200A";

/** Joins text into one line, escapes hidden characters, and truncates it with `…` after `maxLength` characters. */
export function oneLine(text: string, maxLength = 200): string {
  // The truncated part is not worth escaping: names may have a megabyte.
  const start = text.slice(0, maxLength * 4);
  const line = revealHidden(start).replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= maxLength && start.length === text.length) return line;
  return `${characters.slice(0, maxLength - 1).join("")}…`;
}

/** Ends a text with a full stop, unless it already ends like a sentence. */
export function asSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Truncates a text to `maxLength` UTF-16 units, with `…` as the last of them, without splitting a surrogate pair. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, Math.max(0, maxLength - 1));
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Makes text safe for a notification, which would turn `[words](command:…)` into a link. */
export function notificationText(text: string, maxLength = 500): string {
  return oneLine(text, maxLength).replaceAll("](", `]${hairSpace}(`);
}

/** The text below a dialog's question: paragraphs of one or several lines. */
export type DialogDetail = readonly (string | readonly string[])[];

/** The maximum number of lines. A native dialog does not scroll, so its buttons would leave the screen. */
const maxDialogLines = 30;

/**
 * Makes the detail of a dialog safe: each line stays on one line, truncated after `maxLineLength` characters. Drops
 * empty paragraphs. Beyond 30 lines, including those between paragraphs, the rest is `…`.
 */
export function dialogText(detail: DialogDetail, maxLineLength = 300): string {
  const lines = detail
    .filter((paragraph) => paragraph.length > 0)
    .flatMap((paragraph, index) => [...(index === 0 ? [] : [""]), ...[paragraph].flat()]);
  const shown = lines
    .slice(0, maxDialogLines)
    .map((line) => indentOf(line) + notificationText(line, maxLineLength));
  return [...shown, ...(lines.length > maxDialogLines ? ["…"] : [])].join("\n");
}

const maxIndent = 16;

/** Returns the indentation of a line with no-break spaces, since an editor in a browser merges ordinary spaces. */
function indentOf(line: string): string {
  const [blanks = ""] = /^ */.exec(line) ?? [];
  return "\u00a0".repeat(Math.min(maxIndent, blanks.length));
}

/** Makes text safe for the label of a tree, pick or status bar, which would turn `$(name)` into an icon. */
export function labelText(text: string, maxLength = 120): string {
  return oneLine(text, maxLength).replaceAll("$(", `$${hairSpace}(`);
}

/**
 * Escapes text for a `MarkdownString`, so that it is shown literally: no links, images, HTML, icons or lists. Line
 * breaks stay; text is truncated with `…` after `maxLength` characters.
 */
export function markdownText(text: string, maxLength = 2000): string {
  return shortened(text, maxLength)
    .split(/\r\n|\r|\n/)
    .map((line) => escapeMarkdown(revealHidden(line).replaceAll("\t", " ").trim()))
    .join("  \n");
}

// All punctuation gets a backslash, so that addresses (`https\://`) and entities do not form. Icons are expanded in the
// finished HTML, which has no backslashes, so they need the hair space.
function escapeMarkdown(line: string): string {
  return line.replaceAll("$(", `$${hairSpace}(`).replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** Lower-cases the first letter of a sentence, to use it within another one. */
export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** Capitalizes the end of a sentence, so that it can stand alone. */
export function upperFirst(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** Quotes a text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

// All invisible characters: control characters, text direction overrides, zero-width and other ignorable characters,
// line separators and halves of surrogate pairs. Callers handle line feed and tab. Two uses are legitimate: U+FE0F and
// U+200D inside an emoji, and U+200C between Arabic letters.
const hidden =
  /(?![\n\t])(?!(?<=\p{Emoji})\uFE0F)(?!(?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic}))(?!(?<=\p{Script=Arabic})\u200C(?=\p{Script=Arabic}))[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/**
 * Replaces characters that are invisible, or reorder the text, by their escape, such as `\u202E`. Every kind
 * of line end becomes a line feed.
 */
export function revealHidden(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(hidden, escapeOf);
}

/** Removes characters that are invisible, or reorder the text. */
export function withoutHidden(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(hidden, "");
}

/** Escapes hidden characters in every text inside a plain value, except in names of members. */
export function revealHiddenIn<Value>(value: Value): Value {
  return reveal(value) as Value;
}

function reveal(value: unknown): unknown {
  if (typeof value === "string") return revealHidden(value);
  if (Array.isArray(value)) return value.map(reveal);
  if (typeof value !== "object" || value === null) return value;
  const revealed: Record<string, unknown> = { ...value };
  for (const name of Object.keys(revealed)) revealed[name] = reveal(revealed[name]);
  return revealed;
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}
