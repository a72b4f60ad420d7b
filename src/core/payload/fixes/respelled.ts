const words: ReadonlyMap<string, string> = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["none", "null"],
  ["nil", "null"],
  ["undefined", "null"],
]);

/** How JSON writes a value; `isSure` where nothing else can have been meant. */
export interface Respelling {
  readonly value: string;
  readonly isSure: boolean;
}

/**
 * Writes a number, or a word for true, false or nothing, as JSON does: `True`, `None`, `+1`, `.5`, `1.`,
 * `007`, `0x1F`, `1_000`. Undefined where the word is none of these.
 */
export function respelled(word: string): Respelling | undefined {
  const known = words.get(word.toLowerCase());
  if (known !== undefined) return { value: known, isSure: true };
  if (/^[+-]?(?:nan|inf(?:inity)?)$/i.test(word)) return { value: "null", isSure: false };
  if (/^0(?:x[0-9a-f]+|o[0-7]+|b[01]+)$/i.test(word)) {
    return { value: BigInt(word).toString(), isSure: true };
  }
  const [, sign = "", whole = "", fraction, exponent = ""] =
    /^([+-]?)(\d[\d_]*|)(\.[\d_]*)?(e[+-]?\d+)?n?$/i.exec(word) ?? [];
  const digits = whole.replaceAll("_", "");
  const behind = (fraction ?? "").replaceAll("_", "");
  if (digits === "" && behind.length < 2) return undefined;
  const minus = sign === "-" ? "-" : "";
  const number = digits.replace(/^0+(?=\d)/, "") || "0";
  const value = `${minus}${number}${behind.length > 1 ? behind : ""}${exponent}`;
  // Some read a leading zero as a sign of base eight.
  return { value, isSure: !/^0\d/.test(digits) };
}
