import { revealHidden } from "./revealHidden";

// A hair space stands between the two characters that together would start markup. It is next to
// invisible, unlike a backslash it is right in places that show text as it is too, and unlike a
// zero-width character it hides nothing.
const hairSpace = "\u200A";

/** Puts text on one line, hidden characters escaped, cut with `…` after `maxLength` characters. */
export function oneLine(text: string, maxLength = 200): string {
  // What is cut off anyway is not worth escaping: names of a megabyte come in.
  const start = text.slice(0, maxLength * 4);
  const line = revealHidden(start).replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= maxLength && start.length === text.length) return line;
  return `${characters.slice(0, maxLength - 1).join("")}…`;
}

/** Makes text safe for a notification, which would turn `[words](command:…)` into a link. */
export function notificationText(text: string, maxLength = 500): string {
  return oneLine(text, maxLength).replaceAll("](", `]${hairSpace}(`);
}

/** Makes text safe for the label of a tree, pick or status bar, which would turn `$(name)` into an icon. */
export function labelText(text: string, maxLength = 120): string {
  return oneLine(text, maxLength).replaceAll("$(", `$${hairSpace}(`);
}

/**
 * Escapes text for a `MarkdownString`, so that it shows as written: no links, images, HTML, icons
 * or lists. Lines stay lines; text is cut with `…` after `maxLength` characters.
 */
export function markdownText(text: string, maxLength = 2000): string {
  const whole = text.length <= maxLength;
  const shown = whole ? text : `${text.slice(0, maxLength)}…`;
  return shown
    .split(/\r\n|\r|\n/)
    .map((line) => escapeMarkdown(revealHidden(line).replaceAll("\t", " ").trim()))
    .join("  \n");
}

// All punctuation takes a backslash, so that addresses (`https\://`) and entities do not form
// either. Icons are expanded in the finished HTML, where the backslash is gone: they need the space.
function escapeMarkdown(line: string): string {
  return line.replaceAll("$(", `$${hairSpace}(`).replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** Makes a sentence the middle of another one, which its first letter must not show. */
export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
