const placeholder = "[Project Key]";

/** Shorter pieces of Base64 occur by chance. */
const shortestEncoded = 8;

/**
 * Makes a function that takes a Project Key out of any text: as it is, in `Bearer …`, URL-encoded,
 * JSON-escaped in any mixture, and in Base64 (also of a longer text that holds it).
 */
export function redactorFor(key: string): (text: string) => string {
  if (key === "") return (text) => text;
  const exact = [key, ...encodedForms(key)];
  const escaped = escapedForm(key);
  const shortest = Math.min(...exact.map((form) => form.length));
  // The signs JSON can put behind a bare backslash.
  const slashes = /["\\/]/.test(key) ? "\\" : "\\u00";
  return (text) => {
    if (text.length < shortest) return text;
    let clean = text;
    for (const form of exact) {
      if (clean.includes(form)) clean = clean.replaceAll(form, placeholder);
    }
    // The slow search, only where the text has escapes that could spell the key.
    const mayBeEscaped = clean.includes("%") || clean.includes(slashes);
    return mayBeEscaped ? clean.replace(escaped, placeholder) : clean;
  };
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

/**
 * Matches the key with any of its characters as `%6b`, `\u006b` or behind backslashes: up to four,
 * as in JSON text inside JSON text, and no more, so that a megabyte of them costs no squared time.
 */
function escapedForm(key: string): RegExp {
  const characters = [...key].map((character) => {
    const hex = character.charCodeAt(0).toString(16).padStart(2, "0");
    const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const literal = character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
    return `(?:\\\\{0,4}${literal}|%${anyCase}|\\\\{1,4}u00${anyCase})`;
  });
  return new RegExp(characters.join(""), "g");
}
