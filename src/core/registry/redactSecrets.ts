const placeholder = "[Project Key]";

/** Shorter pieces of Base64 occur by chance. */
const shortestEncoded = 8;

/**
 * Makes a function that takes a Project Key out of any text: as it is, in `Bearer …`, URL-encoded,
 * JSON-escaped in any mixture, in hexadecimal digits, and in Base64 (also of a longer text that holds
 * it).
 */
export function redactorFor(key: string): (text: string) => string {
  if (key === "") return (text) => text;
  const exact = [key, ...hexForms(key), ...encodedForms(key)];
  const shortest = Math.min(...exact.map((form) => form.length));
  const anyEscape = anyEscapeOf(key);
  const escaped = escapedForm(key);
  return (text) => {
    if (text.length < shortest) return text;
    let clean = text;
    for (const form of exact) {
      if (clean.includes(form)) clean = clean.replaceAll(form, placeholder);
    }
    // The slow search, only where the text has escapes that could spell the key.
    const hasSigns = clean.includes("%") || clean.includes("\\");
    return hasSigns && anyEscape.test(clean) ? clean.replace(escaped, placeholder) : clean;
  };
}

/** The key's bytes as digits, in either case. */
function hexForms(key: string): readonly string[] {
  const digits = [...key].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0"));
  return [digits.join(""), digits.join("").toUpperCase()].filter(
    (form) => form.length >= shortestEncoded,
  );
}

/**
 * The Base64 characters that depend on the key alone, for each of its three possible positions in a
 * group of three bytes, in both alphabets.
 */
function encodedForms(key: string): readonly string[] {
  if (/[^\0-\xff]/.test(key)) return [];
  const forms = [0, 1, 2].flatMap((offset) => {
    const whole = btoa("\0".repeat(offset) + key).replace(/=+$/, "");
    const bits = (offset + key.length) * 8;
    const inner = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
    const urlSafe = inner.replaceAll("+", "-").replaceAll("/", "_");
    return [inner, urlSafe, inner.replaceAll("/", "\\/")];
  });
  return [...new Set(forms)].filter((form) => form.length >= shortestEncoded);
}

/** Matches any one escape of any one character of the key. */
function anyEscapeOf(key: string): RegExp {
  const characters = [...new Set(key)];
  const codes = characters.map(hexOf).join("|");
  const signs = characters.filter((character) => `"\\/`.includes(character)).map(literalOf);
  const behindSlash = [`u00(?:${codes})`, ...signs].join("|");
  return new RegExp(`%(?:${codes})|\\\\(?:${behindSlash})`);
}

/**
 * Matches the key with any of its characters as `%6b`, `\u006b` or behind backslashes: up to four,
 * as in JSON text inside JSON text, and no more, so that a megabyte of them costs no squared time.
 */
function escapedForm(key: string): RegExp {
  const characters = [...key].map((character) => {
    const hex = hexOf(character);
    return `(?:\\\\{0,4}${literalOf(character)}|%${hex}|\\\\{1,4}u00${hex})`;
  });
  return new RegExp(characters.join(""), "g");
}

/** A character's code as a pattern for two hexadecimal digits of either case. */
function hexOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A character as a pattern for itself. */
function literalOf(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
}
