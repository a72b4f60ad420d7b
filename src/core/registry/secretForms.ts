/** The minimum length of a searched piece. Shorter pieces of Base64 or hexadecimal digits occur by chance. */
export const shortestEncoded = 8;

/** Converts a text to its UTF-8 bytes, one character each, since response bodies are searched in this form. */
export function utf8Characters(text: string): string {
  const bytes = new Uint8Array(text.length * 3);
  const { written } = new TextEncoder().encodeInto(text, bytes);
  return Array.from(bytes.subarray(0, written), (byte) => String.fromCharCode(byte)).join("");
}

/** The minimum length of a searched number. Shorter ones occur by chance. */
const shortestNumber = 6;

/** Lists other spellings of a numeric secret: without leading zeros, and rounded as programs print it. */
export function numberForms(secret: string): readonly string[] {
  if (!/^\d{1,300}$/.test(secret)) return [];
  const number = Number(secret);
  const forms = [secret.replace(/^0+/, ""), String(number), BigInt(number).toString()];
  return forms.filter((form) => form.length >= shortestNumber);
}

/**
 * Lists the two forms of a text in which JSON escapes replace the characters beyond Latin-1: `€1` → `u20ac1` and
 * `u20AC1`. They have no backslash, since the searched text has none.
 */
export function escapedForms(text: string): readonly string[] {
  const escaped = text.replace(
    /[^\0-\xff]/g,
    (character) => `u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const capitals = text.replace(
    /[^\0-\xff]/g,
    (character) => `u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return [escaped, capitals];
}

/** Returns the key's bytes as hexadecimal digits; none if they are too few to search for. */
export function hexForm(key: string): readonly string[] {
  const digits = [...key].map((character) => character.charCodeAt(0).toString(16).padStart(2, "0"));
  const form = digits.join("");
  return form.length < shortestEncoded ? [] : [form];
}

/**
 * Lists the Base64 characters that depend only on the key, for each of its three possible positions in a group of three
 * bytes, in both alphabets.
 */
export function encodedForms(key: string): readonly string[] {
  if (/[^\0-\xff]/.test(key)) return [];
  const forms = [0, 1, 2].flatMap((offset) => {
    const whole = btoa("\0".repeat(offset) + key).replace(/=+$/, "");
    const bits = (offset + key.length) * 8;
    const inner = whole.slice(Math.ceil((offset * 8) / 6), Math.floor(bits / 6));
    return [inner, inner.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [...new Set(forms)].filter((form) => form.length >= shortestEncoded);
}
