import type { Language } from "../text/language";

/**
 * Returns the parsed value of a number literal that loses digits (2^53 and above, long fractions) or is out of range.
 * Undefined if nothing is lost.
 */
export function readLossily(literal: string): string | undefined {
  // Fifteen significant digits are always exact. Only an exponent could exceed the range.
  if (literal.length <= 15 && !/e/i.test(literal)) return undefined;
  const value = Number(literal);
  // Fast path: programs write nearly all long literals in the engine's spelling.
  if (String(value) === literal) return undefined;
  if (!Number.isFinite(value)) return value > 0 ? "infinity" : "minus infinity";
  return normalDigits(literal) === normalDigits(String(value)) ? undefined : String(value);
}

/** Formats the result of `readLossily`: digits, or a word for infinity. */
export function readAsText(readAs: string, { t }: Language): string {
  if (readAs === "infinity") return t("infinity");
  return readAs === "minus infinity" ? t("minus infinity") : readAs;
}

/** Returns whether a number literal has no fraction. `1.0` and `1e400` have none. */
export function isWholeLiteral(literal: string): boolean {
  const [, power = "0"] = normalDigits(literal).split("e");
  return !power.startsWith("-");
}

/**
 * Returns the significant digits of a literal without its sign, and a power of ten, independent of the spelling: `1.50`
 * → `15e-1`.
 */
export function normalDigits(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().replace("-", "").split("e");
  const signedExponent = /e-/i.test(literal)
    ? -Number(exponent.replace("-", ""))
    : Number(exponent);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = withoutTrailingZeros(digits);
  if (significant === "") return "0";
  const power = signedExponent - fraction.length + (digits.length - significant.length);
  return `${significant}e${power}`;
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
